"""`POST /chat`: operations over HTTP, by the same prompts, guards, gate and service as in Slack."""

from bot.chat.handler import Chat
from bot.chat.tokens import Tokens, read_tokens

__all__ = ["Chat", "Tokens", "read_tokens"]
