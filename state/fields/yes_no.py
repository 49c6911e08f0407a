"""Yes or no, and an acknowledgement, which has no other answer than True. Canonical: a bool.

Set by a click, or by a message that says yes or no and nothing else: a word that denies may stand anywhere in open words.
"""

import re
from collections.abc import Iterator

from state.fields.base import Context, Kind, Unreadable, if_plain, text_of
from state.fields.disclosing import named_person
from state.form import Field
from state.form.field import Data
from state.language import Language
from state.language.table import all_of, joined, listed, phrases
from state.language.tokens import masked, tokens

WANTED = "must be true or false, without quotes"
CODED = {"true": True, "false": False}


def whole(field: Field, text: str, context: Context) -> Data | None:
    """Return the answer of a message that says yes or no and nothing else, or repeats it with small words ("no, I don't"); not "yes, just me"."""
    answer, row = said(text, context.language), tokens(masked(text), context.language)
    begins = listed(context.language, "yes", "no").at(row, 0) if answer is not None else None
    whom = named_person(field, text[row[begins[0]].start :]) if begins and begins[0] < len(row) else None
    return answer if whom in (None, answer) else None


def said(text: str, language: Language) -> bool | None:
    """Return what a message says plainly; None where a word of it is neither yes, no, small nor polite, or doubts it, or where it says both."""
    every = row = tokens(masked(text), language)
    if not row:
        return mark_alone(text)
    beside = listed(language, "polite", "hesitating")
    while led := beside.at(row, 0):
        row = row[led[0] :]
    begins = {
        answer: (listed(language, entry).at(row, 0) or (0,))[0] for answer, entry in ((True, "yes"), (False, "no"))
    }
    answer = begins[True] > begins[False]
    rest = row[begins[answer] :]
    if rest == row or listed(language, "small_talk.doubts").holds(every):
        return None
    same, other = ("yes", "no") if answer else ("no", "yes")
    if all_of(rest, listed(language, "polite", "hesitating", same, *(() if answer else ("enough",)))):
        return answer
    denies = listed(language, "negators", "no").holds(rest)
    small = listed(language, "small", "polite", same, "negators")
    return answer if denies is not answer and all_of(rest, small) and not listed(language, other).holds(rest) else None


def parse(field: Field, given: object, context: Context) -> Data:
    """Return True or False. Raises Unreadable: not_yes_no."""
    if isinstance(given, bool):
        return given
    text = text_of(given)
    coded = CODED.get(text.casefold())
    answer = coded if coded is not None else if_plain(whole)(field, text, context)
    if answer is None:
        raise Unreadable("not_yes_no")
    return answer


def show(_field: Field, data: Data, context: Context) -> str:
    """Return the word of the form's language."""
    return context.language.yes_label if data else context.language.no_label


def acknowledged(field: Field, text: str, context: Context) -> Data | None:
    """Return True for a message that acknowledges, in the language's words or those of the button, and says nothing else."""
    language = context.language
    row = tokens(masked(text), language)
    if not row:
        return mark_alone(text) or None
    said = joined(listed(language, "acknowledging", "yes"), phrases([c.label for c in field.choices], language))
    return True if said.holds(row) and all_of(row, joined(said, listed(language, "polite", "small"))) else None


def parse_acknowledged(field: Field, given: object, context: Context) -> Data:
    """Return True. Raises Unreadable: must_acknowledge."""
    if given is True:
        return True
    text = text_of(given)
    if text.casefold() != "true" and if_plain(acknowledged)(field, text, context) is None:
        raise Unreadable("must_acknowledge")
    return True


def polar_flaws(field: Field) -> Iterator[tuple[str, str]]:
    """Check that each answer declares something where one does."""
    if field.declares and not (field.declares.yes and field.declares.no):
        yield "declares", 'Write both sentences: declares = { yes = "I …", no = "I do not …" }.'


def flaws(field: Field) -> Iterator[tuple[str, str]]:
    """Check that it has one button, and one sentence where it declares any."""
    if len(field.choices) > 1:
        yield "choices", "An acknowledgement has one button. Keep one choice, or make it a choice field."
    if field.declares and (field.declares.no or not field.declares.yes):
        yield "declares", 'An acknowledgement has one sentence. Write declares = { yes = "I understand that …" }.'


YES_SIGNS = "✓✔☑✅👍"
NO_SIGNS = "✗✘❌❎👎"
NAMED = {
    "+1": True, "thumbsup": True, "white_check_mark": True, "heavy_check_mark": True, "ballot_box_with_check": True,
    "-1": False, "thumbsdown": False, "x": False, "negative_squared_cross_mark": False,
}  # fmt: skip
SIGN = re.compile(rf"[{YES_SIGNS}{NO_SIGNS}]|:({'|'.join(map(re.escape, NAMED))}):")


def mark_alone(text: str) -> bool | None:
    """Return what the signs of a message without words say; None where there is none, or both."""
    said = {(NAMED[m[1]] if m[1] else m[0] in YES_SIGNS) for m in SIGN.finditer(text)}
    return said.pop() if len(said) == 1 else None


KIND = Kind(
    name="yes_no",
    about="Yes or no: two buttons.",
    whole=if_plain(whole), parse=parse, show=show, schema=lambda _: {"type": "boolean"},
    fits=lambda _, value: isinstance(value, bool), wanted=WANTED, takes=frozenset({"suggest", "declares", "tells"}),
    flaws=polar_flaws, element="yes_or_no",
    declaration=True, polar=True, on_paper=False, offered=False, grounding="answer",
)  # fmt: skip
ACKNOWLEDGEMENT = Kind(
    name="acknowledgement",
    about="One button; its words may be given as the one choice.",
    whole=if_plain(acknowledged), parse=parse_acknowledged, show=show,
    schema=lambda _: {"type": "boolean", "enum": [True]}, fits=KIND.fits, wanted=WANTED, takes=frozenset({"choices", "declares"}), flaws=flaws,
    element="acknowledge", declaration=True, on_paper=False, offered=False, grounding="answer",
)  # fmt: skip
