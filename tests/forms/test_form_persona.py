"""What the loader says of a persona, of consent in words, of phases and of prompts."""

from pathlib import Path

import pytest

from state.draft.stages import mermaid
from tests.forms.form_cases import FIELD, HEAD, MARK, form_of, marked, problems

PHASES = (
    "phases = true\n" + HEAD + FIELD + 'stage = "first"\n[stages.first]\nwords = ["go to first"]\n[stages.second]\n'
)
WORSE = '[fields.held]\nkind = "yes_no"\nlabel = "Held"\nask = "Held?"\nworse = true\n'
PLAIN = HEAD + FIELD

CASES = {
    "reminder without a rhythm": (PLAIN + '[persona]\nreminder = "Ask." # <-\n', "needs `reminder` and `remind_every`"),
    "rhythm without a reminder": (PLAIN + "[persona]\nremind_every = 5 # <-\n", "needs `reminder` and `remind_every`"),
    "long reminder": (PLAIN + f'[persona]\nreminder = "{"x" * 601}" # <-\nremind_every = 5\n', "at most 600"),
    "one opening twice": (PLAIN + '[persona]\nshape = ["a", "a"] # <-\n', "openings that differ"),
    "names that nobody finds": (PLAIN + '[persona]\nnot_first = ["tools"] # <-\n', 'no "tools" among its names'),
    "unknown key of a persona": (PLAIN + '[persona]\nforbiden = ["you should"] # <-\n', "Did you mean `forbidden`?"),
    "free speech, which is gone": ('speech = "model" # <-\n' + PLAIN, "speech"),
    "consent beside a worse answer": ('consent = ["yes"] # <-\n' + PLAIN + WORSE, "by a click alone"),
    "phases without stages": ("phases = true # <-\n" + PLAIN, "`phases` needs stages"),
    "phases with ways": (
        PHASES.replace("true", "true # <-") + 'transitions = [{ to = "first" }]\n', "Phases follow from what is told"),
    "words of a stage that is no phase": (
        PLAIN + '[stages.first]\nwords = ["go"] # <-\nfinal = true\n', "Only phases are gone to by words"),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_form_that_contradicts_itself_is_refused_with_its_line(case: str, tmp_path: Path) -> None:
    """Every mistake is told with the line to mend and a sentence that says how."""
    text, wanted = CASES[case]
    found = [p for p in problems(tmp_path / "small", text) if wanted in p.text]
    assert found, [str(p) for p in problems(tmp_path / "small", text)]
    assert MARK not in text or found[0].line == marked(text)


def test_a_persona_of_more_than_two_hundred_lines_is_refused(tmp_path: Path) -> None:
    """A prompt that is too long is told with the first line too many."""
    found = problems(tmp_path / "small", PLAIN, prompt_md="Be kind.\n" * 201)
    assert [(p.file.name, p.line) for p in found] == [("prompt.md", 201)]
    assert problems(tmp_path / "small", PLAIN, prompt_md="Be kind.\n" * 200) == ()


def test_phases_are_drawn_in_their_order(tmp_path: Path) -> None:
    """Stages without ways of their own are drawn one after the other."""
    assert "first --> second" in mermaid(form_of(tmp_path / "small", PHASES))
