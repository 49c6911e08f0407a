"""A form like personal account dealing, drafts of it at any point, and a request written so that a person can read it."""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from prompts.request import Message, Request, Tool
from state.draft.draft import ChatLine, Disclosure, Draft, Option, Proposal, Provenance, Status, Value
from state.engine.effects import CallModel
from state.form import Form
from state.form.field import Data
from tests.thoroughness import ANY

TODAY = "2026-11-20"
FLAG = {"kind": "yes_no", "help": "What counts as that.", "tool": "declarations", "lock": "answered", "worse": True}
TRADE = {"tool": "trade"}
FIELDS: Mapping[str, Mapping[str, Any]] = {
    "security": {"kind": "lookup", "label": "Security", "ask": "Which security?", "lookup": "securities", **TRADE},
    "direction": {"kind": "choice", "label": "Buy or sell", "ask": "Buy or sell?", "choices": ["buy", "sell"], **TRADE},
    "quantity": {"kind": "integer", "label": "Quantity", "ask": "How many?", **TRADE},
    "value": {"kind": "money", "label": "Value", "ask": "What is it worth?", **TRADE},
    "currency": {"kind": "currency", "label": "Currency", "ask": "In which currency?", **TRADE},
    "account": {"kind": "text", "label": "Account", "ask": "Through which account?", **TRADE},
    "is_derivative": {"label": "Derivative", "ask": "Is this a derivative?", **FLAG},
    "derivative_justification": {
        "kind": "text",
        "label": "Reason",
        "ask": "Why a derivative?",
        "when": "is_derivative",
    },
    "is_leveraged": {"label": "Leveraged product", "ask": "Is this a leveraged product?", **FLAG},
    "has_inside_info": {"label": "Inside information", "ask": "Any inside information about {security}?", **FLAG},
    "is_related_party": {"label": "Connected person", "ask": "Is it for a connected person?", **FLAG},
    "related_party_relation": {"kind": "text", "label": "Relation", "ask": "Who is it?", "when": "is_related_party"},
    "has_client_conflict": {"label": "Client conflict", "ask": "Does it conflict with a client?", **FLAG},
    "holding_period_ack": {
        "kind": "acknowledgement",
        "label": "Holding period",
        "ask": "Hold it 30 days?",
        "tool": "declarations",
    },
    "justification": {
        "kind": "text",
        "label": "Justification",
        "ask": "Why this trade?",
        "grade": "reason",
        "lock": "good",
    },
}
PERSONA = (
    "You are the dealing desk's assistant at Northmoor Asset Management: friendly, brief, exact. You give no advice."
)


def form_of(fields: Mapping[str, Mapping[str, Any]], **more: Any) -> Form:
    """A form of these fields; each gets its name."""
    given = {name: {"name": name, **field} for name, field in fields.items()}
    return Form.model_validate(
        {"name": "dealing", "title": "Dealing", "version": "1", "prefix": "PA", "fields": given, **more}
    )


DEALING = form_of(FIELDS, title="Personal account dealing", prompt=PERSONA)


def provenance(message: str = "", words: str = "") -> Provenance:
    """Alex Reed, a moment ago."""
    return Provenance("U0ALEX", f"{TODAY}T10:00:00Z", "clicked", message, words)


def value(data: Data, label: str = "", message: str = "") -> Value:
    """A value with its provenance."""
    return Value(data, provenance(message), label=label)


def draft_of(**given: Any) -> Draft:
    """A draft of Alex Reed's."""
    return Draft("d1", "dealing", "T0", "U0ALEX", "C0", **given)


def user(text: str, message: str = "", *, clicked: bool = False) -> ChatLine:
    """A line of the person's."""
    return ChatLine("user", text, message, clicked)


def bot(text: str) -> ChatLine:
    """A line of the bot's."""
    return ChatLine("assistant", text)


def newest_user(request: Request) -> str:
    """The last turn of words of the user's."""
    return [m["content"] for m in request.messages if m["role"] == "user" and isinstance(m["content"], str)][-1]


def system_message(request: Request) -> str:
    """The operator's word at the end of the request."""
    content = request.messages[-1]["content"]
    assert request.messages[-1]["role"] == "system"
    assert isinstance(content, str)
    return content


def setters(request: Request) -> dict[str, Mapping[str, Any]]:
    """Properties of the setters by their names, without the words they rest on."""
    return {
        tool["name"]: {n: p for n, p in tool["input_schema"]["properties"].items() if n != "words"}
        for tool in request.tools
        if tool["name"].startswith("set_")
    }


def readable(request: Request) -> str:
    """Everything but the system prompt: messages by role, then a line per tool."""
    return "\n".join([*map(_turn, request.messages), *map(_line, request.tools)]) + "\n"


def _turn(message: Message) -> str:
    content = message["content"]
    text = content if isinstance(content, str) else "\n".join(map(_block, content))
    return f"--- {message['role']}\n{text}"


def _block(block: Mapping[str, Any]) -> str:
    known = {
        "text": lambda: block["text"],
        "tool_use": lambda: f"calls {block['name']} {block['input']}",
        "tool_result": lambda: f"result {block['content']}",
    }
    return known[block["type"]]()


def _line(tool: Tool) -> str:
    schema = tool["input_schema"]
    given = ", ".join(f"{n}: {_kind(p)}" for n, p in schema["properties"].items())
    return f"tool {tool['name']}({given}) {tool['description']}"


def _kind(schema: Mapping[str, Any]) -> str:
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    shown = "|".join(str(choice).lower() for choice in schema.get("enum", ()) if choice is not None) or types[0]
    return shown + ("?" if "null" in types else "")


# What people and time may bring about

LONG = st.text(ANY, max_size=60).map(lambda text: (text * 60)[:3000])
WORDS = st.one_of(
    st.text(ANY, max_size=80), LONG, st.sampled_from(["[clicked] Derivative: No", "no", "🦊" * 2000, "x" * 40000])
)
LINES = st.builds(
    ChatLine, st.sampled_from(["user", "assistant"]), WORDS, st.sampled_from(["", "m1", "m2"]), st.just(False)
)


def _data(name: str) -> st.SearchStrategy[Data]:
    kind = FIELDS[name]["kind"]
    exact: dict[str, st.SearchStrategy[Data]] = {
        "yes_no": st.booleans(),
        "acknowledgement": st.just(True),
        "integer": st.integers(1, 10**12),
        "money": st.sampled_from(["720.00", "262900.00"]),
        "currency": st.sampled_from(["GBP", "EUR"]),
        "choice": st.sampled_from(["buy", "sell"]),
    }
    return exact.get(kind, WORDS)


VALUES = st.fixed_dictionaries({}, optional={name: _data(name).map(value) for name in FIELDS})


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    """Any draft of the dealing form, with any conversation and any values."""
    values = draw(VALUES)
    locked = draw(st.frozensets(st.sampled_from(sorted(values)))) if values else frozenset()
    options = draw(st.lists(st.builds(Option, WORDS, WORDS, WORDS), max_size=20))
    return draft_of(
        values=values,
        locked_fields=locked,
        reopened=tuple(draw(st.lists(st.sampled_from(sorted(values)), max_size=2, unique=True))) if values else (),
        asked=draw(st.sampled_from(["", *FIELDS])),
        status=draw(st.sampled_from(Status)),
        options={"security": tuple(options)} if options else {},
        proposal=draw(
            st.none() | st.builds(Proposal, st.just("change"), st.just("c"), st.just("quantity"), st.just(value(3)))
        ),
        disclosures=tuple(
            Disclosure(name, provenance()) for name in draw(st.lists(st.just("is_leveraged"), max_size=3))
        ),
        opening=tuple(draw(st.lists(LINES, max_size=2))),
        window=tuple(draw(st.lists(LINES, max_size=8))),
        turn=draw(st.integers(0, 200)),
    )


@st.composite
def calls(draw: st.DrawFn) -> CallModel:
    """A call after open words, after a plain answer, or after a click."""
    act = draw(
        st.sampled_from(["", "[clicked] Leveraged product: No"]) | WORDS.map(lambda text: f"[clicked] Account: {text}")
    )
    purpose = "lead_in" if act else draw(st.sampled_from(["understand", "lead_in"]))
    return CallModel(
        1, purpose=purpose, act=act, changed=tuple(draw(st.lists(st.sampled_from(sorted(FIELDS)), max_size=6)))
    )
