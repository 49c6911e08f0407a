"""Yes or no. Canonical: a bool. Set by a click, or by a message that says yes or no and nothing else; never read out of open words."""

from typing import Any

from state.fields.base import Candidate, Context, Kind, Unreadable
from state.fields.words.plain import if_plain
from state.form import Field
from state.form.field import Data
from state.language import Language
from state.language.marks import mark_alone
from state.language.table import all_of, listed
from state.language.tokens import masked, tokens, trimmed

WANTED = "must be true or false, without quotes"
CODED = {"true": True, "false": False}


def whole(_field: Field, text: str, context: Context) -> Data | None:
    """Return the answer of a message that says yes or no and nothing else, or repeats it with small words ("no, I don't")."""
    return said(text, context.language)


def said(text: str, language: Language) -> bool | None:
    """Return what a message says plainly; None where a word of it is neither yes, no, small nor polite, or where it says both."""
    row = tokens(masked(text), language)
    if not row:
        return mark_alone(text)
    while polite := listed(language, "polite").at(row, 0):
        row = row[polite[0] :]
    begins = {
        answer: (listed(language, entry).at(row, 0) or (0,))[0] for answer, entry in ((True, "yes"), (False, "no"))
    }
    answer = begins[True] > begins[False]
    rest = row[begins[answer] :]
    if rest == row:
        return None
    same, other = ("yes", "no") if answer else ("no", "yes")
    if all_of(rest, listed(language, "polite", same)):
        return answer
    denies = listed(language, "negators", "no").holds(rest)
    small = listed(language, "small", "polite", same, "negators")
    return answer if denies is not answer and all_of(rest, small) and not listed(language, other).holds(rest) else None


def find(_field: Field, _text: str, _context: Context) -> tuple[Candidate, ...]:
    """Nothing: a word that denies or doubts may stand anywhere in open words."""
    return ()


def parse(field: Field, given: object, context: Context) -> Data:
    """Return True or False. Raises Unreadable: not_yes_no."""
    if isinstance(given, bool):
        return given
    text = trimmed(given) if isinstance(given, str) else ""
    coded = CODED.get(text.casefold())
    answer = coded if coded is not None else if_plain(whole)(field, text, context)
    if answer is None:
        raise Unreadable("not_yes_no")
    return answer


def show(_field: Field, data: Data, context: Context) -> str:
    """In the form's language."""
    return context.language.yes_label if data else context.language.no_label


def schema(_field: Field) -> dict[str, Any]:
    """A boolean."""
    return {"type": "boolean"}


def fits(_field: Field, value: object) -> bool:
    """Whether an author wrote a yes or a no."""
    return isinstance(value, bool)


KIND = Kind(
    name="yes_no", whole=if_plain(whole), find=find, parse=parse, show=show, schema=schema,
    fits=fits, wanted=WANTED, takes=frozenset({"suggest"}), element="yes_or_no",
    declaration=True, polar=True, on_paper=False, offered=False, grounding="answer",
)  # fmt: skip
