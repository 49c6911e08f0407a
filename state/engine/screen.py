"""The screen of one turn: cards posted, painted anew, and the changes of which cards are open."""

from state.draft import changes
from state.draft.changes import apply
from state.engine.cards import Card
from state.engine.context import TurnContext, message_of
from state.engine.effects import Effect, Post, Repaint


class Screen:
    """`draft` is the settled one with the cards as they are so far; `changes` and `effects` are what `advance` takes over."""

    def __init__(self, turn: TurnContext) -> None:
        self.turn, self.draft = turn, turn.draft
        self.changes: list[changes.Change] = []
        self.effects: list[Effect] = []
        self.model = turn.model
        self._posted = len(turn.cards)

    @property
    def into(self) -> str:
        """The card whose message the next posted card takes over; "" where it gets a message of its own."""
        taken = self._posted or self.turn.into in self.turn.repaints
        return "" if taken else self.turn.into

    @property
    def next_id(self) -> str:
        """The id that the next posted card gets."""
        return self.turn.card_id(self._posted + 1, self.into)

    def change(self, change: changes.Change) -> None:
        """Change which cards are open, answered or said."""
        self.draft = apply(self.draft, change)
        self.changes.append(change)

    def do(self, *effects: Effect) -> None:
        """Add effects."""
        self.effects.extend(effects)

    def post(self, card: Card) -> str:
        """This card in the message that it takes over, or in one of its own; gives its id."""
        name, into = self.next_id, self.into
        self._posted += 1
        self.do(Post(name, card, into))
        return name

    def post_below(self, card: Card) -> None:
        """This card in a message of its own, below everything."""
        self._posted += 1
        self.do(Post(self.turn.card_id(self._posted), card))

    @property
    def waits(self) -> bool:
        """Whether a card that was put up in this turn waits for a click: nothing else is asked until it is answered."""
        proposal = self.draft.proposal
        return proposal is not None and any(post.id == proposal.card for post in self.turn.cards)

    def repaint(self, card: str, other: Card) -> None:
        """An earlier card painted anew, once a turn: what was said first about it counts. One whose message was taken over is gone."""
        taken = any(isinstance(e, Post) and e.into and message_of(e.into) == message_of(card) for e in self.effects)
        if not taken and not any(isinstance(e, Repaint) and e.id == card for e in self.effects):
            self.do(Repaint(card, other))
