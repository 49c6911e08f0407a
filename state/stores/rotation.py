"""Changing the installation's key while bots run. What a key wrapped is found by its id, and both keys open while the change lasts.

The new key is stored wrapped under the old one, and the old one under the new: whoever has either gets the other. So bots go on,
whichever they were started with, and a change that was broken off is gone on with. In the end both of these go.
"""

from typing import Protocol


class Names(Protocol):
    """Writes names so that only this installation reads them."""

    def name(self, text: str) -> str: ...

    def plain(self, name: str) -> str:
        """Raises Tampered."""


class KeyStore(Protocol):
    """Part of every store."""

    @property
    def names(self) -> Names:
        """Reads as the newest root has it, once the store is started."""

    @property
    def key_id(self) -> str:
        """Which key wraps what is new."""

    async def take_up_keys(self) -> None:
        """Use a key that another process has begun to use. Raises WrongKey where the one at hand leads to none that counts here."""

    async def change_key(self, new: bytes) -> None:
        """Begin to wrap with a new key (32 bytes). Nothing where a change is under way: that one is to be finished first."""

    async def changing(self) -> bool:
        """Whether a change is under way: both keys open."""

    async def key_of_today(self) -> bytes:
        """The key that wraps what is new."""

    async def wrap_again(self, limit: int = 500) -> int:
        """Wrap so many keys anew that an older key wrapped; how many there were. 0: none is left."""

    async def end_change(self) -> bool:
        """Let the older key go: from now on it opens nothing. False where something is wrapped under it still."""
