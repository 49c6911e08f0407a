"""The model, where there is one."""

from bot.model.dialects import Speaking
from bot.model.protocol import Model
from bot.progress import Say, silent
from bot.settings import Settings
from bot.storage import Close

NO_KEY = "none"


def make_model(settings: Settings, say: Say = silent) -> tuple[Model | None, tuple[Close, ...]]:
    """Claude, or any server that speaks its Messages API, and how to let go of it; a server of one's own may want no key.

    None without a key or an address: the rule-based reader needs no model.
    """
    address = settings.anthropic_base_url
    key = settings.anthropic_api_key.get_secret_value() if settings.anthropic_api_key else ""
    if not (address or key):
        return None, ()
    say("Loading the model's client …")
    from bot.model.claude import API, Claude, connect  # noqa: PLC0415  a second and 40 MB, for those alone who have a model

    client = connect(key or NO_KEY, address or API)
    return Speaking(Claude(client, settings.anthropic_model)), (client.close,)
