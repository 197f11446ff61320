"""A slow referee for Pit, written from the rule book and not from the kernels.

Cards are strings ("AS", "TH"); a round is one object, the match another. Nothing here is shared with `card_envs`.
"""

from types import SimpleNamespace

from .pit_deal import RANKS, SUITS, Deal, suit_of


class PitReferee:
    """A match of Pit: rounds are handed in one by one, scored, and the end of the match is called."""

    def __init__(self, options: dict, num_players: int, start: dict | None = None):
        self.rules = SimpleNamespace(**options)
        self.num_players = num_players
        self.num_tricks = self.rules.hand_size or (7 if num_players <= 4 else 6)
        self.deck = [rank + suit for suit in SUITS[: self.rules.suits] for rank in RANKS[-self.rules.ranks :]]
        start = start or {}
        self.burdens = list(start.get("burdens", [self.rules.start_burden or self.num_tricks] * num_players))
        self.points = list(start.get("points", [0] * num_players))
        self.bank = start.get("bank", self.full_pit())
        self.forced = start.get("forced", False)
        if not len(self.burdens) == len(self.points) == num_players:
            raise ValueError(f"burdens and points are needed for {num_players} players")
        self.first_trump: str | None = None
        self.deal: Deal | None = None
        self.deal_scores: list[list[int]] = []
        self.winners: list[int] = []
        self.match_over = False
        self.truncated = False
        self.next_dealer: int | None = None

    def state(self) -> dict:
        """What a match would start from to go on as this one does."""
        return {"burdens": list(self.burdens), "points": list(self.points), "bank": self.bank, "forced": self.forced}

    def full_pit(self) -> int:
        return len(self.deck) - self.num_players * self.num_tricks

    def hand_sizes(self) -> list[int]:
        if self.rules.hand_model == "grow":
            return [max(burden, self.num_tricks) for burden in self.burdens]
        return [self.num_tricks] * self.num_players

    def start_deal(self, dealer: int, hands: list[list[str]], upcard: str) -> None:
        if self.match_over:
            raise ValueError("the match is over")
        if self.deal is not None and not self.deal_over:
            raise ValueError("the round is not finished")
        if self.next_dealer is not None and dealer != self.next_dealer:
            raise ValueError(f"seat {self.next_dealer} deals next, not seat {dealer}")
        self.check_cards(hands, upcard)
        if self.first_trump is None:
            self.first_trump = suit_of(upcard)
        trump = self.first_trump if self.rules.trump == "once" else suit_of(upcard)
        if self.rules.hand_model == "grow":
            self.bank = len(self.deck) - 1 - sum(self.hand_sizes())  # the upcard cannot be drawn
        elif self.rules.pit_bank == "round":
            self.bank = self.full_pit()
        self.deal = Deal(self.rules, dealer, hands, upcard, trump, self.num_tricks, self.forced)

    def check_cards(self, hands: list[list[str]], upcard: str) -> None:
        if [len(hand) for hand in hands] != self.hand_sizes():
            raise ValueError(f"hands of {self.hand_sizes()} cards are needed")
        deck = list(self.deck)
        for card in [*(card for hand in hands for card in hand), upcard]:
            if card not in deck:
                raise ValueError(f"{card} is doubled or not in the deck")
            deck.remove(card)

    def legal(self) -> list[str]:
        return self.deal.legal() if self.deal is not None else []

    def act(self, text: str) -> None:
        if self.deal is None:
            raise ValueError("no round has been started")
        self.deal.act(text)
        self.forced = self.deal.auction.forced
        if self.deal_over:
            self.finish_deal()

    @property
    def to_act(self) -> int | None:
        return self.deal.to_act if self.deal is not None else None

    @property
    def deal_over(self) -> bool:
        return self.deal is not None and self.deal.phase == "over"

    @property
    def scores(self) -> list[int]:
        return self.burdens

    @property
    def upcard(self) -> str | None:
        return self.deal.upcard if self.deal is not None else None

    @property
    def trump(self) -> str | None:
        return self.deal.trump if self.deal is not None else None

    @property
    def contractor(self) -> int | None:
        return self.deal.contractor if self.deal is not None else None

    @property
    def bid(self) -> int | None:
        return self.deal.bid if self.deal is not None else None

    @property
    def alone(self) -> bool | None:
        return self.deal.alone if self.deal is not None else None

    @property
    def tricks_won(self) -> list[int]:
        return list(self.deal.tricks_won) if self.deal is not None else [0] * self.num_players

    @property
    def trick(self) -> list[str]:
        return [card for _, card in self.deal.trick] if self.deal is not None else []

    # Scoring

    def finish_deal(self) -> None:
        deal = self.deal
        before = list(self.burdens)
        if deal.void:
            self.forced = True
        else:
            self.settle()
        self.deal_scores.append([after - was for after, was in zip(self.burdens, before, strict=True)])
        same_dealer_again = deal.void and not self.rules.void_rotates_deal
        self.next_dealer = deal.dealer if same_dealer_again else deal.left_of(deal.dealer)

        self.winners = self.match_winners()
        if not self.winners and len(self.deal_scores) >= self.rules.max_rounds:
            self.truncated = True
            self.winners = self.leaders()
        self.match_over = bool(self.winners)

    def settle(self) -> None:
        deal = self.deal
        penalised = deal.outbid_alone() if self.rules.alone_outbid == "penalised" else []
        for seat in range(self.num_players):
            if seat != deal.contractor and seat not in penalised:
                self.points[seat] += deal.tricks_won[seat]
        if deal.made:
            self.pay_the_contractor(self.shed())
        else:
            self.draw(deal.contractor, deal.set_size())
        for seat in penalised:
            self.draw(seat, deal.outbid_set_size(seat))

    def shed(self) -> int:
        """The contractor discards; how many of her burden that was."""
        deal = self.deal
        burden = self.burdens[deal.contractor]
        amount = deal.tricks_won[deal.contractor]
        if self.rules.shed_unit == "card":
            amount *= self.num_players
        if deal.alone:
            amount *= self.rules.alone_shed
        if self.rules.shed_unit == "first_contract":
            amount = burden
        self.burdens[deal.contractor] = max(0, burden - amount)
        return burden - self.burdens[deal.contractor]

    def pay_the_contractor(self, shed: int) -> None:
        """Points of a made contract: two a trick when alone, and what the variation pays for a round that is won."""
        deal = self.deal
        if deal.alone:
            self.points[deal.contractor] += 2 * deal.tricks_won[deal.contractor]
        self.points[deal.contractor] += {"seed": 0, "round_win": deal.bid, "discards": shed}[self.rules.points_mode]

    def draw(self, seat: int, wanted: int) -> None:
        """A seat is set: cards from the pit, as many as it has."""
        if self.rules.pit_bank == "unlimited" and self.rules.hand_model != "grow":
            self.burdens[seat] += wanted
            return
        drawn = min(wanted, self.bank)
        self.bank -= drawn
        self.burdens[seat] += drawn

    # The end of the match

    @property
    def points_win(self) -> bool:
        """Most points win, whoever is out of cards."""
        return self.rules.objective == "points" or self.rules.points_target > 0

    def match_winners(self) -> list[int]:
        contractor = self.deal.contractor
        out_of_cards = contractor is not None and self.burdens[contractor] == 0
        if out_of_cards and not self.points_win:
            return [contractor]
        target_reached = 0 < self.rules.points_target <= max(self.points)
        return self.best(self.by_points) if out_of_cards or target_reached else []

    def leaders(self) -> list[int]:
        """Who wins a match that is cut off."""
        return self.best(self.by_points if self.points_win else self.by_burden)

    def by_points(self, seat: int) -> tuple[int, int]:
        return (-self.points[seat], self.burdens[seat])

    def by_burden(self, seat: int) -> tuple[int, int]:
        return (self.burdens[seat], -self.points[seat])

    def best(self, order) -> list[int]:
        first = min(order(seat) for seat in range(self.num_players))
        return [seat for seat in range(self.num_players) if order(seat) == first]
