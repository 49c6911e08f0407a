"""Run by itself: loads a form in the language of the first argument and prints what its words come to, as JSON."""

import json
import sys
from pathlib import Path

from blocks.phrases import Phrasebook, problems
from state.fields.base import Context
from state.understanding.commands import read_command
from state.understanding.plain_answers import read_whole
from state.workflow.load import load_folder


def main(language: str, folder: str) -> None:
    """Yes, a number and tomorrow as answers; an order; a sentence on screen."""
    form = load_folder(Path(folder), sentences=problems).form
    context = Context(form.language, "2026-11-20")
    given = {"own": "jes", "count": "3", "day": "morgaŭ"}
    answers = {name: read_whole(form.fields[name], text, context) for name, text in given.items()}
    order, said = read_command("nuligu", language), Phrasebook(language).say("yes")
    sys.stdout.write(json.dumps({"answers": answers, "order": order, "said": said}))


if __name__ == "__main__":
    main(*sys.argv[1:])
