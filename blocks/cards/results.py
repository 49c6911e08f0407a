"""Search results as a list to pick from, numbered so that a number can be typed as well."""

from collections.abc import Sequence

from blocks.elements import button, context, section
from blocks.message import Block
from blocks.page import Page
from blocks.text import escape, one_line
from blocks.utterances import fill
from state.draft.draft import Option
from state.form import Field

SHOWN = 8
_LABEL, _DETAIL = 120, 180


def results(page: Page, field: Field, options: Sequence[Option]) -> list[Block]:
    """One row per result, each with its button; the first eight."""
    rows = [_row(page, field, option, n) for n, option in enumerate(options[:SHOWN], 1)]
    if len(options) > SHOWN:
        rows.append(context(fill(page, "too_many", {"shown": SHOWN, "count": len(options)})))
    return rows


def _row(page: Page, field: Field, option: Option, n: int) -> Block:
    label, detail = escape(one_line(option.label), _LABEL), escape(option.detail, _DETAIL)
    pick = button(page.say("use_this"), page.press("pick", field.name, option.id), n)
    return section("\n".join(filter(None, (f"{n}. *{label or escape(option.id)}*", detail))), pick)
