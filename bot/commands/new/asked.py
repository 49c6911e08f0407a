"""Read what is asked and who decides from a line ("title, amount, date of purchase, why"): fields with their kinds, and states."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from blocks.phrases import catalogue
from bot.commands.new.words import LABEL, Table, Words, apart, capital, plain, said, slug, split
from bot.settings import Wrong
from state.fields.money import CURRENCIES

MOST = 100
"""Fields of one form: nobody answers more."""
MOST_CHOICES, DECIDERS = 100, 3
"""Choices of one menu; people of the sandbox who can decide one after the other, as the scenario plays it."""
BULLET = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,3}[.)])\s+")
BRACKETS = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]\s*\??\s*$")
CHOSEN = re.compile(r"\s*[/|]\s*|\s*[,;]\s*")
SIGNS = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY"}
SHORT, WRITTEN = 120, 600
"""Characters of a short answer and of a written one."""
STATES = {"manager": "pending_manager", "compliance": "pending_compliance", "senior_compliance": "pending_senior"}
"""States that have a name in every language."""
MORE = 2
"""Parts of a slash that are choices of one question, and no "and/or"."""


def fields_asked(line: str, words: Words) -> list[Table]:
    """Return the fields for what is asked. Raises Wrong with a sentence where nothing is, or too much, or one thing twice."""
    items = list(_items(line, words))
    if not items:
        raise Wrong(["Say what is asked, with commas between: --asks “title, amount, date of purchase, why”."])
    if len(items) > MOST:
        raise Wrong([f"These are {len(items)} questions. A form has at most {MOST}: make two."])
    fields: list[Table] = []
    for item in items:
        field = _field(item, words)
        if plain(field["label"]) in {plain(one["label"]) for one in fields}:
            raise Wrong([f"“{field['label']}” is asked twice. Take one out, or give it another name."])
        add(fields, field)
    return fields


def add(fields: list[Table], field: Table) -> Table:
    """Put a field behind the others, with a name and a label of its own."""
    names = [one["name"] for one in fields]
    field["name"] = slug(field.get("name") or field["label"], names)
    field["label"] = apart(field["label"], [one["label"] for one in fields], " ({})")
    fields.append(field)
    return field


def with_currency(fields: list[Table], words: Words) -> list[Table]:
    """Return the fields with one for the currency behind the first sum that has none, where nothing asks for it."""
    bare = next((n for n, one in enumerate(fields) if one["kind"] == "money" and "currency" not in one), None)
    if bare is None or any(one["kind"] == "currency" for one in fields):
        return fields
    label = apart(words.say("currency"), [one["label"] for one in fields], " ({})")
    name = slug("currency", [one["name"] for one in fields])
    beside = {k: v for k, v in fields[bare].items() if k in ("when", "required", "repeat")}
    ask = words.say("currency_ask")
    currency = {"name": name, "kind": "currency", "label": label, "ask": ask, "words": [plain(label)], **beside}
    return [*fields[: bare + 1], currency, *fields[bare + 1 :]]


def field_of(kind: str, label: str, words: Words, ask: str = "") -> Table:
    """Return a field of a kind ("short" is a short text) with the question that its language begins with."""
    label = capital(said(label)) or "?"
    shapes: Mapping[str, Table] = {
        "short": {"short": True, "max_length": SHORT},
        "text": {"max_length": WRITTEN},
        "yes_no": {"lock": "answered"},
        "identifier": {"scheme": ["iban"]},
        "documents": {"minimum": 1, "maximum": 5},
    }
    shape = shapes.get(kind, {})
    asked = said(ask, 600) or (label if label.endswith("?") else words.question(kind, label))
    return {
        "kind": "text" if kind == "short" else kind, "label": label, "ask": asked, "words": [label.casefold().rstrip("?")], **shape,
    }  # fmt: skip


def choices_of(given: Sequence[str], leave: Callable[[str], None] = lambda _told: None) -> list[Any]:
    """Return choices as a form writes them, none twice, and name those that differ. Raises Wrong for more than a menu of Slack's shows."""
    every = [said(one) for one in given if said(one)]
    choices = list(dict.fromkeys(every))
    for one in choices:
        if every.count(one) > 1:
            leave(f"the choice “{one}” is there {every.count(one)} times, and offered once.")
        if one.endswith("…") and one not in given:
            leave(f"the choice “{one}” is shortened.")
    if len(choices) > MOST_CHOICES:
        raise Wrong(
            [
                f"“{choices[0]}” and {len(choices) - 1} others: a menu shows {MOST_CHOICES} choices. Ask for a text, or look them up in a table."
            ]
        )
    return choices


def _items(line: str, words: Words) -> Iterator[str]:
    """Yield what is asked, thing by thing: parted by commas, semicolons and lines outside of brackets, and by a last "and"."""
    if not re.search(r"[,;\n(:]", line):  # "title / amount / date"
        line = re.sub(r"\s+[/|]\s+", ",", line)
    parts = [part for row in line.splitlines() for part in _parted(BULLET.sub("", row))]
    parts = [part for part in (one.strip(" .\t") for one in parts) if re.search(r"\w", part)]
    joins = "|".join(map(re.escape, words.data["joins"]))
    for n, part in enumerate(parts):
        halves = re.split(rf"\s+(?:{joins})\s+", part, maxsplit=1)
        led = re.sub(rf"^(?:{joins})\s+", "", part) if n else part
        last = n == len(parts) - 1 and len(halves) == MORE and not BRACKETS.search(part) and not part.endswith("?")
        if last and led == part and any(cued(half, words) for half in halves):
            yield from halves
        else:
            yield led


def _parted(row: str) -> Iterator[str]:
    depth, start = 0, 0
    for at, sign in enumerate(row):
        depth += (sign in "([") - (sign in ")]" and depth > 0)
        if sign in ",;" and not depth:
            yield row[start:at]
            start = at + 1
        elif sign == "?" and not depth:  # a whole question ends where its mark stands
            yield row[start : at + 1]
            start = at + 1
    yield row[start:]


def _field(item: str, words: Words) -> Table:
    required, kind, choices, own = True, "", list[str](), dict[str, Any]()
    if (colon := re.match(r"([^:?]{2,60}):\s*(\S.*)$", item)) and len(CHOSEN.split(colon[2])) >= MORE:
        item, choices = colon[1], choices_of(CHOSEN.split(colon[2]))
    while (found := BRACKETS.search(item)) and found.start():
        inside, mark = found[1], "?" if item.rstrip().endswith("?") else ""
        parts = [part for part in CHOSEN.split(inside) if part.strip()]
        if words.among("optional", inside):
            required = False
        elif called := words.kind_called(inside):
            kind = called
        elif code := SIGNS.get(inside.strip(), inside.strip().upper() if inside.strip().upper() in CURRENCIES else ""):
            kind, own = "money", {"currency": code}
        elif len(parts) >= MORE:
            choices = choices_of(parts)
        else:
            break
        item = item[: found.start()] + mark
    if choices:
        kind = "choices" if kind == "choices" else "choice"
    kind = kind if kind not in ("choice", "choices") or choices else "short"
    if not own and (priced := re.search(rf"\s+(?:in|en)\s+([A-Za-z]{{3}}|[{''.join(SIGNS)}])$", item)):
        code = SIGNS.get(priced[1], priced[1].upper())
        own = {"currency": code} if code in CURRENCIES else {}
        item, kind = (item[: priced.start()], kind or "money") if own else (item, kind)
    field = _worded(item, kind, words)
    extra = own if field["kind"] == "money" else {}
    return field | extra | ({"choices": choices} if choices else {}) | ({} if required else {"required": False})


def _worded(item: str, kind: str, words: Words) -> Table:
    """Return the field of one thing without its brackets: a question of its own, a bare "why", or the name of a thing."""
    question, bare = item.rstrip().endswith("?"), said(item.strip(" ¿?"), LABEL)
    row = split(bare)
    for why, label in words.data["reasons"].items():
        if plain(bare) == plain(why):
            return field_of(kind or "text", label, words, f"{'¿' if words.code == 'es' else ''}{capital(bare)}?")
    starts, asking = ({split(one)[0] for one in words.data[key]} for key in ("yes_no_starts", "question_starts"))
    question = question or (len(row) > MORE and row[0] in starts) or (len(row) > 1 and row[0] in asking)
    polar = question and (row[0] in starts or (len(row) > 1 and row[0] not in asking))
    if not question:
        bare = re.sub(rf"^(?:{articles_of(words)})(?:\s+|(?<='))(?=\w)", "", bare, flags=re.IGNORECASE)
    kind = kind or ("yes_no" if polar else cued(bare, words)) or "short"
    ask, label = (f"{'¿' if words.code == 'es' else ''}{capital(bare)}?", bare) if question else ("", bare)
    if question and len(row) > 1 and row[0] in asking and kind in ("integer", "money") and len(row) <= MORE + 1:
        label = bare.split()[-1]  # "how many days?" asks for days
    return field_of(kind, label, words, ask)


def articles_of(words: Words) -> str:
    """Return a pattern of the words that stand before a thing and are no part of its name."""
    return "|".join(map(re.escape, sorted(words.data["articles"], key=len, reverse=True)))


def cued(text: str, words: Words) -> str:
    """Return the kind that the words of a thing point to: by its head first, the longest cue before shorter ones."""
    row = split(text)
    breaks = {split(one)[0] for one in words.data["breaks"]}
    head = next((n for n, word in enumerate(row) if n and word in breaks), len(row))
    last, cues = words.data["head"] == "last", words.cues
    found: list[tuple[bool, bool, int, str]] = []
    for cue, kind in cues.items():
        for at in range(len(row) - len(cue) + 1):
            if row[at : at + len(cue)] != cue:
                continue
            end = at + len(cue)
            in_head = (end == head or (end == head + 1 and row[end - 1] in breaks)) if last else at == 0
            found.append((in_head, at < head, len(cue), kind))
    if (
        not found and last and words.code == "de"
    ):  # "Kaufdatum", "Rechnungsbetrag": the last part of a compound is its head
        noun = row[head - 1] if row else ""
        parts = ((cue[0], kind) for cue, kind in cues.items() if len(cue) == 1 and LEAST <= len(cue[0]) < len(noun))
        found += [(True, True, len(part), kind) for part, kind in parts if noun.endswith(part)]
    return max(found, key=lambda one: one[:3])[3] if found else ""


LEAST = 3
"""Letters of the last part of a compound."""


def route_asked(line: str, words: Words) -> Table:
    """Return the tables of filing and says for who decides ("manager, then compliance"); for nobody, it is noted."""
    joins = sorted(words.data["then"], key=len, reverse=True)
    parts = re.split(rf"\s*(?:[,;\n]|->|→)\s*(?:(?:{'|'.join(joins)})\s+)?|\s+(?:{'|'.join(joins)})\s+", line.strip())
    named = [part for part in (said(one.strip(" .")) for one in parts) if part]
    if not named or all(words.among("nobody", one) for one in named):
        noted = {"label": words.say("noted"), "next": words.say("noted_next"), "decided": True}
        return {"states": {"noted": noted}, "rules": [{"state": "noted", "otherwise": True, "tell": False}]}
    roles: dict[str, str] = {}
    for part in named:
        name = re.sub(rf"^(?:{articles_of(words)})(?:\s+|(?<='))", "", part, flags=re.IGNORECASE)
        known = (role for role, called in words.data["roles"].items() if plain(name) in map(plain, called))
        role = next(known, "") or slug(name, other="role")
        if role in roles:
            raise Wrong([f"“{name}” decides twice. Name each of them once."])
        if len(roles) == DECIDERS:
            raise Wrong(
                [
                    f"At most {DECIDERS} decide one after the other here. Add further states to [filing.states] in form.toml."
                ]
            )
        roles[role] = catalogue(words.code)[f"role_{role}"] if role in STATES else capital(name)
    names = {role: STATES.get(role) or f"with_{role}"[:48] for role in roles}
    states: dict[str, Table] = {}
    for n, (role, name) in enumerate(roles.items()):
        follows = [*names.values(), "approved"][n + 1]
        label = {} if role in STATES else {"label": words.say("with", role=name)[:LABEL]}
        decide = {"approve": follows, "decline": "declined"}
        states[names[role]] = {
            **label,
            "next": words.say("next"),
            "by": role,
            "decide": decide,
            "ask": True,
            "withdraw": "withdrawn",
        }
    own = {f"role_{role}": name for role, name in roles.items() if role not in STATES}
    first = {"state": next(iter(states)), "otherwise": True}
    return {"says": own, "states": states, "rules": [first]}
