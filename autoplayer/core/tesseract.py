"""The Tesseract program, which reads text in pictures, where it is installed. Nothing needs it."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess

import cv2
import numpy as np

from autoplayer.core.frame import Mask


@functools.cache
def available() -> bool:
    """Whether the program can be started here."""
    return shutil.which("tesseract") is not None


def read(page: Mask, *options: str, patience: float) -> str | None:
    """The text on ``page`` (grey levels, shape ``(h, w)``, dark on light), read with the program's ``options``. None
    where there is no text, where the program fails, or where it takes longer than ``patience`` seconds."""
    try:
        done = subprocess.run(
            ["tesseract", "stdin", "stdout", *options],
            input=cv2.imencode(".png", np.ascontiguousarray(page))[1].tobytes(),
            capture_output=True,
            # Its threads busy-wait for one another: for a single word they cost far more than they gain.
            env={"OMP_THREAD_LIMIT": "1", **os.environ},
            timeout=patience,
            check=True,
        )
    except (subprocess.SubprocessError, OSError):
        return None  # too slow, or it cannot be started: it has no vote
    return done.stdout.decode("utf-8", "replace").strip() or None
