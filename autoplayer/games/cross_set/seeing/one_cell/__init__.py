"""What stands in one cell: the ways to part its ink into numbers, weighed against each other."""
