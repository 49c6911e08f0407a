"""Read the file of `holdfast new --from FILE`: a JSON Schema or a table, told apart by the content."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bot.commands.new.asked import MOST, add, choices_of, field_of
from bot.commands.new.words import Table, Words, plain, said, words_of
from bot.settings import Wrong
from state.language import LANGUAGES
from state.lists.spreadsheet import NoTable, read_sheet

LARGEST = 2 * 1024 * 1024
"""Bytes of a file."""
TOLD = {
    "workbook": "is a workbook. Save the sheet as CSV",
    "large": "is larger than 2 MB. No form has that many fields",
    "no_text": "cannot be read as text. Save it as CSV in UTF-8",
    "empty": "is empty. Write a heading with label, kind and choices, and a line for each field",
    "long": "has more lines than a form has fields",
}
PARTED = re.compile(r"\s*[|\n]\s*"), re.compile(r"\s*;\s*"), re.compile(r"\s*,\s*"), re.compile(r"\s*/\s*")


@dataclass
class Taken:
    """Fields and repeats of a form, and a line for each thing that could not be carried over."""

    title: str = ""
    purpose: str = ""
    fields: list[Table] = field(default_factory=list)
    repeats: dict[str, Table] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)


def taken_over(file: Path, words: Words) -> Taken:
    """Read a JSON Schema or a CSV file. Raises Wrong with one sentence where it is neither, too large, empty or not to be read."""
    try:
        if file.is_file() and file.stat().st_size > LARGEST:
            raise Wrong([f"{file} is larger than {LARGEST // 1024 // 1024} MB. No form has that many fields."])
        content = file.read_bytes()
    except OSError as error:
        raise Wrong([f"{file} cannot be read ({error.strerror}). Name a JSON Schema or a CSV file."]) from error
    if not content.strip():
        raise Wrong([f"{file} is empty. Name a JSON Schema or a CSV file."])
    from bot.commands.new import json_schema  # noqa: PLC0415  it knows Taken

    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"[") and file.suffix.lower() != ".json":
        return _table(content, file.name, words)
    try:
        schema = json.loads(content)
    except RecursionError as error:
        raise Wrong([f"{file} is nested too deeply to be read."]) from error
    except UnicodeDecodeError as error:
        raise Wrong([f"{file} is no text in UTF-8. Save it as UTF-8."]) from error
    except ValueError as error:
        at = f", line {error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
        raise Wrong([f"{file} is no JSON{at}. Name a JSON Schema or a CSV file."]) from error
    if not isinstance(schema, Mapping):
        raise Wrong([f"{file} is no JSON Schema of an object: it has no properties to ask for."])
    return json_schema.taken_over(schema, file.name, words)


def _table(content: bytes, name: str, words: Words) -> Taken:
    """Return the fields of a table; its heading may be in any language. Raises Wrong with one sentence where it has no heading or is no table."""
    every = [words, *(words_of(code) for code in LANGUAGES if code != words.code)]
    try:
        sheet = read_sheet(content, lambda heading: len({_column(cell, every) for cell in heading} - {""}))
    except NoTable as trouble:
        raise Wrong([f"{name} {TOLD[trouble.why]}."]) from trouble
    columns = [_column(cell, every) for cell in sheet.heading]
    if "label" not in columns:
        raise Wrong([f"The first line of {name} names no column `label`. Write one with label, kind and choices."])
    if not sheet.lines or len(sheet.lines) > MOST:
        raise Wrong([f"{name} has {len(sheet.lines)} lines below its heading. A form has from 1 to {MOST} fields."])
    taken = Taken(left=[f"{name}, line 1: the column “{said(cell)}” is not known." for cell, column
                        in zip(sheet.heading, columns, strict=True) if cell and not column])  # fmt: skip
    for line, cells in sheet.lines:
        _row(taken, f"{name}, line {line}", dict(zip(columns, cells, strict=False)), every)
    if not taken.fields:
        raise Wrong([f"No line of {name} has a label, so there is nothing to ask for."])
    return taken


def _column(cell: str, every: list[Words]) -> str:
    named = ((column, words) for words in every for column in words.data["headings"])
    return next((column for column, words in named if plain(cell) in map(plain, words.data["headings"][column])), "")


def _row(taken: Taken, where: str, row: Mapping[str, str], every: list[Words]) -> None:
    label, written, given = (row.get(column, "") for column in ("label", "kind", "choices"))
    if not said(label):
        taken.left.append(f"{where}: it has no label, so it is left out.")
        return
    part = next((one for one in PARTED if one.search(given.strip())), PARTED[0])
    choices = choices_of(part.split(given), lambda told: taken.left.append(f"{where}: {told}"))
    kind = next((found for words in every if (found := words.kind_called(written))), "")
    if kind == "choice" and not choices:
        taken.left.append(f"{where}: a choice without choices; it is asked for as a short text.")
    if written and not kind:
        taken.left.append(f"{where}: the kind “{said(written, 40)}” is not known; it is asked for as a text.")
    several = kind == "choices" or (kind == "documents" and "choices" in plain(written))
    if choices and kind not in ("", "choice", "choices"):
        taken.left.append(f"{where}: choices of a {kind}; they are what is asked for.")
    kind = ("choices" if several else "choice") if choices else {"choice": "short", "choices": "short"}.get(kind, kind)
    if len(said(label, 10_000)) > len(said(label)):
        taken.left.append(f"{where}: a label has at most 75 characters; the rest of it is cut off.")
    told = row.get("help", "").strip()
    field = field_of(kind or "short", label, every[0], told if told.endswith("?") else "")
    if required := plain(row.get("required", "")):
        no = {plain(word) for words in every for word in LANGUAGES[words.code].no} | {"false", "0"}
        field |= (
            {"required": False} if required in no or any(words.among("optional", required) for words in every) else {}
        )
    field |= {"help": said(told, 2000)} if told and not told.endswith("?") else {}
    wanted = field["label"]
    added = add(taken.fields, field | ({"choices": choices} if choices else {}))
    if added["label"] != wanted:
        taken.left.append(f"{where}: “{wanted}” is there already; this one is called “{added['label']}”.")
