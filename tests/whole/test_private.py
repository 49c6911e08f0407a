"""Nothing that people say and no secret gets into a log."""

from pathlib import Path

from bot.sandbox.models.answers import text
from bot.sandbox.models.playback import MessagesServer
from bot.sandbox.server import Sandbox
from tests.patience import PATIENCE
from tests.process import process

CANARY = "canary-7f3a-heard-at-dinner"


async def test_logs_hold_no_words_of_people_and_no_secret(tmp_path: Path) -> None:
    """What was said, names, tokens and keys are in none of the lines that a process writes."""
    sandbox, model = Sandbox(), MessagesServer(lambda _: text("Thank you."))
    await sandbox.start()
    await model.start()
    log = tmp_path / "log"
    try:
        async with process(sandbox, model, tmp_path / "var", log):
            alex = sandbox.person("U0ALEX")
            sandbox.knobs.fail["chat.postMessage"] = ["internal_error"]
            await alex.say(f"buy 200 Tesco because {CANARY} made me want to")
            await sandbox.until(lambda: [m for m in alex.messages() if m.get("bot_id")], timeout=PATIENCE)
    finally:
        await model.stop()
        await sandbox.stop()
    written = log.read_text("utf-8")
    key = (tmp_path / "var" / "holdfast.key").read_text("utf-8").strip()
    assert '"turn"' in written and "row_failed" in written
    for secret in (CANARY, "Tesco", "Alex Reed", sandbox.bot_token, sandbox.app_token, "sk-test", key):
        assert secret not in written, secret
