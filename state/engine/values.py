"""How a value enters the draft and locks, and what a field's own rules have against one."""

import re
from collections.abc import Mapping

from state.draft import changes
from state.draft.display import currency_field, declared_by, display_value
from state.draft.draft import How, Option, Provenance, Value
from state.draft.missing import not_choosable
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine.context import Next, TurnContext
from state.fields import kind_of
from state.fields.base import Unreadable
from state.form import Field
from state.form.field import Data
from state.rules import Grade
from state.understanding.evidence import newest_line

FEW = 4
"""Words of a message that is a code and nothing else; some are written in pieces."""
PART_OF_CODE = re.compile(r"[\d@]|\w\.\w")
"""What a code or half an address holds: a digit, an "@", a point within a word."""


def make_value(
    turn: TurnContext,
    field: Field,
    data: Data,
    how: How,
    words: str,
    message: str = "",
    *,
    sure: bool = True,
    reader: str = "",
    who: str = "",
    label: str = "",
) -> Value:
    """Return a value with its provenance, graded where the form grades the field, and with the sentence that it declares."""
    grader, card = turn.rules.graders.get(field.grade), turn.draft.card
    provenance = Provenance(who or turn.event.who, turn.event.at, how, message, words, reader)
    declares = declared_by(turn.form, turn.draft, (field.name,), turn.context)
    if card is not None and field.name in (card.field, *card.fields):
        declares = card.declares  # as it was read, though the form may say it otherwise by now
    declared = declares.get(field.name, ("", ""))[0 if data else 1]
    return Value(data, provenance, sure, label, grade=grader(str(data)) if grader else "", declared=declared)


def put(turn: TurnContext, field: Field, value: Value) -> None:
    """Set a value; a brief text stays open to be bettered, anything else is settled and locks by the field's rule."""
    turn.change(changes.ValueSet(field.name, value))
    if value.grade in (Grade.BRIEF, Grade.EMPTY):
        turn.change(changes.Reopened(field.name))
    elif field.name in turn.draft.reopened:
        turn.change(changes.Closed(field.name))
    if field.name in turn.draft.undo:
        turn.change(changes.UndoKept({}))
    if turn.draft.turns_in_vain:
        turn.change(changes.Counted("turns_in_vain", 0))
    if field.name in turn.draft.options:
        turn.change(changes.OptionsFound(field.name, ()))
    if any(o.field == field.name for o in turn.draft.offers):
        turn.change(changes.OffersMade(tuple(o for o in turn.draft.offers if o.field != field.name)))
    if locks(field, value):
        turn.change(changes.Locked(field.name))


def pick(turn: TurnContext, field: Field, option: Option, words: str, message: str = "") -> None:
    """Set a look-up field to one of its results."""
    provenance = Provenance(turn.draft.owner, turn.event.at, "chosen", message, words)
    put(turn, field, Value(option.id, provenance, label=option.label, facts={**option.facts}))


def locks(field: Field, value: Value) -> bool:
    """Return True if this value locks as soon as it is set; "review" locks at submission."""
    how = value.provenance.how
    by_rule = {
        "answered": value.sure,
        "clicked": how in ("clicked", "chosen", "document"),
        "confirmed": how == "chosen",
        "good": value.grade == Grade.GOOD,
        "review": False,
    }
    return by_rule[field.lock]


def reopen(turn: TurnContext, field: Field) -> None:
    """Have a field answered anew: its value counts until then, unlocked."""
    turn.change(changes.Unlocked(field.name), changes.Reopened(field.name))


def none_of_these(turn: TurnContext, field: Field) -> None:
    """Drop results of which none is meant, and ask for another name: a search in vain."""
    turn.change(changes.OptionsFound(field.name, ()), changes.Counted("turns_in_vain", turn.draft.turns_in_vain + 1))
    turn.present(Next((Phrase("none_of_these_said", {"label": field.label}),)))


def keep(turn: TurnContext, field: Field) -> None:
    """Keep the present answer."""
    turn.change(changes.Closed(field.name))
    if locks(field, turn.draft.values[field.name]):
        turn.change(changes.Locked(field.name))


def too_few(field: Field, data: Data) -> bool:
    """Return True if a field of several files has not got as many as it needs."""
    return isinstance(data, tuple) and 0 < len(data) < kind_of(field).least(field)


def refuse(turn: TurnContext, field: Field, data: Data) -> bool:
    """Refuse an answer that the field's own rules do not take: say why, and ask again. Return False where they take it."""
    problem = problem_with(turn, field, data)
    if problem is not None:
        turn.present(Next((problem,)))
    return problem is not None


def read_entry(turn: TurnContext, field: Field, given: object) -> Data | None:
    """Return a modal's or a picker's entry in canonical form; None where it cannot be read, and say so to the person."""
    try:
        return kind_of(field).parse(field, given, turn.context)
    except Unreadable as problem:
        turn.present(Next((Phrase(problem.key, _texts(problem.args_)),)))
        return None


def currency_told(turn: TurnContext, field: Field, given: object) -> tuple[Field, Data] | None:
    """Return the currency beside an amount in a box, with the field that it answers; None where there is none, or more than one."""
    beside = currency_field(turn.form, field)
    if beside is None or not isinstance(given, str):
        return None
    found = {reading.data for reading in kind_of(beside).find(beside, given, turn.context)}
    return (beside, found.pop()) if len(found) == 1 else None


def problem_with(turn: TurnContext, field: Field, data: Data) -> Utterance | None:
    """Return what the field's own rules have against an answer; None where they take it."""
    wrong = misfit(turn, field, data)
    if wrong is not None:
        return wrong
    grader = turn.rules.graders.get(field.grade)
    grade = grader(str(data)) if grader else None
    before = turn.draft.values.get(field.name)
    if grade is Grade.OFF_TOPIC:
        return Phrase("off_topic", {"label": field.label})
    if grade is Grade.EMPTY:
        return Phrase("empty", {})
    if before and before.grade == Grade.GOOD and grade is Grade.BRIEF:
        return Phrase("too_brief_to_replace", {"label": field.label})
    check = turn.rules.checks.get(field.base)
    sentence = check(turn.draft, field.name, data) if check else ""
    return Verbatim(sentence) if sentence else None


def misfit(turn: TurnContext, field: Field, data: Data) -> Phrase | None:
    """Name the choices of an answer that do not fit other answers, and these; None where all fit."""
    wrong = not_choosable(field, data, turn.draft)
    others = dict.fromkeys(name for choice in wrong if choice.when for name in sorted(choice.when.fields))
    held = (display_value(turn.form.fields[name], turn.draft.values[name], turn.context) for name in others)
    told = {"choices": ", ".join(choice.label for choice in wrong), "others": ", ".join(held)}
    return Phrase("not_offered", told) if wrong else None


def near_miss(turn: TurnContext) -> Utterance | None:
    """Return why the newest message is no answer, where it means to be one: a code with a slip in it, half an address, a day on the wrong side."""
    field, line = turn.form.fields.get(turn.draft.asked), newest_line(turn.draft)
    if field is None or line is None or not (field.lies or kind_of(field).slip_shows) or len(line.text.split()) > FEW:
        return None
    try:
        kind_of(field).parse(field, line.text, turn.context)
    except Unreadable as problem:
        meant = problem.key == f"not_{field.lies}" if field.lies else PART_OF_CODE.search(line.text) is not None
        return Phrase(problem.key, _texts(problem.args_)) if meant else None
    return None


def _texts(given: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in given.items()}
