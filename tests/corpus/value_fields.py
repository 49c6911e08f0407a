"""The corpus of natural answers to questions for texts: their fields, and what becomes of each answer."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from state.understanding.text_answers import whole_text

from state.draft.draft import Data
from state.fields import kind_of
from state.fields.base import Context
from state.form import Field, Form

HERE = Path(__file__).parent
LOCALES = {"en": "en-GB", "it": "it-IT", "es": "es-ES", "de": "de-DE"}
TODAY = "2026-11-20"  # a Friday
KINDS = ("text",)

SHAPES: dict[str, dict[str, Any]] = {
    "quantity": {"kind": "integer", "minimum": 1},
    "years": {"kind": "integer", "minimum": 1},
    "height": {"kind": "decimal"},
    "value": {"kind": "money"},
    "salary": {"kind": "money"},
    "start": {"kind": "date"},
    "hour": {"kind": "time"},
    "name": {"kind": "text", "short": True},
    "city": {"kind": "text", "short": True},
    "title": {"kind": "text", "short": True},
    "reason": {"kind": "text"},
}
"""What each question is answered with, in every language."""

QUESTIONS: dict[str, dict[str, dict[str, Any]]] = {
    "en": {
        "quantity": {"label": "Quantity", "ask": "How many shares?", "unit": "shares", "words": ("quantity",)},
        "years": {"label": "Term", "ask": "For how many years?", "unit": "years"},
        "height": {"label": "Height", "ask": "How high is it, in metres?", "unit": "metres"},
        "value": {"label": "Value", "ask": "What is it worth?", "words": ("value", "worth")},
        "salary": {
            "label": "Monthly net salary", "ask": "What is your monthly net salary?", "words": ("salary", "net salary"), "currency": "GBP",
        },
        "start": {"label": "Start date", "ask": "When does it start?", "words": ("start", "from")},
        "hour": {"label": "Time", "ask": "At what time?"},
        "name": {"label": "Name", "ask": "What is your name?", "words": ("name",)},
        "city": {"label": "City", "ask": "In which city do you live?", "words": ("city",)},
        "title": {"label": "Title", "ask": "What is the title of the request?", "words": ("title",)},
        "reason": {"label": "Reason", "ask": "Why?", "words": ("reason",), "before": ("because",)},
    },
    "it": {
        "quantity": {"label": "Quantità", "ask": "Quante azioni?", "unit": "azioni", "words": ("quantità",)},
        "years": {"label": "Durata", "ask": "Per quanti anni?", "unit": "anni"},
        "height": {"label": "Altezza", "ask": "Quanto è alto, in metri?", "unit": "metri"},
        "value": {"label": "Valore", "ask": "Quanto vale?", "words": ("valore",)},
        "salary": {
            "label": "Stipendio netto mensile", "ask": "Qual è il Suo stipendio netto mensile?", "words": ("stipendio", "stipendio netto"),
            "currency": "EUR",
        },
        "start": {"label": "Data di inizio", "ask": "Quando comincia?", "words": ("inizio", "dal")},
        "hour": {"label": "Ora", "ask": "A che ora?"},
        "name": {"label": "Nome", "ask": "Come si chiama?", "words": ("nome",)},
        "city": {"label": "Città", "ask": "In quale città abita?", "words": ("città",)},
        "title": {"label": "Titolo", "ask": "Qual è il titolo della richiesta?", "words": ("titolo",)},
        "reason": {"label": "Motivo", "ask": "Perché?", "words": ("motivo",), "before": ("perché",)},
    },
    "es": {
        "quantity": {"label": "Cantidad", "ask": "¿Cuántas acciones?", "unit": "acciones", "words": ("cantidad",)},
        "years": {"label": "Plazo", "ask": "¿Para cuántos años?", "unit": "años"},
        "height": {"label": "Altura", "ask": "¿Qué altura tiene, en metros?", "unit": "metros"},
        "value": {"label": "Valor", "ask": "¿Cuánto vale?", "words": ("valor",)},
        "salary": {
            "label": "Sueldo neto mensual", "ask": "¿Cuál es su sueldo neto mensual?", "words": ("sueldo", "sueldo neto"), "currency": "EUR",
        },
        "start": {"label": "Fecha de inicio", "ask": "¿Cuándo empieza?", "words": ("inicio", "desde")},
        "hour": {"label": "Hora", "ask": "¿A qué hora?"},
        "name": {"label": "Nombre", "ask": "¿Cómo se llama?", "words": ("nombre",)},
        "city": {"label": "Ciudad", "ask": "¿En qué ciudad vive?", "words": ("ciudad",)},
        "title": {"label": "Título", "ask": "¿Cuál es el título de la solicitud?", "words": ("título",)},
        "reason": {"label": "Motivo", "ask": "¿Por qué?", "words": ("motivo",), "before": ("porque",)},
    },
    "de": {
        "quantity": {"label": "Stückzahl", "ask": "Wie viele Aktien?", "unit": "Aktien", "words": ("stückzahl",)},
        "years": {"label": "Laufzeit", "ask": "Für wie viele Jahre?", "unit": "Jahre"},
        "height": {"label": "Höhe", "ask": "Wie hoch ist es, in Metern?", "unit": "Meter"},
        "value": {"label": "Wert", "ask": "Was ist es wert?", "words": ("wert",)},
        "salary": {
            "label": "Monatliches Nettogehalt", "ask": "Wie hoch ist Ihr monatliches Gehalt, netto?", "words": ("gehalt", "nettogehalt"),
            "currency": "EUR",
        },
        "start": {"label": "Beginn", "ask": "Wann geht es los?", "words": ("beginn", "ab")},
        "hour": {"label": "Uhrzeit", "ask": "Um wie viel Uhr?"},
        "name": {"label": "Name", "ask": "Wie heißen Sie?", "words": ("name",)},
        "city": {"label": "Stadt", "ask": "In welcher Stadt wohnen Sie?", "words": ("stadt",)},
        "title": {"label": "Titel", "ask": "Wie lautet der Titel des Antrags?", "words": ("titel",)},
        "reason": {"label": "Grund", "ask": "Warum?", "words": ("grund",), "before": ("weil",)},
    },
}  # fmt: skip


@dataclass(frozen=True)
class ValueAnswer:
    """One answer: what was typed to which question, and what it must come to. `fresh`: written after the lists were extended."""

    code: str
    question: str
    text: str
    comes_to: str
    value: Data | None = None
    fresh: bool = False


@cache
def form(code: str) -> Form:
    """A form of a language's questions."""
    fields = {name: Field(name=name, **SHAPES[name], **told) for name, told in QUESTIONS[code].items()}
    return Form(name="corpus", title="Corpus", version="1", prefix="CO", language=LOCALES[code], fields=fields)


def answers(code: str) -> Iterator[ValueAnswer]:
    """What people write in a language."""
    for kind in KINDS:
        for row in tomllib.loads((HERE / code / f"{kind}.toml").read_text("utf-8"))["answer"]:
            yield ValueAnswer(code, **row)


def become(answer: ValueAnswer) -> tuple[str, Data | None]:
    """What becomes of an answer: taken, put back or nothing, and its value."""
    field, context = form(answer.code).fields[answer.question], Context(LOCALES[answer.code], TODAY)
    kind = kind_of(field)
    taken = kind.whole(field, answer.text, context)
    if taken is None and kind.verbatim:
        taken = _text(answer, field, context)
    if taken is not None:
        return "taken", taken
    leant = kind.leans(field, answer.text, context)
    return ("nothing", None) if leant is None else ("put back", leant)


def _text(answer: ValueAnswer, field: Field, context: Context) -> Data | None:
    """The text as the reader takes it: what follows its cue, else the whole message."""
    led = [r.data for r in kind_of(field).find(field, answer.text, context) if r.named]
    told = None if led else whole_text(field, form(answer.code), answer.text, (), context)
    return led[0] if led else told.data if told else None


def ends_well(answer: ValueAnswer) -> bool:
    """Whether an answer is taken or put back with its value, and what is none comes to nothing. What must be put back is not taken."""
    came_to, value = become(answer)
    if answer.comes_to == "nothing":
        return came_to == "nothing"
    return value == answer.value and came_to in ("put back", answer.comes_to)
