"""A slow referee for four-point Pitch, written from the rule book and not from the kernels.

Cards are strings ("AS", "TH"); a deal is one object, the match another. Nothing here is shared with `card_envs`.
"""

from collections.abc import Sequence
from types import SimpleNamespace

SUITS = "CDHS"
RANKS = "23456789TJQKA"
PIPS = {"T": 10, "A": 4, "K": 3, "Q": 2, "J": 1}
MOON_SCORE = 5


def rank_of(card: str) -> int:
    return RANKS.index(card[0])


def suit_of(card: str) -> str:
    return card[1]


def pips(cards: list[str]) -> int:
    return sum(PIPS.get(card[0], 0) for card in cards)


class Deal:
    """One deal: the auction, the trump, the tricks, and at the end who won which point."""

    def __init__(self, rules: SimpleNamespace, num_sides: int, dealer: int, hands: list[list[str]]):
        self.rules = rules
        self.num_players = len(hands)
        self.num_sides = num_sides
        self.dealer = dealer
        self.dealt = [list(hand) for hand in hands]
        self.hands = [list(hand) for hand in hands]
        self.moon_level = rules.max_bid + 1

        self.phase = "auction"  # then "naming" (when trump is named), "play" and "over"
        self.to_act: int | None = self.left_of(dealer)
        self.standing_bid: int | None = None
        self.standing_bidder: int | None = None
        self.bid: int | None = None
        self.bidder: int | None = None
        self.trump: str | None = None
        self.passed_out = False  # everybody passed and nothing was played

        self.trick: list[tuple[int, str]] = []
        self.first_lead = True
        self.won_cards: list[list[str]] = [[] for _ in range(num_sides)]
        self.tricks_won = [0] * self.num_players

    def left_of(self, seat: int) -> int:
        return (seat + 1) % self.num_players

    def side(self, seat: int) -> int:
        return seat % self.num_sides

    def legal(self) -> list[str]:
        if self.phase == "auction":
            return sorted(self.legal_calls())
        if self.phase == "naming":
            return sorted({f"name {suit_of(card)}" for card in self.hands[self.to_act]})
        if self.phase == "play":
            return sorted(self.legal_cards())
        return []

    def act(self, text: str) -> None:
        if text not in self.legal():
            raise ValueError(f"{text!r} is not legal; legal: {', '.join(self.legal()) or 'nothing'}")
        if self.phase == "auction":
            self.call(text)
        elif self.phase == "naming":
            self.trump = text.split()[1]
            self.phase = "play"
        else:
            self.play(text)

    # The auction

    def legal_calls(self) -> list[str]:
        calls = [] if self.dealer_must_bid() else ["pass"]
        for level in range(self.rules.min_bid, self.moon_level + 1):
            is_moon = level == self.moon_level
            if is_moon and self.rules.moon != "bid":
                continue
            beats_the_standing_bid = self.standing_bid is None or level > self.standing_bid
            if beats_the_standing_bid or (level == self.standing_bid and self.dealer_may_steal()):
                calls.append("moon" if is_moon else f"bid {level}")
        return calls

    def dealer_must_bid(self) -> bool:
        nobody_bid = self.standing_bid is None
        return self.rules.all_pass == "dealer_forced" and self.to_act == self.dealer and nobody_bid

    def dealer_may_steal(self) -> bool:
        if self.to_act != self.dealer:
            return False
        standing_moon = self.standing_bid == self.moon_level
        return {
            "none": False,
            "any": True,
            "four_only": self.standing_bid == 4 and not standing_moon,
            "below_four": self.standing_bid != 4 and not standing_moon,
        }[self.rules.dealer_steal]

    def call(self, text: str) -> None:
        if text != "pass":
            self.standing_bid = self.moon_level if text == "moon" else int(text.split()[1])
            self.standing_bidder = self.to_act
        if self.to_act == self.dealer:  # the dealer speaks last, and each seat once
            self.close_auction()
        else:
            self.to_act = self.left_of(self.to_act)

    def close_auction(self) -> None:
        self.bid, self.bidder = self.standing_bid, self.standing_bidder
        if self.bidder is not None:
            trump_maker = self.bidder
        elif self.rules.all_pass == "eldest_pitches":
            trump_maker = self.left_of(self.dealer)
        else:
            self.passed_out = True
            self.end()
            return
        self.to_act = trump_maker
        self.phase = "naming" if self.rules.trump_method == "name" else "play"

    # The tricks

    def playable(self, seat: int) -> list[str]:
        """The cards a seat may use at all: under trump_only, her trumps."""
        if self.rules.follow_rule == "trump_only" and self.trump is not None:
            return [card for card in self.hands[seat] if suit_of(card) == self.trump]
        return self.hands[seat]

    def legal_cards(self) -> list[str]:
        cards = self.playable(self.to_act)
        trumps = [card for card in cards if suit_of(card) == self.trump]
        if not self.trick:
            must_lead_trump = self.first_lead and self.trump is not None
            return trumps if must_lead_trump else cards
        led_suit = suit_of(self.trick[0][1])
        same_suit = [card for card in cards if suit_of(card) == led_suit]
        if not same_suit:
            return cards
        if self.rules.follow_rule == "follow_or_trump" and led_suit != self.trump:
            return same_suit + trumps
        return same_suit

    def play(self, card: str) -> None:
        if self.trump is None:  # pitched: the first card led fixes trump
            self.trump = suit_of(card)
        self.first_lead = False
        self.hands[self.to_act].remove(card)
        self.trick.append((self.to_act, card))

        already_played = [seat for seat, _ in self.trick]
        seat = self.left_of(self.to_act)
        while seat not in already_played:
            if self.playable(seat):
                self.to_act = seat
                return
            seat = self.left_of(seat)
        self.take_trick()

    def trick_winner(self) -> int:
        trumps = [(seat, card) for seat, card in self.trick if suit_of(card) == self.trump]
        led_suit = suit_of(self.trick[0][1])
        followers = [(seat, card) for seat, card in self.trick if suit_of(card) == led_suit]
        winner, _ = max(trumps or followers, key=lambda played: rank_of(played[1]))
        return winner

    def take_trick(self) -> None:
        winner = self.trick_winner()
        self.won_cards[self.side(winner)] += [card for _, card in self.trick]
        self.tricks_won[winner] += 1
        self.trick = []

        leader = winner
        for _ in range(self.num_players):
            if self.playable(leader):
                self.to_act = leader
                return
            leader = self.left_of(leader)
        self.end()

    def end(self) -> None:
        self.phase = "over"
        self.to_act = None

    # The points

    def points(self) -> list[int | None]:
        """The side that won each point, in the order High, Low, Jack, Game; None where nobody did."""
        if self.passed_out:
            return [None] * 4
        trumps = [card for hand in self.dealt for card in hand if suit_of(card) == self.trump]
        lowest = min(trumps, key=rank_of)
        low = self.holder(lowest) if self.rules.low_to == "holder" else self.taker(lowest)
        return [self.taker(max(trumps, key=rank_of)), low, self.taker("J" + self.trump), self.game_point()]

    def taker(self, card: str) -> int | None:
        for side in range(self.num_sides):
            if card in self.won_cards[side]:
                return side
        return None

    def holder(self, card: str) -> int:
        return next(self.side(seat) for seat in range(self.num_players) if card in self.dealt[seat])

    def game_point(self) -> int | None:
        totals = [pips(cards) for cards in self.won_cards]
        best = max(totals)
        tied = [side for side in range(self.num_sides) if totals[side] == best]
        if best == 0:
            return None
        if len(tied) == 1:
            return tied[0]
        if self.rules.game_tie == "non_bidder":
            others = [side for side in tied if side != self.bidding_side()]
            return others[0] if len(others) == 1 else None
        if self.rules.game_tie == "dealer_side":
            dealing_side = self.side(self.dealer)
            return dealing_side if dealing_side in tied else None
        return None

    def bidding_side(self) -> int | None:
        return None if self.bidder is None else self.side(self.bidder)

    def moon_was_bid(self) -> bool:
        return self.bid == self.moon_level

    def moon_was_made(self) -> bool:
        side = self.bidding_side()
        won_every_trick = all(self.side(seat) == side for seat in range(self.num_players) if self.tricks_won[seat] > 0)
        return self.points() == [side] * 4 and won_every_trick


class PitchReferee:
    """A match of Pitch: deals are handed in one by one, scored, and the end of the match is called."""

    def __init__(self, options: dict, num_players: int, scores: list[int] | None = None):
        self.rules = SimpleNamespace(**options)
        self.num_players = num_players
        self.num_sides = num_players // 2 if self.rules.teams == "pairs" else num_players
        self.scores = list(scores) if scores is not None else [0] * self.num_sides
        if len(self.scores) != self.num_sides:
            raise ValueError(f"{len(self.scores)} scores for {self.num_sides} sides")
        self.deal: Deal | None = None
        self.deal_scores: list[list[int]] = []
        self.winners: list[int] = []
        self.match_over = False
        self.truncated = False
        self.next_dealer: int | None = None

    def start_deal(self, dealer: int, hands: list[list[str]]) -> None:
        if self.match_over:
            raise ValueError("the match is over")
        if self.deal is not None and not self.deal_over:
            raise ValueError("the deal is not finished")
        if self.next_dealer is not None and dealer != self.next_dealer:
            raise ValueError(f"seat {self.next_dealer} deals next, not seat {dealer}")
        self.check_hands(hands)
        self.deal = Deal(self.rules, self.num_sides, dealer, hands)

    def check_hands(self, hands: list[list[str]]) -> None:
        deck = [rank + suit for suit in SUITS[: self.rules.suits] for rank in RANKS[-self.rules.ranks :]]
        if [len(hand) for hand in hands] != [self.rules.hand_size] * self.num_players:
            raise ValueError(f"{self.num_players} hands of {self.rules.hand_size} cards are needed")
        for card in (card for hand in hands for card in hand):
            if card not in deck:
                raise ValueError(f"{card} is doubled or not in the deck")
            deck.remove(card)

    def legal(self) -> list[str]:
        return self.deal.legal() if self.deal is not None else []

    def act(self, text: str) -> None:
        if self.deal is None:
            raise ValueError("no deal has been started")
        self.deal.act(text)
        if self.deal_over:
            self.finish_deal()

    @property
    def to_act(self) -> int | None:
        return self.deal.to_act if self.deal is not None else None

    @property
    def deal_over(self) -> bool:
        return self.deal is not None and self.deal.phase == "over"

    @property
    def trump(self) -> str | None:
        return self.deal.trump if self.deal is not None else None

    @property
    def bidder(self) -> int | None:
        return self.deal.bidder if self.deal is not None else None

    @property
    def bid(self) -> int | None:
        return self.deal.bid if self.deal is not None else None

    @property
    def tricks_won(self) -> list[int]:
        return list(self.deal.tricks_won) if self.deal is not None else [0] * self.num_players

    @property
    def trick(self) -> list[str]:
        return [card for _, card in self.deal.trick] if self.deal is not None else []

    # Scoring

    def finish_deal(self) -> None:
        deal = self.deal
        before = list(self.scores)
        change = self.score_changes()
        self.scores = [score + gain for score, gain in zip(before, change, strict=True)]
        self.deal_scores.append(change)
        same_dealer_again = deal.passed_out and self.rules.all_pass == "redeal_same"
        self.next_dealer = deal.dealer if same_dealer_again else deal.left_of(deal.dealer)

        self.winners = self.moon_winners(before) or self.target_winners(before)
        if not self.winners and len(self.deal_scores) >= self.rules.max_hands:
            self.truncated = True
            self.winners = self.highest(range(self.num_sides))
        self.match_over = bool(self.winners)

    def score_changes(self) -> list[int]:
        points = self.deal.points()
        change = [points.count(side) for side in range(self.num_sides)]
        bidding_side = self.deal.bidding_side()
        if bidding_side is None:
            return change
        if self.deal.moon_was_bid():
            change[bidding_side] = self.moon_score(self.scores[bidding_side])
        elif change[bidding_side] < self.deal.bid:
            change[bidding_side] = -self.deal.bid
        elif self.rules.made_scores == "bid":
            change[bidding_side] = self.deal.bid
        return change

    def moon_score(self, score: int) -> int:
        """What a moon bid earns or costs a side that stood at `score`."""
        if not self.deal.moon_was_made():
            return -MOON_SCORE
        if self.rules.moon_made == "five":
            return MOON_SCORE
        if score < 0:
            return -score  # in the hole: only lifted to 0
        return max(score + MOON_SCORE, self.rules.target) - score

    # The end of the match

    def moon_winners(self, before: list[int]) -> list[int]:
        """Whom a moon makes the winner, whatever the target says."""
        bidding_side = self.deal.bidding_side()
        if self.deal.moon_was_bid():
            if self.deal.moon_was_made():
                return [bidding_side] if self.rules.moon_made == "game" and before[bidding_side] >= 0 else []
            others = [side for side in range(self.num_sides) if side != bidding_side]
            return self.highest(others) if self.rules.moon_failed == "lose_game" else []
        if self.rules.moon == "four_points":
            points = self.deal.points()
            for side in range(self.num_sides):
                if points == [side] * 4:
                    return [side]
        return []

    def target_winners(self, before: list[int]) -> list[int]:
        there = [side for side in range(self.num_sides) if self.scores[side] >= self.rules.target]
        bidding_side = self.deal.bidding_side()
        if self.rules.must_bid_to_win:
            return [bidding_side] if bidding_side in there else []
        if len(there) <= 1:
            return there
        if self.rules.tie_rule == "highest":
            best = self.highest(there)
            return best if len(best) == 1 else []
        if bidding_side in there:
            return [bidding_side]
        return self.first_to_count_out(there, before) if self.rules.tie_rule == "count_order" else []

    def first_to_count_out(self, there: list[int], before: list[int]) -> list[int]:
        """Add the points in the order High, Low, Jack, Game; the first of `there` to stand at the target wins."""
        counted = list(before)
        for point_winner in [None, *self.deal.points()]:  # None: before any point is counted
            if point_winner is not None:
                counted[point_winner] += 1
            out = [side for side in there if counted[side] >= self.rules.target]
            if out:
                return out if len(out) == 1 else []
        return []

    def highest(self, sides: Sequence[int]) -> list[int]:
        best = max(self.scores[side] for side in sides)
        return [side for side in sides if self.scores[side] == best]
