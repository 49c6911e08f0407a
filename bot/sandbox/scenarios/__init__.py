"""Plays a workflow's scenarios through the local Slack, as a person would hold them."""
