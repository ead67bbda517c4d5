"""The page that `replay --report` writes: readings drawn over each picture, the worst first.

It is one self-contained file: pictures are embedded as data, there is no script, and its content security policy
forbids the browser to fetch anything. Readings are drawn as SVG over the picture, so that they stay sharp when
enlarged, and every cell has a tooltip with its candidates.
"""

from __future__ import annotations

import hashlib
import statistics
import time
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import count
from typing import Any

from autoplayer import __version__
from autoplayer.cli.report_pictures import MOST_ROWS, drawn, facts
from autoplayer.cli.truths import KINDS, Judged, Kind
from autoplayer.core.frame import Image

SAID: Mapping[Kind, tuple[str, str]] = {
    "wrong": ("wrong", "read wrong without a doubt"),
    "unreadable": ("unreadable", "unreadable"),
    "doubtful": ("doubtful", "in doubt"),
    "invalid": ("invalid", "not compared"),
    "exact": ("exact", "exact"),
}
"""The text of each kind on a badge, and in the headline."""

Fields = Mapping[str, Any]


class Page:
    """Collects the results of pictures and recordings, and builds the page."""

    def __init__(self) -> None:
        self._cards: list[tuple[tuple[int, float, str], Kind, str]] = []
        self._judged: list[Judged] = []
        self._recordings: list[tuple[Fields, str]] = []
        self._number = count(1)

    def picture(self, judged: Judged, image: Image | None) -> None:
        """Add a picture; ``image`` is None where it could not be opened."""
        self._judged.append(judged)
        self._cards.append((judged.badness, judged.kind, self._card(judged, image)))

    def recording(self, fields: Fields, shown: Sequence[tuple[Judged, Image]]) -> None:
        """Add a recorded session: the fields of ``replay --json``, and the frames that are read differently now."""
        frames = "".join(self._card(judged, image) for judged, image in shown)
        self._recordings.append((fields, frames))

    def html(self) -> str:
        """The page."""
        title, line = self._headline()
        worst = [card for _, kind, card in sorted(self._cards, key=lambda each: each[0]) if kind != "exact"]
        exact = [card for _, kind, card in sorted(self._cards, key=lambda each: each[0]) if kind == "exact"]
        parts = [
            f"<header><p class=when>autoplayer {escape(__version__)} · replay · {time.strftime('%Y-%m-%d %H:%M')}</p>"
            f"<h1>{escape(title)}</h1><p class=lead>{line}</p></header>"
        ]
        if self._judged:
            parts += [self._tiles(), self._table()]
        if worst:
            parts.append(f"<section><h2>To look at, worst first <b>{len(worst)}</b></h2>{''.join(worst)}</section>")
        if self._recordings:
            parts.append(
                f"<section><h2>Recorded sessions <b>{len(self._recordings)}</b></h2>{self._sessions()}</section>"
            )
        if exact:
            parts.append(f"<section><h2>Exact <b>{len(exact)}</b></h2><div class=even>{''.join(exact)}</div></section>")
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; '
            "style-src 'unsafe-inline'\">"
            '<meta name="color-scheme" content="light dark">'
            f"<title>{escape(title)}</title><style>{STYLE}</style></head><body><main>{''.join(parts)}</main></body></html>\n"
        )

    # --- the head

    def _headline(self) -> tuple[str, str]:
        """The headline; and, as HTML, a link to the worst picture and a summary of what was examined."""
        judged, kinds = self._judged, [judged.kind for judged in self._judged]
        different = sum(fields["status"] != "same" for fields, _ in self._recordings)
        first = next((kind for kind in KINDS[:-1] if kind in kinds), None)
        unchecked = sum(not each.checked for each in judged)
        title = "Everything is read as it should be"
        if unchecked:
            title = f"Nothing differs, but {unchecked} of {_many(len(judged), 'truth')} nobody has checked yet"
        if first:
            title = f"{kinds.count(first)} of {_many(len(kinds), 'picture')} {SAID[first][1]}"
        elif different:
            title = f"{different} of {_many(len(self._recordings), 'recorded session')} not as recorded"
        lines = []
        if first:
            worst = min(judged, key=lambda each: each.badness)
            name = worst.picture.replace("\\", "/").rsplit("/", 1)[-1]
            lines.append(f"The worst is <a href='#{_anchor(worst)}'>{escape(name)}</a>: {escape(worst.why)}")
        if unchecked and (first or different):
            lines.append(f"The reader's own word, which nobody has checked yet: {unchecked} of {len(judged)} truths")
        seen = [_many(len(kinds), "picture with a truth", "pictures with a truth")] if kinds else []
        seen += [_many(len(self._recordings), "recorded session")] if self._recordings else []
        lines.append(f"{' and '.join(seen) or 'nothing'} replayed")
        return title, "<br>".join(lines)

    def _kinds(self) -> list[Kind]:
        """The kinds that are counted; invalid ones only if there are any."""
        shown: list[Kind] = ["exact", "doubtful", "wrong", "unreadable"]
        if any(each.kind == "invalid" for each in self._judged):
            shown.append("invalid")
        return shown

    def _tiles(self) -> str:
        kinds = [judged.kind for judged in self._judged]
        shown = self._kinds()
        tiles = "".join(
            f"<div class='tile {kind}{' none' if kind not in kinds else ''}'><b>{kinds.count(kind)}</b>"
            f"<span>{SAID[kind][0]}</span></div>"
            for kind in shown
        )
        bar = "".join(f"<i class={kind} style='flex:{kinds.count(kind)}'></i>" for kind in shown if kind in kinds)
        return f"<div class=tiles>{tiles}</div><div class=bar aria-hidden=true>{bar}</div>"

    def _table(self) -> str:
        rows = []
        groups = sorted({(each.game or "?", each.folder) for each in self._judged})
        for game, folder in groups:
            judged = [each for each in self._judged if (each.game or "?", each.folder) == (game, folder)]
            rows.append(_row(game, folder, judged, self._kinds()))
        if len(groups) > 1:
            rows.append(_row("all", "", self._judged, self._kinds()))
        numbers = ("pictures", *self._kinds(), "cells right", "ms a picture")
        head = "<th>game" + "".join(f"<th class=n>{name}" for name in numbers) + "<th>folder"
        return f"<div class=wide><table class=sum><thead><tr>{head}</thead><tbody>{''.join(rows)}</tbody></table></div>"

    # --- a recorded session

    def _sessions(self) -> str:
        order = {"invalid": 0, "different": 1, "same": 2}
        parts = []
        for fields, frames in sorted(self._recordings, key=lambda each: order[each[0]["status"]]):
            kind = {"invalid": "invalid", "different": "wrong", "same": "exact"}[fields["status"]]
            differences = fields["differences"]
            said = fields["error"] or (
                f"{fields['frames']} frames, {fields['levels']} levels: "
                + (_many(len(differences), "difference") if differences else "no difference")
            )
            listed = "".join(f"<li>{escape(text)}" for text in differences[:MOST_ROWS])
            more = f"<p class=more>and {len(differences) - MOST_ROWS} more</p>" if len(differences) > MOST_ROWS else ""
            body = f"<ul class=list>{listed}</ul>{more}{frames}" if differences else ""
            opened = " open" if differences else ""
            summary = _summary(kind, fields["status"], fields["recording"], said)
            parts.append(f"<details class='card {kind}'{opened}>{summary}{body}</details>")
        return "".join(parts)

    # --- a picture

    def _card(self, judged: Judged, image: Image | None) -> str:
        number = next(self._number)
        said = [judged.game or "no game"]
        if judged.named == "tried":
            said.append("found by trying")
        if judged.seconds:
            said.append(f"{1000 * judged.seconds:.0f} ms")
        if judged.places:
            said.append(f"sure to {judged.confidence:.1%}")
        if not judged.checked:
            said.append("truth not checked")
        name = judged.picture.replace("\\", "/").rsplit("/", 1)
        why = judged.why or f"all {judged.cells} cells are right"
        # the truth of a recorded frame is its reading at that time
        badge = SAID[judged.kind][0] if judged.named or judged.kind == "invalid" else "read otherwise"
        small = ""
        if judged.kind == "exact" and image is not None:
            small = f"<svg class=small viewBox='0 0 {image.shape[1]} {image.shape[0]}'><use href='#p{number}'/></svg>"
        summary = _summary(judged.kind, badge, name[-1], why, [*name[:-1], *said], small)
        picture = drawn(judged, image, number) if image is not None else ""
        toggle = (
            f"<input type=checkbox id=o{number} checked><label for=o{number}>what was read</label>"
            if judged.places
            else ""
        )
        body = f"<div class=both><div class=shown>{toggle}{picture}</div>{facts(judged, number)}</div>"
        return (
            f"<details id={_anchor(judged)} class='card {judged.kind}'{'' if judged.kind == 'exact' else ' open'}>"
            f"{summary}{body}</details>"
        )


def _many(number: int, what: str, several: str = "") -> str:
    return f"{number} {what if number == 1 else several or what + 's'}"


def _anchor(judged: Judged) -> str:
    """The anchor of a picture for links inside the page."""
    return "p-" + hashlib.sha256(judged.picture.encode()).hexdigest()[:12]


def _row(game: str, folder: str, judged: Sequence[Judged], shown: Sequence[Kind]) -> str:
    kinds = [each.kind for each in judged]
    compared = [each for each in judged if each.cells]
    cells = sum(each.cells for each in compared)
    wrong = sum(each.cells if each.read is None else min(len(each.differences), each.cells) for each in compared)
    times = [1000 * each.seconds for each in judged if each.seconds]
    counts = "".join(f"<td class='n {kind if kinds.count(kind) else 'none'}'>{kinds.count(kind)}" for kind in shown)
    right = f"{100 * (1 - wrong / cells):.2f} %" if cells else "–"
    pace = f"{statistics.median(times):.0f}" if times else "–"
    return (
        f"<tr{' class=all' if game == 'all' else ''}><td>{escape(game)}<td class=n>{len(judged)}"
        f"{counts}<td class=n>{right}<td class=n>{pace}<td>{escape(folder)}"
    )


def _summary(kind: str, badge: str, name: str, why: str, facts: Iterable[str] = (), picture: str = "") -> str:
    small = " · ".join(escape(fact) for fact in facts)
    return (
        f"<summary>{picture}<span class='badge {kind}'>{badge}</span><span class=name>{escape(name)}</span>"
        f"<span class=why>{escape(why)}</span>{f'<span class=facts>{small}</span>' if small else ''}</summary>"
    )


STYLE = """
:root{color-scheme:light dark;--page:#f6f6f3;--card:#fff;--ink:#1d1f24;--soft:#5d626c;--line:#dedfe3;--well:#ecedf0;
--exact:#1a7f4b;--doubtful:#b26a00;--wrong:#c8252c;--unreadable:#6a4bb5;--invalid:#50565f;--on:#fff}
@media (prefers-color-scheme:dark){:root{--page:#14161a;--card:#1d2026;--ink:#e9eaee;--soft:#9ba1ad;--line:#333842;
--well:#111317;--exact:#4cc98a;--doubtful:#f0a63c;--wrong:#ff6b6b;--unreadable:#b79bff;--invalid:#a4abb8;--on:#14161a}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,
"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main{max-width:1160px;margin:0 auto;padding:32px 24px 64px}
h1{font-size:clamp(1.4rem,4.2vw,2.1rem);line-height:1.2;margin:0 0 6px;text-wrap:balance}
h1::first-letter,.card:not(.invalid) .why::first-letter{text-transform:uppercase}
h2{font-size:1.1rem;margin:36px 0 12px;display:flex;align-items:center;gap:8px}
h2 b{font-size:.8rem;color:var(--soft);background:var(--well);border-radius:99px;padding:1px 10px}
.when{margin:0 0 10px;color:var(--soft);font-size:.85rem}.lead{margin:0 0 24px;color:var(--soft)}a{color:inherit}
.exact{--k:var(--exact)}.doubtful{--k:var(--doubtful)}.wrong{--k:var(--wrong)}.unreadable{--k:var(--unreadable)}
.invalid{--k:var(--invalid)}.none{--k:var(--soft)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(120px,1fr));gap:10px}
.tile{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 16px}
.tile b{display:block;font-size:1.9rem;line-height:1.15;color:var(--k);font-variant-numeric:tabular-nums}
.tile span{color:var(--soft);font-size:.9rem}.tile.none b{opacity:.55}
.bar{display:flex;gap:2px;height:8px;border-radius:8px;overflow:hidden;margin:12px 0 20px}
.bar i{background:var(--k);min-width:6px}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.9rem}
.sum{width:100%;background:var(--card);border:1px solid var(--line);border-radius:10px;border-spacing:0;
border-collapse:separate}
th{font-weight:500;color:var(--soft);text-align:left;white-space:nowrap}
.sum th,.sum td{padding:8px 14px;border-bottom:1px solid var(--line)}.sum tbody tr:last-child td{border-bottom:0}
.sum .all td{font-weight:600}.sum td:first-child{white-space:nowrap}
.n{text-align:right!important;font-variant-numeric:tabular-nums;white-space:nowrap}
td.n.exact,td.n.doubtful,td.n.wrong,td.n.unreadable,td.n.invalid{color:var(--k);font-weight:600}td.none{color:var(--soft);opacity:.6}
.card{background:var(--card);border:1px solid var(--line);border-left:5px solid var(--k);border-radius:10px;
margin:0 0 16px;overflow:hidden}
.card>summary{display:grid;grid-template-columns:auto 1fr;gap:2px 12px;padding:12px 16px;cursor:pointer;list-style:none}
.card>summary::-webkit-details-marker{display:none}
.card>summary:focus-visible{outline:2px solid var(--k);outline-offset:-2px}
.badge{background:var(--k);color:var(--on);border-radius:6px;font-size:.78rem;font-weight:700;padding:2px 9px;
align-self:start;margin-top:2px}
.name{font-weight:650;overflow-wrap:anywhere}
.why,.facts{grid-column:1/-1;overflow-wrap:anywhere}.facts{color:var(--soft);font-size:.85rem}
.card.exact .why{color:var(--soft)}
.even{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,340px),1fr));gap:12px;align-items:start}
.even .card{margin:0}.even .card[open]{grid-column:1/-1}
.card .card{margin:0 16px 16px}
.small{grid-column:1/-1;width:100%;height:150px;border-radius:6px;background:var(--well);margin-bottom:8px}
.card[open] .small{display:none}
.both{display:grid;grid-template-columns:minmax(0,1.7fr) minmax(0,1fr);gap:20px;padding:4px 16px 16px}
.shown:only-child{grid-column:1/-1}
.seen{display:block;width:100%;height:auto;max-height:min(75vh,640px);border-radius:6px;background:var(--well)}
input[type=checkbox]{accent-color:var(--k);margin:0 6px 8px 0}label{font-size:.85rem;color:var(--soft);cursor:pointer}
.shown input:not(:checked)~svg .marks{display:none}
.marks rect{fill:none}.marks text{font-family:system-ui,"DejaVu Sans",sans-serif;font-weight:700;paint-order:stroke;
stroke:#fff;stroke-width:.22em;stroke-linejoin:round}
.marks g{pointer-events:all}.marks g rect{pointer-events:all}
.fine rect{stroke:#12924f;stroke-opacity:.7}.fine text{fill:#0b6b39}
.open rect{stroke:#e07b00;stroke-dasharray:6 4}.open text{fill:#b35f00}
.changed rect{stroke:#a03cc8}.changed text{fill:#8321ad}
.differs rect{stroke:#e0131c;fill:#e0131c;fill-opacity:.16}.differs text{fill:#c30d15}
.told .wide{max-height:min(75vh,660px);overflow:auto}
.cells{width:100%}.cells th,.cells td{padding:5px 8px;border-bottom:1px solid var(--line);vertical-align:middle}
.cells td:nth-child(3) b{color:var(--wrong)}.cells tr.open td:nth-child(3) b{color:var(--doubtful)}
.cells td:nth-child(4) b{color:var(--exact)}
.crop{display:block;width:72px;height:72px;border-radius:4px;background:var(--well)}
.texts{margin-top:10px;font-size:.85rem}.texts>summary{cursor:pointer;color:var(--soft)}
.texts>div{display:flex;gap:20px;overflow-x:auto}figure{margin:8px 0 0}figcaption{color:var(--soft)}
pre{margin:4px 0 0;font:.8rem/1.35 ui-monospace,"DejaVu Sans Mono",monospace}
.list{margin:0;padding:0 16px 12px 34px;font-size:.9rem;overflow-wrap:anywhere}.more{color:var(--soft);margin:8px 0 0;
font-size:.85rem}
.card>.more{margin:0 16px 12px 34px}
@media (max-width:760px){main{padding:20px 14px 48px}.both{grid-template-columns:minmax(0,1fr);gap:12px;
padding:4px 12px 12px}.tiles{grid-template-columns:1fr 1fr}.sum{font-size:.82rem}.sum th,.sum td{padding:7px 8px}
.crop{width:52px;height:52px}.cells th,.cells td{padding:5px 6px}
.card .card{margin:0 8px 12px}}
"""
