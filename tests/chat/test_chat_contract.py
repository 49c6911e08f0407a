"""`POST /chat` as a contract: who may call, what a body may hold, what every outcome looks like. Over real HTTP."""

import asyncio
import json
from decimal import Decimal
from typing import Any

from tests.chat.conftest import Calling
from tests.world import TEAM


async def test_only_post_is_served(calling: Calling) -> None:
    """Every other method is 405 with what may be used, as JSON."""
    async with calling() as c:
        for method in ("GET", "PUT", "DELETE", "PATCH"):
            async with c.session.request(method, c.url) as response:
                assert (response.status, response.headers["Allow"]) == (405, "POST")
                assert (await response.json())["error"] == "method_not_allowed"


async def test_without_a_known_token_nobody_is_let_in(calling: Calling) -> None:
    """A missing, unknown or misplaced token is 401, whatever the body."""
    async with calling() as c:
        for header in ("", "Bearer hf_nobody", "Bearer", "Basic hf_alex", "hf_alex"):
            headers = {"Authorization": header} if header else {}
            async with c.session.post(c.url, json={"message": "coffee 3.50"}, headers=headers) as response:
                assert response.status == 401 and (await response.json())["error"] == "unauthorised"
        assert await c.bot.store.entries(TEAM, "expenses") == []


MALFORMED: tuple[Any, ...] = (
    [], "coffee", None, {}, {"message": 3}, {"message": ""}, {"message": "x" * 5000}, {"history": "coffee"},
    {"history": [{"role": "system", "content": "x"}]}, {"history": [{"role": "user"}]}, {"confirm": "abc"},
    {"confirm": {"proposal": "a", "amount": 5}}, {"message": "coffee 3.50", "user": "U0DANA"},
    {"message": "coffee 3.50", "tenant": "T0OTHER", "roles": ["super_admin"]}, {"operation": "delete_everything"},
    {"confirm": {}}, {"confirm": {"tool": "add_expense"}}, {"confirm": {"args": {}}},
    {"confirm": {"tool": "add_expense", "args": "coffee"}}, {"confirm": {"proposal": "a", "tool": "add_expense", "args": {}}},
)  # fmt: skip


async def test_a_malformed_body_is_refused(calling: Calling) -> None:
    """What does not fit the contract is 400; who asks, tenant and roles cannot be told in a body at all."""
    async with calling() as c:
        for body in MALFORMED:
            status, answer = await c.post(body)
            assert status == 400 and answer["error"] == "malformed" and set(answer) <= {"error", "detail"}, body


async def test_what_a_body_says_of_its_caller_changes_nothing(calling: Calling) -> None:
    """`userContext` is taken from clients that send one, whatever it holds, and the token alone says who calls, from where and as what."""
    claimed: tuple[Any, ...] = (
        {"tenant": "T0OTHER", "user": "U0DANA", "roles": ["super_admin"]}, {"userId": "U0DANA", "isAdmin": True}, "U0DANA", 7,
        ["finance_admin"], None, {},
    )  # fmt: skip
    async with calling() as c:
        await c.add("£4 coffee today", "hf_dana")
        for context in claimed:
            status, body = await c.post({"message": "list", "userContext": context})
            assert (status, body["listed"]) == (200, []), context
            assert (await c.post({"message": "delete 1", "userContext": context}))[0] == 404
        status, body = await c.post({"message": "£2 tea today", "userContext": claimed[0]})
        assert status == 200 and (await c.confirm(body["proposalId"]))[0] == 200
        assert [row["item"] for row in (await c.say("list"))["listed"]] == ["tea"]


async def test_a_confirmation_may_name_what_it_confirms(calling: Calling) -> None:
    """The operation and arguments of an open proposal confirm it as its id does, written in any way that means the same, and once."""
    ways: tuple[dict[str, Any], ...] = (
        {"item": "coffee", "amount": "3.50", "currency": "EUR"}, {"item": "coffee", "amount": "3,5", "category": None},
        {"amount": 3.5, "item": " coffee "},
    )  # fmt: skip
    async with calling() as c:
        for count, args in enumerate(ways, 1):
            await c.say("coffee 3,50")
            status, body = await c.post({"confirm": {"tool": "add_expense", "args": args}})
            assert (status, body["added"][0]["item"]) == (200, "coffee"), args
            assert (await c.post({"confirm": {"tool": "add_expense", "args": args}}))[0] == 404
            assert len(await c.bot.store.entries(TEAM, "expenses")) == count


async def test_a_confirmation_of_something_else_confirms_nothing(calling: Calling) -> None:
    """Other arguments, another operation, another person's proposal and one that was cancelled are the same 404; nothing is written."""
    coffee = {"item": "coffee", "amount": "3.50"}
    async with calling() as c:
        await c.say("coffee 3,50")
        others = (
            ("add_expense", {**coffee, "amount": "35"}),
            ("add_expense", {**coffee, "currency": "USD"}),
            ("delete_expense", {"id": 1}),
        )
        for tool, args in others:
            assert (await c.post({"confirm": {"tool": tool, "args": args}}))[0] == 404
        for token in ("hf_dana", "hf_admin", "hf_other"):
            assert (await c.post({"confirm": {"tool": "add_expense", "args": coffee}}, token))[0] == 404
        waiting = await c.bot.store.proposals_of(f"{TEAM}:U0ALEX", "expenses")
        await c.bot.store.withdraw(waiting[0].id)
        assert (await c.post({"confirm": {"tool": "add_expense", "args": coffee}}))[0] == 404
        assert await c.bot.store.entries(TEAM, "expenses") == []


async def test_of_equal_proposals_the_oldest_is_confirmed_by_what_it_holds(calling: Calling) -> None:
    """Where the caller has several that are the same, naming what they hold confirms them one after the other, the oldest first; then it is 404."""
    coffee = {"confirm": {"tool": "add_expense", "args": {"item": "coffee", "amount": 3.5}}}
    async with calling() as c:
        waiting = [(await c.say("coffee 3,50"))["proposalId"] for _ in range(3)]
        for count, oldest in enumerate(waiting, 1):
            assert (await c.post(coffee))[0] == 200 and (await c.confirm(oldest))[0] == 409
            assert len(await c.bot.store.entries(TEAM, "expenses")) == count
        assert (await c.post(coffee))[0] == 404


async def test_what_was_given_out_confirms_in_whatever_shape_it_comes_back(calling: Calling) -> None:
    """A proposal echoed as the confirmation, or within it, with or without its id, and its id under either name, confirm it, once each."""
    async with calling() as c:
        for line in ("coffee 3,50", "coffee 3,50, tea 2,20"):
            for shape in (
                lambda given: given["proposal"],
                lambda given: {"proposal": given["proposal"]},
                lambda given: {"proposal": given["proposalId"]},
                lambda given: {"proposalId": given["proposalId"]},
                lambda given: {"proposal": given["proposal"], "proposalId": given["proposalId"]},
                lambda given: {**given["proposal"], "proposalId": given["proposalId"]},
            ):
                confirm = shape(await c.say(line))
                assert (await c.post({"confirm": confirm}))[0] == 200, confirm
                assert (await c.post({"confirm": confirm}))[0] in (404, 409), confirm
        given, other = await c.say("bun 1,50"), await c.say("cab 20")
        assert (await c.post({"confirm": {**given["proposal"], "proposalId": other["proposalId"]}}))[0] == 404


async def test_sums_are_numbers_without_a_digit_lost(calling: Calling) -> None:
    """Sums go out and come in as JSON numbers, digit by digit: tenths, millions, eighteen digits in a balance, and a currency without decimals."""
    async with calling() as c:
        for line, amount in (("lamp EUR 0.1", "0.10"), ("desk EUR 0.2", "0.20"), ("car EUR 1234567.89", "1234567.89"),
                             ("sushi JPY 500", "500"), ("dam USD 900000000000000.07", "900000000000000.07")):  # fmt: skip
            proposal = (await c.say(f"{line} today"))["proposalId"]
            _, raw = await c.raw(json.dumps({"confirm": {"proposal": proposal}}).encode())
            assert f'"amount": {amount},' in raw, raw
        _, raw = await c.raw(b'{"message": "balance"}')
        assert '"EUR": 1234568.19, "JPY": 500, "USD": 900000000000000.07' in raw
        await c.say("lamp 0.3")
        body = b'{"confirm": {"tool": "add_expense", "args": {"item": "lamp", "amount": 0.30000000000000004}}}'
        assert (await c.raw(body))[0] == 422
        assert (await c.post({"confirm": {"tool": "add_expense", "args": {"item": "lamp", "amount": 0.3}}}))[0] == 200


async def test_several_things_are_confirmed_by_id_alone(calling: Calling) -> None:
    """A proposal of several things is not confirmed by naming one of them."""
    async with calling() as c:
        proposal = (await c.say("coffee 3,50, tea 2,20"))["proposalId"]
        assert (await c.post({"confirm": {"tool": "add_expense", "args": {"item": "coffee", "amount": "3.50"}}}))[
            0
        ] == 404
        assert (await c.confirm(proposal))[0] == 200


async def test_an_operation_or_a_field_that_there_is_not_is_named(calling: Calling) -> None:
    """A confirmation of either is 422 with the form's own names, whatever the name is made to look like."""
    names = (
        "add_money",
        "add_expense\x00",
        "add_expense ",
        " add_expense",
        "ADD_EXPENSE",
        "add\u200b_expense",
        "add-expense",
        "аdd_expense",
    )
    async with calling() as c:
        for name in names:
            status, body = await c.post({"confirm": {"tool": name, "args": {"item": "coffee", "amount": "3.50"}}})
            assert (status, body["error"]) == (422, "unknown_operation") and "delete_expense" in body["detail"], name
        for args in ({"item": "coffee", "tip": 1}, {"item\x00": "coffee", "amount": "3.50"}):
            status, body = await c.post({"confirm": {"tool": "add_expense", "args": args}})
            assert (status, body["error"]) == (422, "unknown_field") and "amount" in body["detail"]
        status, body = await c.post({"confirm": {"tool": "add_expense", "args": {"item": "coffee", "amount": "much"}}})
        assert (status, body["error"]) == (422, "bad_arguments")


async def test_what_is_no_json_or_too_large_is_refused(calling: Calling) -> None:
    """Broken JSON, a key that is given twice and what is no number are 400, a body beyond 64 KB is 413, and no answer repeats what was sent."""
    numbers = (b"NaN", b"1e99999999999999999999", b"1." + b"1" * 60)
    broken = (
        b'{"message": "secret', b"[" * 5000, b'{"message": "a", "message": "b"}', b'{"confirm": {"tool": "a", "args": {"id": 1, "id": 2}}}',
        *(b'{"confirm": {"tool": "delete_expense", "args": {"id": ' + number + b"}}}" for number in numbers),
    )  # fmt: skip
    async with calling() as c:
        for data in broken:
            status, text = await c.raw(data)
            assert status == 400 and "secret" not in text, data
        assert (await c.raw(b"x" * 70_000))[0] == 413


async def test_an_inferred_addition_waits_and_runs_once(calling: Calling) -> None:
    """Without a model a plain line becomes a proposal; one of eight confirmations at the same time runs it, the others are 409."""
    async with calling() as c:
        asked = await c.say("coffee 3,50")
        assert asked["confirmationRequired"] is True and "coffee · EUR 3.50" in asked["answer"]
        assert await c.bot.store.entries(TEAM, "expenses") == []
        came = await asyncio.gather(*(c.confirm(asked["proposalId"]) for _ in range(8)))
        assert sorted(status for status, _ in came) == [200] + [409] * 7
        added = next(body for status, body in came if status == 200)["added"]
        assert [(e["id"], e["item"], e["amount"], e["currency"]) for e in added] == [(1, "coffee", 3.5, "EUR")]
        assert len(await c.bot.store.entries(TEAM, "expenses")) == 1


async def test_another_persons_proposal_is_as_good_as_none(calling: Calling) -> None:
    """A colleague, an admin, the same user id of another team, and an id that nobody has get the same 404; the owner's click still runs."""
    async with calling() as c:
        proposal = (await c.say("coffee 3,50"))["proposalId"]
        answers = [await c.confirm(proposal, token) for token in ("hf_dana", "hf_admin", "hf_other")]
        answers.append(await c.confirm("0" * 20))
        assert {status for status, _ in answers} == {404} and len({str(body) for _, body in answers}) == 1
        assert (await c.confirm(proposal))[0] == 200


async def test_rows_out_of_reach_are_not_found(calling: Calling) -> None:
    """Deleting another tenant's row, another person's row and a row that never was give the same 404, word for word."""
    async with calling() as c:
        for token in ("hf_alex", "hf_other"):
            assert (await c.add("£4 coffee today", token))["added"]
        status, theirs = await c.post({"message": "delete 1"}, "hf_dana")
        assert (status, theirs["error"]) == (404, "not_found")
        assert await c.post({"message": "delete 1"}, "hf_dana") == (404, theirs)
        other, body = await c.post({"message": "delete 9"}, "hf_other")
        assert (other, body["detail"].replace("9", "1")) == (404, theirs["detail"])


async def test_a_finance_admin_reaches_the_tenants_rows(calling: Calling) -> None:
    """The role comes with the token: the admin lists and deletes a colleague's row; a member lists their own alone."""
    async with calling() as c:
        await c.add("£4 coffee today")
        assert (await c.say("list", "hf_dana"))["listed"] == []
        assert [row["item"] for row in (await c.say("list", "hf_admin"))["listed"]] == ["coffee"]
        asked = await c.say("delete 1", "hf_admin")
        status, done = await c.confirm(asked["proposalId"], "hf_admin")
        assert status == 200 and done["deleted"][0]["id"] == 1
        assert (await c.say("list"))["listed"] == []


async def test_delete_and_update_always_wait(calling: Calling) -> None:
    """However plainly they are said, a change and a deletion are proposals first."""
    async with calling() as c:
        await c.add("£4 coffee today")
        changed = await c.say("change 1 to 5")
        assert changed["confirmationRequired"] and "GBP 4.00" in changed["answer"] and "GBP 5.00" in changed["answer"]
        status, body = await c.confirm(changed["proposalId"])
        assert (status, body["updated"][0]["amount"]) == (200, 5)
        assert (await c.say("delete 1"))["confirmationRequired"]


async def test_what_changed_meanwhile_is_not_run(calling: Calling) -> None:
    """A deletion that was proposed for a row as it was is 409 once the row is another one."""
    async with calling() as c:
        await c.add("£4 coffee today")
        deletion = (await c.say("delete 1"))["proposalId"]
        await c.confirm((await c.say("change 1 to 5"))["proposalId"])
        status, body = await c.confirm(deletion)
        assert (status, body["error"]) == (409, "conflict")
        assert len(await c.bot.store.entries(TEAM, "expenses")) == 1


async def test_balances_keep_currencies_apart(calling: Calling) -> None:
    """Sums of two currencies stand beside each other and are never added up."""
    async with calling() as c:
        for line in ("£4 coffee today", "€2.50 tea today", "€1 bun today"):
            await c.add(line)
        assert (await c.say("balance"))["balance"] == {"EUR": 3.5, "GBP": 4}


async def test_undo_takes_the_last_thing_back(calling: Calling) -> None:
    """ "undo" takes back what the person did last; with nothing left it is 409."""
    async with calling() as c:
        await c.add("£4 coffee today")
        assert "Undone" in (await c.say("undo"))["answer"]
        assert (await c.say("list"))["listed"] == []
        assert (await c.post({"message": "undo"}))[0] == 409


async def test_a_line_that_says_nothing_is_422(calling: Calling) -> None:
    """Without a model, what the rules cannot read is refused with a sentence; a sum that must be positive likewise."""
    async with calling() as c:
        assert (await c.post({"message": "hello there"}))[0] == 422
        assert (await c.post({"message": "coffee 0 EUR today"}))[0] == 422


async def test_the_last_user_turn_of_the_history_wins(calling: Calling) -> None:
    """A message beside a history with a user turn is not looked at; `question` is another name of `message`."""
    async with calling() as c:
        history = [{"role": "user", "content": "£4 coffee today"}]
        status, body = await c.post({"history": history, "message": "£9 taxi today"})
        assert status == 200 and body["proposal"]["args"]["item"] == "coffee"
        await c.confirm(body["proposalId"])
        status, body = await c.post({"question": "balance"})
        assert (status, body["balance"]) == (200, {"GBP": 4})


async def test_a_second_proposal_leaves_the_first_waiting(calling: Calling) -> None:
    """Each is confirmed by its own id, in any order; what is taken back is named."""
    async with calling() as c:
        first, second = [(await c.say(line))["proposalId"] for line in ("coffee 3,50", "tea 2,20")]
        for proposal, item in ((second, "tea"), (first, "coffee")):
            status, body = await c.confirm(proposal)
            assert (status, body["added"][0]["item"]) == (200, item)
        assert "coffee" in (await c.say("undo"))["answer"]
        assert [e.body["item"] for e in await c.bot.store.entries(TEAM, "expenses")] == ["tea"]


async def test_an_admins_change_says_whose_row_it_is(calling: Calling) -> None:
    """Before and after, a change or deletion of a colleague's row names the colleague; of one's own it names nobody."""
    async with calling() as c:
        await c.add("£4 coffee today")
        for words in ("change 1 to 5", "delete 1"):
            assert "U0ALEX" not in (await c.say(words))["answer"]
            asked = await c.say(words, "hf_admin")
            assert "U0ALEX" in asked["answer"]
            _, done = await c.confirm(asked["proposalId"], "hf_admin")
            assert "U0ALEX" in done["answer"]


async def test_what_words_leave_open_is_asked_as_in_slack(calling: Calling) -> None:
    """Words that name a range that is not read, or a recorded row: the question is put, the one row proposed, of several it is asked which."""
    async with calling() as c:
        body = await c.say("how much since easter?")
        assert set(body) == {"answer"} and "since easter" in body["answer"]
        await c.add("train 38 EUR today")
        change = await c.say("change the train to 40")
        assert change["confirmationRequired"] and "Change 1" in change["answer"]
        status, done = await c.post({"confirm": {"tool": "update_expense", "args": {"id": 1, "amount": 40}}})
        assert status == 200 and Decimal(done["updated"][0]["amount"]) == 40
        await c.add("train 12 EUR yesterday")
        several = await c.say("change the train to 41")
        assert set(several) == {"answer"} and "Change 1" in several["answer"] and "Change 2" in several["answer"]
