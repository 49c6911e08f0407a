"""One form being filled in by one person: the draft, how it changes, and what it lacks."""
