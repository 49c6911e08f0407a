"""Fills a fresh database through the door, one person for each situation: python -m tests.stored.fill FOLDER.

Drafts of every form at many points, cards that wait, rows of inbox and outbox that wait, records, erased people. Beside the
database stands what Slack held at that moment: people, messages with their buttons, open modals, home views.
"""

import asyncio
import json
import shutil
import sys
import traceback
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bot.keys import Place
from bot.local import make_sandbox, pointed_at
from bot.model.answers import call, tools
from bot.model.playback import MessagesServer
from bot.model.protocol import Model
from bot.model.scripts import by_newest_message
from bot.root import Bot, build, make_store
from bot.sandbox import messages, shapes
from bot.sandbox.people import Person
from bot.sandbox.server import Sandbox
from bot.sandbox.workspace import Profile
from bot.scenarios.model import AwayModel, PlayedModel
from bot.scenarios.player import _Stage, settled
from bot.settings import Settings
from state.stores.protocol import Lease
from state.workflow.scenario import ModelCall, ModelReply, Step, read_scenario
from tests.world import TEAM, settings

ABSENT, AWAY, PLAYED, CLAUDE = "absent", "away", "played", "claude"
LONG = 3600.0


@dataclass(frozen=True)
class Situation:
    """What one person does. `scenario` and `upto` take the first steps of a form's own scenario; `steps` come after them.

    `held` are lanes that nobody works on from the step `last` on: what comes into them waits.
    """

    name: str
    form: str
    steps: tuple[Step, ...] = ()
    scenario: str = ""
    upto: int | None = None
    model: str = ABSENT
    held: tuple[str, ...] = ()
    last: tuple[Step, ...] = ()
    home: bool = False
    begin: bool = False
    """Whether the form's command comes first: the scenario's first words alone would leave the choice of a form open."""
    ends: str = ""
    """What came of the first row that was held: "dead", or "unclear", though the post stands in Slack."""


def say(text: str, *model: ModelReply) -> Step:
    return Step(say=text, model=model)


def click(words: str, on: str = "", *model: ModelReply, by: Any = "person") -> Step:
    return Step(click=words, on=on, model=model, by=by)


def pick(place: int = 1) -> Step:
    return Step(pick=place)


def calls(tool: str, **arguments: Any) -> ModelReply:
    return ModelReply(calls=(ModelCall(tool=tool, arguments=arguments),))


OPENING = (say("I'd like to buy 200 Tesco for my pension, about £720"), click("Use this"))
NOS = tuple(
    click("No", on)
    for on in ("is_derivative", "is_leveraged", "has_inside_info", "is_related_party", "has_client_conflict")
)
REASON = "A long-term holding because I expect steady dividends for my retirement"
TO_REVIEW = (*OPENING, *NOS, click("I understand"), say(REASON))
FILED = (*TO_REVIEW, click("Submit"))
ERASE = (say("delete my data"), click("Yes, erase everything"))
LOAN = (
    say("vorrei un prestito"), click("Iniziamo"), click("Sì", "consent_contract"), click("Sì", "consent_sensitive"),
    click("No", "consent_marketing"), click("No", "consent_third_party"),
)  # fmt: skip


def one(name: str, form: str, *steps: Step, **more: Any) -> Situation:
    return Situation(name, form, steps, **more)


def played(name: str, form: str, scenario: str, upto: int | None = None, *steps: Step, **more: Any) -> Situation:
    return Situation(name, form, steps, scenario, upto, **more)


PA, LO, EX, VE, RE = "pa_dealing", "loan", "expenses", "vehicle_case", "requirements"

SITUATIONS: tuple[Situation, ...] = (
    # expenses first: their numbers count through the tenant
    played("change_delete_undo", EX, "change_delete_undo", begin=True),
    played("plain_lines", EX, "plain_lines", begin=True),
    played("month", EX, "month", begin=True),
    one("entries", EX, say("/expenses"), say("£12 lunch today"), say("£200 mechanic yesterday")),
    one("undo_stands", EX, say("/expenses"), say("£4 coffee today")),
    one("undone", EX, say("/expenses"), say("£8 parking today"), click("Undo")),
    one("addition_waits", EX, say("/expenses"), say("coffee 3,50")),
    one("several_wait", EX, say("/expenses"), say("bread x2 at 12, eggs 15")),
    one("change_waits", EX, say("/expenses"), say("€4 tea today"), say("change the last one to 4.50")),
    one("deletion_waits", EX, say("/expenses"), say("€6 cake today"), say("delete the last one")),
    one("cancelled_operation", EX, say("/expenses"), say("coffee 3,50"), click("Cancel")),
    one("receipt_waits", EX, say("/expenses"), Step(send={"tea.png": ""})),
    one("receipt_kept", EX, say("/expenses"), say("€5 tea today"), Step(send={"tea.png": ""})),
    played("model_oversteps", EX, "model_oversteps", 5, model=PLAYED, begin=True),
    played("operations_away", EX, "model_away", 1, model=AWAY, begin=True),
    # personal account dealing
    one("first_question", PA, say("/pa")),
    one("home", PA, *OPENING, home=True),
    one("results_wait", PA, OPENING[0]),
    played("none_of_these", PA, "misspelt_security", 3),
    played("by_model", PA, "leverage_asked_once", 6, model=PLAYED),
    one("entered", PA, say("I want to buy Tesco for my pension"), click("Use this"), Step(enter="2,000")),
    one("box_open", PA, say("I want to buy Tesco for my pension"), click("Use this"), click("hf.box")),
    one("typed", PA, *OPENING, say("no"), say("nope")),
    played("change_waits", PA, "whole_conversation", 8, model=PLAYED),
    one("changed", PA, *OPENING, *NOS[:2], say("and it is leveraged after all"), click("Change to Yes")),
    one("undo_stands", PA, *OPENING, say("actually make it 250")),
    one("reopened", PA, *OPENING, *NOS[:4], click("Edit", "is_leveraged")),
    one("edited_from_review", PA, *TO_REVIEW, Step(click="edit:quantity")),
    one("security_changed", PA, *OPENING, *NOS[:3], click("Edit", "security"), say("Barclays"), pick()),
    one("explained", PA, *OPENING, *NOS[:2], say("what counts as inside information?")),
    one("derivative", PA, *OPENING, click("Yes", "is_derivative")),
    one(
        "derivative_retired",
        PA,
        *OPENING,
        click("Yes", "is_derivative"),
        say("I use this option to hedge a position that I already hold"),
        click("Edit", "is_derivative"),
        click("No", "is_derivative"),
    ),
    one("submitted_anyway", PA, *OPENING, *NOS, click("I understand"), say("good investment"), click("Submit anyway")),
    one("coached", PA, *OPENING, *NOS, click("I understand"), say("good investment")),
    one("stuck", PA, *OPENING, say("the weather is fine")),
    one("person_offered", PA, *OPENING, say("the weather is fine"), say("and the sun shines")),
    one("person_asked", PA, *OPENING, say("talk to a person")),
    one("cancel_waits", PA, *OPENING, say("cancel")),
    one("cancelled", PA, *OPENING, say("cancel"), click("Yes, cancel it")),
    one("restart_waits", PA, *OPENING, say("start over")),
    one("restarted", PA, *OPENING, say("start over"), click("Yes, start over")),
    one("review_waits", PA, *TO_REVIEW),
    one("asked_after", PA, *FILED, say("my requests"), say("can I trade Tesco"), say("Thanks!")),
    played("blocked", PA, "restricted"),
    played("submitted_away", PA, "model_away", model=AWAY),
    played("escalated", PA, "later_disclosure", model=PLAYED),
    one(
        "disclosure_waits",
        PA,
        *OPENING,
        *NOS[:3],
        say(
            "a colleague on the deal team mentioned the numbers over lunch",
            calls(
                "disclose",
                field="has_inside_info",
                words="a colleague on the deal team mentioned the numbers over lunch",
            ),
        ),
        model=PLAYED,
    ),
    one(
        "disclosure_confirmed",
        PA,
        *OPENING,
        *NOS[:3],
        say(
            "a colleague on the deal team mentioned the numbers over lunch",
            calls(
                "disclose",
                field="has_inside_info",
                words="a colleague on the deal team mentioned the numbers over lunch",
            ),
        ),
        Step(click="hf.disclose_confirmed"),
        model=PLAYED,
    ),
    one("disclosed_after", PA, *FILED, say("actually I do have inside information")),
    one(
        "offer_stands",
        PA,
        say("I want to buy 200 Tesco for £720"),
        click("Use this"),
        say(
            "hm, which one would people usually take",
            ModelReply(
                text="Many people use a pension for this.",
                calls=(ModelCall(tool="offer", arguments={"field": "account", "value": "pension"}),),
            ),
        ),
        model=PLAYED,
    ),
    one(
        "offer_taken",
        PA,
        say("I want to buy 200 Tesco for £720"),
        click("Use this"),
        say(
            "hm, which one would people usually take",
            ModelReply(
                text="Many people use a pension for this.",
                calls=(ModelCall(tool="offer", arguments={"field": "account", "value": "pension"}),),
            ),
        ),
        say("sounds good"),
        model=PLAYED,
    ),
    one(
        "put_back",
        PA,
        say("I want to buy 200 Tesco for my pension"),
        click("Use this"),
        say(
            "it should come to around 700 pounds, give or take",
            calls("set_trade", value="700", currency="GBP", words="around 700 pounds, give or take"),
        ),
        model=PLAYED,
    ),
    one(
        "refused_calls",
        PA,
        *OPENING,
        say(
            "hmm let me think",
            calls("set_trade", quantity=900, words="nine hundred"),
            calls("set_declarations", is_derivative=False, words="hmm"),
        ),
        model=PLAYED,
    ),
    one("two_forms", PA, say("/requirements"), say("/pa"), say("/holdfast")),
    one(
        "claude",
        PA,
        say("I'd like to buy 200 Tesco for my pension, about £720"),
        click("Use this"),
        click("No", "is_derivative"),
        model=CLAUDE,
    ),
    # loan
    one("welcome", LO, say("vorrei un prestito")),
    one("consents", LO, *LOAN[:4]),
    one("track", LO, *LOAN, say("cessione dello stipendio"), click("Lavoro dipendente"), say("Privato")),
    played("reading_waits", LO, "dipendente_veloce", 12),
    played("eligible", LO, "dipendente_veloce", -2),
    played("review_waits", LO, "dipendente_veloce", -1),
    played("submitted", LO, "dipendente_veloce"),
    played("by_model", LO, "con_modello", model=PLAYED),
    played("handed_over", LO, "operatore", 2),
    played("handed_back", LO, "operatore", 3),
    played("refused_consent", LO, "consenso_negato"),
    played("unreadable", LO, "documenti_illeggibili", 15),
    played("distress", LO, "difficolta"),
    played("repeats", LO, "cinque_finanziamenti", -4),
    played("no_income", LO, "senza_reddito"),
    played("pensioner", LO, "pensionata_manuale", 14),
    # vehicle case
    one("first_question", VE, say("/expediente")),
    played("quote", VE, "whole_case", 1),
    played("photos", VE, "whole_case", 3),
    played("documents", VE, "whole_case", 10),
    played("holder_by_model", VE, "with_a_model", 10, model=PLAYED, begin=True),
    played("ticking", VE, "whole_case", 32),
    played("review_waits", VE, "whole_case", -4),
    played("begun_again", VE, "whole_case"),
    played("cancel_waits", VE, "cancel", 3, model=PLAYED),
    played("cancelled", VE, "cancel", 6, model=PLAYED),
    played("escalated", VE, "escalation", 5, model=PLAYED),
    played("handed_back", VE, "escalation", model=PLAYED),
    played("loop", VE, "loop", model=PLAYED),
    played("unsupported", VE, "unsupported", 1),
    # requirements
    one("first_question", RE, say("/requirements")),
    played("middle", RE, "bug_without_a_model", 7),
    played("review_waits", RE, "bug_without_a_model", -2),
    played("submitted", RE, "bug_without_a_model"),
    played("asked_by_model", RE, "drift", model=PLAYED),
    # data rights
    one("erased_with_record", PA, *FILED, *ERASE),
    one("erased_draft", PA, *OPENING, *ERASE),
    played("erased_documents", VE, "whole_case", 3, say("/elimina_mis_datos"), click("Sí, elimine todo")),
    one("erase_waits", PA, *OPENING, say("delete my data")),
    one("my_data", PA, *OPENING, say("my data")),
    # what waits in inbox and outbox
    one("inbox_message", PA, *OPENING, held=("conversation",), last=(say("no"),)),
    one("inbox_click", PA, *OPENING, held=("conversation",), last=(click("No", "is_derivative"),)),
    one(
        "inbox_several",
        PA,
        *OPENING,
        held=("conversation",),
        last=(click("No", "is_derivative"), say("actually make it 250"), say("what's missing?")),
    ),
    one("inbox_first", PA, held=("conversation",), last=(OPENING[0],)),
    one("inbox_submit", PA, *TO_REVIEW, held=("conversation",), last=(click("Submit"),)),
    one("inbox_loan", LO, *LOAN[:3], held=("conversation",), last=(click("Sì", "consent_sensitive"),)),
    one(
        "inbox_case",
        VE,
        say("Quiero homologar los espejos de mi moto"),
        held=("conversation",),
        last=(click("Abrir el expediente"),),
    ),
    one("inbox_requirements", RE, say("/requirements"), held=("conversation",), last=(click("Bug"),)),
    one("inbox_confirm", EX, say("/expenses"), say("coffee 3,50"), held=("conversation",), last=(click("Confirm"),)),
    one("inbox_right", PA, *OPENING, held=("conversation",), last=(say("my data"),)),
    one("post_waits", PA, *OPENING, held=("slack",), last=(click("No", "is_derivative"),)),
    one("post_unclear", PA, *OPENING, held=("slack",), last=(say("help"),), ends="unclear"),
    one("post_dead", PA, *OPENING, held=("slack",), last=(say("help"),), ends="dead"),
    one("inbox_dead", PA, *OPENING, held=("conversation",), last=(say("no"),), ends="dead"),
    one(
        "attach_waits", EX, say("/expenses"), say("£3 stamps today"), held=("slack",), last=(say("export this month"),)
    ),
    one("look_up_waits", PA, say("/pa"), held=("facts",), last=(say("Tesco"),)),
    one("gather_waits", PA, *TO_REVIEW, held=("facts",), last=(click("Submit"),)),
    one("command_waits", PA, *FILED, held=("facts",), last=(say("my requests"),)),
    one("begin_waits", PA, *OPENING, say("start over"), held=("facts",), last=(click("Yes, start over"),)),
    played("fetch_waits", VE, "whole_case", 2, held=("documents",), last=(Step(send={"escape.jpg": ""}),)),
    one("operate_waits", EX, say("/expenses"), say("coffee 3,50"), held=("operate",), last=(click("Confirm"),)),
    one("operation_asked", EX, say("/expenses"), held=("operate",), last=(say("£9 taxi today"),)),
    one("model_waits", PA, *OPENING, held=("model",), last=(say("hm, what a day"),), model=PLAYED),
    one("model_waits_after_click", PA, *OPENING, held=("model",), last=(click("No", "is_derivative"),), model=PLAYED),
)


class Stage(_Stage):
    """The player's, with another person at the keyboard."""

    who = ""

    @property
    def alex(self) -> Person:
        return self.sandbox.person(self.who)


@dataclass
class Filling:
    sandbox: Sandbox
    here: Settings
    trouble: list[str] = field(default_factory=list)
    people: dict[str, dict[str, str]] = field(default_factory=dict)
    kept: list[tuple[str, float]] = field(default_factory=list)
    leases: list[Lease] = field(default_factory=list)

    def join(self, situation: Situation, n: int) -> str:
        who = f"U0S{n:03}"
        handle = f"{situation.form.split('_')[0]}.{situation.name}".lower()
        profile = Profile(who, handle, handle.replace(".", " ").replace("_", " ").title())
        self.sandbox.workspace.add_person(profile, f"D0S{n:03}")
        self.people[f"{situation.form}/{situation.name}"] = {
            "id": who, "dm": f"D0S{n:03}", "name": profile.name, "real_name": profile.real_name,
        }  # fmt: skip
        return who

    async def play(self, bot: Bot, model: PlayedModel | None, situation: Situation, who: str) -> None:
        workflow = bot.workflows[situation.form]
        stage = Stage(self.sandbox, bot, workflow, model)
        stage.who = who
        steps: Sequence[Step] = ()
        if situation.scenario:
            file = next(f for f in workflow.scenarios if f.stem == situation.scenario)
            steps = read_scenario(file, workflow.form).steps[: situation.upto]
        begin = (say(workflow.form.command),) if situation.begin else ()
        for step in (*begin, *steps, *situation.steps):
            await self.act(stage, step)
            await settled(self.sandbox, bot)
        if situation.home:
            await stage.alex.open_home()
            await self.sandbox.until(lambda: stage.alex.home)

    async def act(self, stage: Stage, step: Step) -> None:
        if stage.model:
            stage.model.play(step.model)
        if step.click and step.click.startswith("edit:"):
            label = stage.workflow.form.fields[step.click[5:]].label
            await stage.alex.choose("Edit an answer", label)
        else:
            await stage._act(step)

    async def hold(self, bot: Bot, model: PlayedModel | None, situation: Situation, who: str) -> None:
        stage = Stage(self.sandbox, bot, bot.workflows[situation.form], model)
        stage.who = who
        place = Place(TEAM, stage.alex.dm).key
        current = await bot.store.current(place)
        stored = await bot.store.draft(current.draft) if current else None
        name = stored.id if stored else ""
        turn = (stored.body["turn"] + 1) if stored else 0
        lanes = {
            "conversation": place, "slack": f"slack:{place}", "facts": f"facts:{name}", "documents": f"documents:{name}",
            "operate": f"operate:{name}", "model": f"model:{name}:{turn}",
        }  # fmt: skip
        for held in situation.held:
            lease = await bot.store.take(lanes[held], LONG)
            assert lease, held
            self.leases.append(lease)
        with asked_for() if "documents" in situation.held else nullcontext():
            for step in situation.last:
                await self.act(stage, step)
                await self.sandbox.until(lambda: not self.sandbox.under_way)
        await asyncio.sleep(0.3)
        if situation.ends:
            await self.end(bot, situation, place)

    async def end(self, bot: Bot, situation: Situation, place: str) -> None:
        lease, store = self.leases[-1], bot.store
        if situation.held == ("conversation",):
            incoming = await store.next_incoming(place)
            assert incoming
            await store.fail_incoming(lease, incoming.id, None)
            return
        row = await store.next_outgoing(lease.lane)
        assert row
        if situation.ends == "dead":
            await store.fail_outgoing(lease, row.id, None)
            return
        there = self.sandbox.slack.workspace.channels[row.body["channel"]]
        body = {
            **next(m.body for m in reversed(there.messages.values()) if m.body.get("bot_id")),
            "text": row.body["text"],
        }
        body = {k: v for k, v in body.items() if k != "ts"} | {"blocks": row.body["blocks"]}
        marked = {"event_type": "holdfast_post", "event_payload": {"key": row.key}}
        messages.post(self.sandbox.slack, there, body, metadata=marked)
        await store.fail_outgoing(lease, row.id, 0.0, unclear=True)


@contextmanager
def asked_for() -> Iterator[None]:
    """Files as Slack Connect sends them: their address has to be asked for, so that it may be another one by then."""
    plain = shapes.file
    shapes.file = lambda slack, stored: {
        **plain(slack, stored),
        "file_access": "check_file_info",
        "url_private": "",
        "url_private_download": "",
    }
    try:
        yield
    finally:
        shapes.file = plain


async def fill(folder: Path) -> list[str]:
    """Fill a fresh database under `folder`; gives what did not go as wanted."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    var = folder / "var"
    plain = settings(var)
    sandbox = make_sandbox(plain)
    await sandbox.start()
    filling = Filling(sandbox, pointed_at(plain, sandbox))
    whos = {(s.form, s.name): filling.join(s, n) for n, s in enumerate(SITUATIONS, 1)}
    assert len(whos) == len(SITUATIONS)
    for held, kind in (
        (False, ABSENT),
        (False, PLAYED),
        (False, AWAY),
        (False, CLAUDE),
        (True, ABSENT),
        (True, PLAYED),
    ):
        mine = [s for s in SITUATIONS if s.model == kind and bool(s.held) is held]
        async with running(filling, kind) as (bot, model):
            for situation in mine:
                await guarded(
                    filling, situation, filling.play(bot, model, situation, whos[situation.form, situation.name])
                )
            if (
                kind == AWAY
            ):  # what retention does after a time: rows that were worked off are emptied; later ones stay whole
                now = await bot.store.now()
                await bot.store.expire_rest(now, now, now - timedelta(days=3650))
            for situation in mine if held else ():
                await guarded(
                    filling, situation, filling.hold(bot, model, situation, whos[situation.form, situation.name])
                )
    await let_go(filling, plain)
    write_slack(folder, filling)
    await sandbox.stop()
    return filling.trouble


async def guarded(filling: Filling, situation: Situation, work: Any) -> None:
    try:
        await work
    except Exception as problem:
        filling.trouble.append(f"{situation.form}/{situation.name}: {type(problem).__name__}: {problem}")
        if not isinstance(problem, (LookupError, AssertionError)):
            traceback.print_exc()
        print(filling.trouble[-1], flush=True)
    else:
        print(f"{situation.form}/{situation.name}", flush=True)


@asynccontextmanager
async def running(filling: Filling, kind: str) -> AsyncIterator[tuple[Bot, PlayedModel | None]]:
    server = MessagesServer(by_newest_message({"buy 200 Tesco": claude()})) if kind == CLAUDE else None
    model: Model | None = {PLAYED: PlayedModel(), AWAY: AwayModel()}.get(kind)
    here = filling.here
    if server:
        await server.start()
        from pydantic import SecretStr

        here = here.model_copy(update={"anthropic_api_key": SecretStr("sk-test"), "anthropic_base_url": server.url})
    bot = await build(here, model=model)
    await bot.start()
    await filling.sandbox.until(lambda: filling.sandbox.connected)
    try:
        yield bot, model if isinstance(model, PlayedModel) else None
    finally:
        await bot.stop()
        if server:
            await server.stop()


def claude() -> Any:
    trade = {"direction": "buy", "quantity": 200, "value": "720", "currency": "GBP", "account": "pension"}
    words = "buy 200 Tesco for my pension, about £720"
    return tools(call("set_security", security="Tesco", words="Tesco"), call("set_trade", **trade, words=words))


async def let_go(filling: Filling, plain: Settings) -> None:
    """Nobody holds a lane any more: what came into the held ones waits."""
    store = make_store(plain)
    await store.start()
    for lease in filling.leases:
        await store.release(lease)
    await store.stop()


def write_slack(folder: Path, filling: Filling) -> None:
    """What Slack held: messages whole, open modals, home views, files, and when that was."""
    workspace = filling.sandbox.workspace
    held = {
        "at": datetime.now(UTC).isoformat(),
        "people": filling.people,
        "channels": {
            name: [{"body": m.body, "metadata": m.metadata} for m in channel.messages.values()]
            for name, channel in workspace.channels.items()
            if channel.messages
        },
        "modals": {who: [view.body for view in stack] for who, stack in workspace.modals.items() if stack},
        "homes": {who: view.body for who, view in workspace.homes.items()},
        "files": [
            {
                "id": f.id,
                "name": f.name,
                "mimetype": f.mimetype,
                "user": f.user,
                "created": f.created,
                "title": f.title,
                "content": f.content.decode("latin-1"),
            }
            for f in workspace.files.values()
        ],
    }
    (folder / "slack.json").write_text(json.dumps(held, ensure_ascii=False, sort_keys=True, indent=1))


if __name__ == "__main__":
    trouble = asyncio.run(fill(Path(sys.argv[1])))
    print(f"{len(SITUATIONS)} situations, {len(trouble)} went otherwise")
