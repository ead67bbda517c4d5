"""``autoplayer stop``: stops a bot from another terminal. Also the wait after a stop by hand in commands that play,
where the person wants to continue later (``--resume``)."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from autoplayer.cli import output
from autoplayer.core.errors import NotFoundError, StoppedError

if TYPE_CHECKING:
    from autoplayer.screen.claim import Holder
    from autoplayer.screen.guard import Guard

RELEASED_WITHIN = 5.0
"""Seconds within which a bot releases what it holds, on a busy machine; it checks every hundredth of a second whether
it is to stop."""

ENDED_WITHIN = 1.0
"""Seconds to wait, once nothing is held any more, for the bot to end; it may still be computing after that."""


def stop(
    everywhere: Annotated[bool, typer.Option("--all", help="On all of your displays, not on this one alone.")] = False,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a bot, a line each.")] = False,
) -> int:
    """Stop the bot that has the mouse of this display: it lets go of every button and key, and ends.

    Without a display (over ssh, say) it stops your bots on all of them. Exit code 3 where there is none, 1 where one
    did not let go.

    \b
    Examples:
      autoplayer stop
      autoplayer stop --all
    """
    from autoplayer.screen.claim import ask_to_stop, holders

    here = None if everywhere else _here()
    running = holders()
    asked = [holder for holder in running if here in (None, holder.display)]
    if not asked:
        raise NotFoundError(_none(here, running))
    for holder in asked:  # all are asked before any of them is waited for
        ask_to_stop(holder)
    results = [_await(holder) for holder in asked]
    for holder, (released, ended) in zip(asked, results, strict=True):
        if json:
            facts = {"display": holder.display, "pid": holder.pid, "game": holder.game, "window": holder.window}
            output.line({**facts, "since": round(holder.since, 3), "released": released, "ended": ended})
        elif not released:
            print(
                f"{holder} did not answer within {RELEASED_WITHIN:g} s. End it with `kill -9 {holder.pid}`: what it "
                "holds down is let go all the same.",
                file=sys.stderr,
            )
        elif ended:
            print(f"stopped {holder}")
        else:
            print(f"stopped {holder}; it holds nothing, presses nothing any more, and ends when it has thought")
    return 0 if all(released for released, _ in results) else 1


def asked_to_go_on(guard: Guard) -> bool:
    """After a stop by hand, which has been reported: print that the bot waits, and wait until the person asks it to
    continue, with Enter in this terminal or with the stop key. False where it is asked to end instead (Ctrl-C,
    ``autoplayer stop``), and where nobody could ask."""
    at_terminal = sys.stdin is not None and sys.stdin.isatty()
    ways = ["press Enter here"] * at_terminal + [f"press {guard.stop_key} twice"] * (guard.stop_key is not None)
    if not ways:
        return False
    print(f"Paused; to go on, {' or '.join(ways)}. Ctrl-C ends it.", file=sys.stderr, flush=True)
    if at_terminal:
        _entered()  # earlier input is not an answer
    try:
        guard.wait_until_asked(_entered if at_terminal else lambda: False)
    except (StoppedError, KeyboardInterrupt):
        return False
    return True


def _entered() -> bool:
    """Whether a line has been entered in this terminal; does not wait."""
    if sys.platform == "win32":
        import msvcrt

        entered = False
        while msvcrt.kbhit():
            entered = msvcrt.getwch() in "\r\n" or entered
        return entered
    import select

    entered = False
    while select.select([sys.stdin], [], [], 0)[0]:
        if not sys.stdin.readline():
            return entered  # end of file, not a line: nobody types there any more
        entered = True
    return entered


def _here() -> str | None:
    """The name of this display as claims use it; None where there is none."""
    if sys.platform in ("win32", "darwin"):
        return {"win32": "Windows", "darwin": "macOS"}[sys.platform]
    from autoplayer.screen.claim import display_name

    name = os.environ.get("DISPLAY")
    return display_name(name) if name else None


def _none(here: str | None, running: list[Holder]) -> str:
    if not running:
        return "no bot of yours runs" + (f" on the display {here}" if here else "")
    others = "; ".join(str(holder) for holder in running)
    return f"no bot of yours runs on the display {here}, but elsewhere: {others}. Stop it with `autoplayer stop --all`"


def _await(holder: Holder) -> tuple[bool, bool]:
    """Whether the bot has released everything, and whether it has given the display up."""
    from autoplayer.screen.claim import is_at_work, is_there

    end = time.monotonic() + RELEASED_WITHIN
    while is_at_work(holder):
        if time.monotonic() > end:
            return False, False
        time.sleep(0.005)
    end = time.monotonic() + ENDED_WITHIN
    while is_there(holder):
        if time.monotonic() > end:
            return True, False
        time.sleep(0.005)
    return True, True
