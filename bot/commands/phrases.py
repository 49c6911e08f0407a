"""`holdfast phrases`: every word that people read, as one page of Markdown, for whoever edits or translates them."""

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any

import typer

from blocks import phrases as catalogues
from bot.root.installation import load_workflows
from bot.settings import Settings, Wrong
from state.form.source import read_toml
from state.workflow.load import Workflow

READ = re.compile(
    "title|label|ask|again|help|unit|placeholder|introduction|statement|purpose|usage|says|next|reason|told|why"
)
"""Keys of a form under which its words stand; below `says`, and in words.toml, every key is one."""
LINE = re.compile(r"# (?P<section>.+)|(?P<key>\w+) = ")


def phrases(settings: Settings, language: str = "") -> int:
    """Print what is read in each language, or in one ("it"): the catalogue by section, then each form. Raises Wrong where there is no such one."""
    if language and language not in catalogues.LANGUAGES:
        raise Wrong([f'There are no phrases in "{language}". There are in {", ".join(catalogues.LANGUAGES)}.'])
    workflows = load_workflows(settings)
    for code in [language] if language else catalogues.LANGUAGES:
        typer.echo(f"# {code}\n")
        for line in (*_catalogue(code), *(line for one in workflows.values() for line in _form(one, code))):
            typer.echo(line)
    return 0


def _catalogue(code: str) -> Iterator[str]:
    sentences = catalogues.catalogue(code)
    _, _, lines = files(catalogues).joinpath(f"{code}.toml").read_text("utf-8").partition("\n\n")  # after its header
    for line in lines.splitlines():
        found = LINE.match(line)
        if found and found["section"]:
            yield f"\n## {found['section']}\n"
        elif found:
            yield _entry(found["key"], sentences[found["key"]])


def _form(workflow: Workflow, code: str) -> Iterator[str]:
    """Yield the words of a form in one language, by their keys; words.toml beside it is in the form's own."""
    for name in (*workflow.files.names("form*.toml"), *workflow.files.names("words.toml")):
        _, *between, _ = name.split(".")  # form.it-IT.toml
        if "".join(between or [workflow.form.language]).partition("-")[0] == code:
            data, whole = read_toml(workflow.files.find(name)).data, name == "words.toml"
            yield f"\n## {workflow.form.name}/{name}\n"
            yield from (_entry(key, text) for key, text in _texts(data, "", whole=whole))


def _texts(part: Any, place: str, *, whole: bool) -> Iterator[tuple[str, str]]:
    if isinstance(part, str):
        yield from [(place, part)] if whole or READ.fullmatch(place.rpartition(".")[2]) else []
    elif isinstance(part, Mapping):
        for key, below in part.items():
            yield from _texts(below, f"{place}.{key}".lstrip("."), whole=whole or place == "says")
    elif isinstance(part, list):
        for one in (one for one in part if isinstance(one, Mapping)):
            yield from _texts(one, f"{place}.{one.get('id') or one.get('value') or one.get('to') or ''}", whole=whole)


def _entry(key: str, text: str) -> str:
    return f"- `{key}` " + text.strip().replace("\n", "\n  ")
