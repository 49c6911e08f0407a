"""Words to a draft that is submitted, cancelled or with a person: answered, never acted on; only a worse disclosure still counts."""

from state.advance.acting import say_closed
from state.advance.disclosing import disclose, recognised, told_worse
from state.advance.moving import hand_over, wants_person
from state.advance.showing import show_next
from state.advance.work import Work
from state.draft.scope import scope
from state.engine.cards import Notice, Verbatim
from state.engine.effects import CallModel
from state.engine.events import MessageReceived


def said_when_closed(work: Work, event: MessageReceived) -> None:
    """A disclosure in so many words counts at once; anything else is for the model, or the sentence that says how things stand."""
    for field in scope(work.form, work.draft).disclosable:
        if not told_worse(work, field) and recognised(field, event.text, work.context):
            disclose(work, field, event.text, event.message)
            return
    if work.form.stuck == "hand_over" and wants_person(work.form, event.text):
        hand_over(work, "asked")
        show_next(work)
    elif event.text.strip():
        work.do(CallModel(work.draft.turn))
    else:
        say_closed(work)


def answer_when_closed(work: Work, text: str) -> None:
    """The model's sentence, if it had a fit one; else how things stand."""
    if text:
        work.post(Notice((*work.news, Verbatim(text)), ("begin",)))
    else:
        say_closed(work)
