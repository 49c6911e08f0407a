"""Counters and gauges for Prometheus. Labels come from closed lists: no person, no words, no ids."""

from prometheus_client import Counter, Gauge, Histogram

SECONDS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800)

TURNS = Counter("holdfast_turns", "Events handled whole.", ["event", "form"])
REJECTIONS = Counter("holdfast_rejections", "Tool calls that the guards refused, by reason.", ["form", "reason"])
FEEDBACK = Counter("holdfast_feedback", "What people think of a model's words, good or bad.", ["form", "verdict"])
ACTS = Histogram(
    "holdfast_act_seconds", "From an event's receipt to its turn (handled), from there to Slack (posted).", ["stage"],
    buckets=SECONDS,
)  # fmt: skip
MODEL_CALLS = Counter("holdfast_model_calls", "Model calls, by what came of them.", ["outcome"])
MODEL_TOKENS = Counter("holdfast_model_tokens", "Tokens of model calls.", ["kind"])
MODEL_COST = Counter("holdfast_model_cost_usd", "Dollars of model calls, for models whose price is known.")
PERFORMED = Counter("holdfast_performed", "Rows of the outbox that were performed.", ["kind"])
DELIVERIES = Counter("holdfast_deliveries", "Rows of the outbox, by what came of a try.", ["kind", "outcome"])
LIMITED = Counter("holdfast_limited", "Calls that Slack refused for their rate.", ["method"])
SLACK_CALLS = Counter("holdfast_slack_calls", "Calls of Slack's Web API, by what came of them.", ["outcome"])
FAILED = Counter("holdfast_failed", "Rows that failed once; dead ones will not be tried again.", ["queue", "dead"])
CHATS = Counter("holdfast_chats", "Requests to /chat, by status.", ["status"])
SINK_DELIVERIES = Counter(
    "holdfast_sink_deliveries", "Tries to deliver to a sink, by what came of them.", ["sink", "outcome"]
)
SINK_AWAY = Gauge("holdfast_sink_away", "1 while a sink takes nothing.", ["sink"])
DEPTH = Gauge("holdfast_queue_depth", "Rows that are due now.", ["queue", "lane"])
HELD = Gauge("holdfast_queue_held", "Rows among them that wait behind something blocked.", ["queue", "lane"])
OLDEST = Gauge("holdfast_queue_oldest_seconds", "How long the oldest of the others has been due.", ["queue", "lane"])
STUCK = Gauge("holdfast_stuck", "Rows that cannot be delivered or handled now.", ["queue", "status", "reason"])
SLACK_CONNECTED = Gauge("holdfast_slack_connected", "1 while Slack takes what is sent, and events can come.")
READY = Gauge("holdfast_ready", "1 while a check of readiness holds.", ["check"])
