"""HTTP mode: signed requests to the app's own address, as Slack sends them to a Request URL."""

import hashlib
import hmac
import json
import time
from dataclasses import dataclass
from urllib.parse import urlencode

import aiohttp

from bot.sandbox.clock import new_id
from bot.sandbox.delivery import Ack, Envelope, Missed
from bot.sandbox.errors import ActError
from bot.sandbox.slack import Credentials
from bot.sandbox.workspace import Json

CHALLENGE_LENGTH = 40
OK = 200
MULTIPLE_CHOICES = 300


@dataclass(frozen=True)
class Answer:
    """What an app answered to a request."""

    status: int
    text: str


@dataclass
class HttpTarget:
    """One Request URL; `timeout` is the seconds that an app has to answer."""

    url: str
    credentials: Credentials
    timeout: float

    @property
    def ready(self) -> bool:
        """An address is always worth a try."""
        return True

    async def send(self, envelope: Envelope) -> Ack | Missed:
        """Deliver once; an answer of 2xx is the ack, and its body the ack's payload."""
        content_type, body = _body(envelope)
        headers = _retry_headers(envelope) if envelope.type == "events_api" else {}
        answer = await self._post(body, {"Content-Type": content_type, **headers})
        if isinstance(answer, Missed):
            return answer
        return Ack(_payload(answer.text)) if OK <= answer.status < MULTIPLE_CHOICES else Missed("http_error")

    async def verify(self) -> None:
        """Make the `url_verification` handshake.

        Raises ActError when the address does not give the challenge back.
        """
        challenge = new_id("", CHALLENGE_LENGTH)
        handshake = {"token": self.credentials.verification_token, "challenge": challenge, "type": "url_verification"}
        answer = await self._post(json.dumps(handshake), {"Content-Type": "application/json"})
        if isinstance(answer, Missed) or answer.status != OK or challenge not in answer.text:
            raise ActError("The address did not give the challenge back.")

    async def _post(self, body: str, headers: dict[str, str]) -> Answer | Missed:
        timeout = aiohttp.ClientTimeout(total=self.timeout)
        signed = {**headers, **signature(self.credentials.signing_secret, body)}
        try:
            async with (
                aiohttp.ClientSession(timeout=timeout) as session,
                session.post(self.url, data=body.encode(), headers=signed) as response,
            ):
                return Answer(response.status, await response.text())
        except TimeoutError:
            return Missed("http_timeout")
        except aiohttp.ClientError:
            return Missed("connection_failed")


def signature(secret: str, body: str) -> dict[str, str]:
    """Slack's signature headers for a request body, version v0, on the machine's clock as verifiers read it."""
    timestamp = str(int(time.time()))
    digest = hmac.new(secret.encode(), f"v0:{timestamp}:{body}".encode(), hashlib.sha256).hexdigest()
    return {"X-Slack-Request-Timestamp": timestamp, "X-Slack-Signature": f"v0={digest}"}


def _body(envelope: Envelope) -> tuple[str, str]:
    if envelope.type == "events_api":
        return "application/json", json.dumps(envelope.payload)
    if envelope.type == "slash_commands":
        return "application/x-www-form-urlencoded", urlencode(envelope.payload)
    return "application/x-www-form-urlencoded", urlencode({"payload": json.dumps(envelope.payload)})


def _retry_headers(envelope: Envelope) -> dict[str, str]:
    if not envelope.attempt:
        return {}
    return {"X-Slack-Retry-Num": str(envelope.attempt), "X-Slack-Retry-Reason": envelope.missed}


def _payload(text: str) -> Json | None:
    if not text:
        return None
    try:
        parsed = json.loads(text)
    except ValueError:
        return {"text": text}
    return parsed if isinstance(parsed, dict) else {"text": text}
