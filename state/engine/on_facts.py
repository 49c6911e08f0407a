"""Facts are in (FactsGathered): a command is answered, a profile or the last record offers what it knows. A submission becomes a record.

What a look-up found (LookupCompleted) is here too: results to pick from, on the card that asks for the field.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from state.draft.changes import Counted, LastTimeKnown, OptionsFound, TurnBegun, ValueRetired, ValueSet
from state.draft.display import display_value
from state.draft.draft import LastTime, Option, Provenance, Value
from state.draft.missing import reachable, takeable
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine import acts
from state.engine.acts import count_failure, tell
from state.engine.context import Alone, LeadIn, Next, TurnContext
from state.engine.effects import LookUp
from state.engine.events import Clicked, FactsGathered, LookupCompleted
from state.engine.offers import keep_for_question
from state.engine.on_reply import give_over, needs_person
from state.engine.values import make_value, pick, problem_with, put, reopen
from state.fields import kind_of
from state.fields.base import Unreadable
from state.fields.identifier import slip
from state.fields.lookup import UNLISTED, parts_of
from state.form import Field
from state.understanding.evidence import newest_line, said_by_person

MY_REQUESTS, LISTED = "my_requests", 10
"""The command that every form answers, and how many requests it names."""


def on_facts(turn: TurnContext, event: FactsGathered) -> None:
    """Use facts for what they were asked for, and only if the draft is still what it was."""
    if event.purpose == "command":
        _command(turn, event)
    elif event.purpose == "profile":
        _from_profile(turn, event)
    elif event.purpose == "again":
        _on_last_time(turn, event)


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
        if (field := _sought(turn, event)) is not None:
            line = newest_line(turn.draft)
            turn.do(LookUp(field.name, event.rest, turn.draft.turn, event.rest, line.message if line else "", told))
            return
    elif event.name == MY_REQUESTS and not event.failed:
        told = _requests(event.facts) or (Phrase("no_requests"),)
    else:
        tell(turn, Phrase("error_sorry" if event.failed else "not_understood"))
        return
    turn.present(Next(told) if turn.draft.open else Alone(told, ("begin",)))


def _sought(turn: TurnContext, event: FactsGathered) -> Field | None:
    """Return the field that is asked for and that the question named a thing for ("can I trade Tesco?"): it is not asked for again."""
    field, command = turn.form.fields.get(turn.draft.asked), turn.form.commands.get(event.name)
    if field is None or not turn.draft.open or field.name in turn.draft.options or not command or not command.about:
        return None
    return field if field.lookup == command.about and turn.rules.finds(command.about, event.rest) else None


def _requests(facts: Mapping[str, Any]) -> tuple[Utterance, ...]:
    """Return the newest requests of a form that has no words of its own for them, a line each."""
    names = ("number", "essence", "state_name", "filed_on")
    lines = ({name: str(request.get(name, "")) for name in names} for request in facts.get("requests", ())[:LISTED])
    return tuple(Phrase("request_line" if line["essence"] else "request_line_bare", line) for line in lines)


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
    """Show results without choosing one. Those that come too late are dropped; one without results is a turn in vain, and leaves earlier ones."""
    field, held = turn.form.fields.get(event.field), turn.draft.values.get(event.field)
    answered = held is not None and event.field not in turn.draft.reopened
    if field is None or not turn.draft.open:
        return
    if answered:
        _in_list(turn, field, event)
        return
    turn.tell(*event.lead_in)
    turn.change(OptionsFound(field.name, event.options or turn.draft.options.get(field.name, ()), event.query))
    count_failure(turn, event.failed)
    if event.failed:
        turn.tell(Phrase("lookup_failed", {"label": field.label}))
    elif not event.options:
        codes = (turn.form.fields[n] for n in parts_of(field) if kind_of(turn.form.fields[n]).check_digit)
        wrong = next(filter(None, (slip(code, event.query) for code in codes)), None)
        turn.tell(Phrase(wrong.key, {**wrong.args_}) if wrong else Phrase("nothing_found", {"query": event.query}))
        turn.change(Counted("turns_in_vain", turn.draft.turns_in_vain + 1))
        if needs_person(turn, turn.draft.turns_in_vain):
            give_over(turn, "stuck")
    turn.present(Next())


# What is not in the list: fields of its own tell what it is, and what is in the list after all takes its place


def can_be_unlisted(turn: TurnContext, field: Field) -> bool:
    """Return True if the form takes what its list does not hold, and the person has searched for it."""
    return bool(field.unlisted) and field.name in turn.draft.sought


def take_unlisted(turn: TurnContext, field: Field, words: str, message: str) -> None:
    """Take the person's word that a thing is not in the list; what they searched for waits with the questions that tell what it is."""
    sought = turn.draft.sought.get(field.name, "")
    provenance = Provenance(turn.event.who, turn.event.at, "chosen", message, words)
    put(turn, field, Value(UNLISTED, provenance))
    name, lines = sought, [sought, *(line.text for line in reversed(said_by_person(turn.draft)))]
    for part in sorted((turn.form.fields[n] for n in parts_of(field)), key=lambda f: kind_of(f).verbatim):
        if kind_of(part).verbatim:
            keep_for_question(turn, part, filter(None, [" ".join(name.split()).strip(" ,;:()")]), sought)
            continue
        found = ((line, kind_of(part).find(part, line, turn.context)) for line in lines)
        line, codes = next((one for one in found if one[1]), ("", ()))
        keep_for_question(turn, part, (one.data for one in codes), line)
        for one in codes:
            name = name.replace(line[one.start : one.end], " ")


def _in_list(turn: TurnContext, field: Field, event: LookupCompleted) -> None:
    """Put what the list holds in the place of what was told as not listed: the one that an identifier names, or a choice."""
    unlisted = turn.draft.values[field.name].data == UNLISTED
    told = {turn.draft.values[n].data for n in parts_of(field) if n in turn.draft.values}
    if not (unlisted and event.options and event.query in told):
        return
    turn.tell(Phrase("in_list_after_all", {"query": event.query}))
    if event.exact:
        turn.change(*(ValueRetired(name, "cleared") for name in parts_of(field) if name in turn.draft.values))
        pick(turn, field, event.options[0], event.words, event.message)
    else:
        reopen(turn, field)
        turn.change(OptionsFound(field.name, event.options, event.query))
    turn.present(Next())
