"""What is taken out, and which tests should fall. A guard is found by its words, wherever in the product they stand."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """One guard less. `ways` are (words that stand exactly once in the product, what stands there instead): the first that fits is taken.

    `keeps` are numbers of the invariants in the design that the guard serves. `tests` are what is run: files, or one test of a file.
    """

    guard: str
    keeps: tuple[int, ...]
    ways: tuple[tuple[str, str], ...]
    tests: tuple[str, ...]


def mute(head: str, instead: str = "return None") -> tuple[str, str]:
    """A function that answers at once, by its line of definition."""
    return f"{head}\n", f"{head}\n    {instead}\n"


GUARDS, WALK = "tests/state/test_guards.py", "tests/state/test_invariants.py"
ONCE, TALK = "tests/whole/test_once.py", "tests/whole/test_conversation.py"


def _judge(name: str, *keeps: int) -> Mutant:
    """One of the tuple of guards."""
    return Mutant(f"guard: {name}", keeps, (mute(f"def {name}(case: Case) -> Rejection | None:"),), (GUARDS,))


JUDGES = (
    _judge("by_owner", 10),
    _judge("while_open", 1, 5),
    _judge("unlocked", 1),
    _judge("unfilled", 1),
    _judge("within_stage", 4),
    _judge("readable", 2),
    _judge("grounded", 2, 14),
    _judge("by_its_rules", 2),
)
CORE = (
    Mutant(
        "only the owner's click counts",
        (1, 10),
        (
            (
                '    if event.who != work.draft.owner:\n        work.do(Whisper(event.who, Line("not_yours")))',
                "    if False:\n        pass",
            ),
        ),
        (WALK, f"{ONCE}::test_another_persons_click_is_told_off_in_private"),
    ),
    Mutant(
        "only the open card's button answers",
        (1,),
        (
            (
                "if field is None or card is None or card.id != event.card or card.field != event.field:",
                "if field is None:",
            ),
        ),
        (WALK, f"{ONCE}::test_a_stale_card_changes_nothing_and_says_so"),
    ),
    Mutant(
        "consent is to the hash that the card showed",
        (5,),
        (('same = shown_now and event.hash == draft.hash == (card.hash if card else "")', "same = True"),),
        (WALK, f"{ONCE}::test_an_edit_voids_the_review_that_was_on_screen"),
    ),
    Mutant(
        "nothing is filed after a disclosure",
        (5,),
        (("or draft.disclosures or draft.proposal:", "or draft.proposal:"),),
        (WALK, f"{TALK}::test_a_worse_disclosure_is_never_blocked"),
    ),
    Mutant(
        "a reply to an earlier turn is dropped",
        (6, 12),
        (("    if event.turn != work.draft.turn:\n        drop_calls", "    if False:\n        drop_calls"),),
        (WALK, "tests/state/test_tool_log.py"),
    ),
    Mutant(
        "an answer locks by its field's rule",
        (1,),
        (mute("def locks(field: Field, value: Value) -> bool:", "return False"),),
        (GUARDS, WALK, "tests/whole/test_known_bugs.py"),
    ),
    Mutant(
        "settling retires what no longer counts",
        (4,),
        (mute("def _retire_unreachable(work: Work) -> None:", "return"),),
        (WALK, f"{TALK}::test_a_derivative_needs_its_own_reason_and_loses_it_when_it_is_none"),
    ),
    Mutant(
        "a new answer retires what was about the old one",
        (4,),
        (mute("def _retire_dependents(work: Work, name: str) -> None:", "return"),),
        (WALK, f"{TALK}::test_a_changed_security_asks_again_what_was_about_it"),
    ),
    Mutant(
        "a quote stands in what the person said",
        (2, 14),
        (mute("def holds_quote(text: str, quote: str) -> bool:", "return True"),),
        (GUARDS, WALK),
    ),
    Mutant(
        "acts that code wrote down ground nothing",
        (2,),
        (('draft.window) if s.role == "user" and not s.clicked)', 'draft.window) if s.role == "user")'),),
        (GUARDS,),
    ),
    Mutant(
        "at most twelve calls of a turn are looked at",
        (12,),
        (("if before + i >= MOST else", "if False else"),),
        ("tests/whole/test_vehicle_case.py::test_no_more_than_twelve_calls_of_a_turn_are_looked_at",),
    ),
    Mutant(
        "the same call three times ends the turn",
        (12,),
        (mute("def looping(rounds: tuple[Round, ...]) -> bool:", "return False"),),
        ("tests/whole/test_loops.py",),
    ),
    Mutant(
        "speech is held against the draft",
        (15,),
        (mute("def flaw(form: Form, draft: Draft, text: str) -> str:", 'return ""'),),
        ("tests/state/test_claims.py", "tests/whole/test_known_bugs.py"),
    ),
    Mutant(
        "speech is held to the persona",
        (15,),
        (mute("def drift(form: Form, rules: Rules, draft: Draft, text: str) -> str:", 'return ""'),),
        ("tests/state/test_persona.py",),
    ),
    Mutant(
        "an operation is for those who hold its role",
        (9, 10),
        (mute("def may_call(identity: Identity, operation: Operation) -> bool:", "return True"),),
        ("tests/operations",),
    ),
    Mutant(
        "a row is within its own people's reach",
        (10,),
        (mute("def may_touch(identity: Identity, tenant: str, owner: str) -> bool:", "return True"),),
        ("tests/operations",),
    ),
    Mutant(
        "an operation waits for a click where it says so",
        (3,),
        (
            mute(
                "def needs_confirmation(operation: Operation, *, inferred: bool, several: bool, warned: bool) -> bool:",
                "return False",
            ),
        ),
        ("tests/operations",),
    ),
)
STORES = (
    Mutant(
        "a write carries the lease's token",
        (7,),
        (('leases.c.token == bindparam("held"), ', ""),),
        ("tests/stores/test_leases.py",),
    ),
    Mutant(
        "a lane that is held is not taken",
        (7,),
        (
            (
                "    free = or_(leases.c.until.is_(None), leases.c.until < clock())\n    again =",
                "    free = leases.c.token > 0\n    again =",
            ),
        ),
        ("tests/stores/test_leases.py",),
    ),
    Mutant(
        "an event that is known is not received again",
        (6,),
        (("index = vault.index(incoming.key)", "index = vault.index(f'{incoming.key}{id(incoming)}')"),),
        ("tests/stores/test_inbox.py",),
    ),
    Mutant(
        "a draft is filed once",
        (5,),
        (("if filed.rowcount != 1:", "if False:"),),
        ("tests/stores/test_records.py",),
    ),
    Mutant(
        "an event is written with its draft",
        (8,),
        (mute("def belong(work: Work) -> None:", "return"),),
        ("tests/stores/test_drafts.py", "tests/stores/test_tool_calls.py"),
    ),
    Mutant(
        "revisions follow each other without gaps",
        (7, 8),
        (mute("def follow(before: int, events: Sequence[Happened], draft: Stored) -> None:", "return"),),
        ("tests/stores/test_drafts.py",),
    ),
    Mutant(
        "a link holds the hash of what it says",
        (17,),
        (("if link.hash != link_hash(link):", "if False:"),),
        ("tests/stores/test_chain.py",),
    ),
    Mutant(
        "a link holds the hash of the one before",
        (17,),
        (("if link.previous != head:", "if False:"),),
        ("tests/stores/test_chain.py",),
    ),
    Mutant(
        "an erased draft is written no more",
        (10,),
        (("if row and row.sealed_by != owner.id:", "if False:"),),
        ("tests/stores/test_erasure.py",),
    ),
    Mutant(
        "an erasure destroys the person's key",
        (10, 13),
        (("            await _destroy_key(transaction, owner.id)\n", ""),),
        ("tests/stores/test_erasure.py",),
    ),
    Mutant(
        "what is overwritten is overwritten on the disk",
        (13,),
        (('"secure_delete=ON"', '"secure_delete=OFF"'),),
        ("tests/stores/test_sql.py::test_sqlite_is_opened_for_keeps",),
    ),
    Mutant(
        "a commit is on the disk",
        (6,),
        (('"synchronous=FULL"', '"synchronous=OFF"'),),
        ("tests/stores/test_sql.py::test_sqlite_is_opened_for_keeps",),
    ),
)
SHELL = (
    Mutant(
        "a post that may stand there is looked for first",
        (11,),
        (('ts = await self._delivered(client, row) if row.attempts else ""', 'ts = ""'),),
        (f"{ONCE}::test_an_unclear_outcome_is_looked_up_before_it_is_posted_again",),
    ),
    Mutant(
        "a draft is of its own tenant",
        (10,),
        (('return stored if stored and stored.body.get("tenant") == tenant else None', "return stored"),),
        ("tests/bot/test_engine.py",),
    ),
    Mutant(
        "what people wrote is struck from the log",
        (13,),
        (("if name not in PRIVATE}", "if name}"),),
        ("tests/whole/test_private.py",),
    ),
    Mutant(
        "an exception is logged without its text",
        (13,),
        (("            _trace_without_values,\n", ""),),
        ("tests/whole/test_private.py",),
    ),
    Mutant(
        "a person cannot write the operator's mark",
        (15,),
        (("while (softer := _BRACKETED.sub(_soften, text)) != text:", "while False:"),),
        ("tests/model/test_marking.py",),
    ),
    Mutant(
        "a person cannot write a mark of the house",
        (15,),
        (("return _without_verdicts(text if _OPENING.isdisjoint(text) else _softened(text))", "return text"),),
        ("tests/prompts/test_prompt_marks.py",),
    ),
    Mutant(
        "what people wrote rings no bell",
        (13,),
        (mute("def escape(text: str, limit: int = SECTION) -> str:", "return text[:limit]"),),
        ("tests/blocks/test_blocks_text.py",),
    ),
    Mutant(
        "a proposal is confirmed as it was shown",
        (3, 5),
        (('if _seen(plans) != pending.body["seen"]:', "if False:"),),
        ("tests/operations/test_service.py",),
    ),
)
MUTANTS = (*JUDGES, *CORE, *STORES, *SHELL)
