"""Where those who decide work: what waits for them, what they find, and what they are told of a week."""
