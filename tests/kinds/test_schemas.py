"""The JSON schemas that a model's tools are built from."""

import json

import jsonschema
import pytest

from state.fields import kind_of
from state.form import Field
from tests.kinds.fields import DIRECTION, EVERY, HOLDING, ISIN, LEVERAGED, QUANTITY, VALUE

STRICT = {"type", "enum", "description", "items"}


@pytest.mark.parametrize("field", EVERY, ids=lambda f: f.name)
def test_schemas_are_strict_and_short(field: Field) -> None:
    """A field's schema is valid, uses nothing that strict tools refuse, and costs few characters."""
    schema = kind_of(field).schema(field)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert set(schema) | set(schema.get("items", {})) <= STRICT
    assert len(json.dumps(schema)) <= 90


def test_schemas_describe_their_kind() -> None:
    """Numbers are numbers, choices are listed, an acknowledgement can only be true."""
    schemas = [kind_of(f).schema(f) for f in (QUANTITY, LEVERAGED, HOLDING, DIRECTION, VALUE, ISIN)]
    assert [s["type"] for s in schemas] == ["integer", "boolean", "boolean", "string", "string", "string"]
    assert schemas[3]["enum"] == ["buy", "sell"]
    assert schemas[2]["enum"] == [True]
    assert schemas[5]["description"] == "ISIN"
