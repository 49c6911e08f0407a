"""Modals: opened, filled in, checked, stacked, closed."""

from typing import Any

import pytest
from page_cards import YES_NO, actions, button, element, entry, modal, option, section
from page_driver import PageDriver
from selenium.webdriver.common.keys import Keys
from showcase_app import Showcase

from bot.sandbox.server import Sandbox

pytestmark = pytest.mark.browser

INPUTS = modal(
    "Your answers",
    entry("name", "Name", element("plain_text_input", "in_name", min_length=3)),
    entry("count", "Count", element("number_input", "in_count", is_decimal_allowed=False, min_value="1")),
    entry("mail", "E-mail", element("email_text_input", "in_mail"), optional=True),
    entry("when", "When", element("datepicker", "in_when"), optional=True),
    entry("broker", "Broker", element("external_select", "in_broker", min_query_length=0), optional=True),
    entry(
        "colours",
        "Colours",
        element("multi_static_select", "in_colours", options=[option("Red"), option("Blue")]),
        optional=True,
    ),
    entry("sure", "Sure", element("radio_buttons", "in_sure", options=YES_NO, initial_option=YES_NO[1])),
    entry("terms", "Terms", element("checkboxes", "in_terms", options=YES_NO), optional=True),
    notify_on_close=True,
)


@pytest.fixture
def opened(page: PageDriver, showcase: Showcase) -> PageDriver:
    """The page with a modal of every input open."""
    showcase.views["open"] = INPUTS
    showcase.post(section("Answer here"), actions(button("Open", "open")))
    page.act("open")
    page.css("dialog[open] [data-role=submit]")
    return page


def fill(page: PageDriver) -> None:
    """Give the two answers that the modal demands."""
    page.type("[data-action-id=in_name]", "Tesco")
    page.type("[data-action-id=in_count]", "200")


def submitted(page: PageDriver, showcase: Showcase) -> dict[str, Any]:
    """The values of the newest submission."""
    values: dict[str, Any] = page.until(lambda: showcase.submissions, "a submission")[-1]["view"]["state"]["values"]
    return values


def test_a_submission_carries_every_value(opened: PageDriver, showcase: Showcase) -> None:
    """What was typed, chosen and ticked arrives as state.values, and the modal closes."""
    fill(opened)
    opened.type("[data-action-id=in_mail]", "alex@northmoor.example")
    opened.css("[data-action-id=in_when]").send_keys("11202026")
    opened.pick("in_broker", "Harbour ISA")
    opened.pick("in_colours", "Blue")
    opened.click("[data-action-id=in_sure] [data-value=yes]")
    opened.click("[data-action-id=in_terms] [data-value=no]")
    opened.click("[data-role=submit]")
    opened.hides("dialog")
    values = submitted(opened, showcase)
    assert values["name"]["in_name"]["value"] == "Tesco"
    assert values["count"]["in_count"]["value"] == "200"
    assert values["mail"]["in_mail"]["value"] == "alex@northmoor.example"
    assert values["when"]["in_when"]["selected_date"] == "2026-11-20"
    assert values["broker"]["in_broker"]["selected_option"]["value"] == "Harbour ISA"
    assert [one["value"] for one in values["colours"]["in_colours"]["selected_options"]] == ["blue"]
    assert values["sure"]["in_sure"]["selected_option"]["value"] == "yes"
    assert [one["value"] for one in values["terms"]["in_terms"]["selected_options"]] == ["no"]


def test_what_slack_checks_itself_never_reaches_the_app(opened: PageDriver, showcase: Showcase) -> None:
    """Empty required fields, short texts, broken numbers and addresses are complained about in their place."""
    opened.type("[data-action-id=in_name]", "ab")
    opened.type("[data-action-id=in_count]", "1.5")
    opened.type("[data-action-id=in_mail]", "nobody")
    opened.click("[data-role=submit]")
    opened.shows("Please write at least 3 characters.", "[data-block-id=name]")
    opened.shows("Please enter a whole number.", "[data-block-id=count]")
    opened.shows("Please enter a valid e-mail address.", "[data-block-id=mail]")
    assert opened.focused().get_attribute("data-action-id") == "in_name"
    opened.type("[data-action-id=in_count]", "0")
    opened.type("[data-action-id=in_name]", "")
    opened.click("[data-role=submit]")
    opened.shows("Please enter 1 or more.", "[data-block-id=count]")
    opened.shows("Please complete this required field.", "[data-block-id=name]")
    assert showcase.submissions == []


def test_the_apps_errors_stand_at_their_fields(opened: PageDriver, showcase: Showcase) -> None:
    """An error that the app answers is shown at its field, which gets the focus; what was typed stays."""
    showcase.answer = {"response_action": "errors", "errors": {"count": "That is more than you hold."}}
    fill(opened)
    opened.click("[data-role=submit]")
    opened.shows("That is more than you hold.", "[data-block-id=count]")
    field = opened.css("[data-action-id=in_count]")
    assert field.get_attribute("aria-invalid") == "true"
    assert opened.focused() == field
    assert opened.css("[data-action-id=in_name]").get_property("value") == "Tesco"
    showcase.answer = {}
    opened.click("[data-role=submit]")
    opened.hides("dialog")


def test_an_update_replaces_the_view_in_place(opened: PageDriver, showcase: Showcase) -> None:
    """An app may answer a submission with another view, and the modal shows that."""
    done = {"type": "modal", "title": INPUTS["title"], "blocks": [section("All *done*")]}
    showcase.answer = {"response_action": "update", "view": done}
    fill(opened)
    opened.click("[data-role=submit]")
    opened.shows("All done", "dialog")
    assert opened.all("dialog [data-role=submit]") == []


def test_an_open_modal_that_is_updated_keeps_what_was_typed(
    opened: PageDriver, sandbox: Sandbox, showcase: Showcase
) -> None:
    """The app may change a modal under the person's hands: the same input keeps its words and the caret."""
    opened.type("[data-action-id=in_name]", "Teco")
    opened.press(Keys.LEFT, Keys.LEFT)
    shown = sandbox.person("U0ALEX").modal or {}
    changed = element("plain_text_input", "in_name", min_length=2)
    view = modal("Your answers", section("New words above"), entry("name", "Name", changed))
    showcase.client.views_update(view_id=shown["id"], view=view)
    opened.shows("New words above", "dialog")
    opened.press("s")
    assert opened.css("[data-action-id=in_name]").get_property("value") == "Tesco"


def test_pushed_views_stack(page: PageDriver, showcase: Showcase) -> None:
    """A view that is pushed stands before the one that opened it, and Back returns to what was typed there."""
    typed = entry("name", "Name", element("plain_text_input", "in_name"))
    showcase.views["open"] = modal("First", typed, actions(button("Deeper", "deeper")))
    showcase.views["deeper"] = modal("Second", section("Down here"))
    showcase.post(actions(button("Open", "open")))
    page.act("open")
    page.type("[data-action-id=in_name]", "Tesco")
    page.act("deeper")
    page.shows("Second", "dialog h2")
    page.click("[data-role=back]")
    page.shows("First", "dialog h2")
    assert page.css("[data-action-id=in_name]").get_property("value") == "Tesco"


def test_escape_closes_and_the_app_is_told(opened: PageDriver, showcase: Showcase) -> None:
    """Escape closes the modal, tells the app where it asked for that, and the focus returns to the page's button."""
    opened.press(Keys.ESCAPE)
    opened.hides("dialog")
    opened.until(lambda: showcase.closed)
    assert opened.focused().get_attribute("data-action-id") == "open"


def test_an_open_list_closes_before_the_modal(opened: PageDriver) -> None:
    """Escape first closes the list of options, then the modal."""
    opened.act("in_broker")
    opened.shows("Harbour ISA", "[role=listbox]:popover-open")
    opened.press(Keys.ESCAPE)
    opened.hides("[role=listbox]:popover-open")
    assert opened.css("dialog").is_displayed()
    opened.press(Keys.ESCAPE)
    opened.hides("dialog")


def test_tab_stays_inside(opened: PageDriver) -> None:
    """From the last control Tab goes to the first, and back."""
    opened.tab_to("[data-role=submit]", most=20)
    opened.press(Keys.TAB)
    assert opened.focused().get_attribute("data-role") == "close"
    opened.press(Keys.TAB, holding=Keys.SHIFT)
    assert opened.focused().get_attribute("data-role") == "submit"


def test_an_app_that_does_not_answer_is_said_in_the_modal(
    opened: PageDriver, sandbox: Sandbox, showcase: Showcase
) -> None:
    """Without an answer the modal stays with what was typed, says so, and can be sent again."""
    sandbox.knobs.drop_acks = 1
    fill(opened)
    opened.click("[data-role=submit]")
    opened.shows("We had some trouble connecting. Try again?", "dialog [role=alert]")
    assert opened.css("[data-action-id=in_name]").get_property("value") == "Tesco"
    opened.click("[data-role=submit]")
    opened.hides("dialog")
