"""The confirmation gate, and who may do what. Pure functions of operation, identity and row."""

from state.draft.operations import Identity
from state.form.schema import Operation


def needs_confirmation(operation: Operation, *, inferred: bool, several: bool, warned: bool) -> bool:
    """Whether the operation waits for a click: always, never, or when something was not said in so many words."""
    if operation.confirm == "inferred":
        return inferred or several or warned
    return operation.confirm == "always"


def may_call(identity: Identity, operation: Operation) -> bool:
    """Whether one of the person's roles allows the operation; one that names no roles is everybody's."""
    return not operation.roles or bool(identity.roles & set(operation.roles))


def may_touch(identity: Identity, tenant: str, owner: str) -> bool:
    """Whether a row is within the person's reach: their own, or any of their tenant's for those who see it whole."""
    return tenant == identity.tenant and (owner == identity.user or identity.wide)
