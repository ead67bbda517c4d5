"""How long a session waits for what, in seconds, and how often it tries what. One place for all of it."""

MOST_REPAIRS = 3
"""How often one move is repeated without bringing the board any further, before the person gets it back."""

MOST_INTERRUPTIONS = 2
"""How often something may come between a move and itself before that counts as a try."""

MOST_TIDYINGS = 2
"""How often a board that is done is tidied up."""

READ_LIMIT = 8.0
"""Seconds to wait for a readable board, beside the time that reading takes: longer than a title fades or a hint moves
away."""

MOVE_LIMIT = 1.0
"""Seconds to wait for a move to show; a window that draws later than this is not followed by eye either, and is met
with more patience from then on."""

LATE_LIMIT = 4.0
"""Seconds to wait, where nothing at all has happened, before a move is called lost: a window may answer late."""

MOTION_LIMIT = 10.0
"""Seconds to wait for a picture that is still moving: what is done again meanwhile would be done twice."""

IN_VAIN = 2
"""Long waits that may bring nothing: then this window loses moves, or is never still, and is waited for shortly."""

AWAY_LIMIT = 30.0
"""Seconds to wait for a window that is hidden, covered, half outside the screen, or that hangs."""

REOPEN_LIMIT = 5.0
"""Seconds to wait for a window that is gone to be opened again."""

STUCK_AFTER = 120.0
"""Seconds without progress after which the person gets the game back: longer than the slowest gesture takes."""

MOST_CHANGES = 3
"""How often the level may be changed by somebody else while it is played."""

QUICK, PATIENT = 0.05, 0.25
"""Seconds of stillness: after a move that seems to have arrived, and before one is said to have been lost. An
animation may rest for a frame or two, never for a quarter of a second."""

FLASH_LIMIT = 6.0
"""Seconds that a win may be celebrated until the next level shows by itself."""

CELEBRATED = 0.8
"""Seconds that a win is shown at least before the same level comes again: what comes sooner is no win."""

LIT_LIMIT = 1.5
"""Seconds to wait for a known control to light up."""

ALONE_LIMIT = 3.3
"""Seconds that the next level has for coming by itself where something lit up, or covers the board, and the picture is
still: then it is tried as a control. Pages that go on by themselves after two or three seconds say so first."""

PRESS_LIMIT = 3.0
"""Seconds from pressing a control to the next level."""

CONTROL_PRESS = 0.2
"""Seconds that a control is held: one web build wants 0.15."""

MOST_CONTROLS = 3
"""How many controls that changed are tried."""

MOST_INTERLUDES = 6
"""How often something is pressed to get past what comes between a level's end and the next level."""

COUNTDOWN_LIMIT, TICK = 40.0, 1.3
"""Seconds to wait for an advertisement to count down, and within which it does so once."""

MOST_ON_SCENE = 8
"""How many separate things a scene of congratulation shows: words, stars, a button or two. A board has more."""

KNOCK_AFTER = 2.5
"""Seconds for which a picture without a level must have been there before something is pressed in it: titles fade."""

MOST_PRESSES = 8
"""How often something is pressed on the way to a level: a title, a mode, a page of help, a list, and half of it in
vain."""

MOST_LEAVES = 6
"""How many pages of help are turned by one button: some presses are left for other ways."""

MOST_IN_VAIN = 4
"""How many of those may lead nowhere."""

FEW_CELLS = 8
"""As a board of so many cells, without a solution, the letters of a title may be read; what is larger is a board that
was misread, and is left alone."""
