"""Requirements: how answers are graded, which names count as technology, and the document that a submission becomes."""

from state.form.files import Files
from state.rules import Rules

from .document import filer, gatherer, read_templates
from .grading import graders, technology

VERSION = "1"


def rules(files: Files) -> Rules:
    """Read templates.toml, answers.toml and technology.toml. Raises FormError with the lines to mend."""
    fields = files.toml("form.toml").data["fields"]
    labels = {name: str(field["label"]) for name, field in fields.items()}
    return Rules(
        version=VERSION,
        graders=graders(files),
        names={"technology": technology(files)},
        gather=gatherer(),
        file=filer(read_templates(files), labels),
    )
