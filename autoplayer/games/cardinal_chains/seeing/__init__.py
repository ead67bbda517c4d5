"""What a picture of Cardinal Chains shows. ``judging`` is the way in from the reader: ``board`` compares lattices,
``places`` reads what is in the cells of each (``starts``, ``begun``, ``lettered``: which of them are starts),
``judging`` says what is in doubt and what is no board.

``text`` reads text screens, ``covered`` glyphs behind chains and pointers, ``lattice`` finds rows and columns,
``glyphs`` says what stands in one place. Each of them knows only those after it.
"""
