"""Positions for tests of the referee for Spades: option sets written out, given hands, actions in turn."""

import random

from .spades import SpadesReferee
from .spades_cards import deck_of

SEED = {
    "num_players": 4, "teams": "pairs", "deck": "full", "suits": 4, "ranks": 13, "hand_size": 0, "trump": "spades",
    "target": 500, "floor": 0, "contract_scope": "player", "trick_score": "per_trick", "failed_bid": "tricks",
    "overtrick_points": 0, "bag_source": "undertricks", "bag_count": "shortfall", "bag_scope": "game",
    "bag_over": "marginal", "bag_limit": 10, "bag_penalty": 100, "nil": 100, "nil_fail": "bags", "blind_nil": 200,
    "blind_nil_deficit": 0, "blind_nil_pass": 0, "nil_pass": 0, "failed_nil_tricks": "bags", "double_nil": True,
    "double_nil_score": "each", "double_13": True, "fail_13_bags": 13, "ten_for_200": False, "moon": 0,
    "moon_wins": False, "moon_fail": "minus_130", "team_bid_min": 0, "team_bid_cap": 0, "forbidden_total": 0,
    "first_hand_bids": False, "blind_bid": "off", "bid_restriction": "free", "first_lead": "2c_holder",
    "break_rule": "none", "end_tie": "play_on", "max_hands": 200,
}  # fmt: skip
STANDARD = {
    **SEED, "floor": -200, "contract_scope": "team", "trick_score": "ten_x_bid", "failed_bid": "minus_ten_x",
    "overtrick_points": 1, "bag_source": "overtricks", "nil_fail": "minus", "blind_nil_deficit": 100, "blind_nil_pass": 2,
    "double_13": False, "fail_13_bags": 0, "team_bid_cap": 13, "first_lead": "left_of_dealer", "break_rule": "standard",
    "max_hands": 100,
}  # fmt: skip
OPENSPIEL = {
    **STANDARD, "floor": 0, "blind_nil": 0, "failed_nil_tricks": "helps_bid", "first_lead": "seat_0", "break_rule": "never",
    "max_hands": 1,
}  # fmt: skip
THREE = {**STANDARD, "num_players": 3, "teams": "solo", "deck": "no_2c", "team_bid_cap": 0, "blind_nil_pass": 0}
JJDD = {**STANDARD, "deck": "jjdd", "team_bid_min": 4, "ten_for_200": True}
CALLS = {"N": "nil", "B": "blind nil"}


def start(options, hands=None, dealer=3, scores=None, bags=None, **changes):
    """The given hands, or any from the whole pack."""
    options = {**options, **changes}
    num_players = options["num_players"]
    if hands is not None:
        options["hand_size"] = len(hands[0].split())
        hands = [hand.split() for hand in hands]
    referee = SpadesReferee(options, num_players, scores, bags)
    if hands is None:
        deck = deck_of(referee.rules, num_players)
        size = len(deck) // num_players
        random.Random(1).shuffle(deck)
        hands = [deck[seat * size : (seat + 1) * size] for seat in range(num_players)]
    referee.start_deal(dealer, hands)
    return referee


def act(referee, *texts):
    for text in texts:
        referee.act(text)
    return referee


def settle(referee, bids, tricks):
    """The deal is over with these bids and tricks by seat."""
    deal = referee.deal
    deal.bids = [CALLS.get(bid) or int(bid) for bid in bids]
    deal.tricks_won = tricks
    deal.phase, deal.to_act = "over", None
    referee.finish_deal()
    return referee
