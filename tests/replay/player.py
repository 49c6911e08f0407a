"""One dialogue from its first word to its last: what the person says, clicks and confirms, and what is seen on the way."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from operator import eq

from state.draft.draft import Draft, Status, Value
from state.form.field import Data
from tests.replay.data import Dialogue, Part, Turn, Write
from tests.replay.folders import silent
from tests.replay.gold import Gold, same, tells
from tests.replay.outcomes import (
    REFUSED,
    TAKEN,
    Fault,
    Injected,
    Told,
    Took,
    came_in,
    end_of,
    fresh_offers,
    is_put_back,
)
from tests.replay.persons import TRIES, Act, Care, Person, Stage


@dataclass
class Seen:
    """One form's outcome. Names are fields; `stuck` says what kept it from being filed."""

    dialogue: str
    form: str
    filed: bool = False
    expected: bool = True
    wrong: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    held: int = 0
    twice: int = 0
    asked_filled: set[str] = field(default_factory=set)
    asked_told: set[str] = field(default_factory=set)
    took: list[Took] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    unsaid: int = 0
    put_back: int = 0
    put_back_wrongly: int = 0
    clicks: int = 0
    corrected: int = 0
    stuck: str = ""

    @property
    def equal(self) -> bool:
        """Return True if it ended as the data set says: filed with these values, or not filed."""
        return not self.wrong and not self.lacking and self.filed == self.expected and not self.stuck


async def play(stage: Stage, dialogue: Dialogue, care: Care = "careful") -> list[Seen]:
    """Play it; one outcome per form."""
    stage.join()
    seen = []
    for part in dialogue.parts:
        stage.actor.begin(stage.form(part.form), " ".join(t.text for p in dialogue.parts for t in p.turns))
        before = await stage.filed()
        await stage.begin(part.form)
        one = Seen(dialogue.id, part.form, expected=part.filed)
        await Playing(stage, part, one, care).run()
        one.twice += max(0, await stage.filed() - before - 1)
        seen.append(one)
    stage.actor.begin(None, "")
    for words in dialogue.after[:1]:
        filed = await stage.filed()
        await stage.say(words)
        seen[-1].twice += await stage.filed() - filed
    return seen


class Playing:
    """A part of a dialogue while it is played."""

    def __init__(self, stage: Stage, part: Part, seen: Seen, care: Care) -> None:
        self._stage, self._part, self._seen = stage, part, seen
        self._gold, self._form = Gold(part), stage.form(part.form)
        self._person = Person(stage, self._gold, self._form, care, self._click)
        self._turn = Turn("")
        self._spoken: set[str] = set()
        """Fields that were told in words of the person's, for this form."""

    async def run(self) -> None:
        """Play it to its end, or to where nothing goes on."""
        try:
            await self._turns()
        except LookupError as nothing:
            self._seen.stuck = str(nothing.args[0])[:60]
        self._count(await self._stage.draft())

    async def _turns(self) -> None:
        self._gold.hear(self._part.before)
        for n, turn in enumerate(self._part.turns):
            following = self._part.turns[n + 1] if n + 1 < len(self._part.turns) else Turn("")
            if (await self._stage.draft()).status is not Status.OPEN:
                return
            if await self._person.would_affirm(turn):
                await self._say(turn, following, () if n else self._part.before)
            else:
                self._gold.hear(turn.writes)
                self._seen.unsaid += 1
            await self._person.accept()
            await self._look()
            for answers in turn.calls:
                await self._confirm(answers=answers)

    async def _say(self, turn: Turn, following: Turn, owed: tuple[Write, ...] = ()) -> None:
        """A message, and what came of every value in it and of every fault beside it."""
        self._turn = turn
        self._stage.actor.hear(turn, following, owed)
        self._gold.hear(turn.writes)
        before = await self._stage.draft()
        await self._stage.say(turn.text)
        after = await self._stage.draft()
        self._seen.told += self._told(before, after, turn)
        self._judge(before, after, turn)
        self._count_backs(before, after)

    def _count_backs(self, before: Draft, after: Draft) -> None:
        """What was put back, and what of it nobody meant."""
        fresh = fresh_offers(before, after)
        self._seen.put_back += len(fresh)
        meant = (name for name in fresh if is_put_back(after, name, partial(self._gold.means, name)))
        self._seen.put_back_wrongly += len(fresh) - sum(1 for _ in meant)

    async def _click(self, act: Act) -> None:
        """A click, and what a model makes of it beside what it does."""
        before = await self._stage.draft()
        self._stage.actor.click()
        await act()
        self._judge(before, await self._stage.draft(), self._turn, clicked=True)

    def _judge(self, before: Draft, after: Draft, turn: Turn, *, clicked: bool = False) -> None:
        injected = self._stage.actor.injected(before.asked)
        took = self._took(before, after, turn, injected)
        self._seen.took += [t for t in took if not clicked or after.values[t.field].provenance.how == "read"]
        self._seen.faults += self._faults(before, after, turn, injected)

    def _told(self, before: Draft, after: Draft, turn: Turn) -> Iterator[Told]:
        for write in {w.field: w for w in turn.writes}.values():
            field, stood = self._form.fields[write.field], before.values.get(write.field)
            known = stood is not None and same(stood.data, write)
            if known or not tells(write, turn.text, field, before.asked):
                continue
            self._spoken.add(field.name)
            end = end_of(before, after, field.name, partial(_is_told, write))
            yield Told(
                self._part.form, field.name, field.kind, write.value, end, turn.text, before.asked, write.correction,
                write.how,
            )  # fmt: skip

    def _took(self, before: Draft, after: Draft, turn: Turn, injected: list[Injected]) -> Iterator[Took]:
        astray = bool(turn.answers) and before.asked not in turn.answers
        for name in came_in(before, after):
            value = after.values[name]
            fault = next((i.kind for i in injected if i.field == name and i.data == value.data), "")
            by = fault or _reader(value)
            told = self._gold.told.get(name)
            yield Took(
                self._part.form, name, self._form.fields[name].kind, str(value.data), told.value if told else "",
                self._gold.means(name, value.data), by, value.sure, turn.text, before.asked, astray,
            )  # fmt: skip

    def _faults(self, before: Draft, after: Draft, turn: Turn, injected: list[Injected]) -> Iterator[Fault]:
        for one in dict.fromkeys(injected):
            data = one.data
            none = not one.field or data is None
            end = REFUSED if none else end_of(before, after, one.field, partial(eq, data))
            harm = end == TAKEN and not self._gold.means(one.field, data)
            yield Fault(one.kind, end, harm, self._part.form, one.field, str(data), turn.text)

    async def _look(self) -> None:
        """What is asked now that is filled, or that was told in so many words before and is not put back."""
        draft = await self._stage.draft()
        if draft.open and draft.asked in draft.values and draft.asked not in draft.reopened:
            self._seen.asked_filled.add(draft.asked)
        again = draft.open and draft.asked in self._spoken and draft.asked not in draft.reopened
        told = self._gold.told.get(draft.asked)
        if again and told and not is_put_back(draft, draft.asked, lambda data: same(data, told)):
            self._seen.asked_told.add(draft.asked)

    async def _confirm(self, *, answers: bool) -> None:
        """The person answers what is still asked, then clicks Submit; the service answers, or does not."""
        for _ in range(TRIES):
            await self._person.leave_changes()
            await self._person.accept()
            draft = await self._stage.draft()
            if not draft.asked and not await self._person.look_through():
                break
            await self._answer()
        if not answers:
            silent.add(self._stage.person)
        await self._click(partial(self._stage.submit, twice=answers))

    async def _answer(self) -> None:
        """Answer the open question with what the conversation says; a button where there is one."""
        draft = await self._stage.draft()
        typed = await self._person.click_or_type(draft.asked)
        if typed is not None:
            await self._say(typed, Turn(""))
        await self._person.accept()
        await self._look()

    def _count(self, draft: Draft) -> None:
        seen, defaults = self._seen, {name: f.default for name, f in self._form.fields.items()}
        values = {name: value.data for name, value in draft.values.items()}
        seen.filed = draft.status is Status.SUBMITTED
        seen.clicks, seen.corrected = self._person.clicks, self._person.corrected
        if seen.filed:
            seen.held = len(values)
            seen.wrong, seen.lacking = self._gold.wrong(values, defaults), self._gold.lacking(values, defaults)


def _reader(value: Value) -> str:
    """Who read a value; a yes takes what was offered, whoever thought of it."""
    if value.provenance.how == "accepted":
        return "a yes"
    return "rules" if value.provenance.reader in ("", "rules") else "model"


def _is_told(write: Write, data: Data) -> bool:
    return same(data, write)
