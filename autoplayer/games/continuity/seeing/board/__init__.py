"""Where the tiles of a board are in a picture, where their rooms begin and end, and which place is empty."""
