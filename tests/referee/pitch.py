"""A slow referee for Pitch, written from the rule book and not from the kernels.

Cards are strings ("AS", "TH", "LJ"); a deal is one object, the match another. Nothing here is shared with `card_envs`.
"""

from types import SimpleNamespace

from .pitch_cards import RANKS, Trumps, deck_of, natural_cards, printed_suits, suits_of_deck
from .pitch_exchange import Exchange, Stock
from .pitch_scoring import Points, Scoring, highest


class Deal:
    """One deal: the auction, the trump, kitty or draws, the tricks, and at the end who won which point."""

    def __init__(
        self, rules: SimpleNamespace, num_sides: int, dealer: int, hands: list[list[str]], stock: list[str] | None = None
    ):
        self.rules = rules
        self.num_players = len(hands)
        self.num_sides = num_sides
        self.dealer = dealer
        self.hands = [list(hand) for hand in hands]
        self.stock = Stock(stock or [], self.num_players)
        self.exchange: Exchange | None = None
        self.moon_level = rules.max_bid + 1

        self.phase = "auction"  # then "naming" (when trump is named), "exchange" (kitty or draws), "play" and "over"
        self.to_act: int | None = self.left_of(dealer)
        self.standing_bid: int | None = None
        self.standing_bidder: int | None = None
        self.bid: int | None = None
        self.bidder: int | None = None
        self.pitcher: int | None = None  # the bidder or, without a bid, the eldest
        self.trump: str | None = None
        self.passed_out = False  # everybody passed and nothing was played

        self.trick: list[tuple[int, str]] = []
        self.first_lead = True
        self.played: list[list[str]] = [[] for _ in range(self.num_players)]
        self.won_cards: list[list[str]] = [[] for _ in range(num_sides)]
        self.tricks_won = [0] * self.num_players

    def left_of(self, seat: int) -> int:
        return (seat + 1) % self.num_players

    def side(self, seat: int) -> int:
        return seat % self.num_sides

    @property
    def trumps(self) -> Trumps:
        """Once trump is fixed."""
        return Trumps(self.rules, self.trump)

    def bidding_side(self) -> int | None:
        return None if self.bidder is None else self.side(self.bidder)

    def moon_was_bid(self) -> bool:
        return self.bid == self.moon_level

    def points(self) -> list[int | None]:
        """The side that won each point of a finished deal; None where nobody did."""
        return Points(self).sides

    def legal(self) -> list[str]:
        if self.phase == "auction":
            return sorted(self.legal_calls())
        if self.phase == "naming":
            return sorted(f"name {suit}" for suit in self.suits_to_name())
        if self.phase == "exchange":
            return sorted(self.exchange.legal())
        if self.phase == "play":
            return sorted(self.legal_cards())
        return []

    def act(self, text: str) -> None:
        if text not in self.legal():
            raise ValueError(f"{text!r} is not legal; legal: {', '.join(self.legal()) or 'nothing'}")
        if self.phase == "auction":
            self.call(text)
        elif self.phase == "naming":
            self.name_trump(text.split()[1])
        elif self.phase == "exchange":
            self.exchange.bury(text.split()[1])
            self.go_on_exchanging()
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
            "below_four": self.standing_bid < 4 and not standing_moon,
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
            self.pitcher = self.bidder
        elif self.rules.all_pass == "eldest_pitches":
            self.pitcher = self.left_of(self.dealer)
        else:
            self.passed_out = True
            self.end()
            return
        self.to_act = self.pitcher
        if self.rules.kitty:
            self.hands[self.pitcher] += self.stock.draw(self.pitcher, self.rules.kitty)
        only_jokers = not natural_cards(self.hands[self.pitcher])
        self.phase = "naming" if self.rules.trump_method == "name" or only_jokers else "play"

    # Trump is named, cards are changed

    def suits_to_name(self) -> set[str]:
        """Suits that the pitcher has printed on a card; any of the pack if all he holds are jokers."""
        return printed_suits(self.hands[self.to_act]) or set(suits_of_deck(self.rules))

    def name_trump(self, suit: str) -> None:
        self.trump = suit
        self.exchange = Exchange(self.rules, self.trumps, self.seats_to_exchange(), self.pitcher, self.hands, self.stock)
        self.go_on_exchanging()

    def seats_to_exchange(self) -> list[int]:
        if self.rules.kitty:
            return [self.pitcher]
        if self.rules.draw == "none":
            return []
        from_the_left = [(self.dealer + place) % self.num_players for place in range(1, self.num_players + 1)]
        if self.rules.draw == "bidder_rest":  # he comes last, and takes what the others leave
            from_the_left.remove(self.pitcher)
            from_the_left.append(self.pitcher)
        return from_the_left

    def go_on_exchanging(self) -> None:
        if self.exchange.to_act is not None:
            self.phase, self.to_act = "exchange", self.exchange.to_act
        else:
            self.phase, self.to_act = "play", self.pitcher

    # The tricks

    def playable(self, seat: int) -> list[str]:
        """The cards a seat may use at all: under trump_only, her trumps."""
        if self.rules.follow_rule == "trump_only" and self.trump is not None:
            return self.trumps.among(self.hands[seat])
        return self.hands[seat]

    def legal_cards(self) -> list[str]:
        cards = self.playable(self.to_act)
        if self.trump is None:
            return natural_cards(cards)  # to be pitched: no joker, which would fix no suit
        trumps = self.trumps.among(cards)
        if not self.trick:
            return self.opening_leads(trumps) if self.first_lead else cards
        led_suit = self.trumps.suit_of(self.trick[0][1])
        same_suit = [card for card in cards if self.trumps.suit_of(card) == led_suit]
        if not same_suit:
            return cards
        if self.rules.follow_rule == "follow_or_trump" and led_suit != self.trump:
            return same_suit + trumps
        return same_suit

    def opening_leads(self, trumps: list[str]) -> list[str]:
        """No joker, unless the rules let one open or the leader has no other trump."""
        if self.rules.joker_opens:
            return trumps
        return natural_cards(trumps) or trumps

    def play(self, card: str) -> None:
        if self.trump is None:  # pitched: the first card led fixes trump
            self.trump = card[1]
        self.first_lead = False
        self.hands[self.to_act].remove(card)
        self.played[self.to_act].append(card)
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
        best_trump = self.trumps.highest([card for _, card in self.trick])
        if best_trump is not None:
            return next(seat for seat, card in self.trick if card == best_trump)
        led_suit = self.trick[0][1][1]
        followers = [(seat, card) for seat, card in self.trick if card[1] == led_suit]
        winner, _ = max(followers, key=lambda played: RANKS.index(played[1][0]))
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

    def start_deal(self, dealer: int, hands: list[list[str]], stock: list[str] | None = None) -> None:
        if self.match_over:
            raise ValueError("the match is over")
        if self.deal is not None and not self.deal_over:
            raise ValueError("the deal is not finished")
        if self.next_dealer is not None and dealer != self.next_dealer:
            raise ValueError(f"seat {self.next_dealer} deals next, not seat {dealer}")
        self.check_cards(hands, stock)
        self.deal = Deal(self.rules, self.num_sides, dealer, hands, stock)

    @property
    def has_stock(self) -> bool:
        return self.rules.kitty > 0 or self.rules.draw != "none"

    def check_cards(self, hands: list[list[str]], stock: list[str] | None) -> None:
        """The stock is the kitty or, where cards are drawn, all that is left of the pack."""
        deck = deck_of(self.rules)
        if [len(hand) for hand in hands] != [self.rules.hand_size] * self.num_players:
            raise ValueError(f"{self.num_players} hands of {self.rules.hand_size} cards are needed")
        if (stock is not None) != self.has_stock:
            raise ValueError("these rules need a stock" if self.has_stock else "these rules have no stock")
        stock_size = self.rules.kitty or len(deck) - self.num_players * self.rules.hand_size
        if stock is not None and len(stock) != stock_size:
            raise ValueError(f"the stock has {len(stock)} cards, not {stock_size}")
        for card in [card for cards in [*hands, stock or []] for card in cards]:
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

    def finish_deal(self) -> None:
        deal = self.deal
        scoring = Scoring(deal, self.scores)
        self.scores = scoring.scores
        self.deal_scores.append(scoring.change)
        same_dealer_again = deal.passed_out and self.rules.all_pass == "redeal_same"
        self.next_dealer = deal.dealer if same_dealer_again else deal.left_of(deal.dealer)

        self.winners = scoring.winners()
        if not self.winners and len(self.deal_scores) >= self.rules.max_hands:
            self.truncated = True
            self.winners = highest(self.scores, range(self.num_sides))
        self.match_over = bool(self.winners)
