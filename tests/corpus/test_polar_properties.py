"""What never changes the answer of a message, and what always must."""

from hypothesis import given
from hypothesis import strategies as st

from state.draft.draft import Data
from state.fields import kind_of
from state.language import language_of
from tests.corpus.reading import LOCALES, Entry, context, entries, questions, read

EVERY = [e for code in LOCALES for e in entries(code)]
ANSWERS = [e for e in EVERY if e.comes_to != "nothing"]
ENTRIES = st.sampled_from(EVERY)
COURTESY = {
    "en": ("please", "thanks", "thank you", "cheers"),
    "it": ("grazie", "per favore", "grazie mille"),
    "es": ("gracias", "por favor", "muchas gracias"),
    "de": ("danke", "bitte", "vielen dank"),
}
MARKS = ("", "!", "!!", ".", "...", " :)", " 🙂", " 👍", " :+1:", " ", "\n")
NOT = {"en": "it is not the case that", "it": "non è vero che", "es": "no es verdad que", "de": "es stimmt nicht dass"}
BARE_NOT = {"en": "not", "it": "non", "es": "no", "de": "nicht"}
WORDS = sorted({w for e in EVERY for w in e.text.split()})


def taken(entry: Entry, text: str) -> Data | None:
    """What a text is taken for as the answer to an entry's question."""
    field = questions(entry.code)[entry.question]
    return kind_of(field).whole(field, text, context(entry.code))


def heard(entry: Entry, text: str) -> Data | None:
    """What a text comes to as the answer to an entry's question, taken or put back."""
    return read(Entry(entry.code, entry.question, text, ""))[1]


@given(ENTRIES, st.data())
def test_courtesy_emoji_and_stops_change_nothing(entry: Entry, data: st.DataObject) -> None:
    """Thanks, an emoji or another stop behind an answer never make another answer of it."""
    polite = data.draw(st.sampled_from(("", *(f", {word}" for word in COURTESY[entry.code]))))
    before, after = heard(entry, entry.text), heard(entry, entry.text + polite + data.draw(st.sampled_from(MARKS)))
    assert after in (before, None) or before is None, (entry.text, polite)
    if entry.comes_to == "nothing":
        assert after is None, (entry.text, polite)


@given(ENTRIES, st.sampled_from((str.upper, str.lower, str.capitalize, str.title)))
def test_case_changes_nothing(entry: Entry, cased: object) -> None:
    """An answer in capitals, without them, or with a capital is the same answer."""
    assert callable(cased)
    assert heard(entry, cased(entry.text)) == heard(entry, entry.text)


@given(st.sampled_from([e for e in ANSWERS if isinstance(e.value, bool)]), st.booleans())
def test_a_negation_before_an_answer_never_leaves_it_standing(entry: Entry, bare: bool) -> None:
    """What is denied as a whole is not taken with the same polarity: a yes behind a "not" is no yes."""
    leading = (BARE_NOT if bare else NOT)[entry.code]
    field = questions(entry.code)[entry.question]
    if entry.value is True and field.kind == "yes_no":
        assert heard(entry, f"{leading} {entry.text}") is not True, entry.text


@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=8), ENTRIES, st.sampled_from((" ", ", ", ". ", ": ", " - "))
)
def test_the_whole_and_the_open_reading_never_disagree(words: list[str], entry: Entry, joint: str) -> None:
    """No text whatever is taken or put back as one answer while its words say the other of the field by name."""
    field = questions(entry.code)[entry.question]
    text = joint.join(words)
    for reader in (kind_of(field).whole, kind_of(field).leans):
        value = reader(field, text, context(entry.code))
        found = kind_of(field).find(field, text, context(entry.code))
        assert not isinstance(value, bool) or all(r.data == value for r in found), text


@given(st.text(), st.sampled_from(EVERY))
def test_no_text_breaks_a_reader(text: str, entry: Entry) -> None:
    """Any text comes to an answer that the field can hold, or to none."""
    field = questions(entry.code)[entry.question]
    value = heard(entry, text)
    assert value is None or kind_of(field).fits(field, value)


@given(st.sampled_from(sorted(LOCALES)), st.data())
def test_a_particle_beside_its_contrary_is_no_answer(code: str, data: st.DataObject) -> None:
    """A plain yes and a plain no in one message answer nothing."""
    language = language_of(LOCALES[code])
    yes, no = language.yes_label, language.no_label
    first, second = data.draw(st.permutations([yes, no]))
    joint = data.draw(st.sampled_from((" ", ", ", ". ", "; ", "/")))
    entry = next(e for e in EVERY if e.code == code and e.question == "leverage")
    assert heard(entry, first + joint + second) is None
