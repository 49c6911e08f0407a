"""What presenting makes of one turn: card changes and effects, gathered without touching the turn's own draft."""

from state.draft.changes import Change, apply
from state.engine.cards import Card
from state.engine.context import TurnContext
from state.engine.effects import Effect, Post, Repaint


class Screen:
    """`draft` is the settled one with the cards as they are so far; `changes` and `effects` are what `advance` takes over."""

    def __init__(self, turn: TurnContext) -> None:
        self.turn, self.draft = turn, turn.draft
        self.changes: list[Change] = []
        self.effects: list[Effect] = []
        self.model = turn.model
        self._posted = len(turn.cards)

    @property
    def next_id(self) -> str:
        """The id that the next posted card gets."""
        return self.turn.card_id(self._posted + 1)

    def change(self, change: Change) -> None:
        """Change which cards are open, answered or said."""
        self.draft = apply(self.draft, change)
        self.changes.append(change)

    def do(self, *effects: Effect) -> None:
        """Add effects."""
        self.effects.extend(effects)

    def post(self, card: Card) -> str:
        """A new message with this card; gives its id."""
        name = self.next_id
        self._posted += 1
        self.do(Post(name, card))
        return name

    def repaint(self, card: str, other: Card) -> None:
        """An earlier card painted anew, once a turn: what was said first about it counts."""
        if not any(isinstance(e, Repaint) and e.id == card for e in self.effects):
            self.do(Repaint(card, other))
