"""Single glyphs and numbers: classifying digits, segmenting numbers, and recognising marks that are no digits."""
