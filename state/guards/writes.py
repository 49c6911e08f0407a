"""The guards on values and on speech acts: one guard, one reason to refuse. A guard sees the whole case and answers with a refusal or nothing."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as made
from functools import cached_property
from typing import Any

from state.draft import rejection as no
from state.draft.display import plainly
from state.draft.draft import ChatLine, Draft, Offer
from state.draft.missing import in_stage, is_answered, not_choosable, reachable
from state.draft.rejection import Rejection
from state.draft.route import REPLY
from state.draft.topics import NAMES_AT_ONCE, Act, Saying, acts, explained, in_doubt, passages
from state.fields import kind_of
from state.fields.base import Context, Unreadable
from state.form import Field, Form
from state.form.field import Data
from state.rules import Grade, Rules
from state.understanding.corrections import added
from state.understanding.evidence import as_written, fresh_lines, place_of, source_line
from state.understanding.plain_answers import is_acceptance, is_courtesy
from state.understanding.verification import End, Quotation, verdict


@dataclass(frozen=True)
class ProposedWrite:
    """One proposed value. `correcting` marks the tool that may replace a value, from the newest message only."""

    form: Form
    rules: Rules
    draft: Draft
    context: Context
    who: str
    field: Field
    given: Any
    words: Any
    correcting: bool = False
    beside: Mapping[str, Data] = made(default_factory=dict)
    """Values of the same reply for other fields."""

    @property
    def data(self) -> Data:
        """Return the given value in its canonical form. Raises Unreadable."""
        return kind_of(self.field).parse(self.field, self.given, self.context)

    def in_own_words(self) -> "ProposedWrite":
        """Return the same write with a text as the person wrote it: of a model's copy not a letter is shown or stored. Raises Unreadable."""
        free = kind_of(self.field).verbatim and self.given not in self.field.known
        copied = free and self.quotation and not (self.adds or self.by_offer)
        return replace(self, given=self.quotation.own_words) if copied and self.quotation else self

    @property
    def is_unsaid_text(self) -> bool:
        """Return True for a text of which less than half stands in the quoted line: that is about something else ("sounds good, thanks")."""
        free = kind_of(self.field).verbatim and self.given not in self.field.known
        line = self.quotation.line.text if free and self.quotation else ""
        return bool(line) and not as_written(line, str(self.data))

    @property
    def is_plain(self) -> bool:
        """Return True if code alone may set it: a search, an offer taken, or the plain answer of a whole line to its own question.

        A long text is one only where the form knows it or its grader says so.
        """
        plain = self.quotation is not None and self.quotation.plain == self.data
        known = self.data in self.field.known
        plain = plain and (not kind_of(self.field).verbatim or self.field.short or known or self.grade is Grade.GOOD)
        return plain or self.correcting or self.by_offer or kind_of(self.field).searchable

    @property
    def only_fresh(self) -> bool:
        """Return True if only the words of this reading count: for yes, no and corrections."""
        return self.correcting or kind_of(self.field).declaration

    @cached_property
    def quotation(self) -> Quotation | None:
        """Return the words with their line; None where the person did not say them. Raises Unreadable."""
        line = source_line(self.draft, self.words, self.only_fresh)
        if line is None:
            return None
        words = str(self.words)
        return Quotation(
            self.form, self.draft, self.field, self.data, words, line, self.context, self.beside, self.correcting
        )

    @cached_property
    def end(self) -> End:
        """Return the verdict on the value: taken, put back or refused. Raises Unreadable."""
        own = self._own_end
        if own is End.TAKEN or not self.offer:
            return own
        line = source_line(self.draft, self.words, only_fresh=True)
        locale = self.context.locale
        takes = line is not None and is_acceptance(line.text, locale) and not is_courtesy(line.text, locale)
        return End.TAKEN if takes else End.REFUSED if self.correcting else End.PUT_BACK

    @cached_property
    def _own_end(self) -> End:
        if self.adds:
            return End.TAKEN
        return verdict(self.quotation) if self.quotation else End.REFUSED

    @cached_property
    def adds(self) -> bool:
        """Return True if the line adds to the present choices, and the value is just that. Raises Unreadable."""
        return self.longer is not None and self.longer == self.data

    @cached_property
    def longer(self) -> Data | None:
        """Return the present choices with those that the quoted line adds; None where it adds nothing."""
        standing, line = self.draft.values.get(self.field.name), self._line
        if not self.correcting or standing is None or line is None:
            return None
        more = added(self.field, standing.data, line.text, self.context, alone=not self.draft.asked)
        return more.data if more else None

    @property
    def _line(self) -> ChatLine | None:
        return source_line(self.draft, self.words, self.only_fresh) if isinstance(self.words, str) else None

    @property
    def by_offer(self) -> bool:
        """Return True if the value rests on an accepted offer, and not on the words themselves. Raises Unreadable."""
        return self.offer is not None and (kind_of(self.field).searchable or self._own_end is not End.TAKEN)

    @property
    def offer(self) -> Offer | None:
        """Return the offer, shown just before the newest message, whose value this is. Raises Unreadable."""
        lines = {line.message: line.text for line in fresh_lines(self.draft)}
        offers = (o for o in self.draft.offers if o.heard and o.heard in lines)
        plain = (o for o in offers if not o.said or is_acceptance(lines[o.heard], self.context.locale))
        return next((o for o in plain if o.field == self.field.name and o.data == self.data), None)

    @property
    def grade(self) -> Grade | None:
        """Return the text's grade, where the form grades this field."""
        grader = self.rules.graders.get(self.field.grade)
        return grader(str(self.given)) if grader else None


Guard = Callable[[ProposedWrite], Rejection | None]


def by_owner(case: ProposedWrite) -> Rejection | None:
    """Refuse anybody but the draft's owner."""
    return None if case.who == case.draft.owner else no.not_owner()


def while_open(case: ProposedWrite) -> Rejection | None:
    """Refuse values for a closed draft."""
    return None if case.draft.open else no.closed()


def unlocked(case: ProposedWrite) -> Rejection | None:
    """Refuse a locked field: its owner's click changes it, never a call."""
    return no.locked(case.field.name) if case.field.name in case.draft.locked_fields else None


def unfilled(case: ProposedWrite) -> Rejection | None:
    """Refuse a filled field: only a correction replaces its value."""
    again = case.correcting or case.field.name in case.draft.reopened
    return no.filled(case.field.name) if is_answered(case.field, case.draft) and not again else None


def by_hand(case: ProposedWrite) -> Rejection | None:
    """Refuse the answer to the reviewers' question: it is what the person typed, all of it."""
    return no.unknown_tool(case.field.name) if case.field.name == REPLY else None


def within_stage(case: ProposedWrite) -> Rejection | None:
    """Refuse a field whose condition does not hold or whose stage is not the draft's; a correction may reach back."""
    names = {f.name for f in (reachable if case.correcting else in_stage)(case.form, case.draft)}
    return None if case.field.name in names | set(case.draft.reopened) else no.wrong_stage(case.field.name)


def readable(case: ProposedWrite) -> Rejection | None:
    """Refuse a value that its kind cannot read, or that comes without words."""
    if not isinstance(case.words, str) or not case.words.strip():
        return no.bad_arguments("`words` must quote the user")
    try:
        return None if case.data is not None else no.bad_arguments("a value is missing")
    except Unreadable as problem:
        return no.bad_arguments(f"'{case.field.name}' cannot be read ({problem.key})")


def grounded(case: ProposedWrite) -> Rejection | None:
    """Refuse a value that the person's words do not yield; one that they may mean is proposed to the person."""
    if case.end is End.TAKEN:
        return None
    return no.doubtful(case.field.name) if case.end is End.PUT_BACK else no.ungrounded(case.field.name)


def by_its_rules(case: ProposedWrite) -> Rejection | None:
    """Refuse what the form's rules refuse: a text off its subject or thinner than a good one, a choice or a value that does not fit."""
    wrong = not_choosable(case.field, case.data, case.draft)
    if wrong:
        return no.against_rule(
            case.field.name, f"{', '.join(c.label for c in wrong)}: cannot be chosen with the other answers"
        )
    before = case.draft.values.get(case.field.name)
    if case.grade is Grade.OFF_TOPIC:
        return no.compliance_words(case.field.name)
    if before and before.grade == Grade.GOOD and case.grade is not Grade.GOOD and case.grade is not None:
        return no.too_short(case.field.name)
    check = case.rules.checks.get(case.field.base)
    problem = check(case.draft, case.field.name, case.data) if check else ""
    return no.against_rule(case.field.name, problem.rstrip(".")) if problem else None


OFFER_GUARDS: tuple[Guard, ...] = (while_open, unlocked, by_its_rules)
"""Guards that an offer of the bot must pass before a person sees it; the scope says which fields may be offered."""
GUARDS: tuple[Guard, ...] = (
    by_owner, while_open, unlocked, unfilled, by_hand, within_stage, readable, grounded, by_its_rules,
)  # fmt: skip


def judge(case: ProposedWrite, guards: tuple[Guard, ...] = GUARDS) -> Rejection | None:
    """Return the first refusal, or None where every guard lets the value through."""
    return next((refusal for guard in guards if (refusal := guard(case))), None)


LONGEST = 300
"""Characters of a reading: a button has to carry it."""
MOST = 4
"""Readings of one question."""


def judge_saying(form: Form, draft: Draft, given: Mapping[str, Any], context: Context) -> Saying | Rejection:
    """Judge one call of `say` against the form and the draft as it is."""
    possible = acts(form, draft)
    act = next((a for a in possible if a == given.get("act")), None)
    if act is None:
        return no.unsayable("there is no such act now.", possible)
    about = str(given.get("about") or "")
    if not possible[act]:
        return Saying(act)
    if about not in possible[act]:
        return no.unsayable(f"'{about[:64]}' cannot be the subject of {act}.", possible[act][:NAMES_AT_ONCE])
    if act is Act.WHICH:
        return _which(form, draft, about, given.get("readings"), context)
    if act is Act.RECORD:
        return Saying(act, field=about)
    return Saying(act, (explained if act is Act.EXPLAIN else passages)(form, draft)[about])


def _which(form: Form, draft: Draft, name: str, given: Any, context: Context) -> Saying | Rejection:
    """Return two readings or more of one field, each in the person's own words and as the field's parser reads them."""
    field = next(f for f in in_doubt(form, draft) if f.name == name)
    quotes = given if isinstance(given, Sequence) and not isinstance(given, str) else ()
    written = [
        as_written(line.text, q) for q in map(str, quotes) if (line := source_line(draft, q)) and place_of(line.text, q)
    ]
    read = {data: q for q in written if (data := _read(field, q, context)) is not None}
    if not 1 < len(read) <= MOST:
        return no.Rejection(
            f"the user's words do not hold two readings of '{name}'.",
            "put two quotes of the user's words into `readings`, or leave the field to the form's question.",
            "say",
        )
    offers = (Offer(name, d, plainly(field, d, context), draft.turn, said=q) for d, q in read.items())
    return Saying(Act.WHICH, field=name, offers=tuple(offers))


def _read(field: Field, quote: str, context: Context) -> Data | None:
    """Return the value that the quoted words give the field; None where they give none or several."""
    if len(quote) > LONGEST:
        return None
    kind = kind_of(field)
    found = {r.data for r in kind.find(field, quote, context)}
    return next(iter(found)) if len(found) == 1 else kind.whole(field, quote, context)
