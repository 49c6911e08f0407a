"""The *Form reference* is what the loader's models say, and nobody's hand."""

from state.fields import KINDS
from tests.forms.reference import LOADER, PAGE, SECTIONS, error, page, told


def test_the_page_is_what_the_models_say() -> None:
    """`python -m tests.forms.reference` would write the page as it is."""
    assert PAGE.read_text("utf-8") == page()


def test_every_key_says_what_it_is_for() -> None:
    """No key of the format is without a sentence, and a wrong value of almost any is refused by a sentence that names it."""
    keys = [(model, key) for _, _, model, _ in SECTIONS for key in model.model_fields if key not in LOADER]
    assert all(told(model)[key] for model, key in keys)
    assert sum(bool(error(model, key)) for model, key in keys) > 0.9 * len(keys)


def test_every_kind_is_shown_to_authors() -> None:
    """Every kind stands in the table that form authors read."""
    assert all(f"\n| `{kind}` | " in page() for kind in KINDS)
