"""The thirteen forms as workflow folders, each with the command that begins it and the service that takes it.

The data set has one yes/no question in all, so each form has two more that nobody in it is asked and nobody answers: whatever fills them in is
wrong.
"""

from pathlib import Path

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
RULES = "from tests.replay.sink import rules\n\n__all__ = ['rules']\n"


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
