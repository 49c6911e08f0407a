"""Anchors the evidence outside the database: a file of signed heads, and a line a day in the operators' channel."""
