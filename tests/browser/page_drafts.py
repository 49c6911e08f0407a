"""What `/ui/inspect` gives for a small draft: a field of every state."""

from typing import Any

NOTHING = {"value": None, "locked": False, "who": None, "how": None, "words": None, "marked": False}
SECURITY = {
    "value": "Tesco PLC",
    "locked": True,
    "who": "U0ALEX",
    "how": "chose",
    "words": "Use this",
    "marked": True,
}
DRAFT: dict[str, Any] = {
    "draft": {
        "id": "d1",
        "form": "pa_dealing",
        "title": "Personal account dealing",
        "status": "open",
        "stage": "collecting",
        "revision": 4,
        "progress": [1, 2],
        "record": None,
        "fields": [
            {"name": "security", "label": "Security", "state": "filled", **SECURITY},
            {"name": "quantity", "label": "Quantity", "state": "asked", **NOTHING},
            {"name": "why", "label": "Why", "state": "hidden", **NOTHING},
            {"name": "note", "label": "Note", "state": "optional", **NOTHING},
            {"name": "value", "label": "Value", "state": "missing", **NOTHING},
        ],
        "missing": ["quantity"],
        "locked": ["security"],
    },
    "tools": [{"name": "set_quantity", "description": "Set it.", "properties": ["quantity"]}],
    "prompt": {
        "at": "2026-11-20T14:32:05Z",
        "system": "Be kind.",
        "messages": [{"role": "user", "text": "buy Tesco"}],
        "tokens": {"input": 1382, "output": 14},
        "reply": "How many?",
    },
    "events": [
        {"revision": 1, "at": "2026-11-20T14:31:05Z", "kind": "said", "summary": "buy Tesco"},
        {"revision": 2, "at": "2026-11-20T14:32:05Z", "kind": "chose", "summary": "Tesco PLC"},
    ],
}
LEDGER: dict[str, Any] = {
    **DRAFT,
    "draft": {
        **DRAFT["draft"],
        "id": "d2",
        "form": "expenses",
        "title": "Expenses",
        "progress": [0, 0],
        "fields": [],
        "ledger": {
            "rows": [{"number": 12, "words": "coffee · EUR 3.50 · 21 Nov 2026 · Food"}],
            "count": 1,
            "waiting": [{"words": ["Delete an expense: 11"], "until": "2026-11-22T14:45:00+00:00"}],
        },
    },
}
