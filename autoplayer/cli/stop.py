"""``autoplayer stop``: stops a bot from another terminal."""

from __future__ import annotations

import os
import sys
import time
from typing import TYPE_CHECKING, Annotated

import typer

from autoplayer.cli import output
from autoplayer.core.errors import NotFoundError

if TYPE_CHECKING:
    from autoplayer.screen.claim import Holder

RELEASED_WITHIN = 5.0
"""Seconds in which a bot lets go of what it holds, on a machine that is busy with other things; it asks every hundredth
of a second whether it is to stop."""

ENDED_WITHIN = 1.0
"""Seconds to wait, once nothing is held any more, for the bot to end: longer it may be thinking."""


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
    for holder in asked:  # all at once, before any of them is waited for
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


def _here() -> str | None:
    """The name of this display as claims have it; None where there is none."""
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
    """Whether the bot has let go of everything, and whether it has given the display up."""
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
