"""The dialogues as they are played: parts that end in a form's last call, turns of the person, and what each turn wrote."""

import gzip
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

SHARED = Path(__file__).parents[3] / "shared" / "data"
DIALOGUES, FORMS = SHARED / "sgd_dev.jsonl.gz", SHARED / "sgd_dev_forms.json"
Json = dict[str, Any]


@dataclass(frozen=True)
class Wanted:
    """A form by its name, the service that it stands for, and the fields of the whole form."""

    form: str
    service: str
    fields: frozenset[str]


@dataclass(frozen=True)
class Write:
    """A field's value that the person's words set, in any of its spellings; `how` as the data set has it."""

    field: str
    value: str
    spellings: tuple[str, ...]
    how: str
    quote: str
    correction: bool
    asked: bool = False
    """True if the bot's line before it asked for this, which our form may not have done."""

    @property
    def suggested(self) -> bool:
        """Return True if it is a yes to a question of the bot's."""
        return self.asked and self.value == "True"

    @property
    def offered(self) -> bool:
        """Return True if the person took it from what the bot had said."""
        return self.how in ("accept", "select")


@dataclass(frozen=True)
class Turn:
    """One message of the person. `calls` are the form's submissions that follow it: whether the service answered."""

    text: str
    writes: tuple[Write, ...] = ()
    calls: tuple[bool, ...] = ()
    answers: tuple[str, ...] = ()
    """What the data set's bot had asked for just before, fields of other forms and of searches included."""
    affirms: bool = False
    """True if it says yes to what that bot had said."""


@dataclass(frozen=True)
class Part:
    """The stretch of a dialogue in which one form is filled in. `params` are what it submitted last; `filed` whether that succeeded."""

    form: str
    turns: tuple[Turn, ...]
    before: tuple[Write, ...]
    """What was said for this form before, while another was filled in."""
    params: Mapping[str, str]
    filed: bool


@dataclass(frozen=True)
class Dialogue:
    """A conversation of one person."""

    id: str
    parts: tuple[Part, ...]
    after: tuple[str, ...] = field(default=())
    """What the person says once everything is filed."""


def forms() -> dict[str, Json]:
    """The thirteen forms by their names in the data set ("Buses_1.BuyBusTicket")."""
    read: dict[str, Json] = json.loads(FORMS.read_text(encoding="utf-8"))
    return read


@cache
def developed() -> frozenset[str]:
    """The forms on whose dialogues reading was developed: every other one by name."""
    return frozenset(sorted(forms())[::2])


def is_developed(dialogue: Dialogue) -> bool:
    """Return True if reading was developed on it: it fills in no form of the other half."""
    return all(part.form in developed() for part in dialogue.parts)


def folder(form: str) -> str:
    """A form's name as a workflow."""
    return form.lower().replace(".", "_")


def dialogues() -> Iterator[Dialogue]:
    """All of them, in the file's order."""
    known = forms()
    with gzip.open(DIALOGUES, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield _dialogue(json.loads(line), known)


def _dialogue(raw: Json, known: Mapping[str, Json]) -> Dialogue:
    turns, parts, start = raw["turns"], list[Part](), 0
    for end, form, params, filed in _ends(turns):
        names = {f["name"] for f in known[form]["fields"]}
        wanted = Wanted(form, known[form]["service"], frozenset(names))
        said = tuple(_turn(turns, i, wanted, params) for i in range(start, end, 2))
        earlier = tuple(w for i in range(0, start, 2) for w in _writes(turns, i, wanted, params))
        parts.append(Part(form, said, tuple({w.field: w for w in earlier}.values()), params, filed))
        start = end + 1
    return Dialogue(raw["id"], tuple(parts), tuple(t["text"] for t in turns[start::2]))


def _ends(turns: list[Json]) -> Iterator[tuple[int, str, Mapping[str, str], bool]]:
    """Per form the system turn of its last call, in order, with what was submitted."""
    last = {c["form"]: (i, c["form"], c["params"], c["ok"]) for i, t in enumerate(turns) for c in t.get("calls", ())}
    yield from sorted(last.values())


def _turn(turns: list[Json], i: int, wanted: Wanted, params: Mapping[str, str]) -> Turn:
    calls = tuple(c["ok"] for c in turns[i + 1]["calls"] if c["form"] == wanted.form)
    answers = tuple(name for _, name in turns[i - 1]["asks"]) if i else ()
    return Turn(turns[i]["text"], tuple(_writes(turns, i, wanted, params)), calls, answers, turns[i]["affirm"])


def _writes(turns: list[Json], i: int, wanted: Wanted, params: Mapping[str, str]) -> Iterator[Write]:
    """A turn's writes to the form's fields; that somebody does not care is no value. The last one may be spelled as it was submitted."""
    for w in turns[i]["writes"]:
        if w["service"] == wanted.service and w["field"] in wanted.fields and w["value"] != "dontcare":
            value, spellings = w["value"], tuple(w["aliases"])
            if _is_last(turns, i, w) and w["field"] in params:
                value, spellings = params[w["field"]], (*spellings, value)
            quote = _source(turns[:i:2], (value, *spellings)) if w["how"] == "carry" else w["quote"]
            asked = i > 0 and [w["service"], w["field"]] in turns[i - 1]["asks"]
            yield Write(w["field"], value, spellings, w["how"], quote, w["overwrite"], asked)


def _is_last(turns: list[Json], i: int, write: Json) -> bool:
    later = (w for t in turns[i + 2 :: 2] for w in t["writes"])
    return not any((w["service"], w["field"]) == (write["service"], write["field"]) for w in later)


def _source(said: list[Json], spellings: tuple[str, ...]) -> str:
    """The newest of the person's messages in which one of the spellings stands; empty where they only took it from the bot."""
    for turn in reversed(said):
        found = next(
            (s for s in spellings if re.search(rf"(?<!\w){re.escape(s)}(?!\w)", turn["text"], re.IGNORECASE)), ""
        )
        if found:
            return found
    return ""
