"""What the system prompt says of a dialect: the tools, and the one format in which a reply is read."""

from collections.abc import Sequence

from prompts.dialects.catalogue import fields, is_setter, signatures, type_of
from prompts.marks import RESULT
from prompts.request import Dialect, Tool
from state.draft.scope import GO

_NO_TOOLS = f"You have no native tools. Code reads your reply by this format alone; a line that starts with {RESULT} is what an act of yours came to."

_BLOCK = """\
{no_tools}
Your reply is words for the user. Only where there is something to do, below them a line that holds --- alone and then exactly \
one JSON object, nothing after it:
{actions}
No other keys, no code fence, one action a reply, no JSON and no braces in the words."""

_COLLECT = """{"action": "collect", "data": {"FIELD": VALUE}, "words": "THE USER'S EXACT WORDS"}: set all fields that these words say"""
_TRANSITION = """{{"action": "transition", "to": {targets}, "words": "THE USER'S EXACT WORDS"}}: {purpose}"""
_CLARIFY = """{"action": "clarify", "question": "QUESTION"}"""
_TOOL = """{"action": "tool", "name": "TOOL", "arguments": {"ARGUMENT": VALUE}}"""

_BLOCK_ACTS = """\
{no_tools}
Your reply is a line that holds --- alone and then exactly one JSON object, nothing before or after it:
{actions}
No other keys, no code fence, one action a reply."""
_SILENT_ACTION = """{"action": "silent"}: nothing more to do or to say"""

_JSON = """\
{no_tools}
Your reply is exactly one JSON object and nothing else. It has exactly one of these shapes:
{{"tool_call": {{"name": "TOOL", "arguments": {{"ARGUMENT": VALUE}}}}}}: one call; where more is to do, call again after its result. \
Add "confirm": {{"message": "TEXT"}} beside "arguments" if the user should confirm first.
{others}
No other keys, no code fence, no braces in what the user reads."""
_WORDS = """\
{"clarify": {"question": "QUESTION"}}
{"answer": {"text": "WORDS FOR THE USER"}}"""
_SILENT = """{"silent": {}}: nothing more to do or to say"""


def format_rules(dialect: Dialect, tools: Sequence[Tool], *, words: bool) -> str:
    """Format and tools as text; empty for native tools. Without `words` nothing that the model writes is for the user."""
    if dialect == "block":
        return _block(tools, words=words)
    if dialect == "json":
        rules = _JSON.format(no_tools=_NO_TOOLS, others=_WORDS if words else _SILENT)
        return "\n\n".join(filter(None, (rules, _listed("Tools:", signatures(tools)))))
    return ""


def _block(tools: Sequence[Tool], *, words: bool) -> str:
    setters = [tool for tool in tools if is_setter(tool)]
    others = [tool for tool in tools if not is_setter(tool) and tool["name"] != GO]
    moves = [_transition(tool) for tool in tools if tool["name"] == GO]
    last = _CLARIFY if words else _SILENT_ACTION
    actions = (_COLLECT if setters else "", *moves, last, _TOOL if others else "")
    rules = (_BLOCK if words else _BLOCK_ACTS).format(
        no_tools=_NO_TOOLS, actions="\n".join(action for action in actions if action)
    )
    listed = (_listed("Fields:", fields(setters)), _listed("Tools:", signatures(others)))
    return "\n\n".join(part for part in (rules, *listed) if part)


def _transition(go: Tool) -> str:
    """Return the action that stands for the tool which takes a step, with the steps that are open."""
    targets = type_of(go["input_schema"]["properties"]["to"])
    return _TRANSITION.format(targets=targets, purpose=go["description"])


def _listed(title: str, lines: str) -> str:
    return f"{title}\n{lines}" if lines else ""
