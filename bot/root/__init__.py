"""The composition root: the one place that picks real stores, model and Slack client, and puts the bot together."""
