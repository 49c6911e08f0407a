"""The scripted model: it knows what the person means, proposes it, offers what the person will take, and misbehaves as often as it is told.

It quotes the data set's words where they stand in the message, else the message ("2" for "two rooms"). A yes/no question that the data
set's bot puts while our form asks something else is put as an offer of a yes.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from state.understanding.evidence import holds_quote
from tests.replay.data import Turn, Write
from tests.replay.gold import same

Proposed = tuple[str, dict[str, Any]]
WORDS = "All right."
UNKNOWN = ("approve_request", "set_everything", "submit_form", "finalize", "unlock_field")


class Actor:
    """Plays one person's dialogue after another. `pool`: values of the whole data set by field, to invent from."""

    def __init__(self, rate: float, rng: random.Random, pool: Mapping[str, Sequence[str]]) -> None:
        self.rate, self._rng, self._pool = rate, rng, pool
        self.injected = 0
        self.begin("")

    def begin(self, said: str) -> None:
        """A new form; `said` is all that the person ever says in this dialogue, which is never invented."""
        self._said = said.casefold()
        self._turn, self._next = Turn(""), Turn("")
        self._owed: tuple[Write, ...] = ()
        self._fresh, self._last = False, list[Proposed]()

    def hear(self, turn: Turn, following: Turn, owed: tuple[Write, ...] = ()) -> None:
        """The person is about to say this turn; `owed` is what was said for this form before it was begun."""
        self._turn, self._next, self._owed, self._fresh = turn, following, owed, True

    def answer(
        self, offered: Callable[[str], bool], values: Mapping[str, Any], refused: Sequence[str]
    ) -> tuple[list[Proposed], str]:
        """Calls and words for one request. `offered` says whether a tool is; `refused` are the fields whose words were not enough."""
        if refused:
            again = [w for w in self._turn.writes + self._owed if w.field in refused]
            return [("offer", {"field": w.field, "value": w.value}) for w in again if offered("offer")], WORDS
        if not self._fresh:
            return [], WORDS
        self._fresh = False
        good = [*self._proposals(offered, values), *self._offers(offered, values)]
        calls = [*good, *self._faults(good, offered, values)]
        self._rng.shuffle(calls) if len(calls) > len(good) else None
        self._last = good
        return calls, WORDS

    def _proposals(self, offered: Callable[[str], bool], values: Mapping[str, Any]) -> Iterator[Proposed]:
        for w in (*self._turn.writes, *self._owed):
            if w.field in values and same(values[w.field], w):
                continue
            if w in self._owed and w.offered:
                continue
            if not w.quote:
                continue
            elsewhere = w in self._owed or w.how == "carry"
            words = w.quote if elsewhere or holds_quote(self._turn.text, w.quote) else self._turn.text
            given = words if w.how in ("span", "carry") and words in w.spellings else w.value
            yield from self._set(w.field, self._meant(w, given), words, offered)

    def _meant(self, w: Write, given: str) -> Any:
        """A value as a model would write it: canonical where the data set has it so, else in the person's words."""
        plain = w.value[:4].isdigit() or w.value[:2].isdigit() or w.value in ("True", "False")
        value = w.value if plain else given
        return {"True": True, "False": False}.get(value, value)

    def _set(self, name: str, value: Any, words: str, offered: Callable[[str], bool]) -> Iterator[Proposed]:
        if offered(f"set_{name}"):
            yield f"set_{name}", {name: value, "words": words}
        elif offered("correct"):
            yield "correct", {"field": name, "value": str(value), "words": words}

    def _offers(self, offered: Callable[[str], bool], values: Mapping[str, Any]) -> Iterator[Proposed]:
        """What the bot says next, as far as the person is going to take it; what was taken before this form was begun, once more."""
        unsaid = [w for w in (*self._turn.writes, *self._owed) if not w.quote]
        taken = [w for w in (*self._next.writes, *self._owed) if w.offered or w.suggested] + unsaid
        for w in taken if offered("offer") else ():
            if w.field not in values or not same(values[w.field], w):
                yield "offer", {"field": w.field, "value": w.value}

    def _faults(
        self, good: list[Proposed], offered: Callable[[str], bool], values: Mapping[str, Any]
    ) -> Iterator[Proposed]:
        if self._rng.random() >= self.rate:
            return
        self.injected += 1
        kind = self._rng.choice((self._overwrites, self._repeats, self._doubles, self._unknown, self._invents))
        yield from kind(good, offered, values)

    def _overwrites(self, _good: list[Proposed], _offered: Any, values: Mapping[str, Any]) -> Iterator[Proposed]:
        for name in self._rng.sample(sorted(values), min(2, len(values))):
            wrong = {"field": name, "value": self._invented(name), "words": self._turn.text}
            yield "correct", wrong
            yield f"set_{name}", {name: wrong["value"], "words": self._turn.text}

    def _repeats(self, _good: list[Proposed], _offered: Any, _values: Mapping[str, Any]) -> Iterator[Proposed]:
        yield from self._last

    def _doubles(self, good: list[Proposed], _offered: Any, _values: Mapping[str, Any]) -> Iterator[Proposed]:
        yield from good

    def _unknown(self, _good: list[Proposed], _offered: Any, _values: Mapping[str, Any]) -> Iterator[Proposed]:
        yield self._rng.choice(UNKNOWN), {"value": "x", "words": self._turn.text}

    def _invents(
        self, _good: list[Proposed], offered: Callable[[str], bool], _values: Mapping[str, Any]
    ) -> Iterator[Proposed]:
        meant = {w.field for w in (*self._turn.writes, *self._owed)}
        names = [n for n in self._pool if offered(f"set_{n}") and n not in meant]
        for name in self._rng.sample(names, min(2, len(names))):
            yield f"set_{name}", {name: self._invented(name), "words": self._turn.text}

    def _invented(self, name: str) -> str:
        """A value of this field that nobody in the dialogue ever says."""
        strange = [v for v in self._pool.get(name, ()) if v.casefold() not in self._said]
        return self._rng.choice(strange or ["Nowhere at all"])
