"""What the form's own rules refuse, and what they only warn of. Each gives the sentence that a person reads, or the empty string."""

import re
from collections.abc import Mapping
from typing import Any

from state.draft.draft import Draft
from state.rules import Checker, answer

PLATE = re.compile(r"[0-9]{4}[BCDFGHJKLMNPRSTVWXYZ]{3}")
"""The plates of today (RD 2822/1998, annex XVIII)."""
NATIONAL = 9
"""Digits of a Spanish telephone number."""
FRONT, REAR = 240, 180
"""Millimetres that the inner edges of a motorcycle's direction indicators must be apart (UNECE regulation 53, 6.3.3)."""
UNMARKED = frozenset({"no tiene", "no lleva", "no la lleva", "ninguna", "sin homologar"})
"""Answers to the question for a part's mark of approval that say that it has none."""


def checks(provinces: Mapping[str, str]) -> Mapping[str, Checker]:
    """Return the refusals, by field. `provinces`: the first two digits of a postal code to its province."""

    def apart(code: str | None, province: str | None) -> str:
        theirs = provinces.get(code[:2]) if code else None
        if code is None or province is None or theirs == province:
            return ""
        return f"El código postal {code} es de {theirs}, no de {province}. Corrija uno de los dos."

    return {
        "telefono": _phone,
        "taller_telefono": _phone,
        "anio": _year,
        "codigo_postal": lambda draft, _name, value: apart(str(value), answer(draft, "provincia")),
        "provincia": lambda draft, _name, value: apart(answer(draft, "codigo_postal"), str(value)),
    }


def _phone(_draft: Draft, _name: str, value: Any) -> str:
    return "" if len(str(value).lstrip("+")) >= NATIONAL else "Necesito un teléfono de al menos nueve cifras."


def _year(draft: Draft, _name: str, value: Any) -> str:
    now = int(draft.began[:4])
    return "" if int(value) <= now else f"El año no puede ser posterior a {now}."


def _old_plate(_draft: Draft, _name: str, value: Any) -> str:
    """Warn of an older or special plate, which is taken, and which somebody looks at."""
    if PLATE.fullmatch(str(value)):
        return ""
    return f"La matrícula {value} no tiene el formato actual (1234 BCD). La acepto; compruebe que está bien escrita."


def _unmarked(_draft: Draft, _name: str, value: Any) -> str:
    none = str(value).casefold().strip(" .«»\"'") in UNMARKED
    return "Sin contraseña de homologación la pieza puede necesitar ensayos; el técnico se lo dirá." if none else ""


def _close_together(draft: Draft, _name: str, value: Any) -> str:
    least = REAR if answer(draft, "intermitentes_posicion") == "traseros" else FRONT
    told = f"Una separación de menos de {least} mm no suele admitirse (Reglamento CEPE/ONU 53)."
    return told if value < least else ""


def _if_answered(wanted: object, told: str) -> Checker:
    """Return a check that warns where this is the answer."""
    return lambda _draft, _name, value: told if value == wanted else ""


WARNINGS: Mapping[str, Checker] = {
    "matricula": _old_plate,
    "escape_homologacion": _unmarked,
    "espejos_homologacion": _unmarked,
    "intermitentes_homologacion": _unmarked,
    "faro_homologacion": _unmarked,
    "enganche_homologacion": _unmarked,
    "intermitentes_separacion": _close_together,
    "ruedas_equivalente": _if_answered(
        False, "Una medida no equivalente necesita un informe de conformidad del fabricante o de un laboratorio."
    ),
    "portamatriculas_situacion": _if_answered(
        "lateral", "Una matrícula lateral no se admite en muchas motocicletas; el técnico lo comprobará."
    ),
    "no_listado_que_es": lambda *_: "Un elemento no está en la lista: lo valora un técnico y su precio es a consultar.",
    "portamatriculas_luz": _if_answered(False, "La matrícula necesita su propia luz para pasar la inspección."),
}
"""What is taken and remarked upon, by field."""


def warnings(draft: Draft) -> tuple[str, ...]:
    """Return everything that was remarked upon, each sentence once."""
    said = (WARNINGS[name](draft, name, value.data) for name, value in draft.values.items() if name in WARNINGS)
    return tuple(dict.fromkeys(filter(None, said)))
