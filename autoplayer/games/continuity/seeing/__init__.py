"""What stands in Continuity's windows: the board of tiles in a still picture, and the figure in a moving one."""
