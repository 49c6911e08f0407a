"""sinks.toml: what may be written there, what `holdfast check` says of it, and that what leaves is what it lets out."""

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bot.exports.sinks import Sink, Sinks, is_personal, payload, read_sinks, sink_rows
from state.draft.draft import Provenance, Value, with_record
from state.draft.record import Breach, Decision
from tests.command import holdfast
from tests.shipped import shipped
from tests.sinks.sinking import FORM, step, webhook

WORKFLOWS = {FORM: shipped(FORM), "expenses": shipped("expenses")}
FORMS = {name: one.form for name, one in WORKFLOWS.items()}
GOOD = webhook("https://archive.example/records")
WRONG = (
    ('url = "https://archive.example/records"', 'url = "http://archive.example/records"', "begins with https://"),
    ('url = "https://archive.example/records"', 'url = "https://me:hush@archive.example/"', "without user"),
    ('url = "https://archive.example/records"', "", "needs `url`"),
    ('secret_file = "archive.secret"', 'secret_file = "../holdfast.key"', "without a path"),
    ('secret_file = "archive.secret"', "", "needs `secret_file`"),
    ('forms = ["pa_dealing"]', 'forms = ["pa_dealings"]', "pa_dealing"),
    ('forms = ["pa_dealing"]', "forms = []", "Say of which forms"),
    ('kind = "webhook"', 'kind = "csv"', "A csv has no `url`"),
    ("[sinks.archive]", "[sinks.archive]\nstates = ['aproved']", "approved"),
    ("[sinks.archive]", "[sinks.archive]\nfields = ['answers.quantty']", "quantity"),
    ("[sinks.archive]", "[sinks.archive]\nfields = ['everything']", "Nothing of a record"),
    ("[sinks.archive]", "[sinks.Archive]", "Archive"),
)


@pytest.mark.parametrize(("was", "now", "told"), WRONG, ids=[told for _, _, told in WRONG])
def test_what_is_wrong_is_told_with_what_was_meant(tmp_path: Path, was: str, now: str, told: str) -> None:
    """Each slip is a sentence; none repeats an address, which may be a secret."""
    (tmp_path / "sinks.toml").write_text(GOOD.replace(was, now))
    with pytest.raises(ValueError, match="sinks") as wrong:
        read_sinks(tmp_path / "sinks.toml", FORMS)
    assert told in str(wrong.value) and "hush" not in str(wrong.value)


def test_check_says_what_is_wrong_and_what_is_lacking(tmp_path: Path) -> None:
    """A file that cannot count is a problem; a secret or a folder that is not there yet is a warning."""
    (tmp_path / "sinks.toml").write_text(GOOD + '[sinks.drop]\nkind = "csv"\nforms = ["expenses"]\nfolder = "drop"\n')
    told = holdfast("check", var=tmp_path)
    assert told.returncode == 0 and "archive cannot sign" in told.stdout and "make that folder" in told.stdout
    (tmp_path / "sinks.toml").write_text(GOOD.replace("https", "http"))
    told = holdfast("check", var=tmp_path)
    assert told.returncode == 1 and "begins with https://" in told.stderr
    assert holdfast("retry", "--sink", "archive", var=tmp_path).returncode == 2


def test_a_wrong_file_takes_nothing_from_what_stood_there(tmp_path: Path) -> None:
    """While somebody writes, and while it is wrong, the sinks from before count; mended it counts, and taken away there are none."""
    file = tmp_path / "sinks.toml"
    file.write_text(GOOD)
    sinks = Sinks(tmp_path, WORKFLOWS)
    for text, when, names, wrong in (
        ("[sinks", 1, ["archive"], True), (GOOD.replace("archive]", "other]"), 2, ["other"], False), ("", None, ["other"], False),
    ):  # fmt: skip
        file.write_text(text)
        now = time.time() if when is None else when
        os.utime(file, (now, now))
        assert list(sinks.current()) == names and bool(sinks.problem) is wrong


def test_nothing_personal_leaves_that_is_not_listed() -> None:
    """Neither answers, nor reasons, nor who asked or decided; each leaves where its name stands in `fields`, and no other does."""
    verdict = Decision(
        "U0DANA",
        "compliance",
        "pending_compliance",
        "approve",
        "approved",
        "2026-11-22T10:00:00",
        "Because",
        "",
        "Not Monday",
    )
    words = Provenance("U0ALEX", "2026-11-22T09:00:00", "typed", words="my own words")
    values = {"quantity": Value(200, words), "justification": Value("my own words", words)}
    made = step()
    made = replace(made, draft=with_record(replace(made.draft, values=values), decisions=(verdict,)))
    usual = str(payload(sink := Sink(kind="csv", forms=(FORM,), folder="d"), made))
    assert not is_personal(sink) and all(one not in usual for one in ("U0", "Because", "Monday", "words", "200"))
    for field, leaves in (
        ("owner", "U0ALEX"), ("decided_by", "U0DANA"), ("reasons", "Because"), ("conditions", "Monday"), ("answers.quantity", "200"),
        ("answers.justification", "my own words"),
    ):  # fmt: skip
        listed = sink.model_copy(update={"fields": (field,)})
        told = str(payload(listed, made))
        others = {"U0ALEX", "U0DANA", "Because", "Monday", "200", "my own words"} - {leaves}
        assert leaves in told and not [one for one in others if one in told] and is_personal(listed)


def test_what_was_told_to_be_final_is_told_when_it_is_not() -> None:
    """Without `states` a sink gets each step into a state in which nobody looks at it any more, and out of one; with them, those alone."""
    usual, named = (
        Sink(kind="csv", forms=(FORM,), folder="d"),
        Sink(kind="csv", forms=(FORM,), folder="d", states=("approved",)),
    )
    steps = (
        ("", "pending_manager", False, False), ("pending_manager", "pending_compliance", False, False),
        ("pending_compliance", "approved", True, True), ("approved", "escalated", True, False), ("approved", "expired", True, False),
        ("pending_manager", "withdrawn", True, False),
    )  # fmt: skip
    for before, after, to_usual, to_named in steps:
        made = step(after, before=before)
        assert made.concerns(usual) is to_usual
        rows = [row.body["sink"] for row in sink_rows({"usual": usual, "named": named}, made)]
        assert rows == [name for name, wanted in (("usual", to_usual), ("named", to_named)) if wanted]


def test_a_breach_is_told_without_its_words() -> None:
    """Opened and closed, to whoever left `states` out or lists `breach`; never why, nor by whom."""
    usual, named = (
        Sink(kind="csv", forms=(FORM,), folder="d"),
        Sink(kind="csv", forms=(FORM,), folder="d", states=("breach",)),
    )
    made, held = step("executed"), Breach("breach-1", "note_late", "2026-11-22T10:00:00", words="why so", by="U0DANA")
    made = replace(made, moved=None, breach=True, draft=with_record(made.draft, breaches=(held,)))
    told = payload(usual, made)
    assert made.concerns(usual) and made.concerns(named) and not step("executed").concerns(named)
    assert (
        (told["what"], told["state"]) == ("breach", "executed")
        and "why so" not in str(told)
        and "U0DANA" not in str(told)
    )
    assert told["breaches"] == [{"id": "breach-1", "kind": "note_late", "opened_at": held.at, "closed_at": ""}]
