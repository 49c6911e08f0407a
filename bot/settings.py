"""The one place that reads the environment (and `.env`). Every other module is handed what it needs."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    Field,
    PlainSerializer,
    SecretStr,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core.core_schema import CoreSchema, is_instance_schema
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict
from pydantic_settings.sources import DotEnvSettingsSource, EnvSettingsSource

OWN_FOLDER = "workflows"
"""Forms of one's own, where HOLDFAST_WORKFLOWS names no other folder; it need not be there."""
LOOPBACK, HIGHEST = "127.0.0.1", 65535
PREFIX, CHANNEL_PREFIX = "holdfast_", "holdfast_channel_"


class Wrong(Exception):
    """Something that a person at the terminal can mend; `problems` are sentences that name a setting or a file and say what to do."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


class Port(int):
    """A port, and the address on which it is listened on: this machine's own unless another is named."""

    host: str = LOOPBACK

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: Any, _handler: Any) -> CoreSchema:
        return is_instance_schema(cls)


def read_port(given: Any) -> Port:
    """Return a port ("3978"), or an address and a port ("0.0.0.0:3978", "[::]:3978"). Raises ValueError."""
    if isinstance(given, Port):
        return given
    host, _, number = str(given).strip().rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not (number.isascii() and number.isdigit() and int(number) <= HIGHEST) or (":" in str(given) and not host):
        raise ValueError("must be a port, like 3978, or an address and a port, like 0.0.0.0:3978")
    port = Port(number)
    port.host = host or LOOPBACK
    return port


def bare(given: Any) -> Any:
    """Return a value without blanks and quotation marks around it, which containers and unit files leave there. ValueError where nothing is left."""
    if not isinstance(given, str) or not given:
        return given
    text = given.strip()
    text = text[1:-1].strip() if text[:1] in ('"', "'") and text[:1] == text[-1:] else text
    if not text:
        raise ValueError("is blank: give it a value, or leave it out")
    return text


UNREAD = "The file of settings (.env, or the credentials' holdfast.env) cannot be read. Save it as UTF-8, and let Holdfast read it."
TOKENS = {
    "slack_bot_token": ("xox", "the Bot User OAuth Token, which starts with xoxb-"),
    "slack_app_token": ("xapp-", "an app-level token with connections:write, which starts with xapp-"),
}
"""How a token begins, and what it is."""
LEVELS, FORMS = ("debug", "info", "warning", "error"), ("json", "text")


@dataclass(frozen=True)
class Manner:
    """How much is logged, and how: "" where the place decides."""

    level: str = ""
    form: str = ""


def manner(text: str) -> Manner:
    """HOLDFAST_LOG: a level, a form, or both ("debug", "info json"). Raises ValueError in words."""
    words = text.replace(",", " ").lower().split()
    levels, forms = [w for w in words if w in LEVELS], [w for w in words if w in FORMS]
    if len(levels) > 1 or len(forms) > 1 or len(levels) + len(forms) != len(words):
        raise ValueError(f"must be one of {', '.join(LEVELS)}, with {' or '.join(FORMS)} beside it if you like")
    return Manner("".join(levels), "".join(forms))


class Settings(BaseSettings):
    """Secrets are SecretStr: they print as stars wherever they turn up."""

    model_config = SettingsConfigDict(env_file=".env", extra="ignore", env_ignore_empty=True, populate_by_name=True)

    slack_bot_token: SecretStr | None = None
    """The Bot User OAuth Token, with SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP). Without it the bot runs on the local sandbox."""
    slack_app_token: SecretStr | None = None
    """An app-level token with `connections:write`: Slack is reached by Socket Mode."""
    slack_signing_secret: SecretStr | None = None
    """What Slack signs its requests with: `/slack/events` is served on HOLDFAST_PORT."""
    slack_client_id: str | None = None
    """With SLACK_CLIENT_SECRET and SLACK_SIGNING_SECRET instead of SLACK_BOT_TOKEN: workspaces install the app at `/slack/install`."""
    slack_client_secret: SecretStr | None = None
    """The secret that belongs to SLACK_CLIENT_ID."""
    slack_api_url: str = "https://slack.com/api/"
    """Another address of Slack's Web API, for a local Slack."""
    anthropic_api_key: SecretStr | None = None
    """Lets a model read open words. Without it rules read them, and nothing is sent to a model's vendor."""
    anthropic_base_url: str | None = None
    """Another address of the Messages API: a gateway of your own."""
    anthropic_model: str = "claude-haiku-5-5"
    """Which model is asked."""
    anthropic_dialect: Literal["tools", "block", "json"] = "tools"
    """How a model answers: by tools, or, where it has none, by a JSON block or as JSON alone."""
    database_url: str = ""
    """PostgreSQL, for more than one machine. Left out: SQLite under HOLDFAST_VAR."""
    redis_url: str = ""
    """A Redis or Valkey. Left out: an embedded one; the bot works without any."""
    holdfast_workflows: str = OWN_FOLDER
    """Folders of forms of your own, separated by colons or commas. `-loan` leaves out a shipped form, `-shipped` all of them."""
    holdfast_port: Annotated[Port, BeforeValidator(read_port), PlainSerializer(str)] = Port(3978)
    """Where health, `/chat` and Slack's requests are served: a port of this machine alone, or an address and a port."""
    holdfast_key: SecretStr | None = None
    """The installation's key, without which nothing stored can be read: back it up. Left out: made at the first start, under HOLDFAST_VAR."""
    holdfast_var: Path = Path("var")
    """The folder of database, key, roles and tables."""
    holdfast_daily_tokens: int = Field(default=5_000_000, ge=0)
    """Tokens a day after which rules read instead of the model."""
    holdfast_pace: float = Field(default=1, ge=0)
    """How many times as fast as at Slack the minutes of its rate limits pass. Leave it at 1 on Slack; 0 holds nothing back."""
    holdfast_log: str = ""
    """How much is logged, and how: `debug`, `info`, `warning` or `error`, and `json` or `text`. Left out: `info`, and `warning` on the sandbox."""
    finalize_idempotency: bool = True
    """True: a model that files again is told that it is done; false: it is refused. Nothing is filed twice either way."""
    holdfast_chat_tokens: Path | None = None
    """A file of hashed tokens: who may call `/chat`. Left out: nobody."""
    channels: dict[str, str] = {}
    """The channel where the form's records are announced and decided; for OPERATORS, where trouble is told.

    With several workspaces: `T012:C034, T056:C078`."""

    @field_validator("*", mode="before")
    @classmethod
    def _is_bare(cls, given: Any) -> Any:
        return {name: bare(text) for name, text in given.items()} if isinstance(given, dict) else bare(given)

    @field_validator("slack_api_url", "anthropic_base_url")
    @classmethod
    def _is_address(cls, url: str | None, info: ValidationInfo) -> str | None:
        if url and not url.startswith(("http://", "https://")):
            raise ValueError("must start with http:// or https://")
        return f"{url.rstrip('/')}/" if url and info.field_name == "slack_api_url" else url

    @field_validator("holdfast_log")
    @classmethod
    def _is_manner(cls, text: str) -> str:
        manner(text)
        return text

    @field_validator(*TOKENS)
    @classmethod
    def _is_token(cls, token: SecretStr | None, info: ValidationInfo) -> SecretStr | None:
        begins, what = TOKENS[str(info.field_name)]
        if token and not token.get_secret_value().startswith(begins):
            raise ValueError(f"must be {what}")
        return token

    @model_validator(mode="after")
    def _whole(self) -> "Settings":
        if self.slack_bot_token and not (self.slack_app_token or self.slack_signing_secret):
            raise ValueError(
                "SLACK_BOT_TOKEN needs SLACK_APP_TOKEN (Socket Mode) or SLACK_SIGNING_SECRET (HTTP) beside it"
            )
        if bool(self.slack_client_id) != bool(self.slack_client_secret):
            raise ValueError("SLACK_CLIENT_ID and SLACK_CLIENT_SECRET belong together: set both, or neither")
        if self.slack_client_id and self.slack_bot_token:
            raise ValueError("SLACK_CLIENT_ID is for many workspaces, SLACK_BOT_TOKEN for one: take one of them out")
        if self.slack_client_id and not self.slack_signing_secret:
            raise ValueError("SLACK_CLIENT_ID needs SLACK_SIGNING_SECRET beside it")
        if self.slack_app_token and not (self.slack_bot_token or self.slack_client_id):
            raise ValueError("SLACK_APP_TOKEN needs SLACK_BOT_TOKEN beside it")
        return self

    @classmethod
    def settings_customise_sources(
        cls, settings_cls: type[BaseSettings], init_settings: PydanticBaseSettingsSource, *others: Any, **named: Any
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments first, then the environment, the credentials, `.env`; the channels of all workflows are gathered from all."""
        found = named["env_settings"], _credentials(settings_cls), named["dotenv_settings"]
        return init_settings, _Channels(settings_cls, *found), *found

    @property
    def on_slack(self) -> bool:
        """True if tokens are set; without any, the bot runs on the sandbox."""
        return self.slack_bot_token is not None or self.slack_client_id is not None

    @property
    def request_secret(self) -> str:
        """Return the secret that Slack signs its HTTP requests with; empty where Socket Mode takes their place."""
        secret = self.slack_signing_secret if self.slack_app_token is None else None
        return secret.get_secret_value() if secret else ""

    @property
    def database(self) -> str:
        """The database's URL: SQLite under `var/` unless another is named."""
        return self.database_url or f"sqlite:///{self.holdfast_var / 'holdfast.db'}"

    @property
    def workflow_folders(self) -> tuple[Path, ...]:
        """Return the further folders of workflows; OWN_FOLDER where the setting only leaves shipped ones out."""
        named = [part for part in self._workflows if part[0] != "-"]
        folders = [Path(part).expanduser() for part in named or [OWN_FOLDER] * bool(self._workflows)]
        return tuple(folder for folder in folders if folder != Path(OWN_FOLDER) or folder.is_dir())

    @property
    def left_out(self) -> frozenset[str]:
        """Return the names of shipped workflows that are left out; "shipped" stands for all of them."""
        return frozenset(part[1:].strip() for part in self._workflows if part[0] == "-")

    @property
    def _workflows(self) -> list[str]:
        return [part.strip() for part in self.holdfast_workflows.replace(",", ":").split(":") if part.strip()]


def _credentials(settings_cls: type[BaseSettings]) -> DotEnvSettingsSource:
    """Read `holdfast.env` in the folder that systemd's LoadCredential= (or a container's ENV) names: no process inherits what is in it."""
    return DotEnvSettingsSource(
        settings_cls, env_file=Path(os.environ.get("CREDENTIALS_DIRECTORY", "")) / "holdfast.env"
    )


class _Channels(PydanticBaseSettingsSource):
    """HOLDFAST_CHANNEL_PA_DEALING=C0123 becomes channels["pa_dealing"]."""

    def __init__(self, settings_cls: type[BaseSettings], *sources: PydanticBaseSettingsSource) -> None:
        super().__init__(settings_cls)
        self._sources = [s for s in sources if isinstance(s, EnvSettingsSource | DotEnvSettingsSource)]

    def get_field_value(self, field: Any, field_name: str) -> tuple[Any, str, bool]:
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        found: dict[str, str] = {}
        for source in reversed(self._sources):
            for name, value in source.env_vars.items():
                if name.lower().startswith(CHANNEL_PREFIX) and value:
                    found[name.lower().removeprefix(CHANNEL_PREFIX)] = value
        return {"channels": found} if found else {}


def load(**given: Any) -> Settings:
    """Return the settings, or Wrong with every problem as a sentence. Values are never part of a sentence: they may be secrets."""
    try:
        return Settings(**given)
    except ValidationError as problem:
        raise Wrong([_sentence(error) for error in problem.errors()]) from None
    except (OSError, UnicodeDecodeError):
        raise Wrong([UNREAD]) from None


def strangers() -> tuple[str, ...]:
    """Return names in the environment, the credentials and `.env` that begin like ours and are no setting."""
    own = {name.lower() for name in Settings.model_fields}
    sources = (EnvSettingsSource(Settings), _credentials(Settings), DotEnvSettingsSource(Settings))
    names = {name.lower() for source in sources for name in source.env_vars}
    ours = (name for name in names if name.startswith(PREFIX) and not name.startswith(CHANNEL_PREFIX))
    return tuple(sorted(name.upper() for name in ours if name not in own))


def _sentence(error: Any) -> str:
    name = "_".join(str(part) for part in error["loc"]).upper()
    what = str(error["msg"]).removeprefix("Value error, ")
    return f"{name} {what}." if name else f"{what}."
