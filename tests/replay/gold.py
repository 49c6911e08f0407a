"""What counts as told, what the conversation came to by the data set's own account, and whether a value is that."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from state.form import Field, Form
from tests.replay.data import Part, Write

IN_LETTERS = {
    "1": ("one", "single"), "2": ("two", "both", "couple"), "3": ("three",), "4": ("four",), "5": ("five",), "6": ("six",), "7": ("seven",),
    "8": ("eight",), "9": ("nine",), "10": ("ten",),
}  # fmt: skip
STEM = 4
"""Letters that words have in common where one is a form of the other ("shared", "sharing")."""


def tells(write: Write, text: str, field: Field, asked: str) -> bool:
    """Return True if this message tells this value; `asked` is the field that our form had asked when it came."""
    if any(stands(spelling, text) for spelling in (write.value, *write.spellings)):
        return True
    return write.how == "inform" and (field.name == asked or _said_otherwise(write, text, field))


def stands(words: str, text: str) -> bool:
    """Return True if the words stand in the text as whole words, whatever their case."""
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


def same(data: Any, write: Write) -> bool:
    """Return True if a canonical value is one of the spellings: letters compared without case or a full stop, numbers by what they count."""
    return any(_plain(data) == _plain(spelling) for spelling in (write.value, *write.spellings))


def _plain(data: Any) -> str:
    text = " ".join(str(data).casefold().split()).rstrip(".,;!? ")
    try:
        return str(Decimal(text).normalize())
    except InvalidOperation:
        return text


@dataclass
class Gold:
    """A form's values as the person has told them so far; the whole form is matched, not what its service happens to write."""

    part: Part
    told: dict[str, Write] = field(default_factory=dict)

    def hear(self, writes: tuple[Write, ...]) -> None:
        """Take what a turn wrote."""
        self.told.update({w.field: w for w in writes})

    def means(self, name: str, data: Any) -> bool:
        """Return True if this is what the person last said of the field, or is going to submit."""
        told = name in self.told and same(data, self.told[name])
        return told or (name in self.part.params and _plain(data) == _plain(self.part.params[name]))

    def wanted(self, name: str, form: Form) -> Write | None:
        """What the person would answer: what they told, what they are going to submit, or what the form takes for granted."""
        default = form.fields[name].default
        last = self.part.params.get(name, None if default is None else str(default))
        return self.told.get(name) or (None if last is None else Write(name, last, (last,), "span", last, False))

    def wrong(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> tuple[str, ...]:
        """Fields of a record that hold something else than was told; the form's own default stands for what nobody spoke of."""
        unsaid = {n: data for n, data in values.items() if n not in self.part.params and n not in self.told}
        told = (n for n, data in values.items() if n not in unsaid and not self.means(n, data))
        return (*told, *(n for n, data in unsaid.items() if _plain(data) != _plain(defaults.get(n))))

    def lacking(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> tuple[str, ...]:
        """Fields that were to be submitted, are no default, and that the record has not."""
        params = self.part.params.items()
        return tuple(n for n, given in params if n not in values and _plain(given) != _plain(defaults.get(n)))
