"""A person who files the form on either side by what is on the screen, and what they saw and got."""

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from bot.sandbox.workspace import ActError, Message
from tests.bench.acts import Act, Seat, content, labels
from tests.bench.peers.form import DECLARATIONS, FIELDS, asks
from tests.bench.peers.models import AGAIN, ASIDE, CLAIMS, CORRECTION, FALSE, NOBODY, OPENING, REASON
from tests.whole.steps import FILED
from tests.world import shown

TRUTH: Mapping[str, Any] = {**FILED, "quantity": 250}
"""What the person means, and says."""
TYPED = ("is_leveraged", "is_related_party")
BUTTONS = ("Change to 250", "Use all of it", "Use this", "Buy", "I understand", "Submit anyway", "Submit")
SAYS = {
    "security": "Tesco",
    "quantity": "250",
    "value": "£720",
    "currency": "GBP",
    "account": "pension",
    "justification": REASON,
    "related_party_relation": NOBODY,
}
ELSE = "Please go on."
MOST = 30
"""Acts after which a person gives up."""
TRIES = 3
"""Times that a person types the same answer, or asks to go on."""
FAR = 40
"""Messages that a person scrolls back for a question that is still open."""
DONE = "Submitted · PA-"
OPENED = ("security", "direction", "quantity", "value", "currency", "account")


Do = Callable[[Seat, Act, str], Awaitable[bool]]


@dataclass
class Visit:
    """One person's way through the form, act by act."""

    seat: Seat
    acts: int = 0
    told: set[str] = field(default_factory=set)
    """Fields that the person has answered."""
    repeated: int = 0
    """Questions that came again after their answer."""
    false: int = 0
    """Statements that were not so when they were shown."""
    ended: bool = False
    seen: set[tuple[str, str]] = field(default_factory=set)
    tries: Counter[str] = field(default_factory=Counter)
    card: str = ""
    """The message that the next act answers."""

    def next(self) -> tuple[Act, str] | None:
        """Return what a person does next, and the field that it answers; None once they are through or give up."""
        self.look()
        if self.ended or self.acts >= MOST or self.tries[""] >= TRIES:
            return None
        self.acts += 1
        if self.acts == 1:
            return Act("opening", OPENING), "opening"
        act, answers = self._answer()
        self.tries[answers if act.words != ELSE else ""] += not act.clicks
        for name, words in (("is_leveraged", CORRECTION.format(250)), ("has_inside_info", ASIDE)):
            if answers == name and (name, words) not in self.seen:
                self.seen.add((name, words))
                return Act("sentence", words), ""
        return act, answers

    def _answer(self) -> tuple[Act, str]:
        """Return the act that the newest question wants."""
        for message in latest(self.seat):
            there, asked, self.card = labels(message), asks(shown(message.body)), message.ts
            if found := next((words for words in BUTTONS if words in there), ""):
                return _click(found), "holding_period_ack" if found == "I understand" else ""
            if {"Yes", "No"} <= set(there) and asked:
                return (Act("typed", "No") if asked[-1] in TYPED else _click("No")), asked[-1]
            if asked and asked[-1] not in DECLARATIONS and self.tries[asked[-1]] < TRIES:
                return Act("typed", SAYS.get(asked[-1], ELSE)), asked[-1]
        return Act("sentence", ELSE), ""

    @property
    def waits(self) -> bool:
        """Return True if nothing on the screen wants an answer."""
        self.look()
        return not self.ended and self._answer()[0].words == ELSE

    def answered(self, name: str) -> None:
        """Keep what the person has told by now."""
        self.told |= set(OPENED) if name == "opening" else {name} - {""}

    def look(self) -> None:
        """Read what is new on the screen: questions that were answered, statements that are not so, and the receipt."""
        for message in latest(self.seat):
            words = shown(message.body)
            for name in asks(words):
                self.repeated += self._first(message.ts, name) and name in self.told
            for lie in (*FALSE.values(), AGAIN):
                if lie in words and self._first(message.ts, lie) and not (lie in CLAIMS and self.ended):
                    self.repeated += lie == AGAIN
                    self.false += lie != AGAIN
            self.ended = self.ended or DONE in words

    def _first(self, ts: str, what: str) -> bool:
        new = (ts, what) not in self.seen
        self.seen.add((ts, what))
        return new

    async def step(self, done: Callable[[], Awaitable[None]], do: Do | None = None) -> bool:
        """Do one act and wait until it is `done`. False: there is nothing more to do."""
        found = self.next()
        if found is None:
            return False
        with suppress(LookupError):  # the card has changed under the person's finger
            with suppress(ActError):
                await (do or act_out)(self.seat, found[0], self.card)
            self.answered(found[1])
        await done()
        return True


def latest(seat: Seat) -> list[Message]:
    """Return the bot's messages that a person looks through, the newest first."""
    kept = seat.side.sandbox.workspace.channels[seat.who.dm].messages.values()
    return [m for m in reversed(kept) if "bot_id" in m.body][:FAR]


def _click(words: str) -> Act:
    return Act("click", words, clicks=True, changes=True)


PATIENCE = 6.0
"""Seconds for an answer, beyond which there is none."""


async def act_out(seat: Seat, act: Act, card: str = "") -> bool:
    """Act, a click on this card, and wait for what comes; the milliseconds are the seat's. False: nothing came."""
    before = {m.ts: content(m) for m in latest(seat)}
    began = time.perf_counter()
    await (seat.who.click(act.words, card) if act.clicks else seat.who.say(act.words))
    try:
        await seat.side.sandbox.until(lambda: any(before.get(m.ts) != content(m) for m in latest(seat)), PATIENCE)
    except TimeoutError:
        return False
    seat.found.setdefault(act.kind, []).append((time.perf_counter() - began) * 1000)
    return True


@dataclass(frozen=True)
class Outcome:
    """What came of a visit, against what the person meant."""

    wrong: int
    """Values filed that differ from what was said."""
    forged: int
    """Declarations filed that the person never made, or made otherwise."""
    false: int
    repeated: int
    dead_end: bool
    acts: int


def outcome(visit: Visit, filed: Sequence[Mapping[str, Any]]) -> Outcome:
    """Compare the first record with what the person said."""
    found = filed[0] if filed else {}
    declared = (*DECLARATIONS, "holding_period_ack")
    differ = {name for name in found if name in FIELDS and found[name] != TRUTH.get(name)}
    forged = {name for name in declared if name in found and (name not in visit.told or name in differ)}
    return Outcome(len(differ - forged), len(forged), visit.false, visit.repeated, not filed, visit.acts)
