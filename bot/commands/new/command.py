"""`holdfast new`: five questions at the terminal, or their answers as options, and the folder that they make."""

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import typer

from blocks.phrases import problems
from bot.commands.new.asked import fields_asked, route_asked, with_currency
from bot.commands.new.folder import write
from bot.commands.new.words import LABEL, Table, Words, capital, plain, said, words_of
from bot.root.installation import load_good
from bot.settings import OWN_FOLDER, Settings, Wrong
from state.form.source import meant
from state.workflow.check import OURS
from state.workflow.load import FORM, Workflow

NAME = re.compile(r"[a-z][a-z0-9_]{0,30}")
COMMAND = re.compile(r"/[a-z0-9_-]{1,31}")
Read = TypeVar("Read")


@dataclass(frozen=True)
class Wishes:
    """Answers given as options; None where one is to be asked."""

    title: str | None = None
    command: str | None = None
    language: str | None = None
    asks: str | None = None
    decides: str | None = None


def new(settings: Settings, name: str, given: Wishes, source: Path | None = None) -> int:
    """Write a form's folder and say where it is. Raises Wrong with sentences, and nothing is written then."""
    if not NAME.fullmatch(name):
        near = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:31]
        like = near if NAME.fullmatch(near) else "travel_request"
        raise Wrong(
            [f'"{name[:40]}" is no name for a folder and a form. Use small letters, digits and _, like {like}.']
        )
    loaded, _ = load_good(settings, {})  # a folder may yet have to be made, a form be mended
    # beside the forms of one's own: in the first of HOLDFAST_WORKFLOWS that is no form itself
    target = next((f for f in settings.workflow_folders if not (f / FORM).exists()), Path(OWN_FOLDER)) / name
    if name in loaded or target.exists():
        raise Wrong([f"{name} is there already, and nothing is overwritten. Choose another name."])
    from bot.commands.new.taken import taken_over  # noqa: PLC0415  only where a file is given

    words = words_of(given.language) if source and given.language else words_of("en")
    taken = taken_over(source, words) if source else None
    ask = _options_only if source else _at_terminal
    title = ask("Title", given.title, (taken and taken.title) or capital(name.replace("_", " ")), _title)
    command = ask("Slash command", given.command, f"/{name.replace('_', '-')}", lambda text: _command(text, loaded))
    if taken is None:
        words = ask("Language (en, de, it, es)", given.language, "en", words_of)
        fields = ask("What is asked, with commas between", given.asks, None, lambda text: fields_asked(text, words))
    else:
        fields = taken.fields
    route = ask("Who decides (nobody, or roles: manager, then compliance)", given.decides, "nobody",
                lambda text: route_asked(text, words))  # fmt: skip
    top = _top(name, title, command, words, loaded) | ({"purpose": taken.purpose} if taken and taken.purpose else {})
    parts = {
        "says": route.pop("says", {}),
        "repeats": taken.repeats if taken else {},
        "fields": {field["name"]: field for field in with_currency(fields, words)},
        "filing.states": route["states"],
        "rules": route["rules"],
    }
    left = taken.left if taken else ()
    form = write(target, top, parts, words, left, problems)
    typer.echo(
        f"{target} has a form (fields: {len(parts['fields'])}), a scenario, and a README that says what to change."
    )
    for line in left:
        typer.echo(f"Please look at: {line}")
    typer.echo(f"Next: holdfast check {form.name} · holdfast test {form.name} · holdfast run, and say {form.command}")
    return 0


def _at_terminal(question: str, given: str | None, default: str | None, read: Callable[[str], Read]) -> Read:
    """Return what an option says, else what is answered at the terminal; there, a wrong answer is asked for again."""
    while given is None:
        try:
            answer = typer.prompt(question, default=default, err=True)
        except typer.Abort:
            if sys.stdin.isatty():
                raise
            return _options_only(question, given, default, read)
        try:
            return read(answer)
        except Wrong as wrong:
            if not sys.stdin.isatty():
                raise
            typer.echo("\n".join(wrong.problems), err=True)
    return read(given)


def _options_only(question: str, given: str | None, default: str | None, read: Callable[[str], Read]) -> Read:
    text = default if given is None else given
    if text is None:
        raise Wrong([f"{question}? Say it as an option: --asks “title, amount, date of purchase, why”."])
    return read(text)


def _title(text: str) -> str:
    if not re.search(r"\w", text) or len(text.strip()) > LABEL:
        raise Wrong([f"A title is what people call the form, in at most {LABEL} characters: --title “Travel request”."])
    return said(text)


def _command(text: str, loaded: Mapping[str, Workflow]) -> str:
    command = f"/{text.strip().removeprefix('/')}"
    if not COMMAND.fullmatch(command):
        raise Wrong([f'"{text[:40]}" is no slash command. Use small letters, digits, - and _, like /travel-request.'])
    taken = [OURS, *(one.form.command for one in loaded.values() if one.form.command)]
    if command in taken:
        raise Wrong([f"{command} belongs to another form already. Choose another command.{meant('', taken)}"])
    return command


def _top(name: str, title: str, command: str, words: Words, loaded: Mapping[str, Workflow]) -> Table:
    letters = re.sub(r"[^A-Z]", "", name.upper()).ljust(2, "X")
    taken = {one.form.prefix for one in loaded.values()}
    tried = (*(letters[:n] for n in (3, 4, 5, 6, 2)), *(f"{letters[:3]}{a}{b}" for a in "ABCDEFGH" for b in "ABCDEFGH"))
    prefix = next(one for one in tried if one not in taken)
    called = list(dict.fromkeys((plain(title), name.replace("_", " "))))
    return {
        "name": name, "title": title, "version": "1", "language": words.locale, "prefix": prefix, "command": command,
        "words": called,
    }  # fmt: skip
