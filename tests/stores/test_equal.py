"""One store in memory, and two replicas that take turns on one file, told the same long stories, answer alike at every step."""

import asyncio
import shutil
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import is_dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule

from state.stores.errors import StoreError
from state.stores.opener import memory_store, open_store
from state.stores.rows import Done, Lease, Number, Posted, Setback, StoredDocument, TurnWrites
from state.stores.store import Store
from tests.chain import verify_all
from tests.stores.helpers import ALEX, DANA, KEY, LANE, OTHER, TALK, filed, post, said, step
from tests.thoroughness import examples

Answer = Callable[[Store], Awaitable[Any]]
PEOPLE, TALKS, LANES = st.sampled_from([ALEX, DANA]), st.sampled_from([TALK, OTHER]), st.sampled_from([LANE, "home"])
NAMES, KEYS, ROWS = st.sampled_from(["d1", "d2", "d3"]), st.sampled_from([f"k{n}" for n in range(8)]), st.integers(1, 6)
DELAYS = st.sampled_from([0.0, 3600.0, None])
UNLIKE = {
    "at",
    "hash",
    "previous",
    "digest",
    "head",
    "until",
    "due_at",
    "received_at",
    "filed_at",
    "updated_at",
    "wanted_at",
    "since",
    "ticket",
}


def plain(answer: Any) -> Any:
    """An answer without times, and without hashes of what is sealed in one store and not in the other."""
    if isinstance(answer, list | tuple):
        return [plain(one) for one in answer]
    if is_dataclass(answer):
        return {name: plain(value) for name, value in vars(answer).items() if name not in UNLIKE}
    return answer


class Stories(RuleBasedStateMachine):
    """One story, told to both sides."""

    leases = Bundle("leases")

    @initialize()
    def begin(self) -> None:
        """Three empty stores: one by itself, two on the same file."""
        self.runner = asyncio.Runner()
        self.folder, self.asked = Path(tempfile.mkdtemp()), 0
        url = f"sqlite:///{self.folder}/holdfast.db"
        self.stores = (memory_store(), open_store(url, KEY), open_store(url, KEY))
        for store in self.stores:
            self.runner.run(store.start())

    def ask(self, question: Answer) -> Any:
        """The answer of one store, and of whichever replica has its turn, which is the same, errors included."""
        self.asked += 1
        by_turns = (self.stores[0], self.stores[1 + self.asked % 2])
        one, two = (self.runner.run(self._answer(store, question)) for store in by_turns)
        assert plain(one) == plain(two)
        return one

    async def _answer(self, store: Store, question: Answer) -> Any:
        try:
            return await question(store)
        except StoreError as error:
            return type(error).__name__, str(getattr(error, "number", ""))

    @rule(key=KEYS, where=TALKS, who=PEOPLE)
    def receive(self, key: str, where: str, who: str) -> None:
        self.ask(lambda store: store.receive(said(key, where, who, text=key)))

    @rule(target=leases, lane=TALKS | LANES, seconds=st.sampled_from([3600, -1]))
    def take(self, lane: str, seconds: float) -> Any:
        lease = self.ask(lambda store: store.take(lane, seconds))
        return lease if lease else multiple()

    @rule(target=leases, lease=consumes(leases))
    def renew(self, lease: Lease) -> Any:
        renewed = self.ask(lambda store: store.renew_all([lease], 3600))
        return renewed[0] if renewed else multiple()

    @rule(lease=leases)
    def release(self, lease: Lease) -> None:
        self.ask(lambda store: store.release(lease))

    @rule(
        lease=leases,
        name=NAMES,
        who=PEOPLE,
        done=st.none() | ROWS,
        changed=st.booleans(),
        point=st.booleans(),
        skip=st.booleans(),
    )
    def turn(self, lease: Lease, name: str, who: str, done: int | None, changed: bool, point: bool, skip: bool) -> None:
        async def write(store: Store) -> None:
            draft, event = step(await store.draft(name), name, who, changed=changed, quantity=done)
            late = replace(draft, revision=draft.revision + 1) if skip and changed else draft
            await store.write(lease, TurnWrites(draft=late, events=[event], current=name if point else None, done=done))

        self.ask(write)

    @rule(lease=leases, lane=LANES, keys=st.lists(KEYS, max_size=3), who=PEOPLE)
    def put_out(self, lease: Lease, lane: str, keys: list[str], who: str) -> None:
        async def write(store: Store) -> None:
            await store.write(lease, TurnWrites(outgoing=[post(key, lane, who) for key in keys]))

        self.ask(write)

    @rule(lease=leases, name=NAMES, who=PEOPLE, breaks=st.booleans())
    def submit(self, lease: Lease, name: str, who: str, breaks: bool) -> None:
        async def write(store: Store) -> str:
            numbers: list[str] = []

            def work(number: Number) -> TurnWrites:
                numbers.append(number("PA-2026"))
                if breaks:
                    raise StoreError
                return TurnWrites(records=[filed(numbers[-1], name, who, why=name)])

            await store.write(lease, work)
            return numbers[-1]

        self.ask(write)

    @rule(lease=leases, number=st.integers(1, 3), state=st.sampled_from(["approved", "declined"]))
    def amend(self, lease: Lease, number: int, state: str) -> None:
        async def write(store: Store) -> None:
            await store.write(lease, TurnWrites(amended={f"PA-2026-{number:06d}": state}))

        self.ask(write)

    @rule(lease=leases, row=ROWS, delay=DELAYS)
    def fail_incoming(self, lease: Lease, row: int, delay: float | None) -> None:
        self.ask(lambda store: store.fail_incoming(lease, row, delay))

    @rule(lease=leases, row=ROWS, delay=DELAYS, status=st.sampled_from(["blocked", "unclear", "expired"]))
    def set_back(self, lease: Lease, row: int, delay: float | None, status: Any) -> None:
        self.ask(lambda store: store.set_back(lease, row, Setback(status, delay, "not_in_channel", sent=0)))

    @rule()
    def revive(self) -> None:
        async def again(store: Store) -> int:
            return await store.revive(await store.stuck())

        self.ask(again)

    @rule(lease=leases, row=ROWS, key=KEYS, where=TALKS)
    def finish(self, lease: Lease, row: int, key: str, where: str) -> None:
        self.ask(lambda store: store.finish(lease, Done(row, Posted(key, "D0ALEX", f"{row}.1"), said(key, where))))

    @rule(who=PEOPLE)
    def erase(self, who: str) -> None:
        self.ask(lambda store: store.erase(who))

    @rule(name=NAMES, draft=NAMES, who=PEOPLE, days=st.sampled_from([-1, 30]))
    def keep(self, name: str, draft: str, who: str, days: int) -> None:
        until = datetime.now(UTC) + timedelta(days=days)
        self.ask(
            lambda store: store.keep(
                StoredDocument(name, draft, who, "T0", "a.pdf", "image/png", "", b"content", until)
            )
        )

    @rule(name=NAMES)
    def discard(self, name: str) -> None:
        self.ask(lambda store: store.discard((name,)))

    @rule()
    def purge(self) -> None:
        self.ask(lambda store: store.purge())

    @rule(tokens=st.integers(0, 1000))
    def spend(self, tokens: int) -> None:
        self.ask(lambda store: store.spend("2026-11-20", tokens))

    @invariant()
    def they_agree(self) -> None:
        """Everything that can be read is the same, and every chain is sound."""
        self.ask(everything)

    def teardown(self) -> None:
        """Close all of them."""
        for store in getattr(self, "stores", ()):
            self.runner.run(store.stop())
        if hasattr(self, "runner"):
            self.runner.close()
            shutil.rmtree(self.folder)


async def everything(store: Store) -> list[Any]:
    """All that can be read."""
    return [
        await store.waiting(),
        await store.lanes(),
        await store.dead(),
        await store.stuck(),
        await verify_all(store),
        await store.records("pa_dealing"),
        await store.records_of(ALEX),
        await store.drafts_of(DANA),
        [(await store.next_incoming(talk), await store.current(talk)) for talk in (TALK, OTHER)],
        [await store.next_outgoing(lane) for lane in (LANE, "home")],
        [await store.draft(name) for name in ("d1", "d2")],
        await store.events("d1"),
        await store.posted("k1"),
        [await store.document(name) for name in ("d1", "d2")],
        [await store.documents_of(who) for who in (ALEX, DANA)],
    ]


Stories.TestCase.settings = settings(
    max_examples=examples(10),
    stateful_step_count=25,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],  # a story of 25 steps is short enough to read; making it shorter takes minutes
)
test_replicas_answer_as_one_store_does = Stories.TestCase
