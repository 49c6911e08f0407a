"""Requirements: how answers are graded, which names count as technology, and the document that a submission becomes."""

import re
from collections.abc import Iterable, Mapping
from functools import cache

from state.form.files import Files
from state.form.source import FormError, Source
from state.rules import Finder, Grade, Grader, Rules
from state.understanding.evidence import first_held, held, normalized

from .document import filer, gatherer, read_templates

VERSION = "1"


def rules(files: Files) -> Rules:
    """Read templates.toml, answers.toml and technology.toml. Raises FormError with the lines to mend."""
    fields = files.toml("form.toml").data["fields"]
    labels = {name: str(field["label"]) for name, field in fields.items()}
    return Rules(
        version=VERSION,
        graders=graders(files),
        names={"technology": technology(files)},
        gather=gatherer(),
        file=filer(read_templates(files), labels),
    )


def texts(source: Source, key: str) -> tuple[str, ...]:
    """Return a list of texts under a key. Raises FormError where it is missing or holds anything else."""
    given = source.data.get(key)
    if not isinstance(given, list) or not given or not all(isinstance(entry, str) and entry.strip() for entry in given):
        raise FormError([source.problem((key,), f"`{key}` must be a list of texts in quotes.")])
    return tuple(given)


WORD = re.compile(r"[\w'/-]+")
PARTS = re.compile(r"[.,;:!?\n–—]+")
BESIDE = 1
"""Words that say something beside those by which a line is about the talk: with more of them it tells something as well."""
FULL, PLAIN = 4, 2
"""Words that say something, of which a full answer and a plain one have at least so many."""


def graders(files: Files) -> Mapping[str, Grader]:
    """`full` and `plain` want words that say something, `short` takes any answer, "none" as well, `name` no sentence."""
    source = files.toml("answers.toml")
    empty = frozenset(map(normalized, texts(source, "empty")))
    nothing, turned = frozenset(map(normalized, texts(source, "nothing"))), texts(source, "turned")

    aside, speaking = texts(source, "aside"), texts(source, "speaking")

    def grader(least: int, *, named: bool = False) -> Grader:
        def grade(text: str) -> Grade:
            level = normalized(text).replace("’", "'")
            if _is_aside(level, aside, empty) or (named and _is_sentence(text, level, speaking)):
                return Grade.OFF_TOPIC
            telling = [w for w in WORD.findall(level) if w not in empty]
            if not WORD.findall(level):
                return Grade.EMPTY
            if text.rstrip().endswith("?") or first_held(level, turned):
                return Grade.OFF_TOPIC
            short = least == 1 and (level.rstrip(".!") in nothing or bool(telling))
            return Grade.GOOD if short or len(telling) >= least else Grade.BRIEF

        return grade

    return {"full": grader(FULL), "plain": grader(PLAIN), "short": grader(1), "name": grader(1, named=True)}


def _is_aside(level: str, aside: tuple[str, ...], empty: frozenset[str]) -> bool:
    """Return True if every part of it is about the talk, the day or the mood, with few words beside."""
    parts = [part for part in PARTS.split(level) if WORD.search(part)]
    return bool(parts) and all(_holds_little_else(part, aside, empty) for part in parts)


def _holds_little_else(part: str, aside: tuple[str, ...], empty: frozenset[str]) -> bool:
    said = sorted(held(part, aside), key=len, reverse=True)
    for one in said:
        part = part.replace(one, " ", 1)
    return bool(said) and len([w for w in WORD.findall(part) if w not in empty]) <= BESIDE


def _is_sentence(text: str, level: str, speaking: Iterable[str]) -> bool:
    """Return True if somebody speaks of something: it begins as a sentence does, and goes on in small letters ("we Care" may be a name)."""
    begun = next((s for s in speaking if level == s or level.startswith((f"{s} ", f"{s},"))), None)
    rest = text.strip()[len(begun) :].strip(" ,") if begun else ""
    return begun is not None and not rest[:1].isupper()


LANGUAGE = re.compile(r"[A-Za-z][\w.#-]*\+*")
"""A lexer's name that is one word; the others are templates and sessions of one."""
START = re.compile(r"(?:^|[.!?:\n❓✅]\s*|[\"“(]\s*)$")
"""Marks before a sentence's first word."""


def technology(files: Files) -> Finder:
    """Return what finds names in any spelling of their letters; those that are everyday words only as they are written, inside a sentence."""
    source = files.toml("technology.toml")
    left_out = {name.casefold() for name in texts(source, "left_out")}
    ordinary = frozenset(texts(source, "ordinary"))
    names, folded = texts(source, "names"), {name.casefold() for name in ordinary}

    @cache
    def patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
        languages = {name for name in _languages() if name.casefold() not in left_out}
        plainly = {n for n in (*names, *languages) if n.casefold() not in folded}
        return _pattern(plainly, re.IGNORECASE), _pattern(ordinary, 0)

    def find(text: str) -> frozenset[str]:
        anywhere, inside = patterns()
        named = {m[0].casefold() for m in anywhere.finditer(text)}
        words = {m[0].casefold() for m in inside.finditer(text) if not START.search(text[: m.start()])}
        return frozenset(named | words)

    return find


def _languages() -> Iterable[str]:
    """Programming languages by their names in one word."""
    from pygments.lexers import get_all_lexers  # noqa: PLC0415  wanted with the first answer, not at the start

    return (name for name, *_ in get_all_lexers() if LANGUAGE.fullmatch(name))


def _pattern(names: Iterable[str], flags: int) -> re.Pattern[str]:
    """Return a pattern of the longest of the names that begins at a place, as a whole word."""
    longest = sorted(names, key=lambda name: (-len(name), name))
    return re.compile(rf"(?<![\w.])(?:{'|'.join(map(re.escape, longest))})(?![\w+#])", flags)
