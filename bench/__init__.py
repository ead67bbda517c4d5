"""Benchmarks. Each folder here is one and runs alone as ``python -m bench.NAME``; ``python -m bench`` runs all."""
