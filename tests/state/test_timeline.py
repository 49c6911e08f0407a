"""A record's whole story from its events, and the words by which it is found: nothing of the machinery, nothing sensitive."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from blocks.history import LINES, build_story, story_line
from blocks.page import Page
from blocks.phrases import LANGUAGES, Phrasebook, catalogue
from state.draft.changes import Change, ChatLineAdded, Counted, ValueSet
from state.draft.draft import ChatLine, Draft, Provenance, Value
from state.draft.essence import MOST, subject_of, subject_words, words_of
from state.draft.record import Breach, Decision, Note, Record, Report
from state.draft.record_changes import BreachSet, Decided, DecisionsVoided, NoteSet, RecordMoved, Reported
from state.engine.codec import encode
from state.engine.timeline import Happening, timeline
from state.stores.rows import StoredEvent
from tests.shipped import shipped

AT = datetime(2026, 11, 20, 9, tzinfo=UTC)
DRAFT = Draft("d1", "pa_dealing", "T0", "U0ALEX", "T0:D0:", filed=Record(number="PA-2026-000001"))


def event(kind: str, *changes: Change, **body: Any) -> StoredEvent:
    """An event as it is stored."""
    return StoredEvent("d1", kind, {"who": "U0ALEX", **body}, tuple(encode(one) for one in changes), 1, at=AT)


def value(data: Any, words: str = "", reader: str = "") -> Value:
    """An answer that was read from words."""
    return Value(data, Provenance("U0ALEX", AT.isoformat(), "read", words=words, reader=reader))


def test_the_story_says_who_did_what_and_what_came_of_it() -> None:
    """Words, clicks, what a model read, a change with what was there before, verdicts with their reasons, timers that counted."""
    declined = Decision(
        "U0DANA", "compliance", "pending_compliance", "decline", "declined", AT.isoformat(), reason="Restricted"
    )
    told = timeline([
        replace(event("Began"), body=encode(DRAFT)),
        event("MessageReceived", ChatLineAdded(ChatLine("user", "buy 200")), text="buy 200"),
        event("ModelReplied", ValueSet("quantity", value(200, "200", "a-model")), Counted("shown_turn", 1), who="model"),
        event("Clicked", ValueSet("quantity", value(250)), act="amend", label="250"),
        event("Clicked", act="box_closed", label="Close"),
        event("DecisionMade", who="U0EVE", verdict="approve"),
        event("TimerFired", what="overdue", who="timer"),
        event("TimerFired", RecordMoved("expired", "expired"), what="expired", who="timer"),
        event("DecisionMade", Decided(declined), RecordMoved("declined", "decline"), who="U0DANA", verdict="decline"),
        event("Clicked", DecisionsVoided("disclosed"), act="disclose_confirmed", label="Yes"),
    ])  # fmt: skip
    assert [one.what for one in told] == [
        "begun", "said", "told", "clicked", "changed", "refused", "timer", "moved", "decided", "moved", "clicked", "voided",
    ]  # fmt: skip
    assert (told[0].who, told[4].was and told[4].was.data, told[4].now and told[4].now.data) == ("U0ALEX", 200, 250)
    assert (told[5].who, told[5].state, told[8].change) == ("U0EVE", "approve", Decided(declined))


def test_what_became_of_an_approval_is_part_of_the_story() -> None:
    """Every report with its figures, each note with what came of it, breaches with who closed them and why, and who was refused."""
    figures = {"traded_on": "2026-11-23", "traded_quantity": 250, "traded_value": "900.00", "traded_currency": "GBP"}
    breach = Breach("breach-1", "more", AT.isoformat(), {"label": "Quantity", "now": "250", "was": "200"})
    closed = replace(breach, closed_by="U0DANA", closed_at=AT.isoformat(), reason="Sold again")
    read = Note("note-1", "f1", "note.pdf", AT.isoformat(), "differs")
    told = timeline([
        event("ReportMade", Reported(Report(AT.isoformat(), "U0ALEX", figures)), RecordMoved("executed", "report"), BreachSet(breach)),
        event("DocumentsReceived", NoteSet(read), who="documents"),
        event("TimerFired", what="note_due", who="timer"),
        event("CaseJudged", who="U0EVE", verdict="close", case="breach-1"),
        event("CaseJudged", BreachSet(closed), who="U0DANA", verdict="close", case="breach-1"),
    ])  # fmt: skip
    assert [one.what for one in told] == [
        "reported", "moved", "breach_opened", "note_differs", "timer", "refused", "breach_closed",
    ]  # fmt: skip
    page = Page(shipped("pa_dealing").form, DRAFT, "2026-11-20")
    lines = [story_line(page, one) for one in told]
    assert "<@U0ALEX> reported: 23 Nov 2026 · 250 shares · GBP 900.00" in lines[0]
    assert "Quantity: 250, but only 200 was approved." in lines[2] and "note.pdf" in lines[3]
    assert "<@U0EVE>" in lines[5] and "<@U0DANA> closed a breach" in lines[6] and "Sold again" in lines[6]


def test_an_erased_event_says_nothing() -> None:
    """Where the key is gone, there is only that something happened, and nobody is told what."""
    assert timeline([StoredEvent("d1", "MessageReceived", {}, (), 1, at=AT, erased=True)])[0].text == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_happening_has_a_sentence_in_every_language(language: str) -> None:
    """None of them lacks a word that it wants filled in; what is sensitive is only said to be on record."""
    form = shipped("pa_dealing").form.model_copy(update={"language": language, "says": {}})
    page = Page(form, DRAFT, "2026-11-20")
    plain = Happening(AT.isoformat(), "U0ALEX", "begun", "quantity", "words", value(1), value(2), state="declined")
    kinds = [
        key.removeprefix("story_")
        for key in catalogue("en")
        if key.startswith("story_") and "_" not in key.removeprefix("story_")
    ]
    for what in ("told", "changed", *kinds):
        if what not in ("page", "nothing", "read"):
            assert story_line(page, replace(plain, what=what))  # type: ignore[arg-type]  # a key's name
    hidden = page.form.fields["quantity"].model_copy(update={"sensitive": True})
    page = Page(form.model_copy(update={"fields": {**form.fields, "quantity": hidden}}), DRAFT, "2026-11-20")
    line = story_line(page, replace(plain, what="changed", was=value(777, "777"), now=value(888, "888")))
    assert "777" not in line and "888" not in line


def test_what_is_sensitive_stands_in_no_line() -> None:
    """Neither in the answer nor in the words that told it, whether these were asked for or stood in a longer message."""
    form = shipped("pa_dealing").form
    fields = {**form.fields, "account": form.fields["account"].model_copy(update={"sensitive": True})}
    page = Page(form.model_copy(update={"fields": fields}), DRAFT, "2026-11-20")
    told = timeline([
        event("MessageReceived", ChatLineAdded(ChatLine("user", "", asked="account")), text="It is DE-77 or so"),
        event("MessageReceived", ChatLineAdded(ChatLine("user", "")), text="buy 200 for de-4711 please"),
        event("ModelReplied", ValueSet("account", value("DE-4711", "DE-4711", "rules")), who="model"),
    ])  # fmt: skip
    shown = str(build_story(Phrasebook("en-GB"), page, told)["blocks"])
    assert (
        "4711" not in shown and "77" not in shown and "buy 200 for ▪▪▪ please" in shown and "on record" in shown.lower()
    )


def test_a_long_story_has_pages() -> None:
    """Each page has its lines and says which they are; a page that is none is the first."""
    page, words = Page(shipped("pa_dealing").form, DRAFT, "2026-11-20"), Phrasebook("en-GB")
    told = [Happening(AT.isoformat(), "U0ALEX", "said", text=f"line {n} " + "x" * 5000) for n in range(2 * LINES + 1)]
    first, last = (str(build_story(words, page, told, skip)["blocks"]) for skip in (0, 2 * LINES))
    assert (
        "line 0 " in first
        and f"line {LINES} " not in first
        and f"1–{LINES} of {len(told)}" in first
        and "More" in first
    )
    assert f"line {2 * LINES} " in last and "More" not in last and "Back" in last
    assert build_story(words, page, told, 999)["blocks"] == build_story(words, page, told)["blocks"]


WHO = Provenance("U0ALEX", "2026-11-20T09:00:00+00:00", "chosen")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Société Générale S.A.", ("societe", "generale")), ("TESCO plc", ("tesco", "plc")), ("Strauß", ("strauss",)), ("  ", ()),
        ("GB00BLGZ9862", ("gb00blgz9862",)), ("AT&T, AT&T", ("at",)), ("東京 電力", ("東京", "電力")),
    ],
)  # fmt: skip
def test_words_have_one_form(text: str, words: tuple[str, ...]) -> None:
    """Small letters without accents and marks, each once; what is too short is none."""
    assert words_of(text) == words


def test_a_request_is_found_by_the_subject_that_its_form_names() -> None:
    """A look-up by its name, its identifier and what the form names of it; never by an account or a reason."""
    form = shipped("pa_dealing").form
    tesco = Value("GB00BLGZ9862", WHO, label="Tesco PLC (GB00BLGZ9862)", facts={"ticker": "TSCO", "kind": "share"})
    draft = Draft("d", form.name, "T", "U", "C", values={"security": tesco, "account": Value("pension", WHO)})
    assert set(subject_words(form, draft)) == {"gb00blgz9862", "tesco", "plc", "tsco"}


def test_without_a_subject_the_words_of_the_essence_count() -> None:
    """Sums, declarations and whatever is sensitive are left out; an identifier is found with its marks and without them."""
    form = shipped("gifts").form
    named = subject_of(form)
    assert "firm" in named and "value" not in named and "currency" not in named
    hidden = {name: field.model_copy(update={"sensitive": True}) for name, field in form.fields.items()}
    values = {"firm": Value("Ärzte-Bund 12/3", WHO), "what": Value("x " * 400, WHO)}
    draft = Draft("d", form.name, "T", "U", "C", values=values)
    assert {"arzte", "bund", "12"} <= set(subject_words(form, draft)) and len(subject_words(form, draft)) <= MOST
    assert subject_words(form.model_copy(update={"fields": hidden}), draft) == ()
