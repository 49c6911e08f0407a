"""A person's rights over their data: to read all of it, to have it erased, and to have it go by itself in time."""
