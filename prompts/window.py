"""The conversation as a model sees it: its first and last lines, older ones cut, in turns that begin with the person's."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from prompts.budget import LED, TokenBudget
from prompts.marks import CLICKED, CUT, EARLIER, UNREAD, cut, inert, inert_act, one_line
from prompts.request import Message
from prompts.view import View
from state.draft.changes import WINDOW
from state.draft.draft import HANDED_BACK, TOOK_OVER, ChatLine, Draft

NEWEST = 2000
"""Characters of the newest message that a model sees; the whole of it stays in its event."""
_UNANSWERED = 4
"""How many times the room of an older line the person's words have that no reply came to."""
_NAMED = 6
"""Fields that the line about what is left out names."""


@dataclass(frozen=True)
class History:
    """Lines up to the newest of the person's; `opening` of them are the conversation's first, before a gap."""

    lines: tuple[ChatLine, ...]
    opening: int = 0

    @property
    def unanswered(self) -> int:
        """Where the person's words begin that no reply came to."""
        spoken = [i for i, line in enumerate(self.lines) if line.role == "assistant"]
        return spoken[-1] + 1 if spoken else 0

    @property
    def first_unread(self) -> int:
        """Where the lines begin that nobody has read."""
        return next((i for i, line in enumerate(self.lines) if line.unread), len(self.lines))

    @property
    def waits(self) -> bool:
        """True if older lines than the newest are unread: then the unread ones are marked."""
        return self.first_unread < len(self.lines) - 1


def window(view: View, act: str, room: TokenBudget) -> tuple[Message, ...]:
    """Turns of user and assistant, first and last the user's. `act` is the newest line where the draft does not hold it."""
    history = heard(view.draft, act)
    dropped = min(max(0, len(history.lines) - room.lines), history.first_unread)
    texts = [(line.role, _text(view, history, i, room)) for i, line in enumerate(history.lines)][dropped:]
    if dropped or _has_gap(view.draft):
        gave = _gave(view, history.lines[dropped:]) if room.lines > LED else ""
        texts.insert(max(0, history.opening - dropped), ("user", f"{EARLIER} Lines are left out here.{gave}"))
    return _turns(texts)


def heard(draft: Draft, act: str = "") -> History:
    """Return the lines that count: what the bot said after the person's newest line is on screen, and nothing to answer."""
    lines = tuple(line for line in (*draft.opening, *draft.window) if one_line(line.text))
    spoken = [i for i, line in enumerate(lines) if line.role == "user"]
    held = bool(spoken) and (not act or lines[spoken[-1]].text == act)
    said = ChatLine("user", act or f"{CLICKED} start", clicked=True)
    lines = _typed(lines[: spoken[-1] + 1] if held else (*lines, said))
    return History(lines, sum(any(line is first for first in draft.opening) for line in lines))


def _typed(lines: tuple[ChatLine, ...]) -> tuple[ChatLine, ...]:
    """Return the lines without older clicks and the questions before them: [GROUND TRUTH] holds the answers."""
    newest = lines[-1]
    return (
        *(line for line, after in pairwise(lines) if not _is_click(line) and not _led_to(line, after, newest)),
        newest,
    )


def _led_to(line: ChatLine, after: ChatLine, newest: ChatLine) -> bool:
    """Return True if the line is a question that an older click answered."""
    return line.role == "assistant" and after is not newest and _is_click(after)


def _is_click(line: ChatLine) -> bool:
    return line.clicked and line.role == "user" and line.text not in (TOOK_OVER, HANDED_BACK)


def never_cut(history: History) -> str:
    """Return what no budget takes away: the newest message and what nobody has read, as the model sees them."""
    return "\n".join(_whole(line) for line in history.lines[:-1] if line.unread) + newest(history)


def newest(history: History) -> str:
    """Return the newest message as the model sees it."""
    return _whole(history.lines[-1])


def _whole(line: ChatLine) -> str:
    return _fitted(line, line.text.strip(), NEWEST)


def _text(view: View, history: History, place: int, room: TokenBudget) -> str:
    line = history.lines[place]
    if line.unread and history.waits:
        return f"{_mark(view, line)} {_whole(line)}"
    if place == len(history.lines) - 1:
        return newest(history)
    waits = place >= history.unanswered and not line.clicked
    return _fitted(line, one_line(line.text), room.line * (_UNANSWERED if waits else 1))


def _mark(view: View, line: ChatLine) -> str:
    """That a line is unread, and which question it may answer."""
    asked = view.form.fields.get(line.asked or "")
    return f"{UNREAD[:-1]}, asked for {view.label(asked)}]" if asked else UNREAD


def _fitted(line: ChatLine, text: str, limit: int) -> str:
    part = text[: limit + 1]
    return cut(inert_act(part) if line.clicked else inert(part), limit, CUT)


def _has_gap(draft: Draft) -> bool:
    """Return True if lines have left the draft's own window: it is full, and there were more acts than it holds."""
    kept = sum(line.role == "user" for line in (*draft.opening, *draft.window))
    return len(draft.window) >= WINDOW and draft.turn > kept


def _gave(view: View, kept: tuple[ChatLine, ...]) -> str:
    """Which fields the lines gave that are not shown."""
    seen = {line.message for line in kept if line.message}
    told = tuple(f for f in view.filled if view.draft.values[f.name].provenance.message not in seen)
    more = f" and {len(told) - _NAMED} more" if len(told) > _NAMED else ""
    return f" They gave: {view.labels(told[:_NAMED])}{more}." if told else ""


def _turns(texts: Sequence[tuple[str, str]]) -> tuple[Message, ...]:
    """Neighbours of one role as one turn; what the bot said before the person's first line is left out."""
    grouped = [(role, [text for _, text in group]) for role, group in groupby(texts, key=lambda said: said[0])]
    first = 1 if grouped[0][0] == "assistant" else 0
    return tuple({"role": role, "content": "\n".join(said)} for role, said in grouped[first:])
