"""A small convolutional network run by numpy alone: three 3x3 convolutions, each followed by ReLU and 2x2 maximum
pooling, then two dense layers. It knows nothing of glyphs; ``glyphs.py`` gives it its input and names its output.

The weights are made by ``training/train.py`` (PyTorch, never needed here) and stored as float16.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from autoplayer.core.frame import Floats

BATCH = 64
"""Inputs that go through together: large enough for the matrix product, small enough to stay in the cache."""


@dataclass(frozen=True)
class Network:
    """The weights, float32. ``kernels[i]``: shape ``(9 * channels_in, channels_out)``, rows ordered by kernel row,
    kernel column, channel. ``dense[i]``: shape ``(inputs, outputs)``. The biases go with them, in the same order."""

    kernels: tuple[Floats, ...]
    kernel_biases: tuple[Floats, ...]
    dense: tuple[Floats, ...]
    dense_biases: tuple[Floats, ...]
    temperature: float
    """What the outputs are divided by before the softmax, so that a probability of 0.9 is right nine times in ten."""

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> Network:
        """From the arrays of a weights file: ``kernel0``, ``kernel_bias0``, …, ``dense0``, …, ``temperature``."""

        def series(name: str) -> tuple[Floats, ...]:
            count = sum(key.rstrip("0123456789") == name for key in arrays)
            return tuple(np.ascontiguousarray(arrays[f"{name}{i}"], dtype=np.float32) for i in range(count))

        return cls(
            series("kernel"),
            series("kernel_bias"),
            series("dense"),
            series("dense_bias"),
            float(arrays["temperature"].item()),
        )

    def probabilities(self, inputs: Floats) -> Floats:
        """Shape ``(N, height, width)``, values 0 to 1, to shape ``(N, classes)``; each row sums to 1."""
        parts = [self._forward(inputs[i : i + BATCH]) for i in range(0, len(inputs), BATCH)]
        if not parts:
            return np.zeros((0, self.dense_biases[-1].shape[0]), np.float32)
        scaled = np.asarray(np.concatenate(parts) / self.temperature, np.float32)
        powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)

    def _forward(self, inputs: Floats) -> Floats:
        values = inputs[..., None].astype(np.float32, copy=False)
        for kernel, bias in zip(self.kernels, self.kernel_biases, strict=True):
            values = _pool(_convolve(values, kernel, bias))
        values = values.reshape(len(values), -1)
        for index, (weights, bias) in enumerate(zip(self.dense, self.dense_biases, strict=True)):
            values = np.asarray(values @ weights + bias, np.float32)
            if index < len(self.dense) - 1:
                values = np.maximum(values, 0)
        return values


def _convolve(values: Floats, kernel: Floats, bias: Floats) -> Floats:
    """A 3x3 convolution that keeps the size, without ReLU (the pooling adds it). ``values``: ``(N, h, w, c)``."""
    count, height, width, channels = values.shape
    padded = np.pad(values, ((0, 0), (1, 1), (1, 1), (0, 0)))
    windows = sliding_window_view(padded, (3, 3), axis=(1, 2)).transpose(0, 1, 2, 4, 5, 3)
    columns = windows.reshape(count * height * width, 9 * channels)
    product = columns @ kernel
    product += bias
    return np.asarray(product.reshape(count, height, width, -1), dtype=np.float32)


def _pool(values: Floats) -> Floats:
    """The maximum of each 2x2 square, at least 0; an odd last row or column is dropped."""
    height, width = values.shape[1] // 2 * 2, values.shape[2] // 2 * 2
    rows = np.maximum(values[:, 0:height:2], values[:, 1:height:2])
    return np.maximum(np.maximum(rows[:, :, 0:width:2], rows[:, :, 1:width:2]), 0)
