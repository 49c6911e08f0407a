"""Documents as content blocks of a tool result, for models that look at pages and pictures themselves."""

import base64
from typing import Any

from bot.documents.kinds import PDF, READ_BY_MODELS
from state.stores.rows import StoredDocument

MOST_PDF, MOST_IMAGE = 4 * 1024 * 1024, 3_700_000
"""Bytes. The Messages API takes 5 MB of base64 for a picture, 32 MB and 100 pages for a PDF; a page costs thousands of tokens."""
MOST_PAGES = 10


def content_block(document: StoredDocument, pages: int) -> dict[str, Any] | None:
    """The file itself; None where the model would not take it, or it costs more than it tells: its text is told anyway."""
    if document.type == PDF and len(document.content) <= MOST_PDF and pages <= MOST_PAGES:
        return {"type": "document", "source": _source(document)}
    if document.type in READ_BY_MODELS and len(document.content) <= MOST_IMAGE:
        return {"type": "image", "source": _source(document)}
    return None


def _source(document: StoredDocument) -> dict[str, str]:
    data = base64.b64encode(document.content).decode()
    return {"type": "base64", "media_type": document.type, "data": data}
