"""The installation's own slash commands: one's data, its erasure, help, a person, a start. Each language has its own names."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from state.language import LANGUAGES

if TYPE_CHECKING:
    from state.engine.events import Act  # a check of forms reads the names alone, and needs no engine

ALL = "/holdfast"
"""The command that serves every form."""
COMMANDS: "Mapping[str, tuple[Act, str]]" = {
    **{
        command: (cast("Act", act), code)
        for code, language in LANGUAGES.items()
        for act, command in language.commands.slash.items()
    },
    "/start": ("begin", ""),
}
"""Command to its act and language. Slack keeps /help for itself. A form that has one of these for its own command takes it."""
