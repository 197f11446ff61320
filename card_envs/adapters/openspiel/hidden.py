"""Dealing anew what a seat cannot see: another deal and, where they are private, other actions that look the same to it."""

from __future__ import annotations

import random
from typing import NamedTuple

from card_envs.adapters.openspiel.deals import Deal
from card_envs.cards import NUM_CARDS, card_list
from card_envs.table import IllegalAction, Table

REDEALS = 64  # of everything hidden
EXCHANGES = 200  # of two cards


class Cards(NamedTuple):
    """A deal's cards and what was done with them."""

    hands: list[list[int]]
    piles: dict[str, list[int]]
    actions: list[int]


class Position:
    """A deal in progress at a table, seen by one of its seats. The table is played at and left anywhere."""

    def __init__(self, table: Table, before: bytes, deal: Deal, actions: list[int], viewer: int):
        """before: the table's snapshot before the deal was opened."""
        self.table, self.before, self.deal, self.viewer = table, before, deal, viewer
        self.true = Cards(deal.hands, deal.piles, actions)
        self.movers: list[int] = []
        known = {action for action in actions if action < NUM_CARDS}
        for name, pile in deal.piles.items():
            known |= set() if table.is_pile(name) else set(pile)
        for _ in self._replayed(self.true):
            self.movers.append(table.turn)
            known |= set(card_list(int(table.record.hand[viewer])))
        self.hidden = sorted(set(card_list(table.rules.deck_cards)) - known)

    def redealt(self, choose: random.Random) -> Cards:
        """Cards that look the same to the viewer.

        First everything hidden is dealt anew until it fits, which is uniform over what fits. Where nothing of that fits what
        others have played, two cards at a time change places from the true deal on, often enough to forget it.
        """
        looks = self._looks(self.true)
        for _ in range(REDEALS):
            tried = self._exchanged(self.true, dict(zip(self.hidden, choose.sample(self.hidden, len(self.hidden)))))
            if self._looks(tried) == looks:
                return tried
        cards = self.true
        for _ in range(EXCHANGES if len(self.hidden) > 1 else 0):
            one, two = choose.sample(self.hidden, 2)
            tried = self._exchanged(cards, {one: two, two: one})
            if self._looks(tried) == looks:
                cards = tried
        return cards

    def _exchanged(self, cards: Cards, places: dict[int, int]) -> Cards:
        """With hidden cards in each other's places; others' private actions follow them."""
        private, moved = self.table.game.private, []
        for mover, action in zip(self.movers, cards.actions):
            follows = action in private and mover != self.viewer
            moved.append(private.start + places.get(action - private.start, action - private.start) if follows else action)
        hands = [[places.get(card, card) for card in hand] for hand in cards.hands]
        return Cards(hands, {name: [places.get(c, c) for c in pile] for name, pile in cards.piles.items()}, moved)

    def _replayed(self, cards: Cards):
        """Steps through the actions, pausing before each and at the end. Raises IllegalAction where one is not legal."""
        self.table.restore(self.before)
        self.deal.open_at(self.table, cards.hands, cards.piles)
        for action in cards.actions:
            yield
            self.table.step(action)
        yield

    def _looks(self, cards: Cards) -> list | None:
        """What the viewer sees at its decisions and now, and who acts; None where the deal does not allow these actions."""
        table, viewer, seen = self.table, self.viewer, []
        try:
            for number, _ in enumerate(self._replayed(cards)):
                seen.append(table.turn)
                if table.turn == viewer or number == len(cards.actions):
                    seen.append((table.words(viewer).tobytes(), table.tokens(viewer).tobytes()))
        except IllegalAction:
            return None
        return seen
