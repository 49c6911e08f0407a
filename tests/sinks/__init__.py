"""Records that leave: to webhooks and folders."""
