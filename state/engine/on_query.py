"""Words for the reviewers' question: kept as they were written, over as many messages as there are, until the review sends them."""

import re

from state.draft.draft import Value
from state.draft.route import REPLY
from state.draft.topics import Topic
from state.draft.utterance import Phrase
from state.engine.acts import hear_worse
from state.engine.context import Next, TurnContext
from state.engine.events import MessageReceived
from state.engine.settle import way_said
from state.engine.values import make_value, put
from state.fields import kind_of
from state.fields.base import Context, Unreadable
from state.form import Field
from state.language import LANGUAGES, Language
from state.language.small_talk import puzzled
from state.language.table import listed
from state.language.tokens import asks, tokens
from state.understanding.commands import SpokenCommand, asks_back, is_asking, read_command, tries_to_answer
from state.understanding.form_commands import topics_in
from state.understanding.plain_answers import read_whole
from state.understanding.reader import read_open

SENTENCE = re.compile(r"(?<=[.!?…;])\s+|\n+")
TELLS, LONG = re.compile(r"[\d,]"), 8
BARE = 2
"""Words of an answer that says its value and no more: "150 shares"."""


def on_reply_in_words(turn: TurnContext, event: MessageReceived) -> bool:
    """Keep words as the answer to the reviewers' question. Return False where they are to be read as an answer to another one, kept or not."""
    reply = turn.form.fields.get(REPLY)
    if reply is None or not _tells(event.text, turn.context) or gives_up(turn, event.text):
        return False
    asked = _asked(turn)
    if reply not in asked:
        plain = any(read_whole(field, event.text, turn.context) is not None for field in asked)
        own = any(kind_of(field).verbatim or turn.draft.options.get(field.name) for field in asked)
        if own or (plain and len(event.text.split()) <= BARE):
            return False
        if plain or any(kind_of(field).searchable for field in asked) or _is_read(turn, event):
            if asked:  # the same words give the answer and say more than it: reviewers read them whole
                _keep(turn, reply, event.text)
            return False
    if not hear_worse(turn, event.text, event.message):
        _keep(turn, reply, event.text, event.message)
    return True


def keep_declined(turn: TurnContext, value: Value) -> None:
    """Keep for the reviewers the words in which a change was read that their writer declines: they may answer the question."""
    reply, said = turn.form.fields.get(REPLY), value.provenance.message
    line = next((line for line in turn.draft.window if said and line.message == said), None)
    if reply is not None and line is not None:
        _keep(turn, reply, line.text)


def gives_up(turn: TurnContext, text: str) -> bool:
    """Return True if few words say of a filed request that it is not wanted any more; many may give the reviewers a reason."""
    if not turn.filed.number or any(map(str.isdigit, text)):
        return False
    parts, few = SENTENCE.split(text.replace(",", ".")), len(text.split()) <= LONG
    ordered = any(read_command(part.rstrip("."), turn.form.language) is SpokenCommand.CANCEL for part in parts)
    return ordered or (few and Topic.WITHDRAW in topics_in(turn.form, text, turn.context, told=True))


def _asked(turn: TurnContext) -> tuple[Field, ...]:
    """Return the fields that the open card asks for, alone or together."""
    card, alone = turn.draft.card, turn.draft.asked
    several = card.fields if card is not None and card.kind == "question" else ()
    fields = (turn.form.fields.get(name) for name in ((alone,) if alone else several))
    return tuple(field for field in fields if field is not None)


def _tells(text: str, context: Context) -> bool:
    """Return True if a sentence is more than thanks, a greeting or a question back; a figure or many words make it an answer, and a reason."""
    parts = SENTENCE.split(text)
    return any(
        not asks(part) and (TELLS.search(part) or len(part.split()) > LONG or gives_reason(part, context.language))
        if is_asking(part, context) or asks_back(part, context)
        else tries_to_answer(part, context)
        for part in parts
    )


def gives_reason(part: str, language: Language) -> bool:
    """Return True if the word that a question begins with joins a reason as well ("perché devo …"), and nobody is asked why they ask."""
    row, sorts = tokens(part, language), ("conjunctions", "whys")
    joins = any(all(listed(one, sort).at(row, 0) for sort in sorts) for one in LANGUAGES.values())
    return joins and not puzzled(row, language)


def _is_read(turn: TurnContext, event: MessageReceived) -> bool:
    """Return True if the words name a way on, or rules read an answer or a correction in them."""
    return way_said(turn, event.text) is not None or bool(
        read_open(turn.form, turn.draft, event.text, event.message, turn.context).calls
    )


def _keep(turn: TurnContext, reply: Field, words: str, message: str = "") -> None:
    """Add the words to the answer so far; a new question begins anew. Without `message` they may still answer another field."""
    held = turn.draft.values.get(REPLY) if REPLY not in turn.draft.reopened else None
    try:
        text = kind_of(reply).parse(reply, "\n".join((*([str(held.data)] if held else []), words)), turn.context)
    except Unreadable as problem:
        turn.present(Next((Phrase(problem.key, {name: str(value) for name, value in problem.args_.items()}),)))
        return
    put(turn, reply, make_value(turn, reply, text, "typed", str(text), message))
    turn.present(Next((Phrase("reply_kept"),)))
