"""A dossier as people read it: headings with lines, the same on a terminal and on paper. In English, for whoever examines."""

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.exports.dossier import ERASED, Json

UNSEEN, BREAK = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}), " ⏎ "
SECONDS = len("2026-11-22T14:30:00")


@dataclass(frozen=True)
class Section:
    """`quoted` lines are what somebody was shown, word by word."""

    heading: str
    lines: Sequence[str]
    quoted: bool = False


def sections(dossier: Json) -> Iterator[Section]:
    """Yield all of it, in the order in which an examiner asks. Nothing that people wrote can move the cursor or turn the line around."""
    for one in _sections(dossier):
        yield Section(visible(one.heading), [visible(line) for line in one.lines], one.quoted)


def visible(text: str) -> str:
    """Return a line with its breaks marked, and what is no sign on paper (control codes, marks that turn the writing) by its code point."""
    return "".join(
        BREAK if c == "\n" else c if unicodedata.category(c) not in UNSEEN else f"[U+{ord(c):04X}]" for c in text
    )


def _sections(dossier: Json) -> Iterator[Section]:
    record = dossier["record"]
    title = " · ".join(filter(None, (record["number"], record["title"], record["about"])))
    yield Section(title, [*_head(dossier)])
    if record["erased"]:
        links = [f"{link['n']}. {_at(link['at'])} {link['kind']}" for link in dossier["links"]]
        yield Section("What is left", [f"Its words are {ERASED}. What happened, and when, is still known:", *links])
        return
    yield Section("Answers", [line for one in dossier["answers"] for line in _answer(one)] or ["none"])
    if dossier["disclosures"]:
        yield Section("Told later", [line for one in dossier["disclosures"] for line in _disclosed(one)])
    if dossier["rules"]:
        yield Section("Risk and rules", [*_rules(dossier["rules"])] or ["nothing was found"])
    yield Section("Decisions", [line for one in dossier["decisions"] for line in _decision(one)] or ["none"])
    for name, told in dossier["further"].items():
        yield Section(name.replace("_", " ").capitalize(), _plain(told))
    if dossier["confirmed"]:
        yield Section("What was confirmed, as it stood on the card", dossier["confirmed"]["lines"], quoted=True)
    yield Section("Story", [line for one in dossier["story"] for line in _event(one)])
    for n, one in enumerate((one for one in dossier["shown"] if one["status"] == "done" and one["lines"]), 1):
        where = f" in {one['where']}" if one["where"] else ""
        who = f", to {one['who']} alone" if one["who"] else ""
        card = f", card {one['card']}" if one["card"] else ""
        yield Section(f"Shown {n}: {one['kind']}{where}{who}{card}, {_at(one['at'])}", one["lines"], quoted=True)


def _head(dossier: Json) -> Iterator[str]:
    record, chain, versions = dossier["record"], dossier["chain"], dossier["versions"]
    state = record["state_name"] or "not filed yet"
    under = ", ".join(f"{name} {told}" for name, told in versions["filed_under"].items())
    yield f"As of: {_at(dossier['as_of']) or 'now'}"
    yield f"State: {state} ({record['state']})" if record["state"] and state != record["state"] else f"State: {state}"
    yield f"Filed: {_at(record['filed_at'])}" if record["filed_at"] else ""
    yield f"Good until: {record['valid_until']}" if record["valid_until"] else ""
    yield f"Requested by: {record['owner']} in {record['tenant']}"
    yield "Its person was erased; the law or a hold keeps this record." if record["kept"] else ""
    yield f"Filed under: {under}" if under else ""
    yield f"Versions: form {', '.join(versions['form'])}; rules {', '.join(versions['rules'])}"
    yield f"Words were read by: {', '.join(versions['readers'])}" if versions["readers"] else ""
    yield f"Hash of what was confirmed: {record['hash']}" if record["hash"] else ""
    yield f"Chain: draft {chain['draft']}, event {chain['events']} of {chain['of']}, {chain['head']}"


def _answer(one: Json) -> Iterator[str]:
    sure = "" if one["sure"] else " (not confirmed by a parser)"
    yield f"{one['label']}: {one['shown']}{sure}{' [locked]' if one['locked'] else ''}"
    yield f"    {_origin(one)}"


def _origin(came: Mapping[str, Any]) -> str:
    words = f"from “{came['words']}”" if came["words"] else ""
    reader = f"read by {came['reader']}" if came["reader"] else ""
    return ", ".join(filter(None, (f"{came['how']} by {came['who']}", _at(came["at"]), words, reader)))


def _disclosed(one: Json) -> Iterator[str]:
    yield f"{one['field']}: the worse answer, told after the better one"
    yield f"    {_origin(one['provenance'])}"


def _rules(rules: Json) -> Iterator[str]:
    if rules["state"]:
        yield f"Filed as: {rules['state']}" + (f", good until {rules['until']}" if rules["until"] else "")
    yield from (f"Reason: {one}" for one in rules.get("reasons", ()))
    yield from (f"Bears on it: {one}" for one in rules["background"])
    yield from (f"The person was told: {one}" for one in rules["told"])
    yield from (f"Computed {name}: {_short(told)}" for name, told in rules.get("computed", {}).items())
    yield from (f"Fact {name}: {_short(told)}" for name, told in rules.get("facts", {}).items())


def _decision(one: Json) -> Iterator[str]:
    void = " (void since: it was reopened)" if one["void"] else ""
    role = f" as {one['role_name']}" if one["role"] else ""
    deputy = f", in the place of {one['deputy_of']}" if one["deputy_of"] else ""
    yield f"{_at(one['at'])} {one['verdict']} by {one['who']}{role}{deputy}: {one['state']} → {one['to']}{void}"
    yield from (
        f"    {name.capitalize()}: {one[name]}" for name in ("reason", "conditions", "note", "answer") if one[name]
    )


def _event(one: Json) -> Iterator[str]:
    said = f": “{one['said']}”" if one["said"] else ""
    reader = f" (read by {one['reader']})" if one["reader"] else ""
    yield f"{one['n']}. {_at(one['at'])} {one['who']} {one['kind']}{said}{reader}"
    for move in one["moves"]:
        change = " → ".join(_short(move[name]) for name in ("before", "after") if move[name] is not None)
        yield "    " + " ".join(filter(None, (move["what"], move["field"], change, move["text"])))


def _plain(told: Any) -> list[str]:
    """Return data that nothing is known of but its names, a line each."""
    if isinstance(told, Mapping):
        return [f"{name}: {_short(one)}" for name, one in told.items()]
    return [f"- {_short(one)}" for one in told] if isinstance(told, list) else [_short(told)]


def _short(told: Any) -> str:
    if isinstance(told, Mapping):
        return "; ".join(f"{name} {_short(one)}" for name, one in told.items() if one not in ("", None, [], {}))
    return told if isinstance(told, str) else json.dumps(told, ensure_ascii=False, default=str)


def _at(iso: str) -> str:
    return f"{iso[:SECONDS].replace('T', ' ')} UTC" if iso else ""
