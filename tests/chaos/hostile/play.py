"""The part "hostile" of `make chaos`: every model beside every person, over every form with questions; then how far they got, and how soon.

`python -m tests.chaos hostile` plays 100,000 model turns in some ten minutes of one core.
"""

import asyncio
import logging
import random
import sys
import time
from collections import Counter
from collections.abc import Coroutine, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import count, islice
from typing import Any

import structlog

from tests.chaos.hostile.desk import Desk
from tests.chaos.hostile.judging import broken
from tests.chaos.hostile.ledger import write_down
from tests.chaos.hostile.models import ALIKE, KINDS, Model
from tests.chaos.hostile.people import Person, Someone, everybody
from tests.chaos.hostile.whole import through_the_door
from tests.chaos.trials import Trials

TURNS, WHOLE, BOOKS = 100_000, 60, 400
"""Model turns on `advance()`, and conversations through the whole bot: of forms, and of expenses."""
MORE = 1.5
"""Times the acts beside a good model after which a person who answers what they are asked had to do too much.

Who says several things before they are asked has a good model to thank for every act that this spares them.
"""


@dataclass(frozen=True)
class Played:
    """One conversation, from its first word to its record. `why` says what kept it from that."""

    acts: int
    turns: int
    repeats: int
    why: str
    ahead: bool
    stuck: tuple[str, ...]
    broken: tuple[str, ...]
    filed: tuple[tuple[str, object], ...]


def play(someone: Someone, kind: str, seed: int) -> Played:
    """Play one person beside one model; "absent" is none."""
    model = None if kind == "absent" else Model(kind, random.Random(f"{kind} {seed}"))
    desk = Desk(someone.workflow, model, someone.locale)
    person = Person(someone, desk, seed)
    if model is not None:
        model.person = person
    why = asyncio.run(person.run())
    filed = tuple(sorted((name, value.data) for name, value in desk.draft.values.items()))
    return Played(
        person.acts,
        desk.turns,
        person.repeats,
        why,
        person.ahead,
        tuple(person.stuck),
        tuple(broken(person, desk)),
        filed,
    )


@cache
def measure(place: int, kind: str, seed: int) -> Played:
    """Return the play that others are compared with: beside a good model, or none."""
    return play(everybody()[place], kind, seed)


@dataclass
class Tally:
    """What all plays came to; `told` are the sentences of what was wrong."""

    plays: int = 0
    turns: int = 0
    acts: int = 0
    good: int = 0
    repeats: int = 0
    repeats_good: int = 0
    alike: int = 0
    told: Counter[str] = field(default_factory=Counter)
    bad: Counter[str] = field(default_factory=Counter)

    def add(self, place: int, kind: str, seed: int) -> None:
        """Play one more and judge it."""
        someone, good = everybody()[place], measure(place, "good", seed)
        played = play(someone, kind, seed)
        self.plays, self.turns = self.plays + 1, self.turns + played.turns
        self.acts, self.good = self.acts + played.acts, self.good + good.acts
        self.repeats, self.repeats_good = self.repeats + played.repeats, self.repeats_good + good.repeats
        slow = f"{played.acts} acts for {good.acts}" if played.acts > MORE * good.acts and not good.ahead else ""
        stuck = f"no way out at {', '.join(played.stuck)}" if played.stuck else ""
        self._note("broken", someone, kind, seed, *played.broken)
        self._note("progress", someone, kind, seed, played.why, slow, stuck)
        if kind in ALIKE:
            alone = measure(place, "absent", seed)
            self.alike += 1
            self._note("alike", someone, kind, seed, "filed something else" if played.filed != alone.filed else "",
                       f"{played.acts} acts for {alone.acts}" if played.acts != alone.acts else "")  # fmt: skip

    def _note(self, what: str, someone: Someone, kind: str, seed: int, *problems: str) -> None:
        told = [f"{what}: {someone.name}, {kind}, seed {seed}: {problem}" for problem in problems if problem]
        self.bad[what] += bool(told)
        self.told.update(told)


def tally(turns: int, first: int = 0) -> Tally:
    """Play until there were so many model turns: beside models of one kind in turn, and of every kind at random."""
    done, kinds = Tally(), random.Random(first).sample(KINDS, len(KINDS))
    for seed in count(first):
        for place in range(len(everybody())):
            for kind in ("any 1", "any 2", kinds[(seed * len(everybody()) + place) % len(kinds)]):
                done.add(place, kind, seed)
            if done.turns >= turns:
                return done
    raise AssertionError


def trials(share: float) -> Iterator[Trials]:
    """Play `share` of 100,000 model turns."""
    began = time.monotonic()
    done = tally(round(TURNS * share))
    took = time.monotonic() - began
    for sentence in done.told:
        sys.stderr.write(f"{sentence}\n")
    ratio = f"{done.acts / done.good:.2f} × the acts beside a good model; {done.repeats} questions put again, beside a good model {done.repeats_good}"
    yield Trials(
        "hostile", "turns of hostile models", done.turns, done.bad["broken"], took, f"({done.plays} conversations)"
    )
    yield Trials(
        "hostile", "people who answer what they are asked", done.plays, done.bad["progress"], took, f"({ratio})"
    )
    yield Trials("hostile", "readings beside a model that fails or is of no use", done.alike, done.bad["alike"], took)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    # Whoever claims expenses has none in a fresh database, and the form in German is none of the bot's.
    people = [one for one in everybody()[:-1] if not one.workflow.rules.own_lookups]
    whole = ((people[n % len(people)].name, through_the_door(people[n % len(people)], "any 1", n)) for n in count())
    yield _through("turns of hostile models, through the whole bot", islice(whole, round(WHOLE * share)))
    books = (("expenses", write_down("any", n)) for n in range(round(BOOKS * share)))
    yield _through("turns of hostile models, beside expenses that are written down", books)


def _through(what: str, plays: Iterable[tuple[str, Coroutine[Any, Any, tuple[int, list[str]]]]]) -> Trials:
    """Play conversations through the whole bot, one after the other, and count the model's turns."""
    began, wrong, turns = time.monotonic(), 0, 0
    for n, (name, conversation) in enumerate(plays):
        had, problems = asyncio.run(conversation)
        turns, wrong = turns + had, wrong + bool(problems)
        sys.stderr.writelines(f"whole: {name}, seed {n}: {problem}\n" for problem in problems)
    return Trials("hostile", what, turns, wrong, time.monotonic() - began)
