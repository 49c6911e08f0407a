"""What Slack shows while an answer is being thought of, and what it suggests to say."""

from collections.abc import Sequence
from dataclasses import dataclass

from blocks.phrases import Phrasebook
from blocks.text import cut, one_line
from state.form import Form
from state.language import language_of, understood
from state.understanding.evidence import holds_quote

MOST_PROMPTS = 4
_TITLE = 75
FILLING = ("whats_missing", "person", "restart", "cancel")
"""What may be said at any time while a form is filled in."""


@dataclass(frozen=True)
class Thinking:
    """For `assistant.threads.setStatus`: "Holdfast is thinking…", and the messages that take turns below it."""

    status: str
    loading_messages: tuple[str, ...]


def thinking(words: Phrasebook) -> Thinking:
    """Return the status in a language's words."""
    return Thinking(words.say("thinking"), tuple(words.say(f"thinking_{n}") for n in ("reading", "looking", "almost")))


def suggested_prompts(words: Phrasebook, forms: Sequence[Form], *, filling: bool = False) -> list[dict[str, str]]:
    """For `assistant.threads.setSuggestedPrompts`, up to four: forms to begin, each in its own language; of more, the way to all.

    While a form is being filled in (`filling`, in its `words`), what may be said about that instead.
    """
    if filling:
        plain = Phrasebook(words.language)
        return [_prompt(words.say(key), plain.say(key)) for key in FILLING]
    shown = forms if len(forms) <= MOST_PROMPTS else forms[: MOST_PROMPTS - 1]
    prompts = [_begin(form, forms) for form in shown]
    said = next(first for spoken in understood(language_of(words.language)) for first in spoken.commands.forms[:1])
    every = _prompt(words.say("prompt_all"), said.capitalize())
    return [*prompts, *([every] if len(shown) < len(forms) else [])]


def _begin(form: Form, forms: Sequence[Form]) -> dict[str, str]:
    """In the form's own language, with words that no other form takes for its own."""
    others = [word for other in forms if other.name != form.name for word in other.words]
    sure = (w for w in form.words if not any(holds_quote(w, other) for other in others))
    title = Phrasebook(form.language, form.says).say("prompt_begin", form=form.title)
    return _prompt(title, next(sure, next(iter(form.words), form.title)))


def _prompt(title: str, said: str) -> dict[str, str]:
    return {"title": cut(one_line(title), _TITLE), "message": one_line(said)}
