"""A small form with one field of every manner, and drafts of it."""

from dataclasses import replace
from typing import Any

from state.advance import advance, begin
from state.draft.draft import ChatLine, Draft, OpenCard, Option, Provenance, Value
from state.draft.reply import Reply, ToolCall
from state.engine.events import Clicked, DraftEvent, FactsGathered, LookupCompleted, MessageReceived, ModelReplied
from state.engine.offers import RULES as READER
from state.engine.unread import read_fresh
from state.fields.base import Context
from state.form import Choice, Field, Form
from state.form.field import Condition
from state.rules import Filing, Grade, Results, Rules

AT = "2026-11-20T12:00:00+00:00"
OWNER, OTHER = "U0ALEX", "U0DANA"


def grade(text: str) -> Grade:
    """Compliance words are off topic; five words are a reason."""
    if any(word in text.casefold() for word in ("inside info", "compliance")):
        return Grade.OFF_TOPIC
    return Grade.GOOD if len(text.split()) >= 5 else Grade.BRIEF


FIELDS = {
    "thing": Field(name="thing", kind="lookup", label="Thing", ask="Which thing?", lookup="things", lock="confirmed", words=("thing",)),
    "side": Field(
        name="side", kind="choice", label="Side", ask="Buy or sell?", tool="trade", lock="clicked", words=("side",),
        choices=(Choice(value="buy", label="Buy", words=("purchase",)), Choice(value="sell", label="Sell")),
    ),
    "quantity": Field(
        name="quantity", kind="integer", label="Quantity", ask="How many?", tool="trade", minimum=1, unit="shares", words=("quantity",)
    ),
    "leveraged": Field(
        name="leveraged", kind="yes_no", label="Leveraged product", ask="Is this leveraged?", help="Debt makes it move more.",
        lock="answered", words=("leveraged", "leverage"),
    ),
    "why_leveraged": Field(
        name="why_leveraged", kind="text", label="Reason for leverage", ask="Why leveraged?", when=Condition(all={"leveraged": (True,)})
    ),
    "inside": Field(
        name="inside", kind="yes_no", label="Inside information", ask="Do you hold inside information about {thing}?",
        help="Precise and not public.", lock="answered", words=("inside information", "inside info"), worse=True,
        disclosure=("heard something",), about=("thing",),
    ),
    "reason": Field(
        name="reason", kind="text", label="Reason", ask="Why this trade?", grade="reason", lock="good", before=("because",), words=("reason",)
    ),
}  # fmt: skip
FORM = Form(name="small", title="Small form", version="1", prefix="SM", fields=FIELDS, words=("buy", "sell"))
RULES = Rules(
    lookups={"things": lambda query: Results((Option("T1", f"Thing {query}"),))},
    graders={"reason": grade},
    file=lambda draft, facts: Filing("received"),
)


def new_draft() -> Draft:
    """An empty draft."""
    return begin(FORM, "d1", "T1", OWNER, "T1:D1:", AT)


def value(data: Any, how: Any = "clicked", **more: Any) -> Value:
    """A value of the owner's."""
    return Value(data, Provenance(OWNER, AT, how, "1.1", str(data)), **more)


def told(draft: Draft, *texts: str) -> Draft:
    """The draft after the person said these things."""
    lines = tuple(ChatLine("user", text, f"1.{n}") for n, text in enumerate(texts))
    return replace(draft, window=(*draft.window, *lines))


def filled(draft: Draft, locked: tuple[str, ...] = (), **values: Any) -> Draft:
    """The draft with values, some of them locked."""
    given = {name: v if isinstance(v, Value) else value(v) for name, v in values.items()}
    return replace(draft, values={**draft.values, **given}, locked_fields=draft.locked_fields | set(locked))


def asking(draft: Draft, field: str) -> Draft:
    """The draft with this field's question open."""
    return replace(draft, asked=field, card=OpenCard(f"card-{field}", "question", field))


WHOLE = {
    "thing": "T1", "side": "buy", "quantity": 200, "leveraged": False, "inside": False,
    "reason": Value("I expect steady dividends for years", Provenance(OWNER, AT, "read", "1.1", "x"), grade="good"),
}  # fmt: skip


def reviewing() -> Draft:
    """A draft with every answer and its review card open."""
    draft = filled(new_draft(), ("leveraged", "inside", "reason", "thing"), **WHOLE)
    return replace(draft, card=OpenCard("card-review", "review", hash=draft.hash))


def replied(draft: Draft, *calls: ToolCall, text: str = "", **more: Any) -> ModelReplied:
    """A model's reply to the draft's present turn."""
    return ModelReplied("r1", AT, "model", Reply(text, calls), draft.turn, reader="model", **more)


def call(tool: str, **arguments: Any) -> ToolCall:
    """A tool call."""
    return ToolCall("c1", tool, arguments)


def said(text: str, who: str = OWNER) -> MessageReceived:
    """A message."""
    return MessageReceived("s1", AT, who, text, "2.1")


def click(act: Any, who: str = OWNER, **more: Any) -> Clicked:
    """A click."""
    return Clicked("k1", AT, who, act, **more)


def gathered(draft: Draft) -> FactsGathered:
    """The facts for a submission of what the review showed."""
    return FactsGathered("g1", AT, "rules", "submit", {}, draft.hash)


def found(draft: Draft) -> LookupCompleted:
    """One search result."""
    return LookupCompleted("f1", AT, "look_up", "thing", "x", (Option("T1", "Thing x"),), draft.turn)


def after(draft: Draft, event: DraftEvent, **options: Any) -> Draft:
    """The draft after an event."""
    return advance(FORM, RULES, draft, event, **options).draft


def by_rules(draft: Draft, turn: int | None = None) -> ModelReplied:
    """The rule-based reader's reply to the call of a turn, the present one if none is named."""
    reply = read_fresh(FORM, draft, Context(FORM.language, AT[:10]))
    return ModelReplied(f"r{draft.revision}", AT, "model", reply, draft.turn if turn is None else turn, reader=READER)
