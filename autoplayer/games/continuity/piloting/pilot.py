"""Plays a level from its first picture to its end: finds both views, reads the rooms, measures the figure, and executes
the plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Frame
from autoplayer.core.gestures import Gesture, Hold, Keys, Pace
from autoplayer.games.base import Piloted, Steerable
from autoplayer.games.continuity.piloting.calming import Calming
from autoplayer.games.continuity.piloting.comparing import banner_over, begins_or_differs, dialog_over, is_other
from autoplayer.games.continuity.piloting.executing import Executor, Grounds
from autoplayer.games.continuity.piloting.hands import LostError, SlidesBy, StuckError, UnfinishedError, UnseenError
from autoplayer.games.continuity.piloting.identifying import MOST_LOOKS, Identifying
from autoplayer.games.continuity.piloting.inertia import Inertia
from autoplayer.games.continuity.piloting.level import (
    as_text,
    breadth,
    more_keys,
    rooms_of,
    surest,
    without_keys,
)
from autoplayer.games.continuity.piloting.looking import Looking
from autoplayer.games.continuity.piloting.measuring import Measured, Measuring, UnmeasuredError, UnmovedError
from autoplayer.games.continuity.piloting.views import (
    STEP,
    STILL,
    WALK_KEYS,
    AnotherError,
)
from autoplayer.games.continuity.piloting.watching import Controls, Eyes, ResizedError, Watch
from autoplayer.games.continuity.rooms import Reach
from autoplayer.games.continuity.seeing.sight import Tiles
from autoplayer.layout import ContinuityTable, Layout

LEVEL_SECONDS = 300.0
"""Until a level is given up."""
JUMP_KEYS = ("up", "space", "w", "z", "x")
"""Candidate jump keys, the most common first."""
RUN_KEYS = ("shift", "x", "z", "ctrl")
"""Candidate keys for running."""
RUNS = 1.2
"""The least ratio of the speed of a run to that of a walk."""
BESIDE = {"left": "up", "a": "w"}
"""The jump key that lies beside a walking key."""
STRONGER = (1.06, 1.12)
"""By which factors jumps may be higher than measured; the larger one on a busy machine."""
SUPPOSED = (1.3, 1.7, 2.2)
"""The same where the height of a jump could not be measured; the first flight then tells it."""
ATTEMPTS = 3
"""How often a level is begun."""
MEASURED = 3
"""How often the measurement of the figure is attempted."""
AGAIN = 8.0
"""Seconds within which a restarted level is found again."""
MOST_RESIZED = 5
"""How often the window may be resized in one level."""


class Size(NamedTuple):
    """How large a level is shown: pixels of the figure's height and of a tile's width."""

    height: float
    tile: float


class Counting(Calming):
    """A window that counts the keys pressed in it."""

    def __init__(self, window: Steerable) -> None:
        super().__init__(window)
        self._held: frozenset[str] = frozenset()
        self.presses = 0

    def hold(self, keys: Collection[str]) -> None:
        self.presses += len(frozenset(keys) - self._held)
        self._held = frozenset(keys)
        super().hold(keys)

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        self.presses += sum(len(each.keys) for each in gestures if isinstance(each, Hold | Keys))
        super().perform(gestures, pace)


class Pilot(Identifying):
    """Plays levels of Continuity in ``window``. ``layout`` is what is known of it, and grows; ``tell`` receives
    sentences about what is done."""

    window: Counting

    def __init__(
        self, window: Steerable, layout: Layout, tell: Callable[[str], object], *, limit: float = LEVEL_SECONDS
    ) -> None:
        """Raises NotFoundError or LayoutError where the layout's pictures cannot be used."""
        super().__init__(Counting(window), layout, tell)
        self._limit = limit
        self._left = limit
        """Seconds that are left for this level, however often it is restarted or looked at anew."""
        self._opened: tuple[Tiles, Looking] | None = None
        """A level that was found to be ready."""
        self._midway = False
        """Whether a level was begun and is neither won nor given up."""
        self._presses = 0
        """Keys that had been pressed before this level."""
        self._watches: list[Watch] = []
        self._log: list[str] = []
        """What was done in this level."""
        self._failed: Counter[Grounds] = Counter()
        """How often flights failed in this level, also before it was begun anew."""
        self._deep = False
        """Whether the figure must be completely inside a tile to be frozen there."""
        self._otherwise: Measured | None = None
        """Alternative physics of the figure."""
        self._slides_by: SlidesBy = "tile"
        self._first: Tiles | None = None
        """The level that is played, as its first picture showed it."""
        self._until = self.window.now() + limit
        """When this level is given up, on the window's clock."""
        self._tiles: Tiles
        self._found: tuple[Measured, Controls, Size]
        """The measurement, the keys used for it, and the size in which the level was shown then."""

    def play(self) -> Piloted:
        """Play the level that the window shows to its end, or as far as possible. If this is interrupted by an error of
        the window, the level is resumed as it is shown by then, with the remaining time."""
        if not self._midway:
            self._presses, self._watches, self._log = self.window.presses, [], []
            self._failed.clear()
            self._told = None
            self._left = self._limit
        self._until = self.window.now() + self._left
        try:
            return self._played()
        finally:
            self._left = self._until - self.window.now()

    def _played(self) -> Piloted:
        """The outcome of the level until ``_until``."""
        executor: Executor | None = None
        resized = anew = unseen = 0
        stronger = fewer = False
        done: Tiles | None = None
        while True:
            try:
                executor = executor or (self._again() if self._midway else self._begun())
                if done is not None and self._boards and all(is_other(board, done) for board in self._boards):
                    self._tiles = done
                    return self._over(executor, None)  # the next level came when nothing was left to do in this one
                executor.play()
                return self._over(executor, None)
            except ResizedError:
                resized += 1
                if resized > MOST_RESIZED:
                    return self._over(executor, f"the window was given another size {resized} times in one level")
                self._tell("the window has another size; it is looked at again")
                self._kept(executor)
                executor = None
            except (LostError, UnmeasuredError, UnreadableError) as fault:
                self._kept(executor)
                if executor is not None and self.window.now() > self._until:
                    return self._over(executor, str(fault))
                if isinstance(fault, UnseenError) and unseen < MOST_LOOKS:
                    unseen += 1
                    self._doubted = isinstance(fault, StuckError)
                    self._tell(f"{fault}; the level is looked at again")
                    done = self._tiles if executor is not None and executor.at_end else None
                    executor = None
                    continue
                if executor is None and done is not None and self._deaf(done, self._found[1]):
                    self._tiles = done
                    return self._over(None, None)  # the last step, made to see whether it was over, has ended it
                more = self._with_more_keys(executor) if isinstance(fault, UnfinishedError) else None
                if more is None and executor is not None and not executor.sure and not stronger:
                    stronger = True  # how high it jumps was only supposed
                    more = self._stronger(executor)
                if more is None and executor is not None and isinstance(fault, LostError) and fault.anew:
                    anew += 1
                    more = self._anew() if anew < ATTEMPTS else None
                    if more is not None:
                        self._tell(f"{fault}; the level was begun anew")
                if more is None and executor is not None and not stronger:
                    stronger = True  # jumps may be a little better than they seem
                    more = self._stronger(executor)
                if more is None and executor is not None and isinstance(fault, LostError):
                    more = self._running(executor)
                if more is None and executor is not None and isinstance(fault, LostError) and not fewer:
                    fewer = True
                    more = self._without_unreached(executor)
                if more is None:
                    return self._over(executor, str(fault))
                executor = more
            finally:
                self.window.hold(())

    def _over(self, executor: Executor | None, fault: str | None) -> Piloted:
        """The level is won, or given up for ``fault``."""
        begun, self._midway = self._midway, False
        self._kept(executor)
        losses = sum(watch.losses for watch in self._watches)
        note = f"{losses or 'no'} death{'s' * (losses != 1)}" if begun else None
        presses = self.window.presses - self._presses
        puzzle = None if fault or self._first is None else as_text(self._first, self._tiles)
        return Piloted(fault is None, fault or "", begun, puzzle, list(self._log), presses, note)

    def _kept(self, executor: Executor | None) -> None:
        """Save what was done, and what was found out about the window."""
        if executor is None:
            return
        self._failed, self._deep = executor.failed(), executor.deep
        self._log += executor.log
        executor.log.clear()
        self._slides_by = executor.slides_by
        found, controls, size = self._found
        found = executor.learned(found)
        self._found = found, controls, size
        lengths = {name: round(getattr(found, name) / size.height, 4) for name in ("walk", "jump", "gravity", "fall")}
        times = {"lag": found.lag, **found.inertia._asdict()}
        seconds = {name: round(value, 4) for name, value in times.items()}
        table = ContinuityTable(**controls._asdict(), **lengths, **seconds)
        self.layout = self.layout.model_copy(update={"continuity": table})

    def _stronger(self, before: Executor) -> Executor | None:
        """Ready to play with the alternative physics, or with slightly higher jumps; None if neither helps."""
        found, _, _ = self._found
        other = self._otherwise
        guesses = [] if other is None else [replace(found, jump=other.jump, gravity=other.gravity), other]
        factors = STRONGER if before.sure else SUPPOSED
        guesses += [replace(found, jump=found.jump * higher) for higher in factors]
        try:
            for guess in guesses:
                executor = self._executor(self._tiles, before.watch, guess)
                if executor.hopeful():
                    return executor
        except (LostError, ResizedError):
            pass
        return None

    def _running(self, before: Executor) -> Executor | None:
        """Ready to play with a running figure, if a key held beside the walking keys makes it faster and that helps;
        else None."""
        watch, tiles = before.watch, self._tiles
        controls, figure = watch.controls, surest(tiles, "figure")
        if controls.run or figure is None or not before.view("walking"):
            return None
        found, _, size = self._found
        measuring = Measuring(watch, tiles.solid, tiles.spikes, breadth(figure), figure.height)
        try:
            for key in RUN_KEYS:
                if key in controls:
                    continue
                watch.controls = controls._replace(run=key)
                faster = measuring.runs(found)
                if faster < RUNS * found.walk:
                    continue
                self._tell(f"the figure runs while {key} is held, {faster:.0f} px/s")
                self._found = replace(found, walk=faster), watch.controls, size
                executor = self._executor(tiles, watch, self._found[0])
                return executor if executor.hopeful() else None
        except (LostError, ResizedError, UnmeasuredError):
            pass
        watch.controls = controls
        return None

    def _without_unreached(self, before: Executor) -> Executor | None:
        """Ready to play without the supposed keys that cannot be reached: they may be drawn on the rooms, as hints are;
        None if all can be reached, or that does not help."""
        try:
            unreached = before.unreached()
            if not unreached:
                return None
            tiles = without_keys(self._tiles, unreached)
            executor = self._executor(tiles, before.watch, self._found[0])
            if not executor.hopeful():
                return None
        except (LostError, ResizedError):
            return None
        self._tell(f"{len(unreached)} of what was taken for keys cannot be reached, and is left out")
        return executor

    def _with_more_keys(self, before: Executor | None) -> Executor | None:
        """Ready to collect further things that may be keys; None if there are none."""
        tiles = more_keys(self._tiles)
        if tiles is None or before is None:
            return None
        self._tell("there must be more keys than were seen; what else stands in the level is taken as well")
        try:
            eyes = Looking(tiles, self._marks)
            eyes.meet(self.window.still(STILL).image)
            watch = self._watch(eyes, before.watch.controls, before.watch.lag)
            with suppress(LostError):
                self._wait_for_figure(watch)
            return self._executor(tiles, watch, self._found[0])
        except ResizedError:
            return None

    def _anew(self) -> Executor | None:
        """The restarted level, ready to be played; None if the window cannot restart it."""
        self._press(self.layout.keys.reset)
        self.window.still(STILL)
        try:
            executor = self._again()
            return executor if executor.hopeful() else None
        except (LostError, ResizedError, UnreadableError):
            return None

    def _again(self) -> Executor:
        """Ready to play a level that was played before, as it is shown now. Raises LostError, UnreadableError."""
        end = self.window.now() + AGAIN
        while True:
            try:
                tiles, eyes = self._open()
                found, controls, size = self._found
                controls = controls._replace(view=self._view_key)
                if self._figure_size is None:
                    tiles, eyes = self._as_before(tiles, eyes) or self._made_sure(tiles, eyes, self.layout.continuity)
                watch = self._watch(eyes, controls, found.lag)
                self._wait_for_figure(watch)
                larger = tiles.boxes[0].width / size.tile
                found = found.scaled(larger)
                self._found = found, controls, Size(larger * size.height, larger * size.tile)
                return self._executor(tiles, watch, found)
            except (LostError, UnreadableError):
                if self.window.now() > end:
                    raise

    # Before the first plan

    def _begun(self) -> Executor:
        """Ready to play; the figure was moved a little to be measured. Raises LostError, UnmeasuredError,
        UnreadableError."""
        (tiles, eyes), self._opened = self._opened or self._come_to(), None
        self._first = self._met
        known = self.layout.continuity
        tiles, eyes = self._made_sure(tiles, eyes, known)
        figure = surest(tiles, "figure")
        if figure is None:
            raise LostError("no figure is found in any tile")
        if surest(tiles, "door") is None:
            raise LostError("no door is found in any tile")
        count = sum(thing.kind == "key" for thing in tiles.things)
        self._tell(f"{tiles.columns}x{tiles.rows} tiles, {count} keys, the figure in tile {figure.tile + 1}")
        before = _known(known, figure.height) if known else None
        faults = []
        for controls, ups in self._controls(known):
            watch = self._watch(eyes, controls, before.lag if before else 0.0)
            self._wait_for_figure(watch)
            measuring = Measuring(watch, tiles.solid, tiles.spikes, breadth(figure), figure.height, ups)
            try:
                found = self._measured(measuring, before)
            except UnmeasuredError as fault:
                if before is None or watch.seen is None or watch.seen.tile is None:
                    faults.append(str(fault))
                    continue
                found = before  # there is no room for it here; what was measured before will do
            self._otherwise = measuring.otherwise
            self._tell(f"the figure {found.words()}")
            watch.lag = found.lag
            self._found = found, watch.controls, Size(figure.height, tiles.boxes[0].width)
            self._midway = True
            return self._executor(tiles, watch, found)
        raise UnmeasuredError("; ".join(dict.fromkeys(faults)))

    def _come_to(self) -> tuple[Tiles, Looking]:
        """As ``_open``; a key that is tried may lead from a title, or a page of help, to the level."""
        for _ in range(MOST_LOOKS):
            try:
                return self._open()
            except AnotherError:
                pass
        return self._open()

    def _measured(self, measuring: Measuring, before: Measured | None) -> Measured:
        """The figure's physics; measured again if that failed, because a busy machine may have shown too little. Raises
        UnmeasuredError."""
        for _ in range(MEASURED - 1):
            try:
                return measuring.measure(before)
            except UnmovedError:
                raise
            except UnmeasuredError as fault:
                if before is not None:
                    raise
                self._tell(f"{fault}; it is measured again")
                self._wait_for_figure(measuring.watch)
        return measuring.measure(before)

    def _wait_for_figure(self, watch: Watch) -> None:
        """Wait until the figure rests where it walks. It is moved a little where it is not seen: as it stands at a key
        of its size, or where it stood in the picture in which its level was read. Raises LostError."""
        for way in ("left", "right", ""):
            end = self.window.now() + 2 * STILL
            while self.window.now() < end:
                seen = watch.look(0.02)
                if seen.view == "walking" and seen.tile is not None and watch.rested > 0.15:
                    return
            if watch.seen is not None and watch.seen.view != "walking":
                raise UnseenError("the view in which the figure walks is not recognised")
            if way:
                watch.tap(way, STEP)
        raise LostError("the figure is not found where it walks")

    def _controls(self, known: ContinuityTable | None) -> Iterator[tuple[Controls, Sequence[str]]]:
        """The keys to be tried, known ones first, each pair with its candidate jump keys."""
        if known is not None:
            yield Controls(known.left, known.right, known.up, self._view_key, known.run, known.steps), (known.up,)
            return
        for left, right in [self._walk_keys] if self._walk_keys else WALK_KEYS:
            first = BESIDE.get(left, JUMP_KEYS[0])  # the others may move somebody else
            ups = [up for up in dict.fromkeys((first, *JUMP_KEYS)) if up not in (left, right, self._view_key)]
            yield Controls(left, right, ups[0], self._view_key), ups

    def _watch(self, eyes: Eyes, controls: Controls, lag: float) -> Watch:
        watch = Watch(self.window, eyes, controls, lag)
        self._watches.append(watch)
        return watch

    def _executor(self, tiles: Tiles, watch: Watch, found: Measured) -> Executor:
        keys = {n: number for number, n in enumerate(n for n, t in enumerate(tiles.things) if t.kind == "key")}
        watch.keys = keys
        self._tiles = tiles
        executor = Executor(
            watch,
            Reach(rooms_of(tiles, found)),
            limit=self._limit,
            until=self._until,
            sure=found.jump_error < 1,
            slides_by=self._slides_by,
            another=lambda: not self._covered(self.window.still(STILL)) and self._another(tiles),
            deaf=lambda: self._deaf(tiles, watch.controls),
            here=lambda: self._here(tiles, watch.controls),
            tell=self._tell,
            one_view=bool(self._one_view),
            failed=self._failed,
            inertia=found.inertia,
        )
        executor.deep = self._deep
        return executor

    # The next level

    def ready(self, seconds: float) -> bool:
        """Whether the window shows, within so many seconds, a level in which the views change."""
        end = self.window.now() + seconds
        while True:
            try:
                if self._covered(self.window.still(STILL)):  # reading takes seconds there, and finds no other level
                    raise LostError("the level that was played is still shown")
                opened = self._open()
                if self._still_shown(opened[0]):
                    raise LostError("the level that was played is still shown")
                self._opened = opened
            except (LostError, UnreadableError):
                if self.window.now() > end:
                    return False
            else:
                return True

    def _covered(self, frame: Frame) -> bool:
        """Whether a picture shows the level that was played, with a banner or a dialog over it."""
        if not self._watches or self._first is None:
            return False
        watch = self._watches[-1]
        if watch.shown is not None and dialog_over(watch.shown, frame.image):
            return True
        return watch.course is not None and banner_over(frame.image, self._tiles, watch.course.cells)

    def _still_shown(self, board: Tiles) -> bool:
        """Whether a board is the one that was played; something may lie over a part of it."""
        if self._first is None:
            return False
        if not is_other(board, self._first):
            return not begins_or_differs(board, self._first)
        return any(self._covered(frame) for frame in self._shown)


def _known(table: ContinuityTable, height: float) -> Measured:
    """What is known of a window, in tile pixels for this height of the figure."""
    lengths = (table.walk * height, table.jump * height, table.gravity * height, table.fall * height)
    inertia = Inertia(table.start, table.stop, table.air_start, table.air_stop)
    return Measured(*lengths, table.lag, inertia=inertia)
