"""How a deal is made of chance outcomes: who deals, whole hands where there are few of them, else card by card."""

from __future__ import annotations

import functools
import itertools
import math
from typing import NamedTuple

from card_envs.cards import CARD_NAMES, card_list, card_word
from card_envs.table import Table

MANY_HANDS = 2000  # with more different hands, cards are dealt one by one
DEALER, HAND, CARD = range(3)


class Draw(NamedTuple):
    """One chance node of a deal."""

    kind: int  # DEALER, HAND or CARD
    to: int | str  # seat, or the name of the pile
    size: int  # cards


@functools.lru_cache(maxsize=4096)
def hands_of(deck: int, size: int) -> list[tuple[int, ...]]:
    """Every hand of so many cards of the deck (a word of bits), in the order of their outcomes."""
    return list(itertools.combinations(card_list(deck), size))


def plan(table: Table, draws_dealer: bool) -> list[Draw]:
    """The chance nodes of the next deal of this table."""
    draws = [Draw(DEALER, -1, 0)] if draws_dealer else []
    left = table.rules.deck_cards.bit_count()
    for seat, size in enumerate(table.hand_sizes()):
        whole = math.comb(left, size) <= MANY_HANDS
        draws += [Draw(HAND, seat, size)] if whole else [Draw(CARD, seat, 1)] * size
        left -= size
    for name, size in table.deal_cards().items():
        draws += [Draw(CARD, name, 1)] * size
    return draws


class Deal:
    """A deal while it is made. It never changes: `after` is another one."""

    def __init__(self, draws: list[Draw], deck: int, dealer: int, num_players: int, drawn: tuple[tuple[int, ...], ...] = ()):
        """deck: what can still be drawn; drawn: the cards of each draw made so far, none of the dealer's."""
        self.draws, self.drawn, self.deck, self.dealer, self.num_players = draws, drawn, deck, dealer, num_players

    def __deepcopy__(self, memo) -> Deal:
        return self

    def __str__(self) -> str:
        names = [" ".join(CARD_NAMES[card] for card in cards) for cards in [*self.hands, *self.piles.values()]]
        return f"seat {self.dealer} deals: {' / '.join(names)}"

    @functools.cached_property
    def hands(self) -> list[list[int]]:
        """Card ids by seat, as far as they are dealt."""
        return [self._cards_of(seat) for seat in range(self.num_players)]

    @functools.cached_property
    def piles(self) -> dict[str, list[int]]:
        """Card ids of what is dealt beside the hands, by name."""
        return {draw.to: self._cards_of(draw.to) for draw in self.draws if isinstance(draw.to, str)}

    def _cards_of(self, place) -> list[int]:
        return [card for draw, cards in zip(self.draws, self.drawn) if draw.to == place for card in cards]

    @property
    def done(self) -> bool:
        return len(self.drawn) == len(self.draws)

    def after(self, pick: int) -> Deal:
        dealer = pick if self.draws[len(self.drawn)].kind == DEALER else self.dealer
        cards = self._picked(pick)
        return Deal(self.draws, self.deck & ~card_word(cards), dealer, self.num_players, (*self.drawn, cards))

    def _picked(self, pick: int) -> tuple[int, ...]:
        """The cards that an outcome of the next draw is."""
        draw = self.draws[len(self.drawn)]
        if draw.kind == DEALER:
            return ()
        return hands_of(self.deck, draw.size)[pick] if draw.kind == HAND else (pick,)

    def outcomes(self) -> list[int]:
        """Equally probable."""
        draw = self.draws[len(self.drawn)]
        if draw.kind == DEALER:
            return list(range(self.num_players))
        if draw.kind == HAND:
            return list(range(len(hands_of(self.deck, draw.size))))
        return card_list(self.deck)

    def text(self, pick: int) -> str:
        """An outcome in words."""
        draw = self.draws[len(self.drawn)]
        if draw.kind == DEALER:
            return f"seat {pick} deals"
        place = f"seat {draw.to}" if isinstance(draw.to, int) else draw.to
        return f"{place}: {' '.join(CARD_NAMES[card] for card in self._picked(pick))}"

    def picks_for(self, hands: list[list[int]], piles: dict[str, list[int]], dealer: int | None = None) -> list[int]:
        """The outcomes of all draws that make a deal of these cards; dealer: another one than ours, where it is drawn."""
        left, picks = self.deck | card_word(card for cards in self.drawn for card in cards), []
        rest = {**dict(enumerate(map(list, hands))), **{name: list(pile) for name, pile in piles.items()}}
        for draw in self.draws:
            if draw.kind == DEALER:
                picks.append(self.dealer if dealer is None else dealer)
                continue
            cards, rest[draw.to] = rest[draw.to][: draw.size], rest[draw.to][draw.size :]
            picks.append(hands_of(left, draw.size).index(tuple(sorted(cards))) if draw.kind == HAND else cards[0])
            left &= ~card_word(cards)
        return picks

    def open_at(self, table: Table, hands: list[list[int]] | None = None, piles: dict[str, list[int]] | None = None) -> None:
        """Open the deal at a table, or the same dealer's deal of other cards."""
        piles = self.piles if piles is None else piles
        given = {name: pile if table.is_pile(name) else pile[0] for name, pile in piles.items()}
        table.open_deal(self.hands if hands is None else hands, self.dealer, **given)
