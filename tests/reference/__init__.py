"""Reference data that comes in from files of an operator."""
