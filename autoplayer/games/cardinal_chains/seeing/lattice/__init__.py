"""Where the rows and columns are: lattices grown from what looks alike, ranked, and told from what is beside them."""
