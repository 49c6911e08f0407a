"""When a quote is the text that a field asks for: as it stands, or after the words that lead to it."""

import re

from state.fields import kind_of
from state.fields.base import Context
from state.fields.text import is_few_words, is_proper
from state.fields.values.reach import place
from state.fields.words.leading import asks_thing, is_common, is_name, led_alone
from state.fields.words.naming import is_named, names
from state.form import Field
from state.language.clauses import sentences
from state.language.polarity import is_question
from state.language.small_talk import requests_something
from state.language.table import joined, listed, phrases
from state.language.tokens import Token, masked, tokens
from state.understanding.assignment import Assignment, asks_about
from state.understanding.evidence import WORD, asked_then, fresh_lines, holds_quote, normalized, place_of
from state.understanding.given import given
from state.understanding.plain_answers import stated
from state.understanding.quotation import Quotation
from state.understanding.small_talk import no_answer

OVERLAP = 0.6
"""Share of a text's words that a quote must hold for a person to be asked whether it is meant."""
CLAUSES = re.compile(r"[.,;:!?\n–—()]+")
TELLING = 6
"""Words from which an answer to an open question tells something, though there is a question word in it."""
STATEMENT = 3
"""Words from which a text speaks for itself: a shorter one goes to the field that was asked, or that it is named for."""


def text_stands(said: Quotation) -> bool | None:
    """True where the quote is the text; False where only the person can say; None where it is not, or is no answer at all."""
    value = str(said.data)
    cued = _is_cued(said)
    if no_answer(value, said.context) or _in_question(said) or _is_no_name(said):
        return None
    if cued is False and not _names_itself(value, said):
        return None
    if _mostly_spent(said) and not (cued and not said.is_spent):
        return None
    led = cued or is_led_to(said)
    if not holds_quote(said.quote, value):
        near = (said.is_asked or led) and _shares_words(value, said.quote)
        return False if near and holds_quote(said.line.text, said.quote) else None
    if not led and not said.is_asked and (_is_named_for_another(said) or _answers_the_question(said)):
        return None
    if said.field.short and (_is_leant_to(said) or not (led or is_few_words(value, said.context))):
        return False if said.is_asked else None
    return led or (said.is_asked and _answers(value, said)) or _speaks(value, said)


def _answers(value: str, said: Quotation) -> bool:
    """Whether the text is what the line answers: whole clauses that hold no other field's value and want nothing done."""
    if said.field.grade:
        return _is_quote(value, said) or _fills_clauses(value, said)
    if said.field.short and not said.beside:
        whole = kind_of(said.field).whole(said.field, said.line.text, said.context)
        alone = whole is not None and normalized(str(whole)) == normalized(value)
        if not alone and not is_proper(value.split()):
            return False
    mixed = any(t.field != said.field and _overlaps(t, value, said) for t in given(said))
    wants = said.field.short and requests_something(value, said.context.language)
    others = (f for f in said.form.fields.values() if f != said.field)
    mixed = mixed or any(stated(f, value, said.context) is not None for f in others)
    return _fills_clauses(value, said) and not mixed and not wants


def _overlaps(take: Assignment, value: str, said: Quotation) -> bool:
    """Whether another field's value stands within the text."""
    at = place_of(said.line.text, value)
    return at is not None and not kind_of(take.field).verbatim and take.start < at[1] and at[0] < take.end


def _speaks(value: str, said: Quotation) -> bool:
    """Whether a statement needs no name beside it: where the form judges what it says, or the model asks and people tell at length."""
    open_words = said.form.asked_by == "model" or bool(said.field.grade)
    long = len(WORD.findall(value)) >= STATEMENT and not said.field.short
    return open_words and long and said.line in fresh_lines(said.draft) and not _is_denied(value, said)


def _is_leant_to(said: Quotation) -> bool:
    """Whether the words only lean to the short text, or to one in it that the form knows ("I think it has none")."""
    kind = kind_of(said.field)
    lean = kind.leans(said.field, said.quote, said.context)
    same = lean is not None and normalized(str(lean)) == normalized(str(said.data))
    return same and kind.whole(said.field, said.quote, said.context) is None


def _is_quote(value: str, said: Quotation) -> bool:
    """Whether the quote is the text and no more, small words before and after it apart."""
    quote, wanted = normalized(said.quote), normalized(value)
    start = quote.find(wanted)
    return start >= 0 and _only_leads(quote[:start], said) and _adds_nothing(quote[start + len(wanted) :], said.context)


def _fills_clauses(value: str, said: Quotation) -> bool:
    """Whether the text begins and ends where clauses of the line do, small words that lead to it and follow it apart."""
    line, wanted = normalized(said.line.text), normalized(value).strip(" .,;:!")
    start = line.find(wanted)
    if start < 0:
        return False
    before, after = re.split(CLAUSES, line[:start])[-1], re.split(CLAUSES, line[start + len(wanted) :])[0]
    for other in said.beside:
        after = after.replace(normalized(other), " ")
    return _only_leads(before, said) and _adds_nothing(after, said.context)


def _is_denied(value: str, said: Quotation) -> bool:
    """Whether a "not" stands before the text in its sentence: without it the text would say the opposite."""
    text = said.line.text
    at = place_of(text, value)
    opens = max((text.rfind(mark, 0, at[0]) for mark in ".!?\n"), default=-1) if at else -1
    before = tokens(masked(text[opens + 1 : at[0]]), said.context.language) if at else ()
    return listed(said.context.language, "negators", "rejected").holds(before)


def _only_leads(before: str, said: Quotation) -> bool:
    """Whether words before a text are its cue, its field's name, or small."""
    language = said.context.language
    leading = joined(
        joined(phrases(said.field.before, language), names(said.field, said.context)),
        listed(
            language,
            "filler",
            "polite",
            "articles",
            "naming",
            "conjunctions",
            "breaks",
            "subjects",
            "have",
            "be",
            "yes",
            "small_talk.stating",
            "small_talk.introducing",
            "small_talk.introducing_weakly",
        ),
    )
    row = tokens(masked(before), language)
    taken = {i for first, after, _ in leading.spans(row) for i in range(first, after)}
    return len(taken) == len(row)


def _adds_nothing(after: str, context: Context) -> bool:
    row = tokens(masked(after), context.language)
    small = listed(context.language, "polite", "filler", "breaks", "articles")
    return len({i for first, end, _ in small.spans(row) for i in range(first, end)}) == len(row)


def is_led_to(said: Quotation) -> bool:
    """Whether the field's cue or name stands before the text in its line, or the text is one that the form knows."""
    value, line = str(said.data), said.line.text
    kind = kind_of(said.field)
    if any(
        holds_quote(str(r.data), value) or holds_quote(value, str(r.data))
        for r in kind.find(said.field, line, said.context)
    ):
        return True
    at = place_of(line, value) or said.quoted
    row = tokens(masked(line), said.context.language)
    named = at is not None and is_named(said.field, row, place(row, at[0]), place(row, at[1]), said.context)
    return named or (at is not None and _follows_its_neighbour(at[0], said))


def _is_cued(said: Quotation) -> bool | None:
    """True where a small word leads to this name or place and to no other field's ("from Leeds"); False where to another's alone."""
    at, field = place_of(said.line.text, str(said.data)), said.field
    language = said.context.language
    if at is None or not asks_thing(field, language):
        return None
    things = [f for f in said.form.fields.values() if f != field and kind_of(f).verbatim and asks_thing(f, language)]
    row = tokens(masked(said.line.text), language)
    led = led_alone(field, things, row, place(row, at[0]), said.context)
    return led if not led or (is_name(said.line.text, *at, said.context) and not _is_choice(said)) else None


def _names_itself(value: str, said: Quotation) -> bool:
    """Whether the text holds the field's own name, as a street does ("calle del Olmo 4")."""
    return names(said.field, said.context).holds(tokens(masked(value), said.context.language))


def _is_choice(said: Quotation) -> bool:
    """Whether the text is a choice of another field of the form ("to the savings account")."""
    closed = (f for f in said.form.fields.values() if f.choices)
    return any(kind_of(f).find(f, str(said.data), said.context) for f in closed)


def _is_no_name(said: Quotation) -> bool:
    """Whether a name or place is asked for, and the text is only common words out of a longer line ("please", "there")."""
    value, context = str(said.data), said.context
    part = normalized(value) != normalized(said.line.text)
    return part and asks_thing(said.field, context.language) and is_common(value, context)


def _follows_its_neighbour(start: int, said: Quotation) -> bool:
    """Whether the text stands right behind the answer that comes before it in the form's own row ("12 Elm Road, 28013 Oldtown")."""
    row = [f.name for f in said.form.fields.values() if f.tool and f.tool == said.field.tool]
    before = row[: row.index(said.field.name)] if said.field.name in row else []
    text, values = said.line.text[:start].rstrip(" ,\n").casefold(), said.draft.values
    near = (n for n in before if n in values and values[n].provenance.message == said.line.message)
    return any(said.line.message and text.endswith(str(values[n].data).casefold()) for n in near)


def _is_named_for_another(said: Quotation) -> bool:
    """Whether the words stand beside another text field's own name."""
    return any(_names_it(f, said) for f in said.form.fields.values() if kind_of(f).verbatim and f != said.field)


def _answers_the_question(said: Quotation) -> bool:
    """Whether the text is the whole message while another text is asked: a bare answer is the asked field's."""
    asked = said.form.fields.get(asked_then(said.line, said.draft))
    whole = normalized(said.line.text).strip(" .!") == normalized(str(said.data)).strip(" .!")
    return whole and asked is not None and kind_of(asked).verbatim and asked.name not in said.draft.values


def _names_it(field: Field, said: Quotation) -> bool:
    at = place_of(said.line.text, str(said.data))
    row = tokens(masked(said.line.text), said.context.language)
    return at is not None and is_named(field, row, place(row, at[0]), place(row, at[1]), said.context)


def _in_question(said: Quotation) -> bool:
    """Whether the text stands in a sentence that asks."""
    at = place_of(said.line.text, str(said.data)) or said.quoted
    if at is None:
        return False
    language = said.context.language
    rows = (([t for c in s.clauses for t in c], s.asks) for s in sentences(masked(said.line.text), language))
    here = ((row, asks) for row, asks in rows if row and row[0].start < at[1] and at[0] < row[-1].end)
    return any(
        asks_about(row, said.context) if asks else is_question(row, language) and not _tells_of(row, said)
        for row, asks in here
    )


def _tells_of(row: list[Token], said: Quotation) -> bool:
    """Whether a sentence with a question word in it tells something ("when everybody exports the list at once")."""
    opens = listed(said.context.language, "question_words", "question_verbs").at(row, 0) is not None
    return len(row) >= TELLING if said.is_asked else not opens


def _mostly_spent(said: Quotation) -> bool:
    """Whether the quote's words have set other fields, so that too little is left to be a text."""
    at = said.quoted
    if at is None or not said.spent.starts:
        return False
    inside = [t for t in tokens(masked(said.line.text), said.context.language) if at[0] <= t.start < at[1]]
    left = [t for t in inside if not said.spent.hits(t.start, t.end)]
    return len(left) < len(inside) and not _tells(left, said.context)


def _tells(row: list[Token], context: Context) -> bool:
    small = listed(context.language, "filler", "polite", "articles", "breaks", "naming", "subjects", "have", "units")
    return sum(t.key not in small.rows for t in row) >= 2  # noqa: PLR2004  a word alone is a remainder


def _shares_words(value: str, quote: str) -> bool:
    told, heard = set(WORD.findall(normalized(value))), set(WORD.findall(normalized(quote)))
    return bool(told) and len(told & heard) / len(told) >= OVERLAP
