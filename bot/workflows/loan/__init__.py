"""Loan pre-qualification for a credit broker, in Italian: its form, its rules, its figures and its scenarios."""
