"""Identifiers with a check of their own: securities, taxes, accounts, vehicles. Canonical: compact, in capitals."""

from collections.abc import Iterator

from state.fields.base import Candidate, Context, Kind, Unreadable, described, text_of, the_whole
from state.fields.values.quantities import answering
from state.fields.values.schemes import SCHEMES, identifiers
from state.form import Field
from state.form.field import Data
from state.form.source import meant
from state.language.tokens import masked

NAMES = {
    "codicefiscale": "codice fiscale",
    "piva": "partita IVA",
    "matricula": "matrícula",
    "codigo_postal": "código postal",
}


def find(field: Field, text: str, _context: Context) -> tuple[Candidate, ...]:
    """Return the identifiers of the field's schemes, check digit included; those with letters first."""
    found = tuple(Candidate(f.code, f.start, f.end) for f in identifiers(masked(text), schemes(field)))
    return tuple(sorted(found, key=lambda r: str(r.data).isdigit()))


def whole(field: Field, text: str, context: Context) -> Data | None:
    """Return the identifier that a message is by itself, also one written in groups ("GB00 BLGZ 9862")."""
    read = answering(find)
    return read(field, text, context) or read(field, "".join(text.split()), context)


def parse(field: Field, given: object, _context: Context) -> Data:
    """Return the identifier. Raises Unreadable: bad_identifier."""
    text = "".join(text_of(given).split())
    found = the_whole(text, identifiers(text, schemes(field)))
    if found is None:
        raise Unreadable("bad_identifier", {"scheme": _spoken(field)})
    return found.code


def slip(field: Field, text: str) -> Unreadable | None:
    """Return what is wrong with a text of the shape of an identifier, whose check digit is another one; None for any other text."""
    code = "".join(text.split()).upper()
    shaped = code.isalnum() and not code.isalpha() and not code.isdigit()
    alike = (n for n in schemes(field) if len(code) in SCHEMES[n].lengths and SCHEMES[n].like.search(code))
    off = shaped and not the_whole(code, identifiers(code, schemes(field)))
    return Unreadable("bad_identifier", {"scheme": _spoken(field)}) if off and any(alike) else None


def schemes(field: Field) -> tuple[str, ...]:
    """Return the field's schemes; all where it names none."""
    return field.scheme or tuple(SCHEMES)


def _spoken(field: Field) -> str:
    return " / ".join(NAMES.get(n, n.upper()) for n in field.scheme)


def flaws(field: Field) -> Iterator[tuple[str, str]]:
    """Its schemes are known ones."""
    for scheme in field.scheme:
        if scheme not in SCHEMES:
            yield "scheme", f'"{scheme}" is no known scheme. Use one of {", ".join(SCHEMES)}.{meant(scheme, SCHEMES)}'


KIND = Kind(
    name="identifier",
    about="A code whose check digit is checked.",
    whole=whole, find=find, parse=parse, schema=lambda field: described(_spoken(field))(field),
    takes=frozenset({"scheme"}), needs="scheme", flaws=flaws, slip_shows=True, check_digit=True, offered=False,
)  # fmt: skip
