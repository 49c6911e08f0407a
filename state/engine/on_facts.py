"""The facts are in (Gathered): a submission is judged and filed, a command is answered, a profile fills what it knows."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from state.draft.changes import Counted, Locked, UndoKept, ValueSet
from state.draft.decisions import ASK
from state.draft.missing import missing, reachable
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine.acts import count_failure, tell
from state.engine.cards import Notice, Receipt
from state.engine.codec import encode
from state.engine.context import Alone, Next, TurnContext
from state.engine.effects import Announce, Attach, File
from state.engine.events import FactsGathered
from state.engine.filing import filed
from state.engine.last_time import on_last_time
from state.engine.route import NOBODY, acts_at, open_docket
from state.engine.transitions import move, submitting_way
from state.engine.values import make_value
from state.fields import kind_of
from state.fields.base import Unreadable
from state.rules import Filing

MY_REQUESTS, LISTED = "my_requests", 10
"""The command that every form answers, and how many requests it names."""


def on_facts(turn: TurnContext, event: FactsGathered) -> None:
    """Facts are used for what they were asked for, and only if the draft is still what it was."""
    if event.purpose == "command":
        _command(turn, event)
    elif event.purpose == "profile":
        _from_profile(turn, event)
    elif event.purpose == "again":
        on_last_time(turn, event)
    elif turn.draft.open:
        _submit(turn, event)


def _submit(turn: TurnContext, event: FactsGathered) -> None:
    count_failure(turn, event.failed)
    if turn.handed:
        turn.present(Next())
    elif event.failed:
        turn.change(Counted("submissions_failed", turn.draft.submissions_failed + 1))
        turn.present(Next((Phrase("error_sorry"),)))
    elif _as_reviewed(turn, event):
        _file(turn, event)
    else:
        turn.present(Next((Phrase("out_of_date"),)))


def _as_reviewed(turn: TurnContext, event: FactsGathered) -> bool:
    """Whether the draft is what the confirmed review showed."""
    draft, card = turn.draft, turn.draft.card
    reviewed = card is not None and card.kind == "review" and event.hash == draft.hash
    return reviewed and not missing(turn.form, draft) and not draft.disclosures


def _file(turn: TurnContext, event: FactsGathered) -> None:
    """Everything locks, the record is stored, the review becomes its receipt. What came back to be answered stays the same record."""
    draft, filing = turn.draft, filed(turn.form, turn.rules, turn.draft, event.facts)
    review = draft.card.id if draft.card else ""
    turn.way = submitting_way(turn)
    move(turn, "submit")
    turn.change(*(Locked(name) for name in draft.values), UndoKept({}))
    ending = turn.form.stages[turn.way.to].ask if turn.way else ""
    body = {
        **record_body(turn),
        "reasons": list(filing.reasons),
        "computed": dict(filing.computed),
        "facts": dict(event.facts),
        "filed": as_told(filing, ending),
        **({"submission": 1 + sum(d.verdict == ASK for d in draft.decisions)} if draft.record else {}),
    }
    state = turn.form.filing.states.get(filing.state, NOBODY)
    waits, longer = bool(state.withdraw), bool(state.extend and filing.until)
    acts = acts_at(turn.form, filing.state)
    shown = Receipt(draft.record, event.at, filing.state, filing.told, filing.until, ending, waits, longer, acts)
    turn.turn_into(review, shown)
    if draft.receipt:
        turn.turn_into(draft.receipt, Notice((Phrase("submitted_again", {"number": draft.record}),)))
    turn.do(File(filing.state, filing.reasons, review, body, draft.record))
    turn.do(*(Attach(f.name, f.title, f.text, f.data, alt=f.alt) for f in filing.files))
    if not open_docket(turn, filing, review) and filing.tell is not None:
        turn.do(Announce("record", filing.reasons, state=filing.state, to=filing.tell))


def as_told(filing: Filing, ending: str) -> dict[str, Any]:
    """What the person was told of the filing, so that they can read it again; `state` says how long it holds."""
    return {
        "state": filing.state,
        "told": list(filing.told),
        "until": filing.until,
        "ending": ending,
        "files": [file.name for file in filing.files],
    }


def _from_profile(turn: TurnContext, event: FactsGathered) -> None:
    """What the person's Slack profile says is not asked; it stays open to be corrected."""
    for field in reachable(turn.form, turn.draft):
        told = str(event.facts.get(field.profile) or "")
        if not field.profile or not told or field.name in turn.draft.values or not turn.draft.open:
            continue
        with suppress(Unreadable):
            data = kind_of(field).parse(field, told, turn.context)
            turn.change(ValueSet(field.name, make_value(turn, field, data, "rule", told, who="profile")))
    if turn.draft.card is not None and turn.draft.asked in turn.changed:
        turn.present(Next())


def record_body(turn: TurnContext) -> dict[str, Any]:
    """The answers with their provenance, disclosures, and the versions that judged them."""
    draft = encode(turn.draft)
    versions = {"form": turn.form.version, "rules": turn.rules.version}
    language = {"language": turn.draft.language} if turn.draft.language else {}
    return {"values": draft["values"], "disclosures": draft["disclosures"], "versions": versions, **language}


def _command(turn: TurnContext, event: FactsGathered) -> None:
    answer = turn.rules.commands.get(event.name)
    if answer is not None and not event.failed:
        told: tuple[Utterance, ...] = tuple(Verbatim(s) for s in answer(event.rest, event.facts))
    elif event.name == MY_REQUESTS and not event.failed:
        told = _requests(event.facts) or (Phrase("no_requests"),)
    else:
        tell(turn, Phrase("error_sorry" if event.failed else "not_understood"))
        return
    turn.present(Next(told) if turn.draft.open else Alone(told, ("begin",)))


def _requests(facts: Mapping[str, Any]) -> tuple[Utterance, ...]:
    """The newest requests of a form that has no words of its own for them, a line each."""
    names = ("number", "essence", "state_name", "filed_on")
    lines = ({name: str(request.get(name, "")) for name in names} for request in facts.get("requests", ())[:LISTED])
    return tuple(Phrase("request_line" if line["essence"] else "request_line_bare", line) for line in lines)
