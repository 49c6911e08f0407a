"""The engine: one event handled, settled and presented. `advance.py` reads first; each `on_*` module is one event."""

from state.engine.advance import Outcome, advance, begin, files, with_number

__all__ = ["Outcome", "advance", "begin", "files", "with_number"]
