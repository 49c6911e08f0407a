"""What the words of a message admit: the worse answer to a question, by the form's own words for it or by the field's name."""

import re
from collections.abc import Iterator

from state.draft.draft import Draft
from state.fields import kind_of
from state.fields.base import Context
from state.fields.disclosing import Names, Told, disclosures
from state.fields.naming import names as names_table
from state.form import Field
from state.language import LANGUAGES
from state.language.clauses import clauses
from state.language.table import listed
from state.language.tokens import masked, tokens

LEAST = 4
"""Letters of a word that names a thing by itself ("Tesco" for Tesco PLC)."""
IN_BRACKETS = re.compile(r"\([^)]*\)")
SHORT_NAMES = ("ticker", "symbol")
"""Facts of a thing by which people call it."""
LEGAL_FORMS = frozenset(form for language in LANGUAGES.values() for form in language.legal_forms)


def worse_told(field: Field, text: str, context: Context, draft: Draft) -> Iterator[Told]:
    """Where the text tells the worse answer, what is sure first."""
    by_words = sorted(disclosures(field, text, context, names_of(draft, context)), key=lambda told: not told.sure)
    yield from by_words
    if kind_of(field).polar:
        beside = {(told.start, told.end) for told in by_words}
        denying = listed(context.language, "negators", "no")
        rows = (row for row in clauses(masked(text), context.language) if not denying.holds(row))
        found = ((row[a].start, row[b - 1].end) for row in rows for a, b, _ in names_table(field, context).spans(row))
        yield from (Told(*span, sure=False) for span in found if span not in beside)


def names_of(draft: Draft, context: Context) -> Names:
    """What the things that were looked up are called: "Tesco", "Tesco PLC", "TSCO"."""
    looked_up = {name: value for name, value in draft.values.items() if value.facts}
    short = {n: tuple(str(v.facts[f]) for f in SHORT_NAMES if v.facts.get(f)) for n, v in looked_up.items()}
    return {name: (*_called(value.label, context), *short[name]) for name, value in looked_up.items()}


def _called(label: str, context: Context) -> tuple[str, ...]:
    """Return the name without its legal form, and its first word where that tells enough, else the first two."""
    name = IN_BRACKETS.sub(" ", label)
    row = [t for t in tokens(name, context.language) if t.key not in LEGAL_FORMS]
    if not row:
        return ()
    first = row[0] if len(row[0].key) >= LEAST or len(row) == 1 else row[1]
    return tuple(dict.fromkeys((name[row[0].start : row[-1].end], name[row[0].start : first.end])))
