"""Seals what is personal: each person has a data key, wrapped by the installation's key. Destroying the data key erases the person."""

import base64
import hashlib
import hmac
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM, AESSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from pydantic_core import PydanticSerializationError, from_json, to_json

from state.stores.errors import Tampered, WrongKey
from state.stores.evidence.keys import EvidenceKey, Keyring
from state.stores.rows import Body

KEY_BYTES, NONCE_BYTES = 32, 12
VERSION, LINKED = b"\x01", b"\x02"
"""First byte of everything sealed: AES-256-GCM, then 12 bytes of nonce, then the ciphertext with its tag. It cannot be changed without
the key: the second one says that the body belongs to a link with a MAC, which nobody can take from it.
"""


class InstallationKey:
    """One installation's key (32 bytes; else ValueError): what it wraps with, and what it vouches with."""

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"The installation's key must be {KEY_BYTES} bytes long; this one has {len(key)}.")
        self.key = key
        self.wrapping = AESGCM(_derived(key, "wrapping"))
        self.id = _derived(key, "key id", 8).hex()
        """Says which installation's key wrapped a data key, and nothing about it."""
        self.evidence = EvidenceKey(self.id, _derived(key, "evidence"))


class Vault:
    """Everything that needs the installation's key. Holds no state besides keys: the one of today, others while it is changed, and the root.

    Hashes and names rest on the root, a secret that stays when the installation's key is changed, and is stored wrapped under it.
    Where none is stored yet, the key itself is the root, as it was before there was one.
    """

    def __init__(self, master_key: bytes) -> None:
        today = InstallationKey(master_key)
        self._ring: Mapping[str, InstallationKey] = {today.id: today}
        self.today = today
        """The key that wraps what is new."""
        self.root_in(master_key)
        self.former: Mapping[str, EvidenceKey] = {}
        """The keys that authenticated links before this one, as the store keeps them."""

    @property
    def key_id(self) -> str:
        """Which key wraps what is new."""
        return self.today.id

    @property
    def evidence(self) -> EvidenceKey:
        """Authenticates the chain's links and signs its heads."""
        return self.today.evidence

    @property
    def keyring(self) -> Keyring:
        """The keys that MACs and signatures are checked with."""
        held = {name: key.evidence for name, key in self._ring.items() if name != self.key_id}
        return Keyring({**self.former, **held, self.key_id: self.evidence})

    def holds(self, key_id: str) -> bool:
        """Return True if what this key wrapped can be opened."""
        return key_id in self._ring

    @property
    def holds_two(self) -> bool:
        """True if more than the key of today is at hand."""
        return len(self._ring) > 1

    def add_key(self, key: bytes) -> InstallationKey:
        """Open with this key as well, from now on."""
        taken = InstallationKey(key)
        self._ring = {**self._ring, taken.id: taken}
        return taken

    def turn_to(self, key_id: str) -> None:
        """Wrap with this key, one of those that are held, from now on. Raises WrongKey."""
        self.check(key_id)
        self.today = self._ring[key_id]

    def only_today(self) -> None:
        """Forget every key but the one of today."""
        self._ring = {self.key_id: self.today}

    def root_in(self, root: bytes) -> None:
        """Derive hashes and names from this secret of 32 bytes."""
        self._indexing = _derived(root, "indexing")
        self._naming = AESSIV(_derived(root, "naming", 64))

    @staticmethod
    def make_key() -> bytes:
        """Make a new random key of 32 bytes."""
        return os.urandom(KEY_BYTES)

    def index(self, text: str) -> str:
        """Return a keyed hash (HMAC-SHA-256, hex): equal texts find each other, and nobody reads them without the key."""
        return hmac.new(self._indexing, text.encode(), hashlib.sha256).hexdigest()

    def name(self, text: str) -> str:
        """Encrypt a name deterministically (AES-SIV, RFC 5297): it can be looked up, joined on and read back with `plain`."""
        return base64.urlsafe_b64encode(self._naming.encrypt(text.encode(), [b"name"])).decode() if text else ""

    def plain(self, name: str) -> str:
        """Return the text that `name` was given. Raises Tampered."""
        try:
            sealed = base64.urlsafe_b64decode(name)
            return self._naming.decrypt(sealed, [b"name"]).decode() if sealed else ""
        except (InvalidTag, ValueError) as error:
            raise Tampered("A name in the database is not one that was written there.") from error

    def wrap(self, key: bytes, holder: str) -> bytes:
        """Wrap a data key as it may be stored beside its holder's index."""
        return _encrypt(self.today.wrapping, f"person_keys:{holder}", key)

    def unwrap(self, wrapped: bytes, holder: str, key_id: str) -> bytes:
        """Return the data key again. Raises WrongKey where another installation's key wrapped it, else Tampered."""
        self.check(key_id)
        return _decrypt(self._ring[key_id].wrapping, f"person_keys:{holder}", wrapped)

    def check(self, key_id: str) -> None:
        """Raises WrongKey for a key id that is not this installation's."""
        if key_id not in self._ring:
            raise WrongKey(
                f"The database was sealed under another key ({key_id}) than this installation's ({self.key_id}). "
                "Put the key that belongs to it back: as holdfast.key, or in HOLDFAST_KEY."
            )

    def seal(self, key: bytes, row: str, body: Body) -> bytes:
        """Seal a JSON document under a data key, bound to its row ("table:identity"): moved elsewhere it does not open."""
        return self.seal_bytes(key, row, written(body))

    def seal_linked(self, key: bytes, row: str, body: Body) -> bytes:
        """Seal a body that a link with a MAC covers: it says so itself."""
        return _encrypt(AESGCM(key), row, written(body), LINKED)

    def seal_bytes(self, key: bytes, row: str, content: bytes) -> bytes:
        """Seal bytes under a data key, bound to their row."""
        return _encrypt(AESGCM(key), row, content)

    def open_bytes(self, key: bytes, row: str, sealed: bytes) -> bytes:
        """Return the bytes again. Raises Tampered."""
        return _decrypt(AESGCM(key), row, sealed)

    def open(self, key: bytes | None, row: str, sealed: bytes) -> Body | None:
        """Return the document again; None where the key is destroyed. Raises Tampered."""
        if key is None:
            return None
        return read_back(self.open_bytes(key, row, sealed))


def written(body: Body) -> bytes:
    """Return a document as JSON."""
    try:
        return to_json(body)
    except PydanticSerializationError:  # half a character, which UTF-8 cannot hold and JSON can
        return json.dumps(body, separators=(",", ":")).encode()


def read_back(content: bytes) -> Body:
    """Return the document that `written` wrote."""
    body: Body
    try:
        body = from_json(content, cache_strings="keys")
    except ValueError:  # half a character
        body = json.loads(content)
    return body


def read_key(text: str) -> bytes:
    """Return an installation's key from base64 text (either alphabet, padding optional). ValueError in words where it is none."""
    compact = "".join(text.split()).replace("-", "+").replace("_", "/").rstrip("=")
    try:
        key = base64.b64decode(compact + "=" * (-len(compact) % 4), validate=True)
    except ValueError:  # binascii's own among them
        raise ValueError("The installation's key is not base64 text.") from None
    if len(key) != KEY_BYTES:
        raise ValueError(f"The installation's key must be {KEY_BYTES} bytes in base64; this one has {len(key)}.")
    return key


def installation_key(path: Path) -> bytes:
    """Return the key in this file, made on first use and readable by its owner alone (mode 0600). ValueError where it holds none.

    Several processes may start at once: one file wins, whole, and all read that one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        _put_once(path, base64.b64encode(Vault.make_key()) + b"\n")
    try:
        return read_key(path.read_bytes().decode(errors="replace"))
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None


def _put_once(path: Path, content: bytes) -> None:
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # mkstemp makes it 0600
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(handle)
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        Path(draft).unlink()


def _derived(master_key: bytes, purpose: str, length: int = KEY_BYTES) -> bytes:
    return HKDF(SHA256(), length, salt=None, info=f"holdfast {purpose}".encode()).derive(master_key)


def _encrypt(cipher: AESGCM, row: str, plain: bytes, version: bytes = VERSION) -> bytes:
    nonce = os.urandom(NONCE_BYTES)
    return version + nonce + cipher.encrypt(nonce, plain, version + row.encode())


def _decrypt(cipher: AESGCM, row: str, sealed: bytes) -> bytes:
    try:
        version, nonce, rest = sealed[:1], sealed[1 : 1 + NONCE_BYTES], sealed[1 + NONCE_BYTES :]
        return cipher.decrypt(nonce, rest, version + row.encode())
    except (InvalidTag, ValueError, TypeError) as error:  # SQLite holds anything, also what is no bytes
        raise Tampered("A sealed body is not the one that was written there.") from error
