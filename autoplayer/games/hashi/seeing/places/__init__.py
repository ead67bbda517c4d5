"""Islands: where they are, which numbers they show, and which are covered, complete, or cut off by the edge."""
