"""Golden transcripts: for each game, puzzles with their deductions, solution and gestures, as plain text."""
