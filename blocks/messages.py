"""Messages outside of a form's cards: notes, lists of forms, what operators read, an erasure, and what Slack shows meanwhile."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import unescape
from typing import Any
from urllib.parse import urlencode

from blocks.elements import Block, Message, actions, button, link, message, option, press_id, section, select
from blocks.home import IN_ROWS, begin, draft_row, form_row
from blocks.ids import OPEN_DM, TICK, TOGETHER, Press, read_press
from blocks.page import Page, read_in, sentence
from blocks.phrases import Phrasebook
from blocks.text import SECTION, cut, escape, lines, literal, one_line, size
from state.draft.draft import Draft
from state.draft.utterance import Utterance
from state.engine.events import Act
from state.form import Form
from state.language import language_of, understood

_REASON = 1500
NAMED = 50
"""Records that a message names."""
OWN = ("not_in_channel", "is_archived", "missing_scope")
"""Delivery failures with a sentence of their own."""


def _plain(text: str) -> Message:
    """Return a message of one section; `text` is escaped."""
    return message(text, [section(text)])


def build_note(form: Form, draft: Draft, told: Utterance, today: str) -> Message:
    """Build a private note about a draft: "Only @alex can answer this request."."""
    return _plain(sentence(Page(form, draft, today), told))


def build_plain(*told: str) -> Message:
    """Build sentences outside of any draft, a line each."""
    return _plain("\n".join(map(literal, told)))


def build_answer(form: Form | None, told: Sequence[str], said: str = "") -> Message:
    """Build the answer to a question that begins no form, with a button that begins the form it is about, with what was `said` (its timestamp)."""
    shown = "\n".join(map(literal, told))
    return message(shown, [section(shown), *([actions([begin(form, said)])] if form else [])])


def listed_lines(form: Form, requests: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the newest requests of a form that has no sentence of its own for them, a line each: number, essence, state, day."""
    page, told = Page(form, Draft("", form.name, "", "", ""), ""), []
    for request in requests:
        args = {name: str(request.get(name) or "") for name in ("number", "essence")}
        args |= {"state": page.state(str(request["state_name"])), "day": page.day(str(request["filed_on"]))}
        key = "request_line" if args["essence"] else "request_line_bare"
        told.append(page.words.fill(key, args, str))
    return told


def build_cause(words: Phrasebook, status: str, reason: str, channel: str, row: str, *, holds: bool) -> Message:
    """Build why something cannot be delivered or handled, where, and the remedy. `channel` is empty where it would name a person."""
    place = f"<#{channel}>" if channel else escape(words.say("ops_direct"))
    if status == "dead":
        key = "ops_dead"
    elif reason == "unclear" or reason in OWN:
        key = f"ops_{reason}"
    else:
        key = "ops_place" if holds else "ops_message"
    return _plain(words.fill(key, {"place": place, "reason": escape(reason), "row": escape(row)}, literal))


def build_passed_on(words: Phrasebook, sink: str, numbers: Sequence[str]) -> Message:
    """Name, after an erasure, the records that a sink may have."""
    more = f", … ({len(numbers)})" if len(numbers) > NAMED else ""
    return build_trouble(words, "ops_passed_on", sink, ", ".join(numbers[:NAMED]) + more)


def build_trouble(words: Phrasebook, key: str, place: str, reason: str, row: str = "") -> Message:
    """Build the catalogue's sentence `key` about a sink or an operator's file, with the reason and the row, or line, to mend."""
    args = {"place": f"*{escape(place)}*", "reason": escape(reason, _REASON), "row": escape(row)}
    return _plain(words.fill(key, args, literal))


def build_erase_ask(words: Phrasebook, language: str, proposal: str, kept: Sequence[str] = ()) -> Message:
    """Build the question before an erasure: what goes, what the law wants kept. `proposal` binds both buttons."""
    text = build_plain(words.say("erase_ask"), *kept).text
    do = button(words.say("erase_yes"), Press("erase_confirmed", field=language, card=proposal), style="danger")
    stay = button(words.say("erase_no"), Press("erase_kept", field=language, card=proposal))
    return aloud(message(text, [section(text), actions([do, stay])]))


MOST_FORMS, MOST_DRAFTS = 25, 10


def app_link(app: str, team: str) -> str:
    """Return the address of the app's direct message (https://docs.slack.dev/interactivity/deep-linking)."""
    return f"https://slack.com/app_redirect?{urlencode({'app': app, 'team': team})}"


def build_channel_hint(words: Phrasebook, address: str) -> Message:
    """Build one line and a button, without anything of a form."""
    text = literal(words.say("channel_hint"))
    return message(text, [section(text, link(words.say("open_dm"), address, OPEN_DM))])


def build_left(words: Phrasebook, form: Form, draft: Draft) -> Message:
    """Tell that this draft is kept while another form comes first, with the button that continues it."""
    text = literal(words.say("stays_open", form=read_in(form, words.language).title))
    return message(text, [section(text), draft_row(words, (form, draft))])


def build_chooser(
    words: Phrasebook,
    forms: Sequence[Form],
    drafts: Sequence[tuple[Form, Draft]] = (),
    said: str = "",
    *,
    hello: str = "",
) -> Message:
    """Build the open drafts, each with its button, and the forms to begin: a row each, or a menu where there are many.

    `said` is the message that it answers (Slack's timestamp): whichever form is chosen takes its words. `hello`: the key of a
    greeting above it.
    """
    forms, asked = [read_in(form, words.language) for form in forms], literal(words.say("choose_form"))
    greeting = [literal(words.say(hello))] if hello else []
    open_ones = [draft_row(words, one) for one in drafts[:MOST_DRAFTS]]
    above = [*map(section, greeting), *open_ones, section(asked)]
    if len(forms) <= IN_ROWS:
        titles = BETWEEN.join(literal(form.title) for form in forms)
        return message(lines(*greeting, asked, titles), [*above, *(form_row(form, said) for form in forms)])
    press = Press("begin", hash=said)
    menu = select(words.say("pick"), press, [option(f.title, f.name) for f in forms[:MOST_FORMS]])
    return message(lines(*greeting, asked), [*above, actions([menu], press_id(press))])


MOST_PROMPTS = 4
_TITLE = 75
FILLING = ("where_was_i", "person", "restart", "cancel")
"""Keys of prompts while a form is filled in: each says what is understood at any time then."""


@dataclass(frozen=True)
class Thinking:
    """For `assistant.threads.setStatus`: "Holdfast is thinking…", and the messages that take turns below it."""

    status: str
    loading_messages: tuple[str, ...]


def thinking(words: Phrasebook) -> Thinking:
    """Return the status in a language's words."""
    return Thinking(words.say("thinking"), tuple(words.say(f"thinking_{n}") for n in ("reading", "looking", "almost")))


def waiting(words: Phrasebook, seconds: int) -> Thinking:
    """Return the status of an answer that Slack takes only in so many seconds."""
    return Thinking(words.say("waiting"), (words.say("waiting_seconds", seconds=str(seconds)),))


def suggested_prompts(
    words: Phrasebook, forms: Sequence[Form], keys: Sequence[str] = (), form: str = ""
) -> list[dict[str, str]]:
    """Return up to four prompts for `assistant.threads.setSuggestedPrompts`: what may be said now, then forms to begin, and all of them.

    `words` are in the person's language, `form` is the language of the form that is open: `keys` are of sentences that it
    understands. `forms` come in the order in which they are offered.
    """
    heard = [language.code for language in understood(language_of(form or words.language))]
    plain = words if words.language[:2] in heard else Phrasebook(form)
    prompts = [_prompt(words.say(key), plain.say(key)) for key in keys][:MOST_PROMPTS]
    room = MOST_PROMPTS - len(prompts)
    shown = [read_in(one, words.language) for one in (forms if len(forms) <= room else forms[: max(0, room - 1)])]
    prompts += [_prompt(words.say("prompt_begin", form=one.title), one.title) for one in shown]
    if room and len(shown) < len(forms):
        prompts.append(_prompt(words.say("prompt_all"), words.say("prompt_all").rstrip("…")))
    return prompts


def _prompt(title: str, said: str) -> dict[str, str]:
    return {"title": cut(one_line(title), _TITLE), "message": one_line(said)}


FEW, BETWEEN = 8, " / "
ANSWERING: frozenset[Act] = frozenset({
    "answer", "accept", "go", "keep", "change", "cancel_confirmed", "restart_confirmed", "disclose_confirmed", "stay", "confirm",
    "decline", "submit", "cancel", "submit_anyway", "take", "take_all", "leave",
    "erase_confirmed", "erase_kept", "decide", "withdraw", "withdraw_confirmed", "report", "unused", "unused_confirmed", "judge",
})  # fmt: skip
"""Acts that answer the question above their button; an explanation, a box to write in or a person does not."""
PICKING: Act = "pick"
"""Its button reads "Use this": the result is in the text beside it."""


def aloud(built: Message) -> Message:
    """Add a message's clickable answers to its notification text, each once; not where there are none or many."""
    clickable = list(dict.fromkeys(answers(built.blocks)))
    below = BETWEEN.join(clickable)
    if not 0 < len(clickable) <= FEW or size(below) > SECTION // 2:
        return built
    return replace(built, text=f"{cut(built.text, SECTION - size(below) - 1)}\n{below}")


def answers(blocks: Sequence[Block]) -> Iterator[str]:
    """Yield the answers that can be clicked, as escaped text in reading order."""
    for block in blocks:
        beside = block.get("accessory")
        if beside and _act(beside) == PICKING:
            yield str(block["text"]["text"]).partition("\n")[0].replace("*", "")
            continue
        row = block.get("elements", ()) if block["type"] == "actions" else ()
        for element in (*([beside] if beside else []), *row):
            if _act(element) in ANSWERING:
                yield escape(str(element["text"]["text"]))
            elif str(element.get("action_id", "")).startswith((TICK, f"{TOGETHER}.")):
                yield from (escape(str(option["text"]["text"])) for option in element.get("options", ()))


def _act(element: dict[str, Any]) -> Act | None:
    press = read_press(element.get("value")) if element.get("type") == "button" else None
    return press.act if press else None


Json = Mapping[str, Any]
MENU, EMPTY, TICKED = "▾", "☐", "📎"
DATE = re.compile(r"<!date\^[^|>]*\|([^>]*)>")
LINK = re.compile(r"<(?:https?|mailto|tel):[^|>]*\|([^>]*)>")
BOLD = re.compile(r"(?<!\w)([*_])([^*_\n]+)\1(?!\w)")


def screen_lines(message: Json) -> list[str]:
    """Return a message as it reads on screen, line by line: its blocks, or its text; buttons in brackets, menus with a mark, people as `<@U…>`."""
    blocks = message.get("blocks") or []
    found = [line for block in blocks for line in _block(block)] if blocks else _text(str(message.get("text", "")))
    return [*found, *(f"{TICKED} {file.get('name', '')}" for file in message.get("files") or ())]


def _block(block: Json) -> list[str]:
    kind, elements = block.get("type"), block.get("elements") or ()
    if kind == "actions":
        return ["  ".join(map(_element, elements))]
    if kind == "divider":
        return ["―"]
    parts = [block.get(key) for key in ("title", "subtitle", "text", "body", "alt_text", "label")]
    lines = [line for part in (*parts, *(block.get("fields") or ())) for line in _text(_plain_text(part))]
    if kind == "context":
        lines += [" ".join(_text(_plain_text(e)) or [_element(e)]) for e in elements]
    if kind == "table":
        lines += [" | ".join(map(_words, row)) for row in block.get("rows", ())]
    if kind == "rich_text":
        lines += map(_words, elements)
    if beside := block.get("accessory"):
        lines = [*lines[:-1], f"{lines[-1]}  {_element(beside)}" if lines else _element(beside)]
    return [*lines, *(["  ".join(map(_element, block["actions"]))] if block.get("actions") else [])]


def _words(part: Any) -> str:
    if isinstance(part, Mapping) and isinstance(part.get("text"), str):
        return str(part["text"])
    if isinstance(part, Mapping):
        return "".join(map(_words, part.get("elements", ())))
    return "".join(map(_words, part)) if isinstance(part, list) else ""


def _element(element: Json) -> str:
    if element.get("type") == "button":
        return f"[{_plain_text(element.get('text'))}]"
    options = [_plain_text(option.get("text")) for option in element.get("options", ())]
    if element.get("type") in ("checkboxes", "radio_buttons"):
        return "  ".join(f"{EMPTY} {option}" for option in options)
    if "action_id" not in element:
        return _plain_text(element)
    return f"[{_plain_text(element.get('placeholder')) or ', '.join(options)} {MENU}]"


def _plain_text(part: Any) -> str:
    if isinstance(part, Mapping):
        part = part.get("text", part.get("alt_text", ""))
    return part if isinstance(part, str) else ""


def _text(said: str) -> list[str]:
    """Return lines of Slack's markup as they are read."""
    plain = BOLD.sub(r"\2", LINK.sub(r"\1", DATE.sub(r"\1", said)))
    return [line.rstrip() for line in unescape(plain).splitlines() if line.strip()]
