"""Pitch for the comparison of kernels and referee: random deals, and what both state of a table in the same words."""

import dataclasses
import random

from card_envs.cards import CARD_NAMES, card_list
from card_envs.games import load
from card_envs.table import Table
from tests.referee.pitch import PitchReferee
from tests.referee.reading import fields, kernel_outcome, kernel_state, referee_outcome_of

GAME = load("pitch")
NUMBERS = {  # of the random mixes: small, so that rare ends of deals and matches come up
    "num_players": range(2, 8), "suits": range(1, 5), "ranks": range(1, 14), "hand_size": range(1, 8), "min_bid": range(1, 5),
    "max_bid": range(1, 5), "target": (1, 2, 4, 7, 11, 21), "max_hands": (1, 2, 3, 5, 20, 100),
}  # fmt: skip


def referee_of(rules, start: dict) -> PitchReferee:
    options = dataclasses.asdict(rules)
    options["teams"] = "pairs" if rules.paired else "none"
    return PitchReferee(options, rules.num_players, start.get("scores"))


def random_start(rules, choose: random.Random) -> dict:
    """A match from anywhere: often just below the target, where several sides may reach it in one deal."""
    if choose.random() < 0.3:
        return {}
    if choose.random() < 0.7:
        return {"scores": [rules.target - choose.randint(1, 3) for _ in range(rules.num_sides)]}
    return {"scores": [choose.randint(-12, rules.target + 2) for _ in range(rules.num_sides)]}


def random_hands(rules, choose: random.Random) -> list[list[int]]:
    """Hands from the whole deck; where the rules throw in a hand without honours, none such."""
    size = rules.hand_size
    while True:
        cards = choose.sample(card_list(rules.deck_cards), rules.num_players * size)
        hands = [cards[seat * size : (seat + 1) * size] for seat in range(rules.num_players)]
        if not rules.redeal_poor_hand or all(any(card % 13 >= 8 for card in hand) for hand in hands):
            return hands


def open_random_deal(table: Table, referee: PitchReferee, choose: random.Random) -> tuple:
    """Deal the same cards to both; returns (dealer, hands)."""
    hands, dealer = random_hands(table.rules, choose), int(table.record.dealer)
    referee.start_deal(dealer, [[CARD_NAMES[card] for card in hand] for hand in hands])
    table.open_deal(hands, dealer)
    return dealer, hands


def public_state(table: Table) -> dict:
    """What the referee states too, in its words."""
    s = fields(table)
    settled = s["pitcher"] >= 0 and s["bid"] > 0
    return kernel_state(table, s) | {
        "trump": "CDHS"[s["trump"]] if s["trump"] >= 0 else None,
        "bid": s["bid"] if settled else None,
        "bidder": s["bidder"] if settled else None,
    }


def referee_state(referee: PitchReferee) -> dict:
    names = ("to_act", "trump", "bid", "bidder", "trick", "tricks_won", "scores")
    return {name: getattr(referee, name) for name in names} | {"legal": referee.legal()}


def outcome(table: Table) -> dict:
    """How a deal ended."""
    s = fields(table)
    return kernel_outcome(table, s) | {"points": [side if side >= 0 else None for side in s["point_side"].tolist()]}


def referee_outcome(referee: PitchReferee, opened: dict) -> dict:
    return referee_outcome_of(referee) | {"points": referee.deal.points()}


def choose_action(referee: PitchReferee, choose: random.Random) -> str:
    """Low bids more often than high ones, so that contracts are made as well as lost."""
    legal = referee.legal()
    bids = [text for text in legal if text.startswith("bid")]
    if bids and choose.random() < 0.5:
        return bids[0]
    if "pass" in legal and choose.random() < 0.6:
        return "pass"
    return choose.choice(legal)
