"""What the vault promises: bound to its row, readable by its key alone, erased without it; and a key that is made once."""

import base64
import stat
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from state.stores.errors import Tampered, WrongKey
from state.stores.vault import Vault, installation_key, read_key
from tests.stores.helpers import ALEX, KEY, TALK
from tests.thoroughness import ANY

VAULT = Vault(KEY)
PLAIN = st.none() | st.booleans() | st.integers() | st.text(ANY, max_size=20)
BODIES = st.dictionaries(st.text(ANY, max_size=5), PLAIN | st.lists(PLAIN, max_size=3), max_size=4)


@given(BODIES)
def test_what_is_sealed_opens_again(body: dict[str, object]) -> None:
    """Any JSON document opens as it was sealed, and reads as erased without its key."""
    key = Vault.make_key()
    sealed = VAULT.seal(key, "drafts:d1:1", body)
    assert VAULT.open(key, "drafts:d1:1", sealed) == body
    assert VAULT.open(None, "drafts:d1:1", sealed) is None


@given(st.integers(0, 80), st.integers(1, 255))
def test_a_changed_byte_does_not_open(place: int, mask: int) -> None:
    """Whatever byte of a sealed body is changed, its version among them, it does not open."""
    key = Vault.make_key()
    sealed = bytearray(VAULT.seal(key, "drafts:d1:1", {"text": "No, it is not leveraged."}))
    sealed[place % len(sealed)] ^= mask
    with pytest.raises(Tampered):
        VAULT.open(key, "drafts:d1:1", bytes(sealed))


def test_a_body_opens_only_in_its_row() -> None:
    """A sealed body that is put into another row, table or revision does not open there."""
    key = Vault.make_key()
    sealed = VAULT.seal(key, "drafts:d1:1", {})
    for row in ("drafts:d1:2", "drafts:d2:1", "events:d1:1"):
        with pytest.raises(Tampered):
            VAULT.open(key, row, sealed)


@pytest.mark.parametrize("sealed", [b"", b"\x01", b"\x01" * 13, b"x" * 40])
def test_what_was_never_sealed_does_not_open(sealed: bytes) -> None:
    """Anything that the vault did not make is told as tampered with."""
    with pytest.raises(Tampered):
        VAULT.open(Vault.make_key(), "drafts:d1:1", sealed)


def test_the_same_body_is_never_sealed_alike() -> None:
    """Two sealings of one body have nothing in common that would tell they are one."""
    key = Vault.make_key()
    assert VAULT.seal(key, "drafts:d1:1", {})[1:] != VAULT.seal(key, "drafts:d1:1", {})[1:]


def test_a_data_key_is_wrapped_for_its_holder() -> None:
    """A wrapped data key opens for its holder under the same installation's key, and for nobody else."""
    key, holder = Vault.make_key(), VAULT.index(ALEX)
    wrapped = VAULT.wrap(key, holder)
    assert key not in wrapped
    assert VAULT.unwrap(wrapped, holder, VAULT.key_id) == key
    with pytest.raises(Tampered):
        VAULT.unwrap(wrapped, VAULT.index("somebody else"), VAULT.key_id)
    other = Vault(Vault.make_key())
    with pytest.raises(WrongKey):
        other.unwrap(wrapped, holder, VAULT.key_id)
    with pytest.raises(Tampered):
        other.unwrap(wrapped, holder, other.key_id)


@given(st.text(ANY))
def test_names_are_read_back(text: str) -> None:
    """A name looks the same each time it is written, is no plain text, and is read back."""
    name = VAULT.name(text)
    assert (VAULT.plain(name), VAULT.name(text)) == (text, name)
    assert not text or len(name) > len(text)


def test_names_of_another_installation_are_not_read() -> None:
    """A name or hash made under another key is neither equal nor readable."""
    other = Vault(Vault.make_key())
    assert (other.index(ALEX) != VAULT.index(ALEX), other.name(TALK) != VAULT.name(TALK)) == (True, True)
    for name in (other.name(TALK), "no name", "QQ=="):
        with pytest.raises(Tampered):
            VAULT.plain(name)


@pytest.mark.parametrize("size", [0, 16, 31, 33])
def test_a_key_of_another_size_is_refused(size: int) -> None:
    """An installation's key has 32 bytes, and the refusal says so."""
    with pytest.raises(ValueError, match="32 bytes"):
        Vault(bytes(size))
    with pytest.raises(ValueError, match="32 bytes"):
        read_key(base64.b64encode(bytes(size)).decode())


@given(st.binary(min_size=32, max_size=32))
def test_a_key_is_read_from_base64(key: bytes) -> None:
    """Base64 is read in either alphabet, with or without padding and line ends."""
    for text in (base64.b64encode(key).decode(), base64.urlsafe_b64encode(key).decode()):
        assert read_key(text) == read_key(text.rstrip("=")) == read_key(f" {text}\n") == key


@pytest.mark.parametrize("text", ["not base64!", "é" * 43, "A" * 41])
def test_a_key_that_is_no_base64_is_refused_without_being_repeated(text: str) -> None:
    """The refusal is a sentence that does not hold the text."""
    with pytest.raises(ValueError, match="base64") as refused:
        read_key(text)
    assert text not in str(refused.value)


def test_the_installations_key_is_made_once(tmp_path: Path) -> None:
    """The key's file is made at the first start, for its owner's eyes only, and read at every later one."""
    path = tmp_path / "var" / "holdfast.key"
    key = installation_key(path)
    assert (len(key), stat.S_IMODE(path.stat().st_mode)) == (32, 0o600)
    assert installation_key(path) == key
    assert [file.name for file in path.parent.iterdir()] == ["holdfast.key"]


def test_starting_at_the_same_time_makes_one_key(tmp_path: Path) -> None:
    """Processes that start together agree on one key."""
    together, keys = threading.Barrier(8), list[bytes]()

    def start() -> None:
        together.wait()
        keys.append(installation_key(tmp_path / "holdfast.key"))

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(keys), len(set(keys))) == (8, 1)


def test_a_broken_key_file_is_told_by_name(tmp_path: Path) -> None:
    """A key file that holds no key is named, and is not replaced."""
    path = tmp_path / "holdfast.key"
    path.write_text("c2hvcnQ=")
    with pytest.raises(ValueError, match=r"holdfast\.key: .*32 bytes"):
        installation_key(path)
    assert path.read_text() == "c2hvcnQ="
