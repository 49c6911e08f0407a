"""How people order, correct and ask, by language. English is understood in every form."""

from collections.abc import Mapping

from state.understanding.speech.en import ENGLISH
from state.understanding.speech.es import SPANISH
from state.understanding.speech.it import ITALIAN
from state.understanding.speech.speech import Speech

SPEECH: Mapping[str, tuple[Speech, ...]] = {"en": (ENGLISH,), "it": (ITALIAN, ENGLISH), "es": (SPANISH, ENGLISH)}

__all__ = ["SPEECH", "Speech"]
