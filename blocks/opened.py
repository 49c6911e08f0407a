"""One request before an officer, in a modal: the decision card's content or how it was decided, and where its answers come from."""

from collections.abc import Iterator
from typing import Any

from blocks.cards.decision import decision_parts, given_by_all
from blocks.cards.rows import HOW, layouts
from blocks.elements import (
    Block,
    Element,
    actions,
    context,
    first_that_fits,
    header,
    link,
    modal,
    plain_button,
    section,
)
from blocks.ids import DOSSIER, OPEN_DM, ORIGINS, id_of
from blocks.page import Page, moment, moment_of
from blocks.phrases import Phrasebook
from blocks.text import NOTHING, escape, line
from blocks.utterances import fill, mention
from state.draft.draft import Value
from state.draft.route import decision_wanted
from state.form import Field


def build_opened(words: Phrasebook, page: Page, *, decides: bool, told: str = "", card: str = "") -> dict[str, Any]:
    """Build the modal. `decides`: they hold the role of its state, and see its buttons. `told` stands above; `card` is the address of its card."""
    state = page.draft.filed.state
    waits = bool(page.draft.filed.pending.card) and decision_wanted(page.form, page.draft).waits
    above = [section(escape(told))] if told else []
    blocks = decision_parts(page, state, verdicts=decides) if waits else _decided(page)
    shown = [*above, *blocks, actions(_ways(words, page, card))]
    return modal(page.draft.filed.number, words.say("request_close"), shown, data=page.draft.filed.number)


def _ways(words: Phrasebook, page: Page, card: str) -> list[Element]:
    tell = plain_button(words.say("desk_story"), id_of("hf-story", "open"), f"{page.draft.filed.number}|")
    return [tell, *([link(words.say("desk_card"), card, OPEN_DM)] if card else [])]


def _decided(page: Page) -> list[Block]:
    """Nothing is to be decided: what it was about, how it stands, every verdict with its reason, all answers."""
    until = page.draft.filed.valid_until
    stands = fill(page, "announce_state", {"state": page.state(page.draft.filed.state)})
    holds = f" {fill(page, 'valid_until', {'day': page.day(until)})}" if until else ""
    given = given_by_all(page)
    top: list[Block] = [
        header(page.say("announce_record", number=page.draft.filed.number, form=page.form.title)),
        section(f"*{escape(page.essence or page.form.title)}*\n{mention(page.draft.owner)}\n{stands}{holds}"),
        *([section(given)] if given else []),
    ]
    return first_that_fits([*top, *shown] for shown in layouts(page))


def build_gone(words: Phrasebook, number: str, key: str = "desk_gone", **said: str) -> dict[str, Any]:
    """Return what whoever may not read it, and whoever comes too late, is shown."""
    told = [context(escape(words.say(key, **said)))]
    return modal(number or words.say("desk_title"), words.say("request_close"), told)


WIDTHS = ((400, 300), (200, 100), (80, 40), (30, 0))
"""Characters of an answer and of the words that it rests on."""
LABEL = 75


def build_origins(page: Page, *, asked: bool = False) -> dict[str, Any]:
    """Build the modal for `views.open`; of what is sensitive only that it is on record. `asked`: its dossier has been asked for."""
    layouts = ([section(text) for text in _answers(page, *widths)] for widths in WIDTHS)
    about = section(f"*{escape(page.essence or page.form.title)}*")
    blocks = [about, *first_that_fits(layouts), _dossier(page, asked)]
    return modal(page.draft.filed.number, page.say("request_close"), blocks, callback_id=ORIGINS)


def dossier_button(words: Phrasebook, number: str) -> Element:
    """Asks for the dossier of a record; who may have it is looked up when it is made."""
    return plain_button(words.say("dossier_ask"), DOSSIER, number)


def _dossier(page: Page, asked: bool) -> Block:
    if asked:
        return context(fill(page, "dossier_asked"))
    return actions([dossier_button(page.words, page.draft.filed.number)])


def _answers(page: Page, answer: int, words: int) -> Iterator[str]:
    for field in page.answered:
        value, label = page.draft.values[field.name], escape(line(page.label(field), LABEL), LABEL)
        if field.sensitive:
            yield f"*{label}*\n{escape(page.say('on_record'))}"
            continue
        shown = escape(line(page.whole_answer(field), answer), answer) or NOTHING
        yield f"*{label}*: {shown}\n_{_came(page, field, value, words)}_"


def _came(page: Page, field: Field, value: Value, width: int) -> str:
    """ "chosen · @Alex · 22 Nov 2026 14:02 · “buy” · read by rules"."""
    came = value.provenance
    how = page.say(f"origin_{HOW.get(came.how, 'read' if came.how == 'read' else 'entered')}")
    at = moment(moment_of(came.at), page.form.language) if came.at else ""
    words = f"“{escape(line(came.words, width), width)}”" if came.words and width else ""
    reader = fill(page, "origin_reader", {"reader": came.reader}) if came.reader else ""
    later = [d for d in page.draft.disclosures if d.field == field.name]
    told = fill(page, "disclosed_later") if later else ""
    return " · ".join(filter(None, (escape(how), mention(came.who), at, words, reader, told)))
