"""The reply guard: what a model's words may not do before a person reads them."""

import re

from state.draft.draft import Draft, Status
from state.draft.missing import missing
from state.draft.scope import CORRECT, DISCLOSE, EXPLAIN, OFFER, PERSON, own_names
from state.form import Field, Form
from state.guards.markup import reads_as_code
from state.guards.sentences import sentences
from state.language.claims import MACHINERY, Claim, claims, requests
from state.understanding.evidence import normalized

LONGEST = 600
"""Characters of a lead-in; what is longer is cut at a sentence."""
WORD = re.compile(r"[\w-]+")
NEVER = {
    Status.OPEN: (Claim.FILED, Claim.CANCELLED),
    Status.SUBMITTED: (Claim.SAVED, Claim.CANCELLED),
    Status.CANCELLED: (Claim.FILED,),
    Status.ESCALATED: (Claim.FILED, Claim.CANCELLED),
}
"""What did not happen to a draft of this status, whatever a model says; in one that is filed nothing changes any more."""
CODE_WORDS = re.compile(r"\b(?:set_[a-z_]+|REJECTED|tool_use)\b|\[[A-Z ]{6,}\]")
FORMAT = re.compile(r'[{}]|```|^\s*-{3,}\s*$|"[a-z_]+"\s*:|\[\s*["\[]', re.MULTILINE)
"""JSON, a fence, or a dialect's own line: what a model writes for code, and no person reads."""


def flaw(form: Form, draft: Draft, text: str) -> str:
    """What is wrong with a text, in English for the model; empty where nothing is."""
    if speaks_of_machinery(text) or FORMAT.search(text) or reads_as_code(text) or _names_code(form, text):
        return "it speaks of tools or of the form's machinery; people must never read of them"
    if any(claims(sentence, claim) for sentence in sentences(text) for claim in NEVER[draft.status]):
        return "it claims something that did not happen; nothing has been submitted, saved or approved"
    again = asks_filled(form, draft, text)
    return f"it asks about {again.label!r}, which is answered already" if again else ""


def speaks_of_machinery(text: str) -> bool:
    """Whether a text speaks of tools, prompts or what code writes for a model."""
    return MACHINERY.search(text) is not None or CODE_WORDS.search(text) is not None


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


def is_question(sentence: str) -> bool:
    """Whether a sentence asks; a request to tell or confirm something asks as well."""
    return "?" in sentence or requests(sentence)


def names(field: Field, text: str) -> bool:
    """Whether the text names a field by its label or its words."""
    heard = _words(text)
    return any(_words(w) in heard for w in (field.label, *field.words))


def _words(text: str) -> str:
    return f" {' '.join(WORD.findall(normalized(text)))} "


def _names_code(form: Form, text: str) -> bool:
    codes = {f for f in form.fields if "_" in f} | {EXPLAIN, PERSON, *own_names(form)}
    codes |= {f"{tool}(" for tool in (CORRECT, DISCLOSE, OFFER)}
    return any(code in text for code in codes)
