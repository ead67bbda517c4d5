"""Solvers side by side: this project's, and the rivals that they are measured against. ``python -m bench.solving``."""
