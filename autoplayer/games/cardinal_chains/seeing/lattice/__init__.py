"""The rows and columns of a board: lattices are grown from boxes that look alike, ranked, and separated from what
stands beside the board."""
