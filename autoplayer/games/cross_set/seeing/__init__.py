"""What a picture of Cross Set shows. ``board`` is the way in from the reader: ``sighting`` and ``cells`` (``plain`` and
``at_once`` for ordinary boards) say what stands in the cells, ``doubts`` what a cell in doubt may hold.

``one_cell`` parts and weighs the content of a single cell, ``ordering`` finds the active candidate and the order of the
others, ``glyphs`` says which digit a glyph is, ``lattice`` finds the cells. Each of them knows only those after it, and
``one_cell`` and ``ordering`` know nothing of each other.
"""
