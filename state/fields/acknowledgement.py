"""An acknowledgement. Canonical: True; there is no other answer."""

from collections.abc import Iterator
from typing import Any

from state.fields import yes_no
from state.fields.base import Context, Kind, Unreadable
from state.fields.words.plain import if_plain
from state.form import Field
from state.form.field import Data
from state.language.marks import mark_alone
from state.language.table import all_of, listed
from state.language.tokens import masked, tokens, trimmed


def whole(_field: Field, text: str, context: Context) -> Data | None:
    """True where the message acknowledges and says nothing else."""
    language = context.language
    row = tokens(masked(text), language)
    if not row:
        return mark_alone(text) or None
    said = listed(language, "acknowledging", "yes").holds(row)
    return True if said and all_of(row, listed(language, "acknowledging", "yes", "polite", "small")) else None


def parse(field: Field, given: object, context: Context) -> Data:
    """True. Raises Unreadable: must_acknowledge."""
    if given is True:
        return True
    text = trimmed(given) if isinstance(given, str) else ""
    if text.casefold() != "true" and if_plain(whole)(field, text, context) is None:
        raise Unreadable("must_acknowledge")
    return True


def schema(_field: Field) -> dict[str, Any]:
    """A boolean that can only be true."""
    return {"type": "boolean", "enum": [True]}


def flaws(field: Field) -> Iterator[tuple[str, str]]:
    """It has one button."""
    if len(field.choices) > 1:
        yield "choices", "An acknowledgement has one button. Keep one choice, or make it a choice field."


KIND = Kind(
    name="acknowledgement", whole=if_plain(whole), find=yes_no.find, parse=parse, show=yes_no.show, schema=schema,
    fits=yes_no.fits, wanted=yes_no.WANTED, takes=frozenset({"choices"}), flaws=flaws,
    element="acknowledge", declaration=True, on_paper=False, offered=False, grounding="answer",
)  # fmt: skip
