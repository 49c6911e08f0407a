"""The owner's words and clicks about a filed record: it was done or not, it is withdrawn, it is to count longer."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

from state.draft.changes import FormsWished, LinesRead
from state.draft.display import approved_figures, table_of
from state.draft.draft import WishedForms
from state.draft.record import EXTEND, WITHDRAW, Decision, PendingDecision, Report
from state.draft.record_changes import Decided, PendingDecisionSet, RecordMoved, ReportRead
from state.draft.route import acts_after, acts_now, last_asked, may_extend, may_report, takes_note
from state.draft.topics import Topic
from state.draft.utterance import Phrase, Utterance, Verbatim
from state.engine.acts import ask_cancel, ask_for, hear_worse
from state.engine.cards import DecisionCard, Moved, Notice, ReportCard
from state.engine.context import Alone, Next, ShowClosed, TurnContext
from state.engine.effects import Amend, Announce, CallModel, Remind, Repaint
from state.engine.events import Clicked, MessageReceived
from state.engine.on_click import refused
from state.engine.on_message import COMMANDS as OF_DRAFTS
from state.engine.on_message import followed, heard_at_card, is_yes_or_no, note_read, taken_down
from state.engine.on_operation import answered
from state.engine.settle import move, to_person
from state.record.filing import DESK, move_record, paint_receipt, state_of, state_told
from state.record.on_note import fetch_note
from state.understanding.commands import SpokenCommand as Command
from state.understanding.commands import names_nothing, read_command, told_of
from state.understanding.form_commands import read_form_command, topics_in

UNUSED: Literal["unused"] = "unused"


# Words


def on_message(turn: TurnContext, event: MessageReceived) -> None:
    """Handle words for a draft that is closed: about its record, or to nothing that is open."""
    if not taken_down(turn, event):
        return
    if event.files and takes_note(turn.form, turn.draft):
        fetch_note(turn, event)
    elif event.files and ask_report_first(turn):
        turn.change(LinesRead("newest"))
    else:
        _follow(turn, event)
        note_read(turn)


def _follow(turn: TurnContext, event: MessageReceived) -> None:
    if event.wished:  # by a click; the same form again stands beside what may be said of this record
        turn.change(FormsWished(WishedForms(event.wished, event.message)))
        if any(form.name == turn.form.name for form in event.wished):
            turn.present(Alone((Phrase("report_or_begin"),), acts_after(turn.form, turn.draft)))
        else:
            turn.present(Alone((Phrase("other_form", {"form": turn.form.title}),)))
        return
    form, command = turn.form, read_command(event.text, turn.form.language)
    own = read_form_command(form, event.text)
    plain = command is None and (own is None or names_nothing(form.language, own[1]))
    topics = topics_in(form, event.text, turn.context) if plain and turn.filed.number else ()
    if ask_doing(turn, event.text):
        return
    if topics and not hear_worse(turn, event.text, event.message):
        turn.present(ShowClosed(topics, event.message))
    elif not (topics or followed(turn, event, command, COMMANDS) or answered(turn, event.text)):
        _open_words(turn, event)


def _open_words(turn: TurnContext, event: MessageReceived) -> None:
    """Count a disclosure at once, or ask about it; leave anything else to the model, or say how things are."""
    if hear_worse(turn, event.text, event.message):
        return
    if heard_at_card(turn, event.text):
        return
    if turn.filed.reporting is not None and is_yes_or_no(turn, event.text):
        _show_report(turn, turn.filed.reporting, (Phrase("press_one"),))
        return
    way = to_person(turn.form, event.text) if turn.form.hands_over else None
    if way is not None:
        turn.tell(*([Verbatim(way.says)] if way.says else []))
        turn.person = "asked"
        turn.present(Next())
    elif turn.filed.number and (told := topics_in(turn.form, event.text, turn.context, told=True)):
        turn.present(ShowClosed(told, event.message))
    elif event.text.strip():
        turn.ask_model(CallModel(turn.draft.turn))
    else:
        turn.present(ShowClosed())


def ask_doing(turn: TurnContext, text: str) -> bool:
    """Put a whole utterance that says that it was done, or was not, to the person for a click. Return False for any other words."""
    told = told_of(text, turn.context.language) if may_report(turn.form, turn.draft) else None
    if told is None or (told == "unused" and turn.filed.reports):
        return False
    if told == "unused":
        return ask_unused(turn)
    if turn.filed.reports:
        turn.present(Alone((Phrase("report_again"),), ("correct",)))
        return True
    # What was approved, as done today.
    figures = {**approved_figures(turn.form, turn.draft), table_of(turn.form).day: turn.context.today}
    _show_report(turn, Report(turn.event.at, turn.event.who, figures, text))
    others = turn.event.others if isinstance(turn.event, MessageReceived) else ()
    if others:
        turn.present(Alone((Phrase("report_others", {"others": ", ".join(others)}),)))
    return True


def _show_report(turn: TurnContext, report: Report, told: tuple[Utterance, ...] = ()) -> None:
    """Put a report to the person for a click, on a card that takes the place of an earlier one."""
    if turn.filed.reporting is not None:
        turn.turn_into(turn.filed.reporting.card, Moved("changed"))
    turn.change(ReportRead(replace(report, card=turn.show(ReportCard(lead_in=told)))))


def ask_report_first(turn: TurnContext) -> bool:
    """Ask for the report before a file that would confirm it. Return False where no report is waited for."""
    if turn.form.filing.note is None or turn.filed.reports or not acts_now(turn.form, turn.draft):
        return False
    turn.present(Alone((Phrase("note_first", {"number": turn.filed.number}),), acts_now(turn.form, turn.draft)))
    return True


def on_report_asked(turn: TurnContext, _event: Clicked) -> None:
    """Answer the report button of a record that takes no report any more with its state."""
    turn.present(Alone((Phrase("report_over", {"state_name": turn.filed.state or "received"}),)))


def ask_unused(turn: TurnContext) -> bool:
    """Ask for a click. Return False where nothing was approved."""
    if not state_of(turn).unused:
        return False
    ask_for(turn, UNUSED)
    return True


def on_unused(turn: TurnContext, event: Clicked) -> None:
    """Ask for the click that gives the approval up."""
    if not ask_unused(turn):
        on_report_asked(turn, event)


def on_unused_confirmed(turn: TurnContext, event: Clicked) -> None:
    """Give the approval up, where it was not reported as done meanwhile, or ended."""
    here = state_of(turn)
    if not here.unused:
        on_report_asked(turn, event)
        return
    move_record(turn, here.unused, UNUSED)
    waiting = turn.filed.reporting
    if waiting is not None:
        turn.change(ReportRead(None))
        turn.turn_into(waiting.card, Moved("changed"))
    turn.turn_into(event.card, Notice((Phrase("unused_taken"), *state_told(turn)), ("begin",)))
    paint_receipt(turn)


def on_click(turn: TurnContext, event: Clicked) -> None:
    """Handle the owner's click on what a record offers."""
    if not refused(turn, event):
        CLICKS[event.act](turn, event)


def _cancel(turn: TurnContext) -> None:
    if not ask_withdraw(turn):
        turn.present(ShowClosed((Topic.WITHDRAW,)))


def ask_withdraw(turn: TurnContext) -> bool:
    """Ask for a click. Return False where the record cannot be taken back."""
    if turn.draft.asked_back:
        ask_cancel(turn)
        return True
    if not state_of(turn).withdraw:
        return False
    ask_for(turn, WITHDRAW)
    return True


def on_withdraw(turn: TurnContext, _event: Clicked) -> None:
    """Ask for the click that withdraws the record."""
    if not ask_withdraw(turn):
        _over(turn)


def on_withdrawn(turn: TurnContext, event: Clicked) -> None:
    """Withdraw the record, where no verdict came before the click."""
    here, before = state_of(turn), turn.draft
    if before.asked_back:
        move(turn, "cancel")
        turn.present(Alone((), ("begin",)))
        return
    if not here.withdraw:
        _over(turn)
        return
    turn.change(
        Decided(Decision(event.who, "", before.filed.state, WITHDRAW, here.withdraw, event.at, card=event.card))
    )
    move_record(turn, here.withdraw, WITHDRAW)
    turn.turn_into(event.card, Notice((Phrase("withdrawn", {"number": before.filed.number}),), ("begin",)))
    if before.filed.pending.card:
        turn.do(Repaint(before.filed.pending.card, DecisionCard(before.filed.state)))
    paint_receipt(turn)


def _over(turn: TurnContext) -> None:
    """Say that it was decided first, and how."""
    turn.present(ShowClosed((Topic.WITHDRAW,)))


def ask_to_extend(turn: TurnContext) -> None:
    """Post an extension for the role that decides; the approval counts on meanwhile."""
    draft = turn.draft
    if not may_extend(turn.form, draft):
        said = Phrase("extend_over", {"state_name": draft.filed.state})
        turn.present(Alone((said,), ("begin",)) if draft.filed.state else ShowClosed())
        return
    card = turn.card_id(DESK)
    turn.change(
        PendingDecisionSet(
            PendingDecision(card, draft.filed.pending.channel, (), draft.filed.pending.background, about=EXTEND)
        )
    )
    turn.do(
        Announce("record", (), draft.filed.number, draft.filed.state, draft.filed.pending.channel, id=card),
        Remind("deciders", turn.event.at, draft.filed.state, card),
    )
    state = turn.form.filing.states[draft.filed.state]
    by = state.extend.by if state.extend else ""
    turn.present(Alone((Phrase("extend_asked", {"by_role": by, "filed_on": draft.filed.valid_until}),)))
    paint_receipt(turn)


def withdraw_asked_back(turn: TurnContext) -> None:
    """Withdraw a record whose owner gives up what they were asked for: it is not forgotten like an open draft."""
    before, asked = turn.before, last_asked(turn.before)
    state = asked.state if asked else before.filed.state
    known = turn.form.filing.states.get(state)
    to = (known.withdraw if known else "") or "withdrawn"
    decision = Decision(before.owner, "", state, WITHDRAW, to, turn.event.at)
    turn.change(Decided(decision), RecordMoved(to, WITHDRAW))
    turn.do(Amend(before.filed.number, to, WITHDRAW))
    if asked and asked.card:
        turn.do(Repaint(asked.card, DecisionCard(state)))
    turn.tell(Phrase("withdrawn", {"number": before.filed.number}))
    paint_receipt(turn)


COMMANDS: Mapping[Command, Callable[[TurnContext], None]] = {
    **OF_DRAFTS,
    Command.CANCEL: _cancel,
    Command.UNDO: _cancel,
    Command.MISSING: lambda turn: turn.present(ShowClosed()),
    Command.EXTEND: ask_to_extend,
}
CLICKS: Mapping[str, Callable[[TurnContext, Clicked], None]] = {
    "withdraw": on_withdraw,
    "withdraw_confirmed": on_withdrawn,
    "extend": lambda turn, _event: ask_to_extend(turn),
    "report": on_report_asked,
    "unused": on_unused,
    "unused_confirmed": on_unused_confirmed,
}
"""The owner's buttons on a filed record."""
