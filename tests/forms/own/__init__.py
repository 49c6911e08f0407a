"""A short form of somebody's own, and where tests put it."""

import shutil
from pathlib import Path


def example(folder: Path) -> Path:
    """Write the form below a folder; return the folder of workflows that it is in."""
    shutil.copytree(Path(__file__).parent / "holiday", folder / "mine" / "holiday")
    return folder / "mine"
