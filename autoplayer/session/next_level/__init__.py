"""From a level's end to the next level. ``onward`` decides; ``arrivals`` waits for the level, ``presses`` makes the
presses; ``known_way`` is the way that worked before, ``entries`` handles lists of levels beside the board,
``interludes`` what comes in between, ``guesses`` what is tried where the window gives no hint. ``entrance`` leads to
the first level.
"""
