"""Downloads of what people sent. The bot's token goes to Slack alone: to its own hosts, or to the one of SLACK_API_URL."""

from dataclasses import dataclass, replace
from urllib.parse import urljoin, urlsplit

import aiohttp
import structlog
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from bot.slack.client import ClientFor
from bot.slack.errors import Scope, code_of, fault_of
from state.draft.documents import Problem, Sent

log = structlog.get_logger("holdfast.documents")

MOST = 20 * 1024 * 1024
"""Bytes of one file."""
LIMIT = aiohttp.ClientTimeout(total=60, sock_connect=10, sock_read=20)
HOSTS = ("slack.com", "slack-files.com", "slack-gov.com")
"""Slack's own, with everything below them (https://docs.slack.dev/reference/objects/file-object)."""
HOPS, CHUNK = 3, 64 * 1024
LONGEST_NAME = 120
ASK_FIRST = "check_file_info"
"""`file_access` of a file from another organisation: its address has to be asked for."""
REDIRECTS, GONE, FORBIDDEN = frozenset({301, 302, 303, 307, 308}), frozenset({404, 410}), frozenset({401, 403})


@dataclass(frozen=True)
class Fetched:
    """A file's content, or why there is none."""

    content: bytes = b""
    problem: Problem = ""


class TryAgain(Exception):
    """Slack did not give the file this time."""


class Fetcher:
    """Downloads files for a team with its client's token."""

    def __init__(self, client_for: ClientFor, most: int = MOST) -> None:
        self._client_for, self._most = client_for, most

    async def fetch(self, team: str, sent: Sent) -> Fetched:
        """Return the whole file, or why not. Raises TryAgain where another try may mend it."""
        client = await self._client_for(team)
        try:
            file = await _known(client, sent)
            if file.external or file.access == "access_denied":
                return Fetched(problem="external")
            if file.size > self._most:
                return Fetched(problem="large")
            if not file.url:
                return Fetched(problem="gone")
            async with aiohttp.ClientSession(timeout=LIMIT) as session:
                return await self._download(session, client, file)
        except (TimeoutError, aiohttp.ClientError) as problem:
            raise TryAgain(type(problem).__name__) from None

    async def _download(self, session: aiohttp.ClientSession, client: AsyncWebClient, file: Sent) -> Fetched:
        address = file.url
        for _ in range(HOPS):
            if not may_have_token(address, client.base_url):
                log.warning("file_elsewhere", file=file.id)
                return Fetched(problem="external")
            token = {"Authorization": f"Bearer {client.token}"}
            async with session.get(address, headers=token, allow_redirects=False) as answer:
                if answer.status not in REDIRECTS:
                    return await self._read(answer, file)
                address = urljoin(address, answer.headers.get("Location", ""))
        return _no_scope(file)

    async def _read(self, answer: aiohttp.ClientResponse, file: Sent) -> Fetched:
        if answer.status in GONE:
            return Fetched(problem="gone")
        is_page = answer.content_type == "text/html" and file.mimetype != "text/html"
        if answer.status in FORBIDDEN or is_page:
            return _no_scope(file)
        answer.raise_for_status()
        content = bytearray()
        async for chunk in answer.content.iter_chunked(CHUNK):
            content += chunk
            if len(content) > self._most:
                return Fetched(problem="large")
        return Fetched(bytes(content)) if content else Fetched(problem="empty")


def may_have_token(address: str, base_url: str) -> bool:
    """Return True if an address is Slack's: one of its hosts over HTTPS, or exactly where the Web API is."""
    there, api = urlsplit(address), urlsplit(base_url)
    host = (there.hostname or "").lower()
    ours = any(host == own or host.endswith(f".{own}") for own in HOSTS)
    same = (there.scheme, host, there.port) == (api.scheme, (api.hostname or "").lower(), api.port)
    return same or (ours and there.scheme == "https" and there.port in (None, 443) and there.username is None)


async def _known(client: AsyncWebClient, sent: Sent) -> Sent:
    """Return the file with its address, asked for where the event left it out."""
    if sent.access != ASK_FIRST and (sent.url or sent.external):
        return sent
    try:
        found = (await client.files_info(file=sent.id))["file"]
    except SlackApiError as problem:
        fault = fault_of(problem)
        if fault and fault.scope is Scope.OUTAGE:
            raise TryAgain(fault.code) from None
        log.warning("file_unknown", error=code_of(problem))
        return replace(sent, url="", access="")
    return sent_of(found) if isinstance(found, dict) else sent


def sent_of(file: dict[str, object]) -> Sent:
    """Slack's file object as the bot keeps it."""
    size = file.get("size")
    return Sent(
        str(file.get("id") or ""),
        _plain(str(file.get("name") or file.get("title") or ""))[:LONGEST_NAME],
        str(file.get("mimetype") or ""),
        size if isinstance(size, int) else 0,
        str(file.get("url_private_download") or file.get("url_private") or ""),
        str(file.get("file_access") or ""),
        bool(file.get("is_external")),
    )


def _plain(name: str) -> str:
    """Return a name on one line, without what nobody sees: marks that turn its direction could hide what it ends in."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())


def _no_scope(file: Sent) -> Fetched:
    """Slack shows its login page, or forbids, where the app was installed without `files:read`."""
    log.error("file_needs_scope", scope="files:read", file=file.id)
    return Fetched(problem="away")
