"""Perform what a turn asked for outside Slack's posts: look-ups, model calls, documents, operations, timers."""
