"""What is counted for Prometheus. Labels come from closed lists: no person, no words, no ids."""

from prometheus_client import Counter

TURNS = Counter("holdfast_turns", "Events handled whole.", ["event", "form"])
MODEL_CALLS = Counter("holdfast_model_calls", "Model calls, by what came of them.", ["outcome"])
MODEL_TOKENS = Counter("holdfast_model_tokens", "Tokens of model calls.", ["kind"])
PERFORMED = Counter("holdfast_performed", "Rows of the outbox that were performed.", ["kind"])
LIMITED = Counter("holdfast_limited", "Calls that Slack refused for their rate.", ["method"])
FAILED = Counter("holdfast_failed", "Rows that failed once; dead ones will not be tried again.", ["queue", "dead"])
CHATS = Counter("holdfast_chats", "Requests to /chat, by status.", ["status"])
DELIVERIES = Counter("holdfast_deliveries", "Rows of the outbox, by what came of a try.", ["kind", "outcome"])
SLACK_CALLS = Counter("holdfast_slack_calls", "Calls of Slack's Web API, by what came of them.", ["outcome"])
