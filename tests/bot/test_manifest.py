"""manifest.yml against Slack's schema, and events, scopes and commands against the code."""

import ast
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from bot.root.installation import load_workflows
from bot.settings import load
from bot.slack.manifest import COMMANDS, as_yaml, manifest_of, over_http

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT.parent / "shared" / "data" / "slack" / "manifest.schema.2.0.0.json"
SCOPES_OF_EVENTS = {
    "app_home_opened": set(),
    "app_mention": {"app_mentions:read"},
    "channel_unarchive": {"channels:read"},
    "group_unarchive": {"groups:read"},
    "member_joined_channel": {"channels:read", "groups:read"},
    "message.channels": {"channels:history"},
    "message.groups": {"groups:history"},
    "message.im": {"im:history"},
}
"""Scopes that an event needs (https://docs.slack.dev/reference/events)."""
SCOPES_OF_METHODS = {
    "assistant_threads_setStatus": {"assistant:write"},
    "assistant_threads_setSuggestedPrompts": {"assistant:write"},
    "auth_test": set(),
    "chat_postEphemeral": {"chat:write"},
    "chat_postMessage": {"chat:write"},
    "chat_update": {"chat:write"},
    "chat_delete": {"chat:write"},
    "conversations_history": {"channels:history", "groups:history", "im:history"},
    "conversations_open": {"im:write"},
    "conversations_replies": {"channels:history", "groups:history", "im:history"},
    "files_info": {"files:read"},
    "files_upload_v2": {"files:write"},
    "usergroups_users_list": {"usergroups:read"},
    "users_info": {"users:read"},
    "views_open": set(),
    "views_publish": set(),
    "views_push": set(),
    "views_update": set(),
}
"""Scopes that a method needs (https://docs.slack.dev/reference/methods)."""


@pytest.fixture
def manifest() -> dict[str, Any]:
    """The manifest as people paste it."""
    return dict(yaml.safe_load((ROOT / "manifest.yml").read_text("utf-8")))


def calls_of_the_web_api() -> set[str]:
    """Web API methods that the bot's own code calls."""
    files = [f for f in (ROOT / "bot").rglob("*.py") if "sandbox" not in f.parts and "workflows" not in f.parts]
    nodes = (n for f in files for n in ast.walk(ast.parse(f.read_text("utf-8"))) if isinstance(n, ast.Attribute))
    families = (
        "chat_",
        "views_",
        "conversations_",
        "assistant_threads_",
        "auth_",
        "files_",
        "users_",
        "usergroups_",
        "reactions_",
    )
    return {n.attr for n in nodes if n.attr.startswith(families)} - {"auth_token"}


def test_the_manifest_fits_slacks_schema(manifest: dict[str, Any]) -> None:
    """Slack's own JSON schema of a manifest has nothing to say against ours."""
    if not SCHEMA.exists():
        pytest.skip(f"LEFT OUT: Slack's manifest schema is not at {SCHEMA.name}")
    jsonschema.Draft7Validator(json.loads(SCHEMA.read_text("utf-8"))).validate(manifest)


def test_scopes_are_what_events_and_calls_need_and_no_more(manifest: dict[str, Any]) -> None:
    """The bot asks for the scopes of its events, calls and commands, and for no other."""
    events = set(manifest["settings"]["event_subscriptions"]["bot_events"])
    calls = calls_of_the_web_api()
    assert events <= set(SCOPES_OF_EVENTS) and calls <= set(SCOPES_OF_METHODS), calls - set(SCOPES_OF_METHODS)
    needed = set[str]().union(
        *(SCOPES_OF_EVENTS[e] for e in events), *(SCOPES_OF_METHODS[c] for c in calls), {"commands"}
    )
    assert set(manifest["oauth_config"]["scopes"]["bot"]) == needed


def test_commands_are_those_of_the_forms(manifest: dict[str, Any]) -> None:
    """Every shipped form's command is declared, /holdfast for all of them, and the installation's own."""
    declared = {c["command"] for c in manifest["features"]["slash_commands"]}
    forms = {
        w.form.command for w in load_workflows(load(_env_file=None, holdfast_workflows="")).values() if w.form.command
    }
    assert declared == forms | {"/holdfast"} | set(COMMANDS)


def test_the_manifest_is_what_the_command_writes() -> None:
    """The repository's manifest.yml is the output of `holdfast manifest` for the shipped forms."""
    forms = [w.form for w in load_workflows(load(_env_file=None, holdfast_workflows="")).values()]
    assert (ROOT / "manifest.yml").read_text("utf-8") == as_yaml(manifest_of(forms))


def test_over_http_slack_is_told_where_the_bot_is() -> None:
    """With an address everything goes there: events, clicks, options, commands and installations; workspaces may leave, and tokens end."""
    forms = [w.form for w in load_workflows(load(_env_file=None, holdfast_workflows="")).values()]
    made = over_http(manifest_of(forms), "https://bot.example.com/")
    if SCHEMA.exists():
        jsonschema.Draft7Validator(json.loads(SCHEMA.read_text("utf-8"))).validate(made)
    there = "https://bot.example.com/slack/events"
    assert {command["url"] for command in made["features"]["slash_commands"]} == {there}
    assert made["settings"]["interactivity"]["message_menu_options_url"] == there
    assert made["oauth_config"]["redirect_urls"] == ["https://bot.example.com/slack/oauth_redirect"]
    assert {"app_uninstalled", "tokens_revoked"} < set(made["settings"]["event_subscriptions"]["bot_events"])
    assert not made["settings"]["socket_mode_enabled"] and made["settings"]["token_rotation_enabled"]


def test_slacks_cli_gets_the_manifest_as_json(manifest: dict[str, Any]) -> None:
    """The hook that Slack's CLI calls prints the same manifest as JSON."""
    printed = subprocess.run([sys.executable, ".slack/manifest.py"], cwd=ROOT, capture_output=True, check=True)
    assert json.loads(printed.stdout) == manifest
