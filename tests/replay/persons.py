"""The people of the replay, and what a place must be able to do for a dialogue to be played there."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, Protocol

from state.draft.draft import Draft, Offer
from state.form import Form
from tests.replay.actor import Actor
from tests.replay.data import Turn, Write
from tests.replay.gold import Gold, same, tells
from tests.replay.outcomes import on_screen, together


class Stage(Protocol):
    """A person at the keyboard; every act returns once the bot has come to rest."""

    actor: Actor
    person: str

    def join(self) -> None:
        """The next person, with a conversation of their own."""

    def form(self, name: str) -> Form:
        """A form by its name in the data set."""

    async def begin(self, form: str) -> None:
        """Begin a form by its command."""

    async def say(self, words: str) -> None:
        """A message."""

    async def accept(self, offer: Offer) -> None:
        """Click what the open card offers or puts back."""

    async def use_all(self) -> None:
        """Click what uses all that was read together."""

    async def leave_out(self, offer: Offer) -> None:
        """Click one of them away."""

    async def change(self) -> None:
        """Click the change that a card proposes."""

    async def keep(self) -> None:
        """Click away the change that a card proposes: the answer stays as it is."""

    async def edit(self, field: str) -> None:
        """Have a finished answer asked anew, from the review."""

    async def choose(self, label: str) -> None:
        """Click the answer of the open question that reads like this."""

    async def submit(self, *, twice: bool = False) -> None:
        """Click Submit on the open review; with `twice` once more, on the card as it was."""

    async def draft(self) -> Draft:
        """The draft that the conversation is about."""

    async def filed(self) -> int:
        """Records that the person has."""


TRIES = 12
"""Questions that a person answers before a review, at most."""
Care = Literal["careful", "careless"]
Act = Callable[[], Awaitable[None]]


@dataclass
class Person:
    """Someone at the keyboard. A careless person corrects nothing that the bot got wrong; the conversation's own corrections are said by both."""

    stage: Stage
    gold: Gold
    form: Form
    care: Care
    clicking: Callable[[Act], Awaitable[None]]
    """Click, and watch the outcome."""
    clicks: int = 0
    corrected: int = 0

    async def accept(self) -> None:
        """Click what is offered or put back, and is what was said."""
        for _ in range(TRIES):
            draft = await self.stage.draft()
            if self._wanted(draft):
                await self._click(self.stage.change)
                continue
            if rows := together(self.form, draft):
                wrong = [o for o in rows if not self._meant(o.field, o.data)]
                if len(wrong) == len(rows):
                    return
                await self._click(partial(self.stage.leave_out, wrong[0]) if wrong else self.stage.use_all)
                continue
            mine = [o for o in on_screen(self.form, draft) if self._meant(o.field, o.data)]
            if not mine:
                return
            await self._click(partial(self.stage.accept, mine[0]))

    async def would_affirm(self, turn: Turn) -> bool:
        """Return True if the person would say this to our form: a yes to the other bot is no yes to a wrong answer that stands on our card.

        Where it tells a value as well, it is said all the same.
        """
        draft = await self.stage.draft()
        shown = [(o.field, o.data) for o in (*on_screen(self.form, draft), *together(self.form, draft))]
        shown += [(p.field, p.value.data)] if (p := draft.proposal) and p.value else []
        strange = [name for name, data in shown if not self.gold.means(name, data)]
        telling = any(tells(w, turn.text, self.form.fields[w.field], draft.asked) for w in turn.writes)
        return telling or not (turn.affirms and strange)

    async def leave_changes(self) -> None:
        """Keep the answer where a card wants to change it to something that was never said."""
        proposed = (await self.stage.draft()).proposal
        if proposed is not None and proposed.act == "change":
            await self._click(self.stage.keep)

    async def look_through(self) -> str:
        """At the review: have what is wrong asked anew, a field at a time, where this person cares; the field that is."""
        draft = await self.stage.draft()
        values = {name: value.data for name, value in draft.values.items()}
        wrong = self.gold.wrong(values, {n: f.default for n, f in self.form.fields.items()})
        if self.care == "careless" or not wrong:
            return ""
        self.corrected += 1
        await self._click(partial(self.stage.edit, wrong[0]))
        return wrong[0]

    async def click_or_type(self, field: str) -> Turn | None:
        """Answer a question by its button; a turn to be typed where there is none. Raises LookupError where nobody ever said it."""
        write = self.gold.wanted(field, self.form)
        if write is None:
            raise LookupError(f"nobody ever said {field}")
        if self.form.fields[field].kind in ("choice", "yes_no"):
            label = {"True": "Yes", "False": "No"}.get(write.value, write.value)
            await self._click(partial(self.stage.choose, label), own=False)
            return None
        words = _in_own_words(write)
        plainly = replace(write, how="span", quote=words, spellings=(words, *write.spellings), correction=False)
        return Turn(words, (plainly,))

    async def _click(self, act: Act, *, own: bool = True) -> None:
        self.clicks += own
        await self.clicking(act)

    def _wanted(self, draft: Draft) -> bool:
        """Return True if a card proposes a change to what the person said."""
        proposed = draft.proposal
        if proposed is None or proposed.act != "change" or proposed.value is None:
            return False
        return self._meant(proposed.field, proposed.value.data)

    def _meant(self, field: str, data: Any) -> bool:
        return field in self.gold.told and same(data, self.gold.told[field])


def _in_own_words(write: Write) -> str:
    """How the person said it, where the data set has it so; else the value."""
    return write.quote if write.quote in write.spellings else write.value
