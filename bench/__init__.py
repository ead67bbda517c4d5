"""Benchmarks. Each folder here is one and runs alone as ``python -m bench.NAME``; ``python -m bench`` runs all."""

import autoplayer  # noqa: F401  # before numpy, whose threads it limits when it is first imported
