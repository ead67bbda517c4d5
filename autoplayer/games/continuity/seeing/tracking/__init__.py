"""Follows a level in later pictures: the view that they show, the figure's position, the arrangement of the tiles, and
which keys are gone."""
