"""What a Web API method is."""

from collections.abc import Callable

from bot.sandbox.params import Params
from bot.sandbox.slack import Slack
from bot.sandbox.workspace import Json

Method = Callable[[Slack, Params], Json]
