"""Lists that officers keep: the section of the App Home, the modals of an upload with its preview, and the announcement."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from blocks import elements
from blocks.ids import POLICY_CONFIRM, POLICY_DAY, POLICY_FILE, POLICY_GIVEN, id_of, write_private
from blocks.page import mention
from blocks.phrases import Phrasebook
from blocks.text import escape, literal
from state.form.schema import ListTable
from state.lists.reading import Finding
from state.lists.versions import Change, Changes, Row, summed_up

MOST, LINES, TOLD, CELL = 10, 12, 20, 120
"""Lists in App Home, rows of each sort in a preview, findings that are told, and characters of a row."""


@dataclass(frozen=True)
class Shown:
    """A list as it stands: its version in force, since when, how many rows; and versions that are planned, each with its day."""

    form: str
    list: str
    title: str
    number: int
    since: str
    rows: int
    planned: tuple[tuple[int, str], ...] = ()
    language: str = "en-GB"

    @property
    def name(self) -> str:
        """The value of its buttons."""
        return f"{self.form}/{self.list}"


def build_section(words: Phrasebook, lists: Sequence[Shown]) -> list[elements.Block]:
    """Build the section of the App Home; nothing for whoever keeps no list."""
    rows = [block for one in lists[:MOST] for block in _row(words, one)]
    return [elements.header(words.say("policy")), *rows, elements.divider()] if rows else []


def _row(words: Phrasebook, one: Shown) -> Iterator[elements.Block]:
    planned = [literal(words.say("policy_planned", number=str(number), day=day)) for number, day in one.planned]
    held = said(words, "policy_row", version=version_words(words, one.number, one.since), rows=str(one.rows))
    yield elements.section("\n".join((f"*{escape(one.title)}*", held, *planned)))
    yield elements.actions(
        [
            elements.plain_button(words.say("policy_upload"), id_of("hf-list-up", one.name), one.name),
            elements.plain_button(words.say("policy_download"), id_of("hf-list-down", one.name), one.name),
        ]
    )


def version_words(words: Phrasebook, number: int, since: str) -> str:
    """Return a version as people read it: "version 3 from 20 Nov 2026"."""
    if not number:
        return words.say("policy_shipped")
    return words.say("policy_version", number=str(number), day=since)


def said(words: Phrasebook, key: str, **args: str) -> str:
    """Return a sentence about a list, as a modal shows it."""
    return words.fill(key, {name: escape(text, 300) for name, text in args.items()}, literal)


@dataclass(frozen=True)
class Meant:
    """The subject of a modal: a list, and once it was previewed the upload and the hash of what was shown."""

    form: str
    list: str
    upload: str = ""
    hash: str = ""


def build_upload(words: Phrasebook, meant: Meant, table: ListTable, today: str) -> elements.View:
    """Asks for the file and the day from which it holds."""
    heading = said(words, "policy_columns", columns=", ".join(table.columns))
    file = {"type": "file_input", "action_id": POLICY_GIVEN, "max_files": 1}
    day = {"type": "datepicker", "action_id": POLICY_DAY, "initial_date": today}
    blocks = [
        elements.section(f"*{escape(table.title)}*\n{heading}"),
        _input(words, POLICY_GIVEN, file),
        _input(words, POLICY_DAY, day),
    ]
    return _view(words, POLICY_FILE, meant, blocks, submit="policy_read")


def _input(words: Phrasebook, name: str, element: Mapping[str, Any]) -> elements.Block:
    label, hint = words.say(f"policy_{name}"), words.say(f"policy_{name}_hint")
    return elements.input_block(name, label, dict(element), hint=hint)


def build_findings(words: Phrasebook, meant: Meant, title: str, findings: Sequence[Finding]) -> elements.View:
    """Return what is wrong with a file, by its lines. Nothing of it counts."""
    more = len(findings) - TOLD
    told = [_finding(words, one) for one in findings[:TOLD]]
    if more > 0:
        told.append(literal(words.say("and_more", count=str(more))))
    blocks = [elements.section(said(words, "policy_wrong", title=title)), *(elements.section(text) for text in told)]
    return _view(words, POLICY_FILE, meant, blocks)


def _finding(words: Phrasebook, one: Finding) -> str:
    told = said(words, one.key, **one.args)
    return f"*{literal(words.say('list_line', line=str(one.line)))}* {told}" if one.line else told


def build_preview(
    words: Phrasebook, meant: Meant, table: ListTable, number: int, day: str, changed: Changes, gives_way: Sequence[int]
) -> elements.View:
    """Return what an upload would change, and Confirm; without one where it changes nothing."""
    head = f"*{escape(table.title, 300)}*: {escape(version_words(words, number, day), 300)}"
    counts = _counts(words, changed)
    blocks = [elements.section(f"{head}\n{counts}")]
    blocks += [elements.section("\n".join(lines)) for lines in _differences(words, table, changed) if lines]
    if gives_way:
        blocks.append(elements.section(said(words, "policy_gives_way", versions=", ".join(map(str, gives_way)))))
    if not changed:
        return _view(words, POLICY_FILE, meant, [elements.section(f"{head}\n{literal(words.say('policy_same'))}")])
    return _view(words, POLICY_CONFIRM, meant, blocks, submit="policy_confirm")


def _counts(words: Phrasebook, changed: Changes) -> str:
    numbers = {name: str(len(getattr(changed, name))) for name in ("added", "removed", "changed")}
    return literal(words.say("policy_counts", **numbers, kept=str(changed.kept)))


def _differences(words: Phrasebook, table: ListTable, changed: Changes) -> Iterator[list[str]]:
    yield _some(words, "policy_added", [_whole(table, row) for row in changed.added])
    yield _some(words, "policy_removed", [_whole(table, row) for row in changed.removed])
    yield _some(words, "policy_changed", [_change(one) for one in changed.changed])


def _some(words: Phrasebook, key: str, rows: Sequence[str]) -> list[str]:
    """Return a heading and the first rows; how many more there are."""
    more = len(rows) - LINES
    told = [f"*{literal(words.say(key))}*", *(f"• {row}" for row in rows[:LINES])]
    return [*told, *([literal(words.say("and_more", count=str(more)))] if more > 0 else [])] if rows else []


def _whole(table: ListTable, row: Row) -> str:
    return escape(summed_up(table, row), CELL)


def _change(one: Change) -> str:
    cells = "; ".join(f"{name}: {before or '–'} → {after or '–'}" for name, before, after in one.cells)
    return escape(f"{one.key}: {cells}", 2 * CELL)


def build_word_view(words: Phrasebook, meant: Meant, text: str) -> elements.View:
    """Build a sentence in the place of a modal."""
    return _view(words, POLICY_FILE, meant, [elements.section(text)])


def _view(
    words: Phrasebook, callback: str, meant: Meant, blocks: Iterable[elements.Block], submit: str = ""
) -> elements.View:
    return elements.modal(
        words.say("policy"),
        words.say("modal_close"),
        blocks,
        submit=words.say(submit) if submit else "",
        callback_id=callback,
        data=write_private(meant),
    )


def build_announcement(
    words: Phrasebook, title: str, number: int, day: str, who: str, changed: Changes
) -> elements.Message:
    """Return what reviewers read of a new version: how much changes, and who uploaded it. Which rows, App Home says."""
    head = words.fill(
        "policy_announced",
        {"title": escape(title), "version": escape(version_words(words, number, day)), "person": mention(who)},
        literal,
    )
    counts = _counts(words, changed)
    return elements.message(f"{head} {counts}", [elements.section(head), elements.context(counts)])
