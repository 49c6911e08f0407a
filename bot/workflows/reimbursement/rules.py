"""Expense claims: which of a person's open expenses there are to claim, and what a claim holds."""

from state.rules import Rules

from .claims import file, open_expenses

rules = Rules(version="1", own_lookups={"open_expenses": open_expenses}, file=file)
