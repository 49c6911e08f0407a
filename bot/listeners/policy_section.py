"""The lists that somebody keeps, as a section of their App Home."""

from blocks.elements import Block
from blocks.policy import build_section
from bot.listeners.intake import Intake
from bot.uploads import Officer


async def policy_section(intake: Intake, team: str, user: str) -> list[Block]:
    """The section of the App Home for whoever keeps lists; nothing for anybody else."""
    if intake.uploads is None:
        return []
    lists = await intake.uploads.kept_by(await officer_of(intake, team, user))
    return build_section(await intake.words_for(team, user), lists) if lists else []


async def officer_of(intake: Intake, team: str, user: str) -> Officer:
    """Somebody with their time zone, by which days begin for them."""
    return Officer(team, user, await intake.people.zone(team, user))
