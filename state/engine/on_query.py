"""Words for the reviewers' question: kept as they were written, over as many messages as there are, until the review sends them."""

import re

from state.draft.query import REPLY
from state.draft.utterance import Phrase
from state.engine.acts import hear_worse
from state.engine.context import Next, TurnContext
from state.engine.events import MessageReceived
from state.engine.values import make_value, put
from state.fields import kind_of
from state.fields.base import Context, Unreadable
from state.form import Field
from state.understanding.commands import tries_to_answer
from state.understanding.plain_answers import read_whole
from state.understanding.reader import read_open

SENTENCE = re.compile(r"(?<=[.!?…;])\s+|\n+")
BARE = 2
"""Words of an answer that says its value and no more: "150 shares"."""


def on_reply_in_words(turn: TurnContext, event: MessageReceived) -> bool:
    """Keep words as the answer to the reviewers' question. Return False where they are to be read as an answer to another one, kept or not."""
    reply, asked = turn.form.fields.get(REPLY), turn.form.fields.get(turn.draft.asked)
    if reply is None or not _tells(event.text, turn.context):
        return False
    if asked is None or asked is reply:
        reads = asked is None and _is_read(turn, event)
        if not reads and not hear_worse(turn, event.text, event.message):
            _keep(turn, reply, event)
        return not reads
    plain = read_whole(asked, event.text, turn.context)
    if kind_of(asked).verbatim or turn.draft.options.get(asked.name) or (plain is not None and _is_bare(event.text)):
        return False
    if plain is not None or kind_of(asked).searchable or _is_read(turn, event):
        # The same words give the answer and say more than it: reviewers read them whole.
        _keep(turn, reply, event)
        return False
    if not hear_worse(turn, event.text, event.message):
        _keep(turn, reply, event)
    return True


def _tells(text: str, context: Context) -> bool:
    """Return True if any sentence tells something: thanks, a hold, a greeting or a question back alone is no answer."""
    return any(tries_to_answer(part, context) for part in SENTENCE.split(text))


def _is_bare(text: str) -> bool:
    return len(text.split()) <= BARE


def _is_read(turn: TurnContext, event: MessageReceived) -> bool:
    """Return True if rules read an answer or a correction in the words."""
    return bool(read_open(turn.form, turn.draft, event.text, event.message, turn.context).calls)


def _keep(turn: TurnContext, reply: Field, event: MessageReceived) -> None:
    """Add the words below those of earlier messages; an answer that is asked anew begins anew."""
    held = turn.draft.values.get(REPLY) if REPLY not in turn.draft.reopened else None
    try:
        text = kind_of(reply).parse(reply, "\n".join((*([str(held.data)] if held else []), event.text)), turn.context)
    except Unreadable as problem:
        turn.present(Next((Phrase(problem.key, {name: str(value) for name, value in problem.args_.items()}),)))
        return
    # The words stay free to be read for the answer that is asked as well.
    message = event.message if turn.draft.asked in ("", REPLY) else ""
    put(turn, reply, make_value(turn, reply, text, "typed", str(text), message))
    turn.present(Next((Phrase("reply_kept"),)))
