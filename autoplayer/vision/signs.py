"""Windows whose numbers are signs that the network cannot read: what a layout's pictures of them say of the others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from autoplayer.core.frame import Floats
from autoplayer.vision import glyphs, templates
from autoplayer.vision.templates import Template

READ = 0.6
"""A glyph that the network names with more than this probability counts as read by it."""

STRANGE, NOTHING, STEEP = 0.8, 0.6, 3
"""Of a sign that is like none of the layout's pictures beyond doubt: how like it is to what it may be that has no
picture, and to nothing at all; and by which power of what a likeness lacks of 1 the likely are told from the
unlikely."""


def are_signs(known: Sequence[Template]) -> bool:
    """Whether a layout's pictures are of signs that the network cannot read: it takes most of them for something
    else."""
    named = {one.token for one in known if len(one.token) == 1 and one.token.isdecimal()}
    read = {one.token for one in known if one.token in named and _is_read(one)}
    return len(named) > 1 and 2 * len(read) < len(named)


def chances(ink: Floats, known: Sequence[Template], tokens: Iterable[str]) -> dict[str, float]:
    """What a sign (shape ``(h, w)``, not empty) may be of ``tokens`` (the empty one for nothing), adding up to 1, that
    is like none of the layout's pictures beyond doubt: the liker, the likelier; it may also be one of which there is no
    picture."""
    like = templates.likeness(ink, known)
    weights = {token: (1.02 - like.get(token, STRANGE if token else NOTHING)) ** -STEEP for token in tokens}
    total = sum(weights.values())
    return {token: weight / total for token, weight in weights.items()}


@lru_cache(maxsize=512)
def _is_read(one: Template) -> bool:
    """Whether the network reads a layout's picture as what it says."""
    return float(glyphs.classify([one.ink])[0][int(one.token)]) > READ
