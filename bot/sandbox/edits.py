"""Forms are edited while the sandbox runs: what is good counts at once, what is wrong is shown, and the last good version stays in use."""

import asyncio
import importlib
import shutil
from collections.abc import Collection, Mapping
from dataclasses import replace
from pathlib import Path

import structlog

from bot.operations.tasks import Periodic
from bot.root.installation import Say, Stamp, load_good, stamps
from bot.root.lifecycle import Bot
from bot.sandbox.preview import Forms
from bot.sandbox.server import Sandbox
from bot.slack.manifest import COMMANDS
from state.form.source import FormError, Problem
from state.workflow.load import Workflow

log = structlog.get_logger("holdfast.sandbox")
COMPLIANCE = "C0COMPLIANCE"
"""The sandbox's channel where records are announced, unless a setting names another."""
VERSIONS = 100
"""Earlier versions of a form that are kept for its drafts."""


def commands_of(workflows: Mapping[str, Workflow]) -> tuple[str, ...]:
    """Return the slash commands of a workspace with these forms."""
    own = (one.form.command for one in workflows.values() if one.form.command)
    return tuple(dict.fromkeys(("/holdfast", *own, *COMMANDS)))


AT_REST, SETTLING = 1.5, 0.2
"""Seconds between two looks at the files, and while an editor writes them in several steps."""


class Edits(Periodic):
    """Looks at the files of the forms, and lets them settle."""

    name = "edits"

    def __init__(self, sandbox: Sandbox, bot: Bot, forms: Forms, say: Say) -> None:
        self._sandbox, self._bot, self._forms, self._say = sandbox, bot, forms, say
        self._last: dict[str, Workflow] = dict(bot.workflows)
        """The last version of each form, of one whose folder is gone too."""
        self._seen: tuple[Stamp, ...] = ()
        self._read: tuple[Stamp, ...] = ()

    async def look(self) -> None:
        """Read the folders once their files are others than those that were read, and the same as the last time."""
        try:
            now = await asyncio.to_thread(stamps, self._bot.settings)
        except OSError:  # a file went while it was looked at
            return
        self.pause = AT_REST if now == self._seen else SETTLING
        if now != self._seen or now == self._read:
            self._seen = now
            return
        python = [Path(file) for file, *_ in set(now) ^ set(self._read) if self._read and file.endswith(".py")]
        self._read = now
        await self._use(*await asyncio.to_thread(self._load, python))

    def _load(self, python: Collection[Path]) -> tuple[Mapping[str, Workflow], list[Problem]]:
        """Read the folders. Python's own cache knows a module by the second in which it was written, so it goes first."""
        for folder in {file.parent for file in python}:
            shutil.rmtree(folder / "__pycache__", ignore_errors=True)
        importlib.invalidate_caches()
        return load_good(self._bot.settings, dict(self._bot.workflows))

    async def _use(self, good: Mapping[str, Workflow], problems: list[Problem]) -> None:
        bot, running = self._bot, self._bot.workflows
        at = await bot.store.now()
        made: dict[str, Workflow] = {}
        for name, one in good.items():
            before = running.get(name) or self._last.get(name)
            if before is None or before.form is one.form:
                made[name] = before or one
            else:
                earlier = (*before.earlier, (at, replace(before, earlier=())))
                made[name] = replace(one, earlier=earlier[-VERSIONS:])
        changed = [name for name, one in made.items() if one is not running.get(name)]
        gone = [name for name in running if name not in made]
        if changed or gone:
            try:
                bot.overseer.references.install(dict(sorted(made.items(), key=lambda one: one[1].form.rank)))
            except FormError as wrong:
                problems, changed, gone = [*problems, *wrong.problems], [], []
        if changed or gone:
            self._last |= bot.workflows
            bot.settings.channels.update({n: COMPLIANCE for n in made if n not in bot.settings.channels})
            self._sandbox.slack.commands = commands_of(bot.workflows)
            await bot.forms_back()
            log.info("forms_changed", changed=changed, gone=gone, problems=len(problems))
            self._say(f"Changed: {', '.join((*changed, *gone))}.")
        if changed or gone or problems != self._forms.problems:
            for problem in problems:
                self._say(f"{problem.file}:{problem.line}: {problem.text}")
            self._forms.version, self._forms.problems = self._forms.version + 1, problems
            self._forms.edited = next(iter((*changed, *(p.file.parent.name for p in problems))), "")
            self._sandbox.slack.changes.publish("forms")
