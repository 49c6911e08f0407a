"""A list that is to be longer: it is opened again where nothing is named, and what is named comes to what stands in it."""

from state.draft.changes import Reopened, Unlocked
from state.draft.missing import reachable
from state.draft.reply import Reply, ToolCall
from state.draft.scope import CORRECT
from state.engine.context import TurnContext
from state.engine.presentation import Next
from state.engine.tool_calls import RULES, ToolCalls
from state.engine.tools import judge_calls
from state.fields import kind_of
from state.form import Field
from state.form.field import Data
from state.understanding.additions import added, additions, takes_more, wanted_longer
from state.understanding.evidence import said_by_person


def reopen(turn: TurnContext, text: str) -> bool:
    """Ask for the list again where something is to be added to it and is not named; says whether it was."""
    field = wanted_longer(turn.form, turn.draft, text, turn.context)
    if field is None or any(additions(turn.form, turn.draft, text, turn.context)):
        return False
    turn.change(Unlocked(field.name), Reopened(field.name))
    turn.present(Next())
    return True


def together(turn: TurnContext, field: Field, data: Data, text: str) -> Data:
    """What an answer to a list that was opened again comes to: with what stands, where it adds to it or was asked for to be added."""
    standing = turn.draft.values.get(field.name)
    if standing is None or not takes_more(field) or not isinstance(standing.data, tuple) or not isinstance(data, tuple):
        return data
    more = added(field, standing.data, text, turn.context)
    before = [line.text for line in said_by_person(turn.draft)][-2:-1]
    asked_for = any(wanted_longer(turn.form, turn.draft, said, turn.context) == field for said in before)
    if more is None and not asked_for:
        return data
    return tuple(c.value for c in field.choices if c.value in {*standing.data, *data})


def add_beside_files(turn: TurnContext, words: str, message: str) -> tuple[Field, ...]:
    """Take what words beside files add to a list, before the files have their places; gives the files' fields that come with it."""
    found = tuple(additions(turn.form, turn.draft, words, turn.context))
    before = turn.draft
    for i, take in enumerate(found):
        arguments = {"field": take.field.name, "value": take.data, "words": words[take.start : take.end]}
        judge_calls(turn, ToolCalls(RULES), Reply(calls=(ToolCall(f"rules-{message}-a{i}", CORRECT, arguments),)))
    known = {f.name for f in reachable(turn.form, before)}
    return tuple(f for f in reachable(turn.form, turn.draft) if f.name not in known and kind_of(f).by_file)
