"""Finds the active candidate of a cell, and the order in which clicks bring up the others."""
