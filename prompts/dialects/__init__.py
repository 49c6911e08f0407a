"""Requests for models without native tools: the tools and the format of a reply as text, earlier rounds as plain turns."""

from prompts.dialects.again import AGAIN, asked_again
from prompts.dialects.speaking import in_dialect
from prompts.request import Dialect
from state.form import Form

__all__ = ["AGAIN", "asked_again", "dialect_of", "in_dialect"]


def dialect_of(setting: Dialect, form: Form) -> Dialect:
    """Return the installation's dialect where one is set (its model may have no tools), else the form's own."""
    return form.dialect if setting == "tools" else setting
