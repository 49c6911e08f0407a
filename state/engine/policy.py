"""What an installation decides about judging, beside form and rules. Nothing here takes a guard out."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Policy:
    """`friendly_repeat`: a call to finalise what is filed is told that it succeeded before; else it is refused, and as harmless."""

    friendly_repeat: bool = True


AS_USUAL = Policy()
