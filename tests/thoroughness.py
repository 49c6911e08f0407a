"""How long properties are looked at: `short` in `make test`, `long` in `make chaos` (`pytest --hypothesis-profile=long`)."""

from typing import Final

from hypothesis import settings
from hypothesis import strategies as st

SHORT: Final = "short"
LONG: Final = "long"
FEW: Final = 50
"""Examples that a property names where it is not as costly or as rare as others."""

ANY: Final = st.characters(exclude_categories=["Cs"])
"""Letters of a text. `st.text()` takes the same ones, but looks for them with a codec, for three seconds of each process in a new checkout."""

settings.register_profile(SHORT, deadline=None, max_examples=FEW * 3 // 5)
settings.register_profile(LONG, deadline=None, max_examples=20 * FEW)
"""No deadline: speed is the benchmark's to show; on a busy machine a slow example is no finding."""


def examples(few: int) -> int:
    """For a property whose examples are costly or rare: the profile's share of this many."""
    return few * settings().max_examples // FEW
