"""Settings: what the environment may say, and what is said about what it may not."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.settings import Wrong, load, strangers
from tests.world import settings

WRONG = {
    "a bot token of another kind": ({"slack_bot_token": "secret-12345", "slack_app_token": "xapp-1"}, "SLACK_BOT_TOKEN"),
    "an app token of another kind": ({"slack_bot_token": "xoxb-1", "slack_app_token": "secret-12345"}, "SLACK_APP_TOKEN"),
    "a bot token alone": ({"slack_bot_token": "xoxb-secret-12345"}, "SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET"),
    "an app token alone": ({"slack_app_token": "xapp-secret-12345"}, "needs SLACK_BOT_TOKEN"),
    "an address without a scheme": ({"slack_api_url": "slack.example"}, "SLACK_API_URL must start with http"),
    "a port that is none": ({"holdfast_port": 70000}, "HOLDFAST_PORT"),
    "a secret of blanks": ({"anthropic_api_key": "  "}, "ANTHROPIC_API_KEY is blank: give it a value"),
    "quotation marks around nothing": ({"holdfast_key": '""'}, "HOLDFAST_KEY is blank"),
    "an unknown dialect": ({"anthropic_dialect": "morse"}, "ANTHROPIC_DIALECT"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_a_sentence_without_the_secret(name: str, tmp_path: Path) -> None:
    """A wrong setting is named in a sentence; its value, which may be a secret, is never repeated."""
    values, wanted = WRONG[name]
    with pytest.raises(Wrong) as caught:
        settings(tmp_path, **values)
    told = " ".join(caught.value.problems)
    assert wanted in told
    assert "secret-12345" not in told and "secret-12345" not in repr(caught.value)


def test_quotation_marks_around_a_value_are_no_part_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Containers and unit files leave them there: a secret with them would be refused by Slack, or open nothing."""
    monkeypatch.setenv("HOLDFAST_CHANNEL_LOAN", " 'C0456' ")
    monkeypatch.setenv("SLACK_CLIENT_ID", '"1.2"')
    made = load(_env_file=None, slack_signing_secret='"8f7"\n', slack_client_secret="'s'")
    assert made.slack_signing_secret and made.slack_signing_secret.get_secret_value() == "8f7"
    assert (made.slack_client_id, made.channels) == ("1.2", {"loan": "C0456"})


def test_secrets_print_as_stars(tmp_path: Path) -> None:
    """Settings that are printed or logged show no secret."""
    made = settings(
        tmp_path, slack_bot_token="xoxb-very-secret", slack_app_token="xapp-very-secret", holdfast_key="very-secret"
    )
    assert "very-secret" not in repr(made) and "very-secret" not in str(made.model_dump())


def test_channels_come_from_settings_by_workflow(monkeypatch: pytest.MonkeyPatch) -> None:
    """HOLDFAST_CHANNEL_<WORKFLOW> names the channel of one workflow's records."""
    monkeypatch.setenv("HOLDFAST_CHANNEL_PA_DEALING", "C0123")
    assert load(_env_file=None).channels == {"pa_dealing": "C0123"}


def test_credentials_of_a_service_count_before_a_dotenv_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that systemd's LoadCredential= or a container's secret gives as holdfast.env counts, channels too; the environment counts first."""
    (tmp_path / "holdfast.env").write_text(
        'HOLDFAST_KEY="of the credentials"\nHOLDFAST_DAILY_TOKENS=7\nHOLDFAST_CHANNEL_LOAN=C0456\nHOLDFAST_PROT=1\n'
    )
    (tmp_path / ".env").write_text("HOLDFAST_DAILY_TOKENS=8\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("HOLDFAST_LOG", "warning")
    made = load()
    assert made.holdfast_key and made.holdfast_key.get_secret_value() == "of the credentials"
    assert (made.holdfast_daily_tokens, made.channels, made.holdfast_log) == (7, {"loan": "C0456"}, "warning")
    assert strangers() == ("HOLDFAST_PROT",)


def test_a_web_api_address_always_ends_in_a_slash(tmp_path: Path) -> None:
    """The SDK joins a method's name to it as it stands."""
    assert settings(tmp_path, slack_api_url="http://127.0.0.1:1/api").slack_api_url == "http://127.0.0.1:1/api/"


@given(st.lists(st.text("abcxyz", min_size=1, max_size=8), max_size=4), st.sampled_from([":", ",", ", "]))
def test_folders_of_workflows_are_parted_by_colons_or_commas(names: list[str], mark: str) -> None:
    """Any number of folders may be named, in either way of parting them."""
    assert [str(p) for p in settings(Path("var"), holdfast_workflows=mark.join(names)).workflow_folders] == names


def test_forms_of_ones_own_need_no_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder `workflows` is taken where it is there, and is no mistake where it is not, beside other folders too."""
    monkeypatch.chdir(tmp_path)
    found = [settings(tmp_path, holdfast_workflows=f).workflow_folders for f in ("workflows", "workflows,other")]
    assert found == [(), (Path("other"),)]
    (tmp_path / "workflows").mkdir()
    assert settings(tmp_path, holdfast_workflows="workflows").workflow_folders == (Path("workflows"),)
