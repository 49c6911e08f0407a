"""The words of the languages, and what reads them as words alone."""
