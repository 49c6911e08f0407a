"""How many files and functions an act goes through in the running bot, from the listener to the last post."""

import sys
import tempfile
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from tests.house.source import PRODUCT, ROOT
from tests.whole.steps import open_request
from tests.world import World, world

BESIDE = ("bot/sandbox",)
"""The local Slack and the model's server: they stand for what is elsewhere in production."""


@dataclass(frozen=True)
class Way:
    """Files and functions of the product that an act entered."""

    files: int
    functions: int


async def paths() -> dict[str, Way]:
    """Trace a click on No and a typed sentence without a model, each after one of its kind, so that nothing is entered for the first time."""
    found = {}
    for name, act in {"click": _click, "sentence": _say}.items():
        with tempfile.TemporaryDirectory() as var:
            async with world(Path(var), kept=True) as w:
                await open_request(w)
                await w.click("No")
                found[name] = await _traced(w, act)
    return found


async def _click(w: World) -> None:
    await w.click("No")


async def _say(w: World) -> None:
    await w.say("make that 250 shares")


async def _traced(w: World, act: Callable[[World], Awaitable[None]]) -> Way:
    """Entered code objects of the product while the act is under way, in every thread."""
    seen: set[CodeType] = set()

    def enter(frame: FrameType, event: str, _arg: Any) -> None:
        if event == "call":
            seen.add(frame.f_code)

    threading.setprofile(enter)
    sys.setprofile(enter)
    try:
        await act(w)
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
    codes = [code for code in seen if _is_product(code)]
    return Way(len({code.co_filename for code in codes}), len(codes))


def _is_product(code: CodeType) -> bool:
    name = code.co_filename.removeprefix(f"{ROOT}/")
    return name.startswith(tuple(f"{p}/" for p in PRODUCT)) and not name.startswith(BESIDE) and code.co_name[0] != "<"
