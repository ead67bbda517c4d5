"""What is wall and what is air, by edges, colours, lines and whole cells; and what is the ground around the tiles."""
