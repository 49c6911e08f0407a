"""One answer to many questions ("no to all declarations"): it answers none of them, and the person is told what becomes of it."""

from collections.abc import Sequence

from state.draft.draft import ChatLine
from state.engine.cards import Phrase
from state.engine.context import TurnContext
from state.engine.putting_back import keep_for_question
from state.engine.tool_calls import ToolCalls
from state.fields import kind_of
from state.fields.words.naming import names
from state.form import Field
from state.language.tokens import masked, tokens
from state.understanding.blanket import Blanket, counting, deniable, says_more
from state.understanding.evidence import asked_then
from state.understanding.plain_answers import turns_all_down

WORDS = 120
"""Characters of it that are repeated."""


def blankets_of(turn: TurnContext, line: ChatLine) -> tuple[Blanket, ...]:
    """The blanket answers of a line, under the question that stood when it was typed."""
    if _about_results(turn, line):
        return ()
    asked = turn.form.fields.get(asked_then(line, turn.draft))
    return counting(turn.form, turn.draft, asked, line.text)


def _about_results(turn: TurnContext, line: ChatLine) -> bool:
    """ "None of these", under a question that is answered from results, is about what was found."""
    field = turn.form.fields.get(line.asked or "")
    return field is not None and kind_of(field).searchable and turns_all_down(line.text, turn.context.language)


def is_blanket(turn: TurnContext, line: ChatLine) -> bool:
    """Whether a line is a blanket answer and nothing else."""
    found = blankets_of(turn, line)
    return bool(found) and not says_more(line.text, found, turn.form.language)


def heed_blankets(turn: TurnContext, done: ToolCalls, lines: Sequence[ChatLine]) -> None:
    """Put a no back for each question that the lines deny at once, where the form says so; else say why it has to be asked by itself."""
    if not turn.draft.open or turn.handed:
        return
    for line in lines:
        for one in blankets_of(turn, line):
            done.heeded = True
            turn.tell(_heeded(turn, done, one, line))


def _heeded(turn: TurnContext, done: ToolCalls, one: Blanket, line: ChatLine) -> Phrase:
    """What the person is told of one."""
    said, every = line.text[one.start : one.end], len(turn.form.fields)
    if not deniable(turn.form, turn.draft):
        return Phrase("blanket_over", {"words": said[:WORDS]})
    kept = [f.name for f in _denied(turn, one) if keep_for_question(turn, f, (False,), said, most=every)]
    done.put_back.extend(kept)
    if not kept:
        return Phrase("blanket_never", {"words": said[:WORDS]})
    return Phrase("blanket_kept", {"words": said[:WORDS], "now": turn.context.language.no_label})


def _denied(turn: TurnContext, one: Blanket) -> list[Field]:
    """The questions for which it may stand: those that are open, but for what it leaves out and what the same words say otherwise."""
    if one.yes or turn.form.blanket == "never":
        return []
    said = {o.field for o in turn.draft.offers if o.said and o.turn == turn.draft.turn}
    row = tokens(masked(one.excepted), turn.context.language)
    every = deniable(turn.form, turn.draft)
    left_out = {f.name for f in every if names(f, turn.context).holds(row)}
    if one.partly and not left_out:
        return []
    return [f for f in every if f.name not in said | left_out]
