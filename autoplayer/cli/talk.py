"""The dialogue of a calibration: what is printed and asked, and the person's answers, given now or in advance."""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from autoplayer import layout as layouts
from autoplayer.cli import learned, output
from autoplayer.core.errors import PuzzleError, UnreadableError, UsageError

if TYPE_CHECKING:
    from autoplayer.calibrate import Calibration, Look, Question
    from autoplayer.calibrate.answers import Answers, PictureTable
    from autoplayer.calibrate.trial import Trial
    from autoplayer.core.frame import Image, Point

SHOWING = "or ROWSxCOLUMNS alone, to point at two opposite cells; or ROWSxCOLUMNS click, to click on them"
"""How a person can show the board in the window itself."""


@dataclass
class Talk:
    """Asks the person, or uses answers given in advance. ``nobody``: whether there was nobody to ask; ``open``: whether
    a question remained unanswered for that reason. ``trial_tells``: whether nothing is confirmed as assumed, because a
    trial will show it; ``trial_told``: whether a trial has shown all tokens of its level. To be used in a ``with``
    statement, which removes the pictures that were made only for the dialogue."""

    told: Answers
    yes: bool
    json: bool
    overlay: Path | None
    questions_file: Path | None
    point: Callable[[], Point] | None = None
    click: Callable[[], Point] | None = None
    nobody: bool = False
    open: bool = False
    trial_tells: bool = False
    trial_told: bool = False
    asked: list[dict[str, Any]] = field(default_factory=list)
    _folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._folder is not None:
            self._folder.cleanup()

    def say(self, text: str) -> None:
        print(text, file=sys.stderr if self.json else sys.stdout, flush=True)

    def ask(self, text: str) -> str | None:
        """The person's line; None where there is nobody to answer."""
        if self.yes or self.questions_file is not None:
            return None
        print(text, end=" ", file=sys.stderr, flush=True)
        try:
            line = sys.stdin.readline()
        except OSError:  # a standard input that cannot be read
            line = ""
        if not line:
            print(file=sys.stderr)
            self.nobody = True
            return None
        return line.strip()

    def leave(self, text: str, given: bool | None) -> bool:
        if given is not None:
            return given
        if self.yes:
            self.say(text.rsplit(". ", 1)[0] + ".")
            return True
        said = self.ask(f"{text} [y/N]")
        return said is not None and said.casefold() in ("y", "yes")

    def begin(self, learning: Calibration[Any, Any]) -> None:
        if learning.begun_from is not None:
            self.say(f"The layout '{learning.layout.name}' is there already: it is added to (--fresh begins anew).")
        learning.know(self.told.controls, self.told.pace, self.told.next, self.told.keys)
        if self.told.board is not None:
            learning.place_board(self.told.board)

    # One picture

    def picture(self, learning: Calibration[Any, Any], image: Image, number: int) -> Look[Any, Any]:
        """Examine a picture, ask about its doubts, and let the person correct what is assumed."""
        from autoplayer.calibrate.questions import in_turn

        given = self.told.picture(number)
        look = self._readable(learning, image)
        if self._answered(learning, look, given):
            look = learning.look(image)
        if self.questions_file is not None:
            return look
        asked: list[Question] = []
        while True:
            self._show(learning, look, number)
            left = [] if self.trial_tells else [each for each in look.questions if not each.among(asked)]
            answers: list[bool] = []
            while left and not any(answers):
                now, left = in_turn(left)
                answers = [self._question(learning, look, question) for question in now]
                asked += now
            if any(answers):
                look = learning.look(image)  # with these answers more may be recognised, and asked about
                continue
            said = self.ask(f"{learned.right(look)}; {learned.correcting(look)}; board: its place; q leaves:")
            if not said:
                return look
            if said == "q":
                from autoplayer.core.errors import StoppedError

                raise StoppedError("left; nothing was kept")
            self._correct(learning, look, said)
            if said == "board":
                asked.clear()
            look = self._readable(learning, image)

    def taught(self, learning: Calibration[Any, Any], look: Look[Any, Any], made: Trial) -> Look[Any, Any] | None:
        """The picture from before a trial with the tokens that the trial has shown; None where it has not shown
        them."""
        if made.level is None:
            return None
        try:
            told = learning.tell_puzzle(look, made.level)
        except (UsageError, PuzzleError):
            return None  # it was read differently then
        self.trial_told = True
        if told:
            self.say(f"{told} glyph{'s' * (told != 1)} answered by the level that was won.")
        return learning.look(look.image)

    def _readable(self, learning: Calibration[Any, Any], image: Image) -> Look[Any, Any]:
        """What is recognised; where there is no board, the person may say where it is."""
        while True:
            try:
                return learning.look(image)
            except UnreadableError as error:
                if self.yes or self.questions_file is not None:
                    raise
                print(f"No board is seen: {error}", file=sys.stderr)
                if not self._place(learning, (image.shape[1], image.shape[0])):
                    raise

    def _answered(self, learning: Calibration[Any, Any], look: Look[Any, Any], given: PictureTable) -> bool:
        done = 0
        if given.puzzle is not None:
            done += learning.tell_puzzle(look, given.puzzle)
        if given.glyphs:
            done += learning.tell(look, given.told())
        if done:
            self.say(f"{done} glyph{'s' * (done != 1)} answered in advance.")
        for _ in range(done):
            self.asked.append({"answer": "in advance"})
        return bool(done)

    def _show(self, learning: Calibration[Any, Any], look: Look[Any, Any], number: int) -> None:
        from autoplayer.cli import pictures

        text = learning.game.format(look.puzzle)
        rows = [f"{len(look.reading.places)} cells are seen:", text, *learned.sureness(look)]
        if not self.yes or self.overlay is not None:
            path = output.numbered(self.overlay or self._pictures() / "believed.png", number + 1)
            doubts = tuple(learned.marked(question) for question in look.questions)
            output.picture(path, pictures.overlay(look.image, look.reading.places, text, doubts))
            rows.append(f"(drawn over the picture: {path})")
        self.say("\n".join(rows))

    def _question(self, learning: Calibration[Any, Any], look: Look[Any, Any], question: Question) -> bool:
        """Ask about one glyph; returns whether it was answered."""
        token = question.believed
        if not self.yes:
            path = self._keep(question)
            default = f" [{token}, as the rules have it]" if token else ""
            if token is None and question.read is not None:
                token, default = question.read, f" [{question.read}, as it was read]"
            while True:
                said = self.ask(f"{question.name}: {question.text} ({path}){default}")
                if said is None:
                    self.open = True
                    return False
                said = said or token or ""
                if said in ("", "?"):
                    learning.leave_open(question)
                    return False
                try:
                    learning.answer(look, question, said)
                    break
                except UsageError as error:
                    print(error, file=sys.stderr)
            self.asked.append(learned.asked(question, said))
            return True
        self.asked.append(learned.asked(question, token))
        if token is None:
            return False
        learning.answer(look, question, token)
        return True

    def _correct(self, learning: Calibration[Any, Any], look: Look[Any, Any], said: str) -> None:
        try:
            if said == "board":
                self._place(learning, (look.image.shape[1], look.image.shape[0]))
                return
            cell, _, token = said.partition("=")
            parts = [part.strip() for part in cell.split(",")]
            if len(parts) not in (2, 3) or not all(part.isdecimal() and len(part) < 4 for part in parts):
                raise UsageError(f"expected ROW,COLUMN=TOKEN such as 0,3=5, 'board', 'q' or Enter, but found {said!r}")
            learning.correct(look, tuple(int(part) for part in parts), token.strip())
        except UsageError as error:
            print(error, file=sys.stderr)

    def _place(self, learning: Calibration[Any, Any], size: tuple[int, int]) -> bool:
        """Let the person say where the board is; returns whether they did."""
        from autoplayer.calibrate import boards

        showing = f"; {SHOWING}" if self.point is not None else ""
        while True:
            said = self.ask(f"Where is the board? {boards.FORMS}, in pixels{showing}; Enter leaves it:")
            if not said:
                return False
            try:
                shown = re.fullmatch(r"\s*(\d{1,3})\s*x\s*(\d{1,3})(\s+clicks?)?\s*", said.lower())
                if self.point is not None and shown:
                    one, other = (self._shown(which, bool(shown[3])) for which in ("top left", "bottom right"))
                    learning.place_board(boards.by_cells(one, other, int(shown[1]), int(shown[2]), size))
                else:
                    learning.place_board(boards.in_numbers(said, size))
            except UsageError as error:
                print(error, file=sys.stderr)
            else:
                return True

    def _shown(self, which: str, by_click: bool) -> Point:
        """The window position to which the person points, or which they click."""
        if by_click and self.click is not None:
            print(f"Click the middle of the {which} cell; the window does not get the click.", file=sys.stderr)
            return self.click()
        assert self.point is not None
        self.ask(f"Point at the middle of the {which} cell with the mouse, and press Enter here:")
        return self.point()

    def shown_how(self, learning: Calibration[Any, Any]) -> bool:
        """After a trial that failed, ask how the window is played; returns whether that was said."""
        while True:
            said = self.ask(
                "How is this window played? Enter: not known; drag, side, pair, click, pick, type, palette, carry, "
                "popup, swipe, wheel, double or keys; with keys, which where they are not the arrows: "
                "keys up=w left=a down=s right=d:"
            )
            if not said:
                return False
            controls, *pairs = said.split()
            try:
                keys = {name: key for name, _, key in (pair.partition("=") for pair in pairs)}
                table = learning.layout.keys.model_dump() | keys
                made = layouts.Layout.model_validate(
                    {"game": learning.game.name, "name": "answer", "controls": controls, "keys": table}
                )
            except ValueError:
                print(
                    "expected drag, side, pair, click, pick, type, palette, carry, popup, swipe, wheel, double, or "
                    f"keys with pairs such as up=w, of {', '.join(learning.layout.keys.model_dump())}, but found "
                    f"{said[:80]!r}",
                    file=sys.stderr,
                )
            else:
                learning.know(made.controls, None, None, made.keys if keys else None)
                return True

    def way_on(self, learning: Calibration[Any, Any], size: tuple[int, int]) -> None:
        """Ask how the next level is reached, if that was not found out."""
        while learning.layout.next.kind == "unknown":
            said = self.ask(
                "How does the next level come? Enter: not known; auto: by itself; key n: by a key; "
                "point: by a click where the mouse points then; list: the next entry of the drop-down list there:"
            )
            if not said:
                return
            way: dict[str, Any] = {"kind": said}
            if said.startswith("key "):
                way = {"kind": "key", "key": said.removeprefix("key ").strip()}
            elif said in ("point", "list") and self.point is not None:
                self.ask("Point there with the mouse, and press Enter here:")
                x, y = self.point()
                kind = "list" if said == "list" else "click"
                way = {"kind": kind, "place": (round(x / size[0], 5), round(y / size[1], 5))}
            try:
                learning.know("unknown", None, layouts.NextTable.model_validate(way))
            except ValueError:
                print(
                    f"expected auto, key and a key's name such as n or f2, point or list, but found {said!r}",
                    file=sys.stderr,
                )

    # Pictures for the person

    def _pictures(self) -> Path:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="autoplayer-calibrate-", ignore_cleanup_errors=True)
        return Path(self._folder.name)

    def _keep(self, question: Question, beside: Path | None = None) -> Path:
        """Write a glyph's picture, large enough to be seen, and return its file."""
        beside = beside or self.overlay or self._pictures() / "question.png"
        path = beside.with_name(f"{beside.stem}-{question.name}.png")
        output.picture(path, learned.enlarged(question.picture))
        return path

    # The end

    def write_questions(self, learning: Calibration[Any, Any], looks: Sequence[Look[Any, Any]]) -> int:
        from autoplayer.calibrate.answers import example

        assert self.questions_file is not None
        text = example(learning.game, learning.layout.title, looks)
        output.write(self.questions_file, text.encode("utf-8"))
        written = [self.questions_file]
        for number, look in enumerate(looks, start=1):
            beside = output.numbered(self.questions_file, number)
            written += [self._keep(question, beside) for question in look.questions]
        for path in written:
            self.say(str(path))
        return 0

    def _kept(self, learning: Calibration[Any, Any], *, unread: bool) -> bool:
        """Whether the person wants to keep the layout; where no level was read with it (``unread``), only with their
        explicit answer."""
        said = self.ask(f"Keep this as the layout '{learning.layout.name}'? {'[y/N]' if unread else '[Y/n]'}")
        if said is None:
            return True  # there is nobody to ask; open questions were refused before
        return said.casefold() in ("y", "yes") if unread else said.casefold() not in ("n", "no", "q")

    def finish(
        self,
        learning: Calibration[Any, Any],
        look: Look[Any, Any],
        made: Trial | None,
        named: Sequence[tuple[str, Look[Any, Any]]] = (),
    ) -> int:
        """Choose the anchors, print what was learned, and save it. ``named``: all pictures, read with what is known
        now, by the names of their files; empty where a window is learned, which was seen as in ``look``."""
        if self.open:
            names = ", ".join(question.name for question in look.questions)
            raise UsageError(
                f"{names}: nobody answered, so nothing was kept; answer in a terminal, or in a file: write it with "
                "--questions FILE.toml, fill it in, and give it as --answers FILE.toml"
            )
        tried = made is not None and made.result is not None
        shown = [] if tried else list(named) or [("what the window shows", look)]
        none = [name for name, each in shown if each.known and learned.no_level(each)]
        if none and (self.yes or self.nobody):
            wrong = "an answer is wrong, or " if self.told.pictures else ""
            raise UnreadableError(
                f"{', '.join(none)}: read without a doubt, but no such level has a solution, so {wrong}it is none, or "
                f"another game's; nothing was kept{'' if named else '; open a level, or try again with --menus'}"
            )
        unread = not tried and (not look.known or bool(look.unheard) or learned.no_level(look) or bool(none))
        nothing = unread and learning.empty and (self.yes or self.nobody)
        anchors = learning.anchor()
        result = made.result if made is not None else None
        failed = result is not None and result.status == "failed"
        if not self.json:
            print("\n".join(learned.summary(learning, look, anchors, result)), flush=True)
        if nothing and self.json:
            output.line(learned.facts(look, learning.layout, None, None, "doubtful", self.asked, result))
        if nothing or not self._kept(learning, unread=unread):
            self.say(f"Nothing was {'learned of this window, so nothing was ' if nothing else ''}kept.")
            return 1
        saved = learning.save()
        # Glyphs that look alike in two kinds of things stay in doubt in each picture, but after a win they are known.
        status = "saved" if (look.known or self.trial_told) and not failed and not unread else "doubtful"
        if self.json:
            output.line(learned.facts(look, saved.layout, saved.path, saved.folder, status, self.asked, result))
        else:
            print(saved.path)
            if saved.folder is not None:
                print(saved.folder)
        return 0 if status == "saved" else 1
