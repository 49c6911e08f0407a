"""The card of a breach that waits to be closed, or of a note that a person has to judge, before those who decide."""

from collections.abc import Iterator

from blocks.cards.announcement import from_whom
from blocks.elements import Element, Message, Style, actions, button, header, message, section
from blocks.ids import id_of
from blocks.page import Page, moment, moment_of
from blocks.text import escape, literal
from blocks.utterances import fill, mention, sentence
from state.draft.record import Breach, Figure, Note
from state.draft.reporting import report_form, shown_figures
from state.draft.route import case_hash, case_of, sentence_of, waits
from state.engine.cards import CaseCard
from state.record.on_case import CLOSE, MATCH, REFUSE

STYLES: dict[str, Style] = {MATCH: "primary", REFUSE: "danger"}
_TEXT = 400


def build_case(page: Page, card: CaseCard) -> Message:
    """Return what it is, from whom, what was reported, and its buttons; once it is dealt with, by whom and why."""
    case = case_of(page.draft, card.case)
    title = page.say("case_note" if isinstance(case, Note) else "case_breach", number=page.draft.filed.number)
    about = [*from_whom(page), *_reported(page)]
    said = list(_breach(page, case) if isinstance(case, Breach) else _note(page, case) if case else ())
    text = "\n".join((escape(title), *about, *said))
    blocks = [header(title), section("\n".join(about)), section("\n".join(said) or "–")]
    return message(text, [*blocks, actions(_buttons(page, case))] if case and waits(case) else blocks)


def _reported(page: Page) -> Iterator[str]:
    report = page.draft.filed.report
    if report is not None:
        figures = " · ".join(
            f"{label}: {text}" for label, text in shown_figures(page.form, report.figures, page.context)
        )
        yield fill(page, "case_reported", {"what": figures})


def _breach(page: Page, breach: Breach) -> Iterator[str]:
    yield f"*{sentence(page, sentence_of(breach))}*"
    yield _at(page, "case_opened" if breach.by else "case_opened_rule", breach.by, "", breach.at)
    if breach.open:
        yield _waits_for(page)
    else:
        yield f"*{_at(page, 'case_closed', breach.closed_by, breach.role, breach.closed_at)}*"
        yield from _why(page, breach.reason, breach.deputy_of)


def _note(page: Page, note: Note) -> Iterator[str]:
    yield fill(page, "case_file", {"file": note.name})
    yield from (_figure(page, figure) for figure in note.figures)
    if note.came == "unread":
        yield from (f"⚠ {fill(page, f'doubt_{doubt}')}" for doubt in note.doubts)
        yield fill(page, "case_unread")
        yield _waits_for(page)
    elif note.by:
        key = "case_taken" if note.came == "matched" else "case_refused"
        yield f"*{_at(page, key, note.by, note.role, note.judged_at)}*"
        yield from _why(page, note.reason, note.deputy_of)
    else:
        yield fill(page, "case_read")


def _figure(page: Page, figure: Figure) -> str:
    field = report_form(page.form).fields.get(figure.name) or page.form.fields[figure.name]
    mark = "•" if figure.same else "⚠"
    told = {"label": field.label, "now": figure.noted, "was": figure.reported}
    return f"{mark} {fill(page, 'case_figure', told)}"


def _at(page: Page, key: str, who: str, role: str, at: str) -> str:
    shown = moment(moment_of(at), page.form.language)
    told = {"person": mention(who), "role": escape(page.role(role)) if role else "", "at": shown}
    return page.words.fill(key, told, literal)


def _why(page: Page, reason: str, deputy_of: str) -> Iterator[str]:
    yield fill(page, "given_reason", {"reason": reason[:_TEXT]})
    if deputy_of:
        yield fill(page, "given_deputy", {"person": deputy_of})


def _waits_for(page: Page) -> str:
    breaches = page.form.filing.breaches
    return fill(page, "decide_waits", {"role": page.role(breaches.by) if breaches else "–"})


def _buttons(page: Page, case: Breach | Note) -> list[Element]:
    verdicts = (CLOSE,) if isinstance(case, Breach) else (MATCH, REFUSE)
    shown = case_hash(page.draft, case.id)
    return [
        button(
            f"{page.verdict(v)}…",
            page.press("judge", case.id, v, hash=shown),
            style=STYLES.get(v, ""),
            opens=id_of("hf-case", v),
        )
        for v in verdicts
    ]
