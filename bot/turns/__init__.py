"""A turn: one event handled whole, in one transaction, by one process at a time."""
