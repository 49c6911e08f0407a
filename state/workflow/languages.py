"""A form in further languages: `form.it-IT.toml` beside form.toml says its texts again and shares everything else with it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from state.form.files import Files
from state.form.source import FormError, Keys, Problem, Source, meant, read_toml
from state.workflow.form_case import Finding

Table = Mapping[str, Any]
FILES = "form.*.toml"
MODEL_SPEAKS = (
    "A form in which a model asks or speaks by itself, or that has operations, speaks one language. Take {} out."
)
NO_CHOICE = 'Write { value = "…", label = "…" }, with the value that form.toml has.'
NO_ID = "This rule says something to people. Give it an `id`, by which {} says it again."
ONE, NAMED = ("one",), ("named",)
"""How parts are told apart: there is one, or they are tables with names; else the keys that tell entries of a list apart."""


@dataclass(frozen=True)
class Texts:
    """What people read of a part of a form, which every language says again; what is read of them, which one may; and its parts."""

    said: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    parts: Mapping[str, tuple[tuple[str, ...], "Texts"]] = field(default_factory=dict)

    @property
    def keys(self) -> tuple[str, ...]:
        """Every key that a language may hold here."""
        return (*self.said, *self.heard, *self.parts)


WAY = ("on", "to"), Texts(("label", "says"), ("words", "mentions"))
FIELD = Texts(
    ("label", "ask", "again", "help", "unit", "placeholder", "unlisted"),
    ("words", "known", "before", "opens", "disclosure"),
    {"choices": (("value",), Texts(("label",), ("words",))), "declares": (ONE, Texts(("yes", "no")))},
)
FILING = {
    "report": (ONE, Texts(parts={"fields": (NAMED, FIELD)})),
    "states": (NAMED, Texts(("label", "next"))),
    "rules": (("id",), Texts(("told",))),
}
FORM = Texts(
    ("title", "purpose", "introduction", "statement"),
    ("words", "consent", "essence"),
    {
        "filing": (ONE, Texts(parts=FILING)),
        "retain": (ONE, Texts(("why",))),
        "fields": (NAMED, FIELD),
        "papers": (NAMED, Texts(("label",))),
        "stages": (NAMED, Texts(("ask",), ("words",), {"transitions": WAY})),
        "commands": (NAMED, Texts(("label",), ("says",))),
        "groups": (NAMED, Texts(("title",))),
        "anywhere": WAY,
    },
)
"""Every text of a form, by its place."""


@dataclass(frozen=True)
class Tongue:
    """A form's texts in one language, laid over the form, and what is wrong with them; its problems have the lines of its own file."""

    locale: str
    source: Source
    problems: tuple[Problem, ...] = ()


def tongues(files: Files, form: Source) -> Iterator[Tongue]:
    """Yield each further language of a form, by its file."""
    for name in files.names(FILES):
        file = files.find(name)
        if file.name == name:
            yield _tongue(file, form)


def _tongue(file: Path, form: Source) -> Tongue:
    locale = file.name.removeprefix("form.").removesuffix(".toml")
    try:
        own = read_toml(file)
    except FormError as error:
        return Tongue(locale, replace(form, file=file), error.problems)
    # the form with its short forms written out: a choice or a state that is its own label, what a rule tells
    filing = {**form.data.get("filing", {})}
    filing["states"] = {n: {"label": s} if isinstance(s, str) else s for n, s in filing.get("states", {}).items()}
    filing["rules"] = [{**rule, "told": rule.get("told", rule.get("reason", ""))} for rule in _entries(filing, "rules")]
    fields = {name: _with_choices(one) for name, one in form.data.get("fields", {}).items()}
    base = {**form.data, "fields": fields, **({"filing": filing} if "filing" in form.data else {})}
    told = (own.problem(*finding) for finding in _findings(FORM, base, own.data, ()))
    data = {**_laid(FORM, base, own.data), "language": locale, "says": own.data.get("says", {})}
    return Tongue(locale, replace(own, data=data), (*_alone(form, own), *told))


def _alone(form: Source, own: Source) -> Iterator[Problem]:
    """Check what a form with further languages has to keep to, and that its own sentences are each said again."""
    if form.data.get("operations") or form.data.get("asked_by") == "model":
        yield own.problem((), MODEL_SPEAKS.format(own.file.name))
    for n, rule in enumerate(_entries(form.data.get("filing", {}), "rules")):
        if not rule.get("id") and rule.get("told", rule.get("reason")):
            yield form.problem(("filing", "rules", n), NO_ID.format(own.file.name))
    mine = own.data.get("says", {})
    for key in form.data.get("says", {}):
        if not isinstance(mine, dict) or not mine.get(key):
            yield own.problem(("says", key), f"`{key}` is said by form.toml and not here. Add it below [says].")


def _with_choices(one: Table) -> dict[str, Any]:
    written = [{"value": c, "label": c} if isinstance(c, str) else c for c in one.get("choices", ())]
    return {**one, **({"choices": written} if written else {})}


def _entries(table: object, key: str) -> list[Table]:
    found = table.get(key, ()) if isinstance(table, dict) else ()
    return [one for one in found if isinstance(one, dict)]


def _parts(table: Table, key: str, ids: tuple[str, ...]) -> list[tuple[str, Keys, Table]]:
    """Return the parts below a key, each with what tells it from the others and the key at which it is written."""
    given = table.get(key)
    if ids == ONE:
        return [("", (), given)] if isinstance(given, dict) else []
    if ids == NAMED:
        named = given if isinstance(given, dict) else {}
        return [(name, (name,), part if isinstance(part, dict) else {}) for name, part in named.items()]
    listed = [(n, one) for n, one in enumerate(given if isinstance(given, list) else ()) if isinstance(one, dict)]
    return [(" ".join(str(one.get(i, "complete" if i == "on" else "")) for i in ids), (n,), one) for n, one in listed]


def _findings(texts: Texts, base: Table, own: Table, keys: Keys, ids: tuple[str, ...] = ()) -> Iterator[Finding]:
    """Yield what a language says of what there is not, and what it does not say of what there is."""
    for key in own:
        if key not in (*texts.keys, *ids) and (keys or key != "says"):
            yield (*keys, key), f"`{key}` is no text that a language says again. Take it out.{meant(key, texts.keys)}"
    for key in texts.said:
        if base.get(key) and not own.get(key):
            place = f"`{'.'.join(map(str, keys))}`" if keys else "the form"
            yield (*keys, key), f"`{key}` of {place} is not said in this language. Add it."
    for key, (inner_ids, inner) in texts.parts.items():
        yield from _of_parts(inner, base, own, (*keys, key), inner_ids)


def _of_parts(texts: Texts, base: Table, own: Table, keys: Keys, ids: tuple[str, ...]) -> Iterator[Finding]:
    key = str(keys[-1])
    theirs = {name: part for name, _, part in _parts(base, key, ids)}
    mine = {name: (at, part) for name, at, part in _parts(own, key, ids)}
    for n, one in enumerate(own.get(key, ()) if isinstance(own.get(key), list) else ()):
        if not isinstance(one, dict):
            yield (*keys, n), NO_CHOICE
    for name, (at, _) in mine.items():
        if name not in theirs:
            yield (*keys, *at), f'"{name or key}" is not in form.toml. Correct it.{meant(name, theirs)}'
    for name, part in theirs.items():
        at, said = mine.get(name, ((name,) if name else (), {}))
        yield from _findings(texts, part, said, (*keys, *at), ids)


def _laid(texts: Texts, base: Table, own: Table) -> dict[str, Any]:
    """Return the base with a language's texts in the place of its own."""
    laid = {**base, **{key: own[key] for key in (*texts.said, *texts.heard) if key in own}}
    if base.get("disclosure") and isinstance(own.get("disclosure"), list):
        laid["disclosure"] = [*own["disclosure"], *base["disclosure"]]
    for key, (ids, inner) in texts.parts.items():
        mine = {name: part for name, _, part in _parts(own, key, ids)}
        done = [(name, _laid(inner, part, mine.get(name, {}))) for name, _, part in _parts(base, key, ids)]
        if done:
            laid[key] = done[0][1] if ids == ONE else dict(done) if ids == NAMED else [part for _, part in done]
    return laid
