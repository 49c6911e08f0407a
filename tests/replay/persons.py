"""The people of the replay: all click what is put before them when it is what they said; only the careful one looks the review through."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from state.draft.draft import Draft
from state.form import Form
from tests.replay.data import Turn, Write
from tests.replay.gold import Gold, same
from tests.replay.outcomes import on_screen, together
from tests.replay.stages import Stage
from tests.replay.told import tells

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
    """Does a click, and watches what comes of it."""
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
        """Whether the person would say this to our form: a yes to the other bot is no yes to a wrong answer that stands on our card.

        Where it tells a value as well, it is said all the same.
        """
        draft = await self.stage.draft()
        strange = [
            o
            for o in (*on_screen(self.form, draft), *together(self.form, draft))
            if not self.gold.means(o.field, o.data)
        ]
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
        """Whether a card proposes a change to what the person said."""
        proposed = draft.proposal
        if proposed is None or proposed.act != "change" or proposed.value is None:
            return False
        return self._meant(proposed.field, proposed.value.data)

    def _meant(self, field: str, data: Any) -> bool:
        return field in self.gold.told and same(data, self.gold.told[field])


def _in_own_words(write: Write) -> str:
    """How the person said it, where the data set has it so; else the value."""
    return write.quote if write.quote in write.spellings else write.value
