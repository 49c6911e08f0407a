"""Messages to a person: sentences of the catalogue by their keys, and words of models and forms."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Phrase:
    """A sentence of the catalogue by its key, with what it names. `field` arguments are field names; the builder shows their labels."""

    key: str
    args: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Verbatim:
    """Words of the house's (a passage, a field's help) or a model's answer, shown as they are and never as markup."""

    text: str


Utterance = Phrase | Verbatim
