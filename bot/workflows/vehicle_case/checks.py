"""What the form's own rules refuse, and what they only warn of. Each gives the sentence that a person reads, or the empty string."""

import re
from collections.abc import Mapping
from typing import Any

from state.draft.draft import Draft
from state.rules import Checker

from .answers import answer

PLATE = re.compile(r"[0-9]{4}[BCDFGHJKLMNPRSTVWXYZ]{3}")
"""The plates of today (RD 2822/1998, annex XVIII)."""
NATIONAL = 9
"""Digits of a Spanish telephone number."""
FRONT, REAR = 240, 180
"""Millimetres that the inner edges of a motorcycle's direction indicators must be apart (UNECE regulation 53, 6.3.3)."""


def checks(provinces: Mapping[str, str]) -> Mapping[str, Checker]:
    """Return the refusals, by field. `provinces`: the first two digits of a postal code to its province."""
    return {
        "telefono": _phone,
        "taller_telefono": _phone,
        "anio": _year,
        "codigo_postal": _postal_code(provinces, "provincia"),
        "provincia": _province(provinces, "codigo_postal"),
    }


def _phone(_draft: Draft, _name: str, value: Any) -> str:
    return "" if len(str(value).lstrip("+")) >= NATIONAL else "Necesito un teléfono de al menos nueve cifras."


def _year(draft: Draft, _name: str, value: Any) -> str:
    now = int(draft.began[:4])
    return "" if int(value) <= now else f"El año no puede ser posterior a {now}."


def _postal_code(provinces: Mapping[str, str], other: str) -> Checker:
    def check(draft: Draft, _name: str, value: Any) -> str:
        return _apart(provinces, str(value), answer(draft, other))

    return check


def _province(provinces: Mapping[str, str], other: str) -> Checker:
    def check(draft: Draft, _name: str, value: Any) -> str:
        code = answer(draft, other)
        return _apart(provinces, str(code), str(value)) if code else ""

    return check


def _apart(provinces: Mapping[str, str], code: str, province: str | None) -> str:
    theirs = provinces.get(code[:2])
    if province is None or theirs == province:
        return ""
    return f"El código postal {code} es de {theirs}, no de {province}. Corrija uno de los dos."


def old_plate(_draft: Draft, _name: str, value: Any) -> str:
    """An older or special plate is taken, and somebody looks at it."""
    if PLATE.fullmatch(str(value)):
        return ""
    return f"La matrícula {value} no tiene el formato actual (1234 BCD). La acepto; compruebe que está bien escrita."


def unmarked(_draft: Draft, _name: str, value: Any) -> str:
    """Return a part without a mark of approval."""
    none = str(value).casefold().strip(" .«»\"'") in ("no tiene", "no lleva", "no la lleva", "ninguna", "sin homologar")
    return "Sin contraseña de homologación la pieza puede necesitar ensayos; el técnico se lo dirá." if none else ""


def close_together(draft: Draft, _name: str, value: Any) -> str:
    """Direction indicators that stand nearer to each other than they may."""
    least = REAR if answer(draft, "intermitentes_posicion") == "traseros" else FRONT
    return (
        f"Una separación de menos de {least} mm no suele admitirse (Reglamento CEPE/ONU 53)." if value < least else ""
    )


def not_equivalent(_draft: Draft, _name: str, value: Any) -> str:
    """Tyres of another size than the papers allow."""
    return (
        ""
        if value
        else "Una medida no equivalente necesita un informe de conformidad del fabricante o de un laboratorio."
    )


def at_the_side(_draft: Draft, _name: str, value: Any) -> str:
    """Return a plate beside the wheel."""
    return (
        "Una matrícula lateral no se admite en muchas motocicletas; el técnico lo comprobará."
        if value == "lateral"
        else ""
    )


def without_light(_draft: Draft, _name: str, value: Any) -> str:
    """Return a plate without light."""
    return "" if value else "La matrícula necesita su propia luz para pasar la inspección."


WARNINGS: Mapping[str, Checker] = {
    "matricula": old_plate,
    "escape_homologacion": unmarked,
    "espejos_homologacion": unmarked,
    "intermitentes_homologacion": unmarked,
    "faro_homologacion": unmarked,
    "intermitentes_separacion": close_together,
    "ruedas_equivalente": not_equivalent,
    "portamatriculas_situacion": at_the_side,
    "portamatriculas_luz": without_light,
}
"""What is taken and remarked upon, by field."""


def warnings(draft: Draft) -> tuple[str, ...]:
    """Everything that was remarked upon, each sentence once."""
    said = (WARNINGS[name](draft, name, value.data) for name, value in draft.values.items() if name in WARNINGS)
    return tuple(dict.fromkeys(filter(None, said)))
