"""A further classifier for glyphs in doubt: the Tesseract program, where it is installed. Nothing needs it.

It is slow (a tenth of a second a call) and fails on many windows' digits; but where the network hesitates in an
ordinary font, it is often right.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from autoplayer.core import tesseract
from autoplayer.core.frame import Floats

WEIGHT = 4.0
"""The factor by which the odds of the token grow that Tesseract reads: on glyphs in doubt it is right four times in
five."""

HEIGHT = 48
"""Pixels of a glyph in the picture that Tesseract gets; its models were trained on lines of about that height."""

PATIENCE = 4.0
"""Seconds for one word. A later answer is not waited for, so that no machine is too slow to play on."""


def vote(ink: Floats, chances: Mapping[str, float]) -> dict[str, float]:
    """``chances`` (token to probability) of a glyph, shape ``(h, w)``, updated by what Tesseract reads in it.

    Unchanged where Tesseract is missing, fails, or reads a token that is no candidate.
    """
    token = _read(ink) if tesseract.available() else None
    if token not in chances:
        return dict(chances)
    weighed = {name: p * (WEIGHT if name == token else 1.0) for name, p in chances.items()}
    total = sum(weighed.values())
    return {name: p / total for name, p in weighed.items()}


def _read(ink: Floats) -> str | None:
    scale = HEIGHT / max(ink.shape[0], 1)
    large = cv2.resize(np.asarray(ink, np.float32), None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    page = np.pad(255 - np.clip(large * 255, 0, 255).astype(np.uint8), HEIGHT // 3, constant_values=255)
    # A single word, of the characters that can stand in a cell.
    said = tesseract.read(page, "--psm", "8", "-c", "tessedit_char_whitelist=0123456789X", patience=PATIENCE)
    return said.upper() if said else None
