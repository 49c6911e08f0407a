"""Expenses: said in a line, confirmed by a click where something was worked out."""
