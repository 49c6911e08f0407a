"""The thirteen forms as workflow folders, each with the command that begins it and the service that takes it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from state.draft.draft import Draft
from state.rules import Rules, Sources
from tests.forms.form_cases import write
from tests.forms.test_form_generality import as_toml
from tests.replay.data import folder, forms

TRAPS = """
[fields.pets_along]
kind = "yes_no"
label = "Pets along"
ask = "Do you bring a pet?"
required = false
default = false

[fields.invoice_wanted]
kind = "yes_no"
label = "Invoice wanted"
ask = "Do you want an invoice?"
required = false
default = false
"""
RULES = "from tests.replay.folders import rules\n\n__all__ = ['rules']\n"


def command(form: str) -> str:
    """The slash command that begins a form."""
    return f"/{folder(form)}"[:31]


def write_forms(place: Path) -> Path:
    """Write them all under a folder, for HOLDFAST_WORKFLOWS."""
    for number, (name, form) in enumerate(forms().items()):
        write(
            place / folder(name), f'command = "{command(name)}"\n{as_toml(name, number, form)}{TRAPS}', rules_py=RULES
        )
    return place


silent: set[str] = set()
"""People whose next submission the service does not answer."""


class Silence(Exception):
    """The service did not answer."""


async def gather(draft: Draft, _sources: Sources | None) -> Mapping[str, Any]:
    """Nothing is needed of the service but its answer. Raises Silence, once per person in `silent`."""
    if draft.owner in silent:
        silent.discard(draft.owner)
        raise Silence
    return {}


rules = Rules(gather=gather)
