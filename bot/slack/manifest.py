"""Slack's manifest of this installation: what is always so, the slash commands of the forms that are loaded, and the installation's own."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import tomli

from blocks.phrases import Phrasebook
from state.form import Form
from state.language import LANGUAGES

if TYPE_CHECKING:
    from state.engine.events import Act  # a check of forms reads the names alone, and needs no engine


ALL = "/holdfast"
"""The command that serves every form."""
COMMANDS: "Mapping[str, tuple[Act, str]]" = {
    **{
        command: (cast("Act", act), code)
        for code, language in LANGUAGES.items()
        for act, command in language.commands.slash.items()
    },
    "/start": ("begin", ""),
}
"""Command to its act and language. Slack keeps /help for itself. A form that has one of these for its own command takes it."""


FILE = "manifest.yml"
LISTED = re.compile(r"^\s*-?\s*[\"']?command[\"']?:\s*[\"']?(/[a-z0-9_-]+)", re.MULTILINE)
LEAVING = ("app_uninstalled", "tokens_revoked")
"""Events by which a workspace says that it revoked the app's token."""
MOST = 50
"""Slash commands that Slack takes from one app (https://docs.slack.dev/reference/app-manifest)."""


def bot_scopes() -> tuple[str, ...]:
    """Return what the bot asks a workspace for."""
    return tuple(_base()["oauth_config"]["scopes"]["bot"])


def _base() -> dict[str, Any]:
    return tomli.loads(Path(__file__).with_name("manifest.toml").read_text("utf-8"))


def manifest_of(forms: Iterable[Form]) -> dict[str, Any]:
    """Return the whole manifest as plain data, in the order in which it is written."""
    from blocks.messages import suggested_prompts  # noqa: PLC0415  a check looks at the commands alone, and needs no cards

    base, forms = _base(), tuple(forms)
    prompts = {"suggested_prompts": suggested_prompts(Phrasebook("en"), forms)}
    features = {**base["features"], "slash_commands": list(slash_commands(forms))}
    features["agent_view"] = features["agent_view"] | prompts
    return {name: features if name == "features" else part for name, part in base.items()}


def over_http(manifest: Mapping[str, Any], url: str) -> dict[str, Any]:
    """Return the manifest of an app that Slack reaches at this address ("https://bot.example.com"), and that workspaces install by OAuth."""
    events = f"{url.rstrip('/')}/slack/events"
    oauth, features, settings = manifest["oauth_config"], manifest["features"], manifest["settings"]
    listed = [*settings["event_subscriptions"]["bot_events"], *LEAVING]
    commands = [{**command, "url": events} for command in features["slash_commands"]]
    changed = {
        "socket_mode_enabled": False,
        "token_rotation_enabled": True,
        "event_subscriptions": {"request_url": events, "bot_events": sorted(listed)},
        "interactivity": {"is_enabled": True, "request_url": events, "message_menu_options_url": events},
    }
    return {
        **manifest,
        "features": {**features, "slash_commands": commands},
        "oauth_config": {"redirect_urls": [f"{url.rstrip('/')}/slack/oauth_redirect"], **oauth},
        "settings": {**settings, **changed},
    }


def slash_commands(forms: Iterable[Form]) -> Iterator[Mapping[str, Any]]:
    """/holdfast, then each form's own command, then the installation's own, except those that a form has taken."""
    words = Phrasebook("en")
    yield _command(ALL, words.say("command_all"), words.say("usage_all"))
    taken = [form for form in forms if form.command]
    for form in taken:
        yield _command(str(form.command), form.purpose or form.title, form.usage)
    for command, (act, language) in COMMANDS.items():
        if command not in {form.command for form in taken}:
            yield _command(command, Phrasebook(language or "en").say(f"command_{act}"))


def _command(command: str, description: str, usage: str = "") -> dict[str, Any]:
    """`should_escape`: people and channels come as ids, where words may follow."""
    hint = {"usage_hint": usage, "should_escape": True} if usage else {}
    return {"command": command, "description": description, **hint}


def as_yaml(manifest: Mapping[str, Any]) -> str:
    """Return the manifest as people paste it into Slack."""
    import yaml  # noqa: PLC0415  a check looks at the commands alone, and need not wait for it

    return str(yaml.safe_dump(manifest, sort_keys=False, allow_unicode=True, width=120))


def written(folder: Path) -> Path | None:
    """Return the manifest.yml of a folder, else that of the repository; None where there is none."""
    return next((file for file in (folder / FILE, Path(__file__).parents[2] / FILE) if file.is_file()), None)


def lacking(file: Path, forms: Iterable[Form]) -> tuple[str, ...]:
    """Commands of the forms that a manifest has not."""
    known = set(LISTED.findall(file.read_text("utf-8", "replace")))
    return tuple(form.command for form in forms if form.command and form.command not in known)
