"""Bridges: what runs between two islands, what it means, and how many bridges stand."""
