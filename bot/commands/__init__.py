"""The work of each command of `holdfast`; `bot.cli` imports a module of this package only when its command is given."""
