"""Settling: what follows from what a handler changed, and moves along the draft's life and the form's own table of stages.

Rules fire until none of them changes anything any more. One that could undo another's work fires once for each field or stage of an event,
so that settling always comes to an end.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from state.draft import changes
from state.draft.display import display_value
from state.draft.draft import TOOK_OVER, ChatLine, DocumentReading, Status
from state.draft.missing import choosable_part, holds, missing, reachable
from state.draft.record import WITHDRAW
from state.draft.scope import scope
from state.draft.stages import at_review, automatic, chosen_ways, open_transitions, way_key
from state.draft.utterance import Verbatim
from state.engine.context import TurnContext
from state.engine.effects import LookUp
from state.engine.events import Clicked, MessageReceived
from state.engine.values import make_value, misfit
from state.fields import kind_of
from state.fields.lookup import UNLISTED, parts_of
from state.fields.values.numerals import position
from state.form import Form, Transition
from state.form.schema import Stage
from state.language import language_of
from state.language.tokens import tokens
from state.rules import Decision
from state.understanding.evidence import WORD, holds_quote, normalized
from state.understanding.plain_answers import is_acceptance
from state.understanding.wishes import named_way

TRANSITIONS: Mapping[tuple[Status, str], Status] = {
    (Status.OPEN, "submit"): Status.SUBMITTED,
    (Status.OPEN, "cancel"): Status.CANCELLED,
    (Status.OPEN, "end"): Status.CANCELLED,
    (Status.OPEN, "restart"): Status.CANCELLED,
    (Status.OPEN, "disclose"): Status.ESCALATED,
    (Status.OPEN, "withdraw"): Status.SUBMITTED,
    (Status.SUBMITTED, "ask"): Status.OPEN,
    (Status.SUBMITTED, "disclose"): Status.ESCALATED,
    (Status.CANCELLED, "disclose"): Status.ESCALATED,
    (Status.ESCALATED, "disclose"): Status.ESCALATED,
}


class Unlisted(Exception):
    """A transition that the table does not have; nothing has changed."""


class Fired:
    """The rules that fired already in this event."""

    def __init__(self) -> None:
        self.about: set[str] = set()
        """Fields whose dependents were retired."""
        self.defaults: set[str] = set()
        self.rewound, self.steps = False, 0


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
    """Drop what a document proposes where it is the answer already, its question is gone, or its document is."""
    given, readings = turn.draft.values, turn.draft.readings
    if not readings:
        return
    doubted = {r.document for r in readings if any(kind_of(turn.form.fields[n]).by_file for n in r.values)}
    there, fields = turn.draft.held | doubted, {f.name for f in reachable(turn.form, turn.draft)}
    kept: list[DocumentReading] = []
    for one in (r for r in readings if r.document in there):
        new = {n: v for n, v in one.values.items() if n in fields and (n not in given or given[n].data != v.data)}
        kept += [replace(one, values=new)] if new else []
    if tuple(kept) != readings:
        turn.change(changes.ReadingsChanged(tuple(kept)))


def _dependents(turn: TurnContext, fired: Fired) -> None:
    """Retire answers about something that became something else."""
    was, now = turn.before.values, turn.draft.values
    for name in turn.changed:
        if name in fired.about or name not in was or name not in now or was[name].data == now[name].data:
            continue
        fired.about.add(name)
        same = (f.name for f in turn.form.dependents(name) if f.name in now and now[f.name] == was.get(f.name))
        turn.change(*(changes.ValueRetired(other, f"about {name}") for other in same))


def _unchoosable(turn: TurnContext, _fired: Fired) -> None:
    """Name choices that cannot be chosen with what was just told; the rest of the answer is asked about again, and counts until then."""
    changed = frozenset(turn.changed)
    for field in turn.form.fields.values() if turn.draft.open else ():
        value = turn.draft.values.get(field.name)
        touched = value is not None and changed & {field.name, *field.looks_at}
        wrong = misfit(turn, field, value.data) if value and touched else None
        if value is None or wrong is None:
            continue
        turn.tell(wrong)
        if field.looks_at & turn.draft.undo.keys():
            turn.change(changes.UndoKept({**turn.draft.undo, field.name: value}, turn.draft.undo_card))
        if left := choosable_part(field, value.data, turn.draft):
            turn.change(
                changes.ValueSet(field.name, replace(value, data=left)),
                changes.Unlocked(field.name),
                changes.Reopened(field.name),
            )
        else:
            turn.change(changes.ValueRetired(field.name, "condition"))


def _unreachable(turn: TurnContext, _fired: Fired) -> None:
    """Retire answers whose condition holds no more."""
    while gone := [name for name in sorted(turn.draft.values) if not _counts(turn, name)]:
        turn.change(*(changes.ValueRetired(name, "condition") for name in gone))


def _counts(turn: TurnContext, name: str) -> bool:
    field = turn.form.fields.get(name)
    return field is not None and (field.when is None or holds(field.when, turn.draft))


def _warnings(turn: TurnContext, _fired: Fired) -> None:
    """Tell once, above what comes next, what the rules have to remark on an answer that they take."""
    for name in turn.changed:
        check = turn.rules.warnings.get(turn.form.fields[name].base)
        sentence = check(turn.draft, name, turn.draft.values[name].data) if check and name in turn.draft.values else ""
        if sentence and Verbatim(sentence) not in turn.news:
            turn.tell(Verbatim(sentence))


def _unlisted(turn: TurnContext, _fired: Fired) -> None:
    """Let a thing that is not in the list read as its fields tell it, and look an identifier up among what is listed."""
    given = turn.draft.values
    for field in turn.form.fields.values():
        value, parts = given.get(field.name), parts_of(field)
        if not field.unlisted or value is None or value.data != UNLISTED or not turn.draft.open:
            continue
        told = {n: display_value(turn.form.fields[n], given[n], turn.context) for n in parts if n in given}
        label = field.unlisted.format_map(told) if len(told) == len(parts) else value.label
        if (label, told) != (value.label, value.facts):
            turn.change(changes.ValueSet(field.name, replace(value, label=label, facts=told)))
        for name in (n for n in told if n in turn.changed and kind_of(turn.form.fields[n]).check_digit):
            came = given[name].provenance
            search = LookUp(field.name, str(given[name].data), turn.draft.turn, came.words, came.message)
            if search not in turn.effects:
                turn.do(search)


def _stages(turn: TurnContext, fired: Fired) -> None:
    """Compute the phase; along a table of stages, go back once, then as far as code may go."""
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
    """Give what nobody answered the form's own answer before the review shows it."""
    answered = fired.defaults.union(turn.draft.values)
    wanting = [f for f in turn.form.fields.values() if f.default is not None and f.name not in answered]
    if not wanting or not turn.draft.open or turn.draft.handed:
        return
    if missing(turn.form, turn.draft) or not at_review(turn.form, turn.draft):
        return
    for f in wanting:
        if f.default is not None and _counts(turn, f.name):
            fired.defaults.add(f.name)
            turn.change(changes.ValueSet(f.name, make_value(turn, f, f.default, "rule", "", who="rules")))


def _offers(turn: TurnContext, _fired: Fired) -> None:
    """Drop offers for fields that were set, locked or no longer count, and those of what is the question now."""
    if not turn.draft.offers:
        return
    asked = next((f.name for f in missing(turn.form, turn.draft)), "")
    count = {f.name for f in scope(turn.form, turn.draft).offerable if not f.suggest or f.name != asked}
    # What was read in the person's own words may still give or change an answer that is not locked.
    fields = reachable(turn.form, turn.draft) if turn.draft.open else ()
    unlocked = {f.name for f in fields} - turn.draft.locked_fields
    kept = tuple(o for o in turn.draft.offers if o.field in (unlocked if o.said else count))
    if kept != turn.draft.offers:
        turn.change(changes.OffersMade(kept))


def _proposal(turn: TurnContext, _fired: Fired) -> None:
    """End what waited for a click before this turn, but a disclosure, a change whose answer still stands, an act on a record that has not moved."""
    proposal = turn.draft.proposal
    if proposal is None:
        return
    if proposal.act in ("withdraw", "unused"):
        if turn.filed.state != turn.before.filed.state:
            turn.change(changes.Proposed(None))
        return
    told = proposal.act == "disclose"
    held, before = turn.draft.values.get(proposal.field), turn.before.values.get(proposal.field)
    same = proposal.act == "change" and held is not None and (before is None or held.data == before.data)
    waits = told or ((same or proposal.turn == turn.draft.turn) and turn.draft.open)
    ended = turn.draft.status is not turn.before.status and not turn.draft.open
    if not waits or (told and ended and turn.before.open):
        turn.change(changes.Proposed(None))


def _got_on(turn: TurnContext, _fired: Fired) -> None:
    """Start the count of turns in vain anew after a plain answer or a click that led on: they count in a row."""
    now, before = turn.draft, turn.before
    moved = now.turns_in_vain and (now.values, now.stage) != (before.values, before.stage)
    if moved and isinstance(turn.event, MessageReceived | Clicked):
        turn.change(changes.Counted("turns_in_vain", 0))


# The draft's life, by one table: what is not listed cannot happen


def move(turn: TurnContext, trigger: str) -> None:
    """Follow the table of a draft's life; what was filed and is given up is withdrawn. Raises Unlisted."""
    gives_up = TRANSITIONS.get((turn.draft.status, trigger)) is Status.CANCELLED
    trigger = WITHDRAW if gives_up and turn.draft.asked_back else trigger
    to = TRANSITIONS.get((turn.draft.status, trigger))
    if to is None:
        raise Unlisted(f"{turn.draft.status} has no transition on {trigger}")
    turn.change(changes.StatusMoved(to, trigger))


# Stages and phases


def follow_choice(turn: TurnContext) -> None:
    """Follow the way that was chosen, once: one that files waits for the review, or for the click on it that has come; any other is taken."""
    way, turn.way = turn.way, None
    if way is None:
        return
    turn.taken = way
    if way.submits and turn.draft.open:
        turn.change(changes.SubmissionChosen(way.on))
    else:
        take(turn, way)


def take(turn: TurnContext, way: Transition, why: str = "") -> None:
    """Follow a transition, and do what its stage says on arrival; `why` a person is wanted, where that is not the trigger."""
    if way.at_most is not None:
        key = way_key(turn.draft.stage, way.on)
        turn.change(changes.WayTaken(key, turn.draft.ways_taken.get(key, 0) + 1))
    turn.change(changes.StageMoved(way.to, way.on))
    if way.says:
        turn.tell(Verbatim(way.says))
    if way.again:
        # What was answered in this stage is open again, the first field first; the answers count until other ones are given.
        names = turn.form.stage_names(turn.draft.stage)
        for field in reversed(list(turn.form.fields.values())):
            if names.intersection(field.stage) and field.name in turn.draft.values:
                turn.change(changes.Unlocked(field.name), changes.Reopened(field.name))
    stage = turn.form.stages[turn.draft.stage]
    if stage.hands_over:
        _hand(turn, why or way.on)
    elif stage.final and turn.form.submitting and turn.draft.open:
        move(turn, "end")


def hand_over(turn: TurnContext) -> None:
    """Have a person take the conversation, where one was called for: by the table, where it has a stage for it."""
    why, turn.person = turn.person, ""
    if not why or turn.draft.handed:
        return
    way = person_way(turn)
    if way is not None:
        take(turn, way, why)
    else:
        _hand(turn, why)


def _hand(turn: TurnContext, why: str) -> None:
    turn.change(changes.HandedOver(why), changes.ChatLineAdded(ChatLine("user", TOOK_OVER, clicked=True)))


def give_back(turn: TurnContext) -> None:
    """Return to the stage before a person had it; the answers that led to them are opened again, else they would lead there at once."""
    with_person, before = turn.form.stages.get(turn.draft.stage), turn.form.stages.get(turn.draft.came_from)
    returned = turn.before.handed and not turn.draft.handed
    if not returned or with_person is None or not with_person.hands_over or before is None:
        return
    turn.change(changes.StageMoved(before.name, "handed_back"))
    led = (w.when.fields for w in before.transitions if w.to == with_person.name and w.automatic and w.when)
    for name in sorted(set().union(*led) & set(turn.draft.values)):
        turn.change(changes.Unlocked(name), changes.Reopened(name))


def rewind(turn: TurnContext) -> None:
    """Go back to an earlier stage whose ways hang on a changed answer; what code follows from there, it follows again."""
    for name in turn.changed:
        field = turn.form.fields[name]
        earlier = next((stage for name in field.stage if (stage := turn.form.stages.get(name))), None)
        if earlier is None or earlier.name == turn.draft.stage or name not in turn.before.values:
            continue
        if any(way.when and name in way.when.fields for way in earlier.transitions):
            turn.change(changes.StageMoved(earlier.name, "changed"))
            return


def step(turn: TurnContext) -> bool:
    """Follow one way that code may follow now. Return False where there is none: what was read from a document waits for its clicks first."""
    if turn.draft.readings or turn.draft.handed or not turn.draft.open:
        return False
    way = _decided(turn) or automatic(turn.form, turn.draft)
    if way is not None:
        take(turn, way)
    return way is not None


def go_on(turn: TurnContext) -> None:
    """Go along the stages as far as code may: what is read next is judged where the draft has come to."""
    if turn.form.phases:
        to_phase(turn)
        return
    for _ in turn.form.stages:
        if not step(turn):
            return


def _decided(turn: TurnContext) -> Transition | None:
    """Return the way that rules.py names out of a code-only stage; what it tells is told with the stage that follows."""
    stage = turn.form.stages.get(turn.draft.stage)
    if stage is None or not stage.decide:
        return None
    decision = turn.rules.decisions[stage.decide](turn.draft, {"today": turn.context.today})
    decided = decision if isinstance(decision, Decision) else Decision(decision)
    turn.tell(*(told for told in map(Verbatim, decided.told) if told not in turn.news))
    return next((w for w in open_transitions(turn.form, turn.draft) if w.on == decided.trigger), None)


def to_phase(turn: TurnContext) -> None:
    """Move to the first phase that lacks something, to the chosen one while that does, and to the last when nothing does."""
    lacking = {name for f in missing(turn.form, turn.draft) for name in f.stage}
    chosen = turn.draft.phase_chosen and turn.draft.stage in lacking
    stages = tuple(turn.form.stages)
    target = turn.draft.stage if chosen else next((name for name in stages if name in lacking), stages[-1])
    if turn.draft.phase_chosen and not chosen:
        turn.change(changes.Counted("phase_chosen", 0))
    if target != turn.draft.stage:
        turn.change(changes.StageMoved(target, "computed"))


def choose_phase(turn: TurnContext) -> None:
    """Go to the phase that the person chose, once; where it lacks nothing, the computed one stays."""
    phase, turn.phase = turn.phase, ""
    if phase:
        turn.change(changes.Counted("phase_chosen", 1), changes.StageMoved(phase, "chosen"))


# Ways on, by name and by words


def way_on(turn: TurnContext, trigger: str) -> Transition | None:
    """Return the open way of a trigger that people may pull; else the one that leads to the stage of that name."""
    ways = chosen_ways(turn.form, turn.draft)
    leading = [w for w in ways if w.to == trigger.lower()]
    return next((w for w in ways if w.on == trigger), leading[0] if len(leading) == 1 else None)


def is_automatic(turn: TurnContext, trigger: str) -> bool:
    """Return True if the stage has a way of that name, or to the stage of that name, that code takes by itself."""
    stage = turn.form.stages.get(turn.draft.stage)
    ways = [w for w in stage.transitions if not w.chosen] if stage else []
    return any(w.on == trigger or w.to == trigger.lower() for w in ways)


def way_said(turn: TurnContext, text: str) -> Transition | None:
    """Return the way that a whole message names: by its label, its words or, where a choice is on screen, its number; courtesies aside.

    Assent takes the one way on that is offered.
    """
    ways = chosen_ways(turn.form, turn.draft)
    if not ways:
        return None
    said = _keys(turn, text)
    named = next((w for w in ways if said and any(_keys(turn, name) == said for name in (w.label, *w.words))), None)
    named = named or named_way(text, ways, turn.form.language)
    if named is not None or turn.draft.asked:
        return named
    labelled = [w for w in ways if w.label]
    card = turn.draft.card
    if (
        card is not None
        and card.kind == "crossroads"
        and len(labelled) == 1
        and is_acceptance(text, turn.form.language)
    ):
        return labelled[0]
    place = position(text, len(labelled), language_of(turn.form.language)) if labelled else None
    return labelled[place - 1] if place is not None else None


def way_mentioned(turn: TurnContext, text: str) -> Transition | None:
    """Return the way from anywhere whose words are in the message."""
    ways = open_transitions(turn.form, turn.draft)
    return next((w for w in ways if any(holds_quote(text, word) for word in w.mentions)), None)


def person_way(turn: TurnContext) -> Transition | None:
    """Return the open way from anywhere that leads to a person."""
    ways = open_transitions(turn.form, turn.draft)
    return next((w for w in ways if w in turn.form.anywhere and turn.form.stages[w.to].hands_over), None)


def to_person(form: Form, text: str) -> Transition | None:
    """Return the way to a person from anywhere whose words the message holds, whatever the stage."""
    ways = (w for w in form.anywhere if form.stages[w.to].hands_over)
    return next((w for w in ways if any(holds_quote(text, word) for word in w.mentions)), None)


def submitting_way(turn: TurnContext) -> Transition | None:
    """Return the way that Submit follows: the one that the person chose, else the stage's first one."""
    ways = [w for w in open_transitions(turn.form, turn.draft) if w.submits]
    return next((w for w in ways if w.on == turn.draft.going), ways[0] if ways and not turn.draft.going else None)


def phase_said(form: Form, text: str) -> Stage | None:
    """Return the phase that the whole message names."""
    if not form.phases:
        return None
    said = WORD.findall(normalized(text))
    return next((s for s in form.stages.values() if any(WORD.findall(normalized(w)) == said for w in s.words)), None)


def _keys(turn: TurnContext, text: str) -> tuple[str, ...]:
    """Return the words of a text as they are compared; marks and pictures are none."""
    return tuple(
        t.key for t in tokens(normalized(text), language_of(turn.form.language)) if any(c.isalnum() for c in t.key)
    )


RULES: tuple[Callable[[TurnContext, Fired], None], ...] = (
    _readings, _dependents, _unchoosable, _unreachable, _unlisted, _warnings, _stages, _defaults, _offers, _proposal, _got_on,
)  # fmt: skip
