"""A local Slack: Web API, Socket Mode and a web page, so that a bot runs and is tested without a workspace."""
