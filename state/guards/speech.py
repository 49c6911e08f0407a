"""The reply guard: what a model's words may not do before a person reads them."""

import re

from state.draft.draft import Draft, Status
from state.draft.missing import missing
from state.draft.scope import (
    CORRECT,
    DISCLOSE,
    EXPLAIN,
    OFFER,
    PERSON,
    own_names,
)
from state.form import Field, Form
from state.understanding.evidence import normalized

LONGEST = 600
"""Characters of a lead-in; what is longer is cut at a sentence."""
SENTENCE = re.compile(r"[^.!?\n]*[.!?]+[\"”’)]*|[^.!?\n]+")
WORD = re.compile(r"[\w-]+")
CLAIMS = re.compile(
    r"\b(?:submitted|filed|sent (?:it|this|your)|approved|recorded your|saved|finali[sz]ed|pre-?cleared"
    r"|inviat[oaie]|registrat[oaie]|salvat[oaie]|approvat[oaie]"
    r"|enviad[oa]s?|guardad[oa]s?|registrad[oa]s?|aprobad[oa]s?|finalizad[oa]s?|guard[éo]|envié|registré)\b",
    re.IGNORECASE,
)
SAVES = re.compile(r"\b(?:saved|salvat[oaie]|guardad[oa]s?|guard[éo])\b", re.IGNORECASE)
"""What no words may claim of a draft that is filed either: nothing in it changes any more."""
CANCELS = re.compile(r"\b(?:cancell?ed|annullat[oaie]|cancelad[oa]s?|cancelé)\b", re.IGNORECASE)
NEVER = {
    Status.OPEN: (CLAIMS, CANCELS),
    Status.SUBMITTED: (SAVES, CANCELS),
    Status.CANCELLED: (CLAIMS,),
    Status.ESCALATED: (CLAIMS, CANCELS),
}
"""What did not happen to a draft of this status, whatever a model says."""
NOT_YET = re.compile(
    r"\b(?:before|once|until|when|if|ready to|can|will|prima|quando|antes|cuando|al pulsar)\b", re.IGNORECASE
)
DENIED = re.compile(r"\b(?:not|non|no|nothing|niente|nada)\b|n't\b", re.IGNORECASE)
"""Takes back a claim in the same clause, and in no other: "no se preocupe, está guardado" is a claim."""
CLAUSE = re.compile(r"[,;:]")
MACHINERY = re.compile(
    r"\b(?:tool|tools|function call|json|set_[a-z_]+|ground truth|action summary|system prompt|REJECTED|tool_use|schema)\b|\[[A-Z ]{6,}\]",
)
FORMAT = re.compile(r'[{}]|```|^\s*-{3,}\s*$|"[a-z_]+"\s*:|\[\s*["\[]', re.MULTILINE)
"""JSON, a fence, or a dialect's own line: what a model writes for code, and no person reads."""


def flaw(form: Form, draft: Draft, text: str) -> str:
    """What is wrong with a text, in English for the model; empty where nothing is."""
    if MACHINERY.search(text) or FORMAT.search(text) or _names_code(form, text):
        return "it speaks of tools or of the form's machinery; people must never read of them"
    if any(_claims(sentence, said) for sentence in sentences(text) for said in NEVER[draft.status]):
        return "it claims something that did not happen; nothing has been submitted, saved or approved"
    again = asks_filled(form, draft, text)
    return f"it asks about {again.label!r}, which is answered already" if again else ""


def asks_filled(form: Form, draft: Draft, text: str) -> Field | None:
    """The answered field that some question in the text asks about, unless that question is about an open one."""
    wanted = {f.name for f in missing(form, draft)}
    filled = [f for f in form.fields.values() if f.name in draft.values and f.name not in wanted]
    wanting = [f for f in form.fields.values() if f.name in wanted]
    for question in (s for s in sentences(text) if is_question(s)):
        hit = next((f for f in filled if names(f, question)), None)
        if hit is not None and not any(names(f, question) for f in wanting):
            return hit
    return None


def without_questions(text: str) -> str:
    """A lead-in: the text without its questions, no longer than `LONGEST`. The form asks, right below."""
    kept = [s.strip() for s in sentences(text) if s.strip() and not is_question(s)]
    lead = " ".join(kept)
    while len(lead) > LONGEST and len(kept) > 1:
        kept.pop()
        lead = " ".join(kept)
    return lead[:LONGEST].strip()


def sentences(text: str) -> list[str]:
    """The text's sentences, marks included."""
    return [m.group() for m in SENTENCE.finditer(text)]


def is_question(sentence: str) -> bool:
    """Whether a sentence asks; a request to tell or confirm something asks as well."""
    asks = re.match(
        r"\s*(?:please|could you|can you|kindly)?\s*(?:confirm|tell me|specify|provide|let me know|state|enter)\b",
        sentence,
        re.I,
    )
    return "?" in sentence or asks is not None


def names(field: Field, text: str) -> bool:
    """Whether the text names a field by its label or its words."""
    heard = _words(text)
    return any(_words(w) in heard for w in (field.label, *field.words))


def _words(text: str) -> str:
    return f" {' '.join(WORD.findall(normalized(text)))} "


def _claims(sentence: str, claims: re.Pattern[str]) -> bool:
    if NOT_YET.search(sentence):
        return False
    return any(claims.search(clause) and not DENIED.search(clause) for clause in CLAUSE.split(sentence))


def _names_code(form: Form, text: str) -> bool:
    codes = {f for f in form.fields if "_" in f} | {EXPLAIN, PERSON, *own_names(form)}
    codes |= {f"{tool}(" for tool in (CORRECT, DISCLOSE, OFFER)}
    return any(code in text for code in codes)
