"""Read the file of `holdfast new --from FILE`: a JSON Schema or a table, told apart by the content."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bot.commands.new.words import Table, Words
from bot.settings import Wrong

LARGEST = 2 * 1024 * 1024
"""Bytes of a file."""


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
    from bot.commands.new import json_schema, table  # noqa: PLC0415  each knows Taken

    if content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"[") and file.suffix.lower() != ".json":
        return table.taken_over(content, file.name, words)
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
