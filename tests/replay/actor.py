"""The scripted model: it knows what the person means, proposes it, offers what the person will take, and misbehaves as often as it is told.

It quotes the data set's words where they stand in the message, else the message ("2" for "two rooms"). A yes/no question that the data
set's bot puts while our form asks something else is put as an offer of a yes. A fault stands beside its right calls, in any order, or,
half the time where that makes sense, in their place. It misreads a message when it comes and after a click alike. Refused, it
tries once more: what it had misread is read rightly half the time, what it had read rightly is offered. Where a form speaks by acts it has its
thanks said half the time, and is silent otherwise.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from state.form import Form
from state.understanding.evidence import holds_quote
from tests.replay.data import Turn, Write
from tests.replay.faults import INSTEAD, KINDS, Moment, Proposed, canonical, in_any_order
from tests.replay.gold import same
from tests.replay.outcomes import Injected

WORDS, SAY = "All right.", "say"
Offered = Callable[[str], bool]
Values = Mapping[str, Any]


class Actor:
    """Plays one person's dialogue after another. `pool`: values of the whole data set by field, to invent from."""

    def __init__(self, rate: float, rng: random.Random, pool: Mapping[str, Sequence[str]]) -> None:
        self.rate, self._rng, self._pool = rate, rng, pool
        self._form: Form | None = None
        self.begin(None, "")

    def begin(self, form: Form | None, said: str) -> None:
        """A new form; `said` is all that the person ever says in this dialogue, which is never invented."""
        self._form, self._said = form, said.casefold()
        self._turn, self._next = Turn(""), Turn("")
        self._owed: tuple[Write, ...] = ()
        self._new, self._fresh, self._tried = False, False, True
        self._last, self._proposed = list[Proposed](), set[str]()
        self._made = list[tuple[str, Proposed]]()

    def hear(self, turn: Turn, following: Turn, owed: tuple[Write, ...] = ()) -> None:
        """The person is about to say this turn; `owed` is what was said for this form before it was begun."""
        self._turn, self._next, self._owed = turn, following, owed
        self._new, self._fresh, self._tried = True, True, False
        self._proposed = set()

    def click(self) -> None:
        """The person is about to click: there is nothing new to understand, but enough to get wrong."""
        self._new, self._fresh = False, True

    def injected(self, asked: str = "") -> list[Injected]:
        """What was injected since this was last asked, a value each."""
        made, self._made = self._made, []
        return [one for kind, call in made for one in self._values_of(kind, call, asked)]

    def _values_of(self, kind: str, call: Proposed, asked: str) -> Iterator[Injected]:
        tool, arguments = call
        given = {n: v for n, v in arguments.items() if n != "words"}
        if tool == "correct":
            given = {str(given["field"]): given["value"]}
        fields = self._form.fields if self._form else {}
        known = {n: v for n, v in given.items() if n in fields}
        yield from (Injected(kind, n, canonical(fields[n], v), asked) for n, v in known.items())
        if not known:
            yield Injected(kind)

    def answer(self, offered: Offered, values: Values, *, refused: bool) -> tuple[list[Proposed], str]:
        """Calls and words for one request. `offered` says whether a tool is; `refused` whether a call of the round before was."""
        words = "" if offered(SAY) else WORDS
        if refused and not self._tried:
            self._tried = True
            return list(self._again(offered, values)), words
        if not self._fresh:
            return [], words
        self._fresh = False
        good = [*self._proposals(offered, values), *self._offers(offered, values)] if self._new else []
        calls = self._misbehave(good, offered, values)
        self._proposed = {_aim(call) for call in good if call in calls}
        self._last = good or self._last
        spoken = offered(SAY) and self._rng.random() < 0.5
        return [*calls, *([(SAY, {"act": "acknowledge"})] if spoken else [])], words

    def _again(self, offered: Offered, values: Values) -> Iterator[Proposed]:
        """What is still not there: called for rightly where it was not yet, else offered."""
        left = [w for w in (*self._turn.writes, *self._owed) if not (w.field in values and same(values[w.field], w))]
        for w in left:
            if w.field not in self._proposed and self._rng.random() < 0.5:
                yield from self._proposal(w, offered)
            elif offered("offer"):
                yield "offer", {"field": w.field, "value": w.value}

    def _proposals(self, offered: Offered, values: Values) -> Iterator[Proposed]:
        for w in (*self._turn.writes, *self._owed):
            if not (w.field in values and same(values[w.field], w)):
                yield from self._proposal(w, offered)

    def _proposal(self, w: Write, offered: Offered) -> Iterator[Proposed]:
        if not w.quote or (w in self._owed and w.offered):
            return
        elsewhere = w in self._owed or w.how == "carry"
        words = w.quote if elsewhere or holds_quote(self._turn.text, w.quote) else self._turn.text
        given = words if w.how in ("span", "carry") and words in w.spellings else w.value
        yield from self._set(w.field, self._meant(w, given), words, offered)

    def _meant(self, w: Write, given: str) -> Any:
        """A value as a model would write it: canonical where the data set has it so, else in the person's words."""
        plain = w.value[:4].isdigit() or w.value[:2].isdigit() or w.value in ("True", "False")
        value = w.value if plain else given
        return {"True": True, "False": False}.get(value, value)

    def _set(self, name: str, value: Any, words: str, offered: Offered) -> Iterator[Proposed]:
        if offered(f"set_{name}"):
            yield f"set_{name}", {name: value, "words": words}
        elif offered("correct"):
            yield "correct", {"field": name, "value": str(value), "words": words}

    def _offers(self, offered: Offered, values: Values) -> Iterator[Proposed]:
        """What the bot says next, as far as the person is going to take it; what was taken before this form was begun, once more."""
        unsaid = [w for w in (*self._turn.writes, *self._owed) if not w.quote]
        taken = [w for w in (*self._next.writes, *self._owed) if w.offered or w.suggested] + unsaid
        for w in taken if offered("offer") else ():
            if w.field not in values or not same(values[w.field], w):
                yield "offer", {"field": w.field, "value": w.value}

    def _misbehave(self, good: list[Proposed], offered: Offered, values: Values) -> list[Proposed]:
        """The good calls, with a fault among them or in their place as often as the rate says."""
        if self._form is None or self._rng.random() >= self.rate:
            return good
        moment = Moment(
            self._form, self._turn, tuple(good), tuple(self._last), offered, values, self._pool, self._said, self._rng
        )
        for kind in in_any_order(self._rng):
            bad = list(KINDS[kind](moment))
            if bad:
                self._made += [(kind, call) for call in bad]
                calls = [*self._kept(kind, good, bad), *bad]
                self._rng.shuffle(calls)
                return calls
        return good

    def _kept(self, kind: str, good: list[Proposed], bad: list[Proposed]) -> list[Proposed]:
        """The right calls that are made beside a fault."""
        if kind not in INSTEAD or self._rng.random() < 0.5:
            return good
        quoted = {str(arguments.get("words")) for _, arguments in bad}
        aims = {_aim(call) for call in bad}
        return [c for c in good if _aim(c) not in aims and str(c[1].get("words")) not in quoted]


def _aim(call: Proposed) -> str:
    tool, arguments = call
    return str(arguments["field"]) if "field" in arguments else tool.removeprefix("set_")
