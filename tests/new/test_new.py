"""`holdfast new`: a folder that loads, passes its own scenario and can be filled in, from a line, a JSON Schema or a table."""

import json
from pathlib import Path
from typing import Any

import pytest

from blocks.phrases import LANGUAGES
from bot.commands.new.asked import fields_asked, route_asked, with_currency
from bot.commands.new.words import words_of
from bot.settings import Wrong
from state.fields import KINDS
from tests.command import Ran, holdfast

LINES = [
    ("en", "title, amount, date of purchase, why", "text money currency date text"),
    ("en", "Where are you going?, first day, how many nights?, is it urgent?", "text date integer yes_no"),
    ("en", "1. Full name\n2. Mobile number\n3. Invoice number\n4. Colour: red/green", "text phone text choice"),
    ("en", "size (small, medium, large), receipt (optional), budget in EUR and comments", "choice document money text"),
    ("en", "a title / needed by / cost centre / manager approval?", "text date text yes_no"),
    ("de", "Wurde jemand verletzt?, Wann ist es passiert?, Hotel nötig?, das Gewicht", "yes_no date yes_no decimal"),
    ("es", "¿Qué ha pasado?, ¿Hay heridos?, centro de coste, fotos del daño", "text yes_no text documents"),
    ("en", "terms and conditions; meeting time; web page; IBAN", "text time link identifier"),
    ("de", "Titel, Betrag, Kaufdatum, warum", "text money currency date text"),
    ("de", "Anzahl der Gäste, Rechnungsbetrag (CHF), Ist es dringend?, Größe (klein, groß) und Begründung", "integer money yes_no choice text"),
    ("it", "titolo, importo, data di acquisto, perché", "text money currency date text"),
    ("it", "numero di notti, È urgente?, taglia (S, M, L), allegati e motivo", "integer yes_no choice documents text"),
    ("es", "título, importe, fecha de compra, por qué", "text money currency date text"),
    ("es", "número de invitados, ¿Es urgente?, talla (S, M, L), correo electrónico y motivo", "integer yes_no choice email text"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "line", "kinds"), LINES)
def test_what_is_asked_has_sensible_kinds(language: str, line: str, kinds: str) -> None:
    """A line in plain words becomes fields whose kinds follow from the words of each thing."""
    words = words_of(language)
    fields = with_currency(fields_asked(line, words), words)
    assert " ".join(field["kind"] for field in fields) == kinds, fields


def test_every_language_has_its_words() -> None:
    """Whatever language people can be spoken to in, a form can be begun in, with a question for every kind that a line can ask for."""
    for code in LANGUAGES:
        asks = words_of(code).data["asks"]
        assert set(asks) == {*KINDS, "short"} - {"lookup"}
        assert set(words_of(code).data) == set(words_of("en").data)


def make(tmp_path: Path, *words: str) -> Ran:
    """Run `holdfast new` beside a folder of one's own forms."""
    return holdfast("new", *words, var=tmp_path / "var", HOLDFAST_WORKFLOWS=str(tmp_path / "mine"))


PLAYED = [
    ("en", "title, amount, date of purchase, why, urgent?, size (s, m, l), files, phone, period, share in percent", "nobody"),
    ("de", "Titel, Betrag, Kaufdatum, warum, Link", "Vorgesetzte, dann Einkauf"),
    ("it", "titolo, importo in EUR, data, urgente?, taglie (scelta multipla), ora", "compliance"),
    ("es", "título, importe, fecha, ¿Es urgente?, color (a, b, c, d, e, f), por qué", "el jefe y luego logística"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "asks", "decides"), PLAYED)
def test_a_new_form_passes_at_once(tmp_path: Path, language: str, asks: str, decides: str) -> None:
    """What is written passes `check` and `test` as it is; a second time nothing is overwritten."""
    given = (
        "trip",
        "--title",
        "Trip",
        "--command",
        "trip",
        "--language",
        language,
        "--asks",
        asks,
        "--decides",
        decides,
    )
    made = make(tmp_path, *given)
    assert made.returncode == 0, made.stderr
    env = {"var": tmp_path / "var", "HOLDFAST_WORKFLOWS": str(tmp_path / "mine")}
    assert holdfast("check", "trip", **env).returncode == 0
    played = holdfast("test", "trip", **env)
    assert "1 passed, 0 failed" in played.stdout, played.stdout
    assert "form.toml" in (tmp_path / "mine" / "trip" / "README.md").read_text("utf-8")
    before = (tmp_path / "mine" / "trip" / "form.toml").read_bytes()
    again = make(tmp_path, *given)
    assert again.returncode == 2 and "is there already" in again.stderr
    assert (tmp_path / "mine" / "trip" / "form.toml").read_bytes() == before


def test_five_questions_are_asked_at_the_terminal(tmp_path: Path) -> None:
    """What no option says is asked for, each with what an empty line means; where nothing is typed, only what has no default is missed."""
    env = {"var": tmp_path / "var", "HOLDFAST_WORKFLOWS": str(tmp_path / "mine")}
    asked = holdfast("new", "trip", typed="Dienstreise\n\nde\nZiel, Betrag\nVorgesetzte\n", **env)
    assert asked.returncode == 0, asked.stderr
    form = (tmp_path / "mine" / "trip" / "form.toml").read_text("utf-8")
    for part in ('title = "Dienstreise"', 'command = "/trip"', 'language = "de-DE"', "[fields.ziel]", 'by = "manager"'):
        assert part in form


WRONG = [
    (("Trip!",), "is no name"),
    (("pa_dealing", "--asks", "why"), "is there already"),
    (("trip", "--asks", ", ,"), "Say what is asked"),
    (("trip", "--asks", "date, Date"), "asked twice"),
    (("trip", "--asks", "why", "--command", "/pa"), "belongs to another form"),
    (("trip", "--asks", "why", "--command", "/ü"), "is no slash command"),
    (("trip", "--asks", "why", "--language", "fr"), "no language"),
    (("trip", "--asks", "why", "--title", " "), "A title is"),
    (("trip", "--asks", "why", "--decides", "manager, then manager"), "decides twice"),
    (("trip", "--asks", "why", "--decides", "manager, then compliance, then finance, then legal"), "At most 3 decide"),
    (("trip", "--asks", f"town: {'/'.join(f'T{n}' for n in range(101))}"), "a menu shows 100 choices"),
    (("trip", "--asks", ",".join(f"thing {n}" for n in range(101))), "at most 100"),
    (("trip", "--from", "nowhere.json"), "cannot be read"),
    (("trip",), "What is asked"),
]


@pytest.mark.parametrize(("given", "told"), WRONG)
def test_what_cannot_be_is_said_in_a_sentence(tmp_path: Path, given: tuple[str, ...], told: str) -> None:
    """Bad input is answered with one sentence, and nothing is written."""
    made = make(tmp_path, *given)
    assert (made.returncode, told in made.stderr) == (2, True), made.stderr
    assert not (tmp_path / "mine").exists()


SITE = {"title": "Site", "properties": {"site": {"format": "uri", "type": "string"}}}
SCHEMA = {
    "title": "Leave", "type": "object", "required": ["name", "days", "paid", "home", "children", "how", "size"],
    "properties": {
        "name": {"type": "string", "maxLength": 80, "title": "Full name", "description": "As in your passport"},
        "days": {"type": "integer", "minimum": 1, "exclusiveMaximum": 31},
        "paid": {"type": "boolean"},
        "home": {"$ref": "#/$defs/address"},
        "children": {"type": "array", "maxItems": 3, "items": {"properties": {"born": {"type": "string", "format": "date"}}}},
        "how": {"oneOf": [{"title": "Mail", "properties": {"mail": {"type": "string", "format": "email"}}}, SITE]},
        "size": {"enum": ["Cancel", "Help", "S", "M", "L", "XL"]},
        "reason": {"type": "string"},
        "code": {"type": "string", "pattern": "^[A-Z]{3}$"},
    },
    "if": {"properties": {"paid": {"const": False}}}, "then": {"required": ["reason"]},
    "$defs": {"address": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}},
}  # fmt: skip


def test_a_json_schema_becomes_a_form(tmp_path: Path) -> None:
    """Types, limits, formats, nested objects, lists, variants and conditions are carried over; what is not is said with its place."""
    (tmp_path / "s.json").write_text(json.dumps(SCHEMA))
    made = make(tmp_path, "leave", "--from", str(tmp_path / "s.json"), "--decides", "manager")
    assert made.returncode == 0, made.stderr
    assert "s.json #/properties/code: `pattern` cannot be said in a form" in made.stdout
    form = (tmp_path / "mine" / "leave" / "form.toml").read_text("utf-8")
    for part in (
        "[fields.home_city]", 'max_length = 80', 'help = "As in your passport"', "maximum = 30", "[repeats.children]", "most = 3",
        'repeat = "children"', 'choices = ["Mail", "Site"]', 'when = { how_kind = "Mail" }', 'kind = "link"', "when = { paid = false }",
    ):  # fmt: skip
        assert part in form, form
    played = holdfast("test", "leave", var=tmp_path / "var", HOLDFAST_WORKFLOWS=str(tmp_path / "mine"))
    assert "1 passed" in played.stdout, played.stdout


TOLD: list[tuple[dict[str, Any], str]] = [
    ({"required": ["a", "b"]}, "#: “b” is required, and nothing says what it is"),
    ({"allOf": [{"required": ["b"]}]}, "#: “b” is required"),
    ({"allOf": [{"not": {"required": ["a"]}}]}, "#/allOf/0: `not` cannot be said"),
    ({"oneOf": [{"required": ["a"]}, {"required": ["o"]}]}, "#: `oneOf` of what are no properties"),
    ({"dependentRequired": {"a": ["o"]}}, "#: `dependentRequired` cannot be said"),
    ({"if": {"properties": {"a": {"minLength": 2}}}, "then": {"required": ["o"]}}, "#: an `if` that is no comparison"),
    ({"if": {"properties": {"c": {"const": "x"}}}, "then": {"required": ["z"]}}, "#/then: “z” is required"),
    ({"if": {"properties": {"c": {"const": "x"}}}, "then": {"required": ["o"]}}, "#/then: “o” is required where this"),
    ({"if": {"properties": {"c": {"const": "x"}}}, "else": {"maxProperties": 2}}, "#/else: `maxProperties` cannot"),
    ({}, "#/properties/o: it may be left out as a whole"),
    ({}, "#/properties/c: the choice “y” is there 2 times"),
    ({}, "#/properties/n: `if` cannot be said"),
    ({}, "#/properties/n: `minLength` is said in two ways"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "told"), TOLD, ids=lambda one: one if isinstance(one, str) else "")
def test_what_a_form_cannot_say_of_a_schema_is_told(tmp_path: Path, said: dict[str, Any], told: str) -> None:
    """Whatever an object or a value says that its form does not is told with its place; parts of a value are joined, a question is asked."""
    own = {"type": "object", "required": ["p"], "properties": {"p": {"type": "string"}}}
    part = {"allOf": [{"type": "string", "minLength": 2}], "minLength": 1, "if": {}, "description": "Which name is it?"}
    schema = {
        "required": ["a"],
        "properties": {"a": {"type": "string"}, "c": {"enum": ["x", "y", "y"]}, "o": own, "n": part},
    }
    (tmp_path / "s.json").write_text(json.dumps(schema | said))
    made = make(tmp_path, "trip", "--from", str(tmp_path / "s.json"))
    assert f"Please look at: s.json {told}" in made.stdout, made.stdout + made.stderr
    form = (tmp_path / "mine" / "trip" / "form.toml").read_text("utf-8")
    assert 'ask = "Which name is it?"' in form and "help" not in form


def test_a_part_of_a_schema_requires_what_another_describes(tmp_path: Path) -> None:
    """What any part of `allOf` requires is asked for, wherever it is described."""
    schema = {
        "properties": {"a": {"type": "string"}},
        "allOf": [{"allOf": [{"required": ["a", "b"]}]}, {"properties": {"b": {}}}],
    }
    (tmp_path / "s.json").write_text(json.dumps(schema))
    made = make(tmp_path, "trip", "--from", str(tmp_path / "s.json"))
    assert "is required" not in made.stdout and "nothing is required" not in made.stdout
    assert "required = false" not in (tmp_path / "mine" / "trip" / "form.toml").read_text("utf-8")


def test_a_scenario_that_falls_short_says_what_stood(tmp_path: Path) -> None:
    """Where an answer was not taken, `holdfast test` names the question that stood and what the bot said instead."""
    env = {"var": tmp_path / "var", "HOLDFAST_WORKFLOWS": str(tmp_path / "mine")}
    assert make(tmp_path, "trip", "--asks", "number of nights, size (small, large)").returncode == 0
    plain = tmp_path / "mine" / "trip" / "scenarios" / "plain.toml"
    plain.write_text(plain.read_text("utf-8").replace('say = "1"', 'say = "a lot"'), "utf-8")
    told = holdfast("test", "trip", **env).stdout
    assert "step 2: " in told and ". The question was number_of_nights: “" in told
    assert ". The bot said: “" in told and "I didn't find an answer in that." in told


TABLE = "Bezeichnung;Art;Auswahl;Pflicht\nTitel;Text;;ja\nGröße;Auswahl;klein|groß|groß;ja\nBeginn;Datum;;ja\nNotiz;?!;;nein\nTitel;Foto;;\n"
TABLES = {"cp1252": TABLE, "utf-16": TABLE.replace(";", "\t"), "utf-8-sig": TABLE.replace(";", ",")}


@pytest.mark.parametrize("encoding", TABLES)
def test_a_table_becomes_a_form(tmp_path: Path, encoding: str) -> None:
    """A CSV file as spreadsheets save it, with a heading in any of the languages; line by line it is said what is not carried over."""
    (tmp_path / "t.csv").write_bytes(TABLES[encoding].encode(encoding))
    made = make(tmp_path, "einkauf", "--from", str(tmp_path / "t.csv"), "--language", "de")
    assert made.returncode == 0, made.stderr
    assert (
        "t.csv, line 5: the kind “?!” is not known" in made.stdout and "line 6: “Titel” is there already" in made.stdout
    )
    assert "line 3: the choice “groß” is there 2 times" in made.stdout
    form = (tmp_path / "mine" / "einkauf" / "form.toml").read_text("utf-8")
    assert (
        'choices = ["klein", "groß"]' in form and 'language = "de-DE"' in form and form.count("required = false") == 1
    )


HOSTILE: list[tuple[str, Any, str]] = [
    ("s.json", b"", "is empty"),
    ("s.json", b"[" * 200_000, "nested too deeply"),
    ("s.json", b'{"properties": {"a": ', "is no JSON"),
    ("s.json", b'{"title": "\xff\xfe"}', "UTF-8"),
    ("s.json", b" " * 2_200_000 + b"{}", "larger than 2 MB"),
    ("s.json", {"properties": {}}, "no properties"),
    ("s.json", {"properties": [1]}, "is no object"),
    ("s.json", {"$ref": "#"}, "refers to itself"),
    ("s.json", {"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"properties": {"b": {"$ref": "#/$defs/a"}}}}}, "refers to itself"),
    ("s.json", {"properties": {f"p{n}": {"type": "string"} for n in range(300)}}, "more than 100"),
    ("t.csv", b"a,b\n1,2\n", "names no column `label`"),
    ("t.csv", b"label,kind\n", "has 0 lines"),
    ("t.csv", b"PK\x03\x04", "is a workbook"),
    ("t.csv", b"label\n" + b"x\n" * 200, "has 200 lines"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "content", "told"), HOSTILE, ids=lambda one: one if isinstance(one, str) else "")
def test_a_hostile_file_writes_nothing(tmp_path: Path, name: str, content: Any, told: str) -> None:
    """A file that is no form is refused in one sentence, and nothing of it is written."""
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    made = make(tmp_path, "trip", "--from", str(tmp_path / name))
    assert made.returncode == 2 and told in made.stderr and made.stderr.count("\n") == 1, made.stderr
    assert not (tmp_path / "mine").exists()


def test_names_that_clash_or_are_reserved_are_made_apart(tmp_path: Path) -> None:
    """Labels with braces, marks, reserved words or no letter at all make a form that loads all the same."""
    names = ["all", "any", "{trade}", "日付", "a" * 300, "A", "a ", "<!here>", 'q"uote\\', "x\ny", "e\x00nd", "1st"]
    (tmp_path / "s.json").write_text(json.dumps({"properties": {name: {"type": "string"} for name in names}}))
    made = make(tmp_path, "trip", "--from", str(tmp_path / "s.json"))
    assert made.returncode == 0, made.stderr
    assert (tmp_path / "mine" / "trip" / "form.toml").read_text("utf-8").count("[fields.") == len(names)


def test_several_decide_one_after_the_other() -> None:
    """Who decides may be several roles in a row; a role without a name of its own gets one in the form's words."""
    route = route_asked("my manager, then the facilities team", words_of("en"))
    assert list(route["states"]) == ["pending_manager", "with_facilities_team"]
    assert route["says"] == {"role_facilities_team": "Facilities team"}
    with pytest.raises(Wrong, match="decides twice"):
        route_asked("manager, boss", words_of("en"))
