"""Expenses: what each operation does with a person's rows, who may see more than their own, and the words for it."""

from collections.abc import Iterator, Mapping
from typing import Any

from state.draft.operations import MEMBER, Roles
from state.form.files import Files
from state.form.source import FormError, meant
from state.rules import Rules

from .operations import Reports, Writing
from .showing import read_words

FILE = "roles.toml"
ADMIN, SUPER = "finance_admin", "super_admin"


def read_roles(files: Files) -> Roles:
    """Read and check roles.toml. Raises FormError with the lines to mend."""
    source = files.toml(FILE)
    problems = [source.problem(keys, text) for keys, text in _wrong(source.data)]
    if problems:
        raise FormError(problems)
    holders = {team: {role: tuple(users) for role, users in table.items()} for team, table in source.data.items()}
    return Roles(holders, above=(MEMBER, ADMIN, SUPER), wide=frozenset({ADMIN, SUPER}))


def _wrong(data: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    for team, table in data.items():
        if not isinstance(table, Mapping):
            yield (team,), "Name a Slack team as a table, like [T0123ABCD], and its roles below it."
            continue
        for role, users in table.items():
            if role not in (ADMIN, SUPER):
                yield (
                    (team, role),
                    f'"{role}" is no role. Use {ADMIN} or {SUPER}; everybody is a member.{meant(role, (ADMIN, SUPER))}',
                )
            if not isinstance(users, list) or not all(isinstance(u, str) and u[:1] in ("U", "W") for u in users):
                yield (team, role), 'List Slack user ids, like ["U0123ABCD"].'


VERSION = "1"


def rules(files: Files) -> Rules:
    """Read words.toml and roles.toml. Raises FormError with the lines to mend."""
    words = read_words(files)
    writing, reports = Writing(words), Reports(words)
    return Rules(
        version=VERSION,
        roles=read_roles(files),
        operations={
            "add_expense": writing.add,
            "update_expense": writing.update,
            "delete_expense": writing.delete,
            "attach_receipt": writing.attach,
            "get_balance": reports.balance,
            "list_expenses": reports.listing,
            "summarise_expenses": reports.summary,
            "export_expenses": reports.export,
        },
    )
