"""Route an event to a draft: the one it names, the open one of the conversation, the request that its words are about, a new one, or none yet.

A question to a form's command from where that form is not filled in is answered in private, and no form begins.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

import structlog

from bot.turns.facts import Known
from state.advance import begin
from state.draft.draft import Draft, Status
from state.draft.reply import ToolCall
from state.draft.route import awaits_report, may_report, takes_note
from state.draft.scope import scope
from state.draft.topics import Topic
from state.draft.working_days import day_of
from state.engine.codec import decode_draft
from state.engine.events import Clicked, DraftEvent, MessageReceived
from state.engine.on_facts import MY_REQUESTS
from state.fields import is_closed, kind_of, tools_of
from state.fields.base import Context
from state.form import Form
from state.language import EVERYWHERE, LANGUAGES, language_of
from state.language.small_talk import NoAnswer
from state.language.table import clauses, listed, typed_in
from state.language.tokens import masked, tokens
from state.rules import FormFault
from state.stores.rows import InboxRow
from state.stores.store import Store
from state.understanding.commands import (
    SpokenCommand,
    leads_nowhere,
    names_nothing,
    no_answer,
    read_command,
    told_of,
    without_leads,
    without_tails,
)
from state.understanding.corrections import names_of, worse_told
from state.understanding.evidence import holds_quote, normalized
from state.understanding.form_commands import read_form_command, record_number, topics_in
from state.understanding.operations import read_operations
from state.understanding.plain_answers import is_acceptance
from state.understanding.reader import read_open
from state.understanding.verification import first_word
from state.understanding.wishes import begins_with_wish, form_names, names_only, wants_another, wish_for
from state.workflow.load import Workflow

TELLING = 2
"""Answers in one message that make it a new request rather than a word about the old one."""


@dataclass(frozen=True)
class Route:
    """`use` the draft as it is; `begin` a new one of `form`; `choose` among the forms; `hint` at the direct message; `drop` it.

    `wished`: the words ask for other forms than the draft's, which its card offers. `bare`: they choose the form, and tell it nothing.
    """

    to: Literal["use", "begin", "choose", "hint", "drop"]
    form: str = ""
    wished: tuple[str, ...] = ()
    bare: bool = False


def route(
    forms: Mapping[str, Form], draft: Draft | None, event: DraftEvent, named: str = "", *, direct: bool = True
) -> Route:
    """`draft` is the one that the event names, else the conversation's current one; `named` a form that was asked for by name.

    Where others read along (`direct` is False) only forms that opted in are begun.
    """
    if isinstance(event, Clicked) and event.act == "begin":
        return _begin(forms, draft, named or event.field or str(event.value or ""))
    if not isinstance(event, MessageReceived):
        return Route("drop") if draft is None else Route("use")
    said = None if named else event
    if said is not None and draft is not None and tells_of_doing(forms, draft, said):
        return Route("use")
    if said is not None and (way := _whole(forms, draft, said, direct=direct)):
        return way
    other = _another(forms, draft, said) if said is not None and draft is not None else ""
    if other and (direct or forms[other].channels == "thread"):
        return Route("begin", other)
    if draft is not None and not _anew(forms, draft, event):
        if direct and len(forms) > 1 and _is_over(forms, draft, event):
            return Route("choose")
        return Route("use", wished=_wished(forms, draft, event, direct=direct))
    fitting = asked_for(forms, event.text) or _begins_with(forms, event)
    if draft is not None:
        return Route("begin", fitting[0] if len(fitting) == 1 else draft.form)
    wanted = (named,) if named in forms else fitting or tuple(forms)
    shared = tuple(name for name in wanted if forms[name].channels == "thread")
    if not direct and not shared:
        return Route("hint", wanted[0])
    wanted = wanted if direct else shared
    return Route("begin", wanted[0]) if len(wanted) == 1 else Route("choose")


def tells_of_doing(forms: Mapping[str, Form], draft: Draft, event: MessageReceived) -> bool:
    """Return True if the owner's whole message, or the file that they send, tells what they did with what was approved in this draft."""
    form = forms.get(draft.form)
    if form is None or draft.open or event.who != draft.owner:
        return False
    if event.files:
        return takes_note(form, draft) or (form.filing.note is not None and may_report(form, draft))
    return may_report(form, draft) and told_of(event.text, language_of(form.language)) is not None


def asked_for(forms: Mapping[str, Form], text: str) -> tuple[str, ...]:
    """Return forms of whose words the text holds some."""
    return tuple(name for name, form in forms.items() if any(holds_quote(text, word) for word in form.words))


def _begins_with(forms: Mapping[str, Form], event: MessageReceived) -> tuple[str, ...]:
    """Return the forms that the message begins by wishing for, in any language."""
    wish = wish_for(forms, event.text, whole=False)
    return wish.forms if wish else ()


def _whole(forms: Mapping[str, Form], draft: Draft | None, event: MessageReceived, *, direct: bool) -> Route | None:
    """Route a whole message that names a form, or asks for all of them, as a suggested prompt does."""
    if direct and asks_for_all(forms, draft, event):
        return Route("choose")
    mine = draft is None or (event.who == draft.owner and (not draft.open or _conversational(forms, draft)))
    named = _names(forms, event, by_title=draft is not None and draft.open) if mine else ""
    return Route("begin", named) if named and (direct or forms[named].channels == "thread") else None


def _names(forms: Mapping[str, Form], event: MessageReceived, *, by_title: bool) -> str:
    """Return the one form that the whole message names; in a conversation of operations, which may mean the word, by its title alone."""
    said = _plain(event.text)
    found: list[str] = []
    for called in (lambda form: form.titles,) if by_title else (lambda form: form.titles, form_names):
        found = found or [f.name for f in forms.values() if said in map(normalized, called(f))]
    return found[0] if len(found) == 1 else ""


def _plain(text: str) -> str:
    return normalized(text).strip(".!… ¡")


def is_title(form: Form, text: str) -> bool:
    """Return True if the whole text is the form's title, in any language."""
    return _plain(text) in map(normalized, form.titles)


def _conversational(forms: Mapping[str, Form], draft: Draft) -> bool:
    return draft.form in forms and forms[draft.form].conversational


def is_bare(form: Form, event: MessageReceived) -> bool:
    """Return True if the whole message names the form, or wishes for operations: what else wishes for a form may answer it ("buy")."""
    wish = wish_for({form.name: form}, event.text, whole=False)
    wished = wish is not None and not wish.rest
    titled = any(holds_quote(event.text, title) for title in form.titles)
    named = form.conversational and names_only(form, event.text)
    return not event.files and (is_title(form, event.text) or (wished and (form.conversational or titled)) or named)


def agrees(text: str) -> bool:
    """Return True if the whole message says yes, in any language, to what was offered: to hear an answer and give thanks ("ok thanks") does not."""
    for name in LANGUAGES:
        context = Context(name, "")
        parts = (text[c[0].start : c[-1].end] for c in clauses(masked(text), context.language))
        plain = (first_word(part, context) is True or no_answer(part, context) is None for part in parts)
        if is_acceptance(text, name) and any(plain):
            return True
    return False


def begun_in(workflow: Workflow, text: str, locale: str) -> Form:
    """Return the form for who asks for it: in the language of the words by which they do, or of the text, else in their own."""
    said = [name for name, words in workflow.called.items() if any(holds_quote(text, word) for word in words)]
    return workflow.spoken_in(typed_in(text, said[0] if len(said) == 1 else locale))


def asks_for_all(forms: Mapping[str, Form], draft: Draft | None, event: MessageReceived) -> bool:
    """Return True if the whole message asks which forms there are, or what the bot does; an open draft may have a use for the same words."""
    if draft is None or not draft.open or draft.form not in forms:
        return asks_for(event.text, "commands.forms", "commands.abilities")
    return _conversational(forms, draft) and asks_for(event.text, "commands.forms")


def asks_for(text: str, *entries: str) -> bool:
    """Return True if the whole message is one of these phrases of any language, with a greeting or a courtesy around it."""
    for spoken in LANGUAGES.values():
        around = listed(spoken, "small_talk.greetings", "polite")
        row = without_tails(without_leads(tokens(masked(text), spoken), around), around)
        if (hit := listed(spoken, *entries).at(row, 0)) and hit[0] == len(row):
            return True
    return False


def greeting(
    forms: Mapping[str, Form], draft: Draft | None, event: DraftEvent, *, again: bool = False
) -> Literal["", "hello", "hello_unplaced", "still_unplaced"]:
    """Return how the choice of forms greets: what the bot does, or, where words tell something, that no form is plain from them.

    `again`: words just before met the same choice.
    """
    if not isinstance(event, MessageReceived):
        return ""
    if asks_for(event.text, "commands.abilities"):
        return "hello"
    if draft is not None and not _is_over(forms, draft, event):
        return ""
    tells = any(_takes(form, event.text, event.at[:10]) for form in forms.values())
    return "hello" if not tells else "still_unplaced" if again else "hello_unplaced"


def first_words(form: Form, text: str, today: str) -> str:
    """Return what a form takes of the message that begins it: nothing of a greeting, a title or a bare wish, else all but the wish."""
    if is_title(form, text):
        return ""
    wish = wish_for({form.name: form}, text, whole=False)
    if wish is not None:
        return wish.rest
    return text if _takes(form, text, today) else ""


def _takes(form: Form, text: str, today: str) -> bool:
    """Return True if the words may be meant for the form: small talk is for none, and a question for one that reads something in it."""
    context = Context(form.language, today)
    if leads_nowhere(form.language, text):
        return False
    idle = no_answer(text, context)
    empty = begin(form, "", "", "", "", today)
    return not idle or (idle is NoAnswer.QUESTION and bool(read_open(form, empty, text, "", context).calls))


def _another(forms: Mapping[str, Form], draft: Draft, event: MessageReceived) -> str:
    """Return the form that the whole message wishes for beside the present draft's, where that draft leaves room for it.

    A conversation of operations leaves room at any time, and so does a closed draft; one that is being filled in does not.
    """
    here = forms.get(draft.form)
    if event.who != draft.owner or here is None or (draft.open and not here.conversational):
        return ""
    wish = wish_for(forms, event.text, here)
    return wish.forms[0] if wish and len(wish.forms) == 1 else ""


MOST_WISHED = 3
"""Forms that are offered at a time."""


def _wished(forms: Mapping[str, Form], draft: Draft, event: MessageReceived, *, direct: bool) -> tuple[str, ...]:
    """Return forms that a click goes over to, for words of the draft's owner that wish for them, or that are those of another form.

    An order, or a worse answer, is heard as what it is. What tells a request anew while it is not known what was done with
    what was approved may be either: a click says.
    """
    form = forms.get(draft.form)
    if form is None or event.who != draft.owner or event.files:
        return ()
    context = Context(form.language, day_of(event.at, draft.zone))
    if read_command(event.text, form.language) or _discloses(form, draft, event.text, context):
        return ()
    loosely = form.conversational or not draft.open
    asked = form.fields.get(draft.asked)
    wish = wish_for(forms, event.text, form, whole=not loosely, bare=asked is None or is_closed(asked))
    found = wish.forms if wish else ()
    if form.conversational and not found and not read_operations(form, draft, event.text, "", context).calls:
        found = tuple(name for name in asked_for(forms, event.text) if name != draft.form)
    if not draft.open and not found and awaits_report(form, draft):
        found = tuple(name for name in asked_for(forms, event.text) if _tells(forms[name], draft, event, context))
    return tuple(name for name in found if direct or forms[name].channels == "thread")[:MOST_WISHED]


def _begin(forms: Mapping[str, Form], draft: Draft | None, named: str) -> Route:
    if draft is not None and draft.open and (named == draft.form or (not named and len(forms) == 1)):
        return Route("use")
    form = named or (next(iter(forms)) if len(forms) == 1 else "")
    return Route("begin", form) if form in forms else Route("choose")


def _anew(forms: Mapping[str, Form], draft: Draft, event: MessageReceived) -> bool:
    """After a draft is closed, a message that tells two things of a form, or wishes for it again, begins a new one.

    A command, a question, a word of thanks or a disclosure is still about the old one; and so is whatever is said, but for
    "another one" and a plain wish, while it is not known what was done with what was approved.
    """
    form = forms.get(draft.form)
    if draft.open or form is None or event.who != draft.owner:
        return False
    context = Context(form.language, day_of(event.at, draft.zone))
    if read_command(event.text, form.language):
        return False
    if awaits_report(form, draft) and not begins_with_wish(event.text, language_of(form.language)):
        return wants_another(form, event.text)
    about_old = _discloses(form, draft, event.text, context) and not _names_another(form, draft, event, context)
    if about_old or _wishes_again(form, draft, event.text):
        return not about_old
    return any(_tells(forms[name], draft, event, context) for name in asked_for(forms, event.text))


def _is_over(forms: Mapping[str, Form], draft: Draft, event: MessageReceived) -> bool:
    """Return True if a draft was called off before it was filed, and its owner tells something that is neither a disclosure nor about it."""
    form = forms.get(draft.form)
    if form is None or draft.status is not Status.CANCELLED or draft.filed.number or event.who != draft.owner:
        return False
    context = Context(form.language, day_of(event.at, draft.zone))
    about_old = topics_in(form, event.text, context) or _discloses(form, draft, event.text, context)
    return no_answer(event.text, context) is None and not about_old


def _wishes_again(form: Form, draft: Draft, text: str) -> bool:
    """Return True if the words wish for the form once more. Where it was filed, a longer sentence may be about that: only the whole counts."""
    filed = draft.status is not Status.CANCELLED
    return wants_another(form, text) or wish_for({form.name: form}, text, whole=filed) is not None


def _discloses(form: Form, draft: Draft, text: str, context: Context) -> bool:
    """Return True if the words tell a worse answer for sure."""
    fields = scope(form, draft).disclosable
    return any(told.sure for field in fields for told in worse_told(field, text, context, draft))


def _names_another(form: Form, draft: Draft, event: MessageReceived, context: Context) -> bool:
    """Return True if the words ask for another thing than the draft is about ("buy 50 Vodafone for my wife" after Tesco)."""
    calls = _read_anew(form, event.text, event.at, context)
    sought = {n: str(v) for call in calls for n, v in (call.arguments or {}).items() if n in form.fields}
    called = {n: {normalized(name) for name in names} for n, names in names_of(draft, context).items()}
    return len(calls) >= TELLING and any(n in called and normalized(v) not in called[n] for n, v in sought.items())


def _tells(form: Form, draft: Draft, event: MessageReceived, context: Context) -> bool:
    return len(_read_anew(form, event.text, event.at, context)) >= TELLING


def _read_anew(form: Form, text: str, at: str, context: Context) -> list[ToolCall]:
    """Return what the words would set in an empty draft."""
    empty, tools = begin(form, "", "", "", "", at), tools_of(form)
    return [call for call in read_open(form, empty, text, "", context).calls if call.tool in tools]


def answers_in(form: Form, text: str, at: str) -> int:
    """Return how many answers the form reads in the words, but for things that are looked up and texts, which any words may be."""
    context = Context(form.language, at[:10])
    if form.conversational:
        calls = read_operations(form, begin(form, "", "", "", "", at), text, "", context).calls
        return sum(len(call.arguments or {}) for call in calls if call.tool in form.operations)
    told = (call.arguments or {} for call in _read_anew(form, text, at, context))
    free = {name for name, field in form.fields.items() if kind_of(field).verbatim or kind_of(field).searchable}
    return len({str(given.get("words")) for given in told if not given.keys() & free})


MOST, SHORTEST = 50, 3
"""Requests of one person that are looked through; letters of a name by which one of them is told from the others."""


async def approved_meant(
    store: Store, workflows: Mapping[str, Workflow], incoming: InboxRow, event: DraftEvent, known: Known | None
) -> tuple[Known | None, DraftEvent]:
    """Return the request that is meant, and the event with the numbers of others that could be; as they were where nothing is open to doubt."""
    named = incoming.body.get("draft") or incoming.body.get("form")
    if not isinstance(event, MessageReceived) or named or (known is not None and _busy(workflows, known.draft, event)):
        return known, event
    if not any(_may_tell(w.form, event, known) for w in workflows.values()):
        return known, event
    stored = await store.drafts_of(incoming.person, MOST, Status.SUBMITTED)
    mine = [Known(s, decode_draft(s.body)) for s in stored if s.body and s.conversation == incoming.conversation]
    here = [(k, workflows[k.draft.form].form_of(k.draft)) for k in mine if k.draft.form in workflows]
    found = [k for k, form in here if tells_of_doing({k.draft.form: form}, k.draft, event)]
    about = _named(workflows, found or [k for k, form in here if may_report(form, k.draft)], event)
    if not found:
        return (about[0] if len(about) == 1 else known), event
    meant = about or _first(found, event)
    return meant[0], replace(event, others=tuple(k.draft.filed.number for k in meant[1:]))


def _may_tell(form: Form, event: MessageReceived, known: Known | None) -> bool:
    """Return True for files, for a whole utterance, and for words after a closed request, which may name another one."""
    whole = bool(event.files) or told_of(event.text, language_of(form.language)) is not None
    return form.filing.report is not None and (whole or (known is not None and not known.draft.open))


def _busy(workflows: Mapping[str, Workflow], draft: Draft, event: MessageReceived) -> bool:
    """Return True if what is being filled in has a use for the message: words answer it, a file only where it takes files."""
    form = workflows[draft.form].form if draft.form in workflows else None
    if not draft.open or form is None:
        return False
    takes = form.conversational or any(kind_of(field).by_file for field in form.fields.values())
    return takes or not event.files


def _first(found: list[Known], event: MessageReceived) -> list[Known]:
    """For words those that are approved and that nothing was reported of; for files those that were reported on, else those."""
    fresh = [k for k in found if not k.draft.filed.reports and k.draft.filed.valid_until]
    told = [k for k in found if k.draft.filed.reports]
    return (told if event.files else fresh) or fresh or found


def _named(workflows: Mapping[str, Workflow], found: Iterable[Known], event: MessageReceived) -> list[Known]:
    """Return those that the words, or the names of the files, name: by their number, or by what they are about."""
    said = normalized(" ".join((event.text, *(file.name.replace("_", " ") for file in event.files))))
    numbered = [k for k in found if k.draft.filed.number and normalized(k.draft.filed.number) in said]
    about = [k for k in found if any(name in said for name in _names_request(workflows[k.draft.form].form, k.draft))]
    return numbered or about


def _names_request(form: Form, draft: Draft) -> list[str]:
    """Return what a request is about as people call it: the first word of what was picked from results."""
    labels = (draft.values[n].label for n, f in form.fields.items() if kind_of(f).searchable and n in draft.values)
    words = (normalized(label).split()[0] for label in labels if label.strip())
    return [word for word in words if len(word) >= SHORTEST]


log = structlog.get_logger("holdfast.turn")


@dataclass(frozen=True)
class Question:
    """A command of a form, and what it is about. Without a form: the person's requests of all forms."""

    form: str
    name: str
    rest: str


def question_in(workflows: Mapping[str, Workflow], text: str, only: str = "") -> Question | None:
    """Return the first form's command that the whole text gives; of one form alone where it is named."""
    for name, workflow in workflows.items():
        found = read_form_command(workflow.form, text) if only in ("", name) else None
        if found is not None:
            return Question(name, *found)
    return None


def asked_about(workflow: Workflow, text: str, today: str) -> str:
    """Return what a question to the form tells of what may be filed: the choices that it names, and the thing."""
    form, asked = workflow.form, read_form_command(workflow.form, text)
    if (
        asked is None
        or not form.commands[asked[0]].about
        or record_number(form, asked[1])
        or names_nothing(form.language, asked[1])
    ):
        return ""
    context = Context(form.language, today)
    chosen = (r for f in form.fields.values() if f.choices for r in kind_of(f).find(f, text, context))
    return " ".join((*(text[r.start : r.end] for r in chosen), asked[1]))


def aside(
    workflows: Mapping[str, Workflow], draft: Draft | None, event: DraftEvent, *, direct: bool
) -> Question | None:
    """Return a question that is none to the present draft's form: asked before any form, beside another one, or where others read along."""
    if not isinstance(event, MessageReceived) or event.files:
        return None
    if draft is not None and (draft.handed or event.who != draft.owner):  # the words are for somebody else
        return None
    here, found = workflows.get(draft.form) if draft is not None else None, question_in(workflows, event.text)
    if draft is None or not draft.open or (here is not None and here.form.conversational):
        asks = read_command(event.text, EVERYWHERE) is SpokenCommand.MY_REQUESTS
        forms = [workflow.form for workflow in workflows.values() if draft is None]
        asks = asks or any(topics_in(f, event.text, Context(forms[0].language, "")) == (Topic.STATE,) for f in forms)
        if asks or (found is not None and found.name == MY_REQUESTS):
            return Question("", MY_REQUESTS, "")
    if here is not None and (own := read_form_command(here.form, event.text)):
        again = Question(here.form.name, *own) if draft is not None and not draft.open else None
        return again if again and _found(here, again) else None
    if found is None or not (direct and draft is not None and draft.open):
        return found
    return found if _certain(workflows[found.form], found) else None


def _certain(workflow: Workflow, asked: Question) -> bool:
    """Return True if the words can mean nothing else: they name a record of the form, or what its look-up finds."""
    return bool(record_number(workflow.form, asked.rest)) or _found(workflow, asked)


def _found(workflow: Workflow, asked: Question) -> bool:
    """Return True if a look-up finds what the question is about."""
    about = workflow.form.commands[asked.name].about
    try:
        return about is not None and bool(asked.rest) and workflow.rules.finds(about, asked.rest)
    except FormFault as fault:
        log.error("form_failed", form=asked.form, what=fault.what, exc_info=fault)
        return False
