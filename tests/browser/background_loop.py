"""An event loop in a thread of its own: selenium blocks, the sandbox and its app do not."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from tests.patience import PATIENCE

Result = TypeVar("Result")


class Background:
    """Runs coroutines in its thread and waits for them here."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="background", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, Result], timeout: float = PATIENCE) -> Result:
        """The result of a coroutine; raises what it raises, TimeoutError after `timeout` seconds."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout)

    def close(self) -> None:
        """Stop the loop and free it."""
        self.run(self._loop.shutdown_asyncgens())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Waited:
    """Anything with coroutines: what they give is waited for in the background."""

    def __init__(self, made: Any, background: Background) -> None:
        self._made, self._background = made, background

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._made, name)
        if not callable(found):
            return found

        def waited(*given: Any, **named: Any) -> Any:
            came = found(*given, **named)
            return self._background.run(came) if asyncio.iscoroutine(came) else came

        return waited
