"""Talk to Slack: listeners take what it sends, the rest of the room sends what is due."""
