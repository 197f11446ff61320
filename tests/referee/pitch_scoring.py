"""The slow referee's points of a finished deal of Pitch, what they are worth, and whom they make the winner."""

from collections.abc import Sequence

from .pitch_cards import JOKERS, deck_of, pips

# The points of a deal, in the order in which they are counted out. With ten points the first four are single cards too.
HIGH, LOW, JACK, GAME, OFF_JACK, HIGH_JOKER, LOW_JOKER, THREE = range(8)
ACE, TWO, TEN = HIGH, LOW, GAME
WORTH = [1, 1, 1, 1, 1, 1, 1, 3]
MOON_SCORE = 5


class Points:
    """Who won which point. `sides` holds a side for each point, None where nobody won it or the rules do not have it."""

    def __init__(self, deal):
        self.deal = deal
        self.rules = deal.rules
        self.sides: list[int | None] = [None] * len(WORTH)
        if deal.passed_out:
            return
        if self.rules.points == "ten":
            for point, card in self.point_cards().items():
                self.sides[point] = self.taker(card)
            self.sides[TWO] = self.low_winner("2" + deal.trump)
            return
        played = [card for cards in deal.played for card in cards]
        self.sides[HIGH] = self.taker(deal.trumps.highest(played))
        self.sides[LOW] = self.low_winner(deal.trumps.lowest_natural(played))
        self.sides[GAME] = self.game_winner()
        for point, card in self.single_cards().items():
            self.sides[point] = self.taker(card)

    def single_cards(self) -> dict[int, str]:
        """Points that both sets have: one card each, to its taker."""
        trumps = self.deal.trumps
        cards = {JACK: trumps.jack, OFF_JACK: trumps.off_jack, LOW_JOKER: JOKERS[0], HIGH_JOKER: JOKERS[1]}
        return {point: card for point, card in cards.items() if card is not None}

    def point_cards(self) -> dict[int, str]:
        """The ten points, each a card of the pack."""
        suit = self.deal.trump
        cards = {ACE: "A" + suit, TWO: "2" + suit, TEN: "T" + suit, THREE: "3" + suit, **self.single_cards()}
        pack = deck_of(self.rules)
        return {point: card for point, card in cards.items() if card in pack}

    def taker(self, card: str | None) -> int | None:
        for side in range(self.deal.num_sides):
            if card in self.deal.won_cards[side]:
                return side
        return None

    def low_winner(self, card: str | None) -> int | None:
        """The side that took the card or, under low_to=holder, the one that played it."""
        if self.rules.low_to == "taker":
            return self.taker(card)
        for seat in range(self.deal.num_players):
            if card in self.deal.played[seat]:
                return self.deal.side(seat)
        return None

    def game_winner(self) -> int | None:
        totals = [pips(cards) for cards in self.deal.won_cards]
        best = max(totals)
        tied = [side for side in range(self.deal.num_sides) if totals[side] == best]
        if best == 0:
            return None
        if len(tied) == 1:
            return tied[0]
        if self.rules.game_tie == "non_bidder":
            others = [side for side in tied if side != self.deal.bidding_side()]
            return others[0] if len(others) == 1 else None
        if self.rules.game_tie == "dealer_side":
            dealing_side = self.deal.side(self.deal.dealer)
            return dealing_side if dealing_side in tied else None
        return None

    def total(self, side: int) -> int:
        return sum(worth for worth, winner in zip(WORTH, self.sides, strict=True) if winner == side)

    def moon_points(self) -> list[int]:
        """What a moon bid has to win: of ten points those that the pack has, else all, whether the pack has them or not."""
        if self.rules.points == "ten":
            return list(self.point_cards())
        jokers = [LOW_JOKER, HIGH_JOKER][: self.rules.jokers]
        return [HIGH, LOW, JACK, GAME, *([OFF_JACK] if self.rules.off_jack else []), *jokers]

    def moon_was_made(self) -> bool:
        deal, side = self.deal, self.deal.bidding_side()
        won_all_points = all(self.sides[point] == side for point in self.moon_points())
        won_every_trick = all(deal.side(seat) == side for seat in range(deal.num_players) if deal.tricks_won[seat] > 0)
        return won_all_points and (won_every_trick or self.rules.points == "ten")


class Scoring:
    """What a finished deal does to a match that stood at `before`."""

    def __init__(self, deal, before: list[int]):
        self.deal = deal
        self.rules = deal.rules
        self.points = Points(deal)
        self.bidding_side = deal.bidding_side()
        self.before = list(before)
        self.change = self.score_changes()
        self.scores = [score + gain for score, gain in zip(before, self.change, strict=True)]

    def score_changes(self) -> list[int]:
        side = self.bidding_side
        change = [self.points.total(each) for each in range(self.deal.num_sides)]
        if side is None:
            return change
        if self.deal.moon_was_bid():
            change[side] = self.moon_score(self.before[side])
        elif change[side] < self.deal.bid:
            change[side] = -self.deal.bid
        elif self.rules.made_scores == "bid":
            change[side] = self.deal.bid
        return change

    def moon_score(self, score: int) -> int:
        """What a moon bid earns or costs a side that stood at `score`."""
        worth = max(MOON_SCORE, self.deal.moon_level)
        if not self.points.moon_was_made():
            return -worth
        if self.rules.moon_made == "five":
            return worth
        if score < 0:
            return -score  # in the hole: only lifted to 0
        return max(score + worth, self.rules.target) - score

    # The end of the match

    def winners(self) -> list[int]:
        return self.moon_winners() or self.target_winners()

    def moon_winners(self) -> list[int]:
        """Whom a moon makes the winner, whatever the target says."""
        side, sides = self.bidding_side, range(self.deal.num_sides)
        if self.deal.moon_was_bid():
            if self.points.moon_was_made():
                return [side] if self.rules.moon_made == "game" and self.before[side] >= 0 else []
            others = [each for each in sides if each != side]
            return highest(self.scores, others) if self.rules.moon_failed == "lose_game" else []
        if self.rules.moon == "four_points":
            first_four = self.points.sides[HIGH : GAME + 1]
            return [each for each in sides if first_four == [each] * 4]
        return []

    def target_winners(self) -> list[int]:
        there = [side for side in range(self.deal.num_sides) if self.scores[side] >= self.rules.target]
        if self.rules.must_bid_to_win:
            return [self.bidding_side] if self.bidding_side in there else []
        if len(there) <= 1:
            return there
        if self.rules.tie_rule == "highest":
            best = highest(self.scores, there)
            return best if len(best) == 1 else []
        if self.bidding_side in there:
            return [self.bidding_side]
        return self.first_to_count_out(there) if self.rules.tie_rule == "count_order" else []

    def first_to_count_out(self, there: list[int]) -> list[int]:
        """Add the points in their order; the first of `there` to stand at the target wins."""
        counted = list(self.before)
        for winner, worth in [(None, 0), *zip(self.points.sides, WORTH, strict=True)]:  # first: before any is counted
            if winner is not None:
                counted[winner] += worth
            out = [side for side in there if counted[side] >= self.rules.target]
            if out:
                return out if len(out) == 1 else []
        return []


def highest(scores: list[int], sides: Sequence[int]) -> list[int]:
    """Those of the sides that have the best score."""
    best = max(scores[side] for side in sides)
    return [side for side in sides if scores[side] == best]
