"""The slow referee's kitty, draws and discards of Pitch, between naming trump and the first lead."""

from types import SimpleNamespace

from .pitch_cards import Trumps


class Stock:
    """The cards that can be drawn, the top one first, and how many each seat has drawn."""

    def __init__(self, cards: list[str], num_players: int):
        self.cards = list(cards)
        self.drew = [0] * num_players

    def draw(self, seat: int, number: int) -> list[str]:
        if number > len(self.cards):
            raise ValueError(f"seat {seat} draws {number} cards, the stock has {len(self.cards)}")
        drawn, self.cards = self.cards[:number], self.cards[number:]
        self.drew[seat] += number
        return drawn


class Exchange:
    """Seats change cards one after the other. `to_act` has to bury a card; None once all are done."""

    def __init__(
        self, rules: SimpleNamespace, trumps: Trumps, seats: list[int], pitcher: int, hands: list[list[str]], stock: Stock
    ):
        self.rules = rules
        self.trumps = trumps
        self.pitcher = pitcher
        self.hands = hands
        self.stock = stock
        self.waiting = list(seats)
        self.out_of_play: list[str] = []  # thrown and buried cards
        self.to_act: int | None = None
        self.next_turn()

    def next_turn(self) -> None:
        """Up to a seat that has to choose what it buries."""
        self.to_act = None
        while self.waiting and self.to_act is None:
            seat = self.waiting.pop(0)
            if self.rules.draw != "none":
                self.throw_and_draw(seat)
            if self.may_bury(seat):
                self.to_act = seat

    def throw_and_draw(self, seat: int) -> None:
        takes_the_rest = self.rules.draw == "bidder_rest" and seat == self.pitcher
        if takes_the_rest:
            self.hands[seat] += self.stock.draw(seat, len(self.stock.cards))
        trumps = self.trumps.among(self.hands[seat])
        self.out_of_play += [card for card in self.hands[seat] if card not in trumps]
        self.hands[seat] = trumps
        if len(trumps) < self.rules.draw_to and not takes_the_rest:
            self.hands[seat] += self.stock.draw(seat, self.rules.draw_to - len(trumps))

    def may_bury(self, seat: int) -> list[str]:
        """Nothing once a seat has no more cards than it may keep."""
        hand = self.hands[seat]
        may_keep = self.rules.hand_size if self.rules.draw == "none" else self.rules.draw_to
        if len(hand) <= may_keep:
            return []
        plain_cards = [card for card in hand if card not in self.trumps.among(hand)]
        if plain_cards:
            return plain_cards
        pointless_trumps = [card for card in hand if card not in self.trumps.point_cards]
        if pointless_trumps:
            return pointless_trumps
        return [] if self.rules.follow_rule == "trump_only" else hand

    def legal(self) -> list[str]:
        return [f"discard {card}" for card in self.may_bury(self.to_act)]

    def bury(self, card: str) -> None:
        self.hands[self.to_act].remove(card)
        self.out_of_play.append(card)
        if not self.may_bury(self.to_act):
            self.next_turn()
