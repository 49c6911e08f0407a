"""The real bot behind the page: a whole request, files that are sent and shown, and an officer's upload."""

from collections.abc import Callable
from pathlib import Path

import pytest
from background_loop import Background
from page_driver import PageDriver

from tests.documents.files import pdf, png
from tests.documents.test_document_readings import FORM, SLIP
from tests.whole.steps import OPENING, REASON
from tests.world import World

pytestmark = pytest.mark.browser
SHEET = "isin;name;from\nGB00BH4HKS39;Vodafone Group Plc;02.11.2026\nGB00BLGZ9862;Tesco PLC;20.11.2026\n"


def click_in(page: PageDriver, question: str, label: str) -> None:
    """Click a button on the newest message with this question."""

    def clicked() -> bool:
        buttons = page.message(question).find_elements("css selector", "button[data-action-id]")
        next(b for b in buttons if b.text.strip() == label).click()
        return True

    page.until(clicked, f"{label} below “{question}”")


def test_a_request_is_filed_in_the_page(
    whole: World, open_page: Callable[[str], PageDriver], background: Background
) -> None:
    """From the first word to the receipt: cards turn into answers, the panel shows the draft as it is, one record stands at the end."""
    page = open_page(whole.sandbox.url)

    def click(question: str, label: str) -> None:
        page.message(question)
        background.run(whole.read())
        click_in(page, question, label)

    page.say(OPENING)
    click("Here is what I read", "Use all of it")
    page.shows("Account: pension")
    click("Tesco PLC", "Use this")
    for question, field in (
        ("Is this a derivative?", "is_derivative"),
        ("Is this a leveraged product?", "is_leveraged"),
        ("Do you hold any inside information", "has_inside_info"),
        ("connected to you", "is_related_party"),
        ("conflict", "has_client_conflict"),
    ):
        click(question, "No")
        page.css(f"[data-field='{field}'][data-state='filled'][data-locked='true']")
    click("I understand", "I understand")
    page.message("Why do you want to make this trade?")
    background.run(whole.read())
    page.say(REASON)
    page.shows("Review · all your answers")
    click("Review", "Submit")
    page.shows("Submitted · PA-")
    background.run(whole.settled())
    (record,) = background.run(whole.records())
    assert record.body["values"]["justification"]["data"] == REASON
    page.shows(record.number, "#draft-panel" if page.all("#draft-panel") else "body")
    assert page.complaints() == []


@pytest.mark.parametrize("whole", [FORM], indirect=True)
def test_a_file_is_sent_and_what_it_says_confirmed(
    whole: World, open_page: Callable[[str], PageDriver], background: Background, tmp_path: Path
) -> None:
    """A payslip goes with its words in one message, stands in the conversation as a file, and its values wait for the click."""
    slip = tmp_path / "march.pdf"
    slip.write_bytes(pdf(*SLIP))
    page = open_page(whole.sandbox.url)
    page.say("papers")
    page.shows("Please send your last payslip.")
    page.all(".composer input[type=file]")[0].send_keys(str(slip))
    page.shows("march.pdf", ".attached")
    page.say("here it is")
    page.shows("Here is what I read in “march.pdf”")
    assert page.css(".file a").get_attribute("download") == "march.pdf"
    page.css("[data-field='net'][data-state='missing']")
    background.run(whole.read())
    click_in(page, "Here is what I read", "All correct")
    page.css("[data-field='net'][data-state='filled']")
    page.shows("Is all of it true?")
    assert page.complaints() == []


def test_a_picture_of_the_bot_is_shown(
    whole: World, open_page: Callable[[str], PageDriver], background: Background
) -> None:
    """What the bot uploads stands in the conversation too, a picture as a picture."""
    page = open_page(whole.sandbox.url)
    sent = whole.bot.app.client.files_upload_v2(
        channel=whole.alex.dm, filename="chart.png", title="Chart", content=png(40, 40)
    )
    background.run(sent)
    picture = page.css(".file img")
    page.until(lambda: page.script("return arguments[0].naturalWidth", picture) == 40, "the picture is loaded")
    assert "chart.png" in page.message("chart.png").text


def test_a_list_is_uploaded_on_the_page(whole: World, open_page: Callable[[str], PageDriver], tmp_path: Path) -> None:
    """A German spreadsheet's file is previewed in the modal, and confirmed it stands in App Home as the next version."""
    file = tmp_path / "restricted.csv"
    file.write_bytes(SHEET.encode("cp1252"))
    page = open_page(whole.sandbox.url)
    page.open("U0DANA", tab="home")
    page.shows("Restricted list", "[data-role=home]")
    page.act("hf-list-up.pa_dealing/restricted")
    page.shows("A CSV file with these columns")
    page.all(".modal input[type=file]")[0].send_keys(str(file))
    page.shows("restricted.csv", ".modal .file-named")
    page.click(".modal [data-role=submit]")
    page.shows("Added: 1 · removed: 0 · changed: 0 · unchanged: 1", ".modal")
    page.shows("Tesco PLC", ".modal")
    page.click(".modal [data-role=submit]")
    page.shows("is confirmed", ".modal")
    page.click(".modal [data-role=cancel]")
    page.open("U0DANA", tab="home")
    page.shows("version 1 from", "[data-role=home]")
    assert page.complaints() == []
