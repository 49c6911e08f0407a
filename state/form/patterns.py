"""How a command's patterns are written: "(can|may) i trade {rest}" is two, with a slot for what the command is about."""

import re
from collections.abc import Iterator

from state.form.schema import Command

SLOT = re.compile(r"\{(rest|number)\}")
CHOICE = re.compile(r"\(([^()]*)\)")


def flaws(command: Command) -> Iterator[str]:
    """What is wrong with a command's patterns, in words."""
    if not command.says:
        yield "A command needs `says`: the words by which people ask for it. Add a list."
    for says in command.says:
        around = CHOICE.sub(lambda m: m[1].replace("|", " "), says)
        slots = SLOT.findall(around)
        own = SLOT.sub("", around)
        if "(" in own or ")" in own:
            yield f'"{says}": a choice stands in one pair of brackets, "(can|may)", and none inside another.'
        elif len(slots) > 1 or "{" in own or "}" in own or not (re.search(r"\w", own) or slots == ["number"]):
            yield f'"{says}" must have words of its own, and at most one {{rest}} for those that follow.'
