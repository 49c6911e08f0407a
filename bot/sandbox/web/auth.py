"""auth.*, apps.* and team.*: who the app is and where it is installed."""

from bot.sandbox import shapes
from bot.sandbox.params import Params
from bot.sandbox.slack import Slack
from bot.sandbox.web.types import Method
from bot.sandbox.workspace import Json


def test(slack: Slack, _: Params) -> Json:
    """auth.test."""
    team, bot = slack.workspace.team, slack.workspace.bot
    return {
        "ok": True,
        "url": f"{slack.url}/",
        "team": team.name,
        "user": bot.name.lower(),
        "team_id": team.id,
        "user_id": bot.user_id,
        "bot_id": bot.bot_id,
        "app_id": bot.app_id,
        "app_name": bot.name,
        "is_enterprise_install": False,
    }


def team_info(slack: Slack, _: Params) -> Json:
    """team.info."""
    team = slack.workspace.team
    icon = {f"image_{size}": shapes.PICTURE for size in (34, 44, 68, 88, 102, 132, 230)}
    described = {
        "id": team.id,
        "name": team.name,
        "url": f"{slack.url}/",
        "domain": team.domain,
        "email_domain": "northmoor.example",
        "icon": {**icon, "image_default": True},
        "is_verified": False,
        "avatar_base_url": "https://northmoor.example/",
    }
    return {"ok": True, "team": described}


METHODS: dict[str, Method] = {"auth.test": test, "team.info": team_info}
