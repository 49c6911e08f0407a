"""Requests for models without native tools: tools and the format of a reply as text, earlier rounds as plain turns, one retry."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from prompts.marks import FLAW, RESULT
from prompts.request import Dialect, Message, Request, Tool
from state.draft.reply import ToolCall
from state.draft.scope import GO
from state.form import Form


def dialect_of(setting: Dialect, form: Form) -> Dialect:
    """Return the installation's dialect where one is set (its model may have no tools), else the form's own."""
    return form.dialect if setting == "tools" else setting


AGAIN = 400
"""Tokens that a retry may add to its request: what `_SHOWN` bytes come to at the most, and the sentences about them."""
_SHOWN = 600
"""Bytes of the unreadable reply, in UTF-8, that are sent back."""


def asked_again(request: Request, reply: str, flaw: str) -> Request:
    """Return the request that says what was wrong; `flaw` is a clause ("a code fence stands around the JSON")."""
    shown = reply.encode("utf-8", "replace")[:_SHOWN].decode("utf-8", "ignore")
    told = (
        f"{FLAW}\nYour last reply could not be read: {flaw}. Nothing in it was done or shown. "
        "Write the whole reply anew, in the one format that is described above."
    )
    said = ({"role": "assistant", "content": shown},) if shown.strip() else ()
    return replace(request, messages=(*request.messages, *said, {"role": "system", "content": told}))


Block = Mapping[str, Any]


def in_dialect(request: Request, dialect: Dialect) -> Request:
    """Return the request as it is asked in a dialect; the same one for native tools."""
    if dialect == "tools":
        return request
    system = f"{request.system}\n\n{format_rules(dialect, request.tools, words=request.words)}"
    messages = tuple(_turns(request.messages, dialect))
    return replace(request, system=system, messages=messages, tools=(), dialect=dialect, told=request.tools)


def _turns(messages: Sequence[Message], dialect: Dialect) -> Iterator[Message]:
    """Yield words as they are; calls, and the results in the turn behind them, as turns of text."""
    for message, after in zip_longest(messages, messages[1:], fillvalue={"content": ""}):
        content = message["content"]
        if message["role"] == "assistant":
            yield from _rounds(_blocks(content), _results(_blocks(after["content"])), dialect)
        elif isinstance(content, str):
            yield message
        elif words := _words(content):
            yield {**message, "content": words}


def _rounds(content: Sequence[Block], results: Mapping[str, str], dialect: Dialect) -> Iterator[Message]:
    """Yield the model's words and calls, an act at a time, each answered by its result."""
    text = _words(content)
    calls = [
        ToolCall(block["id"], block["name"], dict(block["input"])) for block in content if block["type"] == "tool_use"
    ]
    if not calls:
        yield {"role": "assistant", "content": written(dialect, text, ())}
    for place, group in enumerate(acts(dialect, calls)):
        yield {"role": "assistant", "content": written(dialect, "" if place else text, group)}
        told = "\n".join(f"{RESULT} {results[call.id]}" for call in group if call.id in results)
        yield {"role": "user", "content": told or RESULT}


def _blocks(content: str | Sequence[Block]) -> Sequence[Block]:
    return ({"type": "text", "text": content},) if isinstance(content, str) else content


def _results(content: Sequence[Block]) -> dict[str, str]:
    return {block["tool_use_id"]: str(block["content"]) for block in content if block["type"] == "tool_result"}


def _words(content: Sequence[Block]) -> str:
    return "\n".join(block["text"] for block in content if block["type"] == "text")


LINE = "---"
"""The line between words and action."""
_MOVE = frozenset({"to", "words"})


def acts(dialect: Dialect, calls: Sequence[ToolCall]) -> list[tuple[ToolCall, ...]]:
    """Group calls as one reply can hold them: what one quote sets goes together in a block, all else stands alone."""
    groups: list[tuple[ToolCall, ...]] = []
    for call in calls:
        if dialect == "block" and groups and _together(groups[-1], call):
            groups[-1] = (*groups[-1], call)
        else:
            groups.append((call,))
    return groups


def written(dialect: Dialect, text: str, calls: Sequence[ToolCall]) -> str:
    """Write one reply: words alone, or one group of `acts`, with the words above it where the dialect has room for both."""
    if dialect == "json":
        called = [{"name": call.tool, "arguments": call.arguments or {}} for call in calls[:1]]
        return _dumped({"tool_call": called[0]} if called else {"answer": {"text": text}})
    return "\n".join(part for part in (text, *((LINE, _dumped(_action(calls))) if calls else ())) if part)


def _together(group: tuple[ToolCall, ...], call: ToolCall) -> bool:
    held = {name for one in group for name in _fields(one)}
    return all(map(_sets, (*group, call))) and _quote(group[0]) == _quote(call) and not held & set(_fields(call))


def _sets(call: ToolCall) -> bool:
    return (
        call.tool.startswith(SETTER)
        and bool(_fields(call))
        and (WORDS not in (call.arguments or {}) or isinstance(_quote(call), str | dict))
    )


def _quote(call: ToolCall) -> Any:
    return (call.arguments or {}).get(WORDS)


def _fields(call: ToolCall) -> dict[str, Any]:
    return {name: value for name, value in (call.arguments or {}).items() if name != WORDS}


def _action(calls: Sequence[ToolCall]) -> dict[str, Any]:
    first = calls[0]
    given = first.arguments or {}
    if _sets(first):
        data = {name: value for call in calls for name, value in _fields(call).items()}
        return {"action": "collect", "data": data, **({WORDS: _quote(first)} if WORDS in given else {})}
    if first.tool == GO and given.keys() | {WORDS} == _MOVE:
        return {"action": "transition", **given}
    return {"action": "tool", "name": first.tool, "arguments": given}


def _dumped(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


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
    """Return the format and the tools as text; empty for native tools. Without `words` nothing that the model writes is for the user."""
    if dialect == "block":
        return _block(tools, words=words)
    if dialect == "json":
        rules = _JSON.format(no_tools=_NO_TOOLS, others=_WORDS if words else _SILENT)
        return "\n\n".join(filter(None, (rules, _listed("Tools:", signatures(tools)))))
    return ""


def _block(tools: Sequence[Tool], *, words: bool) -> str:
    setters = [tool for tool in tools if is_setter(tool)]
    others = [tool for tool in tools if not is_setter(tool) and tool["name"] != GO]
    moves = [
        _TRANSITION.format(targets=type_of(tool["input_schema"]["properties"]["to"]), purpose=tool["description"])
        for tool in tools
        if tool["name"] == GO
    ]
    last = _CLARIFY if words else _SILENT_ACTION
    actions = (_COLLECT if setters else "", *moves, last, _TOOL if others else "")
    rules = (_BLOCK if words else _BLOCK_ACTS).format(no_tools=_NO_TOOLS, actions="\n".join(filter(None, actions)))
    listed = (_listed("Fields:", fields(setters)), _listed("Tools:", signatures(others)))
    return "\n\n".join(filter(None, (rules, *listed)))


def _listed(title: str, lines: str) -> str:
    return f"{title}\n{lines}" if lines else ""


Schema = Mapping[str, Any]
SETTER = "set_"
WORDS = "words"


def is_setter(tool: Tool) -> bool:
    """Return True if the tool sets fields: it takes them by name, beside the person's words."""
    return tool["name"].startswith(SETTER) and WORDS in tool["input_schema"]["properties"]


def signatures(tools: Sequence[Tool]) -> str:
    """Return a line per tool: `- correct(field: "quantity"|"value", value: string, words: string): Change …`."""
    return "\n".join(f"- {tool['name']}({_arguments(tool['input_schema'])}): {tool['description']}" for tool in tools)


def fields(setters: Sequence[Tool]) -> str:
    """Return a line per setter with the fields it sets and their types, without the words they rest on."""
    lines = []
    for tool in setters:
        properties = {name: part for name, part in tool["input_schema"]["properties"].items() if name != WORDS}
        lines.append(f"- {_arguments({'properties': properties, 'required': properties})}: {tool['description']}")
    return "\n".join(lines)


def _arguments(schema: Schema) -> str:
    needed = schema.get("required", ())
    given = schema.get("properties", {}).items()
    return ", ".join(f"{name}{'' if name in needed else '?'}: {type_of(part)}" for name, part in given)


def type_of(schema: Schema) -> str:
    """Return the type in a few characters, with what its description adds."""
    plain = _plain_type(schema)
    return f"{plain} ({schema['description']})" if schema.get("description") else plain


def _plain_type(schema: Schema) -> str:
    if "enum" in schema:
        return "|".join(json.dumps(choice, ensure_ascii=False) for choice in schema["enum"])
    if "anyOf" in schema:
        return "|".join(map(type_of, schema["anyOf"]))
    kinds = schema.get("type", "any")
    if kinds == "array":
        return f"[{type_of(schema.get('items', {}))}, …]"
    if kinds == "object":
        return f"{{{_arguments(schema)}}}"
    return kinds if isinstance(kinds, str) else "|".join(kinds)
