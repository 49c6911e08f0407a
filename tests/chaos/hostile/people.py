"""People who know what they want filed, and answer what they are asked: in words or by clicks, careful, hasty, vague, several lines at once."""

import random
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from blocks.ids import Press
from state.draft.draft import Draft
from state.fields import kind_of
from state.form import Field
from state.form.field import Data
from state.workflow.load import Workflow, load_folder
from tests.chaos.hostile.desk import OFFICER, Desk
from tests.shipped import shipped

HERE = Path(__file__).parent
MOST = 150
"""Acts after which a person has given up."""
THANKS = {"en": "thanks", "it": "grazie", "es": "gracias", "de": "danke"}
VAGUE = {"en": "hm, let me think", "it": "un momento", "es": "un momento", "de": "einen Moment"}
LEADS_ON = (
    "Iniziamo", "INPS", "💬 Manuale", "💬 Passo al manuale", "💬 Rispondo a mano", "Fisso un appuntamento", "Prosegua", "Concludo qui",
    "Abrir el expediente", "Usarlo de todos modos", "Eso es todo", "Submit", "Invia", "Enviar el expediente", "Antrag senden", "Approve",
    "È tutto corretto",
)  # fmt: skip
"""Buttons that lead on from a card that asks nothing."""


@dataclass(frozen=True)
class Want:
    """A field's answer as the record holds it, and ways to say it; or the files that it is."""

    data: Data | None
    say: tuple[str, ...] = ()
    send: tuple[str, ...] = ()


@dataclass(frozen=True)
class Someone:
    """A person before they begin; `tells` are lines with what they say by field."""

    name: str
    workflow: Workflow
    locale: str
    tells: tuple[tuple[str, Mapping[str, Data]], ...]
    wants: Mapping[str, Want]

    def want(self, name: str) -> Want | None:
        """Return what is to be answered to a field; a repeated one is known by its whole name."""
        return next((want for pattern, want in self.wants.items() if re.fullmatch(pattern, name)), None)

    def means(self, name: str, data: Any) -> bool:
        """Return True if this is what the person wants filed in a field; of a text, all of it and little else."""
        want = self.want(name)
        if want is None or want.data is None:
            return want is not None and bool(want.send)
        if isinstance(want.data, str) and isinstance(data, str):
            return _plain(want.data) == _plain(data) or any(_plain(data) == _plain(said) for said in want.say)
        return want.data == data and isinstance(want.data, bool) == isinstance(data, bool)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" .,;!?")


@cache
def everybody() -> tuple[Someone, ...]:
    """Return all of them, of every shipped form and of one in German."""
    read = tomllib.loads((HERE / "people.toml").read_text(encoding="utf-8"))["people"]
    return tuple(_someone(one) for one in read)


def _someone(one: Mapping[str, Any]) -> Someone:
    own = HERE / one["form"]
    workflow = load_folder(own) if own.is_dir() else shipped(one["form"])
    wants = {
        n: Want(_data(w.get("is")), tuple(w.get("say", ())), tuple(w.get("send", ()))) for n, w in one["wants"].items()
    }
    tells = tuple((t["say"], {n: _data(v) for n, v in t.items() if n != "say"}) for t in one["tells"])
    return Someone(one["name"], workflow, one.get("locale", ""), tells, wants)


def _data(given: Any) -> Any:
    return tuple(given) if isinstance(given, list) else given


@dataclass
class Person:
    """Somebody at the keyboard: the same seed gives the same manner and words, whatever the bot does."""

    someone: Someone
    desk: Desk
    seed: int
    acts: int = 0
    told: dict[str, Mapping[str, Data]] = field(default_factory=dict)
    """What each line says, by field."""
    answered: set[str] = field(default_factory=set)
    """Fields to whose own question an answer was given."""
    repeats: int = 0
    """How often a question stood again after it was answered."""
    stuck: list[str] = field(default_factory=list)
    """Questions that came a third time without a way out."""
    submitted: bool = False
    ahead: bool = False
    """True if they said some of it before they were asked."""
    _asked: Counter[str] = field(default_factory=Counter)

    def _rng(self, *about: object) -> random.Random:
        return random.Random(f"{self.seed}:{about}")

    @property
    def clicks(self) -> float:
        """How likely this person clicks where there is a button."""
        return self._rng("manner").choice((0.0, 0.5, 1.0))

    async def run(self) -> str:
        """Go on until it is filed; return what kept it from that, or nothing."""
        await self.desk.start()
        await self._open()
        while self.desk.draft.open and not self.desk.filed:
            if self.acts >= MOST:
                return f"gave up at {self.desk.draft.asked or self.desk.draft.stage}"
            if problem := await self._act():
                return problem
        return "" if self.desk.filed else f"ended as {self.desk.draft.status}"

    async def _open(self) -> None:
        """Say what it is about, some of it at once, or begin with the first question."""
        rng = self._rng("opening")
        lines = [*self.someone.tells]
        chosen = rng.sample(lines, rng.randint(0, min(2, len(lines))))
        for text, facts in chosen:
            self.ahead |= bool(facts)
            await self._say(text, facts)
            if rng.random() < 0.5:
                await self.desk.rest()
        await self.desk.rest()

    async def _act(self) -> str:
        """Do the next thing; return what is wrong if there is none to do."""
        desk = self.desk
        if desk.draft.handed:
            await self._press("hand_back", who=OFFICER)
            return ""
        buttons = [*desk.presses()]
        if chosen := self._accepted(buttons, desk.draft):
            await self._click(*chosen)
        elif desk.draft.asked:
            return await self._answer(desk.draft.asked, buttons)
        else:
            return await self._lead_on(buttons)
        return ""

    def _accepted(self, buttons: list[tuple[str, Press]], draft: Draft) -> tuple[str, Press] | None:
        """Return the click on what is proposed, offered, found or put back: for what is meant, or against what is not."""
        acts = {press.act: (label, press) for label, press in reversed(buttons)}
        if draft.proposal is not None:
            right = (
                draft.proposal.act == "change"
                and draft.proposal.value is not None
                and self._meant(draft.proposal.field, draft.proposal.value.data)
            )
            return acts.get("change") if right else acts.get("keep") or acts.get("stay")
        for label, press in buttons:
            live = draft.card is not None and press.card == draft.card.id
            wanted = press.act in ("accept", "pick") and self._meant(press.field, press.value)
            if live and wanted and press.field not in (set(draft.values) - set(draft.reopened) - {draft.asked}):
                return label, press
        rows = [press for _, press in buttons if press.act == "leave" and draft.card and press.card == draft.card.id]
        held = {o.field: o.data for o in draft.offers if o.said}
        held |= {name: value.data for reading in draft.readings for name, value in reading.values.items()}
        unmeant = {name for name, data in held.items() if not self._meant(name, data)}
        wrong = next((p for p in rows if p.field in unmeant or (not p.field and unmeant)), None)
        if wrong is not None:
            return "", wrong
        if rows and "take_all" in acts:
            return acts["take_all"]
        several = next((o for o in draft.offers if isinstance(o.data, tuple) and self._meant(o.field, o.data)), None)
        if several and "take_all" in acts:
            return acts["take_all"]
        return acts["none_of_these"] if draft.options.get(draft.asked) and "none_of_these" in acts else None

    def _meant(self, name: str, data: Any) -> bool:
        return self.someone.means(name, data)

    async def _answer(self, asked: str, buttons: list[tuple[str, Press]]) -> str:
        """Answer the open question: by its button or in words; asked a third time, by the way out that its card has."""
        want = self.someone.want(asked)
        if want is None:
            return f"never wanted {asked}"
        n = self._asked[asked]
        self._asked[asked] += 1
        rng = self._rng(asked, n)
        if want.send:
            done = next(((lb, p) for lb, p in buttons if lb in LEADS_ON and p.act != "edit"), None) if n else None
            if done:
                await self._click(*done)
            else:
                await self._say("", {}, want.send)
                await self.desk.rest()
            return ""
        self.repeats += bool(n)
        own = [(lb, p) for lb, p in buttons if p.act == "answer" and p.field == asked and p.value == want.data]
        field = self.desk.form.fields[asked]
        self.answered.add(asked)
        if own and (n > 1 or rng.random() < self.clicks):
            await self._click(*own[0])
        elif n > 1 and not own:
            await self._third_time(asked, want, buttons)
        else:
            await self._in_words(field, want, rng, vague=not n and rng.random() < 0.05)
        return ""

    async def _in_words(self, field: Field, want: Want, rng: random.Random, *, vague: bool) -> None:
        code = self.desk.form.language[:2]
        if vague and not kind_of(field).verbatim:
            await self._say(VAGUE[code], {})
            await self.desk.rest()
        await self._say(rng.choice(want.say), {field.name: want.data})
        if rng.random() < 0.05:
            await self._say(THANKS[code], {})
        await self.desk.rest()

    async def _third_time(self, asked: str, want: Want, buttons: list[tuple[str, Press]]) -> None:
        """Take the box where there is one; a card without box, buttons or a person for a question put three times leaves one stuck."""
        box = next((p for _, p in buttons if p.act == "enter" and p.field == asked), None)
        out = [p for _, p in buttons if p.act in ("enter", "person", "answer", "pick", "accept", "again")]
        if not out:
            self.stuck.append(asked)
        if box is not None:
            said = want.data if isinstance(want.data, tuple) else want.say[0]
            await self.desk.press(Press("enter", box.draft, asked, said, box.card, box.hash), str(said))
            self.acts += 1
            await self.desk.rest()
        else:
            await self._in_words(self.desk.form.fields[asked], want, self._rng(asked, self.acts), vague=False)

    async def _lead_on(self, buttons: list[tuple[str, Press]]) -> str:
        found = next((b for words in LEADS_ON for b in buttons if b[0] == words), None)
        found = found or next((b for b in buttons if b[1].act == "submit"), None)
        if found is None:
            return f"no way on from {self.desk.draft.stage or 'the review'}: {[b[0] for b in buttons][:6]}"
        self.submitted |= found[1].act in ("submit", "go")
        await self._click(*found)
        return ""

    async def _press(self, act: str, who: str) -> None:
        made: Any = Press(act, "d1", card=self.desk.draft.card.id if self.desk.draft.card else "")  # type: ignore[arg-type]
        await self.desk.press(made, act, who)
        self.acts += 1
        await self.desk.rest()

    async def _click(self, label: str, press: Press) -> None:
        self.acts += 1
        if press.field:
            self.answered.add(press.field)
        await self.desk.press(press, label)
        await self.desk.rest()

    async def _say(self, text: str, facts: Mapping[str, Any], files: tuple[str, ...] = ()) -> None:
        self.acts += 1
        self.told[text] = facts
        await self.desk.say(text, files)
