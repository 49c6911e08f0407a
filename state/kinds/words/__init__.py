"""Text as words: tokens with their places, tables of phrases, clauses, and what a field is called."""
