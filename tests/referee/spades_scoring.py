"""The arithmetic of Spades for the slow referee: what a hand is worth to one side, and what its bags cost."""

from types import SimpleNamespace

NIL, BLIND_NIL = "nil", "blind nil"
NILS = (NIL, BLIND_NIL)
BLIND_NUMBERS = {"blind 6": 6, "blind 7": 7}  # bids of a side, made by one of the partners for both


def number_of(bid) -> int:
    """The tricks that a bid promises: none by a nil, or by who has not bid."""
    return bid if isinstance(bid, int) else BLIND_NUMBERS.get(bid, 0)


class SideScore:
    """One side's hand, by player: `bids` are numbers, nils, blind numbers or None; `tricks` are those won."""

    def __init__(self, rules: SimpleNamespace, bids: list, tricks: list[int], hand_size: int, bags: int):
        self.rules = rules
        self.bids = bids
        self.tricks = tricks
        self.hand_size = hand_size
        self.bags_before = bags
        self.points = 0
        self.new_bags = 0  # of this hand
        self.overtricks = 0
        self.made_moon = False
        if self.is_one_double_nil():
            self.score_double_nil()
        else:
            self.score_nils()
        self.score_contracts()
        self.points += rules.overtrick_points * self.overtricks
        if rules.bag_source == "overtricks":
            self.new_bags += self.overtricks
        if rules.bag_source == "none":
            self.new_bags = 0
        self.bags_after = self.pay_for_bags()

    # Nil

    def nil_value(self, bid: str) -> int:
        return self.rules.blind_nil if bid == BLIND_NIL else self.rules.nil

    def is_one_double_nil(self) -> bool:
        return self.rules.double_nil_score == "unit" and len(self.bids) > 1 and all(bid in NILS for bid in self.bids)

    def score_double_nil(self) -> None:
        """As one unit: all or nothing, and no bags."""
        value = sum(self.nil_value(bid) for bid in self.bids)
        self.points += value if sum(self.tricks) == 0 else -value

    def score_nils(self) -> None:
        for bid, tricks in zip(self.bids, self.tricks, strict=True):
            if bid not in NILS:
                continue
            if tricks == 0:
                self.points += self.nil_value(bid)
            else:
                self.fail_nil(bid, tricks)

    def fail_nil(self, bid: str, tricks: int) -> None:
        if self.rules.nil_fail == "minus":
            self.points -= self.nil_value(bid)
        if self.nil_tricks_are_overtricks():
            self.overtricks += tricks
        if self.rules.nil_fail == "bags" and not (self.nil_tricks_are_overtricks() and self.rules.bag_source == "overtricks"):
            self.new_bags += 1 if self.rules.bag_count == "one" else tricks  # each trick is one bag, not two

    def nil_tricks_are_overtricks(self) -> bool:
        """Not where undertricks are bags: there a failed nil falls short.

        They help nobody's bid where each player has his own.
        """
        if self.rules.bag_source == "undertricks":
            return False
        if self.rules.contract_scope == "player":
            return self.rules.failed_nil_tricks != "ignore"
        return self.rules.failed_nil_tricks == "bags"

    # Bids of a number

    def numbers(self) -> list[tuple[int, int]]:
        """(bid, tricks) of each player who bid a number, or let his partner bid blind for both."""
        return [(number_of(bid), tricks) for bid, tricks in zip(self.bids, self.tricks, strict=True) if bid not in NILS]

    def side_bid(self) -> int:
        return sum(bid for bid, _ in self.numbers())

    def side_tricks(self) -> int:
        """The tricks that count toward the side's bid."""
        if self.rules.failed_nil_tricks == "helps_bid" and not self.is_one_double_nil():
            return sum(self.tricks)
        return sum(tricks for _, tricks in self.numbers())

    def score_contracts(self) -> None:
        if self.rules.contract_scope == "player":
            contracts = self.numbers()
        else:
            contracts = [(self.side_bid(), self.side_tricks())]
        if self.is_double_13():
            self.points += 2 * self.hand_size * self.value_of_a_trick()
            return
        for bid, tricks in contracts:
            self.overtricks += max(tricks - bid, 0)
            if tricks < bid:
                self.new_bags += self.bags_for_failing(bid, tricks)
        if self.is_moon():
            self.score_moon()
        elif self.is_ten_for_200():
            self.points += 200 if self.side_tricks() >= 10 else -200
        else:
            self.points += sum(self.contract_points(bid, tricks) for bid, tricks in contracts)

    def value_of_a_trick(self) -> int:
        return 10 if self.rules.trick_score == "ten_x_bid" else 1

    def contract_points(self, bid: int, tricks: int) -> int:
        if tricks >= bid:
            bid_blind = any(bid in BLIND_NUMBERS for bid in self.bids)
            return self.value_of_a_trick() * bid * (2 if bid_blind else 1)
        return {"tricks": self.value_of_a_trick() * tricks, "zero": 0, "minus_ten_x": -10 * bid}[self.rules.failed_bid]

    def bags_for_failing(self, bid: int, tricks: int) -> int:
        """A failed bid of 13 has its own price, whatever else brings bags."""
        if bid == 13 and self.rules.contract_scope == "player" and self.rules.fail_13_bags > 0:
            return self.rules.fail_13_bags
        if self.rules.bag_source != "undertricks":
            return 0
        return {"shortfall": bid - tricks, "one": 1, "bid": bid}[self.rules.bag_count]

    def is_double_13(self) -> bool:
        bid_all, won_all = self.side_bid() == self.hand_size, sum(self.tricks) == self.hand_size
        return self.rules.double_13 and not self.is_moon() and self.hand_size == 13 and bid_all and won_all

    def is_ten_for_200(self) -> bool:
        return self.rules.ten_for_200 and self.side_bid() == 10

    def is_moon(self) -> bool:
        return self.rules.moon > 0 and self.side_bid() == self.hand_size

    def score_moon(self) -> None:
        if self.side_tricks() >= self.hand_size:
            self.made_moon = True
            self.points += self.rules.moon
        else:
            self.points -= self.rules.moon if self.rules.moon_fail == "same" else 130

    # Bags

    def pay_for_bags(self) -> int:
        """Takes the cost of the new bags from the points; returns the count that the side now stands at."""
        before = 0 if self.rules.bag_scope == "hand" else self.bags_before
        bags = before + self.new_bags
        if self.rules.bag_source == "undertricks":
            self.points -= self.price(bags) - self.price(before)
        elif self.rules.bag_source == "overtricks":
            while bags >= self.rules.bag_limit:
                bags -= self.rules.bag_limit
                self.points -= self.rules.bag_penalty
        return bags

    def price(self, bags: int) -> int:
        """Of all these undertrick bags together."""
        dear = max(bags - self.rules.bag_limit, 0)
        if self.rules.bag_over == "all" and dear:
            return 10 * bags
        return bags - dear + 10 * dear
