"""The tools that a model is offered for a draft: setters for the fields that are open, and the few that are always there.

Strict tools list every property in `required`, so a property that may stay unsaid is nullable. The API takes 20 strict tools,
24 optional and 16 union-typed properties a request: a form beyond that is offered plain tools, whose unsaid properties
are left out. Guards judge every call alike.
"""

from typing import Any

from prompts.request import Tool
from prompts.view import View
from state.draft.missing import choosable
from state.draft.scope import CORRECT, DISCLOSE, GO, OFFER, READ, SAY, Scope, scope
from state.draft.topics import SOCIAL, Act, acts
from state.fields import kind_of
from state.form import Field
from state.form.schema import Operation
from state.understanding.arguments import unfilled

Schema = dict[str, Any]

STRICT_TOOLS, STRICT_UNIONS = 20, 16
"""The API's limits for one request; nullable properties, of which it takes 24, are unions too."""
APART = 8
"""Values of one setter that come with a quote each; of more, one quote must do."""
_STRING: Schema = {"type": "string"}


def tools(view: View, *, strict: bool = True, leads: bool = False, apart: bool = True) -> tuple[Tool, ...]:
    """Return tools in the Messages API's form, pruned to what may be filled or corrected now; `strict` where the API's limits let them.

    `leads`: code took the whole act, its words are spent, and nothing is left to set, but what a document may tell. `apart`: each value of a
    shared setter with a quote of its own.
    """
    offered = scope(view.form, view.draft)
    if leads and not view.form.conversational and not offered.documents:
        leading = (SAY, offered.person, offered.finalize)
        return tuple(_always(view, offered, n, strict, leads=True) for n in offered.always if n in leading)
    operations = [view.form.operations[name] for name in offered.operations]
    optional = sum(unfilled(o, f) for o in operations for f in o.fields.values())
    strict = strict and _within_limits(offered, optional)
    setters = (_setter(view, name, fields, strict, apart) for name, fields in offered.setters.items())
    always = (_always(view, offered, name, strict) for name in offered.always)
    return (*setters, *(_operation(one, strict) for one in operations), *always)


def _within_limits(offered: Scope, others: int) -> bool:
    shared = [f for fields in offered.setters.values() if len(fields) > 1 for f in fields]
    alone = [f for fields in offered.setters.values() if len(fields) == 1 for f in fields]
    schemas = [kind_of(f).schema(f) for f in alone]
    unions = sum("anyOf" in schema or isinstance(schema.get("type"), list) for schema in schemas)
    return len(offered.names) <= STRICT_TOOLS and others + len(shared) + unions <= STRICT_UNIONS


def _setter(view: View, name: str, fields: tuple[Field, ...], strict: bool, apart: bool) -> Tool:
    several = len(fields) > 1
    fields = tuple(choosable(f, view.draft) for f in fields)
    schemas = {f.name: _schema(view, f) if several else kind_of(f).schema(f) for f in fields}
    if several and strict:
        schemas = {n: nullable(schema) for n, schema in schemas.items()}
    demanded = [] if several and not strict else list(schemas)
    declared = all(kind_of(f).declaration for f in fields)  # a declaration is judged by any quote
    apart = apart and strict and 1 < len(fields) <= APART and not declared
    words = _object(dict.fromkeys(schemas, _STRING), list(schemas)) if apart else _STRING
    unsaid = "null for what was not said." if strict else "Leave out what was not said."
    purpose = unsaid if several else f"{view.label(fields[0])}."
    return _tool(name, purpose, {**schemas, "words": words}, [*demanded, "words"], strict)


def _schema(view: View, field: Field) -> Schema:
    """Return the kind's schema, with the label where the name does not say it."""
    schema = kind_of(field).schema(field)
    told = "; ".join(filter(None, (view.beyond(field), schema.get("description"))))
    return {**schema, "description": told} if told else schema


def _operation(operation: Operation, strict: bool) -> Tool:
    open_ones = {f.name for f in operation.fields.values() if unfilled(operation, f)}
    schemas = {f.name: kind_of(f).schema(f) for f in operation.fields.values()}
    properties = {n: nullable(s) if strict and n in open_ones else s for n, s in schemas.items()}
    required = list(properties) if strict else [n for n in properties if n not in open_ones]
    waits = " The user confirms it by a click." if operation.confirm == "always" else ""
    return _tool(operation.name, f"{operation.title.rstrip('.')}.{waits}", properties, required, strict)


def nullable(schema: Schema) -> Schema:
    """Return the schema that also takes null."""
    if not isinstance(schema.get("type"), str):
        return {"anyOf": [schema, {"type": "null"}]}
    more = {"enum": [*schema["enum"], None]} if "enum" in schema else {}
    return {**schema, "type": [schema["type"], "null"], **more}


def _say(view: View, strict: bool, leads: bool) -> Tool:
    possible = {a: about for a, about in acts(view.form, view.draft).items() if not leads or a in _UNASKED}
    subjects = dict.fromkeys(name for names in possible.values() for name in names)
    properties: Schema = {"act": {**_STRING, "enum": [a.value for a in possible]}}
    if subjects:
        fields = ("a field",) if subjects.keys() & view.form.fields.keys() else ()
        others = (name for name in subjects if name not in view.form.fields)
        properties["about"] = {**_STRING, "description": ", ".join((*fields, *others))}
    if Act.WHICH in possible:
        properties["readings"] = {"type": "array", "items": _STRING}
    needed = list(properties) if strict else ["act"]
    hints = "; ".join(f"{act}: {hint}" for act, hint in _HINTS.items() if act in possible)
    return _tool(SAY, f"{hints}.", properties, needed, strict)


_UNASKED = frozenset({*SOCIAL, Act.OFFER_PERSON})
"""Speech acts where nobody asked anything."""
_HINTS = {
    Act.WHICH: "two quoted `readings`",
    Act.RECORD: "what they ask of the filed request",
    Act.CANNOT_ANSWER: "where no explain or passage does",
    Act.OFFER_PERSON: "they want one or are lost",
}


def _always(view: View, offered: Scope, name: str, strict: bool, leads: bool = False) -> Tool:
    if name == SAY:
        return _say(view, strict, leads)
    description, properties = {
        CORRECT: (
            "Propose a filled field's new value, only if the newest user message changes it.",
            {"field": _one_of(offered.correctable), "value": _STRING, "words": _STRING},
        ),
        DISCLOSE: (
            "Record that the newest user message admits what this field's answer denied.",
            {"field": _one_of(offered.disclosable), "words": _STRING},
        ),
        OFFER: (
            "Suggest an open field's value that the user did not say; their yes sets it.",
            {"field": _STRING, "value": _STRING},
        ),
        GO: (
            "Take a step that the newest user message asks for.",
            {"to": {**_STRING, "enum": list(offered.ways)}, "words": _STRING},
        ),
        READ: (
            "Read a document that the user sent, where open fields may stand in it.",
            {"document": {**_STRING, "enum": list(offered.documents)}},
        ),
        offered.finalize or "finalize": ("Finish. Afterwards the form tells the user; stop.", {}),
        offered.cancel or "cancel": ("Ask the user whether to give all of this up, if they say so.", {}),
        offered.person: ("Offer a person when the user wants one or is lost.", {"reason": _STRING}),
    }[name]
    return _tool(name, description, properties, list(properties), strict)


def _one_of(fields: tuple[Field, ...]) -> Schema:
    return {**_STRING, "enum": [f.name for f in fields]} if fields else _STRING


def _tool(name: str, description: str, properties: Schema, required: list[str], strict: bool) -> Tool:
    tool = {"name": name, "description": description, "input_schema": _object(properties, required)}
    return tool | ({"strict": True} if strict else {})


def _object(properties: Schema, required: list[str]) -> Schema:
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
