"""A level from its first picture to its end: both views found, the rooms read, the figure measured, the plan carried
out."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import cv2
import numpy as np

from autoplayer.core.errors import UnreadableError
from autoplayer.core.frame import Box, Frame, Image
from autoplayer.core.gestures import Gesture, Hold, Keys, Pace
from autoplayer.games.base import Piloted, Steerable
from autoplayer.games.continuity.physics import Physics
from autoplayer.games.continuity.piloting.executing import Executor
from autoplayer.games.continuity.piloting.finding import found_moving, trimmed
from autoplayer.games.continuity.piloting.hands import LostError, SlidesBy, UnfinishedError, UnseenError
from autoplayer.games.continuity.piloting.marks import Marks, marks_between, restless
from autoplayer.games.continuity.piloting.measuring import Measured, Measuring, UnmeasuredError, free_ground
from autoplayer.games.continuity.piloting.watching import Controls, Eyes, ResizedError, Watch
from autoplayer.games.continuity.reader import pictures, text
from autoplayer.games.continuity.rooms import Reach, Rooms, Start, Thing
from autoplayer.games.continuity.seeing.moving import corrected
from autoplayer.games.continuity.seeing.named import named
from autoplayer.games.continuity.seeing.sight import Bools, Kind, Sighting, Tiles
from autoplayer.games.continuity.seeing.sight import Thing as SeenThing
from autoplayer.games.continuity.seeing.tiles import read_tiles
from autoplayer.games.continuity.seeing.tracker import Tracker
from autoplayer.games.continuity.world import Board
from autoplayer.layout import ContinuityTable, Layout

LEVEL_SECONDS = 300.0
"""Until a level is given up."""
STILL = 2.5
"""Seconds for the window to come to rest."""
ANSWERS = 1.2
"""Seconds in which a window shows that a key was pressed."""
RESTLESS, GLANCES = 0.7, 7
"""Seconds, and in how many looks, in which is seen what changes by itself."""
CHANGED = 0.02
"""The share of the picture that changes with the view."""
VIEW_KEYS = ("space", "tab", "enter", "x", "z")
JUMP_KEYS = ("up", "space", "w", "z", "x")
WALK_KEYS = (("left", "right"), ("a", "d"))
"""What windows use, the most common first."""
BESIDE = {"left": "up", "a": "w"}
"""The jump key that lies beside a walking key."""
CERTAIN = 0.9
"""The probability from which on a thing is what it seems to be."""
STEP = 0.2
"""Seconds of a walk that shows that there is a figure."""
STEPS = (0.05, 0.07, 0.1, 0.2)
"""Seconds of walks that show who the figure is, one after the other until it has left its place: it may stand beside a
pit."""
MOVES = 0.25
"""Of the figure's size, how much changes at least when it moves."""
FOLLOWED = 8.0
"""How many times the figure's size changes at least where the whole picture goes with it."""
SAME = 0.06
"""The share of a room by which its walls may seem to differ when it is read again."""
STRONGER = 1.06
"""How much higher jumps may be than they were measured."""
ATTEMPTS = 3
"""How often a level is begun."""
AGAIN = 8.0
"""Seconds in which a level that was begun is found again."""
MOST_LOOKS = 3
"""How often a level is looked at from the beginning where what its window shows is not recognised any more."""
MOST_RESIZED = 5
"""How often the window may be given another size in one level."""
SLIMMEST = 0.6
"""Of its height, how wide a figure is at least."""
PARTLY = 1.35
"""How much higher a thing is in another picture of the level, at least, where only a part of it was seen."""
SHAPE = 0.08
"""By how much, as a share, a tile may seem broader for its height in one view than in the other."""
SLACK = 0.012
"""Of a tile's height, by how much the walls of two sides that match may differ."""
TAP = Pace(0.08, 0.02, 0.02)
SLIDE_SECONDS, STILL_SECONDS = 0.5, 0.4
"""What a slide and a jump cost a hand that looks."""


class AnotherError(LostError):
    """The window shows another level than a moment ago."""


class Looking:
    """Eyes on one level: what ``seeing/`` makes of pictures. ``marks``: what tells the views apart where both show the
    tiles in one size."""

    def __init__(self, tiles: Tiles, marks: Marks | None = None) -> None:
        self.tiles, self.tracker, self.marks = tiles, Tracker(tiles), marks

    def see(self, image: Image) -> Sighting:
        seen = self.tracker.see(image)
        return seen if self.marks is None else self.marks.told(seen, image)

    def meet(self, still: Image) -> None:
        """See a still picture in which the figure is where it was when the tiles were read."""
        for _ in range(2):
            self.tracker.see(still)

    def expect(self, box: Box) -> None:
        self.tracker.expect(box)

    def where(self, tile: int) -> Box | None:
        return self.tracker.where(tile)

    def anew(self) -> None:
        figure = self.tracker.figure
        self.tracker = Tracker(self.tiles)
        self.tracker.figure = figure if self.tracker.figure is None else self.tracker.figure


class Size(NamedTuple):
    """How large a level is shown: pixels of the figure's height and of a tile's width."""

    height: float
    tile: float


class Counting:
    """A window, and how many keys were pressed in it."""

    def __init__(self, window: Steerable) -> None:
        self._window = window
        self._held: frozenset[str] = frozenset()
        self.presses = 0
        self.now, self.glance, self.still = window.now, window.glance, window.still

    def hold(self, keys: Collection[str]) -> None:
        self.presses += len(frozenset(keys) - self._held)
        self._held = frozenset(keys)
        self._window.hold(keys)

    def perform(self, gestures: Sequence[Gesture], pace: Pace) -> None:
        self.presses += sum(len(each.keys) for each in gestures if isinstance(each, Hold | Keys))
        self._window.perform(gestures, pace)


class Pilot:
    """Plays levels of Continuity in ``window``. ``layout`` is what is known of it, and grows; ``tell`` hears in
    sentences what is done."""

    def __init__(
        self, window: Steerable, layout: Layout, tell: Callable[[str], object], *, limit: float = LEVEL_SECONDS
    ) -> None:
        """Raises NotFoundError or LayoutError where the layout's pictures cannot be used."""
        self.window, self.layout, self._tell, self._limit = Counting(window), layout, tell, limit
        self._pictures = pictures(layout)
        self._view_key = VIEW_KEYS[0]
        self._opened: tuple[Tiles, Looking] | None = None
        """A level that was found to be ready."""
        self._midway = False
        """Whether a level was begun and is neither won nor given up."""
        self._presses = 0
        """Keys that had been pressed before this level."""
        self._watches: list[Watch] = []
        self._log: list[str] = []
        """What was done in this level."""
        self._otherwise: Measured | None = None
        """What the figure's physics may be as well."""
        self._figure_size: tuple[float, float] | None = None
        """Of the figure that was found by moving it, in the pixels in which it was read; None until it was."""
        self._walk_keys: tuple[str, str] | None = None
        """The keys that were found to move the figure."""
        self._slides_by: SlidesBy = "tile"
        self._marks: Marks | None = None
        """What tells the views apart where they are of one size."""
        self._boards: list[Tiles] = []
        """The level in the views in which it could be read."""
        self._met: Tiles | None = None
        """The level as the first picture showed it in which it was looked for."""
        self._first: Tiles | None = None
        """That of the level that is played."""
        self._tiles: Tiles
        self._found: tuple[Measured, Controls, Size]
        """What was measured, with which keys, and how large the level was shown then."""

    def play(self) -> Piloted:
        """Play the level that the window shows to its end, or as far as it goes. Where this was broken off by an error
        of the window, the level is taken up as it is shown by then."""
        if not self._midway:
            self._presses, self._watches, self._log = self.window.presses, [], []
        executor: Executor | None = None
        resized = anew = unseen = 0
        stronger = False
        while True:
            try:
                executor = executor or (self._again() if self._midway else self._begun())
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
                if executor is not None and isinstance(fault, UnseenError) and unseen < MOST_LOOKS:
                    unseen += 1
                    self._tell(f"{fault}; the level is looked at again")
                    executor = None
                    continue
                more = self._with_more_keys(executor) if isinstance(fault, UnfinishedError) else None
                if more is None and executor is not None and isinstance(fault, LostError) and fault.anew:
                    anew += 1
                    more = self._anew() if anew < ATTEMPTS else None
                    if more is not None:
                        self._tell(f"{fault}; the level was begun anew")
                if more is None and executor is not None and not stronger:
                    stronger = True  # jumps may be a little better than they seem
                    more = self._stronger(executor)
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
        puzzle = None if fault or self._first is None else _told(self._first, self._tiles)
        return Piloted(fault is None, fault or "", begun, puzzle, list(self._log), presses, note)

    def _kept(self, executor: Executor | None) -> None:
        """Keep what was done, and what was found out about the window."""
        if executor is None:
            return
        self._log += executor.log
        executor.log.clear()
        self._slides_by = executor.slides_by
        found, controls, size = self._found
        found = replace(found, **executor.learned())
        self._found = found, controls, size
        lengths = {name: round(getattr(found, name) / size.height, 4) for name in ("walk", "jump", "gravity", "fall")}
        table = ContinuityTable(**controls._asdict(), **lengths, lag=round(found.lag, 4))
        self.layout = self.layout.model_copy(update={"continuity": table})

    def _stronger(self, before: Executor) -> Executor | None:
        """Ready to play with a figure that jumps (and walks) as it may as well, or jumps a little higher; None where
        none of it helps."""
        found, _, _ = self._found
        other = self._otherwise
        guesses = [] if other is None else [replace(found, jump=other.jump, gravity=other.gravity), other]
        guesses.append(replace(found, jump=found.jump * STRONGER))
        try:
            for guess in guesses:
                executor = self._executor(self._tiles, before.watch, guess)
                if executor.hopeful():
                    return executor
        except (LostError, ResizedError):
            pass
        return None

    def _with_more_keys(self, before: Executor | None) -> Executor | None:
        """Ready to take what may be keys as well; None where there is nothing."""
        tiles = _more_keys(self._tiles)
        if tiles is None or before is None:
            return None
        self._tell("there must be more keys than were seen; what else stands in the level is taken as well")
        try:
            eyes = Looking(tiles, self._marks)
            eyes.meet(self.window.still(STILL).image)
            watch = self._watch(eyes, before.watch.controls, before.watch.lag)
            for key in (watch.controls.left, watch.controls.right):
                try:
                    self._wait_for_figure(watch)
                    break
                except LostError:  # it stood where it stands now, as far as these eyes know
                    self.window.perform((Hold((key,), STEP),), TAP)
            return self._executor(tiles, watch, self._found[0])
        except ResizedError:
            return None

    def _anew(self) -> Executor | None:
        """The level begun anew, ready to be played; None where the window does not do that."""
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
                if self._figure_size is None:
                    tiles, eyes = self._made_sure(tiles, eyes, self.layout.continuity)
                watch = self._watch(eyes, controls, found.lag)
                self._wait_for_figure(watch)
                larger = tiles.boxes[0].width / size.tile
                found = found.scaled(larger)
                self._found = found, controls, Size(larger * size.height, larger * size.tile)
                return self._executor(tiles, watch, found)
            except (LostError, UnreadableError):
                if self.window.now() > end:
                    raise

    # The two views

    def _open(self) -> tuple[Tiles, Looking]:
        """The level's tiles, with the walking view on. Raises LostError, UnreadableError."""
        known = self.layout.continuity
        first = self.window.still(STILL)
        reasons = []
        for key in dict.fromkeys((known.view,) if known and known.view else VIEW_KEYS):
            other = self._other_view(first, key)
            if other is None:
                reasons.append(f"{key} changes nothing")
                continue
            if _apart(first, other) < CHANGED:
                opened = self._marked(first, other, key)
                if opened is not None:
                    self._met, self._boards = opened[0], [opened[0]]
                    return opened
                reasons.append(f"{key} changes next to nothing")
                continue
            self._marks = None
            views = [(frame, self._board(frame.image)) for frame in (first, other)]
            boards = [(board, n) for n, (_, board) in enumerate(views) if board is not None]
            if len(boards) == 2 and not _one_board(*(board for board, _ in boards)):
                boards = [max(boards, key=lambda each: _likely(each[0]))]  # one shows a part of it, and was misread
            self._boards = [board for board, _ in boards]
            if not boards:
                reasons.append(f"after {key} no board is seen either")
                self._press(key)
                continue
            self._met = views[0][1]
            at = min(boards, key=lambda each: each[0].boxes[0].width)[
                1
            ]  # tiles are smaller in the view in which they are moved
            read: list[Tiles | None] = [None, None]
            for board, n in boards:
                read[n] = board
            chosen, tiles = _clearer(at, read)
            self._view_key = key
            eyes = Looking(tiles)
            eyes.see(views[chosen][0].image)
            self._press(key)
            back = walking = self.window.still(STILL, unlike=other)
            if at == 0:
                self._press(key)
                walking = self.window.still(STILL, unlike=back)
            eyes.meet(walking.image)
            if _apart(first, back) > _apart(first, other) / 2:
                raise AnotherError("another level came while this one was looked at")
            return tiles, eyes
        raise LostError(f"no level is seen: {'; '.join(reasons)}")

    def _other_view(self, first: Frame, key: str) -> Frame | None:
        """The picture after ``key``, where that changes it."""
        self._press(key)
        other = self.window.still(ANSWERS, unlike=first)
        same_size = other.image.shape == first.image.shape
        return other if same_size and _apart(first, other) > 0 else None

    def _marked(self, first: Frame, other: Frame, key: str) -> tuple[Tiles, Looking] | None:
        """The level in a window whose views are of one size and differ by a mark, with the walking view on; None where
        ``other``, the picture after ``key``, differs from ``first`` by something else."""
        tiles = self._board(first.image)
        marks = self._marks or marks_between(first.image, other.image, self._restless(other))
        self._press(key)
        back = self.window.still(STILL, unlike=other)
        if tiles is None or marks is None or 2 * _apart(first, back) > _apart(first, other):
            return None
        views = [marks.view(frame.image) for frame in (first, other, back)]
        if set(views) != {"walking", "sliding"} or views[0] != views[2]:
            return None
        self._view_key, self._marks = key, marks
        eyes = Looking(tiles, marks)
        eyes.meet(first.image)
        if views[0] == "sliding":
            self._press(key)
            eyes.meet(self.window.still(STILL, unlike=back).image)
        return tiles, eyes

    def _restless(self, frame: Frame) -> Bools:
        """What changes by itself in the view of ``frame``, shape ``(height, width)``."""
        frames = [frame, *(self.window.glance(RESTLESS / GLANCES) for _ in range(GLANCES))]
        return restless([each.image for each in frames if each.image.shape == frame.image.shape])

    def _press(self, key: str) -> None:
        self.window.perform((Keys((key,)),), TAP)

    def _board(self, image: Image) -> Tiles | None:
        try:
            return named(read_tiles(image), image, self._pictures)
        except UnreadableError:
            return None

    def _another(self, tiles: Tiles) -> bool:
        """Whether the window shows another level than ``tiles``. Changes the view, and back where it is the same."""
        seen = []
        frame = self.window.still(STILL)
        for _ in range(2):
            self._press(self._view_key)
            frame = self.window.still(ANSWERS, unlike=frame)
            board = self._board(frame.image)
            if board is None:
                continue
            wide, known = board.boxes[0].width, tiles.boxes[0].width
            seen.append(abs(wide - known) > 0.03 * known)
            if not seen[-1]:
                # Levels may share rooms.
                return _has_other_rooms(board, tiles)
        return len(seen) == 2 and all(seen)

    def _deaf(self, tiles: Tiles, controls: Controls) -> bool:
        """Whether nothing changes when the key of the views and those of a walk are pressed, beside what changes by
        itself."""
        figure = _one(tiles, "figure")
        if figure is None:
            return False
        last = self.window.still(STILL)
        idle = self._restless(last)
        step = MOVES * figure.width * figure.height / idle.size
        view = CHANGED if self._marks is None else step
        for gesture, least in (
            (Keys((self._view_key,)), view),
            (Keys((self._view_key,)), view),
            (Hold((controls.left,), STEP), step),
            (Hold((controls.right,), STEP), step),
        ):
            self.window.perform((gesture,), TAP)
            before, last = last, self.window.still(ANSWERS, unlike=last)
            if _apart(before, last, idle) > least:
                return False
        return True

    def _here(self, tiles: Tiles, controls: Controls) -> bool:
        """Whether the window still shows the level of ``tiles``, not as it was at first, the views change, and
        something moves when a walking key is held: then the level is not over. Changes the view, and back."""
        frame = self.window.still(STILL)
        figure = _one(tiles, "figure")
        for _ in range(2):
            self._press(self._view_key)
            before, frame = frame, self.window.still(ANSWERS, unlike=frame)
            board = self._board(frame.image)
            changes = _apart(before, frame) >= CHANGED if self._marks is None else _apart(before, frame) > 0
            if not changes or board is None or figure is None:
                continue  # it may be the view that is not read, or a key that was not heard
            wide, known = board.boxes[0].width, tiles.boxes[0].width
            if abs(wide - known) > 0.03 * known:
                continue
            if _has_other_rooms(board, tiles) or _begins(board, tiles):
                return False
            self._press(self._view_key)
            still = self.window.still(STILL, unlike=frame)
            for key in (controls.left, controls.right):
                self.window.perform((Hold((key,), STEP),), TAP)
                after = self.window.still(STILL)
                if _apart(still, after) * still.image[..., 0].size > MOVES * figure.width * figure.height:
                    return True
            return False
        return False

    # Before the first plan

    def _begun(self) -> Executor:
        """Ready to play; the figure was moved a little to be measured. Raises LostError, UnmeasuredError,
        UnreadableError."""
        try:
            (tiles, eyes), self._opened = self._opened or self._open(), None
        except AnotherError:
            tiles, eyes = self._open()
        self._first = self._met
        known = self.layout.continuity
        tiles, eyes = self._made_sure(tiles, eyes, known)
        figure = _one(tiles, "figure")
        if figure is None:
            raise LostError("no figure is found in any tile")
        if _one(tiles, "door") is None:
            raise LostError("no door is found in any tile")
        count = sum(thing.kind == "key" for thing in tiles.things)
        self._tell(f"{tiles.columns}x{tiles.rows} tiles, {count} keys, the figure in tile {figure.tile + 1}")
        before = _known(known, figure.height) if known else None
        faults = []
        for controls, ups in self._controls(known):
            watch = self._watch(eyes, controls, before.lag if before else 0.0)
            self._wait_for_figure(watch)
            measuring = Measuring(watch, tiles.solid, tiles.spikes, _breadth(figure), figure.height, ups)
            try:
                found = measuring.measure(before)
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

    def _made_sure(self, tiles: Tiles, eyes: Looking, known: ContinuityTable | None) -> tuple[Tiles, Looking]:
        """The tiles with what moves when a key is held as the figure, where that was not certain, or was not found to
        be so in this window before. Raises LostError, UnreadableError."""
        pairs = [(known.left, known.right)] if known else WALK_KEYS
        for _ in range(MOST_LOOKS):
            figures = sum(thing.kind == "figure" for thing in tiles.things)
            sure = figures == 1 and all(thing.sure >= CERTAIN for thing in tiles.things)
            if sure and self._figure_size in {
                (thing.width, thing.height) for thing in tiles.things if thing.kind == "figure"
            }:
                break  # a door may look like a surer figure, but it has not the size of the one that was moved
            first = self.window.still(STILL)
            strange = False
            for way, pair in itertools.product(_ways(tiles), pairs):
                found, strange = self._stirred(tiles, first, pair[way > 0], way)
                if strange:
                    break
                if found is None:
                    continue
                found = _agreed(found, self._boards)
                self._walk_keys = pair
                if _kinds(found) == _kinds(tiles) and _places(found) == _places(tiles):
                    self._figure_size = next((t.width, t.height) for t in tiles.things if t.kind == "figure")
                    return tiles, eyes
                self._tell("what moved when a key was held was not what had been taken for the figure")
                eyes = Looking(found, self._marks)
                eyes.meet(first.image)
                return found, eyes
            if not strange:
                break
            tiles, eyes = self._open()  # what moved is none of the things: it may be told better where it is now
        return tiles, eyes

    def _stirred(self, tiles: Tiles, first: Frame, key: str, way: int) -> tuple[Tiles | None, bool]:
        """The tiles with what moves when a walking key is held as the figure, None where nothing does; and whether
        something changed of which that cannot be said."""
        after, stirs = first, False
        best: Tiles | None = None
        for seconds in STEPS:
            self.window.perform((Hold((key,), seconds),), TAP)
            before, after = after, self.window.still(STILL)
            if _apart(before, after) == 0:
                continue
            stirs = True
            if self._followed(tiles, first, after):
                return None, False
            try:
                found = corrected(tiles, first.image, after.image)
            except ValueError:  # not all of these things were read in these pictures
                found = None
            if found is not None:
                best = trimmed(found, first.image, after.image)
                if best is found:
                    return found, False
                continue  # it may have left a part of its place only
            if best is not None:
                break
            found = found_moving(tiles, first.image, after.image, way)
            if found is not None:
                return found, False
        return best, best is None and stirs

    @staticmethod
    def _followed(tiles: Tiles, first: Frame, after: Frame) -> bool:
        """Whether the tiles stand elsewhere in ``after`` than in ``first``: the picture goes with the figure, so that
        what has changed in it tells nothing."""
        figure = _one(tiles, "figure")
        size = (figure.width * figure.height) if figure is not None else 0.0
        if _apart(first, after) * first.image[..., 0].size <= FOLLOWED * size:
            return False
        places = [Tracker(tiles).stands(frame.image) for frame in (first, after)]
        if places[0] is None or places[1] is None:
            return True
        return any(max(abs(a.x - b.x), abs(a.y - b.y)) > 1 for a, b in zip(places[0][1], places[1][1], strict=True))

    def _wait_for_figure(self, watch: Watch) -> None:
        end = self.window.now() + 2 * STILL
        while self.window.now() < end:
            seen = watch.look(0.02)
            if seen.view == "walking" and seen.tile is not None and watch.rested > 0.15:
                return
        if watch.seen is not None and watch.seen.view != "walking":
            raise LostError("the view in which the figure walks is not recognised")
        raise LostError("the figure is not found where it walks")

    def _controls(self, known: ContinuityTable | None) -> Iterator[tuple[Controls, Sequence[str]]]:
        """The keys to be tried, those first that are known; and of each those with which the figure may jump."""
        if known is not None:
            yield Controls(known.left, known.right, known.up, self._view_key), (known.up,)
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
        return Executor(
            watch,
            Reach(rooms_of(tiles, found)),
            limit=self._limit,
            sure=found.jump_error < 1,
            slides_by=self._slides_by,
            another=lambda: self._another(tiles),
            deaf=lambda: self._deaf(tiles, watch.controls),
            here=lambda: self._here(tiles, watch.controls),
            tell=self._tell,
        )

    # The next level

    def ready(self, seconds: float) -> bool:
        """Whether the window comes to show a level in which the views change, within so many seconds."""
        end = self.window.now() + seconds
        while True:
            try:
                self._opened = self._open()
            except (LostError, UnreadableError):
                if self.window.now() > end:
                    return False
            else:
                return True


def _has_other_rooms(board: Tiles, first: Tiles) -> bool:
    """Whether a board has a room that a level, as it was first seen, has not."""
    return any(min(_unlike(one, mine) for mine in first.solid) > SAME for one in board.solid)


def _begins(board: Tiles, first: Tiles) -> bool:
    """Whether keys and figure are where they were when a level was first seen: it may have begun again."""
    now, then = _one(board, "figure"), _one(first, "figure")
    keys = [sum(thing.kind == "key" for thing in tiles.things) for tiles in (board, first)]
    if now is None or then is None or keys[0] != keys[1]:
        return False
    return abs(now.x - then.x) + abs(now.y - then.y) < then.height / 2


def _clearer(sliding: int, boards: Sequence[Tiles | None]) -> tuple[int, Tiles]:
    """Which of two views to take the level from, and the level: that in which tiles are moved (its number is
    ``sliding``), but the other one where that shows the same walls larger, and a figure or a door of which the smaller
    picture shows nothing, or a part only."""
    small, large = boards[sliding], boards[1 - sliding]
    assert small is not None
    if large is None or (large.rows, large.columns, large.cells) != (small.rows, small.columns, small.cells):
        return sliding, small
    larger = large.boxes[0].height / small.boxes[0].height
    whole = all(
        mine is not None and other.height <= PARTLY * larger * mine.height
        for kind in ("figure", "door")
        for mine, other in [(_one(small, kind), _one(large, kind))]
        if other is not None
    )
    if whole or any(_unlike(one, mine) > SAME for one, mine in zip(large.solid, small.solid, strict=True)):
        return sliding, small
    return 1 - sliding, replace(large, view="walking")


def _one_board(one: Tiles, other: Tiles) -> bool:
    """Whether two pictures may show one board in two sizes."""
    shapes = [each.boxes[0].width / each.boxes[0].height for each in (one, other)]
    same = (one.rows, one.columns, one.cells) == (other.rows, other.columns, other.cells)
    return same and abs(shapes[0] / shapes[1] - 1) < SHAPE


def _likely(board: Tiles) -> tuple[bool, int, float]:
    """How likely a board is read as it is: whether a figure and a door stand in it, how little is in doubt, and how
    sure its things are."""
    kinds = {thing.kind for thing in board.things}
    sure = min((thing.sure for thing in board.things), default=0.0)
    return kinds >= {"figure", "door"}, -len(board.doubts), sure


def _ways(tiles: Tiles) -> tuple[int, int]:
    """The ways to walk, -1 left and 1 right: first that where what seems to be the figure has more ground before it."""
    figure = _one(tiles, "figure")
    if figure is None:
        return 1, -1
    x, foot = figure.x + figure.width / 2, figure.y + figure.height
    masks = tiles.solid[figure.tile], tiles.spikes[figure.tile]
    low, high = free_ground(*masks, (x, foot), (_breadth(figure), figure.height))
    return (1, -1) if high - x >= x - low else (-1, 1)


def _breadth(figure: SeenThing) -> float:
    """How wide a figure is where it meets walls: a thin one is not as thin as it is drawn."""
    return max(figure.width, SLIMMEST * figure.height)


def _apart(one: Frame, other: Frame, but: Bools | None = None) -> float:
    """The share of the picture in which two frames differ; all of it where they are not of one size. ``but``: where
    they differ anyhow, which does not count."""
    if one.image.shape != other.image.shape or (but is not None and but.shape != one.image.shape[:2]):
        return 1.0
    away = np.abs(other.image[::2, ::2].astype(np.int16) - one.image[::2, ::2]).max(axis=2) > 24
    return float((away if but is None else away & ~but[::2, ::2]).mean())


def _unlike(one: Bools, other: Bools) -> float:
    """The share of two rooms that is wall in one of them only."""
    height, width = other.shape
    mine = cv2.resize(one.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST) > 0
    return float((mine != other).mean())


def _known(table: ContinuityTable, height: float) -> Measured:
    """What is known of a window, in pixels of tiles in which the figure is so high."""
    lengths = (table.walk * height, table.jump * height, table.gravity * height, table.fall * height)
    return Measured(*lengths, table.lag)


def rooms_of(tiles: Tiles, measured: Measured) -> Rooms:
    """The rooms as the planner takes them, a pixel a cell. ``tiles`` has a figure and a door."""
    figure, door = _one(tiles, "figure"), _one(tiles, "door")
    assert figure is not None
    assert door is not None
    physics = Physics(
        measured.walk,
        measured.jump,
        measured.gravity,
        measured.fall,
        _breadth(figure),
        figure.height,
        SLIDE_SECONDS,
        STILL_SECONDS,
    )
    keys = tuple(_box(thing) for thing in tiles.things if thing.kind == "key")
    start = Start(figure.tile, figure.x + figure.width / 2, figure.y + figure.height)
    board = Board(tiles.rows, tiles.columns, tiles.cells, physics.slide_cost)
    slack = max(round(SLACK * tiles.solid.shape[1]), 1)
    return Rooms(tiles.solid, tiles.spikes, start, keys, _box(door), board, physics, physics.width, True, slack)


def _told(first: Tiles, found: Tiles) -> str | None:
    """The level of the picture ``first`` as text, with its things as they are in ``found``, where it was won; None
    where that picture shows another board, or not all of them."""
    if (first.rows, first.columns, first.cells) != (found.rows, found.columns, found.cells):
        return None
    kinds: dict[int, Kind] = {}
    for thing, kind in zip(found.things, _kinds(found), strict=True):
        at = _at(thing, found, first) if kind == thing.kind else None
        if at is not None and thing.kind != "unknown":
            kinds[at] = thing.kind
    if len(kinds) < sum(kind in ("figure", "key", "door") for kind in _kinds(found)):
        return None
    things = [each._replace(kind=kinds.get(n, "unknown"), sure=1.0) for n, each in enumerate(first.things)]
    return text(replace(first, things=tuple(things), doubts=()))


def _agreed(found: Tiles, boards: Sequence[Tiles]) -> Tiles:
    """The level in which one figure moves, with its other figures as keys where any of its views shows them so."""
    figure = _one(found, "figure")
    things = [
        thing._replace(kind="key")
        if thing.kind == "figure"
        and thing is not figure
        and any(_shown(thing, found, each) == "key" for each in boards)
        else thing
        for thing in found.things
    ]
    return found if things == list(found.things) else replace(found, things=tuple(things))


def _more_keys(tiles: Tiles) -> Tiles | None:
    """The level with whatever else stands in it as keys; None where nothing does."""
    kinds = _kinds(tiles)
    if not {"another figure", "unknown"} & set(kinds):
        return None
    things = [
        thing._replace(kind="key") if kind in ("another figure", "unknown") else thing
        for thing, kind in zip(tiles.things, kinds, strict=True)
    ]
    return replace(tiles, things=tuple(things))


def _shown(thing: SeenThing, tiles: Tiles, board: Tiles) -> Kind | None:
    """What stands in a view of ``tiles`` where one of their things does."""
    at = _at(thing, tiles, board)
    return None if at is None else board.things[at].kind


def _at(thing: SeenThing, tiles: Tiles, board: Tiles) -> int | None:
    """The number of the thing of a view of ``tiles`` that stands where one of theirs does; None where there is none."""
    size = board.boxes[0].height / tiles.boxes[0].height
    x, y = size * (thing.x + thing.width / 2), size * (thing.y + thing.height / 2)
    near = [
        (abs(other.x + other.width / 2 - x) + abs(other.y + other.height / 2 - y), n)
        for n, other in enumerate(board.things)
        if other.tile == thing.tile
    ]
    far, n = min(near, default=(np.inf, -1))
    return n if far <= size * thing.height / 2 else None


def _kinds(tiles: Tiles) -> list[str]:
    """What the things of a level are; of several figures only the surest is the one that moves."""
    figure = _one(tiles, "figure")
    return [thing.kind if thing.kind != "figure" or thing is figure else "another figure" for thing in tiles.things]


def _places(tiles: Tiles) -> list[tuple[int, float, float, float, float]]:
    """Where the things of a level are."""
    return [(thing.tile, thing.x, thing.y, thing.width, thing.height) for thing in tiles.things]


def _one(tiles: Tiles, kind: str) -> SeenThing | None:
    """The surest thing of a kind; None where there is none."""
    found = [thing for thing in tiles.things if thing.kind == kind]
    return max(found, key=lambda thing: thing.sure) if found else None


def _box(thing: SeenThing) -> Thing:
    return Thing(thing.tile, thing.x, thing.y, thing.width, thing.height)
