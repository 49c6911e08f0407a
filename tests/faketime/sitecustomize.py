"""Python's `time.sleep` under libfaketime 0.9.10, which hands the kernel a moment of the wrong clock there (its issue 426)."""

import select
import time


def sleep(seconds: float) -> None:
    """Wait as long as `time.sleep` does, by a length instead of a moment."""
    select.select((), (), (), seconds)


time.sleep = sleep
