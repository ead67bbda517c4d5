"""Reads a picture of Cross Set. ``board`` is the entry point for the reader; ``sighting`` and ``cells`` (``plain`` and
``at_once`` for ordinary boards) read the content of the cells; ``doubts`` lists the candidates of a doubtful cell.

Subpackages: ``one_cell`` segments the content of a single cell and scores the segmentations, ``ordering`` finds the
active candidate and the order of the others, ``glyphs`` classifies single glyphs, ``lattice`` finds the cells. Each
imports only those after it; ``one_cell`` and ``ordering`` do not import each other.
"""
