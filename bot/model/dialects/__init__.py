"""Models without native tools: their text is read into the same `Reply`, strictly, with one retry."""

from bot.model.dialects.speaking import Speaking

__all__ = ["Speaking"]
