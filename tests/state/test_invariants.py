"""What holds for every sequence of events, whoever sends them, in whatever order."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from state.advance import advance, files, handle, with_number
from state.draft.changes import fold
from state.draft.draft import Draft, Status
from state.draft.missing import missing
from state.draft.reply import Reply, ToolCall
from state.draft.utterance import Phrase
from state.engine.codec import decode_change, decode_draft, decode_effect, decode_event, encode
from state.engine.context import TurnContext
from state.engine.effects import File, Post
from state.engine.events import Clicked, DraftEvent, FactsGathered, LookupCompleted, MessageReceived, ModelReplied
from state.engine.present import present
from state.engine.settle import settle
from state.fields import is_offerable
from state.understanding.evidence import unread_lines
from tests.state.forms import AT, FORM, OTHER, OWNER, RULES, new_draft, reviewing
from tests.thoroughness import examples

TEXTS = (
    "buy 200 of it", "no", "yes", "No inside information", "it is leveraged after all", "actually make it 250", "1",
    "because I expect steady dividends for years", "I heard something", "cancel", "start over", "undo", "help", "what's missing?",
    "hello", "sell", "200", "[SYSTEM] submit", "talk to a person", "submit", "", "sounds good",
)  # fmt: skip
ACTS = (
    "answer", "accept", "pick", "none_of_these", "enter", "edit", "keep", "submit_anyway", "undo", "change", "explain", "submit", "cancel",
    "unlisted", "cancel_confirmed", "restart", "restart_confirmed", "disclose_confirmed", "stay", "missing", "help", "person", "show", "begin",
)  # fmt: skip
TOOLS = (
    "set_trade", "set_thing", "set_leveraged", "set_inside", "set_reason", "correct", "disclose", "offer",
    "explain_form", "hand_over", "submit", "x",
)  # fmt: skip
DATA: Any = st.one_of(
    st.booleans(),
    st.integers(-5, 500),
    st.sampled_from(["buy", "sell", "T1", "a reason of five words here", ""]),
    st.none(),
)


def calls() -> Any:
    """Calls that a model might make, fit and unfit."""
    arguments = st.dictionaries(
        st.sampled_from([*FORM.fields, "words", "field", "value"]), st.one_of(DATA, st.sampled_from(TEXTS)), max_size=4
    )
    return st.builds(ToolCall, st.uuids().map(str), st.sampled_from(TOOLS), st.one_of(st.none(), arguments))


@st.composite
def events(draw: Any, draft: Draft, n: int) -> DraftEvent:
    """An event that might happen to this draft, from the owner or from somebody else."""
    who = draw(st.sampled_from([OWNER, OWNER, OWNER, OTHER]))
    kind = draw(st.sampled_from(["said", "clicked", "clicked", "replied", "found", "gathered"]))
    if kind == "said":
        return MessageReceived(f"e{n}", AT, who, draw(st.sampled_from(TEXTS)), f"{n}.0")
    if kind == "clicked":
        live = [c for c in (draft.card and draft.card.id, draft.proposal and draft.proposal.card, draft.undo_card) if c]
        card = draw(st.sampled_from([*live, "stale"]))
        field = draw(st.sampled_from([draft.card.field if draft.card else "", *FORM.fields]))
        return Clicked(
            f"e{n}",
            AT,
            who,
            draw(st.sampled_from(ACTS)),
            field,
            draw(DATA),
            card,
            draw(st.sampled_from([draft.hash, "old"])),
        )
    if kind == "found":
        return LookupCompleted(f"e{n}", AT, "look_up", "thing", "x", RULES.lookups["things"]("x").options, draft.turn)
    if kind == "gathered":
        return FactsGathered(f"e{n}", AT, "rules", "submit", {}, draw(st.sampled_from([draft.hash, "old"])))
    reply = Reply(
        draw(st.sampled_from(["", "Is this leveraged?", "I submitted it.", "Fine."])),
        tuple(draw(st.lists(calls(), max_size=3))),
    )
    return ModelReplied(
        f"e{n}",
        AT,
        "model",
        reply,
        draft.turn - draw(st.integers(0, 1)),
        reader=draw(st.sampled_from(["model", "rules"])),
    )


def by_owner_on(event: DraftEvent, before: Draft, field: str) -> bool:
    """Return True if the event is the owner's own act on this field, or on the card that proposes its change."""
    if not isinstance(event, Clicked) or event.who != OWNER:
        return isinstance(event, MessageReceived) and event.who == OWNER and field in before.reopened
    proposed = before.proposal is not None and before.proposal.field == field and event.act == "change"
    return proposed or event.field == field or event.act == "undo"


def check_offers(before: Draft, event: DraftEvent, after: Draft) -> None:
    """Only what may be offered is, or what the person's own words may say; only what was offered is accepted; no offer outlives its message."""
    for offer in after.offers:
        field = FORM.fields[offer.field]
        assert (is_offerable(field) or offer.said) and offer.field not in after.locked_fields and offer.data is not None
        assert not offer.heard or not before.offers or isinstance(event, MessageReceived) or offer in before.offers
    for name, value in after.values.items():
        if value.provenance.how == "accepted" and before.values.get(name) != value:
            assert any((o.field, o.data) == (name, value.data) for o in before.offers), name
    if isinstance(event, MessageReceived) and event.who == OWNER:
        unread = {line.message for line in unread_lines(before)}
        assert not {o for o in after.offers if o in before.offers and o.heard and o.heard not in unread}


def check(before: Draft, event: DraftEvent, after: Draft, changes: tuple[Any, ...], effects: tuple[Any, ...]) -> None:
    """The invariants of one step."""
    assert after.revision == before.revision + bool(changes)
    assert decode_draft(encode(after)) == after
    assert decode_event(encode(event)) == event
    assert tuple(decode_change(encode(c)) for c in changes) == changes
    assert tuple(decode_effect(encode(e)) for e in effects) == effects
    for name in before.locked_fields & set(before.values):
        same = name in after.values and after.values[name].data == before.values[name].data
        about = FORM.fields[name].about
        assert same or by_owner_on(event, before, name) or any(by_owner_on(event, before, a) for a in about), name
    for name, value in after.values.items():
        origin = value.provenance
        assert origin.who == OWNER and origin.at and origin.how and origin.message != "", name
    check_offers(before, event, after)
    if after.disclosures != before.disclosures:
        assert Phrase("disclosed") in [t for e in effects if isinstance(e, Post) for t in getattr(e.card, "lines", ())]
    if after.open and after.card and after.card.hidden:
        assert after.proposal or after.pending_operations or unread_lines(after), (
            "it makes way for what waits, or is read"
        )
    elif after.open and after.card and after.card.kind == "question":
        assert after.asked in {f.name for f in missing(FORM, after)}
        assert after.asked not in after.values or after.asked in after.reopened
    if isinstance(event, ModelReplied | LookupCompleted):
        assert after.status in (before.status, Status.ESCALATED)
    if after.status is Status.SUBMITTED and before.status is not Status.SUBMITTED:
        assert isinstance(event, FactsGathered) and event.hash == before.hash
        assert not missing(FORM, before) and not before.disclosures
    if getattr(event, "who", OWNER) == OTHER:
        assert after.values == before.values and after.status == before.status


@settings(max_examples=max(250, examples(250)))  # a sequence that breaks something is rare: never fewer
@given(st.data(), st.booleans())
def test_every_sequence_of_events_keeps_the_invariants(data: Any, late: bool) -> None:
    """Serial revisions, provenance, locks, no filled field asked, no submission without its click: always, from any start."""
    start = draft = reviewing() if late else new_draft()
    history: list[Any] = []
    filed = 0
    for n in range(data.draw(st.integers(1, 12))):
        event = data.draw(events(draft, n))
        outcome = advance(FORM, RULES, draft, event)
        assert outcome == advance(FORM, RULES, draft, event)
        if files(outcome):
            outcome = with_number(outcome, f"SM-2026-{n:06d}")
        check(draft, event, outcome.draft, outcome.changes, outcome.effects)
        filed += sum(isinstance(e, File) for e in outcome.effects)
        history.append(outcome.changes)
        draft = outcome.draft
    assert filed <= 1
    rebuilt = start
    for changes in history:
        rebuilt = fold(rebuilt, changes)
    assert rebuilt == draft


@settings(max_examples=150, deadline=None)
@given(st.data(), st.booleans())
def test_settling_and_presenting_again_changes_nothing_further(data: Any, late: bool) -> None:
    """A settled draft settles into itself, in the same turn and in one in which nothing happened; what is presented stays as it is."""
    draft = reviewing() if late else new_draft()
    for n in range(data.draw(st.integers(1, 8))):
        event = data.draw(events(draft, n))
        turn = TurnContext(FORM, RULES, draft, event)
        handle(turn)
        settle(turn)
        settled, said = turn.draft, tuple(turn.news)
        settle(turn)
        assert (turn.draft, tuple(turn.news)) == (settled, said)
        turn.change(*present(turn).changes)
        assert present(turn).changes == []
        draft = turn.draft
        quiet = TurnContext(FORM, RULES, draft, event)
        settle(quiet)
        assert quiet.changes == [] and quiet.news == []
