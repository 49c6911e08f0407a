"""Operations carried out, for whoever asks: the conversation in Slack and callers over HTTP go through the same service."""
