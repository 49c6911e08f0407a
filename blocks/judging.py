"""The modal in which a breach is closed, or a note judged: the reason, and what the person is told."""

from collections.abc import Mapping
from typing import Any

from blocks.elements import plain_text, section
from blocks.ids import CASE_BOX, Press, read_press, write_press
from blocks.modal import TITLE, View
from blocks.page import Page
from blocks.text import escape
from blocks.utterances import sentence
from blocks.verdict import ABOUT, text_input
from state.draft.decisions import Breach
from state.draft.draft import Draft
from state.engine.cases import case_of, sentence_of
from state.form import Form


def build_case_box(form: Form, draft: Draft, press: Press, channel: str) -> View:
    """`channel` is where its button was clicked; a refusal is told there."""
    page, case = Page(form, draft, draft.began[:10], press.card), case_of(draft, press.field)
    what = sentence(page, sentence_of(case)) if isinstance(case, Breach) else escape(case.name if case else "")
    return {
        "type": "modal",
        "callback_id": CASE_BOX,
        "title": plain_text(page.verdict(str(press.value or "")), TITLE),
        "submit": plain_text(page.verdict(str(press.value or "")), TITLE),
        "close": plain_text(page.say("modal_close"), TITLE),
        "private_metadata": f"{write_press(press)}{ABOUT}{channel}",
        "blocks": [
            section("\n".join(filter(None, (f"*{escape(draft.record)}*", escape(page.essence), what)))),
            text_input(page, "reason", wanted=True),
            text_input(page, "note", wanted=False),
        ],
    }


def read_case_box(view: Mapping[str, Any]) -> tuple[Press, dict[str, str]] | None:
    """What a submitted modal means: the press, and further fields of `CaseJudged`; None for a view that is not ours."""
    written, _, channel = str(view.get("private_metadata") or "").partition(ABOUT)
    press = read_press(written)
    values = (view.get("state") or {}).get("values") or {}
    words = {name: str((values.get(name) or {}).get(name, {}).get("value") or "") for name in ("reason", "note")}
    return (press, {"where": channel, **words}) if press else None
