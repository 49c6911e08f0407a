"""The loan's rules: what is refused, which products fit, and what a submission becomes."""

from collections.abc import Mapping

from state.form.files import Files
from state.rules import Rules

from .broker import read_broker
from .checks import checks
from .documents import readers
from .figures import read_figures
from .filing import decider, erased, filer, gather

VERSION = "1"
FORM, PROVINCES = "form.toml", "data/province.csv"


def rules(files: Files) -> Rules:
    """Reads broker.toml, figures.toml and data/province.csv. Raises FormError with the lines to mend."""
    broker, figures, names = read_broker(files), read_figures(files), labels(files)
    return Rules(
        version=f"{VERSION}, figures {figures.version}",
        checks=checks(broker, provinces(files)),
        readers=readers(),
        decisions={"match_products": decider(figures, names)},
        gather=gather,
        file=filer(figures, broker, names),
        erased=erased,
    )


def labels(files: Files) -> Mapping[str, str]:
    """The products' names as the form writes them."""
    fields = files.toml(FORM).data["fields"]
    return {choice["value"]: choice["label"] for choice in fields["product_interest"]["choices"]}


def provinces(files: Files) -> Mapping[str, str]:
    """Return every province by its name and by its letters, in small letters."""
    rows = files.table(PROVINCES, ("sigla", "nome"))
    return {row[column].casefold(): row["nome"] for row in rows for column in ("sigla", "nome")}
