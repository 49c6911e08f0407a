"""Fixtures that more than one subject needs."""
