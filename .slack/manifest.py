"""Prints the manifest as JSON, for Slack's CLI, which reads no YAML: that of the forms that are loaded, as `holdfast manifest`."""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from bot.root.installation import load_workflows
from bot.settings import load
from bot.slack.manifest import manifest_of

sys.stdout.write(json.dumps(manifest_of(w.form for w in load_workflows(load()).values())))
