"""Whole turns in the shipped forms: what a person writes to a question, and its outcome for every field.

Run: python -m tests.corpus.turns [--held] prints how the answers end, and those that end otherwise than they should.
"""

import sys
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from state.advance import advance, begin
from state.draft.draft import Draft, Option, Provenance, Value
from state.draft.reply import Reply, ToolCall
from state.engine.effects import CallModel, Effect, LookUp
from state.engine.events import Clicked, DraftEvent, MessageReceived, ModelReplied
from state.engine.offers import RULES
from state.engine.unread import read_fresh
from state.fields.base import Context
from state.form import Form
from tests.shipped import shipped

HERE = Path(__file__).parent / "turns"
FORMS = ("loan", "pa_dealing", "gifts", "vehicle_case", "expenses")
AT, OWNER = "2026-11-20T12:00:00+00:00", "U0ALEX"
Fields = Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """Words to a question. `take`: values that they say (put back, each costs a click); `back`: values that only the person can confirm;
    `may`: values that may be put back besides; `ok`: what may be taken as well, a correction for one. A list holds values of which any will do."""

    form: str
    stage: str
    asked: str
    text: str
    take: Fields
    back: Fields
    may: Fields
    ok: Fields

    @property
    def held(self) -> bool:
        """Return True for the half that the rules were not written on."""
        return zlib.crc32(f"{self.asked} {self.text}".encode()) % 2 == 1


@dataclass
class Came:
    """What a turn came to: values set, values put back, whether another act than a click on one of them is wanted."""

    set: dict[str, Any] = field(default_factory=dict)
    back: dict[str, list[Any]] = field(default_factory=dict)
    proposed: dict[str, Any] = field(default_factory=dict)
    draft: Draft | None = None


def answers(name: str) -> Iterator[Answer]:
    """The answers of a form."""
    for stage, asked, text, expected in _rows(name):
        yield Answer(name, stage, asked, text, *(expected.get(key, {}) for key in ("take", "back", "may", "ok")))


def _rows(name: str) -> Iterator[tuple[str, str, str, Fields]]:
    tables = _tables(name)
    for stage in tables.keys() - {"given"}:
        for asked, said in tables[stage].items():
            yield from ((stage, asked, text, expected) for text, expected in said.items())


def _tables(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / f"{name}.toml").read_text("utf-8"))


class Talk:
    """A draft in which one question is open, talked to without a shell; `model` answers in the place of the rules where it is given."""

    def __init__(self, name: str, stage: str, asked: str, *calls: ToolCall, given: Fields | None = None) -> None:
        self.workflow = shipped(name)
        self.form: Form = self.workflow.form
        self.calls, self.effects, self._count = calls, list[Effect](), 0
        known = {**_tables(name)["given"], **(given or {})}
        before = [n for n in self.form.fields if n in known]
        before = before if asked not in self.form.fields else [n for n in before if self._place(n) < self._place(asked)]
        draft = begin(self.form, "d1", "T1", OWNER, "T1:D1:", AT)
        values = {n: _value(known[n]) for n in before}
        self.draft = replace(draft, stage=stage if stage != "any" else draft.stage, values=values)
        self.click("begin")
        assert self.draft.asked == asked, (name, asked, self.draft.asked)

    def _place(self, name: str) -> int:
        return list(self.form.fields).index(name)

    def say(self, text: str) -> Came:
        """Have a message read to its end, and give what came of it."""
        before = self.draft
        self.effects = []
        self.happen(MessageReceived(self._id(), AT, OWNER, text, f"{self._count}.0"))
        return self._came(before)

    def click(self, act: Any, name: str = "", value: Any = None, card: str = "") -> None:
        """Click what a card shows: the one that waits, else the open one, where none is named."""
        self.effects = []
        waiting = self.draft.proposal
        card = card or (waiting.card if waiting else self.draft.card.id if self.draft.card else "")
        self.happen(Clicked(self._id(), AT, OWNER, act, name, value, card, self.draft.hash))

    def skip(self, stage: str, name: str) -> None:
        """Answer what comes before a field, and come to a stage."""
        known, before = _tables(self.form.name)["given"], list(self.form.fields)[: self._place(name)]
        values = {n: _value(known.get(n, "x")) for n in before}
        self.draft = replace(self.draft, stage=stage, asked="", values={**values, **self.draft.values})

    def option(self, name: str, option: Option) -> None:
        """Have a search found this."""
        self.draft = replace(self.draft, options={name: (option,)})

    def _id(self) -> str:
        self._count += 1
        return f"e{self._count}"

    def happen(self, event: DraftEvent) -> None:
        """Have an event judged, and what it asks for."""
        outcome = advance(self.form, self.workflow.rules, self.draft, event)
        self.draft = outcome.draft
        self.effects += outcome.effects
        for call in (e for e in outcome.effects if isinstance(e, CallModel)):
            if call.turn == self.draft.turn and self.draft.open and (self.calls or call.purpose == "understand"):
                self.happen(self._reply(call))

    def _reply(self, call: CallModel) -> ModelReplied:
        if self.calls:
            reply, reader = Reply(calls=self.calls if call.purpose == "understand" and call.step == 1 else ()), "model"
        else:
            reply, reader = read_fresh(self.form, self.draft, Context(self.form.language, AT[:10])), RULES
        return ModelReplied(
            self._id(), AT, "model", reply, call.turn, call.step, call.exchange, call.purpose, reader, call.act
        )

    def _came(self, before: Draft) -> Came:
        now, came = self.draft, Came(draft=self.draft)
        came.set = {n: v.data for n, v in now.values.items() if n not in before.values or before.values[n] != v}
        came.set |= {e.field: e.query for e in self.effects if isinstance(e, LookUp)}
        for offer in now.offers:
            came.back.setdefault(offer.field, []).append(offer.data)
        if now.proposal and now.proposal.value:
            came.proposed = {now.proposal.field: now.proposal.value.data}
        return came


def _value(data: Any) -> Value:
    held = tuple(data) if isinstance(data, list) else data
    return Value(held, Provenance(OWNER, AT, "clicked", "0.1", str(held)))


def came_of(answer: Answer) -> Came:
    """What an answer comes to where rules read it."""
    if answer.form == "expenses":
        return _operation(answer)
    return Talk(answer.form, answer.stage, answer.asked).say(answer.text)


def _operation(answer: Answer) -> Came:
    form = shipped(answer.form).form
    draft = begin(form, "d1", "T1", OWNER, "T1:D1:", AT)
    from state.draft.draft import ChatLine  # noqa: PLC0415

    draft = replace(draft, window=(ChatLine("user", answer.text, "1.0", unread=True),))
    calls = read_fresh(form, draft, Context(form.language, AT[:10])).calls
    return Came({"operation": calls[0].tool, **(calls[0].arguments or {})}) if calls else Came()


def fits(value: Any, wanted: Any) -> bool:
    """Return True if a value is the wanted one, or one of them."""
    return value in wanted if isinstance(wanted, list) else value == wanted


def end(answer: Answer) -> str:
    """How an answer ended: "wrong", "lost", "put back" or "right"."""
    came = came_of(answer)
    extra = {"words", "confirm", "currency", "date", "category", "id"} if answer.form == "expenses" else set()
    told = {**answer.take, **answer.back}
    fine = {**answer.take, **answer.ok}
    wrong = [n for n, v in came.set.items() if (n in fine and not fits(v, fine[n])) or n not in extra | set(fine)]
    backs = {**came.back, **{n: [v] for n, v in came.proposed.items()}}
    kept = [n for n in told if n not in came.set and any(fits(v, told[n]) for v in backs.get(n, ()))]
    if wrong:
        return "wrong"
    if any(n not in came.set and n not in kept for n in told):
        return "lost"
    return "put back" if kept else "right"


def strays(answer: Answer) -> dict[str, list[Any]]:
    """Values that were put back for a question that nobody asked, and that the words do not say."""
    known = {**answer.take, **answer.back, **answer.may, **answer.ok}
    back = came_of(answer).back
    other = {n: vs for n, vs in back.items() if n != answer.asked}
    return {n: vs for n, vs in other.items() if n not in known or not any(fits(v, known[n]) for v in vs)}


def main() -> int:
    """Print how each form's answers end; of the half that was written on, those that do not end well as well."""
    held = "--held" in sys.argv
    for name in FORMS:
        some = [a for a in answers(name) if a.held is held]
        ends = Counter(end(a) for a in some)
        stray = [a for a in some if a.form != "expenses" and strays(a)]
        sys.stdout.write(f"{name}: {len(some)} {dict(ends)}, {len(stray)} with a stray proposal\n")
        for a in [] if held else some:
            how = end(a)
            if how in ("wrong", "lost") or a in stray or "--all" in sys.argv:
                came = came_of(a)
                sys.stdout.write(
                    f"  {how:8} {a.asked} “{a.text}” set {came.set} back {came.back} {came.proposed or ''}\n"
                )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
