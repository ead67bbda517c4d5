"""Draws what dialogs consist of, for tests: buttons, stars, crosses."""

from __future__ import annotations

import cv2
import numpy as np

from autoplayer.core.frame import Box, Image

INK = (40, 40, 40)
BLUE, ORANGE, WHITE = (229, 110, 60), (40, 150, 245), (255, 255, 255)


def button(picture: Image, words: str, box: Box, fill: tuple[int, int, int] = BLUE) -> None:
    corner = (box.x + box.width, box.y + box.height)
    cv2.rectangle(picture, (box.x, box.y), corner, fill, -1)
    if fill == WHITE:
        cv2.rectangle(picture, (box.x, box.y), corner, INK, 1)
    at = (box.centre[0] - 5 * len(words), box.centre[1] + 5)
    cv2.putText(picture, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, INK if fill == WHITE else WHITE, 1, cv2.LINE_AA)


def star(picture: Image, x: int, y: int, size: int = 14) -> None:
    turns = np.arange(10) * np.pi / 5 - np.pi / 2
    reach = np.where(np.arange(10) % 2, 0.4, 1.0) * size
    points = np.stack([x + reach * np.cos(turns), y + reach * np.sin(turns)], axis=1)
    cv2.polylines(picture, [np.rint(points).astype(np.int32)], True, (40, 160, 230), 2, cv2.LINE_AA)


def cross(picture: Image, box: Box, colour: tuple[int, int, int] = INK) -> None:
    for a, b in (((0, 0), (1, 1)), ((0, 1), (1, 0))):
        ends = [(box.x + x * box.width, box.y + y * box.height) for x, y in (a, b)]
        cv2.line(picture, *ends, colour, 2, cv2.LINE_AA)
