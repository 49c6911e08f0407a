"""One dialogue from its first word to its last: what the person says, clicks and confirms, and what is counted on the way."""

from dataclasses import dataclass, field, replace

from state.draft.draft import Draft, Status
from state.form import Form
from tests.replay import sink
from tests.replay.data import Dialogue, Part, Turn, Write
from tests.replay.gold import Gold, same
from tests.replay.stages import Stage

TRIES = 12
"""Questions that a person answers before a review, at most."""


@dataclass
class Seen:
    """One form's outcome. Names are fields; `stuck` says what kept it from being filed."""

    dialogue: str
    form: str
    filed: bool = False
    expected: bool = True
    differs: tuple[str, ...] = ()
    twice: int = 0
    asked_filled: set[str] = field(default_factory=set)
    asked_told: set[str] = field(default_factory=set)
    refused: list[Write] = field(default_factory=list)
    corrections_refused: list[Write] = field(default_factory=list)
    by_button: int = 0
    unsure: int = 0
    values: int = 0
    stuck: str = ""

    @property
    def equal(self) -> bool:
        """Whether it ended as the data set says: filed with these values, or not filed."""
        return not self.differs and self.filed == self.expected and not self.stuck


async def play(stage: Stage, dialogue: Dialogue) -> list[Seen]:
    """Play it; one outcome per form."""
    stage.join()
    seen = []
    for part in dialogue.parts:
        stage.actor.begin(" ".join(t.text for p in dialogue.parts for t in p.turns))
        before = await stage.filed()
        await stage.begin(part.form)
        one = Seen(dialogue.id, part.form, expected=part.filed)
        try:
            await _part(stage, part, one)
        except LookupError as nothing:
            one.stuck = str(nothing.args[0])[:60]
        one.twice += max(0, await stage.filed() - before - 1)
        seen.append(one)
    stage.actor.begin("")
    for words in dialogue.after[:1]:
        filed = await stage.filed()
        await stage.say(words)
        seen[-1].twice += await stage.filed() - filed
    return seen


async def _part(stage: Stage, part: Part, seen: Seen) -> None:
    gold, form = Gold(part), stage.form(part.form)
    gold.hear(part.before)
    for n, turn in enumerate(part.turns):
        following = part.turns[n + 1] if n + 1 < len(part.turns) else Turn("")
        stage.actor.hear(turn, following, () if n else part.before)
        gold.hear(turn.writes)
        if (await stage.draft()).status is not Status.OPEN:
            return
        await stage.say(turn.text)
        await _accept(stage, gold, seen)
        await _look(stage, gold, turn, seen)
        for answers in turn.calls:
            await _confirm(stage, gold, form, seen, answers=answers)
    _count(await stage.draft(), gold, form, seen)


async def _accept(stage: Stage, gold: Gold, seen: Seen) -> None:
    """The person clicks what is offered and is what they said already."""
    for _ in range(TRIES):
        draft = await stage.draft()
        if _wanted(draft, gold):
            seen.by_button += 1
            await stage.change()
            continue
        fresh = [o for o in draft.offers if not o.heard]
        mine = [i for i, o in enumerate(fresh, 1) if o.field in gold.told and same(o.data, gold.told[o.field])]
        if not mine:
            return
        seen.by_button += 1
        await stage.accept(mine[0])


def _wanted(draft: Draft, gold: Gold) -> bool:
    """Whether a card proposes a change to what the person said."""
    proposed = draft.proposal
    if proposed is None or proposed.act != "change" or proposed.value is None:
        return False
    return proposed.field in gold.told and same(proposed.value.data, gold.told[proposed.field])


async def _look(stage: Stage, gold: Gold, turn: Turn, seen: Seen) -> None:
    """What is asked now that was told before, and what of this turn did not arrive."""
    draft = await stage.draft()
    if draft.open and draft.asked in draft.values and draft.asked not in draft.reopened:
        seen.asked_filled.add(draft.asked)
    if draft.open and draft.asked in gold.told:
        seen.asked_told.add(draft.asked)
    for write in {w.field: w for w in turn.writes}.values():
        there = write.field in draft.values and same(draft.values[write.field].data, write)
        if not there:
            (seen.corrections_refused if write.correction else seen.refused).append(write)


async def _confirm(stage: Stage, gold: Gold, form: Form, seen: Seen, *, answers: bool) -> None:
    """The person answers what is still asked, then clicks Submit; the service answers, or does not."""
    for _ in range(TRIES):
        draft = await stage.draft()
        if not draft.asked:
            break
        await _tell(stage, gold, form, draft)
        await _accept(stage, gold, seen)
    if not answers:
        sink.silent.add(stage.person)
    await stage.submit(twice=answers)


async def _tell(stage: Stage, gold: Gold, form: Form, draft: Draft) -> None:
    """Answer the open question with what the conversation says; a button where there is one."""
    write = gold.told.get(draft.asked)
    if write is None:
        raise LookupError(f"nobody ever said {draft.asked}")
    kind = form.fields[draft.asked].kind
    if kind in ("choice", "yes_no"):
        await stage.choose({"True": "Yes", "False": "No"}.get(write.value, write.value))
        return
    plainly = replace(write, how="span", quote=write.value, spellings=(write.value, *write.spellings))
    stage.actor.hear(Turn(write.value, (plainly,)), Turn(""))
    await stage.say(write.value)


def _count(draft: Draft, gold: Gold, form: Form, seen: Seen) -> None:
    seen.filed = draft.status is Status.SUBMITTED
    defaults = {name: f.default for name, f in form.fields.items()}
    values = {name: value.data for name, value in draft.values.items()}
    seen.values, seen.unsure = len(values), sum(not v.sure for v in draft.values.values())
    if seen.filed:
        seen.differs = gold.differs(values, defaults)
