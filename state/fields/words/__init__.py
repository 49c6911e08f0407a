"""How a field is called in words, and which words are a plain answer to it."""
