"""A small convolutional network: 3x3 convolutions with ReLU, some of them followed by 2x2 maximum pooling, then dense
layers. It knows nothing of glyphs; ``glyphs.py`` gives it its input and names its output.

numpy computes it, as one product of matrices a layer: for so small a network that takes three fifths of the time of
OpenCV's, which also has to be loaded from a model in a format of its own.

The weights are made by ``training/train.py`` (PyTorch, never needed here) and stored as float16.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats

Weights = Mapping[str, NDArray[np.generic]]
"""``kernel0``, ``kernel1``, …, shape ``(channels_out, channels_in, 3, 3)``; ``pooled``, for each of them whether a
pooling follows; ``dense0``, …, shape ``(outputs, inputs)``, the first one's inputs ordered by channel, row, column; for
all of them ``kernel_bias0``, …, ``dense_bias0``, …; ``temperature``, what the outputs are divided by before the
softmax, so that a probability of 0.9 is right nine times in ten."""

BATCH = 8
"""How many inputs are computed together: the layers between of more do not fit into a processor's cache."""

Layer = tuple[Floats, Floats]
"""Weights, shape ``(inputs, outputs)``, and bias."""


class Network:
    """The network that ``weights`` describe."""

    def __init__(self, weights: Weights) -> None:
        # Inputs by row and column before channel, as in _surroundings.
        kernels = [weights[f"kernel{i}"].transpose(2, 3, 1, 0) for i in range(len(weights["pooled"]))]
        self._kernels = [
            _layer(kernel.reshape(-1, kernel.shape[3]), weights[f"kernel_bias{i}"]) for i, kernel in enumerate(kernels)
        ]
        self._pooled = weights["pooled"].tolist()
        depth = sum(name.startswith("dense_bias") for name in weights)
        self._dense = [_layer(weights[f"dense{i}"].T, weights[f"dense_bias{i}"]) for i in range(depth)]
        self._temperature = float(weights["temperature"].item())

    def probabilities(self, inputs: Floats) -> Floats:
        """Shape ``(N, height, width)``, N at least 1, values 0 to 1, to shape ``(N, classes)``; each row sums to 1."""
        parts = [self._outputs(inputs[first : first + BATCH]) for first in range(0, len(inputs), BATCH)]
        scaled = np.concatenate(parts) / np.float32(self._temperature)
        powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)

    def _outputs(self, inputs: Floats) -> Floats:
        # A product of its own for each input: how a sum is rounded depends on the size of the matrices.
        values: Floats = np.asarray(inputs, np.float32)[..., None]
        for (kernel, bias), pooled in zip(self._kernels, self._pooled, strict=True):
            values = (_surroundings(values) @ kernel).reshape(*values.shape[:3], -1)
            values = np.maximum((_pooled(values) if pooled else values) + bias, 0)
        values = values.transpose(0, 3, 1, 2).reshape(len(values), 1, -1)
        for weights, bias in self._dense[:-1]:
            values = np.maximum(values @ weights + bias, 0)
        weights, bias = self._dense[-1]
        return np.asarray((values @ weights + bias)[:, 0], np.float32)


def _layer(weights: NDArray[np.generic], bias: NDArray[np.generic]) -> Layer:
    return np.ascontiguousarray(weights, np.float32), np.asarray(bias, np.float32)


def _surroundings(values: Floats) -> Floats:
    """The 3x3 surroundings of each place, zeros outside: ``(N, height, width, channels)`` to
    ``(N, height * width, 9 * channels)``."""
    count, height, width, channels = values.shape
    padded: Floats = np.zeros((count, height + 2, width + 2, channels), np.float32)
    padded[:, 1:-1, 1:-1] = values
    found: Floats = np.empty((count, height, width, 3, 3, channels), np.float32)
    for row in range(3):
        for column in range(3):
            found[..., row, column, :] = padded[:, row : row + height, column : column + width]
    return found.reshape(count, -1, 9 * channels)


def _pooled(values: Floats) -> Floats:
    """The maximum of each 2x2 places; an odd row or column at the end is left out."""
    height, width = (side // 2 * 2 for side in values.shape[1:3])
    rows = np.maximum(values[:, 0:height:2], values[:, 1:height:2])
    return np.maximum(rows[:, :, 0:width:2], rows[:, :, 1:width:2])
