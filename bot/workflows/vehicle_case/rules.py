"""The vehicle case's rules: prices, checks, warnings, and what a confirmed case becomes."""

from state.form.files import Files
from state.rules import Rules

from .checks import WARNINGS, checks
from .commands import commands
from .filing import filer, gatherer
from .prices import read_prices
from .quoting import final_price, quote

VERSION = "1"


def rules(files: Files) -> Rules:
    """Reads prices.toml and data/provinces.csv. Raises FormError with the lines to mend."""
    prices = read_prices(files)
    provinces = {row["code"]: row["province"] for row in files.table("data/provinces.csv", ("code", "province"))}
    return Rules(
        version=f"{VERSION}, prices {prices.version}",
        checks=checks(provinces),
        warnings=WARNINGS,
        decisions={"quote": quote(prices), "total": final_price(prices)},
        commands=commands(prices),
        gather=gatherer(prices),
        file=filer(prices),
    )
