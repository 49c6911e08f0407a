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
    cases: tuple[str, ...] = ()
    """Forms whose breaches and notes they judge."""
    known: bool = True
    """Whether it could be told at all; where it could not, nothing may be done or read."""

    @property
    def any(self) -> bool:
        """Whether other people's records concern them."""
        return bool(self.forms)


async def duties_of(roles: Roles, workflows: Mapping[str, Workflow], team: str, user: str, day: str) -> Duties:
    """As it stands now, on the person's day (ISO 8601)."""
    waits = {(name, post): role for name, w in workflows.items() for post, role in posts_of(w.form).items()}
    judge = {name: w.form.filing.breaches.by for name, w in workflows.items() if w.form.filing.breaches}
    every = dict.fromkeys((*waits.values(), *judge.values(), AUDITOR))
    try:
        held = [role for role in every if await _holds(roles, team, user, role, day)]
    except RolesUnknown:
        return Duties(known=False)
    posts = () if AUDITOR in held else tuple(post for post, role in waits.items() if role in held)
    forms = tuple(workflows) if AUDITOR in held else tuple(dict.fromkeys(form for form, _ in posts))
    cases = () if AUDITOR in held else tuple(name for name, role in judge.items() if role in held)
    return Duties(tuple(held), posts, forms, cases)


async def _holds(roles: Roles, team: str, user: str, role: str, day: str) -> bool:
    found = await roles.authority(team, user, role, day)
    return found.own or bool(found.deputy_of)
