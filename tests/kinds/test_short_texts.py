"""Short texts: names, streets and codes that a message answers as it stands."""

import pytest

from state.fields import kind_of
from state.fields.base import Context
from state.form import Field

SPANISH = Context("es-ES", "2026-11-20")
PLAIN = Field(name="marca", kind="text", label="Marca", ask="¿Marca?")
SHORT = PLAIN.model_copy(update={"short": True, "known": ("no tiene",), "max_length": 60})


@pytest.mark.parametrize(
    "text", ["Tronador", "Furia 300", "Calle del Olmo 4, 3.º B", "28/12345", "Madrid", "No tiene", "no tiene."]
)
def test_a_few_words_are_the_answer(text: str) -> None:
    """A name, a code, a line of an address, and what the form knows, even where it denies."""
    assert kind_of(SHORT).whole(SHORT, text, SPANISH) == text


@pytest.mark.parametrize(
    "text",
    [
        "", "no", "sí", "vale", "no lo sé", "¿para qué?", "qué marca", "es una Tronador", "creo que Tronador", "tengo dos",
        "una dos tres cuatro cinco seis siete ocho nueve", "x" * 61,
    ],
)  # fmt: skip
def test_what_asks_doubts_agrees_or_makes_a_sentence_is_left_to_a_reader(text: str) -> None:
    """Code takes nothing that could mean something else than the answer."""
    assert kind_of(SHORT).whole(SHORT, text, SPANISH) is None


def test_a_text_that_is_not_short_is_never_read_by_code() -> None:
    """Open words are for who reads the conversation."""
    assert kind_of(PLAIN).whole(PLAIN, "Tronador", SPANISH) is None
