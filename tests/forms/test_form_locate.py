"""Where things stand in a TOML text."""

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from state.form.source import Keys as Path
from state.form.source import line_of, locate

TEXT = '''# a form
title = "One # two"
words = [
  "a", # with ] in a comment
  """b
  ]""",
  'c',
]
[fields.x]  # a table
kind.deep = 1
choices = [
  { value = "1", label = "[one]" },
  { value = "2",
    label = "two" },
]

[[steps]]
say = 'it''s'
[steps.expect]
asked = "x"
[[steps]]
"quoted key" = 2026-11-20 # a day
'''.replace("'it''s'", "'its'")


def test_every_key_and_entry_has_its_line() -> None:
    """Tables, keys, dotted keys, entries of lists and keys of inline tables are found on the lines where they stand."""
    lines = locate(TEXT)
    wanted: dict[Path, int] = {
        ("title",): 2,
        ("words",): 3,
        ("words", 0): 4,
        ("words", 1): 5,
        ("words", 2): 7,
        ("fields", "x"): 9,
        ("fields", "x", "kind", "deep"): 10,
        ("fields", "x", "choices", 0, "label"): 12,
        ("fields", "x", "choices", 1): 13,
        ("fields", "x", "choices", 1, "label"): 14,
        ("steps", 0): 17,
        ("steps", 0, "say"): 18,
        ("steps", 0, "expect", "asked"): 20,
        ("steps", 1): 21,
        ("steps", 1, "quoted key"): 22,
    }
    assert {path: lines.get(path) for path in wanted} == wanted


def test_what_is_not_there_is_near_what_is() -> None:
    """A path that the text does not hold has the line of the nearest thing around it, and the first line where there is none."""
    lines = locate(TEXT)
    assert line_of(lines, ("fields", "x", "label")) == 9
    assert line_of(lines, ("fields", "x", "choices", 1, "words", 3)) == 13
    assert line_of(lines, ("nothing", "at", "all")) == 1


KEYS = st.text("abcxyz", min_size=1, max_size=3)
SCALARS = st.one_of(st.integers(-9, 9), st.booleans(), st.text("ab\"'#[]{}=,\\\n ", max_size=8))
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)


def written(value: Any) -> str:
    """A value as TOML, each entry of a list on a line of its own."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
    if isinstance(value, list):
        return "[\n" + "".join(f"{written(v)},\n" for v in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k} = {written(v)}" for k, v in value.items()) + "}"
    return str(value)


def paths(value: Any, at: Path = ()) -> set[Path]:
    """Every path into a value."""
    inside = list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())
    return {(*at, key) for key, _ in inside} | {path for key, v in inside for path in paths(v, (*at, key))}


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_a_text_holds_exactly_the_paths_of_its_values(table: dict[str, Any]) -> None:
    """Whatever a TOML text holds is located, and nothing else is."""
    text = "".join(f"{key} = {written(value)}\n" for key, value in table.items())
    assert set(locate(text)) == paths(tomllib.loads(text))
