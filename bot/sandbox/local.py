"""The bot on its own local Slack: how it runs without tokens, how scenarios are played, and how it is tested."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from pydantic import SecretStr

from bot.model.protocol import Model
from bot.officers.roles import Holders, RolesFile
from bot.root.assembly import build
from bot.root.installation import Say, load_workflows, silent
from bot.root.lifecycle import Bot
from bot.sandbox.edits import COMPLIANCE, Edits, commands_of
from bot.sandbox.preview import Forms
from bot.sandbox.server import Sandbox
from bot.settings import Settings
from bot.slack.requests import BODY
from bot.turns.inspector import Inspector
from state.form import Form
from state.stores.store import Store
from state.workflow.load import Workflow

OFFICERS = {
    "manager": "U0ROBIN", "compliance": "U0DANA", "senior_compliance": "U0SASHA", "technician": "U0SASHA", "adviser": "U0SASHA",
}  # fmt: skip
"""The person for each role in the sandbox; compliance is its user group."""
ROLES = RolesFile(
    roles={name: Holders(users=(user,)) for name, user in OFFICERS.items()}
    | {"compliance": Holders(groups=("S0COMPLIANCE",))}
)
"""The reviewers in the sandbox, unless a roles.toml names others."""
PEOPLE = ("U0DANA", "U0SASHA", "U0ROBIN")
Workflows = Mapping[str, Workflow]


def officers_of(form: Form) -> Mapping[str, str]:
    """Return the person for each role of a form; roles of its own are held by whoever holds none of its others, as far as there are such."""
    known = {role: OFFICERS[role] for role in form.filing.roles if role in OFFICERS}
    free = [user for user in PEOPLE if user not in known.values()] or PEOPLE
    own = [role for role in form.filing.roles if role not in OFFICERS]
    return known | {role: free[n % len(free)] for n, role in enumerate(own)}


def _roles(workflows: Workflows) -> RolesFile:
    """Return the reviewers in the sandbox, with the roles that forms name besides."""
    own = {role: user for w in workflows.values() for role, user in officers_of(w.form).items()}
    return RolesFile(roles={**{role: Holders(users=(user,)) for role, user in own.items()}, **ROLES.roles})


def pointed_at(settings: Settings, sandbox: Sandbox, workflows: Workflows | None = None) -> Settings:
    """Return the same settings with the sandbox for a Slack; without workflows those that the settings name are loaded."""
    names = workflows or load_workflows(settings)
    here: dict[str, Any] = {
        "slack_bot_token": SecretStr(sandbox.bot_token),
        "slack_app_token": SecretStr(sandbox.app_token),
        "slack_api_url": sandbox.api_url,
        "holdfast_pace": sandbox.knobs.tiers,
        "channels": {**dict.fromkeys(names, COMPLIANCE), **settings.channels},
    }
    return settings.model_copy(update=here)


def make_sandbox(
    settings: Settings, inspector: Inspector | None = None, workflows: Workflows | None = None, **options: Any
) -> Sandbox:
    """Return a sandbox that knows the commands of the workflows; without any, of those that the settings name."""
    inspect = inspector.inspect if inspector else None
    sandbox = Sandbox(inspect, commands=commands_of(workflows or load_workflows(settings)), **options)
    sandbox.knobs.tiers = int(settings.holdfast_pace)
    return sandbox


@asynccontextmanager
async def sandboxed(
    settings: Settings,
    port: int = 0,
    *,
    store: Store | None = None,
    model: Model | None = None,
    only: str = "",
    serves: int | None = None,
    patience: float = BODY,
    say: Say = silent,
    watches: bool = False,
    **options: Any,
) -> AsyncIterator[tuple[Sandbox, Bot]]:
    """A running sandbox with the bot connected to it; both stop at the end. Raises OSError where the port is taken.

    `serves` is the port of the bot's own HTTP, on the loopback, none where it is left out; `patience` how long it waits for a request.
    `say` is told each longer step. `watches`: forms that are edited count at once.
    `options` are the sandbox's, the others `build`'s.
    """
    inspector = Inspector()
    say("Loading the workflows …")
    workflows = load_workflows(settings)
    sandbox = make_sandbox(settings, inspector, workflows, say=say, **options)
    try:
        await sandbox.start(port=port)
        here = pointed_at(settings, sandbox, workflows)
        bot = await build(
            here,
            inspector,
            serves,
            store=store,
            model=model,
            only=only,
            patience=patience,
            say=say,
            roles=_roles(workflows),
        )
        forms = sandbox.page.forms = Forms(bot.workflows)
        edits = Edits(sandbox, bot, forms, say)
        try:
            await bot.start()
            if watches:
                await edits.start()
            yield sandbox, bot
        finally:
            await edits.stop()
            await bot.stop()
    finally:
        await sandbox.stop()
