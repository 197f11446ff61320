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
    "num_players": range(2, 8), "suits": range(1, 5), "ranks": range(1, 14), "hand_size": range(1, 10),
    "min_bid": (1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10), "max_bid": range(1, 11), "target": (1, 2, 4, 7, 11, 21, 52),
    "jokers": range(3), "draw_to": (1, 2, 3, 4, 5, 6, 6), "kitty": (0, 0, 1, 2, 3, 4), "max_hands": (1, 2, 3, 5, 20, 100),
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


def is_poor(hand: list[int]) -> bool:
    """Nothing above a nine, and no joker (52, 53)."""
    return all(card < 52 and card % 13 < 8 for card in hand)


def random_deal(rules, choose: random.Random) -> tuple[list[list[int]], list[int]]:
    """Hands and stock from the whole deck; where the rules throw in a hand without honours, none such.

    Some deals have long suits, so that hands hold more trumps than they may keep, or nothing but jokers.
    """
    deck, size = card_list(rules.deck_cards), rules.hand_size
    dealt = rules.num_players * size
    while True:
        cards = choose.sample(deck, dealt + rules.stock_size)
        if choose.random() < 0.2:
            cards[:dealt] = sorted(cards[:dealt], key=lambda card: card + choose.randint(0, 8))
        hands = [cards[seat * size : (seat + 1) * size] for seat in range(rules.num_players)]
        choose.shuffle(hands)
        if not rules.redeal_poor_hand or not any(is_poor(hand) for hand in hands):
            return hands, cards[dealt:]


def open_random_deal(table: Table, referee: PitchReferee, choose: random.Random) -> tuple:
    """Deal the same cards to both; returns (dealer, hands, stock)."""
    (hands, stock), dealer = random_deal(table.rules, choose), int(table.record.dealer)
    names = [[CARD_NAMES[card] for card in hand] for hand in hands]
    if table.rules.stock_size > 0:
        referee.start_deal(dealer, names, [CARD_NAMES[card] for card in stock])
        table.open_deal(hands, dealer, stock=stock)
    else:
        referee.start_deal(dealer, names)
        table.open_deal(hands, dealer)
    return dealer, hands, stock


def public_state(table: Table) -> dict:
    """What the referee states too, in its words."""
    s = fields(table)
    settled = s["pitcher"] >= 0 and s["bid"] > 0
    state = kernel_state(table, s) | {
        "trump": "CDHS"[s["trump"]] if s["trump"] >= 0 else None,
        "bid": s["bid"] if settled else None,
        "bidder": s["bidder"] if settled else None,
    }
    if table.rules.stock_size > 0:
        num_players = table.rules.num_players
        hands = s["hand"].tolist()[:num_players]
        state["hands"] = [sorted(CARD_NAMES[card] for card in card_list(hand)) for hand in hands]
        state["drew"] = s["drew"].tolist()[:num_players]
    return state


def referee_state(referee: PitchReferee) -> dict:
    names = ("to_act", "trump", "bid", "bidder", "trick", "tricks_won", "scores")
    state = {name: getattr(referee, name) for name in names} | {"legal": referee.legal()}
    if referee.has_stock:
        state["hands"] = [sorted(hand) for hand in referee.deal.hands]
        state["drew"] = list(referee.deal.stock.drew)
    return state


def outcome(table: Table) -> dict:
    """How a deal ended."""
    s = fields(table)
    return kernel_outcome(table, s) | {"points": [side if side >= 0 else None for side in s["point_side"].tolist()]}


def referee_outcome(referee: PitchReferee, opened: dict) -> dict:
    return referee_outcome_of(referee) | {"points": referee.deal.points()}


def choose_action(referee: PitchReferee, choose: random.Random) -> str:
    """Low bids more often than high ones, so that contracts are made as well as lost; any discard, any card."""
    legal = referee.legal()
    bids = [text for text in legal if text.startswith("bid")]
    if bids and choose.random() < 0.5:
        return min(bids, key=lambda text: int(text.split()[1]))
    if "pass" in legal and choose.random() < 0.6:
        return "pass"
    return choose.choice(legal)
