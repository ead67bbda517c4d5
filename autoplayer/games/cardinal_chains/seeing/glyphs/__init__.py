"""What stands in one place: a number, a start, a mark, or nothing."""
