"""What a place must be able to do for a dialogue to be played there: a person's acts, and a look at the draft."""

from typing import Protocol

from state.draft.draft import Draft, Offer
from state.form import Form
from tests.replay.actor import Actor


class Stage(Protocol):
    """A person at the keyboard; every act returns once the bot has come to rest."""

    actor: Actor
    person: str

    def join(self) -> None:
        """The next person, with a conversation of their own."""

    def form(self, name: str) -> Form:
        """A form by its name in the data set."""

    async def begin(self, form: str) -> None:
        """Begin a form by its command."""

    async def say(self, words: str) -> None:
        """A message."""

    async def accept(self, offer: Offer) -> None:
        """Click what the open card offers or puts back."""

    async def use_all(self) -> None:
        """Click what uses all that was read together."""

    async def leave_out(self, offer: Offer) -> None:
        """Click one of them away."""

    async def change(self) -> None:
        """Click the change that a card proposes."""

    async def keep(self) -> None:
        """Click away the change that a card proposes: the answer stays as it is."""

    async def edit(self, field: str) -> None:
        """Have a finished answer asked anew, from the review."""

    async def choose(self, label: str) -> None:
        """Click the answer of the open question that reads like this."""

    async def submit(self, *, twice: bool = False) -> None:
        """Click Submit on the open review; with `twice` once more, on the card as it was."""

    async def draft(self) -> Draft:
        """The draft that the conversation is about."""

    async def filed(self) -> int:
        """Records that the person has."""
