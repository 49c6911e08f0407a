"""The store in memory: the same promises as the SQL store, for tests and for playing scenarios. Nothing is sealed, nothing is kept."""

from state.stores.memory.store import MemoryStore

__all__ = ["MemoryStore"]
