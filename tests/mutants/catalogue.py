"""What is taken out, and which tests should fall. A guard is found by its words, wherever in the product they stand."""

from dataclasses import dataclass

from tests.mutants.cuts import Cut, Function, Words


@dataclass(frozen=True)
class Mutant:
    """One guard less. `cut` fits in exactly one place of the product.

    `keeps` are numbers of the invariants in the design that the guard serves. `tests` are what is run: files, or one test of a file.
    """

    guard: str
    keeps: tuple[int, ...]
    cut: Cut
    tests: tuple[str, ...]


UNLISTED, UNLISTED_TRADES = "tests/state/test_unlisted.py", "tests/workflows/test_pa_dealing_unlisted.py"
GUARDS, WALK = "tests/state/test_guards.py", "tests/state/test_invariants.py"
FREE_WORDS = "tests/operations/test_free_words.py"
NOTES, FILES = "tests/workflows/test_pa_dealing_notes.py", "tests/documents/test_document_extracting.py"
FAULTS, PAPERS_TAKEN = "tests/whole/test_form_faults.py", "tests/documents/test_document_known.py"
USELESS, LINES = "tests/state/test_useless_models.py", "tests/operations/test_lines.py"
ON, TURNS = "tests/state/test_asked_on.py", "tests/corpus/test_turns.py"
ONCE, TALK = "tests/whole/test_once.py", "tests/whole/test_conversation.py"


def _judge(name: str, *keeps: int, says: str = "") -> Mutant:
    """One of the tuple of guards."""
    return Mutant(f"guard: {name}", keeps, Function(name, says=says), (GUARDS,))


def _each(kind: str, tests: str, **keeps: tuple[int, ...]) -> tuple[Mutant, ...]:
    """Guards that are functions of a kind's own, in the tests of that kind."""
    return tuple(Mutant(f"{kind}: {name}", kept, Function(name), (tests,)) for name, kept in keeps.items())


JUDGES = (
    _judge("by_owner", 10),
    _judge("while_open", 1, 5),
    _judge("unlocked", 1),
    _judge("unfilled", 1, says="Refuse a filled field"),
    Mutant("guard: by_hand", (3,), Function("by_hand"), ("tests/state/test_query.py",)),
    _judge("within_stage", 4),
    _judge("readable", 2),
    _judge("grounded", 2, 14),
    _judge("by_its_rules", 2),
)
DECIDING, ASKING = "tests/state/test_decisions.py", "tests/state/test_ask_for_more.py"
VERDICTS = _each(
    "verdict", DECIDING,
    still_open=(5, 9), as_shown=(5,), roles_known=(9,), no_auditor=(9,), not_their_own=(9,), once_only=(9,), holds_role=(9,),
    of_this_state=(9,), reason_given=(9,), conditions_allowed=(9,),
)  # fmt: skip
QUESTIONS = _each("verdict", ASKING, fields_named=(5, 9), words_given=(12,))
DOING = "tests/state/test_execution.py"
REPORTS = _each(
    "report", DOING, report_by_its_owner=(10,), report_still_open=(1, 9), report_as_opened=(5, 6), report_readable=(2,)
)
CASES = _each(
    "case", DOING,
    case_waits=(5, 9), case_as_shown=(5,), case_roles_known=(9,), case_no_auditor=(9,), case_not_their_own=(9,), case_holds_role=(9,),
    case_reason_given=(9,),
)  # fmt: skip
EXECUTION = (
    *REPORTS,
    *CASES,
    Mutant("a note's figures are the report's within the tolerance", (2,), Function("figures_agree", "return True"), (DOING,)),
    Mutant("a note that may be read in two ways is a person's", (2,), Words(r"if reading\.doubts or not wanted or", "if not wanted or"), (NOTES,)),
    Mutant("what was on screen is declared", (2, 5), Words(r"declares = card\.declares  #", "pass  #"), ("tests/state/test_declarations.py",)),
    Mutant("a note is held against the approval", (5,), Words(r"if len\(found\) > len\(known\)", "if False"), (NOTES,)),
    Mutant("a note's amounts under unknown names are in doubt", (2,), Function("has_money", "return False"), (NOTES,)),
    Mutant("text that nobody sees is not read", (2,), Function("_is_seen", "return True"), (FILES,)),
    Mutant("what a form's Python raises is a fault of the form", (6,), Function("_as_fault", "return problem"), (FAULTS,)),
    Mutant("a file that looks like another is taken by a click alone", (2,), Function("_doubted", "return False"), (PAPERS_TAKEN,)),
    Mutant("the same file is not taken twice", (2,), Function("_sent_before", "return []"), (PAPERS_TAKEN,)),
    Mutant("a file that was taken against its reading is marked", (15,), Words(r"sure=value\.sure\)", "sure=True)"), (PAPERS_TAKEN,)),
    Mutant(
        "a search that finds nothing is in vain", (17,),
        Words(r"turns_in_vain \+ 1\)\)\n        if needs", "turns_in_vain))\n        if needs"), (UNLISTED,),
    ),
    Mutant("only what was searched for is not in the list", (2,), Function("can_be_unlisted", "return True"), (UNLISTED,)),
    Mutant("no code is invented for a button", (2,), Words(r"check_digit=True, offered=False", "check_digit=True"), (UNLISTED,)),
    Mutant("what the list holds is not called unlisted", (2,), Function("_in_list", "return"), (UNLISTED,)),
    Mutant("what no list holds goes to people", (3,), Words(r'if facts\.get\("unlisted"\):', "if False:"), (UNLISTED_TRADES,)),
    Mutant("a breach is opened for what was done otherwise", (5,), Function("breached_by_day", "return"), (DOING,)),
    Mutant(
        "a reviewer's private reason is no answer to their requester", (15,),
        Words(r'Phrase\("after_wrote", \{"words": last\.note\}\)', 'Phrase("after_wrote", {"words": last.reason})'), ("tests/state/test_topics.py",),
    ),
    Mutant("more than was approved is a breach", (5,), Function("breached_by_figures", "return"), (DOING,)),
)  # fmt: skip
CORE = (
    Mutant(
        "a bare figure sets no field that was neither asked nor named", (2, 14),
        Function("is_explained", instead="return True"), ("tests/state/test_verification.py",),
    ),
    Mutant(
        "a choice that does not fit is named, and not taken", (12, 15),
        Function("misfit", says="Name the choices"), ("tests/workflows/test_vehicle_case_rules.py",),
    ),
    Mutant(
        "what answers another question alone is not taken for the asked one", (2, 14),
        Function("opens_another"), ("tests/state/test_verification.py",),
    ),
    Mutant(
        "a correction is no answer to an open yes/no question", (2, 14),
        Words(r"not corrects or polar\.holds\(row\)", "True"),
        ("tests/state/test_useless_models.py::test_a_correction_is_read_whatever_a_model_reads_in_it",),
    ),
    Mutant(
        "a model's correction hides none that the words plainly make", (2, 14),
        Words(r"c\.tool != CORRECT or \(c\.arg", "True or (c.arg"),
        ("tests/state/test_useless_models.py::test_a_correction_is_read_whatever_a_model_reads_in_it",),
    ),
    Mutant(
        "a model hands nobody over who answers", (17,),
        Words(r"== RULES or called\)", '== RULES or turn.form.stuck == "hand_over")'),
        ("tests/state/test_useless_models.py::test_a_model_hands_nobody_over_who_answers",),
    ),
    Mutant(
        "a value that is put aside is not offered", (14,),
        Function("is_denied", instead="return False"), ("tests/corpus/test_turns.py::test_a_value_that_is_put_aside_is_not_offered",),
    ),
    Mutant(
        "money that came back adds nothing", (15,),
        Words(r"adds\(operation\) and tells_refund", "False and tells_refund"), ("tests/workflows/test_scenarios.py",),
    ),
    Mutant("figures alone are no name", (14,), Words(r"\s+and \(any\(map.*CODE\)", ""), ("tests/corpus/test_turns.py::test_a_sentence_is_no_name",)),
    Mutant(
        "a yes takes what can be meant by it alone", (14,),
        Words(r"len\(read\) < len\(shown_on.*?\) or", ""),
        ("tests/state/test_offers.py::test_a_yes_beside_what_may_be_meant_otherwise_takes_nothing",),
    ),
    Mutant(
        "a sentence is no name", (14,),
        Function("is_whole_text", instead="return True"), ("tests/corpus/test_turns.py::test_a_sentence_is_no_name",),
    ),
    Mutant(
        "a locked or declared answer is changed by a click alone", (1,),
        Function("_by_click", instead="return False"), ("tests/corpus/test_typed_at_a_change.py::test_of_a_locked_answer_words_change_nothing",),
    ),
    Mutant(
        "only the owner's click counts", (1, 10),
        Words(r'event\.who != \w+\.draft\.owner(?=:\n\s+\w+\.do\(Ephemeral\(event\.who, \w+\("not_yours")', "False"),
        (WALK, f"{ONCE}::test_another_persons_click_is_told_off_in_private"),
    ),
    Mutant(
        "only the open card's button answers", (1,),
        Words(r"several or \(card\.id, card\.field\) == \(event\.card, event\.field\)", "True"),
        (WALK, f"{ONCE}::test_a_stale_card_changes_nothing_and_says_so"),
    ),
    Mutant(
        "consent is to the hash that the card showed", (5,),
        Words(r"\w+ and event\.hash == draft\.hash == \(card\.hash if card else \"\"\)", "True"),
        (WALK, f"{ONCE}::test_an_edit_voids_the_review_that_was_on_screen"),
    ),
    Mutant(
        "a step without a quote is borne by the newest message", (3,),
        Function("speaks_against", instead="return False"),
        ("tests/whole/test_dialects.py::test_a_step_without_a_quote_has_to_be_borne_by_the_newest_message",),
    ),
    Mutant(
        "an action among a model's words is no word", (12,),
        Function("reads_as_code", instead="return False"), ("tests/model/test_dialects.py::test_a_mangled_action_is_no_word_for_a_person",),
    ),
    Mutant(
        "a worse disclosure stops the request", (5,),
        Function("disclose", "return", says="stop the request"), (f"{TALK}::test_a_worse_disclosure_is_never_blocked",),
    ),
    Mutant("a reply to an earlier turn is dropped", (6, 12), Words(r"event\.turn != \w+\.draft\.turn(?=:\n\s+drop_calls)", "False"), (WALK, GUARDS)),
    Mutant(
        "an answer locks by its field's rule", (1,),
        Function("locks", "return False", says="locks as soon"),
        (GUARDS, WALK, "tests/whole/test_models.py::test_a_locked_justification_is_refused_with_its_reason"),
    ),
    Mutant(
        "settling retires what no longer counts", (4,),
        Words(r"(?<=while gone := )(?:set\(\w+\.draft\.values\) - .+|\[name for name in sorted.+)(?=:\n)", "()"),
        (WALK, f"{TALK}::test_a_derivative_needs_its_own_reason_and_loses_it_when_it_is_none"),
    ),
    Mutant(
        "a new answer retires what was about the old one", (4,),
        Words(r"\w+\.form\.dependents\(name\)", "()"), (WALK, f"{TALK}::test_a_changed_security_asks_again_what_was_about_it"),
    ),
    Mutant("a quote stands in what the person said", (2, 14), Function("holds_quote", "return True"), (GUARDS, WALK)),
    Mutant(
        "acts that code wrote down ground nothing", (2,),
        Words(r'(?<=draft\.window\) if s\.role == "user") and not s\.clicked(?=\))', ""), (GUARDS,),
    ),
    Mutant(
        "at most twelve calls of a turn are looked at", (12,),
        Words(r"before \+ i >= MOST", "False"), ("tests/whole/test_vehicle_case.py::test_no_more_than_twelve_calls_of_a_turn_are_looked_at",),
    ),
    Mutant(
        "the same call three times ends the turn", (12,),
        Function("looping", "return False"),
        ("tests/whole/test_models.py::test_the_same_call_three_times_ends_in_the_question_and_then_in_an_offer",),
    ),
    Mutant(
        "a model's words are shown only where it may ask", (15,),
        Function("words_flaw", 'return ""'), ("tests/speech/test_speech_acts.py", "tests/state/test_persona.py"),
    ),
    Mutant(
        "a question of a model's is held to the persona", (15,),
        Function("_manner", 'return ""', says="how it is put"), ("tests/state/test_persona.py",),
    ),
    Mutant("a question of a model's is about a gap", (4,), Function("_aim", 'return ""', says="what it is about"), ("tests/state/test_persona.py",)),
    Mutant("a question of a model's states nothing", (15,), Function("flaw_of_question", 'return ""'), ("tests/speech/test_questions.py",)),
    Mutant("an operation is for those who hold its role", (9, 10), Function("may_call", "return True"), ("tests/operations",)),
    Mutant("a row is within its own people's reach", (10,), Function("may_touch", "return True"), ("tests/operations",)),
    Mutant("an operation waits for a click where it says so", (3,), Function("needs_confirmation", "return False"), ("tests/operations",)),
    Mutant("words of an operation that are not read stop it", (14, 15), Function("left_over", 'return ""'), ("tests/operations/test_lines.py",)),
    Mutant("a day on the wrong side of today is not taken", (2,), Function("is_wrong", "return False"), ("tests/kinds/test_entries.py",)),
    Mutant("an operation wants words that ask for it", (3, 15), Function("_is_asked_for", "return True"), ("tests/operations/test_orders.py",)),
    Mutant(
        "of equal proposals the oldest is confirmed by what it holds", (5,),
        Words(r"return found\[-1\]", "return found[0]"), ("tests/chat/test_chat_contract.py",),
    ),
    Mutant("words of a model's name no figure but the person's", (15,), Function("_is_strange", "return False", says="a number"), (FREE_WORDS,)),
    Mutant(
        "words of a model's name no day, person or thing but the person's", (15,),
        Function("named", "return", says="nobody has said before"), (FREE_WORDS,),
    ),
    Mutant("words of a model's hold no link, mention or markup", (15,), Function("_is_marked", "return False"), (FREE_WORDS,)),
    Mutant("an answer is none to what wants something done", (15,), Function("_instead", 'return ""'), (FREE_WORDS,)),
    Mutant("a question of a model's is one", (15,), Function("is_question", "return True", says="its only question mark"), (FREE_WORDS,)),
    Mutant(
        "words of a model's stand above the true line", (15,),
        Words(r"(?<=say\(turn, \(Verbatim\(verdict\.text\),) NOTHING_DONE", ""), ("tests/operations/test_advance_operating.py",),
    ),
    Mutant(
        "words of a model's go out above the true line", (15,),
        Words(r"(?<=plain\(whose\.form, \(Verbatim\(verdict\.text\),) NOTHING_DONE", ""), ("tests/chat/test_seed_client.py",),
    ),
    Mutant(
        "what rules read in a model's place waits for a click", (3,),
        Words(r"suggested=j\.suggested or by_rules", "suggested=j.suggested"), ("tests/operations/test_advance_operating.py",),
    ),
    Mutant(
        "a key that is given twice makes no object", (2, 3),
        Function("without_doubles", "return dict(pairs)"), ("tests/chat/test_chat_contract.py", "tests/model/test_dialects.py"),
    ),
    Mutant("a question is about one thing", (15,), Function("_asks_several", "return False"), ("tests/state/test_persona.py",)),
    Mutant(
        "a line about the talk or the mood is no answer", (2,),
        Function("_is_aside", "return False"), ("tests/workflows/test_requirements_document.py",),
    ),
    Mutant("a list grows only by who wants it to", (2,), Function("_wants", "return True"), ("tests/reading/test_additions.py",)),
    Mutant("a choice that is denied is not read", (2,), Function("_is_excluded", "return False"), ("tests/kinds/test_values.py",)),
    Mutant(
        "a number in another unit is no answer", (2,),
        Words(r"elif size or not units:\n( +)yield", r"else:\n\1yield"), ("tests/kinds/test_values.py",),
    ),
    Mutant(
        "an answer to a question for a sum changes no other sum", (1,),
        Words(r"if not \(r\.named and r\.start in \[a\.start for a in answers\]\)", ""), ("tests/corpus/test_turns.py",),
    ),
    Mutant(
        "a card that calls itself the current one stays it", (17,),
        Words(r"here = card is not None(?= and not card\.hidden and context\.message_of)", "here = False"),
        ("tests/state/test_haste.py::test_a_person_who_is_always_one_click_behind_gets_through",),
    ),
    Mutant(
        "a reply has one retry, whoever asked for it", (17,),
        Words(r"call\.regenerated or read\.reply\.retried", "call.regenerated"), ("tests/chat/test_chat_models.py",),
    ),
    Mutant("a model is asked on for words that it left", (14,), Function("leaves_words", "return False"), (ON,)),
    Mutant(
        "what rules find besides counts as left", (14,),
        Words(r"(?<=not _quoted\(line\.text, quotes, turn\.context\))\s+or any\(", " or False and any("), (ON,),
    ),
    Mutant("the number of a row is no sum", (2,), Function("points", "return False", "the number of a row"), (LINES,)),
    Mutant("an order's word may begin a name", (2,), Function("begins_a_name", "return False"), (LINES,)),
    Mutant("two trades in one are none", (2,), Function("_swaps", "return False"), (TURNS,)),
    Mutant("a line that denies adds nothing", (2,), Function("_denies", "return False", "must not be"), (LINES,)),
    Mutant("a denial without its apostrophe denies", (2,), Function("_contractions", "return {}"), (TURNS,)),
    Mutant("the thing that is meant in the end is looked up", (2,), Function("_put_last", "return things"), (TURNS,)),
    Mutant("who something is for is told by their name", (14,), Function("named_person"), (TURNS,)),
    Mutant("what a model leaves of a line is read", (14, 17), Function("read_what_is_left", "return ()"), (USELESS,)),
    Mutant(
        "words answer a question alone", (14, 17),
        Words(r"is_asking\(line\.text, turn\.context\) and \(done\.explained or told\)", "done.explained or told"), (USELESS,),
    ),
    Mutant("a kind word stands above progress", (15,), Words(r"\(kind or s\.act not in SOCIAL\) and ", ""), (USELESS,)),
    Mutant("an excuse answers a question", (15,), Words(r" and \(heard or s\.act is not Act\.CANNOT_ANSWER\)", ""), (USELESS,)),
    Mutant(
        "a person who was offered does not hide the count", (17,),
        Words(r"return max\(count, patience\) if done\.offered_person else count", "return patience if done.offered_person else count"), (USELESS,),
    ),
    Mutant("a correction is in the words", (2, 14), Function("is_unsaid_text", "return False"), (USELESS,)),
    Mutant("half a model's name is in the words", (2, 14), Words(r" or len\(told & said\) \* 2 < len\(told\)", ""), (USELESS,)),
    Mutant("a name that a model gives to another question is not taken", (2, 14), Function("_gives_elsewhere", "return False"), (USELESS,)),
    Mutant("it is put back for both", (14,), Words(r"and case\.quotation and case\.quotation\.is_another_name", "and False"), (USELESS,)),
    Mutant("a model cancels nothing beside a plain answer", (17,), Function("_reads_more_than_answers", "return True"), (USELESS,)),
    Mutant(
        "words below a waiting text may be the question's", (14,),
        Function("_is_for_question", "return False"), ("tests/corpus/test_typed_at_a_change.py",),
    ),
    Mutant("what only agrees names nothing", (14,), Function("_names_nothing", "return False"), ("tests/corpus/test_turns.py",)),
    Mutant("days and small words are no name", (14,), Function("_is_hollow", "return False"), ("tests/corpus/test_turns.py",)),
    Mutant("words that set a field are no text later", (14,), Function("is_spent", "return False"), (USELESS, "tests/state/test_verification.py")),
    Mutant("a text is the person's own", (2, 14), Function("in_own_words", "return self", "not a letter"), (USELESS,)),
    Mutant("an offered text is the person's own", (2,), Words(r"return as_written\(heard, text\)", "return text if heard else ''"), (USELESS,)),
    Mutant(
        "a plain answer discloses nothing of another question", (14,),
        Words(r"if told is None and any\(p\.how", "if False and any(p.how"), (USELESS,),
    ),
    Mutant("a model's correction waits for a click", (1,), Words(r"plain = sure and \(.*", "plain = True"), (USELESS,)),
)  # fmt: skip
HASTY, DOOR = "tests/state/test_haste.py", "tests/whole/test_haste.py"
HASTE = (
    Mutant("an act counts on what could be read", (18,), Function("could_be_read", "return True"), (HASTY, DOOR)),
    Mutant("verdict: too_soon", (18,), Function("too_soon", says="before it was acted on"), (HASTY,)),
    Mutant("an act that cannot be undone wants reading", (18,), Function("is_final", "return False"), (HASTY,)),
    Mutant("words that may be meant for either question are put back", (14,), Function("answers_unread", "return False"), (HASTY,)),
    Mutant("Slack's answer is waited for before words are read", (14,), Words(r"end = self\._time\.clock\(\) \+ ANSWER", "end = 0.0"), (DOOR,)),
    Mutant("a double click is one act", (6,), Words(r"0 < moment - before <= WITHIN", "False"), (DOOR, "tests/bot/test_double_clicks.py")),
    Mutant(
        "an erasure wants reading", (18,),
        Words(r"is_final\(asked\.right\) and not could_be_read\(event\.clicked_at, event\.shown\)", "False"), ("tests/rights/test_asking.py",),
    ),
)  # fmt: skip
STORES = (
    Mutant("a write carries the lease's token", (7,), Words(r'leases\.c\.token == bindparam\("held"\), ', ""), ("tests/stores/test_leases.py",)),
    Mutant(
        "a lane that is held is not taken", (7,),
        Words(r"or_\(leases\.c\.until\.is_\(None\), leases\.c\.until < \w+\(\)\)(?=\n    again =)", "leases.c.token > 0"),
        ("tests/stores/test_leases.py",),
    ),
    Mutant(
        "who came first to any process is taken first", (6,),
        Words(r"\.order_by\(rows\.c\.id\)\.limit\(limit\)", ".order_by(rows.c.id.desc()).limit(limit)"), ("tests/stores/test_leases.py",),
    ),
    Mutant(
        "an event that is known is not received again", (6,),
        Words(r"index = vault\.index\(incoming\.key\)", "index = vault.index(f'{incoming.key}{id(incoming)}')"), ("tests/stores/test_inbox.py",),
    ),
    Mutant("a draft is filed once", (5,), Words(r"filed\.rowcount != 1", "False"), ("tests/stores/test_records.py",)),
    Mutant(
        "an event is written with its draft", (8,),
        Function("belong", "return", says="RevisionGap"), ("tests/stores/test_drafts.py", "tests/stores/test_tool_calls.py"),
    ),
    Mutant("revisions follow each other without gaps", (7, 8), Function("follow", "return", says="RevisionGap"), ("tests/stores/test_drafts.py",)),
    Mutant("a link holds the hash of what it says", (19,), Words(r"link\.hash != link_hash\(link\)", "False"), ("tests/stores/test_chain.py",)),
    Mutant(
        "a link holds the hash of the one before", (19,),
        Words(r"link\.previous != head(?=:\s+return f\"Event)", "False"), ("tests/stores/test_chain.py",),
    ),
    Mutant("an erased draft is written no more", (10,), Words(r"row and row\.sealed_by != owner\.id", "False"), ("tests/stores/test_erasure.py",)),
    Mutant(
        "an erasure destroys the person's key", (10, 13),
        Words(r"(?:await )?_destroy_key\(transaction, owner\.id\)", "pass"), ("tests/stores/test_erasure.py",),
    ),
    Mutant(
        "what is overwritten is overwritten on the disk", (13,),
        Words(r"secure_delete=ON", "secure_delete=OFF"), ("tests/stores/test_sql.py::test_sqlite_is_opened_for_keeps",),
    ),
    Mutant(
        "a commit is on the disk", (6,),
        Words(r"synchronous=FULL", "synchronous=OFF"), ("tests/stores/test_sql.py::test_sqlite_is_opened_for_keeps",),
    ),
)  # fmt: skip
SHELL = (
    Mutant(
        "a post that may stand there is looked for first", (11,),
        Words(r"(?<=fresh else )await self\._delivered\(client, row\)", '""'),
        (f"{ONCE}::test_an_unclear_outcome_is_looked_up_before_it_is_posted_again",),
    ),
    Mutant(
        "a post that is not answered is looked for meanwhile", (12,),
        Words(r"if ts := await self\._delivered\(client, row\)", 'if ts := ""'),
        (f"{ONCE}::test_a_post_that_is_not_answered_is_found_while_its_answer_is_waited_for",),
    ),
    Mutant(
        "what another process posted in one's place is on screen", (12,),
        Words(r"there is not None and there\.surely > before", "False"), ("tests/bot/test_slack_time.py",),
    ),
    Mutant(
        "a paint without an answer is not on screen because an older one is", (18,),
        Words(r"(?<=there is not None) and there\.surely > before", ""), ("tests/bot/test_slack_time.py",),
    ),
    Mutant(
        "what was posted late is taken away", (11,),
        Function("reconcile", says="posted late"), ("tests/chaos/test_simulation.py::test_stopped_before_a_post",),
    ),
    Mutant(
        "what was posted late is taken away, though whoever posted it was killed", (11, 12),
        Words(r"row\.kind in LATE and not \(row\.fresh or", "not (row.kind or"),
        ("tests/chaos/test_simulation.py::test_stopped_before_a_post",),
    ),
    Mutant(
        "a card that another replica has taken over is painted no more", (12,),
        Words(r"known is None or self\._store\.shared", "known is None"),
        ("tests/whole/test_limits.py::test_a_paint_never_covers_what_another_replica_put_there",),
    ),
    Mutant(
        "what puts a late paint right shows nothing of a card that was taken over", (12,),
        Words(r"not there\.gone and ", ""),
        ("tests/whole/test_limits.py::test_what_puts_a_late_paint_right_shows_nothing_of_a_card_that_was_taken_over",),
    ),
    Mutant(
        "what was said long before is no part of a form", (14,),
        Words(r'not 0 <= _sent\(getattr\(said, "message", ""\)\) - _sent\(before\.message\) <= JUST', "False"),
        ("tests/whole/test_first_words.py::test_what_was_said_long_before_is_no_part_of_a_form",),
    ),
    Mutant(
        "what a question named is not asked for again", (4,),
        Words(r"if question_in\(self\.workflows, said\.text\):", "if False:"),
        ("tests/whole/test_surfaces.py::test_what_was_asked_about_is_not_asked_for_again",),
    ),
    Mutant(
        "a change that waits is not left in an older message", (12,),
        Words(r'not fields or waiting\.act == "change"', "not fields"),
        ("tests/whole/test_conversation.py::test_a_change_that_waits_for_a_click_comes_again_below_other_words",),
    ),
    Mutant(
        "a courtesy changes no text", (1,), Words(r"agreed and polite", "False"),
        ("tests/corpus/test_typed_at_a_change.py::test_a_text_is_changed_by_no_mere_courtesy",),
    ),
    Mutant(
        "a word that means something itself is no slip", (14,), Words(r"not known or _ends_otherwise\(typed, key\)", "True"),
        ("tests/kinds/test_values.py::test_a_word_that_means_something_itself_is_no_slip",),
    ),
    Mutant(
        "a draft is of its own tenant", (10,),
        Words(r'stored\.body\.get\("tenant"\) == tenant|known\.draft\.tenant == place\(incoming\.conversation\)\.team', "True"),
        ("tests/bot/test_engine.py",),
    ),
    Mutant(
        "what people wrote is struck from the log", (13,),
        Words(r"event\.items\(\) if name not in PRIVATE", "event.items() if name"), ("tests/bot/test_logs.py",),
    ),
    Mutant("an exception is logged without its text", (13,), Words(r"\n +_trace_without_values,(?=\n)", ""), ("tests/bot/test_logs.py",)),
    Mutant(
        "a person cannot write the operator's mark", (15,),
        Words(r"""softened\(text, \("operator", "system"\)\)""", "text"), ("tests/model/test_marking.py",),
    ),
    Mutant(
        "a person cannot write a mark of the house", (15,),
        Words(r"softened\(text, _NAMES\)", "text"), ("tests/prompts/test_prompt_marks.py",),
    ),
    Mutant(
        "what people wrote rings no bell", (13,),
        Function("escape", "return text[:limit]", says="for `mrkdwn`"), ("tests/blocks/test_blocks_text.py",),
    ),
    Mutant(
        "a proposal is confirmed as it was shown", (3, 5),
        Words(r"""_seen\(plans\) != picked\["seen"\]""", "False"), ("tests/operations/test_service.py",),
    ),
)  # fmt: skip
HOOK, LISTED = "tests/sinks/test_webhook.py", "tests/sinks/test_sinks_file.py"
SEEN = "tests/whole/test_who_sees.py"
STAFFED, NAMED = "tests/state/test_deciders.py", "tests/whole/test_deciders.py"
DECIDERS = (
    Mutant(
        "nobody counts as a decider of their own request", (9,),
        Words(r"(?<=barred = \{)draft\.owner, (?=\*involved\(draft, state\))", ""), (STAFFED,),
    ),
    Mutant("nobody counts for two seats of one request", (9,), Words(r"if not \{d\.who, d\.deputy_of\} & taken", "if True"), (STAFFED,)),
    Mutant(
        "the table's manager decides, and no other holder of the role", (9,),
        Words(r"self\._managers\(\) if role == MANAGER and owner else \{\}", "{}"), ("tests/bot/test_roles.py",),
    ),
    Mutant("a manager by name reads what is theirs alone", (10,), Words(r" or _concerns\(await self\.draft\(record\), user\)", " or True"), (NAMED,)),
    Mutant(
        "what waits by name is in nobody else's queue", (10,),
        Words(r"\(_has\(named\),\) if named and post\[1\]\.endswith\(MINE\) else \(\)", "()"), ("tests/stores/test_index.py",),
    ),
)  # fmt: skip
READING = "tests/bot/test_desk.py::test_nobody_reads_their_own_another_workspaces_or_what_no_role_of_theirs_reads"
READING_OTHERS = (
    Mutant("a role is held by people of the workspace", (9, 10), Words(r"and await self\._belongs\(team, user\)", ""), (SEEN,)),
    Mutant("a verdict's box opens for whoever may give it", (10,), Words(r"if why := why_not\(", "if why := (lambda *_: \"\")("), (SEEN,)),
    Mutant("where answers come from is read by whoever may", (10,), Words(r"if asks\.record(?= else asks\.refuses)", "if True"), (SEEN,)),
    Mutant("the box of a case opens for its role", (10,), Words(r"if form\.name in asks\.duties\.cases or", "if True or"), (SEEN,)),
    Mutant("what officers open is noted", (19,), Words(r"await note\(self\.store, (?=Reading\(person_key\(team, user\), what)", "print("), (SEEN,)),
    Mutant("officers read their own workspace's", (10,), Words(r"record\.tenant != team or(?= record\.person ==)", ""), (READING,)),
    Mutant("officers read what their roles read", (10,), Words(r"record\.form in(?= \(\*duties\.forms)", "True or record.form in"), (READING,)),
    Mutant("nobody reads their own request among others", (10,), Words(r" or record\.person == person_key\(team, user\):", ":"), (READING,)),
    Mutant("nobody finds their own request among others", (10,), Words(r"since, until, me\)", "since, until)"), (READING,)),
    Mutant(
        "an erased person's requests are found no more", (10, 13),
        Words(r"drop_index\((?=transaction, theirs & )", "print("),
        ("tests/stores/test_index.py::test_an_erased_persons_requests_are_found_no_more",),
    ),
)  # fmt: skip
LEAVING = (
    Mutant(
        "sink: what is refused holds back newer steps of its record", (16,),
        Words(r'(?<=return DeliveryFailure\("blocked", )AGAIN, fault\.code, attempts=0\)(?=\n    tries)', "None, fault.code, attempts=0)"),
        (f"{HOOK}::test_what_does_not_pass_is_held_in_sight",),
    ),
    Mutant(
        "sink: one that is away is asked by one for all", (16,),
        Words(r"await reach\.clear\(\)(?=\s+except Later as later:  # the sink)", "pass"),
        (f"{HOOK}::test_a_sink_that_is_away_is_asked_by_one_for_all_and_holds_back_itself_alone",),
    ),
    Mutant(
        "sink: a redirect is not followed", (10,),
        Words(r"(?<=timeout=limit), allow_redirects=False", ""), (f"{HOOK}::test_what_does_not_pass_is_held_in_sight",),
    ),
    Mutant(
        "sink: a key that is known is done", (11,),
        Words(r"status == CONFLICT and given", "False and given"), (f"{HOOK}::test_a_kill_between_sending_and_noting_it_doubles_nothing",),
    ),
    Mutant(
        "sink: nothing personal leaves that is not listed", (10,),
        Words(r"(?<=in plain\.items\(\)) if name in wanted", ""), (f"{LISTED}::test_nothing_personal_leaves_that_is_not_listed",),
    ),
    Mutant(
        "table: a wrong one counts for nothing", (12,),
        Words(r"(?<=copy\.)unlink\(\)(?=\n            return Refused)", "replace(kept)"),
        ("tests/reference/test_references.py::test_a_wrong_table_changes_nothing",),
    ),
)  # fmt: skip
SHAPES = "tests/bot/test_misshapen.py"
NUMBERS = "tests/evidence/test_numbers.py"
UPLOADED, CELLS = "tests/lists/test_uploads.py", "tests/lists/test_reading.py"
POLICY = (
    Mutant("list: no number longer than a spreadsheet keeps", (12,), Words(r"len\(short\) > DIGITS", "False"), (CELLS,)),
    Mutant("list: nothing that cannot be seen", (12,), Words(r"if hidden\(text\)", "if False"), (CELLS,)),
    Mutant("list: limits do not contradict each other", (12,), Function("_falling", "return"), (CELLS,)),
    Mutant("form: limits do not contradict each other", (12,), Function("disorder", "return"), ("tests/forms/test_form_limits.py",)),
    Mutant("list: only whoever holds its role publishes it", (9,), Words(r"not await self\._has\(officer, table\.by, now\)", "False"), (UPLOADED,)),
    Mutant("list: no auditor publishes one", (9,), Words(r"await self\._has\(officer, AUDITOR, now\)(?=:)", "False"), (UPLOADED,)),
    Mutant("list: only what was previewed is published", (5,), Words(r"fingerprint\(rows\) != hash_", "False"), (UPLOADED,)),
    Mutant("list: a preview is for whoever made it", (10,), Words(r'kept\["of"\] != \[[^]]*\]', "False"), (UPLOADED,)),
    Mutant("list: nothing is published over a version that was not seen", (7,), Words(r"newest != after", "False"), ("tests/stores/test_lists.py",)),
    Mutant("list: no version begins before it is there", (12,), Words(r"max\(now, effective\)", "effective"), ("tests/stores/test_lists.py",)),
    Mutant("http: a body has the shape that listeners rely on", (6,), Words(r"(?<=text, )shaped\(told\)", "True"), (SHAPES,)),
    Mutant("socket: an envelope of another shape is acknowledged", (6,), Words(r"self\.client\.message_listeners.*", "pass"), (SHAPES,)),
    Mutant("json: a key counts once", (15,), Words(r"len\(told\) < len\(pairs\)", "False"), ("tests/evidence/test_exports.py",)),
    Mutant(
        "heads: each database is held against its own", (19,),
        Words(r'theirs in \("", place\)', "theirs"), ("tests/evidence/test_histories.py::test_lines_from_before_places_belong_to_what_follows_them",),
    ),
    Mutant(
        "leases: only who is alone frees them", (7,),
        Words(r"fcntl\.flock\(self\._handle, fcntl\.LOCK_EX \| fcntl\.LOCK_NB\)", "pass"),
        ("tests/stores/test_processes.py::test_two_living_processes_keep_their_leases",),
    ),
    Mutant(
        "leases: who lives keeps them", (7,),
        Words(r"SELECT objid::bigint", "SELECT 0 - objid::bigint"), ("tests/stores/test_processes.py::test_two_living_processes_keep_their_leases",),
    ),
    Mutant(
        "leases: who may be taken for dead sends nothing", (7, 11),
        Words(r"held\.lease\.holder in \(None, self\._store\.holder\)", "True"),
        ("tests/stores/test_processes.py::test_a_process_that_loses_its_connection_counts_on_no_lease",),
    ),
    Mutant(
        "a form that is not installed is said to whoever clicks", (12,),
        Words(r"if form not in self\.workflows:\n            raise NotInstalled\(form\)", "if False:\n            pass"),
        ("tests/whole/test_form_away.py::test_an_officer_reads_that_the_form_is_away",),
    ),
    Mutant(
        "a disk that takes nothing is named", (12,),
        Function("_cause_of", 'return ""'), ("tests/whole/test_outside_trouble.py::test_why_nothing_can_be_written_is_told",),
    ),
    Mutant(
        "numbers: a row's number is given as it is written", (7,),
        Words(r"(?<=write\.form\)\)) != write\.number", " < 0"), ("tests/stores/test_ledger.py",),
    ),
    Mutant("numbers: a lowered counter is found", (19,), Function("_lowered", "return"), (NUMBERS,)),
    Mutant("numbers: a raised counter is found", (19,), Function("_raised", "return"), (NUMBERS,)),
    Mutant("numbers: a gap is found", (19,), Function("_skipped", "return"), (NUMBERS,)),
    Mutant("numbers: a number that is given again is found", (19,), Words(r"elif number in facts\.gone:", "elif False:"), (NUMBERS,)),
    Mutant("list: a version that was touched is found", (19,), Function("_version_faults", "return"), ("tests/stores/test_lists.py",)),
)  # fmt: skip
HELD, PAPERS = "tests/stores/test_proof.py", "tests/proof/test_dossiers.py"
PROOF = (
    Mutant("a record on hold is not emptied", (19,), Words(r", ~held_records\(\)(?=\))", ""), (f"{HELD}::test_what_is_on_hold_does_not_go",)),
    Mutant(
        "a key on hold is not destroyed", (19,),
        Words(r", person_keys\.c\.id\.not_in\(held\)", ""), (f"{HELD}::test_what_is_on_hold_does_not_go",),
    ),
    Mutant(
        "a story goes with its record, not before it", (19,),
        Words(r"(?<=over, _shows_no_record\(\)\)) if table is outbox", " if False"), (f"{HELD}::test_a_story_stays_as_long_as_its_record",),
    ),
    Mutant(
        "what was shown is covered by its link", (19,),
        Words(r"if lacks and event\.link\.n > until", "if False"), ("tests/proof/test_show.py::test_a_card_that_is_taken_away_is_found",),
    ),
    Mutant(
        "an export counts under its signature", (19,),
        Words(r"if signed\(public, statement\(manifest\.hash\), told\[\"signature\"\]\)", "if True"),
        (f"{PAPERS}::test_tampering_is_found_and_named",),
    ),
    Mutant(
        "each file of an export is the one that was written", (19,),
        Words(r"if hashlib\.sha256\(content\)\.hexdigest\(\) == part\.sha256", "if True"), (f"{PAPERS}::test_tampering_is_found_and_named",),
    ),
    Mutant(
        "a dossier is for who audits or decides, and not for its person", (10,),
        Words(r"if may and record\.person != row\.person else", "if True else"),
        ("tests/proof/test_slack.py::test_who_neither_audits_nor_decides_gets_no_dossier",),
    ),
)  # fmt: skip
MUTANTS = (
    *JUDGES,
    *VERDICTS,
    *EXECUTION,
    *QUESTIONS,
    *CORE,
    *HASTE,
    *STORES,
    *SHELL,
    *LEAVING,
    *POLICY,
    *PROOF,
    *READING_OTHERS,
    *DECIDERS,
)
