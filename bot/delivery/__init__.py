"""Performs what turns wrote to the outbox: posts, model calls, look-ups."""
