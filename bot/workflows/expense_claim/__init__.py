"""Expense claims: open expenses put before a manager, with a number."""
