"""A bot in a process of its own: makes one gesture in the window with the id that is given, and says how it ended.

Arguments: the window's id, and ``drag``, ``hold``, ``click``, ``rest`` (a click, then it looks on for ever) or
``think`` (a click, then it is busy for ever with something else).
"""

from __future__ import annotations

import sys
import time

from autoplayer.core.errors import AutoplayerError
from autoplayer.core.gestures import Click, Drag, Gesture, Hold, Pace
from autoplayer.screen.desktop import DesktopScreen
from autoplayer.screen.x11 import X11

GESTURES: dict[str, tuple[Gesture, Pace]] = {
    "drag": (Drag(((50, 50), (350, 50), (350, 250), (50, 250))), Pace(0.1, 20.0, 0.1)),
    "hold": (Hold(("left", "A"), 60.0), Pace()),
    "click": (Click((50, 50)), Pace()),
    "rest": (Click((50, 50)), Pace()),
    "think": (Click((50, 50)), Pace()),
}


def main() -> None:
    window_id, what = int(sys.argv[1]), sys.argv[2]
    system = X11()
    window = system.window(window_id)
    assert window is not None
    gesture, pace = GESTURES[what]
    try:
        with DesktopScreen(window, system=system, patience=60.0, game="slow-game") as screen:
            screen.perform([gesture], pace)
            while what in ("rest", "think"):
                if what == "rest":
                    screen.guard.check()
                time.sleep(0.02)
    except AutoplayerError as error:
        sys.stdout.write(f"{type(error).__name__}: {error}\n")
        sys.exit(error.exit_code)
    sys.stdout.write("done\n")


if __name__ == "__main__":
    main()
