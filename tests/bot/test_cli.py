"""The commands, as people type them."""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from blocks.phrases import catalogue
from bot.http.tokens import read_tokens
from bot.slack.manifest import lacking
from bot.slack.places import person_key
from state.workflow.load import load_all
from tests.command import holdfast
from tests.forms.form_cases import write
from tests.whole.holiday import FORM, RULES
from tests.whole.steps import file_request
from tests.world import TEAM, begun, world

FORBIDDEN = Path(__file__).with_name("forbidden.toml")


async def test_export_and_verify_read_what_the_bot_filed(tmp_path: Path) -> None:
    """After a request was filed, `export` writes it in both formats, and `verify` finds every chain whole."""
    async with world(tmp_path, kept=True) as w:
        await file_request(w)
        (record,) = await w.bot.store.records_of(person_key(TEAM, "U0ALEX"))
    whole = holdfast("export", "--workflow", "pa_dealing", "--format", "json", var=tmp_path)
    assert [r["number"] for r in json.loads(whole.stdout)] == [record.number]
    table = holdfast("export", "--workflow", "pa_dealing", "--format", "csv", var=tmp_path)
    assert table.stdout.count(record.number) == 13
    checked = holdfast("verify", var=tmp_path)
    assert checked.returncode == 0 and "1 drafts checked, 0 broken, 0 dead letters" in checked.stdout


def test_check_draws_the_stages_where_it_is_asked_to(tmp_path: Path) -> None:
    """A form that has stages is drawn as a Mermaid diagram, with every way on by its trigger; without `--draw` nothing is."""
    write(tmp_path / "forms" / "holiday", FORM, rules_py=RULES)
    forms = str(tmp_path / "forms")
    assert "stateDiagram" not in holdfast("check", var=tmp_path / "var", HOLDFAST_WORKFLOWS=forms).stdout
    told = holdfast("check", "--draw", "holiday", var=tmp_path / "var", HOLDFAST_WORKFLOWS=forms).stdout
    assert "stateDiagram-v2" in told and "welcome --> work: proceed" in told and "result --> visit: schedule" in told


def test_a_token_is_kept_as_its_hash(tmp_path: Path) -> None:
    """`token` shows a token once and writes its hash alone, which `check` takes; a file that is not there is told in a sentence."""
    made = holdfast("token", "--tenant", "T1", "--user", "U1", "--role", "finance_admin", var=tmp_path)
    shown = made.stderr.split()[-1]
    file = tmp_path / "tokens.toml"
    file.write_text(made.stdout)
    assert shown.startswith("hf_") and shown not in made.stdout
    caller = read_tokens(file).caller(shown)
    assert caller is not None and (caller.tenant, caller.user, caller.roles) == ("T1", "U1", ["finance_admin"])
    told = holdfast("check", var=tmp_path, HOLDFAST_CHAT_TOKENS=str(tmp_path / "none.toml"))
    assert told.returncode == 1 and told.stderr == "1 problem:\nHOLDFAST_CHAT_TOKENS: none.toml cannot be read.\n"


def test_check_points_to_the_line_to_mend(tmp_path: Path) -> None:
    """A form with a wrong kind is refused with file, line and what to do."""
    folder = tmp_path / "forms" / "odd"
    folder.mkdir(parents=True)
    form = 'name = "odd"\ntitle = "Odd"\nversion = "1"\nprefix = "ODD"\n\n[fields.what]\nkind = "poem"\nlabel = "What"\nask = "What?"\n'
    (folder / "form.toml").write_text(form)
    told = holdfast("check", var=tmp_path / "var", HOLDFAST_WORKFLOWS=str(tmp_path / "forms"))
    assert told.returncode == 1 and told.stdout == ""
    result, problem, see = told.stderr.splitlines()
    named = re.findall("“(.+)”", see)
    assert f"# {named[0]}\n" in Path("docs/reference/form.md").read_text("utf-8"), "it names the page on each key"
    assert result == "1 problem:" and f"{folder / 'form.toml'}:7: `kind` must be one of" in problem


def test_check_says_the_result_first(tmp_path: Path) -> None:
    """What is good is said in the first line, what to know of it in a line each below, with the line that it is about."""
    form = 'title = "Odd"\nversion = "1"\nprefix = "ODD"\ncommand = "/odd"\n[fields.what]\nkind = "text"\nlabel = "What"\nask = "What?"\n'
    dated = "[limits.gifts]\nvalue = 100\nstale_after = 2020-12-31\n"
    folder = write(tmp_path / "forms" / "odd", form, limits_toml=dated)
    told = holdfast("check", "odd", var=tmp_path / "var", HOLDFAST_WORKFLOWS=str(tmp_path / "forms"))
    assert told.returncode == 0 and told.stderr == ""
    result, stale, command = told.stdout.splitlines()
    assert result == "Good, with 2 warnings: 1 form, 0 scenarios."
    assert f"{folder / 'limits.toml'}:3: [limits.gifts] held until 2020-12-31." in stale
    assert "manifest.yml lacks /odd: run `holdfast manifest`" in command


def test_check_names_the_setting_that_was_meant(tmp_path: Path) -> None:
    """A channel of no workflow is told with the name that is near it; so is a workflow that there is not."""
    told = holdfast("check", var=tmp_path, HOLDFAST_CHANNEL_PA_DEALIN="C1").stdout
    assert "HOLDFAST_CHANNEL_PA_DEALIN is no workflow's channel. Did you mean `HOLDFAST_CHANNEL_PA_DEALING`?" in told
    stray = holdfast("check", var=tmp_path, HOLDFAST_WORKFLOW="mine").stdout
    assert "HOLDFAST_WORKFLOW is no setting, and nothing reads it. Did you mean `HOLDFAST_WORKFLOWS`?" in stray
    asked = holdfast("check", "pa-dealing", var=tmp_path)
    assert asked.returncode == 1 and "Did you mean `pa_dealing`?" in asked.stderr


def test_wrong_settings_are_among_what_check_finds(tmp_path: Path) -> None:
    """A setting that cannot work is a problem like any other: counted first, then a sentence without the value."""
    told = holdfast("check", var=tmp_path, SLACK_BOT_TOKEN="secretpw")
    assert told.returncode == 1 and told.stderr.startswith("1 problem:\nSLACK_BOT_TOKEN")
    assert "secretpw" not in told.stderr


def test_check_says_where_nothing_can_be_written(tmp_path: Path) -> None:
    """A HOLDFAST_VAR that is no folder, or cannot be made, is a problem in a sentence like any other."""
    (tmp_path / "file").write_text("")
    told = holdfast("check", var=tmp_path / "file")
    assert told.returncode == 1 and told.stderr.startswith("1 problem:\n") and "set HOLDFAST_VAR." in told.stderr
    assert "Traceback" not in told.stderr


def test_the_manifest_has_the_commands_of_forms_added_by_folder(tmp_path: Path) -> None:
    """`manifest` writes the whole manifest, a new form's command with its purpose and its hint included; then check has nothing to add."""
    form = (
        'title = "Odd"\nversion = "1"\nprefix = "ODD"\ncommand = "/odd"\npurpose = "Tell what is odd"\nusage = "[what]"\n'
        '[fields.what]\nkind = "text"\nlabel = "What"\nask = "What?"\n'
    )
    write(tmp_path / "forms" / "odd", form)
    file = tmp_path / "manifest.yml"
    told = holdfast("manifest", "--write", str(file), var=tmp_path, HOLDFAST_WORKFLOWS=str(tmp_path / "forms"))
    assert told.returncode == 0 and "Paste it into your app's settings" in told.stdout
    commands = yaml.safe_load(file.read_text("utf-8"))["features"]["slash_commands"]
    wanted = {"command": "/odd", "description": "Tell what is odd", "usage_hint": "[what]", "should_escape": True}
    assert wanted in commands and lacking(file, [w.form for w in load_all([tmp_path / "forms"]).values()]) == ()


def test_shipped_forms_are_left_out(tmp_path: Path) -> None:
    """A minus in HOLDFAST_WORKFLOWS leaves out one shipped form or all; a name that does not ship, or no form at all, is a sentence."""
    write(tmp_path / "forms" / "holiday", FORM, rules_py=RULES)
    mine = tmp_path / "forms"
    assert "1 form," in holdfast("check", var=tmp_path, HOLDFAST_WORKFLOWS=f"{mine},-shipped").stdout
    fewer = holdfast("manifest", var=tmp_path, HOLDFAST_WORKFLOWS=f"{mine}:-loan:-gifts").stdout
    assert "/gifts" not in fewer and "/pa" in fewer
    (tmp_path / "empty").mkdir()
    none = holdfast("test", var=tmp_path, HOLDFAST_WORKFLOWS=f"{tmp_path / 'empty'},-shipped")
    assert none.returncode == 2 and "No form is left" in none.stderr and "Traceback" not in none.stderr
    wrong = holdfast("check", var=tmp_path, HOLDFAST_WORKFLOWS="-gift").stderr
    assert '"gift", which is no shipped form.' in wrong and "Did you mean `gifts`?" in wrong


def test_every_word_that_people_read_is_printed_on_one_page(tmp_path: Path) -> None:
    """`phrases` prints each sentence of a language under its section, then each form's words in that language; others are refused."""
    page = holdfast("phrases", "--language", "it", var=tmp_path).stdout
    assert all(f"- `{key}` " in page for key in catalogue("it"))
    assert "# it\n\n\n## " in page and "\n## loan/form.toml\n" in page and "\n## gifts/form.it-IT.toml\n" in page
    assert "- `fields.direction.choices.given.label` Dato\n" in page and "## pa_dealing" not in page
    refused = holdfast("phrases", "--language", "fr", var=tmp_path)
    assert (refused.returncode, refused.stderr) == (2, 'There are no phrases in "fr". There are in de, en, es, it.\n')


@pytest.mark.parametrize(("language", "forbidden"), tomllib.loads(FORBIDDEN.read_text("utf-8")).items())
def test_no_phrase_is_in_the_old_register(tmp_path: Path, language: str, forbidden: str) -> None:
    """What people read holds none of the words that the glossary replaces, in any language or form."""
    page = holdfast("phrases", "--language", language, var=tmp_path).stdout
    words = [line.partition("` ")[2] for line in page.splitlines() if line.startswith("- `")]
    assert len(words) >= len(catalogue(language)) and not [line for line in words if re.search(forbidden, line)]


async def test_wrong_settings_are_sentences_without_secrets(tmp_path: Path) -> None:
    """Trouble that a person can mend is a sentence and an exit code, never a traceback, never the value."""
    await begun(tmp_path)
    for env in (
        {"DATABASE_URL": "mysql://u:secretpw@h/d"},
        {"HOLDFAST_KEY": "secretpw"},
        {"SLACK_BOT_TOKEN": "secretpw"},
    ):
        told = holdfast("verify", var=tmp_path, **env)
        assert told.returncode == 2, told
        assert "Traceback" not in told.stderr and "secretpw" not in told.stdout + told.stderr
        assert told.stderr.strip().endswith(".") or "xoxb-" in told.stderr


def test_an_unknown_workflow_is_named_with_those_there_are(tmp_path: Path) -> None:
    """`holdfast test` of a workflow that is none says which there are."""
    told = holdfast("test", "poems", var=tmp_path)
    assert told.returncode == 2 and "pa_dealing" in told.stderr


ASKED_WRONGLY = {
    "a state that no record has": (("export", "--workflow", "pa_dealing", "--state", "declinedd"), "Did you mean `declined`?"),
    "a workflow that is none": (("export", "--workflow", "pa_deal"), "There are: pa_dealing, expenses"),
    "a record that is none": (("export", "--record", "PA-9"), "There is no record 'PA-9'"),
    "a record and a filter": (("export", "--record", "PA-9", "--state", "declined"), "they do not go with --record"),
    "evidence and a filter": (("export", "--format", "evidence", "--since", "2026-01-01"), "evidence or public-key"),
    "days the wrong way round": (("export", "--workflow", "loan", "--since", "2026-02-01", "--until", "2026-01-01"), "--since is after"),
    "a name of another format": (("export", "--workflow", "loan", "--output", "loan.csv"), "loan.csv is no name for --format json"),
    "a day without a sink": (("retry", "--all", "--since", "2026-01-01"), "--since goes with --sink"),
    "a hold without its word": (("erase", "--team", "T1", "--user", "U1", "--reason", "x", "--yes"), "--hold or --lift"),
    "a person that is none": (("erase", "--team", "T1", "--user", "U1,U2", "--yes"), "'U1,U2' is no id"),
    "a token for nobody": (("token", "--tenant", " ", "--user", "U1"), "Say whose it is"),
    "a token with a blank role": (("token", "--tenant", "T1", "--user", "U1", "--role", ""), "Say whose it is"),
    "a token that breaks its file": (("token", "--tenant", 'T1" x="', "--user", "U1"), "is no id"),
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED_WRONGLY)
async def test_what_cannot_be_meant_is_refused(name: str, tmp_path: Path) -> None:
    """A filter that fits nothing, or that nothing would heed, is a sentence, never an empty answer with exit code 0."""
    await begun(tmp_path)
    words, sentence = ASKED_WRONGLY[name]
    told = holdfast(*words, var=tmp_path)
    assert told.returncode == 2 and sentence in told.stderr and told.stdout == "", told


async def test_a_backup_is_never_written_over(tmp_path: Path) -> None:
    """A backup wants a new file, for the old one may be the only one; an export may be made anew under its name each night."""
    await begun(tmp_path)
    file = tmp_path / "kept.json"
    file.write_text("kept")
    told = holdfast("backup", str(file), var=tmp_path)
    assert told.returncode == 2 and told.stderr == f"{file} is there already. Name a new file.\n"
    assert file.read_text() == "kept" and holdfast("backup", str(tmp_path / "new"), var=tmp_path).returncode == 0
    again = holdfast("export", "--workflow", "loan", "--output", str(file), var=tmp_path)
    assert again.returncode == 0 and file.read_text() != "kept"


Break = Callable[[Path], object]


def broken(name: str) -> Break:
    """Write a file of the operator's own in another encoding."""
    return lambda var: (var / name).write_bytes(b"\xe9t\xe9 = 1\n")


UNUSABLE: dict[str, tuple[Break, tuple[str, ...], int, str]] = {
    "roles": (broken("roles.toml"), ("check",), 1, "roles.toml: line 1: This is not UTF-8 text. Save the file as UTF-8."),
    "sinks": (broken("sinks.toml"), ("erase", "--team", "T1", "--user", "U1", "--yes"), 2, "sinks.toml: line 1: This is not UTF-8"),
    "tokens": (broken("tokens"), ("check",), 1, "HOLDFAST_CHAT_TOKENS: tokens, line 1: This is not UTF-8 text."),
    "settings": (broken(".env"), ("status",), 2, "cannot be read. Save it as UTF-8"),
    "a public key": (broken("key"), ("verify", "--export", "{}/key", "--public-key", "{}/key"), 2, "no Ed25519 public key"),
    "a public key alone": (broken("key"), ("verify", "--public-key", "{}/key"), 2, "goes with --export"),
    "a folder for a backup": (broken("file"), ("backup", "{}"), 2, "cannot be written (Is a directory)."),
    "a backup that is not there": (broken("file"), ("restore", "{}/none"), 2, "none cannot be read (No such file or directory)."),
}  # fmt: skip


@pytest.mark.parametrize("name", UNUSABLE)
async def test_a_file_that_cannot_be_used_is_named(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in another encoding, or named wrongly, is a sentence on that file: no traceback, and no blame on the database."""
    await begun(tmp_path)
    made, words, status, sentence = UNUSABLE[name]
    made(tmp_path)
    monkeypatch.chdir(tmp_path)
    env = {"HOLDFAST_CHAT_TOKENS": str(tmp_path / "tokens")} if name == "tokens" else {}
    told = holdfast(*(word.format(tmp_path) for word in words), var=tmp_path, **env)
    assert told.returncode == status and sentence in told.stderr and "codec" not in told.stderr, told


def test_check_tells_of_a_database_that_cannot_be_had(tmp_path: Path) -> None:
    """The configuration is checked: a database that does not answer, or is none, is a warning with what to do."""
    (tmp_path / "words.db").write_bytes(b"words" * 1000)
    told = holdfast("check", var=tmp_path, DATABASE_URL=f"sqlite:///{tmp_path / 'words.db'}")
    assert "words.db cannot be used (file is not a database)" in told.stdout and told.returncode == 0
    told = holdfast("check", var=tmp_path, DATABASE_URL="postgresql://a:secretpw@127.0.0.1:9/x")
    assert "cannot be reached (Connection refused)" in told.stdout and "secretpw" not in told.stdout


def test_quotation_marks_around_an_id_are_no_part_of_it(tmp_path: Path) -> None:
    """An id that was copied with its quotation marks makes the same token's lines as without."""
    made = holdfast("token", "--tenant", '"T1"', "--user", " 'U1' ", "--role", "“auditor”", var=tmp_path).stdout
    assert 'tenant = "T1"\nuser = "U1"\nroles = ["auditor"]' in made


def test_a_check_names_roles_that_nobody_holds(tmp_path: Path) -> None:
    """A form on which somebody decides wants people, and on Slack a channel; a slip in roles.toml is told before the bot runs."""
    alone = holdfast("check", "pa_dealing", var=tmp_path).stdout
    assert alone.count("can decide yet") == 1 and f"[roles.senior_compliance] into {tmp_path / 'roles.toml'}" in alone
    slack = {"SLACK_BOT_TOKEN": "xoxb-1", "SLACK_APP_TOKEN": "xapp-1"}
    told = holdfast("check", "pa_dealing", var=tmp_path, **slack).stdout
    assert "set HOLDFAST_CHANNEL_PA_DEALING" in told and "waits for the role manager, which nobody holds" in told
    roles = "".join(f'[roles.{role}]\nusers = ["U1"]\n' for role in ("manager", "compliance", "senior_compliance"))
    (tmp_path / "roles.toml").write_text(roles)
    told = holdfast("check", "pa_dealing", var=tmp_path, HOLDFAST_CHANNEL_PA_DEALING="C1", **slack).stdout
    assert "nobody" not in told
    (tmp_path / "roles.toml").write_text("[roles.manager]\nuser = []\n")
    assert "roles.manager.user" in holdfast("check", var=tmp_path).stderr
    (tmp_path / "roles.toml").write_text("[roles.manager]\nusers = [yes]\n")
    assert "roles.toml: line 2: This is not TOML" in holdfast("check", var=tmp_path).stderr
