"""What the conversation came to by the data set's own account, and whether a value is that."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any

from tests.replay.data import Part, Write


def same(data: Any, write: Write) -> bool:
    """Whether a canonical value is one of the spellings: letters compared without case, numbers by what they count."""
    return any(_plain(data) == _plain(spelling) for spelling in (write.value, *write.spellings))


def _plain(data: Any) -> str:
    text = " ".join(str(data).casefold().split())
    try:
        return str(Decimal(text).normalize())
    except InvalidOperation:
        return text


@dataclass
class Gold:
    """A form's values as the person has told them so far."""

    part: Part
    told: dict[str, Write] = field(default_factory=dict)

    def hear(self, writes: tuple[Write, ...]) -> None:
        """Take what a turn wrote."""
        self.told.update({w.field: w for w in writes})

    def differs(self, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> tuple[str, ...]:
        """Fields of a submission that are not what was told; what the call left unsaid stands for the form's default."""
        wrong = [name for name, given in self.part.params.items() if not self._is(values, name, given)]
        unsaid = [
            n for n, data in values.items() if n not in self.part.params and _plain(data) != _plain(defaults.get(n))
        ]
        return (*wrong, *unsaid)

    def _is(self, values: Mapping[str, Any], name: str, given: str) -> bool:
        as_submitted = name in values and _plain(values[name]) == _plain(given)
        return as_submitted or (name in values and name in self.told and same(values[name], self.told[name]))
