"""The extras of the installation: the libraries that each brings, and the sentence for whoever lacks one."""

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Literal

Extra = Literal["charts", "pdf", "postgres"]
MODULES: Mapping[Extra, tuple[str, ...]] = {
    "charts": ("PIL",),
    "pdf": ("pypdfium2", "PIL", "fpdf"),
    "postgres": ("asyncpg", "greenlet"),
}
"""The modules by which an extra is known to be installed."""


def lacking(extra: Extra, what: str) -> str:
    """Return the sentence that says what needs an extra that is not installed, and how to install it; empty where it is."""
    if all(find_spec(name) for name in MODULES[extra]):
        return ""
    return f"{what} needs the extra “{extra}”, which `pip install 'holdfast[{extra}]'` installs."
