"""A form's fields from a JSON Schema: properties, nested objects, lists, variants and conditions, and a line for what a form cannot say."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from functools import partial
from typing import Any

from bot.commands.new.asked import MOST, SHORT, add, choices_of, cued, field_of
from bot.commands.new.json_values import READ, Place, Schema, kind_of_value, limits_of, listed, spaced, told_of
from bot.commands.new.taken import Taken
from bot.commands.new.words import LABEL, Table, Words, apart, capital, said, shown, slug
from bot.settings import Wrong

DEEPEST = 12
"""Objects within objects."""
LONGEST = 3000
"""Characters of a text."""
REPEATED = 5
"""Times of a list that says no number, and 20 at most."""
MOST_TIMES = 20
BESIDE = {"title", "description", "examples"}


def taken_over(schema: Schema, file: str, words: Words) -> Taken:
    """Return the fields of a schema. Raises Wrong with one sentence where it has none, too many, or refers to itself."""
    reader = Reader(schema, file, words)
    root = reader.resolved(schema, Place())[0]
    taken = reader.taken
    taken.title, taken.purpose = said(root.get("title", "")), said(root.get("description", ""), 100)
    reader.object(root, Place())
    if not taken.fields:
        raise Wrong([f"{file} has no properties that could be asked for."])
    return taken


class Reader:
    """One pass over a schema; what is found goes into `taken`."""

    def __init__(self, schema: Schema, file: str, words: Words) -> None:
        self.schema, self.file, self.words, self.taken = schema, file, words, Taken()
        self.at: dict[tuple[str, ...], Table] = {}
        """Fields by the names of the properties that lead to them."""
        self.described: set[tuple[str, ...]] = set()
        """Properties by the same, objects and lists among them."""

    def leave(self, place: Place, text: str) -> None:
        """Name something that could not be carried over."""
        line = f"{self.file} {said(place.path, 120)}: {text}"
        if line not in self.taken.left:
            self.taken.left.append(line)

    def resolved(self, given: Any, place: Place) -> tuple[Schema, Place]:
        """Return what a $ref stands for, with what stands beside it. Raises Wrong for one that leads to itself."""
        if not isinstance(given, Mapping):
            if given is not True:
                self.leave(place, "this is no schema of a value; it is asked for as a text.")
            return {}, place
        while isinstance(ref := given.get("$ref"), str):
            if ref in place.refs:
                raise Wrong(
                    [f"{self.file} refers to itself by {ref[:80]}, so it would ask without an end. Take that $ref out."]
                )
            target: Any = self.schema
            for key in ref.removeprefix("#").strip("/").split("/") if ref.startswith("#") else [""]:
                step = key.replace("~1", "/").replace("~0", "~")
                target = target.get(step) if isinstance(target, Mapping) and step else target if ref == "#" else None
            place = replace(place, refs=(*place.refs, ref))
            if not isinstance(target, Mapping):
                self.leave(place, f"$ref {ref[:80]} leads to nothing in this file; it is asked for as a text.")
                target = {}
            given = {**target, **{key: value for key, value in given.items() if key != "$ref"}}
        return given, place

    def object(self, given: Schema, place: Place, also: Set[str] = frozenset()) -> None:
        """Take over the properties of an object, then what it says of several of them. `also` names what is required beside it."""
        if len(place.names) > DEEPEST:
            raise Wrong([f"{self.file} is nested more than {DEEPEST} objects deep. A form is flat: take some out."])
        properties = given.get("properties", {})
        if not isinstance(properties, Mapping):
            raise Wrong([f"{self.file} {place.path}/properties is no object with a schema for each name."])
        required = also | self._required(given, place)
        everything = bool(properties) and not (required or place.names or given.keys() & {"if", "oneOf", "anyOf"})
        if everything:
            self.leave(place, "nothing is required; the form asks for everything.")
        for name, one in properties.items():
            titled = said(one.get("title") or "", 200) if isinstance(one, Mapping) else ""
            schema, below = self.resolved(one, place.below(str(name), titled or spaced(str(name))))
            self.described.add(below.names)
            below.asked = place.asked and (everything or name in required)
            self.property(schema, below)
        for n, part in enumerate(listed(given.get("allOf"))):
            self.object(*self.resolved(part, replace(place, path=f"{place.path}/allOf/{n}")), required)
        if "if" in given:
            self._condition(given, place)
        for key in ("oneOf", "anyOf"):
            if variants := [v for v in listed(given.get(key)) if isinstance(v, Mapping)]:
                self._variants(variants, place, key)
        self._hold(required - also, place)
        self._unread(given, place)

    def _hold(self, required: Set[str], place: Place) -> None:
        """Name what is required and cannot be: what is not described, and what is in something that may be left out."""
        if required and place.names and not place.asked:
            self.leave(place, "it may be left out as a whole, so the form requires nothing in it.")
        for name in sorted(required):
            if (*place.names, name) not in self.described:
                self.leave(place, f"“{said(name, 40)}” is required, and nothing says what it is.")

    def _required(self, given: Schema, place: Place) -> Set[str]:
        """Return the names that an object requires, by itself or by a part of it."""
        parts = (self.resolved(one, place) for one in listed(given.get("allOf")))
        return set(map(str, listed(given.get("required")))).union(*(self._required(*part) for part in parts))

    def property(self, given: Schema, place: Place) -> None:
        """Take over one property: a field, or the fields of what is in it."""
        if given.get("readOnly") is True:
            self.leave(place, "it is read only, so nobody is asked for it.")
            return
        given = self._joined(given, place)
        kinds = [one for one in listed(given.get("type")) or [given.get("type")] if one]
        if "null" in kinds or given.get("nullable") is True:
            place.asked = False
        for key in ("anyOf", "oneOf"):
            variants = [self.resolved(one, place)[0] for one in listed(given.get(key))]
            real = [one for one in variants if one.get("type") != "null"]
            place.asked = place.asked and len(real) == len(variants)
            if len(real) == 1:
                given = {**real[0], **{k: v for k, v in given.items() if k != key}}
            elif real and all("const" in one for one in real):
                given = {**given, "enum": [one.get("title", one["const"]) for one in real]}
            elif real and all("properties" in one for one in real):
                given = {"type": "object", **given}
            elif real:
                self.leave(place, f"{key} of several kinds; it is asked for as a text.")
                given = {k: v for k, v in given.items() if k not in (key, "type")}
        kinds = [one for one in listed(given.get("type")) or [given.get("type")] if one and one != "null"]
        if "object" in kinds or "properties" in given:
            self.object({k: v for k, v in given.items() if k != "title"}, place)
        elif "array" in kinds or "items" in given:
            self._array(given, place)
        else:
            self.field(given, place, str(kinds[0]) if len(kinds) == 1 else "")

    def _joined(self, given: Schema, place: Place) -> Schema:
        """Return what is said of one value, with the parts that say more of it; those of an object stay apart."""
        parts = [self.resolved(one, place)[0] for one in listed(given.get("allOf"))]
        if "properties" in given or any("properties" in one or "allOf" in one for one in parts):
            return {"type": "object", **given}
        for one in parts:
            for key in sorted(k for k in one.keys() & given.keys() - BESIDE if one[k] != given[k]):
                self.leave(place, f"`{said(key, 40)}` is said in two ways; the form takes {shown(given[key])}.")
            given = {**one, **{key: value for key, value in given.items() if key != "allOf"}}
        return given

    def field(self, given: Schema, place: Place, kind: str) -> None:
        """Take over a property that is answered by one value."""
        options = [one for one in listed(given.get("enum")) if one is not None]
        if "const" in given and not options:
            self.leave(place, f"it is always {shown(given['const'])}, so nobody is asked for it.")
            return
        own: Table = {}
        form_kind = "choice" if options else kind_of_value(given, kind, partial(self.leave, place))
        if options:
            own = {"choices": choices_of(options, partial(self.leave, place))}
            if any(not isinstance(one, str) for one in options):
                self.leave(place, "its values are kept as text.")
        if form_kind in ("integer", "decimal"):
            own |= limits_of(given, partial(self.leave, place), whole=form_kind == "integer")
        if form_kind == "text":
            most = given.get("maxLength")
            most = min(most, LONGEST) if isinstance(most, int) and most > 0 else LONGEST
            long = cued(place.labels[-1], self.words) == "text" or SHORT < most < LONGEST
            form_kind, own = "text" if long else "short", {"max_length": most}
        self.put(form_kind, own | told_of(given), place)
        self._unread(given, place, READ - {"required", "if", "then", "else"})

    def put(self, kind: str, own: Table, place: Place) -> Table:
        """Add a field, with what holds at its place."""
        if len(self.taken.fields) >= MOST:
            raise Wrong(
                [f"{self.file} asks for more than {MOST} things. Nobody answers that: make several forms of it."]
            )
        full = ": ".join(capital(label) for label in place.labels)
        label = said(full) if len(full) == len(said(full)) else said(place.labels[-1])
        if len(said(place.labels[-1], 10_000)) > len(label) or label != full:
            self.leave(place, f"its label is shortened to “{label}”.")
        bare = label if len(label) < LABEL - 4 else f"{label[: LABEL - 5]}…"
        made = field_of(kind, f"{bare} (n)" if place.repeat else label, self.words, own.pop("ask", ""))
        if place.repeat:  # each time has its number
            made |= {key: made[key].replace("(n)", "{n}") for key in ("label", "ask")}
        made |= (
            {"words": list(dict.fromkeys((place.labels[-1].casefold(), bare.casefold())))}
            | own
            | ({} if place.asked else {"required": False})
        )
        made |= {"when": place.when} if place.when else {}
        made |= {"repeat": place.repeat} if place.repeat else {}
        made["name"] = "_".join(map(spaced, place.names))
        was = made["label"]
        added = add(self.taken.fields, made)
        if added["label"] != was:
            self.leave(place, f"“{was}” is there already; this one is called “{added['label']}”.")
        self.at.setdefault(place.names, added)
        return added

    def _array(self, given: Schema, place: Place) -> None:
        items, inside = self.resolved(given.get("items", {}), place)
        options = listed(items.get("enum"))
        if options:
            self.put("choices", {"choices": choices_of(options, partial(self.leave, place))} | told_of(given), place)
        elif items.get("format") in ("binary", "byte", "data-url") or items.get("contentEncoding"):
            self.put("documents", told_of(given), place)
        elif place.repeat:
            self.leave(place, "a list within a list; it is asked for as a text.")
            self.put("text", told_of(given), place)
        else:
            self._repeated(given, items, inside)
        self._unread(given, place, READ - {"minItems"} if options else READ)

    def _repeated(self, given: Schema, items: Schema, place: Place) -> None:
        """Take over a list as a group of fields that is asked several times, and a yes/no that opens the next time."""
        most = given.get("maxItems")
        most = most if isinstance(most, int) and 0 < most <= MOST_TIMES else REPEATED
        if most != given.get("maxItems"):
            self.leave(place, f"the form takes up to {most} of these.")
        group = slug("_".join(place.names), self.taken.repeats)
        inside = replace(place, repeat=group)
        if not place.asked:
            self.leave(place, "it is optional; the form asks for the first one only when it is told.")
        if "properties" in items:
            self.object(items if items.get("required") else {**items, "required": list(items["properties"])}, inside)
        else:
            self.property(items, inside)
        if not any(one.get("repeat") == group for one in self.taken.fields):
            self.leave(place, "nothing in this list can be asked for.")
            return
        self.taken.repeats[group] = {"most": most}
        if most > 1 and place.asked:
            more = add(self.taken.fields, {
                "name": f"more_{group}"[:40], "kind": "yes_no", "label": f"{capital(said(place.labels[-1], 50))}: {self.words.data['more']}",
                "ask": f"{capital(said(place.labels[-1]))}: {self.words.data['more_ask']}", "repeat": group,
            })  # fmt: skip
            self.taken.repeats[group] |= {"more": more["name"]}

    def _condition(self, given: Schema, place: Place) -> None:
        """Take over if, then and else: fields that are asked only where a field above has one of some values."""
        tests = given["if"].get("properties") if isinstance(given["if"], Mapping) else None
        when = dict(self._tests(tests, place)) if isinstance(tests, Mapping) else {}
        if not when or len(when) < len(tests or ()) or set(given["if"]) - {"properties", "required", "type"}:
            self.leave(place, "an `if` that is no comparison with values; what hangs on it is left out.")
            return
        for key, held in (("then", when), ("else", {"none": [when]})):
            branch = given.get(key)
            if isinstance(branch, Mapping):
                self._branch(branch, replace(place, path=f"{place.path}/{key}", when={**place.when, **held}))

    def _tests(self, tests: Schema, place: Place) -> Iterator[tuple[str, Any]]:
        for name, test in tests.items():
            asked = self.at.get((*place.names, name))
            values = (
                listed(test.get("enum")) or ([test["const"]] if "const" in test else [])
                if isinstance(test, Mapping)
                else []
            )
            if asked and values and asked["kind"] in ("yes_no", "choice", "choices", "integer"):
                told = [
                    one if isinstance(one, bool | int) and asked["kind"] != "choice" else said(one) for one in values
                ]
                yield asked["name"], told[0] if len(told) == 1 else told

    def _branch(self, branch: Schema, place: Place) -> None:
        for name in map(str, listed(branch.get("required"))):
            one = self.at.get((*place.names, name))
            if one is None and (*place.names, name) in self.described:
                self.leave(place, f"“{said(name, 40)}” is required where this holds, which cannot be said of it.")
            elif one and "when" in one and one["when"] != place.when:
                self.leave(place, f"“{one['label']}” hangs on another condition already, and on that alone.")
            elif one and not one.get("required", True):
                one.pop("required")
                one["when"] = place.when
                self.taken.fields.remove(one)  # below what its condition looks at
                self.taken.fields.append(one)
                self.leave(place, f"“{one['label']}” is asked for where this holds, and nowhere else.")
        properties = branch.get("properties") or {}
        fresh = {name: one for name, one in properties.items() if (*place.names, name) not in self.described}
        self.object({**branch, "properties": fresh}, place)
        for name in sorted(properties.keys() - fresh.keys()):
            self.leave(place, f"what it says further of “{said(name, 40)}” cannot hang on a condition.")

    def _variants(self, variants: list[Any], place: Place, key: str) -> None:
        """Take over an object of one of several shapes: a choice of the shape, and the fields of each."""
        shapes = [self.resolved(one, place) for one in variants]
        if not all(isinstance(shape.get("properties"), Mapping) for shape, _ in shapes):
            self.leave(place, f"`{key}` of what are no properties cannot be said in a form.")
            return
        titles: list[str] = []
        for n, (shape, _) in enumerate(shapes, 1):
            fixed = [
                one["const"] for one in shape["properties"].values() if isinstance(one, Mapping) and "const" in one
            ]
            titles.append(apart(said(shape.get("title") or (fixed[0] if fixed else n), 60), titles, " ({})"))
        label = self.words.say("variant", label=place.labels[-1] if place.labels else "").strip(" :")
        kind = replace(place, names=(*place.names, "kind"), labels=(*place.labels[:-1], label))
        asked = self.put("choice", {"choices": titles}, kind)
        for title, (shape, inside) in zip(titles, shapes, strict=True):
            given = {k: v for k, v in shape.items() if k != "title"}
            given |= {"required": shape.get("required", list(shape["properties"]))}
            self.object(given, replace(inside, when={**place.when, asked["name"]: title}))

    def _unread(self, given: Schema, place: Place, read: Set[str] = READ) -> None:
        for key in (one for one in given if one not in read and not str(one).startswith("x-")):
            value = f" ({shown(given[key])})" if isinstance(given[key], str | int | float) else ""
            self.leave(place, f"`{said(key, 40)}` cannot be said in a form{value}.")
        if given.get("default") is not None:
            self.leave(place, f"default {shown(given['default'])}: the form asks, and supposes nothing.")
