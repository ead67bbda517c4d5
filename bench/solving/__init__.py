"""Solvers side by side: this project's, and the rivals that it is measured against. ``python -m bench.solving``."""
