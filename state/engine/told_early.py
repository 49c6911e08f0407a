"""What a person tells before the stage that asks for it: it comes back there as an offer, so that nobody is asked anew for what they said."""

from functools import partial

from state.draft.draft import ChatLine, Value
from state.draft.missing import missing
from state.draft.reply import ToolCall
from state.engine.context import TurnContext
from state.engine.offers import RULES, ToolCalls, keep_for_question
from state.engine.unread import judge_line, read_line
from state.fields import kind_of
from state.fields.naming import names
from state.form import Field
from state.language.table import all_of, phrases
from state.language.tokens import masked, tokens
from state.understanding.commands import is_asking, no_answer, tries_to_answer
from state.understanding.corrections import disclosed
from state.understanding.evidence import fresh_lines, holds_quote, said_by_person
from state.understanding.wishes import form_names

FEW, MOST, ASKED = 6, 2, 3
"""Words from which a line may be a text, lines that are offered for one, and texts for which the same line is offered."""
SEVERAL = 2
"""Things of which a line tells more than one may."""


def look_back(turn: TurnContext) -> None:
    """Have rules read what the person said before this stage for what it asks: nobody is asked anew for what they told too early.

    Numbers, days and names are left out, which may be of anything, and words that say what stands already, or are the form's name.
    """
    if turn.draft.open and turn.draft.stage in _stages_after(turn, turn.before.stage):
        done = ToolCalls(RULES)
        for line in said_by_person(turn.draft):
            if not line.before and tries_to_answer(line.text, turn.context):
                judge_line(turn, done, line, partial(_is_told_early, turn))


def offer_text(turn: TurnContext) -> None:
    """Offer for a text that is asked now what was said before and nothing came of: the words may be meant for it."""
    asked, before = (next(iter(missing(turn.form, draft)), None) for draft in (turn.draft, turn.before))
    if asked is None or asked == before or asked.short or not kind_of(asked).verbatim or not turn.draft.open:
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
    """Return True if a line that is read tells what a later stage asks for; where nothing is asked, also several things of any kind."""
    later = [turn.draft.changed(stage=name) for name in _stages_after(turn, turn.draft.stage)]
    for line in fresh_lines(turn.draft):
        if later and tries_to_answer(line.text, turn.context):
            calls = [call for then in later for call in read_line(turn.form, then, line, turn.context).calls]
            told = {str((call.arguments or {}).get("words")) for call in calls}
            if any(_is_told_early(turn, call, line) for call in calls) or (
                not turn.draft.asked and len(told) >= SEVERAL
            ):
                return True
    return False


def _stages_after(turn: TurnContext, stage: str) -> tuple[str, ...]:
    stages = tuple(turn.form.stages)
    return stages[stages.index(stage) + 1 :] if stage in stages and not turn.form.phases else ()


def _is_told_early(turn: TurnContext, call: ToolCall, line: ChatLine) -> bool:
    """Return True if a call gives what is not answered yet, and its words say nothing else."""
    given, context = call.arguments or {}, turn.context
    words, row = str(given.get("words", "")), tokens(masked(line.text), context.language)
    fields = [f for name, f in turn.form.fields.items() if name in given and name not in turn.draft.values]
    meant = all(_tells_itself(f) and (kind_of(f).offered or names(f, context).holds(row)) for f in fields)
    called = all_of(tokens(words, context.language), phrases(form_names(turn.form), context.language))
    return bool(fields) and meant and not called and not _stands(turn, words)


def _tells_itself(field: Field) -> bool:
    """Return True if an answer can be told by itself to be one: no number, day, name or plain yes is."""
    kind = kind_of(field)
    detail = kind.closed and kind.listing == "detail"
    return detail and not (kind.several or kind.polar or kind.on_day or kind.money or kind.searchable)


def _stands(turn: TurnContext, words: str) -> bool:
    """Return True if the words say an answer that stands, a part of it, or one of its choices."""
    for name, value in turn.draft.values.items():
        field, held = turn.form.fields.get(name), {*value.data} if isinstance(value.data, tuple) else {value.data}
        told = kind_of(field).find(field, words, turn.context) if field else ()
        said = [{*r.data} if isinstance(r.data, tuple) else {r.data} for r in told]
        if holds_quote(f"{value.data} {value.provenance.words}", words) or any(one <= held for one in said):
            return True
    return False
