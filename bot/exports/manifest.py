"""The manifest of an export: what is in it, what was asked for, by whom, and the signed heads that cover it. Signed itself."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from state.stores.evidence.links import digest_of

NAME, FORMAT = "manifest.json", 1
Sign = Callable[[str], tuple[str, str]]


@dataclass(frozen=True)
class Part:
    """A file: `rows` are records, answers, verdicts or lines, whichever it has."""

    name: str
    sha256: str
    size: int
    rows: int


@dataclass(frozen=True)
class Covered:
    """A record, and where its draft's chain ends, as checkpoint `n` has signed it (0: none yet)."""

    number: str
    draft: str
    last: int
    head: str
    checkpoint: int


@dataclass(frozen=True)
class Manifest:
    """`by` as in a reading; `checkpoint` is the newest one, in brief."""

    at: str
    by: str
    filters: dict[str, str]
    files: Sequence[Part]
    records: Sequence[Covered]
    checkpoint: str
    holdfast: str
    forms: dict[str, str]
    format: int = FORMAT

    @property
    def told(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    @property
    def hash(self) -> str:
        """Of the canonical form: what is signed, and what the link of the reading names."""
        return digest_of(self.told)


def statement(hashed: str) -> str:
    """Return what is signed: none of another purpose passes for it."""
    return f"holdfast dossier {hashed}"


def signed_text(manifest: Manifest, sign: Sign, public: str) -> str:
    """Return the manifest as a file."""
    key, signature = sign(statement(manifest.hash))
    return written(manifest, {"key": key, "public": public, "signature": signature})


def written(manifest: Manifest, told: Mapping[str, str]) -> str:
    """Return the file that holds this and nothing else."""
    return json.dumps({"manifest": manifest.told, **told}, ensure_ascii=False, indent=1) + "\n"


def read(text: str) -> tuple[Manifest, dict[str, str]]:
    """Return a manifest from its file, and who signed it: key, public and signature. ValueError where it is none."""
    try:
        whole = json.loads(text)
        told = dict(whole["manifest"])
        parts = [Part(**part) for part in told.pop("files")]
        records = [Covered(**one) for one in told.pop("records")]
        signed = {name: str(whole[name]) for name in ("key", "public", "signature")}
        return Manifest(files=parts, records=records, **told), signed
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(f"{NAME} is no manifest of an export, or it was cut off.") from error
