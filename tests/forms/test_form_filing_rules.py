"""What a submission becomes by a form's own rules: data, in their order, the first one that holds."""

from pathlib import Path
from typing import Any

import pytest

from state.form.filing import DECIDED
from state.rules import Filing, Rules
from tests.forms.filing_cases import GIFTS, filing_of, gifts
from tests.forms.form_cases import HEAD, load, problems, told_at

RULE = '[[filing.rules]]\nstate = "{state}"\n{rest}\n'


def rules(*pairs: tuple[str, str]) -> str:
    """Rules of a state and what it takes."""
    return "".join(RULE.format(state=state, rest=rest) for state, rest in pairs)


OTHERWISE = ("received", "otherwise = true")
HOLDS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ('above = { value = "GBP 100" }', {"value": "100.01"}, {"value": "100.00"}),
    ('above = { value = "100 gbp" }', {"value": "250.00"}, {"value": "99.99"}),
    ('above = { value = "£1,000" }', {"value": "1000.50"}, {"value": "999.00"}),
    ('below = { value = "GBP 10.50" }', {"value": "10.49"}, {"value": "10.50"}),
    ("above = { guests = 10 }", {"guests": 11}, {"guests": 10}),
    ("below = { guests = 2 }", {"guests": 1}, {"guests": 2}),
    ("above = { day = 2026-12-31 }", {"day": "2027-01-01"}, {"day": "2026-12-31"}),
    ('below = { day = "2026-11-20" }', {"day": "2026-11-19"}, {"day": "2026-11-20"}),
    ('equals = { country = "IR" }', {"country": "IR"}, {"country": "KP"}),
    ('country = ["IR", "KP"]', {"country": "KP"}, {"country": "GB"}),
    ("official = true", {"official": True}, {"official": False}),
    ('official = true\ncountry = "IR"', {"official": True, "country": "IR"}, {"official": True}),
    ('any_of = ["official", { above = { guests = 10 } }]', {"guests": 12}, {"guests": 3}),
    ('all_of = ["official", { country = "IR" }]', {"official": True, "country": "IR"}, {"country": "IR"}),
    ('none_of = ["official", { country = ["IR", "KP"] }]', {}, {"country": "KP"}),
    ("above = { guests = 2 }\nbelow = { guests = 5 }", {"guests": 4}, {"guests": 5}),
    ('all_of = [{ any_of = ["official", { country = "IR" }] }, { above = { guests = 2 } }]', {"country": "IR", "guests": 3}, {"guests": 3}),
    ('equals = { note = "wine" }', {"note": "wine"}, {"note": None}),
    ("above = { guests = 0 }", {"guests": 1}, {"guests": None}),
]  # fmt: skip


@pytest.mark.parametrize(("test", "holding", "other"), HOLDS, ids=[test for test, _, _ in HOLDS])
def test_a_rule_holds_where_its_words_say(
    tmp_path: Path, test: str, holding: dict[str, Any], other: dict[str, Any]
) -> None:
    """Bounds exclude themselves, lists mean one of them, several keys mean all, and a field without an answer meets nothing."""
    form = gifts(tmp_path, rules(("escalated", test), OTHERWISE))
    assert filing_of(form, **holding).state == "escalated"
    assert filing_of(form, **other).state == "received"


def test_the_first_rule_that_holds_counts(tmp_path: Path) -> None:
    """Rules are tried in their order; where none holds, the record is received."""
    form = gifts(tmp_path, rules(("blocked", 'country = "KP"'), ("escalated", "official = true")))
    assert filing_of(form, country="KP", official=True).state == "blocked"
    assert filing_of(form, official=True).state == "escalated"
    assert filing_of(form) == Filing("received")


def test_a_reason_is_told_unless_the_rule_says_otherwise(tmp_path: Path) -> None:
    """Reviewers read the reason; the person reads it too, or what `told` says, or nothing where that is empty."""
    for told, wanted in (("", ("Why.",)), ('told = "Please wait."', ("Please wait.",)), ('told = ""', ())):
        form = gifts(tmp_path, rules(("escalated", f'otherwise = true\nreason = "Why."\n{told}')))
        assert (filing_of(form).reasons, filing_of(form).told) == (("Why.",), wanted)


def test_who_is_told_is_the_rules_to_say(tmp_path: Path) -> None:
    """The form's own channel where nothing is said, the channel of a name, or nobody."""
    for tell, wanted in (("", ""), ("tell = true", ""), ('tell = "compliance"', "compliance"), ("tell = false", None)):
        assert filing_of(gifts(tmp_path, rules(("escalated", f"otherwise = true\n{tell}")))).tell == wanted


DOUBT = "Value is in EUR and the limit in GBP, so a person decides."
ABOVE, BELOW = 'above = { value = "GBP 100" }\nreason = "Large."', 'below = { value = "GBP 100" }\nreason = "Small."'
DOUBTS = {
    "above leads to a person": ([("pending_compliance", ABOVE), ("approved", "otherwise = true")], "pending_compliance"),
    "below never approves": ([("approved", BELOW), ("pending_manager", "otherwise = true")], "pending_manager"),
    "below leads to a person": ([("pending_manager", BELOW), ("approved", "otherwise = true")], "pending_manager"),
    "above never declines": ([("declined", ABOVE), ("approved", "otherwise = true")], "received"),
    "the contrary never approves": (
        [("approved", 'none_of = [{ above = { value = "GBP 100" } }]'), ("pending_manager", "otherwise = true")], "pending_manager"),
    "one of several": (
        [("escalated", 'any_of = ["official", { above = { value = "GBP 100" } }]'), ("approved", "otherwise = true")], "escalated"),
    "a list of all": (
        [("approved", 'all_of = [{ below = { value = "GBP 100" } }, { country = "GB" }]')], "received"),
}  # fmt: skip


@pytest.mark.parametrize("case", DOUBTS)
def test_money_in_another_currency_goes_to_a_person(tmp_path: Path, case: str) -> None:
    """An amount that cannot be compared is never filed in a state that nobody looks at, and the record and the person are told why."""
    pairs, wanted = DOUBTS[case]
    found = filing_of(gifts(tmp_path, rules(*pairs)), value="5.00", currency="EUR")
    assert found.state == wanted and DECIDED[found.state] is False
    assert found.reasons[0] == DOUBT and found.told == (DOUBT,)


def test_a_comparison_on_which_nothing_hangs_raises_no_doubt(tmp_path: Path) -> None:
    """Where the rest of a rule settles it, an amount in another currency is no reason for anything."""
    form = gifts(
        tmp_path,
        rules(("escalated", 'country = "KP"\nabove = { value = "GBP 100" }'), ("approved", "otherwise = true")),
    )
    assert filing_of(form, currency="EUR") == Filing("approved")


def test_an_amount_without_a_currency_is_in_doubt(tmp_path: Path) -> None:
    """Where no currency was told, nothing is assumed."""
    form = gifts(tmp_path, rules(("escalated", ABOVE), ("approved", "otherwise = true")))
    found = filing_of(form, value="5.00", currency=None)
    assert (found.state, found.told) == (
        "escalated",
        ("Value has no currency and the limit is in GBP, so a person decides.",),
    )


def test_a_forms_own_state_says_whether_it_is_decided(tmp_path: Path) -> None:
    """A state of the form's own with `decided = true` takes nothing that is in doubt; one that says nothing takes what is above."""
    own = '[filing.states.{name}]\nlabel = "{name}"\ndecided = {decided}\n'
    states = own.format(name="fine", decided="true") + own.format(name="seen", decided="false")
    form = gifts(tmp_path, states + rules(("fine", BELOW), ("seen", "otherwise = true")))
    assert filing_of(form, currency="EUR").state == "seen" and filing_of(form).state == "fine"


def test_a_sum_with_one_currency_needs_no_name_of_it(tmp_path: Path) -> None:
    """A field that is always in one currency is compared with a plain number, and is never in doubt."""
    form = load(
        tmp_path / "small",
        HEAD
        + '[fields.value]\nkind = "money"\nlabel = "V"\nask = "?"\ncurrency = "EUR"\n'
        + rules(("escalated", "above = { value = 100 }")),
    ).form
    assert filing_of(form, value="100.01").state == "escalated" and filing_of(form, value="99.00") == Filing("received")


def test_any_time_of_a_repeated_field_counts(tmp_path: Path) -> None:
    """A bound on a field that is asked several times is passed where one of its times passes it."""
    loans = '[repeats.loan]\nmost = 3\n[fields.rate]\nkind = "integer"\nlabel = "Rate {n}"\nask = "Rate {n}?"\nrepeat = "loan"\n'
    form = load(tmp_path / "small", HEAD + loans + rules(("escalated", "above = { rate = 10 }"))).form
    assert filing_of(form, rate_1=3, rate_2=11).state == "escalated" and filing_of(form, rate_1=3).state == "received"


def test_doubt_is_told_in_the_forms_language(tmp_path: Path) -> None:
    """The sentence about another currency is one of the form's language."""
    for language, word in (
        ("it-IT", "decide una persona"),
        ("es-ES", "decide una persona"),
        ("de-DE", "entscheidet ein Mensch"),
    ):
        form = load(tmp_path / "gifts", f'language = "{language}"\n' + GIFTS + rules(("escalated", ABOVE))).form
        assert word in filing_of(form, currency="USD").told[0]


def test_python_wins_where_it_gives_a_state(tmp_path: Path) -> None:
    """A state of rules.py counts; with an empty one the form's rules say which, beside what rules.py computed and says."""
    form = gifts(tmp_path, rules(("escalated", 'otherwise = true\nreason = "By rule."')))
    assert filing_of(form, Rules(file=lambda _draft, _facts: Filing("blocked"))) == Filing("blocked")
    beside = Filing("", ("By hand.",), {"points": 3}, ("Told.",), tell=None)
    wanted = Filing("escalated", ("By rule.", "By hand."), {"points": 3}, ("By rule.", "Told."), tell=None)
    assert filing_of(form, Rules(file=lambda _draft, _facts: beside)) == wanted


def test_a_bound_may_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    """`{limits.gifts}` is the key `gifts` of limits.toml, which a company lays over the shipped one."""
    text = GIFTS + rules(("escalated", 'above = { value = "{limits.gifts}" }'))
    form = load(tmp_path / "gifts", text, limits_toml='gifts = "GBP 30"\n').form
    assert filing_of(form, value="31.00").state == "escalated" and filing_of(form).state == "received"


def test_a_text_alone_is_a_states_label(tmp_path: Path) -> None:
    """A state of which nothing else is said needs no table."""
    form = gifts(tmp_path, '[filing.states]\nseen = "Seen"\n' + rules(("seen", "otherwise = true")))
    assert form.says["state_seen"] == "Seen"


def test_states_have_their_words_on_screen(tmp_path: Path) -> None:
    """A state's label and what happens now are the form's own sentences of that state."""
    states = '[filing.states.seen]\nlabel = "Seen by us"\nnext = "Nothing more to do."\n'
    says = gifts(tmp_path, states + rules(("seen", "otherwise = true"))).says
    assert (says["state_seen"], says["next_seen"]) == ("Seen by us", "Nothing more to do.")


STATE = '[filing.states.seen]\nlabel = "Seen"\n'
WRONG = {
    "unknown state": (rules(("esclated", "otherwise = true")).replace('"\no', '" # <-\no', 1), "Did you mean `escalated`?"),
    "unknown own state": (STATE + rules(("sean", "otherwise = true")).replace('"\no', '" # <-\no', 1), "Did you mean `seen`?"),
    "unknown field above": (rules(("escalated", 'above = { vlaue = "GBP 1" } # <-')), "Did you mean `value`?"),
    "unknown field of a list": (rules(("escalated", "any_of = [\n  { oficial = true }, # <-\n]")), "Did you mean `official`?"),
    "unknown key": (rules(("escalated", "otherwise = true\nreson = \"x\" # <-")), "Did you mean `reason`?"),
    "unknown key in a list": (rules(("escalated", "any_of = [{ abov = { guests = 1 } }] # <-")), "Did you mean `above`?"),
    "unknown key of a state": (STATE + 'lable = "x" # <-\n', "Did you mean `label`?"),
    "text above": (rules(("escalated", "above = { note = 3 } # <-")), "kind text is never above"),
    "choice above": (rules(("escalated", 'above = { country = "GB" } # <-')), "Use `equals`"),
    "yes above": (rules(("escalated", "above = { official = true } # <-")), "never above or below"),
    "sum without a currency": (rules(("escalated", "above = { value = 100 } # <-")), 'write "GBP 100"'),
    "no sum": (rules(("escalated", 'above = { value = "much" } # <-')), "which is no sum"),
    "no currency": (rules(("escalated", 'above = { value = "XQZ 100" } # <-')), "which is no sum"),
    "a day in another order": (rules(("escalated", 'above = { day = "31/12/2026" } # <-')), "must be a date"),
    "a sign of several countries": (rules(("escalated", 'above = { value = "$100" } # <-')), 'write "GBP 100"'),
    "not a date": (rules(("escalated", 'above = { day = "soon" } # <-')), "must be a date"),
    "half a guest": (rules(("escalated", "above = { guests = 1.5 } # <-")), "whole number"),
    "value of another kind": (rules(("escalated", 'official = "yes" # <-')), "must be true or false"),
    "no choice": (rules(("escalated", 'country = "gb" # <-')), "Did you mean `GB`?"),
    "no value": (rules(("escalated", "country = [] # <-")), "1 or more entries"),
    "no condition": ('[[filing.rules]] # <-\nstate = "escalated"\n', "otherwise = true"),
    "empty list": (rules(("escalated", "any_of = [] # <-")), "1 or more entries"),
    "empty entry": (rules(("escalated", "any_of = [{}] # <-")), "has no condition"),
    "otherwise and more": (rules(("escalated", "official = true\notherwise = true # <-")), "Take it out"),
    "below a catch-all": (
        rules(OTHERWISE) + '[[filing.rules]] # <-\nstate = "escalated"\nofficial = true\n', "rule 1 above holds for everything"),
    "below a wider bound": (
        rules(("escalated", "above = { guests = 5 }")) + '[[filing.rules]] # <-\nstate = "blocked"\nabove = { guests = 9 }\n', "never reached"),
    "below a wider list": (
        rules(("escalated", 'country = ["IR", "KP"]')) + '[[filing.rules]] # <-\nstate = "blocked"\ncountry = "KP"\n', "never reached"),
    "below one of its own": (
        rules(("escalated", "official = true")) + '[[filing.rules]] # <-\nstate = "blocked"\nofficial = true\nabove = { guests = 1 }\n',
        "never reached"),
    "two sentences of a state": ("[says]\nstate_seen = \"Seen\"\n" + STATE.replace('"Seen"', '"Seen" # <-'), "is written in [says] too"),
    "sentence of no state": ('[says]\nnext_sen = "x" # <-\n' + STATE, "Did you mean `seen`?"),
    "a state without a name": (STATE.replace('"Seen"', '"" # <-'), "needs a `label`"),
    "a brace": (rules(("escalated", 'otherwise = true\nreason = "{value} is much" # <-')), "cannot name a field"),
    "a channel": (rules(("escalated", 'otherwise = true\ntell = "#compliance" # <-')), "HOLDFAST_CHANNEL_"),
    "a long reason": (rules(("escalated", f'otherwise = true\nreason = "{"x" * 401}" # <-')), "at most 400"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_a_broken_rule_is_told_with_its_line(tmp_path: Path, case: str) -> None:
    """Filing that names what is not there, compares what cannot be compared or is never reached is refused at its line."""
    text, says = WRONG[case]
    told_at(tmp_path / "gifts", GIFTS + text, says)


def test_rules_that_only_overlap_are_both_reached(tmp_path: Path) -> None:
    """A tighter rule above a wider one, and rules that share a part, are as they should be."""
    good = rules(
        ("blocked", "above = { guests = 9 }"), ("escalated", "above = { guests = 5 }"), ("pending_manager", 'country = "KP"\nofficial = true'),
        ("pending_senior", "official = true"), ("received", 'any_of = [{ country = "IR" }, "official"]'), ("approved", "otherwise = true"),
    )  # fmt: skip
    assert problems(tmp_path / "gifts", GIFTS + good) == ()


def test_what_files_nothing_has_no_filing(tmp_path: Path) -> None:
    """A form of operations alone has no records of submissions."""
    form = HEAD + '[operations.add]\ntitle = "Add"\n' + rules(OTHERWISE)
    rules_py = 'from state.rules import Rules\nrules = Rules(operations={"add": None})\n'
    assert any("files nothing" in p.text for p in problems(tmp_path / "small", form, rules_py=rules_py))


def test_a_bound_that_is_never_passed_is_refused(tmp_path: Path) -> None:
    """A number of at most ten is never above ten."""
    form = GIFTS.replace('label = "Guests"', 'label = "Guests"\nmaximum = 10') + rules(
        ("escalated", "above = { guests = 10 } # <-")
    )
    told_at(tmp_path / "gifts", form, "at most 10")
