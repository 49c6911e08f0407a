"""What a person who asks for their data can read: a page in plain words, in their language, and nothing but what is true."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import pytest
import time_machine

from bot.exports.own_data import WITHHELD
from bot.sandbox.people import Person
from state.stores.sql.tables import metadata
from tests.documents.files import pdf
from tests.rights.test_asking import ITALIAN, SPANISH, contents, files, forms
from tests.whole.steps import REASON, file_request
from tests.world import World, world

GERMAN = ITALIAN.replace("ferie", "urlaub").replace("Ferie", "Urlaub").replace("FER", "URL").replace("it-IT", "de-DE")
DANGEROUS = "<script>alert('x')</script> & \"co\""


@pytest.fixture(autouse=True)
def _stated() -> Iterator[None]:
    """A Monday on which the shipped tables count, whatever day the machine has."""
    with time_machine.travel(datetime(2026, 11, 23, 10, tzinfo=UTC)):
        yield


class Reader(HTMLParser):
    """The page as a browser reads it: its words, its elements, its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.elements: list[str] = []
        self.attributes: set[str] = set()
        self.within: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.elements.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.within.append(tag)

    def handle_endtag(self, _tag: str) -> None:
        """It ends."""
        self.within.pop()

    def handle_data(self, data: str) -> None:
        """Note words, those of the style sheet left out."""
        if "style" not in self.within:
            self.words.append(data)

    @property
    def text(self) -> str:
        """All that can be read."""
        return "\n".join(self.words)


async def page_of(w: World, words: str = "my data", person: Person | None = None) -> Reader:
    """Ask, and read the newest page."""
    await w.say(words, person)
    return Reader(contents(w, ".html", person)[-1])


async def large_request(w: World) -> None:
    """File a request on which a person has to decide."""
    await w.say("I'd like to buy 20000 Tesco for my pension, about £72,000")
    await w.click("Use all of it")
    await w.click("Use this")
    while (asked := (await w.draft()).asked) != "justification":
        await w.click("I understand" if asked == "holding_period_ack" else "No")
    await w.say(REASON)
    await w.click("Submit")
    await w.settled()


@pytest.mark.behind(walk=file_request)
async def test_the_page_tells_what_was_filed_in_the_forms_own_words(plain: World) -> None:
    """Each answer with its label, as the form shows it and with where it came from; when it was begun and filed, its state, and why."""
    page = await page_of(plain)
    text = page.text
    for words in ("PA-2026-000001 · Personal account dealing", "Approved automatically", "Tesco PLC (GB00BLGZ9862)"):
        assert words in text
    assert text.count("GBP 720.00") >= 1 and "your choice" in text and REASON in text
    assert "The risk is low and the value is under GBP 10,000.00." in text
    assert "No person decided this" in text
    form = plain.bot.workflows["pa_dealing"].form
    answered = (await plain.draft()).values
    labels = [form.fields[name].label for name in answered if name != "currency"]
    assert [label for label in labels if label not in page.words] == []


@pytest.mark.behind(walk=file_request)
async def test_the_page_names_no_table_and_no_column(plain: World) -> None:
    """Names of tables, of columns and of fields stand in the complete file alone."""
    await plain.alex.command("/expenses")
    await plain.say("£4 coffee today")
    await plain.click("Confirm")
    text = (await page_of(plain)).text
    fields = {f.name for w in plain.bot.workflows.values() for f in w.form.fields.values()}
    columns = {column.name for table in metadata.tables.values() for column in table.c}
    technical = {name for name in {*metadata.tables, *columns, *fields} if "_" in name}
    assert technical and [name for name in technical if re.search(rf"\b{name}\b", text)] == []
    assert "T0HOLDFAST" not in text and "U0ALEX" not in text


async def test_the_page_holds_the_conversation_files_and_rows(plain: World) -> None:
    """What was said and clicked, what the bot said, files by name, and the rows that stand are on it in their order."""
    await plain.say("buy 3 Apple")
    await plain.alex.command("/expenses")
    await plain.say("£4 coffee today")
    await plain.click("Confirm")
    await plain.alex.upload("slip.pdf", pdf("Coffee 4.00"), "application/pdf")
    await plain.settled()
    page = await page_of(plain)
    heard = [word for word in page.words if word in ("buy 3 Apple", "£4 coffee today", "my data")]
    assert heard == ["buy 3 Apple", "£4 coffee today", "my data"]
    assert "slip.pdf" in page.text and "Receipt" in page.text
    assert any(word.startswith("coffee · GBP 4.00 · ") for word in page.words)
    assert "Still being filled in" in page.text and "Add: coffee" in page.text


async def test_the_page_stands_beside_the_complete_file(plain: World) -> None:
    """One message brings both, and says which is which."""
    await plain.say("my data")
    message = plain.screen()[-1]
    read, complete = (file["name"] for file in message["files"])
    assert read.endswith(".html") and complete.endswith(".json")
    assert (
        f"“{read}” shows everything I hold about you" in message["text"]
        and f"“{complete}” has the same data" in message["text"]
    )


@pytest.mark.parametrize(
    ("language", "text", "ask", "heading", "state"),
    [
        ("it", ITALIAN, "i miei dati", "Bozze non inviate", "Ancora in compilazione"),
        ("es", SPANISH, "mis datos", "Borradores que no envió", "Aún se está rellenando"),
        ("de", GERMAN, "meine Daten", "Entwürfe, die Sie nicht eingereicht haben", "Wird noch ausgefüllt"),
    ],
)
async def test_the_page_speaks_the_persons_language(
    language: str, text: str, ask: str, heading: str, state: str, tmp_path: Path
) -> None:
    """Headings, states and days are those of the language in which it was asked for."""
    name = re.findall(r'name = "(\w+)"', text)[0]
    async with world(tmp_path / "var", holdfast_workflows=forms(tmp_path, **{name: text})) as w:
        await w.say(name)
        await w.say("12")
        page = await page_of(w, ask)
        assert heading in page.words and state in page.words and "12" in page.words
        assert f'<html lang="{language}-' in contents(w, ".html")[-1]


async def test_the_page_is_inert(plain: World) -> None:
    """What people write stands on it as they wrote it: no script, no link, nothing that is fetched."""
    await plain.alex.command("/expenses")
    await plain.say(DANGEROUS)
    await plain.say("£4 <img src=x onerror=alert()> today")
    await plain.click("Confirm")
    page = await page_of(plain)
    assert DANGEROUS in page.text
    assert not {"script", "img", "a", "link", "iframe", "object", "form"} & set(page.elements)
    assert page.attributes <= {"class", "lang", "charset", "name", "content", "http-equiv"}
    assert "default-src 'none'" in contents(plain, ".html")[-1]


@pytest.mark.behind(walk=file_request)
async def test_the_page_is_of_one_person_alone(plain: World) -> None:
    """Nothing of anybody else is on it; who has nothing is told so."""
    dana = plain.sandbox.person("U0DANA")
    page = await page_of(plain, person=dana)
    assert "Tesco" not in page.text and "Alex" not in page.text
    assert len(files(plain, dana)) == 1


@pytest.mark.behind(walk=large_request)
async def test_others_are_told_of_without_what_only_they_know(plain: World) -> None:
    """When reviewers were told, and about which request, is on it; what they alone were told is not, nor codes of Slack's."""
    (record,) = await plain.records()
    kept_back = [reason for reason in record.body["reasons"] if reason not in record.body["filed"]["told"]]
    assert kept_back, record.body["reasons"]
    text = (await page_of(plain)).text
    assert f"{record.number} · Personal account dealing" in text and "When others were told" in text
    assert [reason for reason in kept_back if reason in text] == []
    assert "<@" not in text and "<!date" not in text and "&amp;" not in text


@pytest.mark.behind(walk=file_request)
async def test_the_complete_file_keeps_what_only_those_who_decide_know(plain: World) -> None:
    """Of a confidential form it has every answer and every word, but neither untold reasons nor what the rules were given; it says where."""
    (record,) = await plain.records()
    page = await page_of(plain)
    complete = contents(plain, ".json")[-1]
    secret = {
        "firm_traded",
        "firm_trades",
        "restricted",
        "risk_reasons",
        "hard_blocks",
        "approval_vetoes",
        "policy_version",
    }
    assert secret & {*record.body["facts"], *record.body["computed"]}
    assert [name for name in secret if f'"{name}"' in complete] == []
    assert WITHHELD in complete and "Tesco" in complete and record.number in page.text


@pytest.mark.behind(walk=large_request)
async def test_the_complete_file_keeps_the_reasons_of_verdicts(plain: World) -> None:
    """Why an officer decided as they did, and what they had before them, is told to nobody else; that they decided is."""
    robin = plain.sandbox.person("U0ROBIN")
    await robin.click("Decline…", channel="C0COMPLIANCE")
    await robin.submit(values={"reason": "zanzibar is about to merge", "note": "Not this quarter."})
    await plain.settled()
    page = await page_of(plain)
    complete = contents(plain, ".json")[-1]
    assert [secret for secret in ("zanzibar", "Risk: ", "so a person decides") if secret in complete + page.text] == []
    assert "Not this quarter." in complete and "declined" in complete


@pytest.mark.behind(walk=file_request)
async def test_the_complete_file_keeps_why_a_breach_was_closed(plain: World) -> None:
    """What was reported, and what was wrong with it, the person knows; the officer's reason and the facts that it was judged by are not theirs."""
    await plain.alex.click("I've traded")
    await plain.alex.submit(values={"traded_quantity": "250", "traded_value": "GBP 725"})
    await plain.settled()
    dana = plain.sandbox.person("U0DANA")
    await dana.click("Close…", channel="C0COMPLIANCE")
    await dana.submit(values={"reason": "zanzibar is about to merge", "note": "Please ask first."})
    await plain.settled()
    page = await page_of(plain)
    complete = contents(plain, ".json")[-1]
    assert [secret for secret in ("zanzibar", '"firm_trades"') if secret in complete + page.text] == []
    assert "Please ask first." in complete and "traded_quantity" in complete and '"more"' in complete


async def test_a_form_without_secrets_keeps_nothing_back(plain: World) -> None:
    """What a form does not call confidential stands in the complete file as it is stored."""
    await plain.alex.command("/gifts")
    await plain.say("a lunch for 20 pounds")
    await page_of(plain)
    assert WITHHELD not in contents(plain, ".json")[-1]
