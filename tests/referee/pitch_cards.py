"""The packs of Pitch for the slow referee, and what is trump in them. Cards are strings: "AS", "TH", "LJ", "HJ"."""

from types import SimpleNamespace

SUITS = "CDHS"
RANKS = "23456789TJQKA"
JOKERS = ["LJ", "HJ"]  # the low joker, the high one
PIPS = {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}
SAME_COLOUR = {"C": "S", "S": "C", "D": "H", "H": "D"}


def pips(cards: list[str]) -> int:
    return sum(0 if card in JOKERS else PIPS.get(card[0], 0) for card in cards)


def suits_of_deck(rules: SimpleNamespace) -> str:
    return SUITS[: rules.suits]


def deck_of(rules: SimpleNamespace) -> list[str]:
    naturals = [rank + suit for suit in suits_of_deck(rules) for rank in RANKS[-rules.ranks :]]
    return naturals + JOKERS[: rules.jokers]


def natural_cards(cards: list[str]) -> list[str]:
    return [card for card in cards if card not in JOKERS]


def printed_suits(cards: list[str]) -> set[str]:
    """Jokers have none."""
    return {card[1] for card in natural_cards(cards)}


class Trumps:
    """The trumps of a deal: those of the suit, the off-jack where the rules have one, and every joker."""

    def __init__(self, rules: SimpleNamespace, suit: str):
        self.suit = suit
        self.jack = "J" + suit
        self.off_jack = "J" + SAME_COLOUR[suit] if rules.off_jack else None
        up_to_ten, from_jack = [rank + suit for rank in "23456789T"], [rank + suit for rank in "JQKA"]
        lower = JOKERS + up_to_ten if rules.joker_rank == "lowest" else up_to_ten + JOKERS
        self.order = [*lower, *([self.off_jack] if self.off_jack else []), *from_jack]  # the lowest first

        point_cards = ["J", "A", "T", "3", "2"] if rules.points == "ten" else ["J"]
        self.point_cards = [rank + suit for rank in point_cards] + JOKERS
        if self.off_jack:
            self.point_cards.append(self.off_jack)

    def among(self, cards: list[str]) -> list[str]:
        return [card for card in cards if card in self.order]

    def suit_of(self, card: str) -> str:
        """The suit that a card follows and is followed as."""
        return self.suit if card in self.order else card[1]

    def highest(self, cards: list[str]) -> str | None:
        return max(self.among(cards), key=self.order.index, default=None)

    def lowest_natural(self, cards: list[str]) -> str | None:
        """Jokers are never low."""
        return min(natural_cards(self.among(cards)), key=self.order.index, default=None)
