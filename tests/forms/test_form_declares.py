"""What a form may say that its answers declare: whole sentences, of the form's own fields, that one card shows."""

from pathlib import Path

import pytest

from state.form.field import Declares
from state.workflow.load import load_folder
from tests.forms.form_cases import BASIC, FIELD, FLAG, HEAD, form_of, told_at, write

ACK = f'kind = "acknowledgement"\n{BASIC}'
BOTH = 'declares = { yes = "It is.", no = "It is not." }'
NAMING = 'declares = { yes = "It is {note}.", no = "It is not." } # <-\n'


def flags(count: int, length: int) -> str:
    """So many questions, each answer to which declares so many characters."""
    table = '[fields.flag_{n}]\nkind = "yes_no"\nlabel = "Flag {n}"\nask = "Is it {n}?"\ndeclares = {{ yes = "{s}", no = "{s}" }}{mark}\n'
    return "".join(table.format(n=n, s="x" * length, mark=" # <-" if n == count - 1 else "") for n in range(count))


WRONG = {
    "one sentence of two": (f'[fields.a]\n{FLAG}declares = {{ yes = "It is." }} # <-\n', "Write both sentences"),
    "no sentence": (f"[fields.a]\n{ACK}declares = {{}} # <-\n", "An acknowledgement has one sentence"),
    "a no that cannot be given": (f"[fields.a]\n{ACK}{BOTH} # <-\n", "An acknowledgement has one sentence"),
    "no declaration": (f'[fields.a]\nkind = "text"\n{BASIC}{BOTH} # <-\n', "means nothing for the kind text"),
    "a sentence alone": (f'[fields.a]\n{FLAG}declares = "It is." # <-\n', "must be a table. Write { yes ="),
    "a misspelt answer": (f'[fields.a]\n{FLAG}declares = {{ yes = "It is.", not = "It is not." }}\n', "Did you mean `no`?"),
    "a long sentence": (f'[fields.a]\n{FLAG}declares = {{ yes = "It is.", no = "{"x" * 1001}" }} # <-\n', "at most 1000"),
    "a name of nothing": (f"{FIELD}[fields.a]\n{FLAG}{NAMING.replace('note', 'notes')}", "{notes} is no field of this form"),
    "a name of what comes later": (f'[fields.a]\n{FLAG}about = ["note"]\n{NAMING}{FIELD}', "is asked after this one"),
    "a name that may change": (f"{FIELD}[fields.a]\n{FLAG}{NAMING}", 'Write about = ["note"].'),
    "a sensitive name": (f'{FIELD}sensitive = true\n[fields.a]\n{FLAG}about = ["note"]\n{NAMING}', "`note` is sensitive"),
    "a broken brace": (f'[fields.a]\n{FLAG}declares = {{ yes = "It is {{.", no = "It is not." }} # <-\n', "A brace must hold"),
    "by default": (f"[fields.a]\n{FLAG}required = false\n{BOTH}\ndefault = false # <-\n", "Nobody declares by default"),
    "suggested": (f"[fields.a]\n{FLAG}{BOTH}\nsuggest = true # <-\n", "nobody suggests a declaration"),
    "of an operation": (
        f'{FIELD}[operations.add]\ntitle = "Add"\n[operations.add.fields.sure]\n{FLAG}{BOTH} # <-\n', "Only the form's own fields"),
    "more than a review shows": (flags(7, 900), "a review shows 6000"),
    "more than a card shows": (
        flags(4, 700).replace(" # <-", "") + '[groups.g]\nfields = ["flag_0", "flag_1", "flag_2", "flag_3"]\ntogether = true # <-\n',
        "one card shows 4000. Shorten them, or ask one by one."),
    "together is no word": (f'[fields.a]\n{FLAG}[groups.g]\nfields = ["a"]\ntogether = "perhaps" # <-\n', "must be true or false"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_declared_is_refused(case: str, tmp_path: Path) -> None:
    """A sentence that is missing, that nobody could give, that could go stale unseen or that no card shows is named with its line."""
    fields, says = WRONG[case]
    told_at(tmp_path / "small", HEAD + fields, says)


def test_a_form_declares(tmp_path: Path) -> None:
    """Both answers to a question and the one to an acknowledgement declare something; a repeated field's sentence names its own time."""
    repeated = (
        '[repeats.loan]\nmost = 2\n[fields.bank]\nkind = "text"\nlabel = "Bank {n}"\nask = "Which bank?"\nrepeat = "loan"\n'
        '[fields.paid]\nkind = "yes_no"\nlabel = "Paid {n}"\nask = "Paid?"\nrepeat = "loan"\nabout = ["bank"]\n'
        'declares = { yes = "Loan {n} of {bank} is paid.", no = "Loan {n} is not paid." }\n'
    )
    form = form_of(
        tmp_path / "small",
        f'{HEAD}[fields.a]\n{FLAG}{BOTH}\n[fields.b]\n{ACK}declares = {{ yes = "Yes." }}\n{repeated}',
    )
    assert form.fields["a"].declares == Declares(yes="It is.", no="It is not.")
    assert form.fields["b"].declares == Declares(yes="Yes.")
    assert form.fields["paid_2"].declares == Declares(yes="Loan 2 of {bank_2} is paid.", no="Loan 2 is not paid.")


def test_a_further_language_declares_in_its_own_words(tmp_path: Path) -> None:
    """A language says each sentence again, and one that is left out is named."""
    base = f"{HEAD}[fields.a]\n{FLAG}{BOTH}\n"
    own = 'title = "Piccolo"\n[fields.a]\nlabel = "Segno"\nask = "È così?"\ndeclares = { yes = "È così."'
    write(tmp_path / "small", base)
    (tmp_path / "small" / "form.it-IT.toml").write_text(f'{own}, no = "Non è così." }}\n')
    assert load_folder(tmp_path / "small").spoken_in("it-IT").fields["a"].declares == Declares(
        yes="È così.", no="Non è così."
    )
    (tmp_path / "small" / "form.it-IT.toml").write_text(f"{own} }}\n")
    told_at(tmp_path / "small", base, "`no` of `fields.a.declares` is not said in this language")
