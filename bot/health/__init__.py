"""Whether the bot is well, told so that it is true: to those who start and stop it, to whoever looks, and to Prometheus."""
