"""Full sets of options, and the player counts that they are meant for."""

from __future__ import annotations

SEED_BALANCED = {"nil_fail": "minus"}
STANDARD = {
    "floor": -200,
    "contract_scope": "team",
    "trick_score": "ten_x_bid",
    "failed_bid": "minus_ten_x",
    "overtrick_points": 1,
    "bag_source": "overtricks",
    "nil_fail": "minus",
    "blind_nil_deficit": 100,
    "blind_nil_pass": 2,
    "double_13": False,
    "fail_13_bags": 0,
    "team_bid_cap": 13,
    "first_lead": "left_of_dealer",
    "break_rule": "standard",
    "max_hands": 100,
}
CUTTHROAT = {
    **STANDARD,
    "teams": "solo",
    "contract_scope": "player",
    "blind_nil_pass": 0,
    "team_bid_cap": 0,
}
NO_BLIND_NIL = {"blind_nil": 0, "blind_nil_deficit": 0, "blind_nil_pass": 0}

PRESETS = {
    "seed": {},
    "seed_balanced": SEED_BALANCED,
    "seed_cutthroat": {"teams": "solo"},
    "seed_auction": {"trump": "high_bidder"},
    "standard": STANDARD,
    "cutthroat": CUTTHROAT,
    "suicide": {**STANDARD, **NO_BLIND_NIL, "bid_restriction": "suicide"},
    "whiz": {**STANDARD, **NO_BLIND_NIL, "team_bid_cap": 0, "bid_restriction": "whiz"},
    "mirror": {**STANDARD, **NO_BLIND_NIL, "team_bid_cap": 0, "bid_restriction": "mirror"},
    "jjdd": {**STANDARD, "deck": "jjdd", "ten_for_200": True, "team_bid_min": 4},
    "openspiel": {
        **STANDARD,
        **NO_BLIND_NIL,
        "floor": 0,
        "failed_nil_tricks": "helps_bid",
        "first_lead": "seat_0",
        "break_rule": "never",
        "max_hands": 1,
    },
    "three": {**CUTTHROAT, "num_players": 3, "deck": "no_2c"},
    "six": {**CUTTHROAT, "num_players": 6, "deck": "no_deuces"},
    "bicycle": {**STANDARD, "nil": 50, "blind_nil": 100},
    "lowest_club": {**STANDARD, "first_lead": "lowest_club"},
}

PLAYER_COUNTS = {name: (4,) for name in PRESETS} | {"cutthroat": (3, 4), "three": (3,), "six": (6,)}
