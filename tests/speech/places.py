"""Where a model may speak: drafts of the shipped forms at every place, and what a person is shown of a reply there."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Literal

from blocks.cards import build_card
from state.advance import advance, begin
from state.draft.draft import ChatLine, Draft, OpenCard, Provenance, Status, Value, with_record
from state.draft.reply import Reply
from state.engine.effects import Effect, Post, Repaint
from state.engine.events import ModelReplied
from state.form.field import Data
from state.workflow.load import Workflow
from tests.shipped import shipped

AT = "2026-11-20T12:00:00+00:00"
OWNER = "U0ALEX"
ORIGIN = Provenance(OWNER, AT, "clicked", "card")
FORMS = ("pa_dealing", "expenses", "vehicle_case", "loan", "requirements", "gifts", "reimbursement")
WORKFLOWS: Mapping[str, Workflow] = {name: shipped(name) for name in FORMS}
SAID = {
    "pa_dealing": "well, all this is new to me",
    "expenses": "well, hello there",
    "vehicle_case": "pues no sé qué decirle",
    "loan": "non saprei che cosa dirLe",
    "requirements": "it takes ages, honestly",
    "gifts": "well, what can I say",
    "reimbursement": "well, what can I say",
}
GIVEN: Mapping[str, Mapping[str, Data]] = {
    "pa_dealing": {"security": "GB00BLGZ9862", "direction": "buy", "quantity": 200, "value": "720.00", "currency": "GBP", "is_leveraged": False},
    "expenses": {},
    "vehicle_case": {"brand": "Seat", "model": "León"},
    "loan": {"consent_contract": True, "consent_sensitive": True},
    "requirements": {"document": "feature", "name": "Monthly list"},
    "gifts": {"direction": "received"},
    "reimbursement": {},
}  # fmt: skip
Place = Literal["words", "click", "last", "review", "submitted", "cancelled", "escalated"]
PLACES: tuple[Place, ...] = ("words", "click", "last", "review", "submitted", "cancelled", "escalated")


@cache
def draft_at(name: str, place: Place) -> Draft:
    """A draft of the form at a place: half answered, all but one text, at its review, or closed."""
    form = WORKFLOWS[name].form
    fresh = begin(form, "d1", "T1", OWNER, "T1:D1:", AT)
    given = {n: d for n, d in GIVEN[name].items() if n in form.fields}
    if place in ("last", "review", "submitted", "escalated") and name == "pa_dealing":
        given |= _rest_of_dealing(place != "last")
    values = {n: Value(d, ORIGIN) for n, d in given.items()}
    asked = "" if place == "review" else next((n for n in form.fields if n not in values), "")
    card = OpenCard("d1-q", "review" if place == "review" else "question", asked)
    status = Status(place) if place in ("submitted", "cancelled", "escalated") else Status.OPEN
    line = ChatLine("user", "[clicked] Yes", clicked=True) if place == "click" else ChatLine("user", SAID[name], "m1")
    return with_record(
        replace(
            fresh,
            values=values,
            asked=asked,
            card=card,
            status=status,
            window=(line,),
            turn=3,
            shown_turn=3 if place == "click" else 2,
            revision=5,
        ),
        number="XX-2026-000001" if place == "submitted" else "",
    )


def _rest_of_dealing(all_of_it: bool) -> dict[str, Data]:
    flags = dict.fromkeys(
        ("is_derivative", "is_leveraged", "has_inside_info", "is_related_party", "has_client_conflict"), False
    )
    text = {"justification": "to spread my pension over more sectors"} if all_of_it else {}
    return {"account": "my ISA", **flags, "holding_period_ack": True, **text}


def answered(name: str, place: Place, *replies: Reply) -> tuple[Draft, list[Effect]]:
    """The draft and all effects after the model's replies: the second is the answer to being asked once more."""
    workflow, draft = WORKFLOWS[name], draft_at(name, place)
    effects: list[Effect] = []
    purpose: Literal["lead_in", "understand"] = "lead_in" if place == "click" else "understand"
    for step, reply in enumerate(replies, 1):
        event = ModelReplied(
            f"e{step}", AT, "model", reply, draft.turn, step, (), purpose, "claude-test", regenerated=step > 1
        )
        outcome = advance(workflow.form, workflow.rules, draft, event)
        draft = outcome.draft
        effects += outcome.effects
    return draft, effects


def shown(name: str, draft: Draft, effects: list[Effect]) -> str:
    """Every text on the cards that were put up or painted anew."""
    cards = [e for e in effects if isinstance(e, Post | Repaint)]
    built = (build_card(WORKFLOWS[name].form, draft, e.card, e.id, "2026-11-20") for e in cards)
    return "\n".join(text for message in built for text in (message.text, *texts(list(message.blocks))))


def texts(thing: Any) -> Iterator[str]:
    """Every text in a block."""
    if isinstance(thing, Mapping):
        thing = list(thing.values())
    if isinstance(thing, list | tuple):
        for part in thing:
            yield from texts(part)
    elif isinstance(thing, str):
        yield thing
