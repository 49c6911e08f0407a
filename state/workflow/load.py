"""Workflow folders, loaded and checked whole: form.toml, prompt.md, rules.py, scenarios, and the tables beside them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

from state.draft.draft import Draft
from state.draft.route import with_query
from state.draft.stages import with_variants
from state.fields import KINDS
from state.form.files import Files, contradictions
from state.form.filing import sentences_of
from state.form.repeats import with_repeats
from state.form.schema import Form
from state.form.source import FormError, Problem, Source, meant, read_text, read_toml
from state.form.validation import Shaped, shape
from state.rules import Rules
from state.workflow.check import check
from state.workflow.languages import tongues
from state.workflow.rules_file import load_rules, names_apart
from state.workflow.scenario import read_scenario
from state.workflow.tables import Lists, Table, Taken, list_findings, outdated, read_tables, shipped_lists, strangers
from state.workflow.texts import CONTEXT, HouseText, filled, house_text, in_language, said_again
from state.workflow.texts import problems as house_problems

FORM, PROMPT, SCENARIOS = "form.toml", "prompt.md", "scenarios"
PROMPT_LINES = 200

Sentences = Callable[[Mapping[str, str], str], Iterable[str]]
"""What is wrong with a form's own sentences in its language, as "says.<key>: …" and "language: …" lines; the catalogue belongs to the screen."""


@dataclass(frozen=True)
class Workflow:
    """One workflow, ready to run."""

    form: Form
    rules: Rules
    folder: Path
    scenarios: tuple[Path, ...] = ()
    files: Files = field(default_factory=lambda: Files(()))
    languages: Mapping[str, Form] = field(default_factory=dict)
    """The form in its further languages, by locale."""
    called: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Words by which a message asks for the form in each of its languages."""
    lists: Lists = field(default_factory=dict)
    """The rows that ship: version 0 of each list."""
    tables: Mapping[str, Table] = field(default_factory=dict)
    """Tables that an operator may replace, by name."""
    taken: Mapping[str, Taken] = field(default_factory=dict)
    """Those of them that somebody has replaced."""
    earlier: tuple[tuple[datetime, "Workflow"], ...] = ()
    """The versions that counted before it in this process, the oldest first, each with the moment at which it ended."""

    def of(self, draft: Draft) -> "Workflow":
        """Return the version that a draft of this form began with; a conversation of operations has no end, and takes the newest."""
        if not self.earlier or not draft.began or draft.form != self.form.name or self.form.conversational:
            return self
        began = datetime.fromisoformat(draft.began)
        return next((one for until, one in self.earlier if began < until), self)

    def sources(self, today: str) -> dict[str, Any]:
        """Return the tables that count in the place of the workflow's own, and how old they are on a day (ISO 8601)."""
        return {name: one.told(today) for name, one in self.taken.items()}

    def spoken_in(self, locale: str) -> Form:
        """Return the form in this language ("it-IT", "it"), as near as there is one; in its own where there is none."""
        code = locale.replace("_", "-").partition("-")[0].lower()
        near = {name.partition("-")[0].lower(): form for name, form in reversed(tuple(self.languages.items()))}
        near[self.form.language.partition("-")[0].lower()] = self.form
        return self.languages.get(locale) or near.get(code, self.form)

    def form_of(self, draft: Draft) -> Form:
        """Return the form in the language in which a draft is filled in, with the reviewers' question while that is open."""
        version = self.of(draft)
        return with_query(version.spoken_in(draft.language) if draft.language else version.form, draft)

    def outdated(self, today: date) -> tuple[Problem, ...]:
        """What of its files no longer holds on a day, by what they say of themselves and by its rules; what its lists name that nothing finds."""
        dated = {*outdated(self.files, today), *self.rules.outdated(today.isoformat())}
        return tuple(sorted({*dated, *strangers(self.form, self.rules, self.files)}))


NONE: Mapping[str, Workflow] = {}


class NotInstalled(KeyError):
    """A form that something stored is of, and whose folder is not there now. `form` is its name."""

    def __init__(self, form: str) -> None:
        super().__init__(form)
        self.form = form


class Installed(dict[str, Workflow]):
    """The workflows that a bot runs with, by name. Asking for another one raises NotInstalled."""

    def __missing__(self, name: str) -> Workflow:
        raise NotInstalled(name)


def load_folder(
    folder: Path, above: Iterable[Path] = (), sentences: Sentences = lambda _says, _language: ()
) -> Workflow:
    """Load one workflow. Files in the folders `above` take the place of its own. Raises FormError with every problem."""
    folder = folder.absolute()
    try:
        return _load(folder, Files((*above, folder)), sentences)
    except RecursionError as error:
        raise FormError([Problem(folder / FORM, 1, "This is nested too deeply to be read.")]) from error


Load = Callable[[Path, tuple[Path, ...], Sentences], Workflow]
"""Loads one workflow, as `load_folder` does."""


def load_all(
    folders: Iterable[Path], sentences: Sentences = lambda _says, _language: (), load: Load = load_folder
) -> dict[str, Workflow]:
    """Return every workflow by name, by its rank. Each folder holds workflows, or is one; a folder without form.toml lies over its namesake.

    `load` may know a workflow already. Raises FormError with the problems of all of them.
    """
    loaded, problems = load_each(folders, sentences, load)
    if problems:
        raise FormError(problems)
    return loaded


def load_each(
    folders: Iterable[Path], sentences: Sentences, load: Load, running: Mapping[str, Workflow] = NONE
) -> tuple[dict[str, Workflow], list[Problem]]:
    """Return the workflows as `load_all` does, and what is wrong: a `running` one stays in the place of that.

    Of two that clash the changed one is wrong.
    """
    found, above, problems = _find(folders)
    read: list[Workflow] = []
    for folder in found:
        try:
            read.append(load(folder, above.get(folder.name, ()), sentences))
        except FormError as error:
            problems += error.problems
            read += [running[folder.name]] if folder.name in running else []
    known = [one.form for one in running.values()]
    good: dict[str, Workflow] = {}
    for workflow in sorted(read, key=lambda one: one.form not in known):
        name, clashes = workflow.form.name, list(_clashes(workflow, good))
        problems += clashes
        if not clashes or name in running:
            good.setdefault(name, running[name] if clashes else workflow)
    return dict(sorted(good.items(), key=lambda one: one[1].form.rank)), problems


def _load(folder: Path, files: Files, sentences: Sentences) -> Workflow:
    house, given = house_text(files), read_toml(folder / FORM)
    persona, beside = files.find(PROMPT), (files.find(CONTEXT), files.find(PROMPT))
    prompt = read_text(persona).strip() if persona.exists() else ""
    model_reads = "\n\n".join(text for text in (prompt, house.told) if text)
    source, texts, unfilled = filled(given, files, {**house.passages, "": model_reads}, beside)
    shaped = shape(source, folder.name, texts.pop(""), tuple(KINDS), texts)
    problems = [*unfilled, *_form_problems(source, shaped, sentences), *house_problems(files, house)]
    if len(shaped.form.prompt.splitlines()) > PROMPT_LINES:
        told = f"This is too long for a persona. Keep it to {PROMPT_LINES} lines."
        problems.append(Problem(persona, PROMPT_LINES + 1, told))
    problems += contradictions(files)
    try:
        rules = load_rules(folder, files)
    except FormError as error:
        raise FormError((*problems, *error.problems, *_scenario_problems(files, shaped))) from error
    problems += names_apart(shaped.form, rules, source, whole=not shaped.broken)
    problems += (source.problem(*finding) for finding in list_findings(shaped.form, rules))
    problems += _scenario_problems(files, shaped)
    if problems:
        raise FormError(problems)
    languages = _languages(files, given, shaped, house, sentences)
    every = {form.language: form.words for form in (shaped.form, *languages)}
    form = _finished(shaped.form, every)
    spoken = {one.language: _finished(one, every).said_for(form) for one in languages}
    lists, tables = shipped_lists(form, rules, files), read_tables(files)
    return Workflow(form, rules, folder, _scenarios(files), files, spoken, every if languages else {}, lists, tables)


def _finished(form: Form, every: Mapping[str, tuple[str, ...]]) -> Form:
    """Return the form with its stages and repeated fields spelt out, which answers to the words of all its languages, its own first."""
    words = dict.fromkeys((*form.words, *(word for words in every.values() for word in words)))
    says = {**form.says, **sentences_of(form.filing)}
    return with_repeats(with_variants(form.model_copy(update={"says": says, "words": tuple(words)})))


def _languages(files: Files, given: Source, base: Shaped, house: HouseText, sentences: Sentences) -> tuple[Form, ...]:
    """Return the form in each of its further languages, held against the same checks. Raises FormError with every problem."""
    found, problems = list[Form](), list[Problem]()
    for tongue in tongues(files, given):
        if tongue.problems:
            problems += tongue.problems
            continue
        name = in_language(tongue.locale)
        text = house_text(files, name)
        source, texts, unfilled = filled(tongue.source, files, text.passages, (files.find(name),))
        shaped = shape(source, base.form.name, base.form.prompt, tuple(KINDS), texts)
        problems += (*unfilled, *_form_problems(source, shaped, sentences), *house_problems(files, text, name))
        problems += said_again(files, text, house, name)
        found.append(shaped.form)
    if problems:
        raise FormError(problems)
    return tuple(found)


def _form_problems(source: Source, shaped: Shaped, sentences: Sentences) -> Iterator[Problem]:
    """Check that a form can be read, leads somewhere, is called like its folder, and says sentences that the catalogue has."""
    form = shaped.form
    yield from shaped.problems
    yield from (source.problem(*finding) for finding in check(form, shaped.broken))
    if form.name != source.file.parent.name and "name" in source.data:
        text = f'The folder is called "{source.file.parent.name}". Call the form the same, or take `name` out.'
        yield source.problem(("name",), text)
    for code in form.names:
        if form.language.startswith(code):
            yield source.problem(("names", code), f'`title` and `purpose` say this in "{code}" already. Take it out.')
        for flaw in sentences({}, code):
            yield source.problem(("names", code), f"`names.{code}`: {flaw.partition(': ')[2]}.")
    for flaw in sentences(form.says, form.language):
        key, _, text = flaw.partition(": ")
        yield source.problem(tuple(key.split(".")), f"`{key.removeprefix('says.')}`: {text}.")


def _scenarios(files: Files) -> tuple[Path, ...]:
    return tuple(sorted(files.find(SCENARIOS).glob("*.toml")))


def _scenario_problems(files: Files, shaped: Shaped) -> Iterator[Problem]:
    """Check the scenarios; against the form only where that could be read whole."""
    form = None if shaped.broken else with_repeats(with_variants(shaped.form))
    for file in _scenarios(files):
        try:
            read_scenario(file, form)
        except FormError as error:
            yield from error.problems


def _find(folders: Iterable[Path]) -> tuple[list[Path], dict[str, tuple[Path, ...]], list[Problem]]:
    """Workflows, the folders that lie over them by name (the last one named first), and folders that are neither."""
    places = [place for folder in folders for place in _places(folder)]
    found = [place for place in places if (place / FORM).exists()]
    names = {place.name for place in found}
    above: dict[str, tuple[Path, ...]] = {}
    problems: list[Problem] = []
    for place in (p for p in places if p not in found):
        above[place.name] = (place, *above.get(place.name, ()))
        if place.name not in names:
            told = "There is no form here, and no workflow of that name. Add form.toml."
            told = told if place.exists() else "There is no such folder. Name one that is there, or make it."
            problems.append(Problem(place / FORM, 1, told + meant(place.name, names)))
    return found, above, problems


def _places(folder: Path) -> list[Path]:
    if (folder / FORM).exists() or not folder.is_dir():
        return [folder]
    return sorted(child for child in folder.iterdir() if child.is_dir() and child.name[0] not in "._")


def _clashes(workflow: Workflow, loaded: Mapping[str, Workflow]) -> Iterator[Problem]:
    """Return what must be one workflow's alone: its name, its command, the prefix of its records."""
    for key in ("name", "command", "prefix"):
        mine = getattr(workflow.form, key)
        for other in loaded.values():
            if mine is not None and mine == getattr(other.form, key):
                text = f'`{key}` "{mine}" belongs to the workflow in {other.folder.name} already. Choose another.'
                yield read_toml(workflow.folder / FORM).problem((key,), text)
