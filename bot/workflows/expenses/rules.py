"""Expenses: what each operation does with a person's rows, who may see more than their own, and the words for it."""

from state.form.files import Files
from state.rules import Rules

from .reports import Reports
from .roles import read_roles
from .showing import read_words
from .writing import Writing

VERSION = "1"


def rules(files: Files) -> Rules:
    """Reads words.toml and roles.toml. Raises FormError with the lines to mend."""
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
