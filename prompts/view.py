"""One draft as it is told to a model: its fields by name and label, its values as people read them, always as inert data."""

import json
import re
from dataclasses import dataclass
from functools import cached_property

from prompts.marks import brief
from state.draft.display import display_value
from state.draft.draft import Draft, Value
from state.draft.missing import missing, reachable, unfilled
from state.fields.base import Context
from state.form import Field, Form

_BRACES = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_IN_A_SENTENCE = 60
"""Characters of a value that a question or a label names."""


@dataclass(frozen=True)
class View:
    """Form, draft and the day (ISO 8601)."""

    form: Form
    draft: Draft
    today: str

    @cached_property
    def missing(self) -> tuple[Field, ...]:
        """Return the fields to ask for, the next one first."""
        return missing(self.form, self.draft)

    @cached_property
    def filled(self) -> tuple[Field, ...]:
        """Return answered fields that are not to be asked for, in the form's order."""
        open_ones = {f.name for f in self.missing}
        return tuple(
            f for f in reachable(self.form, self.draft) if f.name in self.draft.values and f.name not in open_ones
        )

    @cached_property
    def optional(self) -> tuple[Field, ...]:
        """Return fields that may be told and are never asked for."""
        return tuple(f for f in unfilled(self.form, self.draft) if f not in self.missing)

    def label(self, field: Field) -> str:
        """Return what people call the field."""
        return self._filled_in(field.label)

    def title(self, field: Field) -> str:
        """Return the field's name, with its label where that says more."""
        told = self.beyond(field)
        return f"{field.name} ({told})" if told else field.name

    def beyond(self, field: Field) -> str:
        """Return the label, where it has no word of the name."""
        label = self.label(field)
        return label if set(label.lower().split()).isdisjoint(field.name.split("_")) else ""

    def labels(self, fields: tuple[Field, ...]) -> str:
        """Return the labels, joined by commas."""
        return ", ".join(map(self.label, fields))

    def ask(self, field: Field) -> str:
        """Return the form's own question."""
        return self._filled_in(field.ask)

    def value(self, name: str, limit: int = 120) -> str:
        """Return a field's answer, quoted where it holds words."""
        return self.quoted(name, self.draft.values[name], limit)

    def quoted(self, name: str, value: Value, limit: int = 120) -> str:
        """Return a value for a field: `Yes`, `200`, `"Tesco PLC (GB00BLGZ9862)"`; longer ones are cut."""
        words = brief(self._shown(name, value), limit)
        return words if isinstance(value.data, bool | int) else json.dumps(words, ensure_ascii=False)

    def _shown(self, name: str, value: Value) -> str:
        return display_value(self.form.fields[name], value, Context(self.form.language, self.today))

    def _filled_in(self, text: str) -> str:
        """Replace names in braces by the fields' answers, cut short, or their labels while they have none."""
        return _BRACES.sub(lambda found: self._named(found[1]), text)

    def _named(self, name: str) -> str:
        value = self.draft.values.get(name)
        if value and name in self.form.fields:
            return brief(self._shown(name, value), _IN_A_SENTENCE)
        return self.form.fields[name].label.lower() if name in self.form.fields else name
