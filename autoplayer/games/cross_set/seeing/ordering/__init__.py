"""Which candidate of a cell is active, and in which order clicks bring up the others."""
