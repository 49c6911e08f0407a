"""Prints manifest.yml as JSON, for Slack's CLI, which reads no YAML."""

import json
import sys
from pathlib import Path

import yaml

sys.stdout.write(json.dumps(yaml.safe_load(Path(__file__).parent.parent.joinpath("manifest.yml").read_text("utf-8"))))
