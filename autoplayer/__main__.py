"""``python -m autoplayer`` is the command ``autoplayer``."""

import sys

from autoplayer.cli import main

if __name__ == "__main__":
    sys.exit(main())
