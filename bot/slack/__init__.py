"""Talk to Slack: one client, one budget, one table of errors; post, repaint, and know whom one talks to."""
