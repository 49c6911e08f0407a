"""What Slack's side saw, held against the invariants that concern the screen: who reads what, what stands there, what follows an act."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.chaos.stored import Happened, Json, Seen
from tests.world import words_of

ACTS = frozenset({"MessageReceived", "Clicked", "DecisionMade", "ReportMade", "CaseJudged"})
SILENT = frozenset({"box_closed", "feedback"})
"""Clicks that want no answer."""
SHOWN = frozenset({"post", "repaint", "whisper", "attach", "forward", "notice"})
SOON = timedelta(minutes=1)
"""Lines that follow each other within this time may be read, and answered, together."""
FOUND = timedelta(seconds=5)
"""Time enough for what has come due to be found and done."""
LONG = 20
"""Characters from which on words tell whose they are: buttons and help say what is shorter."""
NUMBER = re.compile(r"\b[A-Z]{2,6}-\d{4}-\d{6}\b")


def private(seen: Seen) -> Iterator[str]:
    """Nobody who is no reviewer reads what another said, in messages to them alone or at their Home."""
    said: dict[str, set[str]] = {}
    for _, one in seen.happened:
        if one.kind == "MessageReceived" and len(one.said["text"]) >= LONG:
            said.setdefault(one.who, set()).add(one.said["text"])
    for who, shown in seen.shown_to.items():
        own = "\n\n".join(said.get(who, ()))  # of several lines one may be what another person said as well
        for other, texts in said.items():
            theirs = [text for text in texts if other != who and text not in own and text in shown]
            yield from (f"{who} reads what {other} said." for _ in theirs)


def posted_once(seen: Seen) -> Iterator[str]:
    """Nothing is on screen twice."""
    marks = Counter(m["metadata"]["event_payload"]["key"] for _, m in seen.lines if m.get("metadata"))
    yield from (f"{key} was posted {n} times." for key, n in marks.items() if n > 1)


def true_screen(seen: Seen) -> Iterator[str]:
    """Once all is over, each message shows what was painted last on it, and the open card is on screen."""
    if not (seen.over and seen.slack):
        return
    screen = {(channel, message["ts"]): message for channel, message in seen.lines}
    places = {row["card"]: (row["channel"], row["ts"]) for row in seen.rows["posts"] if not row["gone"]}
    for story in seen.stories:
        card = story.body["card"] or {}
        if story.body["status"] == "open" and card and not card["hidden"] and card["id"] not in places:
            yield f"draft {story.name}: its open card was never posted."
    newest = {row["body"]["card"]: row for row in seen.outgoing if _painted(row) and row["body"]["card"] in places}
    for card, row in newest.items():
        message = screen.get(places[card])
        if message and row["status"] == "done" and words_of(message.get("blocks")) != words_of(row["body"]["blocks"]):
            yield f"the message of card {card} does not show what was painted on it last."


def _painted(row: Json) -> bool:
    return (
        row["kind"] in ("post", "repaint") and bool(row.get("body", {}).get("card")) and row["status"] != "superseded"
    )


def no_secrets(seen: Seen) -> Iterator[str]:
    """No token, key or word of a person's is in the log."""
    slack = seen.slack
    secrets = {slack.bot_token, slack.app_token, slack.signing_secret} if slack else set()
    said = {
        one.said["text"] for _, one in seen.happened if one.kind == "MessageReceived" and len(one.said["text"]) >= LONG
    }
    yield from ("a secret is in the log." for one in secrets if one and one in seen.log)
    yield from ("what a person said is in the log." for text in said if text in seen.log)


def no_false_numbers(seen: Seen) -> Iterator[str]:
    """No number of a record is on screen that no record has."""
    known = {row["number"] for row in seen.rows["records"]}
    typed = {number for _, m in seen.lines if not m.get("bot_id") for number in NUMBER.findall(m.get("text", ""))}
    for _, message in seen.lines:
        shown = (
            set(NUMBER.findall(words_of(message.get("blocks") or message.get("text", ""))))
            if message.get("bot_id")
            else set()
        )
        yield from (f"{number} is on screen, and no record has it." for number in shown - known - typed)


def delivered(seen: Seen) -> Iterator[str]:
    """What was to be delivered is delivered, superseded, expired, or before an operator."""
    for row in seen.outgoing:
        if seen.over and row["status"] in ("new", "unclear") and _moment(row["due_at"]) <= seen.now - FOUND:
            yield f"row {row['id']} of the outbox ({row['kind']}) is {row['status']} still."


def _moment(at: Any) -> datetime:
    at = at if isinstance(at, datetime) else datetime.fromisoformat(at)
    return at.replace(tzinfo=at.tzinfo or UTC)


def answered(seen: Seen) -> Iterator[str]:
    """Once all is over, something was shown in answer to each act of a person whom the bot talks with, or soon after it."""
    shown = {row["key"].rpartition("/")[0] for row in seen.outgoing if row["kind"] in SHOWN}
    answers = {_origin(key) for key in shown}
    for story in seen.stories if seen.over else ():
        later = datetime.max.replace(tzinfo=UTC)
        for one in reversed(story.events[1:]):
            at, answer = _moment(one.said["at"]), _origin(one.said["id"]) in answers
            if _wants_answer(one) and not answer and later - at > SOON:
                yield f"draft {story.name}, event {one.n} ({one.kind}) was followed by nothing on screen."
            later = at if one.said["id"] in shown or (answer and one.kind in ACTS) else later


def _wants_answer(one: Happened) -> bool:
    """Return True for an act, but one that says again what is answered so, or comes too late once more under the sentence that says it."""
    if one.kind not in ACTS or one.before["handed"] or one.said.get("act") in SILENT:
        return False
    if one.kind == "Clicked" and not one.changes and "out_of_date" in str((one.before["card"] or {}).get("lead_in")):
        return False
    held = one.before["values"].get(one.said.get("field"))
    same = held and str(held["data"]) == str(one.said["value"])  # a box says in words what is held as a number
    return not (one.kind == "Clicked" and same)


def _origin(key: str) -> str:
    return key.partition("/")[0]
