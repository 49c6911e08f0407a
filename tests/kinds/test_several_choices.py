"""Several of a form's choices: ticked, written, or put aside."""

import pytest

from tests.kinds import fields as f

SAID = {
    "tent and skis": ("tent", "skis"),
    "Skis, a canoe": ("boat", "skis"),
    "boat": ("boat",),
    "all the rest": None,
    "I once had a tent in Norway and it rained for a week": None,
}


@pytest.mark.parametrize("text", SAID)
def test_a_message_that_names_them_is_the_answer(text: str) -> None:
    """A message that only names choices answers with all of them, in the form's order; one that tells more does not."""
    assert f.whole(f.GEAR, text) == SAID[text]


def test_entries_may_be_values_labels_or_words() -> None:
    """A list may hold values, labels and words, in any order and twice; it is kept in the form's order, each once."""
    assert f.parsed(f.GEAR, ["Skis", "tent", "canoe", "skis"]) == ("tent", "boat", "skis")


@pytest.mark.parametrize("given", [[], ["sledge"], ["tent", "sledge"], "", None, 3, [["tent"]]])
def test_what_is_no_choice_is_refused(given: object) -> None:
    """Nothing chosen, or anything that is no choice, is refused as a whole."""
    assert f.refused(f.GEAR, given) == "not_a_choice"


def test_what_is_put_aside_is_not_found() -> None:
    """In open words a choice that is denied is none of the answer."""
    assert f.found(f.GEAR, "we take the tent but not the skis") == [("tent",)]
