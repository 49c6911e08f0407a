"""What was read of a person's words about what they did: put to them for one click, or recorded."""

from blocks.elements import actions, button, section
from blocks.ids import REPORTED, report
from blocks.message import Message, message
from blocks.page import Page
from blocks.text import escape
from blocks.utterances import fill
from state.draft.reporting import report_form, shown_figures
from state.engine.cards import ReportCard
from state.engine.on_report import report_mark


def build_report(page: Page, card: ReportCard) -> Message:
    """The figures, a click that records them, and the box to change them; where some are missing, the box alone."""
    draft = page.draft
    told = draft.report if card.recorded or draft.reporting is None else draft.reporting
    figures = told.figures if told else {}
    asked = fill(page, "report_recorded" if card.recorded else "report_read")
    lines = [f"• {escape(label)}: *{escape(text)}*" for label, text in shown_figures(page.form, figures, page.context)]
    text = "\n".join((asked, *([f"*{escape(page.essence)}*"] if page.essence else []), *lines))
    if card.recorded:
        return message(text, [section(text)])
    lacks = [f for f in report_form(page.form).fields.values() if f.name not in figures and f.required]
    press = page.press("report", hash=report_mark(draft))
    change = button(page.say("report_fill" if lacks else "report_change"), press, opens=report("change"))
    yes = button(page.say("report_record"), press, style="primary", opens=REPORTED)
    if lacks:
        text = f"{text}\n{fill(page, 'report_rest')}"
        return message(text, [section(text), actions([change])])
    return message(text, [section(text), actions([yes, change])])
