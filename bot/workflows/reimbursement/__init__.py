"""Reimbursement: open expenses put before a manager, with a number."""
