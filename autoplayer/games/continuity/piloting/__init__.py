"""Plays a level in its window: measures the physics, executes a plan under visual feedback, and replans after a
failure."""
