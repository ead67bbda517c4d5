"""The targets, by name: one module a kind of input."""

from __future__ import annotations

from fuzz.targets import answers, layouts, parcels, pictures, puzzles, readers, recordings, solutions, truths
from fuzz.targets.base import Target

MODULES = (puzzles, solutions, layouts, answers, parcels, recordings, truths, pictures, readers)
TARGETS: dict[str, Target] = {module.TARGET.name: module.TARGET for module in MODULES}
