"""Free words of a model, sentence by sentence: one passes where it is made of harmless words, the form's and the person's, and claims nothing.

Not a list of what is forbidden alone: a word that is on none of the lists refuses its sentence, whatever it means. Of what may be
composed of the rest, the patterns of `Claims` refuse what only the draft could bear out.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from state.draft.display import plainly
from state.draft.draft import Draft
from state.draft.missing import missing
from state.fields.base import Context
from state.form import Field, Form
from state.guards.persona import model_asks
from state.guards.sentences import sentences
from state.language import Language
from state.language.claims import Claim, harmless, joins, matches, opens_with, speaks
from state.language.claims import level as plain
from state.understanding.evidence import holds_quote, said_by_person

WORD = re.compile(r"[^\W\d_]+(?:['’ʼ-][^\W\d_]+)*")
FIGURE = re.compile(r"\d+(?:[.,:/'’ -]\d+)*")
DIGITS = re.compile(r"\D+")
QUOTED = re.compile(r"[\"“«„]([^\"”»“\n]{2,400})[\"”»“]")
MARKUP = re.compile("[*_~`\u200b-\u200d\u2060\ufeff\u00ad]")
PARTS = re.compile(r"[,;:–—]\s|\s[-–—]\s|\(|\)")
SHORTEST = 4
"""Letters by which two endings of a word are still one."""
LEAST = 3
"""Words of a clause that count as the person's when it stands in what they said."""
KEPT = "…"
"""Stands for words of the person's."""


def level(text: str) -> str:
    """The text without what could hide a word: markup, invisible signs, letters in disguise."""
    return MARKUP.sub("", unicodedata.normalize("NFKC", text)).replace("ʼ", "'").replace("’", "'")


@dataclass(frozen=True)
class Speaker:
    """What a model's words are held against: the form, the draft, and all that the person has said."""

    form: Form
    draft: Draft
    context: Context

    @property
    def language(self) -> Language:
        return self.context.language

    @cached_property
    def heard(self) -> tuple[str, ...]:
        """The person's lines and answers."""
        values = self.draft.values.items()
        shown = (plainly(self.form.fields[n], v.data, self.context) for n, v in values if n in self.form.fields)
        told = (text for _, v in values for text in (v.provenance.words, v.label, str(v.data)))
        return (*(line.text for line in said_by_person(self.draft)), *told, *shown)

    @cached_property
    def told(self) -> tuple[str, ...]:
        """What the person stated, a sentence at a time; what they asked tells nothing."""
        return tuple(s for text in self.heard for s in sentences(level(text)) if "?" not in s)

    @cached_property
    def own_words(self) -> frozenset[str]:
        """Words of the form's names and of the person's, which a model may take up."""
        names = (n for f in self.form.fields.values() for n in (f.label, *f.words, *(c.label for c in f.choices)))
        return _stems_of((self.form.title, *names)).union(*map(_stems, self.heard))

    @cached_property
    def figures(self) -> frozenset[str]:
        """Figures that somebody has named: the person, the form's own texts, the record."""
        texts = (t for f in self.form.fields.values() for t in (f.label, f.ask, f.help, *(c.label for c in f.choices)))
        own = (self.form.introduction, self.form.statement, *texts)
        return _figures_of(own).union(*map(figures, (*self.heard, self.draft.record)))

    @cached_property
    def wanted(self) -> tuple[Field, ...]:
        return missing(self.form, self.draft)

    @cached_property
    def answered(self) -> tuple[Field, ...]:
        open_ones = {f.name for f in self.wanted}
        return tuple(f for f in self.form.fields.values() if f.name in self.draft.values and f.name not in open_ones)


@lru_cache(maxsize=8192)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(k) for k in keys(level(text)))


@lru_cache(maxsize=32)
def _stems_of(texts: tuple[str, ...]) -> frozenset[str]:
    """Those of a form's texts, which stay the same from sentence to sentence."""
    return frozenset().union(*map(_stems, texts))


def stem(word: str) -> str:
    """What a word has in common with its other endings ("copy", "copying")."""
    one = word.removesuffix("s") if len(word) >= SHORTEST else word
    return one[: max(SHORTEST, len(word) - 3)]


def keys(text: str) -> Iterator[str]:
    """Words as they are compared: small letters, accents off."""
    return (plain(m.group()) for m in WORD.finditer(text))


@lru_cache(maxsize=8192)
def figures(text: str) -> frozenset[str]:
    """Figures by their digits alone, whole and without decimals of zero."""
    found = [m.group() for m in FIGURE.finditer(text)]
    bare = {DIGITS.sub("", f) for f in found}
    whole = {DIGITS.sub("", re.sub(r"[.,]0+$", "", f)) for f in found}
    return frozenset(bare | whole | {p for f in found for p in re.split(r"\D+", f)})


@lru_cache(maxsize=32)
def _figures_of(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*map(figures, texts))


def unfit(speaker: Speaker, sentence: str, *, asks: bool = False) -> str:
    """What is wrong with one sentence, in English for the model; empty where nothing is. `asks`: a question that is shown."""
    text = level(sentence)
    if not WORD.search(text):
        return "it holds no words"
    own = without_own(speaker, text)
    return (
        _unknown_figure(speaker, own)
        or _claims(speaker, own, asks=asks)
        or _asks_again(speaker, own)
        or _value(speaker, own)
        or ("" if asks else _asserts(speaker, own))
        or _stray_word(speaker, own)
    )


def without_own(speaker: Speaker, text: str) -> str:
    """The sentence without what the person said: quotes, and clauses that stand in their words."""
    text = QUOTED.sub(lambda m: KEPT if _said(speaker, m[1]) else f" {m[1]} ", text)
    for clause in PARTS.split(text):
        bare = clause.strip(" .!?…\"'")
        if len(list(keys(bare))) >= LEAST and _said(speaker, bare):
            text = text.replace(bare, KEPT)
    return text


def _said(speaker: Speaker, words: str) -> bool:
    bare = words.strip(" .!?…,;:")
    return bool(bare) and any(holds_quote(level(line), bare) for line in speaker.heard)


def _unknown_figure(speaker: Speaker, text: str) -> str:
    stray = next((f for m in FIGURE.finditer(text) if not figures(f := m.group()) & speaker.figures), "")
    return f"it names {stray}, which nobody has said" if stray else ""


def _claims(speaker: Speaker, text: str, *, asks: bool) -> str:
    """What only code may tell: permission, status, promises, policy, what was set, what the person did or is."""
    if asks:
        before = " ; ".join(PARTS.split(text)[:-1])
        leads = speaks(speaker.language, Claim.LEADING, text.strip())
        return "it leads the user, or asks several things" if leads else _claims(speaker, before, asks=False)
    if speaks(speaker.language, Claim.SURE, _without_told(speaker, text)):
        return "it states what only the form may tell: what was set, allowed, decided, promised or is the rule"
    if speaks(speaker.language, Claim.PERSONAL, text):
        return "it states something about the user that they have not said in these words"
    if speaks(speaker.language, Claim.COMPLETE, text):
        return "it says that something is at its end, which the form shows"
    return ""


def _without_told(speaker: Speaker, text: str) -> str:
    """Where the model asks: the text without words that stand in an answer ("saved twice"), which are what it speaks of."""
    if not model_asks(speaker.form, speaker.draft):
        return text
    told = {k for v in speaker.draft.values.values() for k in keys(level(str(v.data)))}
    return WORD.sub(lambda m: KEPT if (k := plain(m[0])) in told and not harmless(speaker.language, k) else m[0], text)


def _asks_again(speaker: Speaker, text: str) -> str:
    """Whether it says that something lacks which is answered, or does not say what."""
    if not speaks(speaker.language, Claim.LACKING, text):
        return ""
    named = [f for f in speaker.answered if matches(text, (f.label, *f.words))]
    wanted = [f for f in speaker.wanted if matches(text, (f.label, *f.words))]
    return "" if wanted and not named else "it says that something lacks which is answered, or that is not missing"


def _value(speaker: Speaker, text: str) -> str:
    """A figure beside a field's name is that field's own."""
    here = {m.group() for m in FIGURE.finditer(text)}
    named = [f for f in speaker.form.fields.values() if matches(text, (f.label, *f.words))] if here else []
    if not named:
        return ""
    own = " ; ".join(t for f in named for t in (f.label, f.ask, f.help, *_values(speaker, f)))
    wrong = next((f for f in here if not figures(f) & figures(own)), "")
    return f"it says {wrong} of {named[0].label!r}, which the form does not" if wrong else ""


def _values(speaker: Speaker, field: Field) -> tuple[str, ...]:
    value = speaker.draft.values.get(field.name)
    return (plainly(field, value.data, speaker.context), value.label, str(value.data)) if value else ()


def _asserts(speaker: Speaker, text: str) -> str:
    """Whether it states something of what the form or the person spoke of.

    Where code asks, such words may only be what a question is about. Where the model asks, it tells what became clear: in words that
    stand together in one thing that was told, and none of its own but those that join them.
    """
    taken = {word for word in keys(text) if stem(word) in speaker.own_words and not harmless(speaker.language, word)}
    if not taken or speaks(speaker.language, Claim.LEADS_OVER, text):
        return ""
    denies = speaks(speaker.language, Claim.DENIED, text)
    content = {stem(word) for word in keys(text) if not joins(speaker.language, word)}
    said = (told for told in speaker.told if content <= _stems(told))
    if model_asks(speaker.form, speaker.draft) and any(
        speaks(speaker.language, Claim.DENIED, s) == denies for s in said
    ):
        return ""
    return "it states something that the user has not said in these words"


def _stray_word(speaker: Speaker, text: str) -> str:
    """The first word that is neither harmless nor taken from the form or the person."""
    for word in keys(text):
        if stem(word) in speaker.own_words or harmless(speaker.language, word):
            continue
        parts = [p for p in re.split(r"['-]", word) if p]
        if not parts[1:] or not all(stem(p) in speaker.own_words or harmless(speaker.language, p) for p in parts):
            return f"it says \"{word}\": keep to the user's and the form's words, and state nothing"
    return ""


def fit_sentences(speaker: Speaker, text: str, *, asks: bool = False) -> tuple[str, str]:
    """What of a text may be shown, in its own order, and what is wrong with the first sentence that was left out.

    A sentence that leans on one that was left out goes with it.
    """
    kept: list[str] = []
    first = ""
    for line in text.split("\n"):
        fit: list[str] = []
        dropped = False
        for sentence in sentences(line):
            bare, is_asking = sentence.strip(), "?" in sentence
            if not bare:
                continue
            flaw = unfit(speaker, _without_mark(speaker.form, bare), asks=asks and is_asking)
            leans = dropped and opens_with(speaker.language, bare)
            dropped = bool(flaw) or leans
            first = first or flaw
            if not dropped:
                fit.append(bare)
        kept.append(" ".join(fit))
    return "\n".join(line for line in kept if line), first


def _without_mark(form: Form, sentence: str) -> str:
    """The sentence without the opening that the form's own shape gives it."""
    mark = next((m for m in form.persona.shape if level(sentence).startswith(level(m))), "")
    return level(sentence)[len(level(mark)) :] if mark else sentence
