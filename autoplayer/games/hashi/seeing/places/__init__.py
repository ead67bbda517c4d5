"""Islands: where they are, what numbers they show, and what is covered, complete, or cut off by the edge."""
