"""How often `/chat` answers: for each token, and for each address, wrong tokens counted apart. What is remembered is bounded."""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

KEPT = 5000
"""Tokens and addresses that are remembered."""


@dataclass(frozen=True)
class Rate:
    """So many at once, and so many a minute."""

    burst: int
    a_minute: int


TOKEN, ADDRESS, WRONG = Rate(60, 120), Rate(600, 1200), Rate(20, 20)
"""Of a caller; of an address, behind which many callers may be; of tokens that are wrong, from one address."""


class Limits:
    """Buckets that fill up with time. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._full_at: OrderedDict[tuple[str, str], float] = OrderedDict()

    def address(self, address: str) -> float:
        """Count a request of an address. Gives the seconds after which to come again; 0 where it is within its rate."""
        return self._take("address", _network(address), ADDRESS)

    def token(self, digest: str) -> float:
        """Count a request of a caller by the hash of the token."""
        return self._take("token", digest, TOKEN)

    def wrong(self, address: str) -> float:
        """Count a wrong token from an address."""
        return self._take("wrong", _network(address), WRONG)

    def _take(self, kind: str, name: str, rate: Rate) -> float:
        """A bucket is kept as the time at which it will be full again; what is refused costs nothing."""
        now, each = self._clock(), 60.0 / rate.a_minute
        full_at = max(now, self._full_at.pop((kind, name), now))
        wait = full_at + each - (now + rate.burst * each)
        self._full_at[kind, name] = full_at if wait > 0 else full_at + each
        while len(self._full_at) > KEPT:
            self._full_at.popitem(last=False)
        return max(0.0, wait)


def _network(address: str) -> str:
    """An address; of the newer kind the part that one customer has."""
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    return str(ipaddress.ip_network(f"{known}/64", strict=False)) if known.version == 6 else str(known)  # noqa: PLR2004
