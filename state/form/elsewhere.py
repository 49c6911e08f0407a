"""What other houses call the keys of a form, and how a key is written that they fill in otherwise: for authors who come from there."""

from collections.abc import Collection, Mapping

KEYS: Mapping[str, tuple[str, ...]] = {
    "kind": ("type", "fieldtype", "widget"),
    "ask": ("question", "prompt", "text"),
    "label": ("title", "caption", "heading", "display"),
    "choices": ("options", "values", "items", "enum", "answers"),
    "when": ("if", "condition", "conditions", "showif", "visibleif", "onlyif", "dependson"),
    "required": ("mandatory",),
    "minimum": ("min",),
    "maximum": ("max",),
    "max_length": ("maxlength", "length", "maxchars"),
    "placeholder": ("hint",),
    "help": ("description", "explanation", "info"),
    "words": ("synonyms", "aliases", "keywords"),
    "on": ("trigger", "event"),
    "to": ("target", "next", "goto"),
    "command": ("slash", "slashcommand"),
    "fields": ("questions",),
    "stages": ("steps",),
    "confirm": ("confirmation",),
    "purpose": ("description", "summary"),
    "usage": ("usagehint", "hint"),
    "equals": ("when", "if", "is", "in", "where", "condition"),
    "above": ("greaterthan", "morethan", "gt", "exceeds", "atleast", "min", "minimum", "from"),
    "over": ("total", "cumulative", "budget", "sumof"),
    "sum": ("field", "amount", "value", "of"),
    "limit": ("above", "bound"),
    "per": ("within", "period", "window"),
    "by": ("date", "day", "on"),
    "same": ("group", "groupby"),
    "below": ("under", "lessthan", "lt", "atmost", "max", "maximum"),
    "any_of": ("any", "or", "anyof", "oneof"),
    "all_of": ("all", "and", "allof"),
    "none_of": ("none", "not", "noneof"),
    "otherwise": ("default", "else", "always", "catchall"),
    "state": ("status", "then", "result", "outcome"),
    "reason": ("why", "because", "message"),
    "tell": ("notify", "announce", "channel", "inform"),
    "decided": ("final", "closed", "done"),
    "most": ("max", "maximum", "times", "count"),
    "needed": ("min", "minimum", "least"),
    "any": ("anyof", "or"),
    "none": ("noneof", "not"),
}  # fmt: skip
"""Without capitals, hyphens and underscores."""
INSTEAD: Mapping[str, str] = {"optional": "Write `required = false`.", "hidden": "Say when it counts: `when = …`."}
"""Keys of which the contrary is written here."""
WRITTEN: Mapping[str, str] = {
    "fields": "Write each field as a table: [fields.first_day].",
    "stages": "Write each stage as a table: [stages.first].",
    "operations": "Write each operation as a table: [operations.add].",
    "commands": "Write each command as a table: [commands.status].",
    "repeats": "Write each group as a table: [repeats.trip].",
    "filing": "Write rules as [[filing.rules]], states as [filing.states.seen].",
    "rules": "Write each rule as [[filing.rules]].",
    "when": 'Write a field\'s name, which means yes, or its values: { country = ["IR", "KP"] }.',
    "above": 'Write { value = "GBP 100" }, with the field that is meant.',
    "over": 'Write { sum = "value", per = "year", limit = "GBP 250" }, with the field that is added up.',
    "below": 'Write { value = "GBP 100" }, with the field that is meant.',
    "equals": 'Write { country = ["IR", "KP"] }, with the field that is meant.',
    "any_of": "Write [{ official = true }, { above = { guests = 10 } }], with the fields that are meant.",
    "all_of": "Write [{ official = true }, { above = { guests = 10 } }], with the fields that are meant.",
    "none_of": "Write [{ official = true }, { above = { guests = 10 } }], with the fields that are meant.",
    "transitions": 'Write [{ to = "last" }], with the stage that is meant.',
    "choices": 'Write ["Small", "Large"], or { value = "s", label = "Small" } for each.',
}
"""How a key is filled in that holds a table or a list."""


def called(known: Collection[str]) -> dict[str, str]:
    """What others call those keys that are known at a place."""
    return {other: key for key, others in KEYS.items() if key in known for other in others}
