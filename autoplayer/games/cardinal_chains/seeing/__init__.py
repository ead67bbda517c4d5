"""Recognises what a picture of Cardinal Chains shows. ``judging`` is called by the reader: ``board`` compares lattices,
``places`` reads the cells of each (``starts``, ``begun``, ``lettered``: which of them are starts), ``judging`` decides
what is in doubt and what is not a board.

``text`` reads text screens, ``covered`` glyphs behind chains and pointers, ``lattice`` finds rows and columns,
``glyphs`` classifies the content of one place. Each package imports only those named after it.
"""
