"""Where frames come from and where gestures go: the desktop, a recording; the guard. Knows no game."""
