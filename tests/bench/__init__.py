"""`make bench`: every figure of speed and size beside its bare peer, measured through the door in one run."""
