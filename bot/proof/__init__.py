"""Proof of what was filed and decided: a record as it was at any time, dossiers of many, and who read them."""
