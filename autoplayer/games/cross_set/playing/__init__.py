"""How the player acts on cells: moves that turn them, what has turned since the reading, and a cursor moved by keys."""
