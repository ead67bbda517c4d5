"""A calibration: picture by picture, questions about unknown glyphs are answered, and at the end the layout is
saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Generic, Self

from autoplayer import layout
from autoplayer.calibrate import anchors, questions, trial
from autoplayer.calibrate.keeping import Stage
from autoplayer.calibrate.questions import NOTHING, Look, Question
from autoplayer.core.errors import LayoutError, NotFoundError, PuzzleError, UsageError
from autoplayer.core.frame import Box, Cell, Floats, Image
from autoplayer.games.base import Game, P, S, Spot, examine, same_level
from autoplayer.layout import AreaTable, BoardTable, Controls, KeyTable, Layout, NextTable, PaceTable
from autoplayer.screen.base import Screen
from autoplayer.session.looking.boxes import differing
from autoplayer.session.looking.marks import marks
from autoplayer.vision import templates

RENDITION, MOST_RENDITIONS = 0.975, 12
"""Correlation below which a picture of a known glyph is stored as a further rendition of its token, and the most
renditions of one token: small text is drawn differently at each fraction of a pixel."""


ANOTHER = 0.01
"""The least share of a window that must differ for another level to be shown."""


@dataclass(frozen=True)
class Saved:
    """What was saved: the profile, its file, and the folder of its pictures (None where it has none)."""

    layout: Layout
    path: Path
    folder: Path | None


class Calibration(Generic[P, S]):
    """One window that is being learned. ``layout`` is what is known so far; its glyph pictures are in a temporary
    folder until :meth:`save`. To be used in a ``with`` statement, which discards what was not saved."""

    def __init__(self, game: Game[P, S], name: str, title: str | None = None, *, fresh: bool = False) -> None:
        """``title``: a regular expression for the titles of such windows. Where the user has a layout of this name for
        this game, it is the starting point (its glyphs need not be asked again), unless ``fresh``. Raises UsageError
        for an invalid name, or where a layout of that name is another game's."""
        known, told = (None, []) if fresh else self._known(game, name)
        self.game = game
        self._stage = Stage(name)
        self._told: list[templates.Template] = told
        self._pictures: list[tuple[Image, Mapping[Cell, Box]]] = []
        self.layout = Layout(game=game.name, name=name, title=title, templates=self._stage.templates)
        if known is not None:
            self.layout = known.model_copy(
                update={"version": 2, "name": name, "title": title or known.title, "anchors": (), "win": None}
                | {"size": None, "board": known.board, "templates": self._stage.templates}
            )
            if known.templates is not None:
                try:
                    self._stage.take_over(known.templates)
                except BaseException:
                    self._stage.discard()
                    raise
        self.begun_from = known

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._stage.discard()

    # Looking and asking

    def look(self, image: Image) -> Look[P, S]:
        """What ``image`` shows, and the questions about it. Raises UnreadableError where no board is found."""
        return questions.look(self.game, examine(self.game, image, self.layout), self._told)

    def answer(self, look: Look[P, S], question: Question, token: str) -> None:
        """The glyph of ``question`` means ``token`` (``.`` for nothing), which need not be one of the candidates: a
        picture of it is added to the layout's. Raises UsageError where that is impossible."""
        if token not in {each or NOTHING for each, _ in question.candidates}:
            try:
                self.game.replace(look.puzzle, dict.fromkeys(question.spots, token))
            except PuzzleError as error:
                raise UsageError(f"{question.name}: it cannot be {token!r}: {error}") from None
        self._tell(question.glyph, token, question.cells[0])

    def leave_open(self, question: Question) -> None:
        """Nobody can name the glyph of ``question``: it is stored as a glyph that is none of the others."""
        if question.glyph.size:
            templates.save(self._stage.folder, templates.UNKNOWN, question.glyph)
            self._told.append(templates.of(question.glyph, templates.UNKNOWN))

    def correct(self, look: Look[P, S], spot: Spot, token: str) -> None:
        """The token at ``spot`` is ``token``, whatever was assumed. Raises UsageError where that is impossible."""
        if (spot[0], spot[1]) not in look.reading.places:
            if token == NOTHING:
                return  # as assumed
            raise UsageError(_no_cell(look.reading.places, spot))
        kinds = {len(each) for each in look.reading.glyphs} | {
            len(each) for doubt in look.reading.doubts for each in doubt.cells
        } or {2}
        if len(spot) not in kinds:
            forms = " or ".join("ROW,COLUMN" if kind == 2 else "ROW,COLUMN,INDEX" for kind in sorted(kinds))
            raise UsageError(f"expected a glyph of this game as {forms}, but found {','.join(map(str, spot))}")
        try:
            self.game.replace(look.puzzle, {spot: token})
        except PuzzleError as error:
            raise UsageError(f"at {spot} there cannot be {token!r}: {error}") from None
        glyph = questions.glyph_at(look.reading, spot)
        self._forget(glyph, token)
        self._tell(glyph, token, (spot[0], spot[1]))

    def tell(self, look: Look[P, S], told: Mapping[Spot, str]) -> int:
        """Apply everything that is known about a picture beforehand, by spot: its questions are answered, and wrong
        assumptions corrected. Returns how many glyphs became pictures of the layout. Raises UsageError where a spot is
        not on the board, or a token impossible."""
        done = 0
        asked: set[Spot] = set()
        for question in look.questions:
            given = {told[spot] for spot in question.spots if spot in told}
            asked |= set(question.spots)
            if len(given) > 1:
                raise UsageError(
                    f"{question.name}: these {len(question.spots)} glyphs look alike, but the answers say "
                    f"{' and '.join(sorted(given))}; are these answers for another window?"
                )
            for token in given:
                self.answer(look, question, token)
                done += 1
        said = questions.tokens_at(self.game.format(look.puzzle))
        assumed = {spot: token for spot, token in told.items() if spot not in asked}
        wrong = {spot for spot, token in assumed.items() if said.get(spot, NOTHING) != token}
        # Where most assumptions are wrong, as with symbols, the others are right by chance: one of each is learnt too.
        others = {token: spot for spot, token in assumed.items() if spot not in wrong and token != NOTHING}
        for spot in (*sorted(wrong), *(sorted(others.values()) if 2 * len(wrong) > len(assumed) else ())):
            self.correct(look, spot, assumed[spot])
            done += 1
        return done

    def tell_puzzle(self, look: Look[P, S], text: str) -> int:
        """As :meth:`tell`, where the whole board is known as ``text``. Empty rows and columns are ignored: where
        nothing is drawn, their number cannot be seen. Raises UsageError where another board is seen, PuzzleError where
        the text is not a puzzle."""
        said = questions.tokens_at(self.game.format(self.game.parse(text)))
        read = questions.tokens_at(self.game.format(look.puzzle))
        paired = questions.paired(said, read)
        if paired is None:
            raise UsageError(
                f"the answers' puzzle has {questions.size(said)}, but the board that is seen has "
                f"{questions.size(read)}; are these answers for another window?"
            )
        depths = {len(spot) for question in look.questions for spot in question.spots}
        depths |= {len(spot) for spot in look.reading.glyphs}
        depth = max(depths, default=2)
        there = {cell: here for here, cell in paired.items()}
        wanted = {
            (*there[spot[0], spot[1]], *spot[2:]): token
            for spot, token in said.items()
            if len(spot) == depth and (spot[0], spot[1]) in there
        }
        return self.tell(look, wanted)

    def know(
        self, controls: Controls, pace: PaceTable | None, way: NextTable | None, keys: KeyTable | None = None
    ) -> None:
        """Set how the window is controlled and its next level reached, as far as a person has said."""
        said = {"controls": None if controls == "unknown" else controls, "pace": pace, "next": way, "keys": keys}
        self.layout = self.layout.model_copy(update={key: value for key, value in said.items() if value is not None})

    def place_board(self, board: BoardTable | None) -> None:
        """Set the board's place as given by a person; None to have it detected."""
        self.layout = self.layout.model_copy(update={"board": board})

    def _forget(self, glyph: Floats, token: str) -> None:
        """Delete earlier answers about this very glyph, if they were not ``token``: two equal pictures with different
        tokens would cancel each other out."""
        if not glyph.size:
            return
        token = "" if token == NOTHING else token
        here = templates.of(glyph)
        for path, known in templates.load_files(self._stage.folder).items():
            if known.token != token and templates.alike(known, here) > questions.SAME_MARK:
                path.unlink()
        self._told = [
            known for known in self._told if known.token == token or templates.alike(known, here) <= questions.SAME_MARK
        ]

    def _tell(self, glyph: Floats, token: str, cell: Cell) -> None:
        if not glyph.size:
            raise UsageError(f"in the cell {cell} nothing is drawn that could be kept as a picture of {token!r}")
        token = "" if token == NOTHING else token
        templates.save(self._stage.folder, token, glyph)
        self._told.append(templates.of(glyph, token))

    # Trying

    def seen(self, look: Look[P, S]) -> None:
        """Take note of a picture of the window: for the areas that stay the same, and for further renditions of known
        glyphs: smaller, paler, at other fractions of a pixel."""
        self._pictures.append((look.image, look.reading.places))
        said = questions.tokens_at(self.game.format(look.puzzle))
        for spot in sorted(look.reading.glyphs):
            glyph = questions.glyph_at(look.reading, spot)
            token = templates.match(glyph, self._told)
            if not token or said.get(spot) != token:
                continue
            likeness = [templates.alike(templates.of(glyph), one) for one in self._told if one.token == token]
            if max(likeness) < RENDITION and len(likeness) < MOST_RENDITIONS:
                self._tell(glyph, token, (spot[0], spot[1]))

    def try_level(self, screen: Screen) -> trial.Trial:
        """Play one level, from which the controls, the pace, the way to the next level and the win sign are learned."""
        made = trial.play_level(self.game, screen, self.layout)
        self.layout = made.layout
        self._pictures += made.pictures
        if made.sign is not None and made.won is not None and made.result and made.result.status != "failed":
            self._keep_sign(made)
        return made

    def came(self, before: Look[P, S], after: Look[P, S], made: trial.Trial) -> bool:
        """After a trial at whose end no level was recognised, because it contains something new: where ``after`` shows
        another level than ``before``, it came by itself, or by the last press. Returns whether the way is known now."""
        played = made.result is not None and made.result.status in ("won", "played")
        if self.layout.next.kind != "unknown" or not played or same_level(self.game, before.puzzle, after.puzzle):
            return self.layout.next.kind != "unknown"
        # A press after it had appeared was not its cause.
        ways = [way for way, image in made.pressed if _differ(image, after.image)]
        self.know("unknown", None, ways[-1] if ways else NextTable(kind="auto"))
        return True

    def _keep_sign(self, made: trial.Trial) -> None:
        """Store the win sign, if it distinguishes the level's end from its beginning."""
        assert made.sign is not None
        assert made.won is not None
        size = made.won.shape[1], made.won.shape[0]
        sign = self._area("win", made.won, made.sign)
        tried = marks(self.layout.model_copy(update={"win": sign, "size": size, "anchors": ()}))
        if tried.won(made.won) and not any(tried.won(image) for image, _ in made.pictures[:1]):
            self.layout = self.layout.model_copy(update={"win": sign, "size": size})

    def _area(self, stem: str, image: Image, box: Box) -> AreaTable:
        picture = self._stage.keep_picture(stem, box.crop(image))
        return AreaTable(place=anchors.fractions(box, (image.shape[1], image.shape[0])), picture=picture)

    # Keeping

    @property
    def pictured(self) -> int:
        """How many different pictures of the window were seen."""
        return len({image.tobytes() for image, _ in self._pictures})

    @property
    def empty(self) -> bool:
        """Whether nothing is known of the window except its title and the areas that may stay the same."""
        known = self.layout
        found = known.controls != "unknown" or known.next.kind != "unknown" or known.win or known.board
        return self.begun_from is None and not found and not any(self._stage.folder.rglob("*.png"))

    def anchor(self) -> int:
        """Choose the areas that stayed the same in all pictures; returns their number."""
        found = anchors.steady_areas(self._pictures)
        if not found:
            return 0
        image = self._pictures[-1][0]
        size = image.shape[1], image.shape[0]
        if self.layout.win is not None and self.layout.size != size:
            self.layout = self.layout.model_copy(update={"win": None})
        areas = tuple(self._area(f"anchor-{n}", image, box) for n, box in enumerate(found, start=1))
        self.layout = self.layout.model_copy(update={"anchors": areas, "size": size})
        return len(areas)

    def save(self) -> Saved:
        """Save what was learned as the user's layout of this name. If that fails, an older one stays unchanged."""
        pictured = any(self._stage.folder.rglob("*.png"))
        made = self.layout.model_copy(update={"templates": self._stage.name if pictured else None})
        path = self._stage.keep(Layout.model_validate(made.model_dump()))
        layout.forget(made.game, made.name)
        return Saved(made, path, layout.home() / "templates" / self._stage.name if pictured else None)

    @staticmethod
    def _known(game: Game[P, S], name: str) -> tuple[Layout | None, list[templates.Template]]:
        """The user's layout of this name, and its glyphs. Raises UsageError where it is damaged."""
        path = layout.own_file(name)
        if not layout.NEW_NAME.fullmatch(name) or not path.is_file():
            return None, []
        try:
            known = layout.load(str(path), game.name)
            folder = layout.templates_folder(known.templates) if known.templates is not None else None
            return known, list(templates.load(folder)) if folder is not None else []
        except (LayoutError, NotFoundError) as error:
            raise UsageError(
                f"the layout '{name}' is there already, and cannot be gone on with ({error}); choose another --name, "
                "or begin anew with --fresh"
            ) from None


def _differ(one: Image, other: Image) -> bool:
    return one.shape != other.shape or float(differing(one, other).mean()) > ANOTHER


def _no_cell(places: Mapping[Cell, Box], spot: Spot) -> str:
    """Why nothing can be said about ``spot``, where no cell is found."""
    rows, columns = (1 + max((cell[k] for cell in places), default=-1) for k in (0, 1))
    here = ",".join(map(str, spot))
    if spot[0] < rows and spot[1] < columns:
        return (
            f"at {here} no cell is seen that could be corrected, though the board goes on around it: say where the "
            "board stands, with 'board' or in a file of answers"
        )
    return (
        f"expected a cell of the board, which has {rows} rows and {columns} columns, counted from 0, but found {here}; "
        "are these answers for another window?"
    )
