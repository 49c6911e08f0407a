"""What Slack shows while an answer is being thought of, and what it suggests to say."""

from collections.abc import Sequence
from dataclasses import dataclass

from blocks.phrases import Phrasebook
from blocks.text import cut, one_line
from state.form import Form

MOST_PROMPTS = 4
_TITLE = 75


@dataclass(frozen=True)
class Thinking:
    """For `assistant.threads.setStatus`: "Holdfast is thinking…", and the messages that take turns below it."""

    status: str
    loading_messages: tuple[str, ...]


def thinking(words: Phrasebook) -> Thinking:
    """The status in a language's words."""
    return Thinking(words.say("thinking"), tuple(words.say(f"thinking_{n}") for n in ("reading", "looking", "almost")))


def suggested_prompts(words: Phrasebook, forms: Sequence[Form], *, filling: bool = False) -> list[dict[str, str]]:
    """For `assistant.threads.setSuggestedPrompts`: forms to begin, or, while one is being filled in, what may be asked; up to four."""
    if filling:
        return [_prompt(words.say(key), words.say(key)) for key in ("whats_missing", "person")]
    return [
        _prompt(words.say("prompt_begin", form=f.title), f.words[0] if f.words else f.title)
        for f in forms[:MOST_PROMPTS]
    ]


def _prompt(title: str, said: str) -> dict[str, str]:
    return {"title": cut(one_line(title), _TITLE), "message": one_line(said)}
