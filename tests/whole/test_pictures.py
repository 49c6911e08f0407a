"""Pictures and files come with words: whoever does not see them is told what they show."""

from tests.world import World


async def test_every_upload_says_what_it_shows(plain: World) -> None:
    """A chart is uploaded with its sums in words, a table of rows with its title."""
    await plain.alex.command("/expenses", "coffee 3,50")
    await plain.settled()
    await plain.click("Confirm")
    for ask in ("summary this month", "export"):
        await plain.say(ask)
    uploads = [call.args for call in plain.sandbox.sent if call.method == "files.getUploadURLExternal"]
    assert [u["filename"].rpartition(".")[2] for u in uploads] == ["png", "csv"]
    assert [u for u in uploads if not u.get("alt_txt")] == []
    assert "3.50" in uploads[0]["alt_txt"] and "\n" not in uploads[0]["alt_txt"]
    shared = [f for m in plain.alex.messages() for f in m.get("files", ())]
    assert [f["alt_txt"] for f in shared] == [u["alt_txt"] for u in uploads]


async def test_the_copy_of_one_s_data_has_a_title(plain: World) -> None:
    """Each file of a person's own data says what it is."""
    await plain.say("I want to buy 200 Tesco")
    await plain.say("my data")
    uploads = [call.args for call in plain.sandbox.sent if call.method == "files.getUploadURLExternal"]
    assert uploads and [u for u in uploads if not u.get("alt_txt")] == []
