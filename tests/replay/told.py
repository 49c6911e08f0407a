"""What counts as told.

A value of a form is *told* by a message of the person if the data set's annotation of this message writes it (to a field of the form that
is filled in) and the message itself holds a word of it:

- one of the value's spellings stands in the message, as whole words ("San Jose", "half past 11 in the morning"), whatever the annotation
  calls it (said as is, chosen from several, taken from an offer, said before);
- or the annotation calls it said otherwise (`inform`), and the message holds the number in letters ("two rooms"), a word of the choice
  ("the kitchen device" for Kitchen speaker), or, for a yes, a no and "None", the first word of the field's name ("sharing is fine" for
  shared_ride, "no subtitles" for subtitle_language);
- or it is said otherwise while our form asks for just this field: the whole message is the answer.

Not told are values without any word of them: a yes to what the data set's bot had suggested and our form had not ("Sounds good"), what was
said for another form ("for that day", "there"), a paraphrase ("a medium-sized car" for Standard, "just me" for one rider). A value that
stands in the draft already is no news and is not counted again. That somebody does not care is no value.
"""

import re

from state.form import Field
from tests.replay.data import Write

IN_LETTERS = {
    "1": ("one", "single"), "2": ("two", "both", "couple"), "3": ("three",), "4": ("four",), "5": ("five",), "6": ("six",), "7": ("seven",),
    "8": ("eight",), "9": ("nine",), "10": ("ten",),
}  # fmt: skip
STEM = 4
"""Letters that words have in common where one is a form of the other ("shared", "sharing")."""


def tells(write: Write, text: str, field: Field, asked: str) -> bool:
    """Whether this message tells this value; `asked` is the field that our form had asked when it came."""
    if any(stands(spelling, text) for spelling in (write.value, *write.spellings)):
        return True
    return write.how == "inform" and (field.name == asked or _said_otherwise(write, text, field))


def stands(words: str, text: str) -> bool:
    """Whether the words stand in the text as whole words, whatever their case."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE) is not None


def _said_otherwise(write: Write, text: str, field: Field) -> bool:
    if write.value in ("True", "False", "None"):
        return _holds_form_of(field.name.split("_")[0], text)
    if write.value.isdigit():
        return any(stands(word, text) for word in IN_LETTERS.get(write.value, ()))
    return any(_holds_form_of(word, text) for word in re.findall(r"\w+", write.value))


def _holds_form_of(word: str, text: str) -> bool:
    if len(word) < STEM:
        return stands(word, text)
    return any(other.startswith(word[:STEM].casefold()) for other in re.findall(r"\w+", text.casefold()))
