"""Engines that the solvers share. They know numbers and clauses, never a game."""
