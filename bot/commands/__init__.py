"""What each command of `holdfast` does; `bot.cli` imports a module of this package only when its command is given."""
