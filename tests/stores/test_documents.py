"""The contract of documents: whole until their day, sealed, nobody's but their person's."""

from datetime import timedelta

from state.stores.rows import StoredDocument
from state.stores.store import Store
from tests.stores.helpers import ALEX, DANA, turn

CONTENT = b"%PDF-1.7 \x00\xff a payslip"


async def keep(store: Store, name: str = "f1", days: float = 30, who: str = ALEX, draft: str = "d1") -> StoredDocument:
    """Store a document of a draft."""
    until = await store.now() + timedelta(days=days)
    document = StoredDocument(name, draft, who, "T0NORTH", "march.pdf", "application/pdf", "c0ffee", CONTENT, until)
    await store.keep(document)
    return document


async def test_a_document_comes_back_whole(store: Store) -> None:
    """Content, name and type are as they were stored; the list of a person's documents leaves the content out."""
    await turn(store)
    await keep(store)
    stored, (listed,) = await store.document("f1"), await store.documents_of(ALEX)
    assert stored is not None
    assert (stored.content, stored.name, stored.type, stored.sha256) == (
        CONTENT,
        "march.pdf",
        "application/pdf",
        "c0ffee",
    )
    assert (stored.size, listed.size, listed.content, listed.name) == (len(CONTENT), len(CONTENT), b"", "march.pdf")
    assert (stored.person, stored.draft, stored.tenant) == (ALEX, "d1", "T0NORTH") and stored.received_at is not None
    assert await store.documents_of(DANA) == []


async def test_the_same_document_is_stored_once(store: Store) -> None:
    """A repetition under the same id changes nothing."""
    await turn(store)
    await keep(store)
    await keep(store, days=-1)
    assert len(await store.documents_of(ALEX)) == 1


async def test_a_document_goes_when_its_time_is_over(store: Store) -> None:
    """From its day on a document cannot be read, and the next purge destroys it; others stay."""
    await turn(store)
    await keep(store, "old", days=-1)
    await keep(store, "new")
    assert await store.document("old") is None and [k.id for k in await store.documents_of(ALEX)] == ["new"]
    assert (await store.purge(), await store.purge()) == (1, 0)


async def test_a_discarded_document_is_gone(store: Store) -> None:
    """What was discarded is not there any more; discarding twice does no harm."""
    await turn(store)
    await keep(store)
    await store.discard(("f1", "f2"))
    await store.discard(("f1",))
    assert (await store.document("f1"), await store.documents_of(ALEX)) == (None, [])


async def test_erasing_a_person_destroys_their_documents(store: Store) -> None:
    """With the person their documents are gone for ever, and one that comes for an erased draft is not stored."""
    await turn(store)
    await turn(store, "d2", DANA, "T0NORTH:D0DANA:")
    await keep(store)
    await keep(store, "f2", who=DANA, draft="d2")
    await store.erase(ALEX)
    await keep(store, "f3")
    assert (await store.document("f1"), await store.document("f3"), await store.documents_of(ALEX)) == (None, None, [])
    assert [k.id for k in await store.documents_of(DANA)] == ["f2"]
