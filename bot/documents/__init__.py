"""Files that people send: fetched with the bot's token, told by their content, read apart from the bot, and stored."""
