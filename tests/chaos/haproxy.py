"""HAProxy as docs/production configures it, with a certificate and addresses of this machine."""

import asyncio
import shutil
import socket
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.patience import PATIENCE

CONFIGURATION = Path(__file__).parents[2] / "docs" / "production" / "haproxy.cfg"
HERE = "127.0.0.1"
MISSING = "HAPROXY IS LEFT OUT: it is not installed (Debian: haproxy)"


def program() -> str:
    """Return where HAProxy is; empty where it is not."""
    return shutil.which("haproxy", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin") or ""


def free_ports(count: int) -> tuple[int, ...]:
    """Return ports that nobody listens on."""
    with ExitStack() as stack:
        return tuple(stack.enter_context(socket.create_server((HERE, 0))).getsockname()[1] for _ in range(count))


def certificate(file: Path) -> None:
    """Write a certificate of this machine's own address, and its key."""
    key, name = (
        ec.generate_private_key(ec.SECP256R1()),
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "bot.test")]),
    )
    today = datetime.now(UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    pem = serialization.Encoding.PEM
    file.write_bytes(made.public_bytes(pem) + key.private_bytes(pem, *plain))


@asynccontextmanager
async def haproxy(folder: Path, replicas: Sequence[int]) -> AsyncIterator[str]:
    """Start it in front of replicas on these ports. Yields the address of Slack's events, over plain HTTP: the TLS port is `:443`'s stand-in."""
    plain, tls = free_ports(2)
    pem, file = folder / "bot.pem", folder / "haproxy.cfg"
    certificate(pem)
    text = CONFIGURATION.read_text("utf-8").replace("/run/secrets/bot.pem", str(pem))
    text = text.replace("    bind :443 ", f"    bind {HERE}:{plain}\n    bind {HERE}:{tls} ")
    for place, port in enumerate(replicas, 1):
        text = text.replace(f"bot{place}:3978", f"{HERE}:{port}")
    file.write_text(text, encoding="utf-8")
    with (folder / "haproxy.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(program(), "-db", "-f", str(file), stdout=log, stderr=log)
    try:
        async with asyncio.timeout(PATIENCE):
            await _listens(tls)
        yield f"http://{HERE}:{plain}/slack/events"
    finally:
        process.terminate()
        await process.wait()


async def _listens(port: int) -> None:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    while True:
        try:
            _, writer = await asyncio.open_connection(HERE, port, ssl=trusting)
        except OSError:
            await asyncio.sleep(0.05)
            continue
        writer.close()
        return
