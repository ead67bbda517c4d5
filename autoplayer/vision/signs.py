"""Windows that show symbols instead of digits, which the network cannot read: classification by the layout's
pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from autoplayer.core.frame import Floats
from autoplayer.vision import glyphs, templates
from autoplayer.vision.templates import Template

READ = 0.6
"""A glyph to which the network gives a token with more than this probability counts as read by it."""

STRANGE, NOTHING, STEEP = 0.8, 0.6, 3
"""For a symbol that matches none of the layout's pictures with certainty: the similarity that is assumed to a token
without a picture, and to no glyph at all; and the exponent that turns dissimilarity into odds."""


def are_signs(known: Sequence[Template]) -> bool:
    """Whether a layout's pictures are symbols that the network cannot read: it classifies most of them as something
    else."""
    named = {one.token for one in known if len(one.token) == 1 and one.token.isdecimal()}
    read = {one.token for one in known if one.token in named and _is_read(one)}
    return len(named) > 1 and 2 * len(read) < len(named)


def chances(ink: Floats, known: Sequence[Template], tokens: Iterable[str]) -> dict[str, float]:
    """The distribution over ``tokens`` (the empty one for nothing) of a symbol (ink of shape ``(h, w)``, not empty)
    that matches none of the layout's pictures with certainty: the more similar, the more probable. It may also be a
    symbol of which there is no picture."""
    like = templates.likeness(ink, known)
    weights = {token: (1.02 - like.get(token, STRANGE if token else NOTHING)) ** -STEEP for token in tokens}
    total = sum(weights.values())
    return {token: weight / total for token, weight in weights.items()}


@lru_cache(maxsize=512)
def _is_read(one: Template) -> bool:
    """Whether the network reads a layout's picture as the token that it stands for."""
    return float(glyphs.classify([one.ink])[0][int(one.token)]) > READ
