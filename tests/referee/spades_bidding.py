"""The bids of a deal of Spades, for the slow referee."""

from .spades_scoring import BLIND_NIL, BLIND_NUMBERS, NIL, NILS, number_of

HIGHEST_CALL = 17  # there is a call for no higher bid


class Bidding:
    """What the seats of a `Deal` call, each once, from the dealer's left."""

    def legal_calls(self) -> list[str]:
        seat = self.to_act
        if blind := self.blind_calls(seat):
            return ["look", *blind]
        return [bid if bid == NIL else f"bid {bid}" for bid in self.legal_bids(seat)]

    def blind_calls(self, seat: int) -> list[str]:
        """What may be bid without looking; nothing after a look."""
        if self.has_looked[seat] or not self.is_far_enough_behind(seat):
            return []
        is_offered = self.rules.blind_nil > 0 and self.rules.bid_restriction not in ("suicide", "mirror")
        fits = self.fits(seat, BLIND_NIL) and not self.makes_forbidden_total(seat, BLIND_NIL)
        calls = [BLIND_NIL] if is_offered and fits else []
        if self.rules.blind_bid == "six_seven" and self.partners_bid(seat) is None:  # it is a bid for both of them
            calls += BLIND_NUMBERS
        return calls

    def is_far_enough_behind(self, seat: int) -> bool:
        best_other = max(score for side, score in enumerate(self.scores) if side != self.side(seat))
        behind = best_other - self.scores[self.side(seat)]
        return self.rules.blind_nil_deficit == 0 or behind >= self.rules.blind_nil_deficit

    def partners_bid(self, seat: int):
        return self.bids[self.partner(seat)] if self.partner(seat) is not None else None

    def legal_bids(self, seat: int) -> list:
        bids = [bid for bid in self.offered_bids(seat) if self.fits(seat, bid)]
        return [bid for bid in bids if not self.makes_forbidden_total(seat, bid)] or bids  # some bid must be made

    def offered_bids(self, seat: int) -> list:
        """By the hand and by what kind of bid the game asks for."""
        numbers = list(range(1, min(self.hand_size, HIGHEST_CALL) + 1))
        restriction = self.rules.bid_restriction
        if restriction in ("mirror", "whiz"):
            spades = len(self.trumps(self.hands[seat]))
            if restriction == "mirror" or spades == 0:
                return [spades or NIL]
            return [NIL, spades]
        if restriction == "suicide":
            from_four = [number for number in numbers if number >= 4]
            if self.partners_bid(seat) is None:
                return [NIL, *from_four]
            return from_four if self.partners_bid(seat) == NIL else [NIL]
        return [NIL, *numbers] if self.rules.nil > 0 else numbers

    def fits(self, seat: int, bid) -> bool:
        """Beside the bids already made."""
        partners_bid = self.partners_bid(seat)
        if partners_bid is not None:
            if bid in NILS and partners_bid in NILS and not self.rules.double_nil:
                return False
            total = number_of(bid) + number_of(partners_bid)
            if total < self.rules.team_bid_min:
                return False
            if self.rules.team_bid_cap and bid not in NILS and total > self.rules.team_bid_cap:
                return False
        elif self.rules.team_bid_cap:  # the partner needs room for a bid where there is no nil
            return number_of(bid) <= self.rules.team_bid_cap - (0 if self.rules.nil else 1)
        return True

    def makes_forbidden_total(self, seat: int, bid) -> bool:
        """The last bidder may not bring the sum of all bids to it."""
        total = sum(number_of(other) for other in [*self.bids, bid])
        return seat == self.dealer and self.rules.forbidden_total > 0 and total == self.rules.forbidden_total

    def call(self, text: str) -> None:
        if text == "look":
            self.has_looked[self.to_act] = True
            return
        self.bids[self.to_act] = int(text.split()[1]) if text.startswith("bid ") else text
        while self.to_act != self.dealer:  # the dealer speaks last, and each seat once
            self.to_act = self.left_of(self.to_act)
            if self.partners_bid(self.to_act) not in BLIND_NUMBERS:  # a blind number is the bid of both
                return
        self.close_auction()

    def close_auction(self) -> None:
        highest = max(number_of(bid) for bid in self.bids)
        if self.rules.trump == "high_bidder" and highest > 0:
            self.bidder = next(seat for seat in self.seats_from_the_left() if number_of(self.bids[seat]) == highest)
            self.to_act = self.bidder
            self.phase = "naming"
        else:
            self.begin_exchange()

    def sees_own_hand(self, seat: int) -> bool:
        """Who may still bid blind has not looked at his cards."""
        return self.phase != "auction" or not self.blind_calls(seat)
