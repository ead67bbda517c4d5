"""A small convolutional network: 3x3 convolutions with ReLU, some of them followed by 2x2 maximum pooling, then dense
layers. It knows nothing of glyphs; ``glyphs.py`` gives it its input and names its output.

OpenCV computes it: faster than numpy, and without numpy's threads, which cost more than they bring where every matrix
is small. OpenCV reads networks as ONNX, so the weights are written as an ONNX model, in memory; the format is the few
messages of https://github.com/onnx/onnx/blob/main/onnx/onnx.proto that such a network needs.

The weights are made by ``training/train.py`` (PyTorch, never needed here) and stored as float16.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from autoplayer.core.frame import Floats

Weights = Mapping[str, NDArray[np.generic]]
"""``kernel0``, ``kernel1``, …, shape ``(channels_out, channels_in, 3, 3)``; ``pooled``, for each of them whether a
pooling follows; ``dense0``, …, shape ``(outputs, inputs)``, the first one's inputs ordered by channel, row, column; for
all of them ``kernel_bias0``, …, ``dense_bias0``, …; ``temperature``, what the outputs are divided by before the
softmax, so that a probability of 0.9 is right nine times in ten."""

BATCH = 32
"""The size of a batch: of 64 glyphs the intermediate layers do not fit into a processor's cache, and each glyph takes
half as long again."""
OPSET = 13
"""The version of ONNX's operators that the model is written in."""


class Network:
    """The network that ``weights`` describe, for inputs of ``height`` and ``width``."""

    def __init__(self, weights: Weights, height: int, width: int) -> None:
        model = np.frombuffer(onnx_model(weights, height, width), np.uint8)
        self._net = cv2.dnn.readNetFromONNX(model)
        self._temperature = float(weights["temperature"].item())
        self._busy = threading.Lock()  # OpenCV's network holds the state of one computation

    def probabilities(self, inputs: Floats) -> Floats:
        """Shape ``(N, height, width)``, N at least 1, values 0 to 1, to shape ``(N, classes)``; each row sums to 1."""
        parts = []
        with self._busy:
            for first in range(0, len(inputs), BATCH):
                self._net.setInput(np.ascontiguousarray(inputs[first : first + BATCH, None], np.float32))
                parts.append(np.array(self._net.forward()))
        scaled = np.asarray(np.concatenate(parts) / self._temperature, np.float32)
        powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True), np.float32)


def onnx_model(weights: Weights, height: int, width: int) -> bytes:
    """The network as an ONNX model, input ``(N, 1, height, width)``, output ``(N, classes)`` before the softmax."""
    nodes: list[bytes] = []

    def follow(operator: str, *arrays: str, **attributes: Sequence[int] | int) -> None:
        """Append an operator that takes the output of the one before."""
        names = (f"value{len(nodes)}", *arrays)
        parts = [_field(1, name) for name in names] + [_field(2, f"value{len(nodes) + 1}"), _field(4, operator)]
        for name, value in attributes.items():
            typed = _field(3, value) + _field(20, 2) if isinstance(value, int) else _ints(8, value) + _field(20, 7)
            parts.append(_field(5, _field(1, name) + typed))
        nodes.append(_field(1, b"".join(parts)))

    for i, pooled in enumerate(weights["pooled"]):
        follow("Conv", f"kernel{i}", f"kernel_bias{i}", kernel_shape=(3, 3), pads=(1, 1, 1, 1))
        follow("Relu")
        if pooled:
            follow("MaxPool", kernel_shape=(2, 2), strides=(2, 2))
    follow("Flatten")
    depth = sum(name.startswith("dense_bias") for name in weights)
    for i in range(depth):
        follow("Gemm", f"dense{i}", f"dense_bias{i}", transB=1)
        if i < depth - 1:
            follow("Relu")

    arrays = {name: array for name, array in weights.items() if name.startswith(("kernel", "dense"))}
    classes = len(arrays[f"dense_bias{depth - 1}"])
    graph = [*nodes, _field(2, "network"), *(_field(5, _tensor(name, array)) for name, array in arrays.items())]
    graph += [_field(11, _value("value0", 1, height, width)), _field(12, _value(f"value{len(nodes)}", classes))]
    return _field(1, 8) + _field(8, _field(1, "") + _field(2, OPSET)) + _field(7, b"".join(graph))


# ---- ONNX's messages: numbered fields, one after another -------------------------------------------------------------


def _tensor(name: str, array: NDArray[np.generic]) -> bytes:
    """A TensorProto of float32."""
    return _ints(1, array.shape) + _field(2, 1) + _field(8, name) + _field(9, array.astype("<f4").tobytes())


def _value(name: str, *sizes: int) -> bytes:
    """A ValueInfoProto: float32, of any number of rows, each of these sizes."""
    shape = _field(1, _field(2, "N")) + b"".join(_field(1, _field(1, size)) for size in sizes)
    return _field(1, name) + _field(2, _field(1, _field(1, 1) + _field(2, shape)))


def _ints(number: int, values: Sequence[int]) -> bytes:
    return b"".join(_field(number, value) for value in values)


def _field(number: int, value: int | str | bytes) -> bytes:
    """One field of a protobuf message: an integer, or bytes after their length."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _varint(value: int) -> bytes:
    """Seven bits a byte, the lowest first; all but the last have the eighth bit."""
    data = bytearray()
    while value > 127:
        data.append(value & 127 | 128)
        value >>= 7
    data.append(value)
    return bytes(data)
