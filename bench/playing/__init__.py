"""How quick and how quiet the session is, against the bundled window on a display of its own."""
