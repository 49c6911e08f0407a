"""`POST /chat`: operations over HTTP, by the same prompts, guards, gate and service as in Slack."""
