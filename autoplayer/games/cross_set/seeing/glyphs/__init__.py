"""Single glyphs and numbers: which digit they are, how they are parted, and what is no digit at all."""
