"""Views: modals and home tabs as a whole."""

from bot.sandbox.limits.blocks import BLOCKS, IN_VIEWS
from bot.sandbox.limits.objects import ID
from bot.sandbox.limits.schema import PLAIN, Check, flag, items, one_of, shape, string, text, typed

MOST_BLOCKS = 100
COMMON: dict[str, Check] = {
    "blocks": items(typed(BLOCKS, IN_VIEWS), most=MOST_BLOCKS),
    "private_metadata": string(3_000, least=0),
    "callback_id": string(ID, least=0),
    "external_id": string(ID, least=0),
}
MODAL = shape(
    {
        **COMMON,
        "type": one_of("modal"),
        "title": text(24, PLAIN),
        "close": text(24, PLAIN),
        "submit": text(24, PLAIN),
        "clear_on_close": flag,
        "notify_on_close": flag,
    },
    needed=("type", "title", "blocks"),
)
HOME = shape({**COMMON, "type": one_of("home")}, needed=("type", "blocks"))
VIEWS: dict[str, Check] = {"modal": MODAL, "home": HOME}
