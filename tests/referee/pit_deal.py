"""One round of Pit as the referee sees it: the auction and the tricks. Cards are strings ("AS", "TH")."""

SUITS = "CDHS"
RANKS = "23456789TJQKA"


def rank_of(card: str) -> int:
    return RANKS.index(card[0])


def suit_of(card: str) -> str:
    return card[1]


class Call:
    """One bid of the auction: a level, alone or not."""

    def __init__(self, level: int, alone: bool):
        self.level = level
        self.alone = alone

    @property
    def text(self) -> str:
        return f"bid {self.level} alone" if self.alone else f"bid {self.level}"


class Auction:
    """The bidding of one round: it ends with a contract, or void when nobody bids."""

    def __init__(self, rules, num_players: int, dealer: int, forced: bool):
        self.rules = rules
        self.num_players = num_players
        self.opener = (dealer + 1) % num_players
        self.forced = forced  # the first seat owes an opening
        self.to_act: int | None = self.opener
        self.last_bid: list[Call | None] = [None] * num_players  # by seat: her last bid, if she made any
        self.has_spoken = [False] * num_players
        self.out = [False] * num_players  # seats that are asked no more
        self.high: Call | None = None
        self.high_bidder: int | None = None
        self.over = False

    def levels(self) -> list[int]:
        """The levels that the seat to act may bid."""
        lowest = self.rules.min_bid if self.high is None else self.high.level + 1
        highest = self.rules.max_bid if self.rules.bid_jumps else min(lowest, self.rules.max_bid)
        return list(range(lowest, highest + 1))

    def calls(self) -> list[Call]:
        """The bids that the seat to act may make; once alone, always alone."""
        own = self.last_bid[self.to_act]
        declared = own is not None and own.alone
        plain = [] if declared else [Call(level, False) for level in self.levels()]
        alone = [Call(level, True) for level in self.levels()] if self.rules.alone else []
        return plain + alone

    def legal(self) -> list[str]:
        bids = [call.text for call in self.calls()]
        return bids if self.forced else [*bids, "pass"]

    def act(self, text: str) -> None:
        seat = self.to_act
        if text == "pass":
            is_in = self.last_bid[seat] is not None
            self.out[seat] = is_in or not self.rules.pass_reentry
        else:
            call = next(call for call in self.calls() if call.text == text)
            self.last_bid[seat] = call
            self.high, self.high_bidder = call, seat
            self.forced = False
        self.has_spoken[seat] = True
        self.ask_the_next()

    def ask_the_next(self) -> None:
        """The next seat still in the auction speaks; it is over when that is the high bidder, or nobody."""
        if self.high is not None and self.high.level == self.rules.max_bid:
            self.close()
            return
        seat = (self.to_act + 1) % self.num_players
        for _ in range(self.num_players):
            nobody_bid_in_a_round_of_calls = self.high is None and self.has_spoken[seat]
            if seat == self.high_bidder or nobody_bid_in_a_round_of_calls:
                self.close()
                return
            if not self.out[seat]:
                self.to_act = seat
                return
            seat = (seat + 1) % self.num_players
        self.close()

    def close(self) -> None:
        self.over = True
        self.to_act = None
        if self.high is None and self.rules.all_pass == "forced_now":
            # stuck: the rules give her the lowest plain contract, there is nothing left for her to choose
            self.high, self.high_bidder = Call(self.rules.min_bid, False), self.opener


class Deal:
    """One round: the auction and the tricks."""

    def __init__(self, rules, dealer: int, hands: list[list[str]], upcard: str, trump: str, num_tricks: int, forced: bool):
        self.rules = rules
        self.num_players = len(hands)
        self.dealer = dealer
        self.hands = [list(hand) for hand in hands]
        self.upcard = upcard
        self.trump = trump
        self.num_tricks = num_tricks
        self.auction = Auction(rules, self.num_players, dealer, forced)

        self.phase = "auction"  # then "play" and "over"
        self.to_act: int | None = self.auction.to_act
        self.contractor: int | None = None
        self.bid: int | None = None
        self.alone: bool | None = None
        self.void = False  # nobody bid and nothing was played
        self.trick: list[tuple[int, str]] = []
        self.tricks_won = [0] * self.num_players
        self.shown_voids: list[set[str]] = [set() for _ in hands]  # suits that a seat could not follow

    def left_of(self, seat: int) -> int:
        return (seat + 1) % self.num_players

    def legal(self) -> list[str]:
        if self.phase == "auction":
            return sorted(self.auction.legal())
        if self.phase == "play":
            return sorted(self.legal_cards())
        return []

    def act(self, text: str) -> None:
        if text not in self.legal():
            raise ValueError(f"{text!r} is not legal; legal: {', '.join(self.legal()) or 'nothing'}")
        if self.phase == "play":
            self.play(text)
            return
        self.auction.act(text)
        self.to_act = self.auction.to_act
        if self.auction.over:
            self.close_auction()

    def close_auction(self) -> None:
        if self.auction.high is None:
            self.void = True
            self.end()
            return
        self.contractor = self.to_act = self.auction.high_bidder
        self.bid, self.alone = self.auction.high.level, self.auction.high.alone
        self.phase = "play"

    # The tricks

    def legal_cards(self) -> list[str]:
        hand = self.hands[self.to_act]
        if not self.trick or not self.rules.must_follow:
            return hand
        led_suit = suit_of(self.trick[0][1])
        return [card for card in hand if suit_of(card) == led_suit] or hand

    def play(self, card: str) -> None:
        seat = self.to_act
        if self.trick and self.rules.must_follow:
            led_suit = suit_of(self.trick[0][1])
            if suit_of(card) != led_suit:
                self.shown_voids[seat].add(led_suit)
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        if len(self.trick) == self.num_players:
            self.take_trick()
        else:
            self.to_act = self.left_of(seat)

    def trick_winner(self) -> int:
        trumps = [(seat, card) for seat, card in self.trick if suit_of(card) == self.trump]
        led_suit = suit_of(self.trick[0][1])
        followers = [(seat, card) for seat, card in self.trick if suit_of(card) == led_suit]
        winner, _ = max(trumps or followers, key=lambda played: rank_of(played[1]))
        return winner

    def take_trick(self) -> None:
        winner = self.trick_winner()
        self.tricks_won[winner] += 1
        self.trick = []
        self.to_act = winner
        if self.tricks_left == 0 or (self.rules.stop == "decided" and self.is_decided):
            self.end()

    @property
    def tricks_left(self) -> int:
        return self.num_tricks - sum(self.tricks_won)

    @property
    def made(self) -> bool:
        return self.tricks_won[self.contractor] >= self.bid

    @property
    def is_decided(self) -> bool:
        out_of_reach = self.tricks_won[self.contractor] + self.tricks_left < self.bid
        return self.made or out_of_reach

    def end(self) -> None:
        self.phase = "over"
        self.to_act = None

    # What the round is worth

    def not_won(self, seat: int) -> int:
        """Tricks of the round that a seat did not win; those never played are lost too."""
        return self.num_tricks - self.tricks_won[seat]

    def set_size(self) -> int:
        """Cards that a failed contractor draws from the pit, if it has them."""
        basis = self.rules.alone_set if self.alone else self.rules.set_basis
        return self.not_won(self.contractor) if basis == "all_lost" else self.bid - self.tricks_won[self.contractor]

    def outbid_alone(self) -> list[int]:
        """Who declared alone and did not get the contract, from the dealer's left."""
        order = [(self.dealer + 1 + place) % self.num_players for place in range(self.num_players)]
        calls = self.auction.last_bid
        return [seat for seat in order if calls[seat] is not None and calls[seat].alone and seat != self.contractor]

    def outbid_set_size(self, seat: int) -> int:
        """What an outbid lone bidder draws under alone_outbid="penalised"."""
        if self.rules.alone_set == "all_lost":
            return self.not_won(seat)
        return max(0, self.auction.last_bid[seat].level - self.tricks_won[seat])

    def view(self, seat: int) -> dict:
        """What a seat knows of the cards: her own hand and what lay open on the table."""
        return {
            "hand": sorted(self.hands[seat]),
            "upcard": self.upcard,
            "trick": [card for _, card in self.trick],
            "voids": [sorted(suits) for suits in self.shown_voids],
        }
