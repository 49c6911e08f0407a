"""A text in sentences: a point inside a number, a time, an abbreviation, an address or after a first letter ends none."""

import re

ABBREVIATIONS = (
    "e.g", "i.e", "etc", "approx", "no", "vs", "mr", "mrs", "ms", "dr", "prof", "st", "inc", "ltd", "co", "corp", "a.m", "p.m", "ca",
    "z.b", "d.h", "u.a", "bzw", "usw", "nr", "str", "ggf", "inkl", "abs", "art", "ecc", "es", "sig", "sigg", "dott", "cfr", "pag", "n",
    "p.es", "s.p.a", "s.r.l", "ud", "uds", "sr", "sra", "dra", "p.ej", "núm", "pág", "tel", "av", "ej", "b", "h",
)  # fmt: skip
END = re.compile(r"(?:[.!?…]+[\"”’»)\]]*)(?=\s|$)|\n")
LAST = re.compile(r"(?:^|[\s(\"“«])([^\s(\"“«]+)\.$")
DAY = re.compile(r"(?:^|\s)\d{1,2}\.$")
"""A place in an order ("3. März"): not to be told from the end of a sentence, and never parted."""


def sentences(text: str) -> list[str]:
    """The text's sentences in order, marks included; joined by nothing they are the text again."""
    parts, begun = [], 0
    for end in END.finditer(text):
        if end.group() != "\n" and _goes_on(text[begun : end.end()], text[end.end() :]):
            continue
        parts.append(text[begun : end.end()])
        begun = end.end()
    return [*parts, *([text[begun:]] if text[begun:].strip() else [])]


def _goes_on(sentence: str, rest: str) -> bool:
    """Whether the mark at the end of the part ends no sentence."""
    after = rest.lstrip(" \t")
    if not after or after[0] == "\n":
        return False
    if sentence.endswith(("...", "…")):
        return after[0].islower()
    last = LAST.search(sentence)
    word = last[1].casefold() if last else ""
    initial = len(word) == 1 and word.isalpha() and word not in "aeioyu"
    return (
        (word in ABBREVIATIONS and (after[0].islower() or after[0].isdigit() or "." in word))
        or initial
        or bool(DAY.search(sentence))
    )
