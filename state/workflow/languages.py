"""A form in further languages: `form.it-IT.toml` beside form.toml says its texts again and shares everything else with it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from state.form.files import Files
from state.form.locate import Path as Keys
from state.form.near import meant
from state.form.source import FormError, Problem, Source, read_toml

Table = Mapping[str, Any]
FILES = "form.*.toml"
MODEL_SPEAKS = (
    "A form in which a model asks or speaks by itself, or that has operations, speaks one language. Take {} out."
)
NO_CHOICE = 'Write { value = "…", label = "…" }, with the value that form.toml has.'
NO_ID = "This rule says something to people. Give it an `id`, by which {} says it again."


@dataclass(frozen=True)
class Texts:
    """What people read of a part of a form, which every language says again, and what is read of them, which one may."""

    said: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    one: Mapping[str, "Texts"] = field(default_factory=dict)
    """Parts that there is one of."""
    named: Mapping[str, "Texts"] = field(default_factory=dict)
    """Parts by their names."""
    listed: Mapping[str, tuple[tuple[str, ...], "Texts"]] = field(default_factory=dict)
    """Parts of a list, and the keys by which they are told apart."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Every key that a language may hold here."""
        return (*self.said, *self.heard, *self.one, *self.named, *self.listed)


WAY = Texts(("label", "says"), ("words", "mentions"))
FIELD = Texts(
    ("label", "ask", "again", "help", "unit", "placeholder"),
    ("words", "known", "before", "disclosure"),
    listed={"choices": (("value",), Texts(("label",), ("words",)))},
)
FILING = Texts(
    one={"report": Texts(named={"fields": FIELD})},
    named={"states": Texts(("label", "next"))},
    listed={"rules": (("id",), Texts(("told",)))},
)
FORM = Texts(
    ("title", "introduction", "statement"),
    ("words", "consent", "essence"),
    one={"filing": FILING, "retain": Texts(("why",))},
    named={
        "fields": FIELD,
        "stages": Texts(("ask",), ("words",), listed={"transitions": (("on", "to"), WAY)}),
        "commands": Texts(("label",), ("says",)),
        "groups": Texts(("title",)),
    },
    listed={"anywhere": (("on", "to"), WAY)},
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
    base = _written_out(form.data)
    told = tuple(own.problem(*finding) for finding in _findings(FORM, base, own.data, ()))
    data = {**_laid(FORM, base, own.data), "language": locale, "says": own.data.get("says", {})}
    return Tongue(
        locale,
        replace(own, data=data),
        (*_one_language(form.data, own), *_nameless(form, file), *told, *_sentences(base, own)),
    )


def _one_language(form: Table, own: Source) -> Iterator[Problem]:
    if form.get("operations") or form.get("asked_by") == "model":
        yield own.problem((), MODEL_SPEAKS.format(own.file.name))


def _nameless(form: Source, file: Path) -> Iterator[Problem]:
    for n, rule in enumerate(_entries(form.data.get("filing", {}), "rules")):
        if not rule.get("id") and rule.get("told", rule.get("reason")):
            yield form.problem(("filing", "rules", n), NO_ID.format(file.name))


def _sentences(form: Table, own: Source) -> Iterator[Problem]:
    """The form's own sentences are each said again: the catalogue's would say something else."""
    mine = own.data.get("says", {})
    for key in form.get("says", {}):
        if not isinstance(mine, dict) or not mine.get(key):
            yield own.problem(("says", key), f"`{key}` is said by form.toml and not here. Add it below [says].")


def _written_out(form: Table) -> dict[str, Any]:
    """Return the form with its short forms written out: a choice that is its own label, a state that is its label, what a rule tells."""
    filing = {**form.get("filing", {})}
    filing["states"] = {n: {"label": s} if isinstance(s, str) else s for n, s in filing.get("states", {}).items()}
    filing["rules"] = [{**rule, "told": rule.get("told", rule.get("reason", ""))} for rule in _entries(filing, "rules")]
    fields = {name: _with_choices(one) for name, one in form.get("fields", {}).items()}
    return {**form, "fields": fields, **({"filing": filing} if "filing" in form else {})}


def _with_choices(one: Table) -> dict[str, Any]:
    written = [{"value": c, "label": c} if isinstance(c, str) else c for c in one.get("choices", ())]
    return {**one, **({"choices": written} if written else {})}


def _entries(table: object, key: str) -> list[Table]:
    found = table.get(key, ()) if isinstance(table, dict) else ()
    return [one for one in found if isinstance(one, dict)]


def _findings(
    texts: Texts, base: Table, own: object, keys: Keys, ids: tuple[str, ...] = ()
) -> Iterator[tuple[Keys, str]]:
    """What a language says of what there is not, and what it does not say of what there is."""
    if not isinstance(own, dict):
        return
    for key in own:
        if key not in (*texts.keys, *ids) and (keys or key != "says"):
            yield (*keys, key), f"`{key}` is no text that a language says again. Take it out.{meant(key, texts.keys)}"
    for key in texts.said:
        if base.get(key) and not own.get(key):
            yield (*keys, key), f"`{key}` of {_place(keys)} is not said in this language. Add it."
    for key, inner in texts.one.items():
        yield from _findings(inner, base.get(key, {}), own.get(key, {}), (*keys, key))
    for key, inner in texts.named.items():
        yield from _named(inner, base.get(key, {}), own.get(key, {}), (*keys, key))
    for key, (own_ids, inner) in texts.listed.items():
        yield from _listed(inner, own_ids, _entries(base, key), own.get(key, ()), (*keys, key))


def _named(texts: Texts, base: Table, own: object, keys: Keys) -> Iterator[tuple[Keys, str]]:
    mine = own if isinstance(own, dict) else {}
    for name in mine:
        if name not in base:
            yield (*keys, name), f'"{name}" does not stand in form.toml. Correct the name.{meant(name, base)}'
    for name, part in base.items():
        yield from _findings(texts, part, mine.get(name, {}), (*keys, name))


def _listed(
    texts: Texts, ids: tuple[str, ...], base: list[Table], own: object, keys: Keys
) -> Iterator[tuple[Keys, str]]:
    mine = {
        _id(one, ids): (n, one) for n, one in enumerate(own if isinstance(own, list) else ()) if isinstance(one, dict)
    }
    for n, one in enumerate(own if isinstance(own, list) else ()):
        if not isinstance(one, dict):
            yield (*keys, n), NO_CHOICE
    known = {_id(one, ids): one for one in base}
    for name, (n, _) in mine.items():
        if name not in known:
            near = meant(" ".join(name), (" ".join(other) for other in known))
            yield (*keys, n), f'"{" ".join(name)}" does not stand in form.toml. Correct it.{near}'
    for name, part in known.items():
        n, one = mine.get(name, (len(mine), {}))
        yield from _findings(texts, part, one, (*keys, n if name in mine else " ".join(name)), ids)


def _place(keys: Keys) -> str:
    return f"`{'.'.join(str(key) for key in keys)}`" if keys else "the form"


def _id(part: Table, ids: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(str(part.get(key, "complete" if key == "on" else "")) for key in ids)


def _laid(texts: Texts, base: Table, own: object) -> dict[str, Any]:
    """Return the base with a language's texts in the place of its own."""
    if not isinstance(own, dict):
        return dict(base)
    laid = {**base, **{key: own[key] for key in (*texts.said, *texts.heard) if key in own}}
    if "disclosure" in texts.heard and base.get("disclosure") and isinstance(own.get("disclosure"), list):
        laid["disclosure"] = [*own["disclosure"], *base["disclosure"]]
    for key, inner in texts.one.items():
        laid |= {key: _laid(inner, base[key], own.get(key, {}))} if isinstance(base.get(key), dict) else {}
    for key, inner in texts.named.items():
        mine = own.get(key, {})
        if isinstance(base.get(key), dict) and isinstance(mine, dict):
            laid[key] = {name: _laid(inner, part, mine.get(name, {})) for name, part in base[key].items()}
    for key, (ids, inner) in texts.listed.items():
        mine_by = {_id(one, ids): one for one in _entries(own, key)}
        if base.get(key):
            laid[key] = [_laid(inner, part, mine_by.get(_id(part, ids), {})) for part in _entries(base, key)]
    return laid
