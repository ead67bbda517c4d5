"""Trains the glyph networks with PyTorch and writes ``autoplayer/vision/NAME.npz``. See README.md for the recipes.

python training/train.py glyphs --extra DIR --cache DIR
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import fonts
import numpy as np
import torch
from samples import Conditions, Maker
from torch import nn

from autoplayer.vision.glyphs import CLASSES, SIZE

OUTPUT = Path(__file__).parent.parent / "autoplayer" / "vision"
SEED = 7


@dataclass(frozen=True)
class Recipe:
    """How one of the two networks is made."""

    sides: tuple[str, ...]
    """The lists of families that it learns from."""
    samples: int
    channels: tuple[int, ...]
    """Of each 3x3 convolution; 2x2 maximum pooling follows it."""
    hidden: int
    """The width of the dense layer before the outputs."""
    warmth: float = 1.0
    """The temperature is this times the best for the validation's families."""


RECIPES = {
    "glyphs": Recipe(("train",), 200_000, (16, 24, 48), 64),
    # It is asked where the first is unsure, among typefaces that are less like those learned from than the
    # validation's: there it had been too sure of itself.
    "glyphs_second": Recipe(("train", "second"), 300_000, (16, 32, 64), 96, 1.1),
}
CHUNK = 10_000
DECORATIVE = "debian fonts-aenigma"
"""Three hundred families of extreme lettering by one hand: they widen what the network has seen, at a low weight."""
DECORATIVE_WEIGHT = 0.3
VALIDATION_SHARE = 0.06
"""Share of the training side's families that set the temperature and are not learned from."""


def maker(
    side: str,
    extra: list[Path],
    conditions: Conditions | None = None,
    kind: str = "all",
    learned: Sequence[str] = ("train",),
) -> Maker:
    """A sample maker over the faces of ``train``, ``valid`` (a part of the training side) or ``apart``; ``kind``
    everyday leaves the decorative families out, decorative the others. ``learned``: the lists of the training side."""
    lists = ["apart"] if side == "apart" else learned
    origins = dict(sorted(item for name in lists for item in fonts.listed(name).items()))
    found = fonts.find_faces(extra)
    absent = [f for f in origins if f not in found]
    if absent:
        print(f"{side}: {len(absent)} families are not installed: {', '.join(absent[:5])} …")
    families = [f for f in origins if f in found]
    if side != "apart":
        order = np.random.default_rng(SEED).permutation(len(families))
        cut = int(len(families) * VALIDATION_SHARE)
        chosen = order[:cut] if side == "valid" else order[cut:]
        families = [families[i] for i in sorted(chosen)]
    if kind != "all":
        families = [f for f in families if (origins[f] == DECORATIVE) == (kind == "decorative")]
    unlike = fonts.left_out()
    return Maker(
        families,
        [found[f] for f in families],
        [unlike.get(f, "") for f in families],
        [DECORATIVE_WEIGHT if origins[f] == DECORATIVE else 1.0 for f in families],
        conditions or Conditions(),
    )


def chunks(source: Maker, count: int, seed: int, cache: Path | None, name: str) -> tuple[np.ndarray, np.ndarray]:
    """``count`` samples, made in chunks that are kept in ``cache``."""
    parts = []
    for index in range(-(-count // CHUNK)):
        path = cache / f"{name}-{seed}-{index}.npz" if cache else None
        if path and path.exists():
            with np.load(path) as data:
                parts.append((data["x"], data["y"]))
            continue
        x, y = source.batch(CHUNK, seed * 1_000_003 + index)
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)
            np.savez_compressed(path, x=x, y=y)
        parts.append((x, y))
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def build(recipe: Recipe) -> nn.Sequential:
    layers: list[nn.Module] = []
    before, side = 1, SIZE
    for channels in recipe.channels:
        layers += [nn.Conv2d(before, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels), nn.ReLU()]
        layers.append(nn.MaxPool2d(2))
        before, side = channels, side // 2
    layers += [nn.Flatten(), nn.Dropout(0.2), nn.Linear(before * side * side, recipe.hidden), nn.ReLU()]
    layers.append(nn.Linear(recipe.hidden, len(CLASSES)))
    return nn.Sequential(*layers)


def jitter(x: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Shifts by a pixel, and ink that is stronger or weaker: cheap variety on top of the samples."""
    dy, dx = (int(v) for v in torch.randint(-1, 2, (2,), generator=generator))
    gamma = float(torch.empty(1).uniform_(0.7, 1.4, generator=generator))
    return torch.roll(x, (dy, dx), (2, 3)) ** gamma


def train(recipe: Recipe, x: np.ndarray, y: np.ndarray, rounds: int, rate: float) -> nn.Sequential:
    torch.manual_seed(SEED)
    generator = torch.Generator().manual_seed(SEED)
    model = build(recipe)
    print(sum(p.numel() for p in model.parameters()), "parameters")
    inputs, labels = torch.from_numpy(x), torch.from_numpy(y)
    batch = 128
    steps = rounds * (len(x) // batch)
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=steps, pct_start=0.15)
    loss_of = nn.CrossEntropyLoss(label_smoothing=0.02)
    model.train()
    for number in range(rounds):
        start, total = time.time(), 0.0
        order = torch.randperm(len(x), generator=generator)
        for i in range(0, len(x) - batch + 1, batch):
            chosen = order[i : i + batch]
            loss = loss_of(model(jitter(inputs[chosen].float()[:, None] / 255, generator)), labels[chosen])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            total += loss.item()
        print(f"round {number + 1}: loss {total / (len(x) // batch):.4f}, {time.time() - start:.0f} s", flush=True)
    return model.eval()


def logits_of(model: nn.Sequential, x: np.ndarray) -> torch.Tensor:
    with torch.no_grad():
        return torch.cat(
            [model(torch.from_numpy(part).float()[:, None] / 255) for part in np.array_split(x, max(len(x) // 1000, 1))]
        )


def best_temperature(logits: torch.Tensor, labels: torch.Tensor) -> float:
    """The temperature of least negative log likelihood."""
    choices = np.arange(0.3, 3.0, 0.02)
    losses = [nn.functional.cross_entropy(logits / float(t), labels).item() for t in choices]
    return float(choices[int(np.argmin(losses))])


def arrays_of(model: nn.Sequential, temperature: float) -> dict[str, np.ndarray]:
    """The weights as ``autoplayer.vision.network`` reads them, batch normalisation folded into the convolutions."""
    convolutions = [m for m in model if isinstance(m, nn.Conv2d)]
    arrays: dict[str, np.ndarray] = {
        "temperature": np.float32(temperature),
        "pooled": np.full(len(convolutions), True),
    }
    norms = [m for m in model if isinstance(m, nn.BatchNorm2d)]
    for index, (convolution, norm) in enumerate(zip(convolutions, norms, strict=True)):
        assert norm.running_var is not None
        assert norm.running_mean is not None
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        arrays[f"kernel{index}"] = (convolution.weight * scale[:, None, None, None]).detach().numpy()
        arrays[f"kernel_bias{index}"] = (norm.bias - norm.running_mean * scale).detach().numpy()
    for index, layer in enumerate(m for m in model if isinstance(m, nn.Linear)):
        arrays[f"dense{index}"] = layer.weight.detach().numpy()
        arrays[f"dense_bias{index}"] = layer.bias.detach().numpy()
    return {k: v if k in ("temperature", "pooled") else v.astype(np.float16) for k, v in arrays.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("network", choices=RECIPES)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--extra", type=Path, action="append", default=[], help="a folder of further fonts")
    parser.add_argument("--cache", type=Path, help="a folder for samples that are made once")
    parser.add_argument("--output", type=Path, default=OUTPUT, help="the folder for the weights")
    arguments = parser.parse_args()
    recipe = RECIPES[arguments.network]
    torch.set_num_threads(arguments.threads)
    start = time.time()
    learned, valid = (maker(side, arguments.extra, learned=recipe.sides) for side in ("train", "valid"))
    x, y = chunks(learned, recipe.samples, SEED, arguments.cache, f"{arguments.network}-train")
    vx, vy = chunks(valid, CHUNK, SEED + 1, arguments.cache, f"{arguments.network}-valid")
    print(f"{len(x)} samples, {time.time() - start:.0f} s")
    model = train(recipe, x, y, arguments.rounds, arguments.rate)
    logits, labels = logits_of(model, vx), torch.from_numpy(vy)
    temperature = best_temperature(logits, labels) * recipe.warmth
    wrong = logits.argmax(1) != labels
    sure = torch.softmax(logits / temperature, 1).max(1).values
    print(f"validation: {100 * (~wrong).float().mean():.2f} % right, temperature {temperature:.2f}")
    print(f"wrong above 0.9: {int((wrong & (sure > 0.9)).sum())} of {len(wrong)}")
    output = arguments.output / f"{arguments.network}.npz"
    np.savez_compressed(output, **arrays_of(model, temperature))
    print(f"{output.name}: {output.stat().st_size} bytes")


if __name__ == "__main__":
    main()
