"""How a person asks for their data, or for its erasure: in words, by a command, by the button that confirms."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, cast, get_args

from state.engine.events import Clicked, DraftEvent, MessageReceived
from state.understanding.commands import SpokenCommand as Order
from state.understanding.commands import read_command

Right = Literal["my_data", "erase", "erase_confirmed", "erase_kept", "dossier"]
IN_WORDS: dict[Order, Right] = {Order.MY_DATA: "my_data", Order.ERASE: "erase"}


@dataclass(frozen=True)
class DataRequest:
    """`language` is that of the words or of the command; `card` the proposal that a click answers, or the record of a dossier."""

    right: Right
    language: str
    card: str = ""


def read_right(event: DraftEvent, languages: Iterable[str]) -> DataRequest | None:
    """What an event asks for of a person's rights; None for everything else. Whole utterances only."""
    if isinstance(event, Clicked) and event.act in get_args(Right):
        return DataRequest(cast(Right, event.act), event.field, event.card)
    if not isinstance(event, MessageReceived):
        return None
    orders = ((language, read_command(event.text, language)) for language in languages)
    return next((DataRequest(IN_WORDS[order], language) for language, order in orders if order in IN_WORDS), None)
