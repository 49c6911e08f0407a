"""The signed manifest of an export, and an export checked against it with the public key alone: every difference is named."""

import csv
import hashlib
import json
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from state.exact_json import loads
from state.stores.evidence.checkpoints import genuine, read_line
from state.stores.evidence.keys import signed
from state.stores.evidence.links import digest_of, link_hash
from state.stores.rows import Link

NAME, FORMAT = "manifest.json", 1
RECORDS, CHAINS, HEADS, PAPER = "records.json", "chains.jsonl", "checkpoints.jsonl", "dossier.pdf"
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


KEY = "Use the public key that the installation had when this was made (holdfast export --format public-key)."
NONE = "This is no export: there is no manifest.json in it."


@dataclass(frozen=True)
class Difference:
    """Something that is not as it was written: where, what, and what to do."""

    where: str
    what: str
    todo: str = "Ask for the export anew where the installation is, and keep this one for whoever looks into it."

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass
class Checked:
    """The outcome."""

    manifest: Manifest
    differences: list[Difference] = field(default_factory=list)


@dataclass(frozen=True)
class Box:
    """An export in a folder or a ZIP: every file in it (one that is in it twice, twice), and how a file is read."""

    names: Sequence[str]
    content: Callable[[str], bytes]

    def read(self, name: str) -> bytes:
        """Return a file. ValueError where it does not come out whole."""
        try:
            return self.content(name)
        except (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, EOFError) as problem:
            raise ValueError(getattr(problem, "strerror", None) or str(problem)) from None


def open_box(path: Path) -> Box | None:
    """Return the export at a path; None where there is none of this kind. What is no plain file has a name that no manifest has."""
    if path.is_dir():
        names = [f"{p.name}/" if p.is_dir() else p.name for p in sorted(path.iterdir())]
        return Box(names, lambda name: (path / name).read_bytes())
    if not zipfile.is_zipfile(path):
        return None
    file = zipfile.ZipFile(path)
    return Box([one.filename for one in file.infolist()], file.read)


def check(box: Box, public: str, heads: Mapping[str, Iterable[str]] | None = None) -> Checked:
    """Hold everything against the manifest, and that against the key. `heads`: lines of signed heads by their file.

    ValueError where there is no manifest to hold it against.
    """
    if NAME not in box.names:
        raise ValueError(NONE)
    text = box.read(NAME).decode("utf-8", "replace")
    manifest, told = read(text)
    checked = Checked(manifest, [*_signature(manifest, told, public), *_names(box, manifest)])
    if text != written(manifest, told):
        checked.differences.append(Difference(NAME, "There is something in it beside what was signed."))
    there = [part for part in manifest.files if box.names.count(part.name) == 1]
    contents = {}
    for part in there:
        try:
            contents[part.name] = box.read(part.name)
        except ValueError as problem:
            checked.differences.append(Difference(part.name, f"It cannot be read whole ({problem})."))
            continue
        checked.differences += _file(part, contents[part.name])
    checked.differences += _chains(manifest, contents, told["key"], public)
    for name, lines in (heads or {}).items():
        checked.differences += _anchored(name, lines, manifest)
    return checked


def _signature(manifest: Manifest, told: Mapping[str, str], public: str) -> Iterator[Difference]:
    if signed(public, statement(manifest.hash), told["signature"]):
        return
    if told["public"] != public and signed(told["public"], statement(manifest.hash), told["signature"]):
        yield Difference(NAME, f"It was signed with another key than yours: {told['public']}.", KEY)
        return
    yield Difference(NAME, "It was changed after it was signed: this public key did not sign it.")


def _names(box: Box, manifest: Manifest) -> Iterator[Difference]:
    there, told = Counter(box.names), [part.name for part in manifest.files]
    for name in told:
        if not there[name]:
            yield Difference(name, "It is missing.")
    for name, count in there.items():
        if name != NAME and name not in told:
            yield Difference(name, "It was put in: the manifest does not know it.")
        elif count > 1:
            yield Difference(name, f"It is in it {count} times.")


def _file(part: Part, content: bytes) -> Iterator[Difference]:
    if hashlib.sha256(content).hexdigest() == part.sha256:
        return
    rows = _rows(part.name, content)
    if rows is not None and rows != part.rows:
        yield Difference(part.name, f"It has {rows} rows, of the {part.rows} that were written.")
    else:
        yield Difference(part.name, "It was changed after it was written, or belongs to another export.")


def _rows(name: str, content: bytes) -> int | None:
    """How many rows a file has; None where that cannot be told."""
    text = content.decode("utf-8", "replace")
    try:
        if name.endswith(".csv"):
            return sum(1 for _ in csv.reader(text.splitlines(keepends=True))) - 1
        return (
            len(loads(text)) if name.endswith(".json") else len(text.splitlines()) if name.endswith(".jsonl") else None
        )
    except (ValueError, TypeError, csv.Error):
        return None


def _chains(manifest: Manifest, contents: Mapping[str, bytes], key: str, public: str) -> Iterator[Difference]:
    """Yield the links of each record follow each other up to the end that the manifest and a signed checkpoint name."""
    try:
        chains = {
            told["number"]: [Link(**{**one, "at": datetime.fromisoformat(one["at"])}) for one in told["links"]]
            for told in map(loads, contents.get(CHAINS, b"").decode().splitlines())
        }
        stones = [read_line(line) for line in contents.get(HEADS, b"").decode().splitlines()]
    except (ValueError, KeyError, TypeError, AttributeError):
        return  # its hash has told already that the file is another one
    for stone in stones:
        wrong = genuine(stone, {key: public}) if stone.key == key else ""
        if wrong:
            yield Difference(HEADS, f"Checkpoint {stone.n}: {wrong}.")
    for covered in manifest.records:
        wrong = _chain(chains.get(covered.number, []), covered.last, covered.head)
        if wrong:
            yield Difference(covered.number, wrong)
        elif covered.checkpoint and not any(
            stone.n == covered.checkpoint and stone.heads.get(covered.draft) == (covered.last, covered.head)
            for stone in stones
        ):
            yield Difference(covered.number, "No signed checkpoint covers the end of its chain.")


def _chain(links: Sequence[Link], last: int, head: str) -> str:
    before = ""
    for n, link in enumerate(links, 1):
        if link.n != n or link.previous != before or link_hash(link) != link.hash:
            return f"Event {n} of its chain is not as it was written."
        before = link.hash
    return (
        ""
        if (len(links), before) == (last, head)
        else f"Its chain ends at event {len(links)}, not at event {last} as the manifest says."
    )


def _anchored(name: str, lines: Iterable[str], manifest: Manifest) -> Iterator[Difference]:
    """Every end of a chain stands in the file of heads, which was kept outside the database."""
    known = set()
    for line in lines:
        try:
            known |= {(chain, *head) for chain, head in read_line(line).heads.items()}
        except ValueError:
            continue
    for one in manifest.records:
        if (one.draft, one.last, one.head) not in known and one.checkpoint:
            yield Difference(
                one.number,
                f"The end of its chain stands nowhere in {name}.",
                "Compare it with another copy of the heads.",
            )
