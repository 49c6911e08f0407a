"""What an answer may be, in its canonical form."""

Data = str | bool | int | tuple[str, ...]
"""A value in its canonical form: "2026-11-20", "720.00", "GBP", "GB00BLGZ9862", True, 200, ("exhaust", "mirrors")."""
