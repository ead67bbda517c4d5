"""Where the command ``autoplayer`` begins, and ``python -m autoplayer``."""

import os
import sys


def main() -> int:
    """Run the command line. It takes a moment to load: Ctrl-C ends that as it ends a command, with a word and 4."""
    try:
        from autoplayer.cli import main as command_line

        return command_line()
    except KeyboardInterrupt:
        if os.environ.get("AUTOPLAYER_DEBUG"):
            raise
        sys.stderr.write("autoplayer: stopped\n")
        return 4


if __name__ == "__main__":
    sys.exit(main())
