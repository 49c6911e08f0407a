"""What people write of their own accord about whom a trade is for, a client, or what is not public: the form hears it in four languages."""

import pytest

from state.draft.draft import Draft
from state.fields.base import Context
from state.understanding.corrections import worse_told
from tests.reading.forms import TODAY
from tests.workflows.dealing_cases import DEALING

FORM = DEALING.form
NOBODY = Draft("", FORM.name, "", "", "")


def told(text: str) -> set[str]:
    """Return the declarations for which the words may tell a worse answer."""
    context = Context(FORM.language, TODAY)
    return {f.name for f in FORM.fields.values() if f.disclosure and any(worse_told(f, text, context, NOBODY))}


@pytest.mark.parametrize(
    ("field", "text"),
    [("is_related_party", "shares for my kid's account"), ("is_related_party", "my husband would like some vodafone"),
     ("is_related_party", "in my daughter's name"), ("is_related_party", "the shares would belong to my wife"),
     ("is_related_party", "le intesto ai miei genitori"), ("is_related_party", "mis padres quieren comprar"),
     ("is_related_party", "mein Sohn will Aktien kaufen"), ("is_related_party", "auf den Namen meiner Tochter"),
     ("has_inside_info", "the deal isn't announced yet"), ("has_inside_info", "so qualcosa che non è ancora pubblico"),
     ("has_inside_info", "me han dado un chivatazo"), ("has_inside_info", "ich weiß etwas, das noch nicht öffentlich ist"),
     ("has_client_conflict", "several of our clients are invested in it"), ("has_client_conflict", "i miei clienti ce l'hanno"),
     ("has_client_conflict", "un cliente la quiere vender"), ("has_client_conflict", "meine Kunden halten die Aktie")],
)  # fmt: skip
def test_what_may_be_a_worse_answer_is_heard(field: str, text: str) -> None:
    """It is put to the person with its question, or asked about where they have answered."""
    assert field in told(text)


@pytest.mark.parametrize(
    "text",
    ["selling to pay for my daughter's wedding", "my wife says hi", "just for me, nobody else", "it is not for my kids", "no es para mis hijos",
     "I have no inside information", "I read in the paper that results were good", "non so niente di riservato", "nessun cliente è coinvolto",
     "our clients don't hold it", "ich habe keine Insiderinformationen", "kein Kunde ist betroffen", "no client of mine holds it",
     "I have no non-public information"],
)  # fmt: skip
def test_what_is_no_worse_answer_is_left_alone(text: str) -> None:
    """A denial, money for somebody, or what everybody may read is not asked about."""
    assert told(text) == set()
