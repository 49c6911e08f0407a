"""Keys that authenticate the evidence: a MAC key and a signing key, both derived from the installation's key, never stored beside it."""

import base64
import hmac
from collections.abc import Mapping

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key


class EvidenceKey:
    """One key's MACs (HMAC-SHA-256) and signatures (Ed25519). `id` is that of the installation's key, `secret` 32 bytes."""

    def __init__(self, key_id: str, secret: bytes) -> None:
        self.id, self.secret = key_id, secret
        self._mac = _derived(secret, "mac")
        self._signing = Ed25519PrivateKey.from_private_bytes(_derived(secret, "signature"))
        self.public = base64.b64encode(self._signing.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()
        """The public key, in base64."""

    def mac(self, purpose: str, text: str) -> str:
        """Return the MAC of a text as it is stored: "key id:hex"."""
        content = f"{purpose}\n{text}".encode()
        return f"{self.id}:{hmac.digest(self._mac, content, 'sha256').hex()}"

    def sign(self, text: str) -> str:
        """Return a signature in base64."""
        return base64.b64encode(self._signing.sign(text.encode())).decode()


class Keyring:
    """Every key that this installation has had, by its id: links outlive the key that they were written under."""

    def __init__(self, keys: Mapping[str, EvidenceKey]) -> None:
        self._keys = keys

    @property
    def public(self) -> dict[str, str]:
        """Key id to public key."""
        return {name: key.public for name, key in self._keys.items()}

    def made(self, mac: str, purpose: str, text: str) -> bool:
        """Return True if one of the keys made this MAC of this text."""
        key = self._keys.get(mac.partition(":")[0])
        return key is not None and hmac.compare_digest(key.mac(purpose, text), mac)


def signed(public: str, text: str, signature: str) -> bool:
    """Return True if the holder of the key that belongs to this public one signed the text."""
    try:
        key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public))
        key.verify(base64.b64decode(signature), text.encode())
    except (InvalidSignature, ValueError):
        return False
    return True


def public_pem(public: str) -> str:
    """Return a public key as a PEM file, which other tools read (`openssl pkey -pubin -text`)."""
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public))
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def read_public(text: str) -> str:
    """Return a public key from a PEM file or from base64 text. ValueError in words where it is none."""
    try:
        if "BEGIN PUBLIC KEY" in text:
            key = load_pem_public_key(text.encode())
            if not isinstance(key, Ed25519PublicKey):
                raise ValueError
            return base64.b64encode(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()
        Ed25519PublicKey.from_public_bytes(base64.b64decode(text.strip(), validate=True))
    except ValueError:
        raise ValueError("This is no Ed25519 public key, in PEM or in base64.") from None
    return text.strip()


def _derived(secret: bytes, purpose: str) -> bytes:
    return HKDF(SHA256(), 32, salt=None, info=f"holdfast evidence {purpose}".encode()).derive(secret)
