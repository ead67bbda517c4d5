"""Pictures of boards in windows that nobody has drawn, and how well readers read them."""
