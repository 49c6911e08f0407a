"""Numbers in words as each language spells them, made from its grammar: what a person would write for 1 to 9,999,999."""

from collections.abc import Callable, Mapping

ENGLISH = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
ENGLISH_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ITALIAN = [
    "zero",
    "uno",
    "due",
    "tre",
    "quattro",
    "cinque",
    "sei",
    "sette",
    "otto",
    "nove",
    "dieci",
    "undici",
    "dodici",
    "tredici",
    "quattordici",
    "quindici",
    "sedici",
    "diciassette",
    "diciotto",
    "diciannove",
]
ITALIAN_TENS = ["venti", "trenta", "quaranta", "cinquanta", "sessanta", "settanta", "ottanta", "novanta"]
SPANISH = [
    "cero",
    "uno",
    "dos",
    "tres",
    "cuatro",
    "cinco",
    "seis",
    "siete",
    "ocho",
    "nueve",
    "diez",
    "once",
    "doce",
    "trece",
    "catorce",
    "quince",
    "dieciséis",
    "diecisiete",
    "dieciocho",
    "diecinueve",
    "veinte",
    "veintiuno",
    "veintidós",
    "veintitrés",
    "veinticuatro",
    "veinticinco",
    "veintiséis",
    "veintisiete",
    "veintiocho",
    "veintinueve",
]
SPANISH_TENS = ["treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"]
SPANISH_HUNDREDS = [
    "ciento",
    "doscientos",
    "trescientos",
    "cuatrocientos",
    "quinientos",
    "seiscientos",
    "setecientos",
    "ochocientos",
    "novecientos",
]
GERMAN = [
    "null",
    "ein",
    "zwei",
    "drei",
    "vier",
    "fünf",
    "sechs",
    "sieben",
    "acht",
    "neun",
    "zehn",
    "elf",
    "zwölf",
    "dreizehn",
    "vierzehn",
    "fünfzehn",
    "sechzehn",
    "siebzehn",
    "achtzehn",
    "neunzehn",
]
GERMAN_TENS = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]


def english(n: int) -> str:
    """ "two thousand and six"."""
    if n < 20:
        return ENGLISH[n]
    if n < 100:
        return ENGLISH_TENS[n // 10 - 2] + (f"-{ENGLISH[n % 10]}" if n % 10 else "")
    if n < 1000:
        return f"{ENGLISH[n // 100]} hundred" + (f" and {english(n % 100)}" if n % 100 else "")
    scale, name = (10**6, "million") if n >= 10**6 else (1000, "thousand")
    rest = n % scale
    joined = "" if not rest else f" and {english(rest)}" if rest < 100 else f" {english(rest)}"
    return f"{english(n // scale)} {name}{joined}"


def italian(n: int) -> str:
    """ "duemilasei"."""
    if n < 20:
        return ITALIAN[n]
    if n < 100:
        tens, unit = ITALIAN_TENS[n // 10 - 2], n % 10
        return (tens[:-1] if unit in (1, 8) else tens) + (ITALIAN[unit] if unit else "")
    if n < 1000:
        hundreds = "cento" if n < 200 else f"{ITALIAN[n // 100]}cento"
        return hundreds + (italian(n % 100) if n % 100 else "")
    if n < 10**6:
        thousands = "mille" if n < 2000 else f"{italian(n // 1000)}mila"
        return thousands + (italian(n % 1000) if n % 1000 else "")
    millions = "un milione" if n < 2 * 10**6 else f"{italian(n // 10**6)} milioni"
    return millions + (f" {italian(n % 10**6)}" if n % 10**6 else "")


def spanish(n: int) -> str:
    """ "dos mil seis"."""
    if n < 30:
        return SPANISH[n]
    if n < 100:
        return SPANISH_TENS[n // 10 - 3] + (f" y {SPANISH[n % 10]}" if n % 10 else "")
    if n < 1000:
        return "cien" if n == 100 else SPANISH_HUNDREDS[n // 100 - 1] + (f" {spanish(n % 100)}" if n % 100 else "")
    if n < 10**6:
        before = (
            spanish(n // 1000).removesuffix("o")
            if n // 1000 % 10 == 1 and n // 1000 % 100 != 11
            else spanish(n // 1000)
        )
        thousands = "mil" if n < 2000 else f"{before.replace('veintiun', 'veintiún')} mil"
        return thousands + (f" {spanish(n % 1000)}" if n % 1000 else "")
    millions = "un millón" if n < 2 * 10**6 else f"{spanish(n // 10**6)} millones"
    return millions + (f" {spanish(n % 10**6)}" if n % 10**6 else "")


def german(n: int) -> str:
    """ "zweitausendsechs"."""
    if n >= 10**6:
        millions = "eine Million" if n < 2 * 10**6 else f"{german(n // 10**6)} Millionen"
        return millions + (f" {german(n % 10**6)}" if n % 10**6 else "")
    return _german(n) + ("s" if n % 100 == 1 else "")


def _german(n: int) -> str:
    if n < 20:
        return GERMAN[n]
    if n < 100:
        return (f"{GERMAN[n % 10]}und" if n % 10 else "") + GERMAN_TENS[n // 10 - 2]
    scale, name = (100, "hundert") if n < 1000 else (1000, "tausend")
    return f"{_german(n // scale)}{name}" + (_german(n % scale) if n % scale else "")


SPELLED: Mapping[str, Callable[[int], str]] = {"en": english, "it": italian, "es": spanish, "de": german}
