"""All time limits of a session, in seconds, and how often it tries things."""

MOST_REPAIRS = 3
"""How often one move is repeated without any progress before the session gives up."""

MOST_INTERRUPTIONS = 2
"""How often a move may be prevented by something before that counts as an attempt."""

MOST_TIDYINGS = 2
"""How often a finished board is cleaned up."""

READ_LIMIT = 8.0
"""Seconds to wait for a readable board, on top of the time that reading takes: longer than a title fades or a hint
moves away."""

MOVE_LIMIT = 1.0
"""Seconds to wait for a move to show. A window that draws later than this is too slow to be followed by eye, and is
given more time from then on."""

LATE_LIMIT = 4.0
"""Seconds to wait, where nothing at all has happened, before a move counts as lost: a window may respond late."""

MOTION_LIMIT = 10.0
"""Seconds to wait for a picture that is still moving: a move repeated meanwhile would take effect twice."""

IN_VAIN = 2
"""After this many long waits in vain the window loses moves, or is never still, and long waits are no longer made."""

AWAY_LIMIT = 30.0
"""Seconds to wait for a window that is hidden, covered, partly outside the screen, or hanging."""

REOPEN_LIMIT = 5.0
"""Seconds to wait for a closed window to be opened again."""

STUCK_AFTER = 120.0
"""Seconds without progress after which the session gives up: longer than the slowest gesture takes."""

MOST_CHANGES = 3
"""How often the level may be changed by somebody else while it is played."""

QUICK, PATIENT = 0.05, 0.25
"""Seconds of stillness: after a move that seems to have arrived, and before one counts as lost. An animation may rest
for a frame or two, never for a quarter of a second."""

FLASH_LIMIT = 6.0
"""Seconds that the celebration of a win may last until the next level appears by itself."""

CELEBRATED = 0.8
"""The least number of seconds that a win is shown before the same level restarts: an earlier restart is not a win."""

LIT_LIMIT = 1.5
"""Seconds to wait for a known control to light up."""

ALONE_LIMIT = 3.3
"""Seconds to wait for the next level to come by itself where something lit up, or covers the board, and the picture is
still; then that is pressed. Screens that go on by themselves after two or three seconds announce it."""

PRESS_LIMIT = 3.0
"""Seconds from pressing a control to the next level."""

CONTROL_PRESS = 0.2
"""Seconds that a control is held down: one web build needs 0.15."""

MOST_CONTROLS = 3
"""How many controls that changed are tried."""

MOST_INTERLUDES = 6
"""How often something is pressed to get past the screens between a level's end and the next level."""

COUNTDOWN_LIMIT, TICK = 40.0, 1.3
"""Seconds to wait for the countdown of an advertisement, and the longest time between two of its steps."""

MOST_ON_SCENE = 8
"""The most separate things on a screen of congratulation: words, stars, a button or two. A board has more."""

KNOCK_AFTER = 2.5
"""Seconds for which a picture without a level must have been shown before something is pressed in it: titles fade."""

MOST_PRESSES = 8
"""How many presses the way to a level may take: a title, a mode, a page of help, a list, and as many that fail."""

MOST_LEAVES = 6
"""How many pages of help are turned by one button: some presses are left for other ways."""

MOST_IN_VAIN = 4
"""How many of those presses may fail."""

FEW_CELLS = 8
"""A board of at most this many cells, without a solution, may be the letters of a title; a larger one is a misread
board, and is left alone."""
