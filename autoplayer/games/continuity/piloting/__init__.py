"""Playing a level in its window: physics measured, a plan carried out with eyes open, another plan where it failed."""
