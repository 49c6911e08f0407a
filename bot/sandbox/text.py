"""Slack's text format: what a person types becomes escaped text and rich text; what a bot sends may alert people."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.sandbox.clock import new_id
from bot.sandbox.workspace import Json, Workspace

URL = r"https?://[^\s<>|]+[^\s<>|.,;:!?)\]'\"]"
STRAY_AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt);)")
MARKUP = re.compile(r"(<(?:[@#!]|https?:|mailto:|tel:)[^<>]*>)")
CONTROL = re.compile(
    r"<!(?P<range>channel|here|everyone)(?:\|[^<>]*)?>"
    r"|<!subteam\^(?P<group>[A-Z0-9]+)(?:\|[^<>]*)?>"
    r"|<@(?P<user>[UW][A-Z0-9]+)(?:\|[^<>]*)?>"
)
READS_CONTROL = ("mrkdwn", "markdown")
MENTIONS = {"broadcast": "range", "user": "user_id", "usergroup": "usergroup_id"}
"""Elements of rich text that notify, and what names whom."""
LINKED_NAME = re.compile(r"(?<![\w@])@(channel|here|everyone)\b")


@dataclass(frozen=True)
class Part:
    """A piece of what a person typed; `kind` is "text", "user", "broadcast" or "link"."""

    kind: str
    value: str


def escape(text: str) -> str:
    """Return text with the three characters that Slack reserves written as entities."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def unescape(text: str) -> str:
    """Return the reverse of `escape`."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def typed(text: str, workspace: Workspace) -> list[Part]:
    """Return what Slack's message box makes of typed words: mentions by id or name, @channel, links, and plain text."""
    names = {person.name.lower(): person.id for person in workspace.people.values()}
    names |= {person.real_name.lower(): person.id for person in workspace.people.values()}
    names[workspace.bot.name.lower()] = workspace.bot.user_id
    ids = "|".join([workspace.bot.user_id, *workspace.people])
    called = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    pattern = re.compile(
        rf"<@(?P<id>{ids})>|(?<!\w)@(?P<name>{called})(?!\w)|(?<!\w)@(?P<range>channel|here|everyone)\b|(?P<url>{URL})",
        re.IGNORECASE,
    )
    return list(_parts(text, pattern, names))


def _parts(text: str, pattern: re.Pattern[str], names: dict[str, str]) -> Iterator[Part]:
    end = 0
    for match in pattern.finditer(text):
        if match.start() > end:
            yield Part("text", text[end : match.start()])
        yield _token(match, names)
        end = match.end()
    if end < len(text):
        yield Part("text", text[end:])


def _token(match: re.Match[str], names: dict[str, str]) -> Part:
    if match["url"]:
        return Part("link", match["url"])
    if match["range"]:
        return Part("broadcast", match["range"].lower())
    return Part("user", match["id"].upper() if match["id"] else names[match["name"].lower()])


def wire(parts: list[Part]) -> str:
    """Return the `text` of a message made of these parts."""
    forms = {"text": "{}", "user": "<@{}>", "broadcast": "<!{}>", "link": "<{}>"}
    return "".join(forms[part.kind].format(escape(part.value)) for part in parts)


def rich_text(parts: list[Part]) -> Json:
    """Return the rich_text block that Slack's own client sends for these parts."""
    keys = {"text": "text", "user": "user_id", "broadcast": "range", "link": "url"}
    elements = [{"type": part.kind, keys[part.kind]: part.value} for part in parts]
    section = {"type": "rich_text_section", "elements": elements}
    return {"type": "rich_text", "block_id": new_id("", 5), "elements": [section]}


def from_bot(text: str) -> str:
    """Return a bot's text as Slack keeps it: stray reserved characters become entities, control sequences stay."""
    pieces = MARKUP.split(STRAY_AMPERSAND.sub("&amp;", text))
    stray = [piece.replace("<", "&lt;").replace(">", "&gt;") for piece in pieces[::2]]
    pieces[::2] = stray
    return "".join(pieces)


def alerted(text: str, blocks: list[Json], *, link_names: bool = False) -> tuple[str, ...]:
    """Who a bot's message really notifies: "channel", "here", "everyone", ids of groups and people; each once."""
    objects = list(_objects(blocks))
    written = [text, *_markup(objects)]
    found = [match[match.lastgroup or 0] for markup in written for match in CONTROL.finditer(markup)]
    found += _rich_mentions(objects)
    if link_names:
        found += LINKED_NAME.findall(text)
    return tuple(dict.fromkeys(found))


def _objects(node: object) -> Iterator[Json]:
    """Yield every object in a list of blocks, the outer before the inner."""
    if isinstance(node, dict):
        yield node
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for one in inner:
        if isinstance(one, dict | list):
            yield from _objects(one)


def _markup(objects: list[Json]) -> Iterator[str]:
    """Return every text in which Slack reads control sequences: mrkdwn objects and markdown blocks, never plain_text."""
    return (node["text"] for node in objects if node.get("type") in READS_CONTROL and isinstance(node.get("text"), str))


def _rich_mentions(objects: list[Json]) -> Iterator[str]:
    named = ((node, MENTIONS.get(str(node.get("type")))) for node in objects)
    return (node[key] for node, key in named if key and isinstance(node.get(key), str))
