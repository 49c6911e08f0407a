"""What became of an approval: a report is kept whatever it says, and what should not have been done is a breach that somebody closes."""

from dataclasses import replace
from typing import Any

import pytest

from state.draft.display import filled_in
from state.draft.documents import Sent
from state.draft.draft import Draft
from state.draft.route import report_mark
from state.draft.utterance import Phrase
from state.engine.cards import CaseCard, Confirm, ReportCard
from state.engine.effects import Amend, Announce, Ephemeral, Fetch, Forward, Post, Repaint
from state.engine.events import ReportMade
from tests.state.deciding import MANAGER, OFFICER, SENIOR, verdict
from tests.state.executing import (
    FORM,
    REPORT,
    TEXT,
    approval,
    approved,
    filed,
    fired,
    form,
    judged,
    note,
    noted,
    reminders,
    report,
    reported,
    went,
)
from tests.state.forms import AT, OTHER, OWNER, click, said


def kinds(draft: Draft) -> list[str]:
    """The sorts of its breaches, the first one first."""
    return [breach.kind for breach in draft.filed.breaches]


def keys(outcome: Any) -> list[str]:
    """The keys of all sentences that its person is told."""
    cards = [e.card for e in outcome.effects if isinstance(e, Post)]
    lines = [line for card in cards for line in getattr(card, "lines", ())]
    return [line.key for line in lines if isinstance(line, Phrase)]


def refused(draft: Draft, event: Any) -> str:
    """The key of the private note with which an act is refused; nothing has changed then."""
    outcome = went(draft, event)
    assert outcome.changes == () and outcome.draft == draft
    (whisper,) = (e for e in outcome.effects if isinstance(e, Ephemeral))
    assert whisper.who == event.who
    return whisper.line.key


def test_a_report_in_order_closes_nothing_and_breaches_nothing() -> None:
    """Part of what was approved, within its days: the record is executed, and the note is waited for."""
    outcome = went(approved(), report(approved()))
    assert (outcome.draft.filed.state, outcome.draft.filed.valid_until, kinds(outcome.draft)) == ("executed", "", [])
    assert [e.state for e in outcome.effects if isinstance(e, Amend)] == ["executed"]
    assert outcome.draft.filed.report and outcome.draft.filed.report.figures == {
        "done_on": "2026-11-23", "done_number": 180, "done_sum": "649.80", "done_currency": "GBP",
    }  # fmt: skip
    assert {w: r.at for w, r in reminders(outcome).items()} == {
        "note_due": "2026-12-18T08:00:00+00:00", "note_late": "2026-12-24T00:00:00+00:00",
    }  # fmt: skip
    assert "note_wanted" in keys(outcome)


BREACHED: dict[str, tuple[dict[str, Any], list[str]]] = {
    "more than was approved": ({"done_number": "201"}, ["more"]),
    "after its end": ({"done_on": "2026-11-25", "at": "2026-11-25T09:00:00+00:00"}, ["day_after"]),
    "before it": ({"done_on": "2026-11-19"}, ["day_before"]),
    "both": ({"done_number": "1000", "done_on": "2026-11-19"}, ["day_before", "more"]),
    "the last day": ({"done_on": "2026-11-24", "at": "2026-11-24T22:00:00+00:00"}, []),
    "the day of the approval": ({"done_on": "2026-11-20"}, []),
    "all of it": ({"done_number": "200"}, []),
}


@pytest.mark.parametrize("case", BREACHED)
def test_what_was_done_otherwise_is_recorded_as_a_breach(case: str) -> None:
    """Never refused, never dropped: it is on record, and before reviewers."""
    entries, expected = BREACHED[case]
    outcome = went(approved(), report(approved(), **entries))
    assert (outcome.draft.filed.state, kinds(outcome.draft)) == ("executed", expected)
    cards = [e.case for e in outcome.effects if isinstance(e, Announce)]
    assert cards == [b.id for b in outcome.draft.filed.breaches] and ("breach_told" in keys(outcome)) is bool(expected)


def expired() -> Draft:
    """An approval that came to its end without a word."""
    outcome = approval()
    return went(outcome.draft, fired(reminders(outcome)["expired"])).draft


NOT_VALID: dict[str, tuple[Any, dict[str, Any], str]] = {
    "expired, done after it": (expired, {"done_on": "2026-11-25"}, "day_after"),
    "expired, said to be done in time": (expired, {"done_on": "2026-11-24"}, "reported_late"),
    "declined": (lambda: went(filed(), verdict(filed(), MANAGER, "decline")).draft, {}, "unapproved"),
    "withdrawn": (lambda: went(filed(), click("withdraw_confirmed", card="c")).draft, {}, "unapproved"),
    "given up": (lambda: went(approved(), click("unused_confirmed", card="c")).draft, {}, "reported_late"),
}


def test_what_was_given_up_is_no_approval() -> None:
    """Also while it would have counted still."""
    given_up = went(approved(), click("unused_confirmed", card="c")).draft
    assert kinds(reported(given_up)) == ["unapproved"]


@pytest.mark.parametrize("case", NOT_VALID)
def test_what_was_done_without_a_valid_approval_is_recorded(case: str) -> None:
    """A report that comes after the end, or on what nobody approved, is kept as a breach."""
    draft, entries, kind = NOT_VALID[case][0](), *NOT_VALID[case][1:]
    after = reported(draft, at="2026-11-26T09:00:00+00:00", **entries)
    assert (after.filed.state, kinds(after), len(after.filed.reports)) == ("executed", [kind], 1)


def test_of_report_and_expiry_at_the_same_moment_one_wins() -> None:
    """Whichever comes first; the report is kept in either case, and the end does nothing to what is executed."""
    outcome = approval()
    end, box = (
        fired(reminders(outcome)["expired"]),
        report(outcome.draft, done_on="2026-11-24", at="2026-11-25T00:00:00+00:00"),
    )
    first = went(outcome.draft, box).draft
    assert went(first, end).changes == () and (first.filed.state, kinds(first)) == ("executed", [])
    second = went(went(outcome.draft, end).draft, box).draft
    assert (second.filed.state, kinds(second)) == ("executed", ["reported_late"])


def test_an_extension_moves_the_end_and_not_the_beginning() -> None:
    """What was done before the extension was done under the approval."""
    draft = approved()
    asked = went(draft, click("extend", card="c")).draft
    longer = went(asked, replace(verdict(asked, SENIOR, "extend"), role="senior", own=True)).draft
    assert kinds(reported(longer, done_on="2026-11-20")) == [] and longer.filed.valid_until > draft.filed.valid_until


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "another person's": ({"who": OTHER}, "not_yours"),
    "a day to come": ({"done_on": "2026-11-24"}, "report_ahead"),
    "no number": ({"done_number": "a few"}, "not_a_number"),
    "no currency": ({"done_sum": "649.80"}, "report_currency"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_report_is_refused_in_private(case: str) -> None:
    """Nothing is recorded, and whoever sent it reads why."""
    given, key = REFUSED[case]
    assert refused(approved(), report(approved(), **given)) == key


def test_a_report_lacks_nothing() -> None:
    """An answer that is left out is named."""
    event = report(approved())
    entries = {name: entry for name, entry in event.entries.items() if name != "done_number"}
    assert refused(approved(), replace(event, entries=entries)) == "report_lacks"


def test_a_record_that_waits_takes_no_report() -> None:
    """While somebody is to decide, this form hears of nothing done."""
    assert refused(filed(), report(filed())) == "report_over"


def test_the_same_report_twice_counts_once() -> None:
    """The second press, and a box that was opened before, find it recorded."""
    draft = approved()
    after = reported(draft)
    assert refused(after, report(draft, done_number="10")) == "report_again"


def test_a_report_is_put_right_until_the_note_bears_it_out() -> None:
    """Both stay on record; what was wrong stays a breach until somebody closes it; after the note nothing changes."""
    first = reported(approved(), done_number="210")
    second = went(first, report(first, done_number="180"))
    assert [r.figures["done_number"] for r in second.draft.filed.reports] == [210, 180] and kinds(second.draft) == [
        "more"
    ]
    assert second.draft.filed.reports[1].after == "approved" and not any(isinstance(e, Amend) for e in second.effects)
    assert reminders(second)["note_late"].mark == "2"
    (breach,) = second.draft.filed.breaches
    assert Repaint(breach.card, CaseCard(breach.id)) in second.effects, "its card shows what is reported now"
    third = noted(second.draft)
    assert third.filed.settled and refused(third, report(third, done_number="190")) == "report_settled"


def test_the_same_breach_is_opened_once() -> None:
    """A correction that leaves it as it was opens no second one; a further one it does."""
    first = reported(approved(), done_number="210")
    again = went(first, report(first, done_number="210", done_on="2026-11-19")).draft
    assert kinds(again) == ["more", "day_before"]


# Words


def read(text: str, draft: Draft | None = None) -> Any:
    """What is put to the person of these words."""
    outcome = went(draft or approved(), replace(said(text), at="2026-11-23T15:00:00+00:00"))
    return outcome, outcome.draft.filed.reporting


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("done", {"done_on": "2026-11-23", "done_number": 200}),
        ("Executed, thanks!", {"done_on": "2026-11-23", "done_number": 200}),
        ("I bought it", {"done_on": "2026-11-23", "done_number": 200}),
        ("I bought 180 at £3.61 yesterday", None),
        ("bought 100 on Monday and 80 on Tuesday at 3.60", None),
        ("I would have bought more", None),
    ],
)  # fmt: skip
def test_words_are_put_to_the_person_for_a_click(text: str, figures: dict[str, Any] | None) -> None:
    """A few whole utterances say that it was done as it was approved, today, for a click; figures are told in the box alone."""
    outcome, waiting = read(text)
    assert outcome.draft.filed.state == "approved" and (waiting.figures if waiting else None) == figures
    if waiting:
        assert any(isinstance(e, Post) and isinstance(e.card, ReportCard) for e in outcome.effects)


def pressed(draft: Draft) -> ReportMade:
    """The click on the card that was put up."""
    return ReportMade("c1", "2026-11-23T15:01:00+00:00", OWNER, {}, report_mark(draft), draft.filed.reporting.card)


def test_a_click_records_what_was_approved() -> None:
    """With the words that it rests on, where the approval says all that the report needs; a second click finds it recorded."""
    assert refused(read("done")[0].draft, pressed(read("done")[0].draft)) == "report_lacks"
    shape = form(report={**REPORT, "fields": {n: REPORT["fields"][n] for n in ("done_on", "done_number")}}, note=None)
    draft = went(approved(shape), replace(said("I bought it"), at="2026-11-23T15:00:00+00:00"), shape).draft
    press = pressed(draft)
    after = went(draft, press, shape)
    assert (after.draft.filed.state, after.draft.filed.report.words) == ("executed", "I bought it")
    for again, before in ((replace(press, id="c2"), after.draft), (replace(press, card="another"), draft)):
        (whisper,) = (e for e in went(before, again, shape).effects if isinstance(e, Ephemeral))
        assert whisper.line.key == "report_again"


@pytest.mark.parametrize("text", ["I didn't trade", "changed my mind", "not traded"])
def test_who_did_not_do_it_gives_it_up_by_a_click(text: str) -> None:
    """Asked once; the click ends it as unused, unless it was reported meanwhile."""
    outcome, waiting = read(text)
    assert waiting is None and any(isinstance(e, Post) and e.card == Confirm("unused") for e in outcome.effects)
    press = click("unused_confirmed", card="c")
    assert went(outcome.draft, press).draft.filed.state == "unused"
    over = went(reported(approved()), press)
    assert over.changes == () and "report_over" in keys(over)


@pytest.mark.parametrize("text", [
    "I haven't traded yet", "can I still buy?", "what if I bought more", "I didn't buy it on Monday", "thanks!",
    "status",
])  # fmt: skip
def test_other_words_report_nothing(text: str) -> None:
    """A question, a wish and what is left open are answered as before."""
    outcome, waiting = read(text)
    assert waiting is None and not any(isinstance(e, Post) and e.card == Confirm("unused") for e in outcome.effects)


def test_only_its_owner_gives_it_up() -> None:
    """Anybody else's click is told off in private."""
    outcome = went(approved(), click("unused_confirmed", who=MANAGER, card="c"))
    assert outcome.changes == () and outcome.effects == (Ephemeral(MANAGER, Phrase("not_yours")),)


def test_the_box_begins_with_what_was_approved() -> None:
    """Later with the report that is to be put right."""
    assert filled_in(FORM, approved(), "2026-11-23") == {"done_number": 200, "done_on": "2026-11-23"}
    assert filled_in(FORM, reported(approved(), done_number="150"), "2026-11-30")["done_number"] == 150


# The note

DIFFERS = {
    "another number": "Number: 150\nSum: GBP 649.80\nDay: 23 Nov 2026",
    "another sum": "Number: 180\nSum: GBP 700.00\nDay: 23 Nov 2026",
    "another day": "Number: 180\nSum: GBP 649.80\nDay: 22 Nov 2026",
    "a number within five percent": "Number: 181\nSum: GBP 649.80\nDay: 23 Nov 2026",
}


def test_a_note_within_the_tolerance_closes_the_file() -> None:
    """Five percent of the reported amount, the edge included; numbers and days are the same or not."""
    for sum_ in ("649.80", "682.29", "617.31"):
        draft = noted(reported(approved()), f"Number: 180\nSum: GBP {sum_}\nDay: 23 Nov 2026")
        assert draft.filed.settled and draft.filed.breaches == (), sum_


@pytest.mark.parametrize("case", DIFFERS)
def test_a_note_that_differs_is_a_breach_with_both_figures(case: str) -> None:
    """Reviewers get the file too; the file is not closed."""
    outcome = went(reported(approved()), note(reported(approved()), DIFFERS[case]))
    assert kinds(outcome.draft) == ["note_differs"] and not outcome.draft.filed.settled
    assert {"now", "was", "label", "file"} <= set(outcome.draft.filed.breaches[0].said)
    assert [e.document for e in outcome.effects if isinstance(e, Forward)] == ["f-note.pdf"]


UNCERTAIN = [
    "", "Thank you for your custom.", "Number: 180\nSum: GBP 649.80", "Number: 150\nSum: GBP 649.80",
    f"{TEXT}\nSum: GBP 64,980.00",
]  # fmt: skip


@pytest.mark.parametrize("text", UNCERTAIN)
def test_what_code_cannot_read_goes_to_a_person(text: str) -> None:
    """Nothing is guessed: a reviewer takes it, or does not."""
    outcome = went(reported(approved()), note(reported(approved()), text))
    (card,) = (e for e in outcome.effects if isinstance(e, Announce))
    assert (outcome.draft.filed.notes[0].came, card.case, card.id) == (
        "unread",
        "note-1",
        outcome.draft.filed.notes[0].card,
    )
    assert kinds(outcome.draft) == [] and any(isinstance(e, Forward) for e in outcome.effects)
    taken = went(outcome.draft, judged(outcome.draft, "note-1", OFFICER, "match"))
    assert taken.draft.filed.settled and taken.draft.filed.notes[0].by == OFFICER and "note_matched" in keys(taken)
    turned_down = went(
        outcome.draft,
        judged(outcome.draft, "note-1", OFFICER, "refuse", reason="Another trade's", note="It is of another day."),
    )
    (breach,) = turned_down.draft.filed.breaches
    assert (breach.kind, breach.by, breach.words) == ("note_refused", OFFICER, "Another trade's")
    shown = str([e for e in turned_down.effects if isinstance(e, Post)])
    assert "Another trade's" not in shown and "It is of another day." in shown
    assert refused(outcome.draft, judged(outcome.draft, "note-1", OFFICER, "refuse")) == "decide_message"


def test_a_report_that_is_put_right_is_held_against_the_note_that_came() -> None:
    """It need not be sent again."""
    draft = noted(reported(approved()), DIFFERS["another sum"])
    after = went(draft, report(draft, done_sum="GBP 700"))
    assert after.draft.filed.settled and "note_matched" in keys(after)


def test_a_file_is_no_note_before_the_report_or_after_the_file_is_closed() -> None:
    """It is not kept."""
    for draft in (approved(), noted(reported(approved()))):
        after = went(draft, note(draft, name="other.pdf"))
        assert "f-other.pdf" not in after.draft.documents and after.draft.filed.notes == draft.filed.notes


def test_a_note_before_its_report_asks_for_that_first() -> None:
    """What was done is told by its owner, and never taken from the file."""
    sent = replace(said("here is my confirmation"), files=(Sent("F1", "note.pdf"),))
    outcome = went(approved(), sent)
    assert "note_first" in keys(outcome) and not any(isinstance(e, Fetch) for e in outcome.effects)
    assert outcome.draft.filed.reports == ()
    (fetch,) = (e for e in went(reported(approved()), sent).effects if isinstance(e, Fetch))
    assert fetch.files == sent.files


def test_a_file_that_is_none_is_told() -> None:
    """What Slack does not give is no note."""
    draft = reported(approved())
    outcome = went(draft, note(draft, problem="large"))
    assert outcome.draft.filed.notes == () and "file_large" in keys(outcome)


def test_a_note_that_does_not_come_is_a_breach_by_itself() -> None:
    """Reminded before; once; not where one is there, or the report was put right since."""
    outcome = went(approved(), report(approved()))
    due, late = (reminders(outcome)[what] for what in ("note_due", "note_late"))
    assert "note_due" in keys(went(outcome.draft, fired(due)))
    over = went(outcome.draft, fired(late))
    assert kinds(over.draft) == ["note_late"] and went(over.draft, fired(late, "again")).changes == ()
    for draft in (noted(outcome.draft), noted(outcome.draft, ""), went(outcome.draft, report(outcome.draft)).draft):
        assert went(draft, fired(late)).changes == () and keys(went(draft, fired(due))) == []
    assert noted(over.draft).filed.settled


# Breaches


def breached() -> Draft:
    """More was done than was approved."""
    return reported(approved(), done_number="250")


CLOSING: dict[str, tuple[dict[str, Any], str]] = {
    "the person concerned, though they hold the role": ({"who": OWNER, "own": True}, "case_own"),
    "without the role": ({"who": MANAGER}, "decide_role"),
    "with another role": ({"who": OFFICER, "role": "senior", "own": True}, "decide_role"),
    "in the place of the person concerned": ({"who": OTHER, "own": False, "deputy_of": (OWNER,)}, "decide_role"),
    "roles that nobody knows": ({"who": OFFICER, "known": False}, "decide_unknown"),
    "an auditor": ({"who": OFFICER, "audits": True}, "decide_auditor"),
    "without a reason": ({"who": OFFICER, "reason": " \n"}, "decide_reason"),
    "what the card did not show": ({"who": OFFICER, "hash": "old"}, "decide_changed"),
    "a breach is not matched": ({"who": OFFICER, "word": "match"}, "case_over"),
}


@pytest.mark.parametrize("case", CLOSING)
def test_a_breach_is_closed_by_those_who_may(case: str) -> None:
    """Anybody else is refused in private, and the card shows how it stands."""
    given, key = CLOSING[case]
    draft = breached()
    assert refused(draft, judged(draft, "breach-1", **given)) == key
    outcome = went(draft, judged(draft, "breach-1", **given))
    assert [e.card for e in outcome.effects if isinstance(e, Repaint)] == [CaseCard("breach-1")]


def test_closing_one_of_two_breaches_says_which_and_what_is_still_open() -> None:
    """Nobody reads that all is closed while another breach waits."""
    draft = went(approved(), report(approved(), done_number="1000", done_on="2026-11-19")).draft
    first = went(draft, judged(draft, "breach-1", OFFICER))
    assert keys(first) == ["breach_day_before", "breach_closed", "breach_more", "breach_told"]
    assert keys(went(first.draft, judged(first.draft, "breach-2", OFFICER))) == ["breach_more", "breach_closed"]


def test_a_closed_breach_says_by_whom_and_why() -> None:
    """A deputy says in whose place; the person reads the officer's words to them and no reason; it is closed once."""
    draft = breached()
    event = judged(draft, "breach-1", OTHER, own=False, deputy_of=(OFFICER,), reason="Sold again", note="Ask first.")
    outcome = went(draft, event)
    (breach,) = outcome.draft.filed.breaches
    assert not breach.open and (breach.closed_by, breach.deputy_of, breach.reason) == (OTHER, OFFICER, "Sold again")
    told = str([e for e in outcome.effects if isinstance(e, Post)])
    assert "Ask first." in told and "Sold again" not in told
    assert refused(outcome.draft, judged(outcome.draft, "breach-1", OFFICER)) == "case_over"
    assert refused(outcome.draft, judged(outcome.draft, "breach-7", OFFICER)) == "case_over"


def test_a_form_without_a_note_waits_for_none() -> None:
    """A few lines fewer, and nothing is asked for."""
    shape = form(note=None)
    outcome = went(approved(shape), report(approved(shape)), shape)
    assert outcome.draft.filed.state == "executed" and reminders(outcome) == {} and AT


def test_a_worse_answer_comes_first() -> None:
    """Words that tell of having done it and of something worse are heard for what is worse."""
    outcome, waiting = read("I bought it, I had heard something before")
    assert waiting is None and outcome.draft.filed.state in ("approved", "escalated")
    assert outcome.draft.disclosures or outcome.draft.proposal
