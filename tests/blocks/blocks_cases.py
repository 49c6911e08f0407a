"""A small personal-account-dealing form, drafts of it, hostile words, and random forms and drafts; a reader of what is on screen."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from blocks.cards import GONE, build_card
from blocks.elements import Message
from blocks.ids import Press, press_of
from bot.sandbox.limits import check_message, check_suggestions, check_view
from state.draft.documents import Document
from state.draft.draft import Disclosure, DocumentReading, Draft, Option, Proposal, Provenance, Status, Value
from state.draft.record import Record
from state.draft.utterance import Phrase, Verbatim
from state.engine.cards import Card, Change, Confirm, Moved, Notice, Question, Read, Receipt, Review
from state.fields import kind_of
from state.form import Choice, Field, Form
from state.form.field import Data
from tests.thoroughness import ANY, examples

TODAY, CARD = "2026-11-20", "D1-9f2ab31c04de-1"
HELP = "Precise information about the company, and would move the price if it were."
FLAG = {"kind": "yes_no", "lock": "answered", "worse": True}
FIELDS: Mapping[str, Mapping[str, Any]] = {
    "security": {"kind": "lookup", "label": "Security", "ask": "Which security is it?", "lookup": "securities"},
    "direction": {
        "kind": "choice",
        "label": "Buy or sell",
        "ask": "Do you want to buy or to sell?",
        "choices": [{"value": "buy", "label": "Buy"}, {"value": "sell", "label": "Sell"}],
    },
    "quantity": {"kind": "integer", "label": "Quantity", "ask": "How many {security}?", "minimum": 1},
    "value": {"kind": "money", "label": "Value", "ask": "What is it worth?"},
    "currency": {"kind": "currency", "label": "Currency", "ask": "In which currency?"},
    "bought_on": {"kind": "date", "label": "Trade date", "ask": "When do you want to trade?"},
    "is_derivative": {"label": "Derivative", "ask": "Is this a derivative?", "help": "An option or a future.", **FLAG},
    "why_derivative": {"kind": "text", "label": "Reason for it", "ask": "Why?", "when": "is_derivative"},
    "is_leveraged": {"label": "Leveraged product", "ask": "Is this a leveraged product?", **FLAG},
    "has_inside_info": {
        "label": "Inside information",
        "ask": "Do you hold any inside information about {security}?",
        "help": HELP,
        **FLAG,
    },
    "relation": {"kind": "text", "label": "Relation", "ask": "Who is it for?", "sensitive": True, "required": False},
    "holding_ack": {"kind": "acknowledgement", "label": "Holding period", "ask": "Will you hold it for 30 days?"},
    "justification": {"kind": "text", "label": "Reason", "ask": "Why do you want to trade?"},
}


def a_form(**more: Any) -> Form:
    """The form, with anything in it said otherwise."""
    fields = {name: Field.model_validate({"name": name, **body}) for name, body in FIELDS.items()}
    told = {"name": "pa_dealing", "title": "Personal account dealing", "version": "1", "prefix": "PA", "fields": fields}
    return Form.model_validate({**told, **more})


def field_form(**body: Any) -> Form:
    """A form of one field."""
    given = {"name": "thing", "label": "Thing", "ask": "Which thing?", **body}
    return a_form(fields={"thing": Field.model_validate(given)})


def a_value(data: Data, how: Any = "clicked", words: str = "", **more: Any) -> Value:
    return Value(data, Provenance("U0ALEX", "2026-11-20T14:00:00+00:00", how, "1.0", words), **more)


VALUES: Mapping[str, Value] = {
    "security": a_value("GB00BLGZ9862", "chosen", "Tesco PLC", label="Tesco PLC (GB00BLGZ9862)"),
    "direction": a_value("buy", "read", "I'd like to buy 200 Tesco"),
    "quantity": a_value(250, "typed", "actually make it 250"),
    "value": a_value("720.00", "read", "about £720", sure=False),
    "currency": a_value("GBP", "read", "£720"),
    "bought_on": a_value("2026-11-23"),
    "is_derivative": a_value(False),
    "is_leveraged": a_value(False),
    "has_inside_info": a_value(False, "typed", "No inside information"),
    "relation": a_value("my sister", "entered"),
    "holding_ack": a_value(True),
    "justification": a_value("I save for my pension and expect food retail to do well", "entered"),
}


def a_draft(*names: str, **more: Any) -> Draft:
    """A draft with these fields answered; with all of them where none is named."""
    values = {n: v for n, v in VALUES.items() if not names or n in names}
    told = {"values": values, "began": "2026-11-20T13:00:00+00:00"} | more
    return Draft("D1", "pa_dealing", "T0HOLDFAST", "U0ALEX", "T0HOLDFAST:D0ALEX:", **told)


def shown(card: Card, draft: Draft | None = None, form: Form | None = None) -> Message:
    """A card, built and let through by Slack's limits."""
    built = build_card(form or a_form(), draft or a_draft(), card, CARD, TODAY)
    accepted(built)
    return built


def accepted(built: Message) -> None:
    """Let a message through Slack's limits, as it goes over the wire; one that says nothing is taken away."""
    if built == GONE:
        return
    blocks = json.loads(json.dumps(list(built.blocks)))
    assert 0 < len(built.text) <= 3000
    check_message(built.text, blocks, None)


def accepted_view(view: dict[str, Any]) -> None:
    """Let a view through Slack's limits, as it goes over the wire."""
    check_view(json.loads(json.dumps(view)), view["type"])


def accepted_options(answer: dict[str, Any]) -> None:
    """Let a menu's options through Slack's limits."""
    check_suggestions(json.loads(json.dumps(answer)))


def nodes(tree: Any, block_id: str = "") -> Iterator[dict[str, Any]]:
    """Every block, element and text in reading order, with the block_id of its block."""
    if isinstance(tree, dict):
        block_id = tree.get("block_id", block_id)
        yield {**tree, "block_id": block_id}
        tree = list(tree.values())
    if isinstance(tree, list | tuple):
        for part in tree:
            yield from nodes(part, block_id)


def texts(tree: Any) -> Iterator[str]:
    """Every text in blocks, in reading order."""
    return (node["text"] for node in nodes(tree) if isinstance(node.get("text"), str))


def screen(built: Message) -> str:
    """All that is on screen, a text a line."""
    return "\n".join(texts(built.blocks))


def clickable(tree: Any) -> Iterator[dict[str, Any]]:
    """Every interactive element, with the block_id of its block."""
    return (node for node in nodes(tree) if "action_id" in node)


def buttons(built: Message) -> dict[str, Press | None]:
    """What each button on screen means, by its label."""
    return {e["text"]["text"]: press_of(e) for e in clickable(built.blocks) if e["type"] == "button"}


HOSTILE = (
    "<!channel>",
    "<@U0DANA>",
    "<https://example.com|Tesco>",
    "&lt;!here&gt;",
    "*bold* _it_ ~no~ `code`",
    "```\nfence\n```",
    "> quoted",
    "\u202eevil\u202c",
    "a\u200bb\u2066c\u2069",
    "\ud800",
    "👨‍👩‍👧 🏴",
    "שלום עולם",
    "مرحبا",
    "x" * 40_000,
    "&" * 5_000,
    "word " * 8_000,
    "\n" * 50,
    "",
    "|%|\n|",
)
PATIENT = settings(max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
"""Random cards are large, and other tests run beside these."""
WORDS = st.sampled_from(HOSTILE) | st.text(ANY, max_size=60)


def written(most: int) -> st.SearchStrategy[str]:
    """Words that the author of a form may write: UTF-8, and no more than the format takes."""
    return WORDS.map(lambda words: words.encode("utf-8", "ignore").decode()[:most] or "x")


SENTENCES = st.tuples(written(1000), written(1000))
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,47}", fullmatch=True, alphabet=ANY)
HOWS = st.sampled_from(["clicked", "typed", "chosen", "entered", "read", "accepted", "document", "rule"])
DATA: Mapping[str, st.SearchStrategy[Data]] = {
    "yes_no": st.booleans(),
    "acknowledgement": st.just(True),
    "integer": st.integers(0, 10**15),
    "decimal": st.just("1.5"),
    "percentage": st.just("12.5"),
    "money": st.just("262900.00"),
    "currency": st.just("EUR"),
    "date": st.just("2026-02-28"),
    "time": st.just("14:30"),
    "choice": st.integers(1, 3).map(str),
    "identifier": st.just("GB00BLGZ9862"),
    "email": st.just("alex.reed@northmoor.example"),
    "link": st.sampled_from(["https://example.org/a?b=1&c=_d_", "https://example.org/" + 400 * "&"]),
    "phone": st.just("+393331234567"),
    "lookup": st.just("GB00BLGZ9862"),
    "text": WORDS,
    "document": st.sampled_from(["d1", ""]),
    "documents": st.sampled_from([(), ("d1",), ("d1", "d2")]),
}


@st.composite
def fields(draw: st.DrawFn, name: str) -> Field:
    kind = draw(st.sampled_from(sorted(DATA)))
    count = draw(st.sampled_from([1, 3, 5, 6, 100, 130])) if kind == "choice" else 0
    labels = draw(written(70)) if count else ""
    choices = tuple(Choice(value=str(n), label=f"{labels}{n}") for n in range(1, count + 1))
    label, ask, help_, placeholder = (draw(written(most)) for most in (75, 600, 2000, 150))
    told = {"label": label, "ask": ask, "help": help_, "placeholder": placeholder, "choices": choices}
    return Field(name=name, kind=kind, worse=draw(st.sampled_from([None, True])) if kind == "yes_no" else None, **told)


@st.composite
def forms(draw: st.DrawFn, least: int = 1, most: int = 6) -> Form:
    names = draw(st.lists(NAMES, min_size=least, max_size=most, unique=True))
    language = draw(st.sampled_from(["en-GB", "it-IT", "es-ES"]))
    most = {"title": 75, "statement": 300, "introduction": 1500}
    told = {"language": language, **{name: draw(written(n)) for name, n in most.items()}}
    return a_form(fields={name: draw(fields(name)) for name in names}, **told)


@st.composite
def drafts(draw: st.DrawFn, form: Form) -> Draft:
    values = {}
    for field in form.fields.values():
        if draw(st.booleans()):
            label = draw(WORDS) if field.kind in ("lookup", "document", "documents") else ""
            values[field.name] = a_value(
                draw(DATA[field.kind]), draw(HOWS), draw(WORDS), sure=draw(st.booleans()), label=label,
                declared=draw(written(1000)) if kind_of(field).declaration else "",
            )  # fmt: skip
    found = st.builds(Option, NAMES, WORDS, WORDS)
    options = {f.name: tuple(draw(st.lists(found, max_size=10))) for f in form.fields.values() if kind_of(f).searchable}
    read = {
        f.name: a_value(draw(DATA[f.kind]), "document", draw(WORDS))
        for f in form.fields.values()
        if kind_of(f).on_paper
    }
    told = draw(st.sampled_from(sorted(values))) if values else ""
    later = (Disclosure(told, a_value(True, "read", draw(WORDS)).provenance),) if told else ()
    status = draw(st.sampled_from(Status))
    return a_draft(
        values=values,
        options=options,
        status=status,
        disclosures=later,
        undo=dict(values),
        documents={"d1": Document("d1", draw(WORDS))},
        readings=(DocumentReading("d1", read),) if read else (),
        filed=Record(draw(WORDS)),
        proposal=Proposal("disclose", CARD, words=draw(WORDS)),
    )


LINES = st.one_of(
    st.builds(Verbatim, WORDS),
    st.builds(lambda a, b: Phrase("was_now", {"label": a, "was": b, "now": a}), WORDS, WORDS),
    st.builds(lambda a: Phrase("got_it", {"what": a}), WORDS),
    st.just(Phrase("greeting", {"form": "x", "introduction": ""})),
)


@st.composite
def cards(draw: st.DrawFn, form: Form) -> Card:
    name = draw(st.sampled_from(sorted(form.fields)))
    told = tuple(draw(st.lists(LINES, max_size=4)))
    flags = st.booleans()
    value = a_value(draw(DATA[form.fields[name].kind]))
    acts = ("undo", "begin", "show", "person", "missing", "help", "cancel", "restart")
    return draw(
        st.one_of(
            st.builds(
                Question,
                st.just(name),
                st.just(told),
                flags,
                flags,
                flags,
                declares=st.fixed_dictionaries({n: SENTENCES for n in [name] if kind_of(form.fields[n]).declaration}),
            ),
            st.builds(
                Moved,
                st.sampled_from(["answered", "below", "changed", "closed", "kept"]),
                st.just(name),
                st.sampled_from(
                    [None, Question(name, told), Review(told), Read("d1", tuple(form.fields), told), Confirm("cancel")]
                ),
            ),
            st.just(Review(told)),
            st.just(Read("d1", tuple(form.fields), told)),
            st.builds(
                Receipt,
                WORDS,
                st.just("2026-11-20T14:32:00+00:00"),
                NAMES,
                st.lists(WORDS).map(tuple),
                waits=flags,
                extends=flags,
                acts=st.sampled_from([(), ("report", "unused")]),
                calls=flags,
            ),
            st.just(Change(name, value)),
            st.builds(Confirm, st.sampled_from(["cancel", "restart", "disclose"]), st.just(name)),
            st.builds(Notice, st.just(told), st.lists(st.sampled_from(acts), max_size=8).map(tuple)),
        )
    )


@st.composite
def scenes(draw: st.DrawFn) -> tuple[Form, Draft, Card]:
    """A form, a draft of it, and a card about both, all at random."""
    form = draw(forms())
    return form, draw(drafts(form)), draw(cards(form))
