"""A draft is filed once its facts are in (FactsGathered), by the form's own rules, and becomes a record, which moves by transitions."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from state.draft import route
from state.draft.changes import Counted, Locked, TurnBegun, UndoKept, ValueRetired
from state.draft.criteria import Case, Doubt, Sum
from state.draft.draft import Draft, Status
from state.draft.missing import missing
from state.draft.record import ASK, PendingDecision
from state.draft.record_changes import PendingDecisionSet, QueryAnswered, Receipted, RecordMoved
from state.draft.utterance import Phrase, Utterance
from state.engine.acts import count_failure
from state.engine.cards import DecisionCard, Notice, Receipt
from state.engine.codec import encode
from state.engine.context import Next, TurnContext
from state.engine.effects import OPERATORS, Amend, Announce, Attach, File, Remind, Repaint
from state.engine.events import FactsGathered, RoutingEvent
from state.engine.settle import move, submitting_way
from state.fields import kind_of
from state.fields.money import show_money
from state.form import Form
from state.form.filing import FilingRule, RecordState, is_decided
from state.language import language_of
from state.rules import Filing, Rules, received

SOURCES = "sources"
"""The fact that tells of the tables which an operator gave."""


def on_submit(turn: TurnContext, event: FactsGathered) -> None:
    """File the draft if it is open still, and what the confirmed review showed."""
    if not turn.draft.open:
        return
    count_failure(turn, event.failed)
    draft, card = turn.draft, turn.draft.card
    if turn.handed:
        turn.present(Next())
    elif event.failed:
        turn.change(Counted("submissions_failed", draft.submissions_failed + 1))
        turn.present(Next((Phrase("error_sorry"),)))
    elif (
        card is not None and card.kind == "review" and event.hash == draft.hash
        and not missing(turn.form, draft) and not draft.disclosures
    ):  # fmt: skip
        _file(turn, event, card.id)
    else:
        turn.present(Next((Phrase("out_of_date"),)))


def _file(turn: TurnContext, event: FactsGathered, review: str) -> None:
    """Lock everything, store the record, turn the review into its receipt. What came back to be answered stays the same record."""
    turn.change(TurnBegun())  # a model that still leads over to the review comes too late
    _send_reply(turn)
    draft, filing = turn.draft, filed(turn.form, turn.rules, turn.draft, event.facts)
    turn.way = submitting_way(turn)
    move(turn, "submit")
    turn.change(*(Locked(name) for name in draft.values), UndoKept({}))
    ending = turn.form.stages[turn.way.to].ask if turn.way else ""
    stored, lacking = encode(turn.draft), route.staffing(turn.form, turn.draft, filing.state, event.deciders)[1]
    body = {
        "values": stored["values"],
        "disclosures": stored["disclosures"],
        "versions": {"form": turn.form.version, "rules": turn.rules.version},
        **({"language": draft.language} if draft.language else {}),
        "reasons": list(filing.reasons),
        "computed": dict(filing.computed),
        "facts": dict(event.facts),
        # What the person was told, so that they can read it again.
        "filed": {
            "state": filing.state,
            "told": list(filing.told),
            "until": filing.until,
            "ending": ending,
            "files": [file.name for file in filing.files],
        },
        **({"nobody_decides": list(lacking)} if lacking else {}),
        **({"submission": 1 + sum(d.verdict == ASK for d in draft.filed.decisions)} if draft.filed.number else {}),
    }
    if draft.filed.receipt:
        turn.turn_into(draft.filed.receipt, Notice((Phrase("submitted_again", {"number": draft.filed.number}),)))
    turn.do(File(filing.state, filing.reasons, review, body, draft.filed.number))
    turn.do(*(Attach(f.name, f.title, f.text, f.data, alt=f.alt) for f in filing.files))
    if not begin_route(turn, filing, review) and filing.tell is not None:
        turn.do(Announce("record", filing.reasons, state=filing.state, to=filing.tell))
    turn.turn_into(review, receipt(turn, filing.told, ending))


def _send_reply(turn: TurnContext) -> None:
    """Put the owner's words beside the question that they answer: they are no answer of the form."""
    reply = turn.draft.values.get(route.REPLY)
    if reply is not None:
        turn.change(QueryAnswered(str(reply.data)), ValueRetired(route.REPLY, "sent"))


def filed(form: Form, rules: Rules, draft: Draft, facts: Mapping[str, Any]) -> Filing:
    """Return the filing. A state that rules.py gives wins; where it gives none, the form's rules say which."""
    own = Filing("") if rules.file is received else rules.file(draft, facts)
    made = own
    if not own.state:
        ruled = _by_rules(form, draft, facts)
        made = replace(
            ruled, reasons=(*ruled.reasons, *own.reasons), told=(*ruled.told, *own.told), computed=own.computed, files=own.files,
            background=own.background, kept=own.kept, tell=ruled.tell if own.tell == "" else own.tell,
        )  # fmt: skip
    # Tables that are older than they may be are named to the reviewers.
    late = (one for one in facts.get(SOURCES, {}).values() if one["late"])
    said = language_of(form.house.language).old_table
    old = (said.format(label=one["label"], days=one["days"], day=one["as_of"]) for one in late)
    return replace(made, background=(*made.background, *old))


def _by_rules(form: Form, draft: Draft, facts: Mapping[str, Any]) -> Filing:
    """Return the filing by the first rule that holds; "received" where none does."""
    rule, doubts, in_doubt = _first(form, draft, facts)
    why, said = (tuple(dict.fromkeys(_sentence(one, d) for d in doubts)) for one in (form.house, form))
    if rule is None:
        return Filing("received", why, told=said)
    words = "" if in_doubt else rule.reason if rule.told is None else rule.told
    sums = (_sum_sentence(form.house, Case(form, draft, facts=facts).sum(over)[1]) for over in rule.sums)
    tell = rule.tell if not isinstance(rule.tell, bool) else "" if rule.tell else None
    reasons, told = (tuple(filter(None, one)) for one in ((*why, rule.reason, *sums), (*said, words)))
    return Filing(rule.state, reasons, told=told, tell=tell)


def _sum_sentence(form: Form, found: Sum) -> str:
    """Name a sum to the reviewers; empty where no earlier record is in it."""
    if not found.records:
        return ""
    first = found.entries[0]
    money = show_money(f"{found.total:f}", first.currency, form.language)
    total = money if kind_of(first.field).money else f"{found.total:f}"
    said = language_of(form.language).summed
    return said.format(label=form.fields[first.field.name].label, total=total, records=", ".join(found.records))


def _first(form: Form, draft: Draft, facts: Mapping[str, Any]) -> tuple[FilingRule | None, tuple[Doubt, ...], bool]:
    """Return the rule that counts, what could not be compared, and True if only for that; doubt always leads to a person."""
    doubts: tuple[Doubt, ...] = ()
    passed: FilingRule | None = None
    for rule, holds, doubtful in _judged(form, draft, facts):
        doubts += doubtful
        settled = is_decided(form.filing, rule.state) is True
        if holds and settled and doubts:
            break
        if holds:
            return rule, doubts, bool(doubtful)
        if doubtful and not settled:
            passed = passed or rule
    return passed, doubts, True


def _judged(form: Form, draft: Draft, facts: Mapping[str, Any]) -> Iterator[tuple[FilingRule, bool, tuple[Doubt, ...]]]:
    """Yield each rule, True if it holds, and the doubts on which that hangs."""
    for rule in form.filing.rules:
        both = (True, False)
        held = {(a, b): Case(form, draft, a, b, facts).holds(rule) for a in both for b in both}
        usual = held[True, False]
        if len(set(held.values())) == 1:
            yield rule, usual, ()
        else:
            decided = is_decided(form.filing, rule.state)
            yield rule, usual if decided is None else not decided, tuple(Case(form, draft, facts=facts).doubts(rule))


def _sentence(form: Form, doubt: Doubt) -> str:
    language = language_of(form.language)
    said = language.other_currency if doubt.currency else language.no_currency
    said = language.earlier_currency if doubt.record else said
    told = {"currency": doubt.currency or "?", "limit": doubt.limit, "record": doubt.record}
    return said.format(label=form.fields[doubt.field.name].label, **told)


AGAIN, NAMED_AGAIN = timedelta(minutes=1), timedelta(hours=1)
"""How often it is looked up who decides: where nobody can, and where somebody is named who may be away later."""
DESK = 9
"""The number of the decision card among an event's cards: none of the conversation's gets so far."""


def decision_of(turn: TurnContext) -> RecordState:
    """Return which verdicts are wanted of a filed record; none while its owner has it."""
    return route.decision_wanted(turn.form, turn.draft) if turn.draft.status is Status.SUBMITTED else route.NOBODY


def state_of(turn: TurnContext) -> RecordState:
    """Return what the form says of the state that the record is in."""
    return (
        turn.form.filing.states.get(turn.filed.state, route.NOBODY)
        if turn.draft.status is Status.SUBMITTED
        else route.NOBODY
    )


def move_record(turn: TurnContext, to: str, on: str) -> None:
    """Move the record into another state; post the next decision card where that one waits for a verdict."""
    if turn.filed.pending.about:
        turn.do(Repaint(turn.filed.pending.card, DecisionCard(turn.filed.state)))
    turn.change(RecordMoved(to, on, turn.rules.until(turn.draft, to, turn.context.today)))
    turn.do(Amend(turn.filed.number, to, on))
    post_for_decision(turn, replace(turn.filed.pending, overdue="", named=(), lacking=()))


def post_for_decision(turn: TurnContext, pending: PendingDecision) -> None:
    """Post a decision card for the present state, if it waits for a verdict; the one before it no longer counts.

    It goes to whoever alone decides, else to the reviewers' channel. The operators are told where nobody can decide.
    """
    state, number = turn.filed.state, turn.filed.number
    card = turn.card_id(DESK) if turn.form.filing.waits(state) else ""
    found = turn.event.deciders if isinstance(turn.event, RoutingEvent) else {}
    if state in found:
        named, lacking = route.staffing(turn.form, turn.draft, state, found)
        pending = replace(pending, named=named, lacking=lacking)
    turn.change(PendingDecisionSet(replace(pending, card=card, about="")))
    if card:
        to = pending.named[0] if pending.named else pending.channel
        turn.do(Announce("record", pending.reasons, number, state, to, id=card), *look_again(turn))
    if pending.lacking:
        turn.do(Announce("nobody", pending.lacking, number, to=OPERATORS))


def look_again(turn: TurnContext) -> Iterator[Remind]:
    """Yield the timer after which it is looked up again who decides, where nobody can or somebody is named."""
    pending = turn.filed.pending
    if pending.lacking or pending.named:
        pause = AGAIN if pending.lacking else NAMED_AGAIN
        at = (datetime.fromisoformat(turn.event.at) + pause).isoformat()
        yield Remind("deciders", at, turn.filed.state, pending.card)


def begin_route(turn: TurnContext, filing: Filing, receipt: str) -> bool:
    """Keep the state and the receipt of a record that is filed, and post it for decision. Return False where nobody is to decide."""
    turn.change(RecordMoved(filing.state, "submit", filing.until), Receipted(receipt, turn.event.at, filing.told))
    if turn.form.filing.waits(filing.state):
        post_for_decision(
            turn, PendingDecision("", filing.tell or "", filing.reasons, filing.background, kept=filing.kept)
        )
    elif filing.kept:
        turn.change(PendingDecisionSet(PendingDecision(kept=filing.kept)))
    return bool(turn.filed.pending.card)


def state_told(turn: TurnContext) -> tuple[Utterance, ...]:
    """Return the record's state, until when it counts, and what the form says happens now."""
    state, until = turn.filed.state, turn.filed.valid_until
    return (
        Phrase("told_now", {"state_name": state}),
        *((Phrase("valid_until", {"filed_on": until}),) if until else ()),
        *((who,) if (who := route.who_decides(turn.form, turn.draft)) else ()),
        *((Phrase(f"next_{state}"),) if f"next_{state}" in turn.form.says and not turn.filed.pending.lacking else ()),
    )


def paint_receipt(turn: TurnContext) -> None:
    """Paint the receipt with the record's state."""
    if turn.filed.receipt:
        turn.turn_into(turn.filed.receipt, receipt(turn))


def receipt(turn: TurnContext, told: tuple[str, ...] = (), ending: str = "") -> Receipt:
    """Build the receipt of the record as it is, with the sentences that are told once, at its filing."""
    form, draft, filed = turn.form, turn.draft, turn.filed
    return Receipt(
        filed.number, filed.filed_at, filed.state, told, filed.valid_until, ending, acts=route.acts_now(form, draft),
        waits=draft.asked_back or bool(state_of(turn).withdraw), extends=route.may_extend(form, draft), calls=route.may_ask_person(form, filed.state),
    )  # fmt: skip
