"""Checkpoints: signed statements of where the chains stood at a moment, one after the other."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from state.exact_json import loads
from state.stores.evidence.keys import EvidenceKey, signed
from state.stores.evidence.links import canonical, digest, moment

Head = tuple[int, str]
"""The number of links of a chain, and the hash of the newest."""


@dataclass(frozen=True)
class Restored:
    """A backup was put back: checkpoints after `since`, up to `over` (whose hash is told), were lost with what they covered."""

    since: int
    over: int
    hash: str


@dataclass(frozen=True)
class Checkpoint:
    """`heads` are those that changed since the one before; `chains` and `links` count all that were ever signed. `key` is the id of the
    key that signed.
    """

    n: int
    at: datetime
    previous: str
    heads: Mapping[str, Head]
    chains: int
    links: int
    key: str
    restored: Restored | None = None
    hash: str = field(default="", compare=False)
    signature: str = field(default="", compare=False)
    place: str = ""
    """Where its database is: several may keep their heads in one file. Empty in those from before this was written down."""

    @property
    def text(self) -> str:
        """The text that is hashed, in one canonical form."""
        heads = {chain: list(head) for chain, head in self.heads.items()}
        told = {"n": self.n, "at": moment(self.at), "previous": self.previous, "heads": heads}
        counts = {"chains": self.chains, "links": self.links}
        restored = {"restored": vars(self.restored)} if self.restored else {}
        place = {"place": self.place} if self.place else {}
        return canonical({"v": 1, **told, **counts, "key": self.key, **restored, **place})

    @property
    def line(self) -> str:
        """The line of a file of heads."""
        return f'{{"checkpoint":{self.text},"hash":"{self.hash}","signature":"{self.signature}"}}'

    @property
    def brief(self) -> str:
        """The line that is enough to anchor it elsewhere: number, hash and signature."""
        return f"holdfast checkpoint {self.n} {self.hash} {self.signature}"


NOTHING = Checkpoint(0, datetime.min.replace(tzinfo=UTC), "", {}, 0, 0, "")
"""The one before the first."""


def sealed_by(key: EvidenceKey, checkpoint: Checkpoint) -> Checkpoint:
    """Return the checkpoint with its hash and signature."""
    made = digest(checkpoint.text.encode())
    return replace(checkpoint, hash=made, signature=key.sign(statement(checkpoint.n, made)))


def statement(n: int, hashed: str) -> str:
    """Return what is signed."""
    return f"holdfast checkpoint {n} {hashed}"


def genuine(checkpoint: Checkpoint, public: Mapping[str, str]) -> str:
    """Return what is wrong with a checkpoint taken alone, in words; empty where it is as it was signed. `public` is key id to public key."""
    if checkpoint.key not in public:
        return "it is signed under a key that is not this installation's"
    if digest(checkpoint.text.encode()) != checkpoint.hash:
        return "it was changed after it was signed"
    if not signed(public[checkpoint.key], statement(checkpoint.n, checkpoint.hash), checkpoint.signature):
        return "its signature is not this installation's"
    return ""


def parsed(text: str, hashed: str, signature: str) -> Checkpoint:
    """Return a checkpoint from its canonical text. Raises ValueError, KeyError, TypeError for what is none."""
    return _read(loads(text), hashed, signature)


def read_line(line: str) -> Checkpoint:
    """Return a checkpoint from a line of a file. Raises ValueError where it is none."""
    try:
        whole = loads(line)
        return _read(whole["checkpoint"], str(whole["hash"]), str(whole["signature"]))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError("This line is no checkpoint.") from error


def _read(told: Any, hashed: str, signature: str) -> Checkpoint:
    heads = {str(chain): (int(last), str(head)) for chain, (last, head) in told["heads"].items()}
    restored = Restored(**told["restored"]) if "restored" in told else None
    at = datetime.fromisoformat(told["at"])
    counts, place = (int(told["chains"]), int(told["links"])), str(told.get("place", ""))
    return Checkpoint(
        int(told["n"]), at, str(told["previous"]), heads, *counts, str(told["key"]), restored, hashed, signature, place
    )
