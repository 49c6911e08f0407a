"""The card that asks before it erases, and what it says afterwards."""

from collections.abc import Sequence

from blocks.aloud import aloud
from blocks.elements import actions, button, section
from blocks.ids import Press
from blocks.message import Message, message
from blocks.phrases import Phrasebook
from blocks.text import literal


def build_erase_ask(words: Phrasebook, language: str, proposal: str, kept: Sequence[str] = ()) -> Message:
    """What goes, what the law wants kept, the click that does it, and the way back. `proposal` binds both buttons."""
    text = _text(words, "erase_ask", kept)
    do = button(words.say("erase_yes"), Press("erase_confirmed", field=language, card=proposal), style="danger")
    stay = button(words.say("erase_no"), Press("erase_kept", field=language, card=proposal))
    return aloud(message(text, [section(text), actions([do, stay])]))


def build_erased(words: Phrasebook, key: str, kept: Sequence[str] = ()) -> Message:
    """How it ended, and what stays although it was asked to go."""
    text = _text(words, key, kept)
    return message(text, [section(text)])


def _text(words: Phrasebook, key: str, kept: Sequence[str]) -> str:
    return "\n".join(map(literal, (words.say(key), *kept)))
