"""Pictures after the first one: which view they show, where the figure is, how the tiles lie, which keys are gone."""
