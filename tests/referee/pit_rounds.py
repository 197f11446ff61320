"""Rounds of the referee of Pit for its tests: dealt, played out, or scored from the tricks alone.

Unless a case says otherwise: preset `seed`, four players, dealer seat 3, spades trump.
"""

import random

from .pit import PitReferee

SEED = {
    "suits": 4, "ranks": 13, "hand_size": 0, "hand_model": "redeal", "shed_unit": "trick", "start_burden": 0,
    "pit_bank": "game", "trump": "each_round", "min_bid": 3, "max_bid": 5, "bid_jumps": False, "pass_reentry": False,
    "all_pass": "forced_next", "void_rotates_deal": False, "alone": True, "alone_set": "all_lost", "alone_shed": 1,
    "alone_outbid": "void", "set_basis": "shortfall", "must_follow": True, "stop": "all", "objective": "shed",
    "points_mode": "seed", "points_target": 0, "max_rounds": 200,
}  # fmt: skip
TOP_HAND = ["AS KS QS 2H", "3H 4H 5H 6H", "2D 3D 4D 5D", "2C 3C 4C 5C"]
THREE_TRICKS = ["AS", "3H", "2D", "2C", "KS", "4H", "3D", "3C", "QS", "5H", "4D", "4C"]


def start(hands, upcard, dealer=None, begin=None, **changes):
    """A match whose first round has these hands; as many tricks as the hands have cards."""
    hands = [hand.split() for hand in hands]
    referee = PitReferee({**SEED, "hand_size": len(hands[0]), **changes}, len(hands), begin)
    referee.start_deal(len(hands) - 1 if dealer is None else dealer, hands, upcard)
    return referee


def shuffled(num_players=4, dealer=None, upcard_suit="S", begin=None, seed=1, **changes):
    """A match with a random first round; the upcard is of the wanted suit."""
    referee = PitReferee({**SEED, **changes}, num_players, begin)
    next_deal(referee, num_players - 1 if dealer is None else dealer, upcard_suit, seed)
    return referee


def next_deal(referee, dealer, upcard_suit="S", seed=2):
    cards = random.Random(seed).sample(referee.deck, len(referee.deck))
    upcard = next(card for card in cards if card[1] == upcard_suit)
    cards.remove(upcard)
    referee.start_deal(dealer, [[cards.pop() for _ in range(size)] for size in referee.hand_sizes()], upcard)


def act(referee, *texts):
    for text in texts:
        referee.act(text)
    return referee


def settle(referee, tricks):
    """The round in progress ends with these tricks."""
    referee.deal.tricks_won = list(tricks)
    referee.deal.end()
    referee.finish_deal()
    return referee


def score_round(tricks, contractor=0, bid=3, alone=False, begin=None, **changes):
    """A round of which only the auction's result and the tricks of every seat matter, scored."""
    referee = shuffled(len(tricks), begin=begin, **{"bid_jumps": True, **changes})
    call = f"bid {bid} alone" if alone else f"bid {bid}"
    act(referee, *["pass"] * contractor, call)
    while referee.contractor is None:
        act(referee, "pass")
    return settle(referee, tricks)


def play_out(referee, seed=0):
    choose = random.Random(seed)
    while not referee.deal_over:
        referee.act(choose.choice(referee.legal()))
    return referee


def void_round(**changes):
    return act(shuffled(**changes), *["pass"] * 4)
