"""Takes the guards out one at a time and tells which tests fall: `python -m tests.mutants`."""
