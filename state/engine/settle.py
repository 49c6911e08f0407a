"""Settling: what follows from what a handler changed. Rules fire until none of them changes anything any more.

A rule that could undo another's work fires once for each field or stage of an event, so that settling always comes to an end.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from state.draft.changes import Counted, OffersMade, Proposed, ValueRetired, ValueSet
from state.draft.missing import holds, missing, reachable
from state.draft.scope import scope
from state.draft.stages import at_review
from state.draft.utterance import Verbatim
from state.engine.context import TurnContext
from state.engine.events import Clicked, MessageReceived
from state.engine.readings import prune
from state.engine.transitions import choose_phase, follow_choice, give_back, hand_over, rewind, step, to_phase
from state.engine.values import make_value


@dataclass
class Fired:
    """What fired already in this event."""

    about: set[str] = field(default_factory=set)
    """Fields whose dependents were retired."""
    defaults: set[str] = field(default_factory=set)
    rewound: bool = False
    steps: int = 0


def settle(turn: TurnContext) -> None:
    """Follow what was chosen, then what follows by itself. A settled draft is left as it is."""
    give_back(turn)
    choose_phase(turn)
    follow_choice(turn)
    hand_over(turn)
    fired, before = Fired(), -1
    while len(turn.changes) != before:
        before = len(turn.changes)
        for rule in RULES:
            rule(turn, fired)


def _readings(turn: TurnContext, _fired: Fired) -> None:
    """What a document proposes is dropped where it says nothing new any more."""
    if turn.draft.readings:
        prune(turn)


def _dependents(turn: TurnContext, fired: Fired) -> None:
    """A question about something that became something else is a new question."""
    was, now = turn.before.values, turn.draft.values
    for name in turn.changed:
        if name in fired.about or name not in was or name not in now or was[name].data == now[name].data:
            continue
        fired.about.add(name)
        same = (f.name for f in turn.form.dependents(name) if f.name in now and now[f.name] == was.get(f.name))
        turn.change(*(ValueRetired(other, f"about {name}") for other in same))


def _unreachable(turn: TurnContext, _fired: Fired) -> None:
    """An answer whose condition holds no more is no answer."""
    while gone := [name for name in sorted(turn.draft.values) if not _counts(turn, name)]:
        turn.change(*(ValueRetired(name, "condition") for name in gone))


def _counts(turn: TurnContext, name: str) -> bool:
    field = turn.form.fields.get(name)
    return field is not None and (field.when is None or holds(field.when, turn.draft))


def _warnings(turn: TurnContext, _fired: Fired) -> None:
    """What the rules have to remark on an answer that they take is told once, above what comes next."""
    for name in turn.changed:
        check = turn.rules.warnings.get(turn.form.fields[name].base)
        sentence = check(turn.draft, name, turn.draft.values[name].data) if check and name in turn.draft.values else ""
        if sentence and Verbatim(sentence) not in turn.news:
            turn.tell(Verbatim(sentence))


def _stages(turn: TurnContext, fired: Fired) -> None:
    """The phase is computed; along a table of stages the draft goes back once, then as far as code may go."""
    if not turn.draft.open or turn.draft.handed:
        return
    if turn.form.phases:
        to_phase(turn)
        return
    if not fired.rewound:
        fired.rewound = True
        rewind(turn)
    while fired.steps < len(turn.form.stages) and step(turn):
        fired.steps += 1


def _defaults(turn: TurnContext, fired: Fired) -> None:
    """What nobody answered takes the form's own answer before the review shows it."""
    answered = fired.defaults.union(turn.draft.values)
    wanting = [f for f in turn.form.fields.values() if f.default is not None and f.name not in answered]
    if not wanting or not turn.draft.open or turn.draft.handed:
        return
    if missing(turn.form, turn.draft) or not at_review(turn.form, turn.draft):
        return
    for f in wanting:
        if f.default is not None and _counts(turn, f.name):
            fired.defaults.add(f.name)
            turn.change(ValueSet(f.name, make_value(turn, f, f.default, "rule", "", who="rules")))


def _offers(turn: TurnContext, _fired: Fired) -> None:
    """Offers for fields that were set, locked or no longer count are gone, and those of what is the question now."""
    if not turn.draft.offers:
        return
    asked = next((f.name for f in missing(turn.form, turn.draft)), "")
    count = {f.name for f in scope(turn.form, turn.draft).offerable if not f.suggest or f.name != asked}
    open_ones = _unlocked(turn)
    kept = tuple(o for o in turn.draft.offers if o.field in (open_ones if o.said else count))
    if kept != turn.draft.offers:
        turn.change(OffersMade(kept))


def _unlocked(turn: TurnContext) -> set[str]:
    """Fields whose answer the person's own words may still give or change."""
    fields = reachable(turn.form, turn.draft) if turn.draft.open else ()
    return {f.name for f in fields} - turn.draft.locked_fields


def _proposal(turn: TurnContext, _fired: Fired) -> None:
    """What waited for a click before this turn waits no more, but for a change of an answer and a disclosure.

    A change waits until that answer is another one, a disclosure until the person has said yes or no, filed or not.
    """
    proposal = turn.draft.proposal
    if proposal is None:
        return
    told = proposal.act == "disclose"
    held, before = turn.draft.values.get(proposal.field), turn.before.values.get(proposal.field)
    same = proposal.act == "change" and held is not None and (before is None or held.data == before.data)
    waits = told or ((same or proposal.turn == turn.draft.turn) and turn.draft.open)
    ended = turn.draft.status is not turn.before.status and not turn.draft.open
    if not waits or (told and ended and turn.before.open):
        turn.change(Proposed(None))


def _got_on(turn: TurnContext, _fired: Fired) -> None:
    """Turns in vain count in a row: a plain answer or a click that led on starts the count anew."""
    now, before = turn.draft, turn.before
    moved = now.turns_in_vain and (now.values, now.stage) != (before.values, before.stage)
    if moved and isinstance(turn.event, MessageReceived | Clicked):
        turn.change(Counted("turns_in_vain", 0))


RULES: tuple[Callable[[TurnContext, Fired], None], ...] = (
    _readings, _dependents, _unreachable, _warnings, _stages, _defaults, _offers, _proposal, _got_on,
)  # fmt: skip
