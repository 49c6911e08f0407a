"""The tools that a model is offered."""

from collections.abc import Iterator
from typing import Any

import jsonschema
from hypothesis import given, settings
from prompt_cases import DEALING, FIELDS, TODAY, draft_of, drafts, form_of, setters, value

from prompts.build import build_request
from prompts.tools import tools
from prompts.view import View
from state.draft.draft import Draft, Status
from state.draft.missing import missing, unfilled
from state.engine.effects import CallModel
from state.form import Form
from tests.thoroughness import examples


def offered(form: Form, draft: Draft) -> dict[str, dict[str, Any]]:
    """Tools by name."""
    return {tool["name"]: tool for tool in tools(View(form, draft, TODAY))}


def properties(tool: dict[str, Any]) -> dict[str, Any]:
    """A tool's properties by name."""
    found: dict[str, Any] = tool["input_schema"]["properties"]
    return found


def unions(request_tools: Iterator[dict[str, Any]]) -> int:
    """Union-typed properties of all strict tools."""
    schemas = (schema for tool in request_tools if tool.get("strict") for schema in properties(tool).values())
    return sum("anyOf" in schema or isinstance(schema.get("type"), list) for schema in schemas)


@settings(max_examples=examples(60))
@given(drafts())
def test_no_setter_names_a_finished_field(draft: Draft) -> None:
    """The setters hold the fields that may be filled now, all of them, and no other."""
    found = {name for props in setters(build_request(DEALING, draft, CallModel(1), TODAY)).values() for name in props}
    assert found == ({f.name for f in unfilled(DEALING, draft)} if draft.open else set())
    finished = set(draft.values) - {f.name for f in missing(DEALING, draft)}
    assert not found & finished


@settings(max_examples=examples(40))
@given(drafts())
def test_every_schema_is_strict_and_sound(draft: Draft) -> None:
    """Each tool is a JSON schema of an object that allows nothing else, demands all, and asks for the user's words."""
    for name, tool in offered(DEALING, draft).items():
        schema = tool["input_schema"]
        jsonschema.Draft202012Validator.check_schema(schema)
        assert tool["strict"] is True
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])
        assert ("words" in schema["properties"]) == (name not in ("offer", "say"))


def test_a_shared_tool_takes_null_for_what_was_not_said() -> None:
    """Several fields of one tool may be set together, and each may be left unsaid."""
    schema = offered(DEALING, draft_of())["set_trade"]["input_schema"]
    said = dict.fromkeys(["security", "value", "currency", "account"]) | {
        "direction": "buy",
        "quantity": 200,
        "words": {"direction": "buy", "quantity": "200", "security": "", "value": "", "currency": "", "account": ""},
    }
    jsonschema.validate(said, schema)
    jsonschema.validate(said | {"direction": None}, schema)


def test_a_field_alone_in_its_tool_may_not_be_null() -> None:
    """The last open field of a shared tool must be said for the tool to be called."""
    values = {name: value("x") for name, field in FIELDS.items() if field.get("tool") == "trade" and name != "quantity"}
    tool = offered(DEALING, draft_of(values=values))["set_trade"]
    assert set(properties(tool)) == {"quantity", "words"}
    assert "null" not in properties(tool)["quantity"]["type"]


def test_a_closed_draft_has_no_setter() -> None:
    """After submission a disclosure is left, and what may be said."""
    draft = draft_of(status=Status.SUBMITTED, values={"is_leveraged": value(False)})
    assert list(offered(DEALING, draft)) == ["disclose", "say"]


def test_a_field_is_described_once() -> None:
    """A setter of one field says its label, one of several the labels that the names do not say, each beside its property."""
    found = offered(DEALING, draft_of())
    assert found["set_justification"]["description"] == "Justification."
    assert "description" not in properties(found["set_justification"])["justification"]
    told = {name: part.get("description") for name, part in properties(found["set_declarations"]).items()}
    assert (told["is_derivative"], told["is_related_party"]) == (None, "Connected person")


def a_form_of(count: int, **more: str) -> Form:
    return form_of({f"item_{i}": {"kind": "text", "label": f"Item {i}", "ask": "What?", **more} for i in range(count)})


def test_a_form_beyond_the_limits_is_offered_plain_tools() -> None:
    """With more than 16 fields that may stay unsaid, or more than 20 tools, none is strict, and what was not said is left out."""
    tool = offered(a_form_of(17, tool="items"), draft_of())["set_items"]
    assert "strict" not in tool
    assert tool["input_schema"]["required"] == ["words"]
    jsonschema.validate({"item_3": "x", "words": "x"}, tool["input_schema"])
    found = offered(a_form_of(40), draft_of())
    assert not any("strict" in tool for tool in found.values())
    assert found["set_item_7"]["input_schema"]["required"] == ["item_7", "words"]


def test_a_form_at_the_limit_stays_strict() -> None:
    """Sixteen fields that may stay unsaid are within what the API takes."""
    found = offered(a_form_of(16, tool="items"), draft_of())
    assert all(tool["strict"] for tool in found.values())
    assert unions(iter(found.values())) == 16
