"""How a conversation behind an alert is called: its draft, its record, how often, since when. Nothing of it says who."""

from datetime import datetime

from bot.report.metrics import Alert
from state.stores.figures import Behind, Conversation


def named(conversation: Conversation, now: datetime) -> str:
    """ "3f2a90c1d2e4 EXP-2026-000001 ×2, 12 days ago"."""
    times = f" ×{conversation.times}" if conversation.times > 1 else ""
    return f"{called(conversation)}{times}{_ago(conversation.at, now)}"


def called(conversation: Conversation) -> str:
    """Its name, and its record's."""
    return f"{conversation.name} {conversation.record}".strip()


def unnamed(behind: Behind, shown: int) -> str:
    """ "and 5 more"; empty where all are named."""
    more = behind.count - shown
    return f"and {more} more" if more > 0 else ""


def about(alert: Alert) -> str:
    """ "vehicle_case · Idempotent finalisations: 21.0 % (alert > 5.0 %, roll back ≥ 20.0 %)"."""
    first = alert.metrics[0]
    rules = ", ".join(f"{metric.act} {metric.rule}" for metric in alert.metrics)
    return f"{alert.figures.form} · {first.name}: {first.shown(first.measure(alert.figures))} ({rules})"


def _ago(at: datetime | None, now: datetime) -> str:
    if at is None:
        return ""
    days = (now - at).days
    return ", today" if days < 1 else f", {days} day{'' if days == 1 else 's'} ago"
