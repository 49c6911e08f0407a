"""How people order, correct and ask, by language. English is understood in every form."""

from collections.abc import Mapping

from state.reading.speech.en import ENGLISH
from state.reading.speech.es import SPANISH
from state.reading.speech.it import ITALIAN
from state.reading.speech.speech import Speech

SPEECH: Mapping[str, tuple[Speech, ...]] = {"en": (ENGLISH,), "it": (ITALIAN, ENGLISH), "es": (SPANISH, ENGLISH)}

__all__ = ["SPEECH", "Speech"]
