"""The facts are in (Gathered): a submission is judged and filed, a command is answered, a profile fills what it knows."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from state.draft.changes import (
    Counted,
    LastTimeKnown,
    Locked,
    OptionsFound,
    TurnBegun,
    UndoKept,
    ValueSet,
)
from state.draft.criteria import Case, Doubt
from state.draft.decisions import ASK
from state.draft.display import display_value
from state.draft.draft import Data, Draft, LastTime, Option, Provenance, Value
from state.draft.missing import missing, reachable, takeable
from state.draft.sums import Sum
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine import acts
from state.engine.acts import count_failure, tell
from state.engine.cards import Notice, Receipt
from state.engine.codec import encode
from state.engine.context import Alone, LeadIn, Next, TurnContext
from state.engine.effects import Announce, Attach, File
from state.engine.events import Clicked, FactsGathered, LookupCompleted
from state.engine.route import NOBODY, acts_at, open_docket
from state.engine.settle import move, submitting_way
from state.engine.values import make_value, problem_with, put
from state.fields import kind_of
from state.fields.base import Unreadable
from state.fields.money import show_money
from state.form import Field, Form
from state.form.filing import FilingRule, is_decided
from state.language import language_of
from state.rules import Filing, Rules, received

SOURCES = "sources"
"""The fact that tells of the tables which an operator gave."""


def filed(form: Form, rules: Rules, draft: Draft, facts: Mapping[str, Any]) -> Filing:
    """The filing. A state that rules.py gives wins; where it gives none, the form's rules say which."""
    own = Filing("") if rules.file is received else rules.file(draft, facts)
    made = own if own.state else _joined(own, by_rules(form, draft, facts))
    return replace(made, background=(*made.background, *_old_tables(form.house, facts)))


def _old_tables(form: Form, facts: Mapping[str, Any]) -> Iterator[str]:
    """What rests on tables that are older than they may be, for those who decide."""
    said = language_of(form.language).old_table
    late = (one for one in facts.get(SOURCES, {}).values() if one["late"])
    yield from (said.format(label=one["label"], days=one["days"], day=one["as_of"]) for one in late)


def by_rules(form: Form, draft: Draft, facts: Mapping[str, Any]) -> Filing:
    """The filing by the first rule that holds; "received" where none does."""
    found = _first(form, draft, facts)
    why, said = (tuple(dict.fromkeys(_sentence(one, d) for d in found.doubts)) for one in (form.house, form))
    rule = found.rule
    if rule is None:
        return Filing("received", why, told=said)
    words = "" if found.in_doubt else rule.reason if rule.told is None else rule.told
    sums = tuple(_in_words(form.house, Case(form, draft, facts=facts).sum(over)[1]) for over in rule.sums)
    return Filing(rule.state, _some(*why, rule.reason, *sums), told=_some(*said, words), tell=_told(rule))


def _in_words(form: Form, found: Sum) -> str:
    """What a sum came to, for those who decide; nothing where no earlier record is in it."""
    if not found.records:
        return ""
    first = found.entries[0]
    money = show_money(f"{found.total:f}", first.currency, form.language)
    total = money if kind_of(first.field).money else f"{found.total:f}"
    said = language_of(form.language).summed
    return said.format(label=form.fields[first.field.name].label, total=total, records=", ".join(found.records))


def _some(*sentences: str) -> tuple[str, ...]:
    return tuple(sentence for sentence in sentences if sentence)


@dataclass(frozen=True)
class _Found:
    """The rule that counts, what could not be compared on the way to it, and whether it counts for that alone."""

    rule: FilingRule | None
    doubts: tuple[Doubt, ...] = ()
    in_doubt: bool = False


def _first(form: Form, draft: Draft, facts: Mapping[str, Any]) -> _Found:
    """The rule that counts. What is in doubt goes to a person: it never leads to a state that nobody looks at any more."""
    doubts: tuple[Doubt, ...] = ()
    passed: FilingRule | None = None
    for rule, holds, doubtful in _judged(form, draft, facts):
        doubts += doubtful
        settled = is_decided(form.filing, rule.state) is True
        if holds and settled and doubts:
            return _Found(passed, doubts, in_doubt=True)
        if holds:
            return _Found(rule, doubts, bool(doubtful))
        if doubtful and not settled:
            passed = passed or rule
    return _Found(passed, doubts, in_doubt=True)


def _judged(form: Form, draft: Draft, facts: Mapping[str, Any]) -> Iterator[tuple[FilingRule, bool, tuple[Doubt, ...]]]:
    """Each rule, whether it holds, and the doubts on which that hangs."""
    for rule in form.filing.rules:
        held = {
            at: Case(form, draft, *at, facts).holds(rule)
            for at in ((True, True), (True, False), (False, True), (False, False))
        }
        usual = held[True, False]
        if len(set(held.values())) == 1:
            yield rule, usual, ()
        else:
            decided = is_decided(form.filing, rule.state)
            yield rule, usual if decided is None else not decided, tuple(Case(form, draft, facts=facts).doubts(rule))


def _told(rule: FilingRule) -> str | None:
    if isinstance(rule.tell, bool):
        return "" if rule.tell else None
    return rule.tell


def _sentence(form: Form, doubt: Doubt) -> str:
    language = language_of(form.language)
    said = language.other_currency if doubt.currency else language.no_currency
    said = language.earlier_currency if doubt.record else said
    told = {"currency": doubt.currency or "?", "limit": doubt.limit, "record": doubt.record}
    return said.format(label=form.fields[doubt.field.name].label, **told)


def _joined(own: Filing, ruled: Filing) -> Filing:
    """What rules.py said beside the state that the form's rules gave."""
    return replace(
        ruled,
        reasons=(*ruled.reasons, *own.reasons),
        told=(*ruled.told, *own.told),
        computed=own.computed,
        files=own.files,
        background=own.background,
        kept=own.kept,
        tell=ruled.tell if own.tell == "" else own.tell,
    )


def on_last_time(turn: TurnContext, event: FactsGathered) -> None:
    """The last record is in: what may be the same again is offered on the open card."""
    record, told = str(event.facts.get("number", "")), event.facts.get("values") or {}
    fields = [turn.form.fields[name] for name in turn.form.again if name in told and name in turn.form.fields]
    read = {field.name: _read(turn, field, told[field.name], record) for field in fields}
    values = {name: value for name, value in read.items() if value is not None}
    if not turn.draft.open or event.failed or not record or not values:
        return
    turn.change(LastTimeKnown(LastTime(record, values)))
    turn.present(LeadIn())


def _read(turn: TurnContext, field: Field, told: dict[str, object], record: str) -> Value | None:
    """The value as it would be taken; None where it can be no answer now."""
    data: Data | None = None
    with suppress(Unreadable):
        data = (
            str(told["data"]) if kind_of(field).searchable else kind_of(field).parse(field, told["data"], turn.context)
        )
    if data is None or problem_with(turn, field, data) is not None:
        return None
    if not kind_of(field).searchable:
        return make_value(turn, field, data, "clicked", record, who=turn.draft.owner)
    found = Option(**told["option"])  # type: ignore[arg-type]  # as the look-up gave it just now
    provenance = Provenance(turn.draft.owner, turn.event.at, "chosen", "", record)
    return Value(found.id, provenance, label=found.label, facts={**found.facts})


def take_last_time(turn: TurnContext, event: Clicked) -> None:
    """The button of the open card: exactly the fields that it shows, each where it is still open and still allowed."""
    card, last = turn.draft.card, turn.draft.last_time
    names = takeable(turn.form, turn.draft)
    if last is None or card is None or card.id != event.card or not names:
        acts.out_of_date(turn, event)
        return
    turn.change(TurnBegun())
    for name in names:
        field, value = turn.form.fields[name], last.values[name]
        if problem_with(turn, field, value.data) is None:
            put(turn, field, _taken(turn, value, event))
    turn.change(LastTimeKnown(None))
    shown = "; ".join(
        f"{turn.form.fields[n].label}: {display_value(turn.form.fields[n], turn.draft.values[n], turn.context)}"
        for n in names
        if n in turn.draft.values
    )
    acts.lead_over(turn, f"[clicked] Same as last time ({last.record}): {shown}", event.card)


def _taken(turn: TurnContext, value: Value, event: Clicked) -> Value:
    return replace(value, provenance=replace(value.provenance, who=event.who, at=event.at, message=event.card))


def on_lookup(turn: TurnContext, event: LookupCompleted) -> None:
    """Results for a field that is answered or for a closed draft are dropped; nothing is ever chosen for the person."""
    field = turn.form.fields.get(event.field)
    answered = event.field in turn.draft.values and event.field not in turn.draft.reopened
    if field is None or answered or not turn.draft.open:
        return
    turn.tell(*event.lead_in)
    turn.change(OptionsFound(field.name, event.options))
    count_failure(turn, event.failed)
    if event.failed:
        turn.tell(Phrase("lookup_failed", {"label": field.label}))
    elif not event.options:
        turn.tell(Phrase("nothing_found", {"query": event.query}))
    turn.present(Next())


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
