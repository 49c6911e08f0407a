"""What somebody may do with other people's records: the states that they decide on, and the forms whose records they read."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.desk.standing import posts_of
from bot.roles import AUDITOR, Roles, RolesUnknown
from state.stores.index import Post
from state.workflow.load import Workflow


@dataclass(frozen=True)
class Duties:
    """`roles` are those held now, oneself or as somebody's deputy; `posts` what they decide on; `forms` whose records they read."""

    roles: tuple[str, ...] = ()
    posts: tuple[Post, ...] = ()
    forms: tuple[str, ...] = ()
    known: bool = True
    """Whether it could be told at all; where it could not, nothing may be done or read."""

    @property
    def any(self) -> bool:
        """Whether other people's records concern them."""
        return bool(self.forms)


async def duties_of(roles: Roles, workflows: Mapping[str, Workflow], team: str, user: str, day: str) -> Duties:
    """As it stands now, on the person's day (ISO 8601)."""
    waits = {(name, post): role for name, w in workflows.items() for post, role in posts_of(w.form).items()}
    try:
        held = [
            role for role in dict.fromkeys((*waits.values(), AUDITOR)) if await _holds(roles, team, user, role, day)
        ]
    except RolesUnknown:
        return Duties(known=False)
    posts = () if AUDITOR in held else tuple(post for post, role in waits.items() if role in held)
    forms = tuple(workflows) if AUDITOR in held else tuple(dict.fromkeys(form for form, _ in posts))
    return Duties(tuple(held), posts, forms)


async def _holds(roles: Roles, team: str, user: str, role: str, day: str) -> bool:
    found = await roles.authority(team, user, role, day)
    return found.own or bool(found.deputy_of)
