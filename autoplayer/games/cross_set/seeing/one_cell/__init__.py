"""The content of one cell: possible segmentations of its ink into numbers, and their scores."""
