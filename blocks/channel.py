"""What a channel sees: one line and the way into the direct message; and the choice where several forms fit."""

from collections.abc import Sequence
from urllib.parse import urlencode

from blocks.aloud import BETWEEN
from blocks.elements import Message, actions, link, message, option, press_id, section, select
from blocks.home import begin, draft_row
from blocks.ids import OPEN_DM, Press
from blocks.phrases import Phrasebook
from blocks.text import literal
from state.draft.draft import Draft
from state.form import Form

MOST_BUTTONS, MOST_FORMS, MOST_DRAFTS = 8, 25, 10


def app_link(app: str, team: str) -> str:
    """Return the address of the app's direct message (https://docs.slack.dev/interactivity/deep-linking)."""
    return f"https://slack.com/app_redirect?{urlencode({'app': app, 'team': team})}"


def build_channel_hint(form: Form, address: str) -> Message:
    """Build one line and a button; nothing of the form is said."""
    words = Phrasebook(form.language, form.says)
    text = literal(words.say("channel_hint"))
    return message(text, [section(text, link(words.say("open_dm"), address, OPEN_DM))])


def build_left(form: Form, draft: Draft) -> Message:
    """Another form comes first now; this one stays as it is, with the button that goes on with it."""
    words = Phrasebook(form.language, form.says)
    text = literal(words.say("stays_open", form=form.title))
    return message(text, [section(text), draft_row((form, draft))])


def build_chooser(
    words: Phrasebook, forms: Sequence[Form], drafts: Sequence[tuple[Form, Draft]] = (), said: str = ""
) -> Message:
    """Return what to go on with, each with its button, and what to begin: buttons up to five, a menu above.

    `said` is the message that it answers (its place in Slack's time): whichever form is chosen takes its words.
    """
    text = literal(words.say("choose_form"))
    open_ones = [draft_row(one) for one in drafts[:MOST_DRAFTS]]
    if len(forms) <= MOST_BUTTONS:
        rows = [actions([begin(f, said) for f in forms])] if forms else []
        titles = BETWEEN.join(literal(form.title) for form in forms)
        return message(f"{text}\n{titles}" if titles else text, [*open_ones, section(text), *rows])
    press = Press("begin", hash=said)
    menu = select(words.say("pick"), press, [option(f.title, f.name) for f in forms[:MOST_FORMS]])
    return message(text, [*open_ones, section(text), actions([menu], press_id(press))])
