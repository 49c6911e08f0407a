"""What a person tells before the stage that asks for it: it comes back there as an offer, so that nobody is asked anew for what they said."""

from collections.abc import Iterator
from functools import partial

from state.draft.draft import ChatLine, Value
from state.draft.missing import in_stage, missing
from state.draft.reply import ToolCall
from state.engine.context import TurnContext
from state.engine.offers import RULES, ToolCalls, keep_for_question
from state.engine.unread import judge_line
from state.fields import kind_of
from state.fields.naming import denies, names
from state.form import Field
from state.form.field import Data
from state.language.table import listed_everywhere
from state.language.tokens import masked, tokens
from state.understanding.commands import is_asking, no_answer, tries_to_answer
from state.understanding.corrections import disclosed
from state.understanding.evidence import fresh_lines, holds_quote, is_one_of, place_of, said_by_person
from state.understanding.message import MessageInContext

FEW, MOST, ASKED = 6, 2, 3
"""Words from which a line may be a text, lines that are offered for one, and texts for which the same line is offered."""
Told = tuple[Field, Data, str, str]
"""A field, what a line tells of it, the line, and the words in it."""


def look_back(turn: TurnContext) -> None:
    """Have rules read what the person said before this stage for what it asks: nobody is asked anew for what they told too early.

    Numbers and days, which may be of anything, count beside the name of what is asked. Names are left out, and words that say what stands
    already, or are the form's first and plainest name.
    """
    if turn.draft.open and turn.draft.stage in _stages_after(turn, turn.before.stage):
        done = ToolCalls(RULES)
        for line in said_by_person(turn.draft):
            if not line.before and tries_to_answer(line.text, turn.context):
                judge_line(turn, done, line, partial(_is_told_early, turn))
                for field in missing(turn.form, turn.draft):
                    if kind_of(field).polar and denies(field, line.text, turn.context):
                        keep_for_question(turn, field, (False,), line.text)


def crosses(turn: TurnContext, asked: Field) -> bool:
    """Return True if a line crossed the question for a text that is open still, and nothing came of it: it will be put back for that."""
    lines = (line for line in fresh_lines(turn.draft) if line.asked != asked.name)
    open_still = turn.before.asked == asked.name and not asked.short and kind_of(asked).verbatim
    return open_still and any(_came_to_nothing(turn, line) for line in lines)


def offer_text(turn: TurnContext) -> None:
    """Offer for a text that is asked now what was said before, or crossed its question, and nothing came of: the words may be meant for it."""
    asked, before = (next(iter(missing(turn.form, draft)), None) for draft in (turn.draft, turn.before))
    if asked is None or asked.short or not kind_of(asked).verbatim or not turn.draft.open:
        return
    if asked == before and not crosses(turn, asked):
        return
    if not any(o.field == asked.name for o in turn.draft.offers):
        lines = [
            line.text.strip() for line in said_by_person(turn.draft) if not line.unread and _came_to_nothing(turn, line)
        ]
        keep_for_question(turn, asked, lines[-MOST:], lines[-1] if lines else "")


def may_be_text(turn: TurnContext) -> bool:
    """Return True if a line that was no answer will be offered for a text that is not asked yet."""
    texts = (f for n, f in turn.form.fields.items() if n not in turn.draft.values and kind_of(f).verbatim)
    return not all(f.short for f in texts) and any(_came_to_nothing(turn, line) for line in fresh_lines(turn.draft))


def _came_to_nothing(turn: TurnContext, line: ChatLine) -> bool:
    """Return True if a line of some words was none of the answers, and few texts have been asked for since."""
    values, context = turn.draft.values, turn.context
    idle = line.before or bool(no_answer(line.text, context)) or is_asking(line.text, context)
    if idle or len(line.text.split()) < FEW or any(disclosed(turn.form, turn.draft, line.text, context)):
        return False
    used = any(v.provenance.words and holds_quote(line.text, v.provenance.words) for v in values.values())
    since = [f for name, f in turn.form.fields.items() if name in values and _may_hold(f, values[name], line)]
    return len(since) < ASKED and not used and all(o.said not in line.text for o in turn.draft.offers if o.said)


def _may_hold(field: Field, value: Value, line: ChatLine) -> bool:
    """Return True if the field is a text that was asked for behind the line, which it could have held."""
    text = kind_of(field).verbatim and not field.short and len(line.text) <= field.max_length
    return text and value.provenance.message > line.message


def tells_later(turn: TurnContext) -> bool:
    """Return True if a line that is read tells what a later stage asks for."""
    return any(_is_meant(turn, *told) for told in _read_ahead(turn))


def may_tell_later(turn: TurnContext) -> bool:
    """Return True if it may be of that: it holds a figure, a day, a code or a known name, or says what a yes or no is about."""
    return any(not field.choices for field, *_ in _read_ahead(turn))


def _read_ahead(turn: TurnContext) -> Iterator[Told]:
    """Yield what fields of later stages find in the lines that are read, whatever they hang on."""
    later = {name for stage in _stages_after(turn, turn.draft.stage) for name in turn.form.stage_names(stage)}
    fields = [f for f in turn.form.fields.values() if later & {*f.stage} and f not in in_stage(turn.form, turn.draft)]
    for text in (line.text for line in fresh_lines(turn.draft) if tries_to_answer(line.text, turn.context)):
        row = tokens(masked(text), turn.context.language)
        for field in (f for f in fields if f.known or not kind_of(f).verbatim):
            found = kind_of(field).find(field, text, turn.context)
            yield from ((field, r.data, text, text[r.start : r.end]) for r in found)
            if kind_of(field).polar and names(field, turn.context).holds(row):
                yield field, not denies(field, text, turn.context), text, text


def _stages_after(turn: TurnContext, stage: str) -> tuple[str, ...]:
    stages = tuple(turn.form.stages)
    return stages[stages.index(stage) + 1 :] if stage in stages and not turn.form.phases else ()


def _is_told_early(turn: TurnContext, call: ToolCall, line: ChatLine) -> bool:
    """Return True if a call gives what is not answered yet, and its words say nothing else."""
    given = call.arguments or {}
    fields = [f for name, f in turn.form.fields.items() if name in given and name not in turn.draft.values]
    return bool(fields) and all(_is_meant(turn, f, given[f.name], line.text, str(given.get("words"))) for f in fields)


def _is_meant(turn: TurnContext, field: Field, data: Data, text: str, words: str) -> bool:
    """Return True if an answer can be told to be one by itself, as no number, day or name can, by the field's name beside it, or as a code that
    is the whole line; a no, if it names the field and says nothing else."""
    kind, at, context = kind_of(field), place_of(text, words), turn.context
    if _stands(turn, words) or is_one_of(words, turn.form.words[:1]):
        return False
    if kind.polar or kind.several or kind.searchable or not (kind.closed or data in field.known):
        return kind.polar and data is False and denies(field, text, context)
    heard = MessageInContext(turn.form, turn.draft, text, context)
    others = listed_everywhere(context.language, "ties.kin", "negators").holds(heard.row)  # "my wife's salary is 1200"
    named = at is not None and not (field.slot or others) and heard.names(field, at[0], nouns=False)
    coded = kind.slip_shows and not text.strip().isdigit() and kind.whole(field, text, context) == data
    itself = kind.offered and kind.closed and kind.listing == "detail" and not (kind.on_day or kind.money)
    return named or coded or itself


def _stands(turn: TurnContext, words: str) -> bool:
    """Return True if the words say an answer that stands, a part of it, or one of its choices."""
    for name, value in turn.draft.values.items():
        field, held = turn.form.fields.get(name), {*value.data} if isinstance(value.data, tuple) else {value.data}
        told = kind_of(field).find(field, words, turn.context) if field else ()
        said = [{*r.data} if isinstance(r.data, tuple) else {r.data} for r in told]
        if holds_quote(f"{value.data} {value.provenance.words}", words) or any(one <= held for one in said):
            return True
    return False
