"""A slow referee for Spades, written from the rule book and not from the kernels.

Cards are strings ("AS", "TH", "LJ" and "HJ" for the jokers); a deal is one object, the match another. Nothing here is
shared with `card_envs`.
"""

from collections.abc import Sequence
from types import SimpleNamespace

from .spades_bidding import Bidding
from .spades_cards import RANKS, SUITS, deck_of, strength, suit_of
from .spades_scoring import BLIND_NIL, NIL, NILS, SideScore


class Deal(Bidding):
    """One deal: the bids, the trump where it is named, the cards that partners exchange, and the tricks."""

    def __init__(self, rules, num_sides: int, dealer: int, hands: list[list[str]], scores: list[int], without_bids=False):
        self.rules = rules
        self.num_players = len(hands)
        self.num_sides = num_sides
        self.dealer = dealer
        self.hands = [list(hand) for hand in hands]
        self.hand_size = len(hands[0])
        self.scores = scores  # of the sides before this deal
        self.without_bids = without_bids

        self.phase = "auction"  # then "naming", "exchange", "play" and "over"
        self.to_act: int | None = self.left_of(dealer)
        self.bids: list = [None] * self.num_players  # a number, NIL, BLIND_NIL or a BLIND_NUMBER
        self.has_looked = [False] * self.num_players
        self.bidder: int | None = None  # the high bidder, where he names trump
        self.trump = "S"
        self.exchanges: list[tuple[int, int, int]] = []  # still to come: (giver, receiver, number of cards)
        self.given: list[str] = []

        self.lowest_club: str | None = None  # in play
        self.trick: list[tuple[int, str]] = []
        self.past_tricks: list[list[str]] = []
        self.tricks_won = [0] * self.num_players
        if without_bids:
            self.begin_play()

    def left_of(self, seat: int) -> int:
        return (seat + 1) % self.num_players

    def side(self, seat: int) -> int:
        return seat % self.num_sides

    def members(self, side: int) -> list[int]:
        return [seat for seat in range(self.num_players) if self.side(seat) == side]

    def partner(self, seat: int) -> int | None:
        return next((other for other in self.members(self.side(seat)) if other != seat), None)

    def seats_from_the_left(self) -> list[int]:
        return [(self.dealer + place) % self.num_players for place in range(1, self.num_players + 1)]

    # Cards

    def suit_of(self, card: str) -> str:
        return suit_of(card, self.rules, self.trump)

    def strength(self, card: str) -> int:
        return strength(card, self.rules)

    def trumps(self, cards: list[str]) -> list[str]:
        return [card for card in cards if self.suit_of(card) == self.trump]

    def others(self, cards: list[str]) -> list[str]:
        return [card for card in cards if self.suit_of(card) != self.trump]

    def clubs(self, cards: list[str]) -> list[str]:
        return [card for card in cards if self.suit_of(card) == "C"]

    # What the seat to act may do

    def legal(self) -> list[str]:
        if self.phase == "auction":
            return sorted(self.legal_calls())
        if self.phase == "naming":
            return sorted(f"name {suit}" for suit in SUITS[-self.rules.suits :])
        if self.phase == "exchange":
            return sorted(f"give {card}" for card in self.hands[self.to_act])
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
            self.begin_exchange()
        elif self.phase == "exchange":
            self.give(text.split()[1])
        else:
            self.play(text)

    # Cards exchanged after a nil

    def begin_exchange(self) -> None:
        for seat in self.seats_from_the_left():
            partner, cards = self.partner(seat), self.cards_to_exchange(seat)
            if cards:
                self.exchanges += [(seat, partner, cards), (partner, seat, cards)]
        self.next_exchange()

    def cards_to_exchange(self, seat: int) -> int:
        """A nil bidder's; none between two nils of one kind, and beside a blind nil only the blind one's."""
        partner = self.partner(seat)
        if partner is None:
            return 0
        if self.bids[seat] == BLIND_NIL and self.bids[partner] != BLIND_NIL:
            return self.rules.blind_nil_pass
        if self.bids[seat] == NIL and self.bids[partner] not in NILS:
            return self.rules.nil_pass
        return 0

    def next_exchange(self) -> None:
        if self.exchanges:
            self.phase = "exchange"
            self.to_act = self.exchanges[0][0]
        else:
            self.begin_play()

    def give(self, card: str) -> None:
        giver, receiver, cards = self.exchanges[0]
        self.hands[giver].remove(card)
        self.given.append(card)
        if len(self.given) == cards:  # only now does the partner see them
            self.hands[receiver] += self.given
            self.given = []
            self.exchanges.pop(0)
            self.next_exchange()

    # The tricks

    def begin_play(self) -> None:
        """The lowest club is the 2C, or what takes its role where nobody was dealt it."""
        clubs = [rank + "C" for rank in RANKS if any(rank + "C" in hand for hand in self.hands)]
        self.lowest_club = clubs[0] if clubs else None
        self.phase = "play"
        self.to_act = self.first_leader()

    def first_leader(self) -> int:
        first_lead = self.rules.first_lead
        if first_lead in ("2c_holder", "2c_card") and self.lowest_club is not None:
            return next(seat for seat, hand in enumerate(self.hands) if self.lowest_club in hand)
        if first_lead == "dealer":
            return self.dealer
        if first_lead == "seat_0":
            return 0
        return self.left_of(self.dealer)

    def is_first_trick_by(self, first_lead: str) -> bool:
        """Of the ways to lead first that ask for a club."""
        return self.rules.first_lead == first_lead and self.lowest_club is not None and not self.past_tricks

    def legal_cards(self) -> list[str]:
        hand = self.hands[self.to_act]
        if self.is_first_trick_by("lowest_club"):
            clubs = self.clubs(hand)
            return [min(clubs, key=self.strength)] if clubs else self.others(hand) or hand
        if self.is_first_trick_by("2c_card"):  # no trump in this trick from who has anything else
            return self.clubs(hand) or self.others(hand) or hand if self.trick else [self.lowest_club]
        if self.trick:
            led_suit = self.suit_of(self.trick[0][1])
            return [card for card in hand if self.suit_of(card) == led_suit] or hand
        if self.may_lead_trump():
            return hand
        return self.others(hand) or hand

    def may_lead_trump(self) -> bool:
        """With other suits in hand."""
        if self.rules.break_rule == "standard":
            return any(self.trumps(trick) for trick in self.past_tricks)
        return self.rules.break_rule == "none"

    def play(self, card: str) -> None:
        self.hands[self.to_act].remove(card)
        self.trick.append((self.to_act, card))
        if len(self.trick) < self.num_players:
            self.to_act = self.left_of(self.to_act)
            return
        winner = self.trick_winner()
        self.tricks_won[winner] += 1
        self.past_tricks.append([card for _, card in self.trick])
        self.trick = []
        self.to_act = winner
        if not self.hands[winner]:
            self.phase = "over"
            self.to_act = None

    def trick_winner(self) -> int:
        cards = [card for _, card in self.trick]
        led_suit = self.suit_of(cards[0])
        contenders = self.trumps(cards) or [card for card in cards if self.suit_of(card) == led_suit]
        if self.is_first_trick_by("lowest_club"):
            contenders = self.clubs(cards) or contenders
        best = max(contenders, key=self.strength)
        return next(seat for seat, card in self.trick if card == best)

    # The score

    def side_score(self, side: int, bags: int) -> SideScore:
        members = self.members(side)
        bids, tricks = [self.bids[seat] for seat in members], [self.tricks_won[seat] for seat in members]
        return SideScore(self.rules, bids, tricks, self.hand_size, bags)


class SpadesReferee:
    """A match of Spades: deals are handed in one by one, scored, and the end of the match is called."""

    def __init__(self, options: dict, num_players: int, scores: list[int] | None = None, bags: list[int] | None = None):
        self.rules = SimpleNamespace(**options)
        self.num_players = num_players
        self.num_sides = num_players // 2 if self.rules.teams == "pairs" else num_players
        self.scores = list(scores) if scores is not None else [0] * self.num_sides
        self.bags = list(bags) if bags is not None else [0] * self.num_sides
        if (len(self.scores), len(self.bags)) != (self.num_sides, self.num_sides):
            raise ValueError(f"{self.num_sides} scores and bags are needed")
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
        without_bids = self.rules.first_hand_bids and not self.deal_scores
        self.deal = Deal(self.rules, self.num_sides, dealer, hands, list(self.scores), without_bids)

    def check_hands(self, hands: list[list[str]]) -> None:
        deck = deck_of(self.rules, self.num_players)
        hand_size = self.rules.hand_size or len(deck) // self.num_players
        if [len(hand) for hand in hands] != [hand_size] * self.num_players:
            raise ValueError(f"{self.num_players} hands of {hand_size} cards are needed")
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
    def tricks_won(self) -> list[int]:
        return list(self.deal.tricks_won) if self.deal is not None else [0] * self.num_players

    @property
    def trick(self) -> list[str]:
        return [card for _, card in self.deal.trick] if self.deal is not None else []

    # Scoring and the end of the match

    def finish_deal(self) -> None:
        moon_winner = None
        change = []
        for side in range(self.num_sides):
            if self.deal.without_bids:  # the first hand bids itself
                change.append(10 * sum(self.deal.tricks_won[seat] for seat in self.deal.members(side)))
                continue
            hand = self.deal.side_score(side, self.bags[side])
            change.append(hand.points)
            self.bags[side] = hand.bags_after
            if hand.made_moon and self.rules.moon_wins:
                moon_winner = side
        self.scores = [score + gain for score, gain in zip(self.scores, change, strict=True)]
        self.deal_scores.append(change)
        self.next_dealer = self.deal.left_of(self.deal.dealer)

        self.winners = [moon_winner] if moon_winner is not None else self.winners_by_score()
        if not self.winners and len(self.deal_scores) >= self.rules.max_hands:
            self.truncated = True
            self.winners = self.highest(range(self.num_sides))
        self.match_over = bool(self.winners)

    def winners_by_score(self) -> list[int]:
        best = self.highest(range(self.num_sides))
        if self.rules.floor != 0 and min(self.scores) <= self.rules.floor:
            return best
        if self.scores[best[0]] < self.rules.target:
            return []
        return best if len(best) == 1 or self.rules.end_tie == "share" else []

    def highest(self, sides: Sequence[int]) -> list[int]:
        best = max(self.scores[side] for side in sides)
        return [side for side in sides if self.scores[side] == best]
