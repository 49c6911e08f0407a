"""Which draft an event is for: the one it names, the open one of the conversation, a new one, or none yet."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from state.reading.commands import read_command

from state.draft import Draft
from state.events import Clicked, Happening, Said
from state.form import Form
from state.grounding import holds_quote


@dataclass(frozen=True)
class Route:
    """`use` the draft as it is; `begin` a new one of `form`; `choose` among the forms; `hint` at the direct message; `drop` it."""

    to: Literal["use", "begin", "choose", "hint", "drop"]
    form: str = ""


def route(
    forms: Mapping[str, Form], draft: Draft | None, event: Happening, named: str = "", *, direct: bool = True
) -> Route:
    """`draft` is the one that the event names, else the conversation's current one; `named` a form that was asked for by name.

    Where others read along (`direct` is False) only forms that opted in are begun.
    """
    if isinstance(event, Clicked) and event.act == "begin":
        return _begin(forms, draft, named or event.field)
    if draft is not None and not _anew(forms, draft, event):
        return Route("use")
    if not isinstance(event, Said):
        return Route("drop")
    fitting = asked_for(forms, event.text)
    if draft is not None:
        return Route("begin", fitting[0] if len(fitting) == 1 else draft.form)
    wanted = (named,) if named in forms else fitting or tuple(forms)
    shared = tuple(name for name in wanted if forms[name].channels == "thread")
    if not direct and not shared:
        return Route("hint", wanted[0])
    wanted = wanted if direct else shared
    return Route("begin", wanted[0]) if len(wanted) == 1 else Route("choose")


def asked_for(forms: Mapping[str, Form], text: str) -> tuple[str, ...]:
    """Forms of whose words the text holds some."""
    return tuple(name for name, form in forms.items() if any(holds_quote(text, word) for word in form.words))


def _begin(forms: Mapping[str, Form], draft: Draft | None, named: str) -> Route:
    if draft is not None and draft.open and named in ("", draft.form):
        return Route("use")
    form = named or (draft.form if draft else "") or (next(iter(forms)) if len(forms) == 1 else "")
    return Route("begin", form) if form in forms else Route("choose")


def _anew(forms: Mapping[str, Form], draft: Draft, event: Happening) -> bool:
    """After a draft is closed, words that ask for a form begin a new one; a command is still about the old one."""
    if draft.open or not isinstance(event, Said) or event.who != draft.owner:
        return False
    form = forms.get(draft.form)
    command = read_command(event.text, form.language if form else "en")
    return command is None and bool(asked_for(forms, event.text)) and "?" not in event.text
