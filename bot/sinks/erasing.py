"""What an erasure means for sinks: a record that is called off is told to them, and those who run the bot hear what has left before."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from blocks.note import build_passed_on
from blocks.phrases import Phrasebook
from bot.channels import place_of
from bot.sinks.file import Sink
from bot.sinks.rows import Step, row_of
from state.draft.draft import Draft
from state.form import Form
from state.stores.protocol import OutboxRow, Record
from state.workflow.load import Workflow


@dataclass(frozen=True)
class SinksToTell:
    """`channel` is the operators', or empty."""

    sinks: Callable[[], Mapping[str, Sink]]
    forms: Mapping[str, Form]
    channel: str = ""
    words: Phrasebook | None = None

    def called_off(self, record: Record, state: str, revision: int, at: str) -> list[OutboxRow]:
        """The step into the state that an erasure gives a record: nobody's, and only what is about nobody."""
        form = self.forms[record.form]
        filed = record.filed_at.isoformat() if record.filed_at else ""
        draft = Draft(
            record.draft, record.form, record.tenant, "", "", revision=revision, record=record.number, filed_at=filed
        )
        step = Step(form, draft, (record.state, state), at, f"erased:{record.number}")
        bare = {"fields": ("filed_at",)}
        taking = ((n, s.model_copy(update=bare)) for n, s in self.sinks().items() if step.concerns(s))
        return [row_of(name, sink, step) for name, sink in taking]

    def passed_on(self, records: Iterable[Record]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Sinks that took records of these forms, and the numbers of those that may be there."""
        held = list(records)
        for name, sink in self.sinks().items():
            numbers = tuple(one.number for one in held if one.form in sink.forms)
            if numbers:
                yield name, numbers

    def notices(self, team: str, records: Iterable[Record]) -> list[OutboxRow]:
        """The operators' message, which names numbers and no person."""
        there, channel = place_of(self.channel, team)
        told = list(self.passed_on(records)) if channel and self.words else []
        return [_notice(self.words, there, channel, name, numbers) for name, numbers in told if self.words]


def sinks_to_tell(
    sinks: Callable[[], Mapping[str, Sink]], workflows: Mapping[str, Workflow], channel: str
) -> SinksToTell:
    """What sinks, and those who run the bot, hear of an erasure."""
    forms = {name: w.form for name, w in workflows.items()}
    return SinksToTell(sinks, forms, channel, Phrasebook(next(iter(forms.values())).language))


def _notice(words: Phrasebook, team: str, channel: str, sink: str, numbers: tuple[str, ...]) -> OutboxRow:
    message = build_passed_on(words, sink, numbers)
    body = {"team": team, "channel": channel, "thread": "", "card": "", "text": message.text}
    key = f"erased:{sink}:{','.join(numbers)}"
    return OutboxRow(key, f"slack:{channel}", "post", f"{team}:", {**body, "blocks": list(message.blocks)})
