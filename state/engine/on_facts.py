"""The facts are in (FactsGathered): a submission is judged and filed, a command is answered, a profile or the last record offers what it knows.

What a look-up found (LookupCompleted) is here too: results to pick from, on the card that asks for the field.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from state.draft.changes import Counted, LastTimeKnown, Locked, OptionsFound, TurnBegun, UndoKept, ValueSet
from state.draft.criteria import Case, Doubt, Sum
from state.draft.display import display_value
from state.draft.draft import Draft, LastTime, Option, Provenance, Value
from state.draft.missing import missing, reachable, takeable
from state.draft.record import ASK
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

MY_REQUESTS, LISTED = "my_requests", 10
"""The command that every form answers, and how many requests it names."""
SOURCES = "sources"
"""The fact that tells of the tables which an operator gave."""


def on_facts(turn: TurnContext, event: FactsGathered) -> None:
    """Use facts for what they were asked for, and only if the draft is still what it was."""
    if event.purpose == "command":
        _command(turn, event)
    elif event.purpose == "profile":
        _from_profile(turn, event)
    elif event.purpose == "again":
        _on_last_time(turn, event)
    elif turn.draft.open:
        _submit(turn, event)


def _submit(turn: TurnContext, event: FactsGathered) -> None:
    """File the draft if it is what the confirmed review showed."""
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
    draft, filing = turn.draft, filed(turn.form, turn.rules, turn.draft, event.facts)
    turn.way = submitting_way(turn)
    move(turn, "submit")
    turn.change(*(Locked(name) for name in draft.values), UndoKept({}))
    ending = turn.form.stages[turn.way.to].ask if turn.way else ""
    stored = encode(turn.draft)
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
        **({"submission": 1 + sum(d.verdict == ASK for d in draft.filed.decisions)} if draft.filed.number else {}),
    }
    state = turn.form.filing.states.get(filing.state, NOBODY)
    waits, longer = bool(state.withdraw), bool(state.extend and filing.until)
    acts = acts_at(turn.form, filing.state)
    shown = Receipt(draft.filed.number, event.at, filing.state, filing.told, filing.until, ending, waits, longer, acts)
    turn.turn_into(review, shown)
    if draft.filed.receipt:
        turn.turn_into(draft.filed.receipt, Notice((Phrase("submitted_again", {"number": draft.filed.number}),)))
    turn.do(File(filing.state, filing.reasons, review, body, draft.filed.number))
    turn.do(*(Attach(f.name, f.title, f.text, f.data, alt=f.alt) for f in filing.files))
    if not open_docket(turn, filing, review) and filing.tell is not None:
        turn.do(Announce("record", filing.reasons, state=filing.state, to=filing.tell))


def _from_profile(turn: TurnContext, event: FactsGathered) -> None:
    """Take what the person's Slack profile says in place of asking; it stays open to be corrected."""
    for field in reachable(turn.form, turn.draft):
        told = str(event.facts.get(field.profile) or "")
        if not field.profile or not told or field.name in turn.draft.values or not turn.draft.open:
            continue
        with suppress(Unreadable):
            data = kind_of(field).parse(field, told, turn.context)
            turn.change(ValueSet(field.name, make_value(turn, field, data, "rule", told, who="profile")))
    if turn.draft.card is not None and turn.draft.asked in turn.changed:
        turn.present(Next())


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
    """Return the newest requests of a form that has no words of its own for them, a line each."""
    names = ("number", "essence", "state_name", "filed_on")
    lines = ({name: str(request.get(name, "")) for name in names} for request in facts.get("requests", ())[:LISTED])
    return tuple(Phrase("request_line" if line["essence"] else "request_line_bare", line) for line in lines)


# What a submission becomes: by the form's own rules of filing, unless rules.py says a state itself


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
    """Return the rule that counts, what could not be compared on the way to it, and True if it counts for that alone.

    What is in doubt goes to a person: it never leads to a state that nobody looks at any more.
    """
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


# Same as last time: offered with the questions, and taken by one click; nothing of it counts before that


def _on_last_time(turn: TurnContext, event: FactsGathered) -> None:
    """Offer on the open card what may be the same as in the last record."""
    record, told = str(event.facts.get("number", "")), event.facts.get("values") or {}
    fields = [turn.form.fields[name] for name in turn.form.again if name in told and name in turn.form.fields]
    read = {field.name: _read(turn, field, told[field.name], record) for field in fields}
    values = {name: value for name, value in read.items() if value is not None}
    if turn.draft.open and not event.failed and record and values:
        turn.change(LastTimeKnown(LastTime(record, values)))
        turn.present(LeadIn())


def _read(turn: TurnContext, field: Field, told: dict[str, object], record: str) -> Value | None:
    """Return the value as it would be taken; None where it can be no answer now."""
    kind, data = kind_of(field), None
    with suppress(Unreadable):
        data = str(told["data"]) if kind.searchable else kind.parse(field, told["data"], turn.context)
    if data is None or problem_with(turn, field, data) is not None:
        return None
    if not kind.searchable:
        return make_value(turn, field, data, "clicked", record, who=turn.draft.owner)
    found = Option(**told["option"])  # type: ignore[arg-type]  # as the look-up gave it just now
    provenance = Provenance(turn.draft.owner, turn.event.at, "chosen", "", record)
    return Value(found.id, provenance, label=found.label, facts={**found.facts})


def take_last_time(turn: TurnContext, event: Clicked) -> None:
    """Take by the button of the open card exactly the fields that it shows, each where it is still open and still allowed."""
    card, last = turn.draft.card, turn.draft.last_time
    names = takeable(turn.form, turn.draft)
    if last is None or card is None or card.id != event.card or not names:
        acts.out_of_date(turn, event)
        return
    turn.change(TurnBegun())
    for name in names:
        field, value = turn.form.fields[name], last.values[name]
        if problem_with(turn, field, value.data) is None:
            source = replace(value.provenance, who=event.who, at=event.at, message=event.card)
            put(turn, field, replace(value, provenance=source))
    turn.change(LastTimeKnown(None))
    taken = ((turn.form.fields[n], turn.draft.values[n]) for n in names if n in turn.draft.values)
    shown = "; ".join(f"{field.label}: {display_value(field, value, turn.context)}" for field, value in taken)
    acts.lead_over(turn, f"[clicked] Same as last time ({last.record}): {shown}", event.card)


# A look-up came back


def on_lookup(turn: TurnContext, event: LookupCompleted) -> None:
    """Show results; those for an answered field or a closed draft are dropped, and nothing is ever chosen for the person."""
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
