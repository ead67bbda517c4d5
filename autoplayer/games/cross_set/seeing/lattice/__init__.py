"""Finds the cells: by lines, boxes, discs or highlights, on a lattice or without one."""
