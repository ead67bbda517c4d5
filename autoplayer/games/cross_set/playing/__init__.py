"""What the player does: how a cell is turned, what has turned since, and a cursor moved by keys."""
