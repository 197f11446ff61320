"""Spades for the comparison of kernels and referee: random deals, and what both state of a table in the same words."""

import dataclasses
import random

from card_envs.cards import CARD_NAMES, card_list
from card_envs.games import load
from card_envs.table import Table
from tests.referee.reading import fields, kernel_outcome, kernel_state, referee_outcome_of
from tests.referee.spades import SpadesReferee

GAME = load("spades")
NUMBERS = {  # of the random mixes: small, so that rare ends of deals and matches come up
    "num_players": (2, 3, 4, 4, 4, 5, 6), "suits": (1, 2, 3, 4, 4), "ranks": (2, 3, 5, 13, 13, 13),
    "hand_size": (0, 0, 1, 2, 3, 5, 8, 13), "target": (1, 10, 50, 100, 250, 500), "floor": (0, 0, -1, -50, -200),
    "overtrick_points": range(-1, 2), "bag_limit": (1, 2, 3, 5, 10), "bag_penalty": (0, 10, 50, 100), "nil": (0, 50, 100),
    "blind_nil": (0, 100, 200), "blind_nil_deficit": (0, 0, 1, 50, 100), "blind_nil_pass": range(5),
    "nil_pass": (0, 0, 1, 2, 3, 4), "fail_13_bags": (0, 5, 13), "moon": (0, 0, 200, 500), "team_bid_min": (0, 0, 0, 1, 2, 4),
    "team_bid_cap": (0, 0, 0, 2, 5, 13), "forbidden_total": (0, 0, 1, 2, 3, 5, 13, 17), "max_hands": (1, 2, 3, 5, 20, 100),
}  # fmt: skip


def referee_of(rules, start: dict) -> SpadesReferee:
    return SpadesReferee(dataclasses.asdict(rules), rules.num_players, start.get("scores"), start.get("bags"))


def random_start(rules, choose: random.Random) -> dict:
    """A match from anywhere: often close to the target, the floor, or a bag penalty."""
    sides = range(rules.num_sides)
    if choose.random() < 0.2:
        return {}
    if choose.random() < 0.4:
        scores = [rules.target - choose.randint(1, 60) for _ in sides]
    elif rules.floor and choose.random() < 0.5:
        scores = [rules.floor + choose.randint(1, 120) for _ in sides]
    else:
        scores = [choose.randint(-150, rules.target) for _ in sides]
    most = 25 if rules.bag_source == "undertricks" else rules.bag_limit - 1
    return {"scores": scores, "bags": [choose.randint(0, most) for _ in sides]}


def open_random_deal(table: Table, referee: SpadesReferee, choose: random.Random) -> tuple:
    """Deal the same cards to both; returns (dealer, hands)."""
    num_players, dealer = table.rules.num_players, int(table.record.dealer)
    deck = card_list(table.rules.deck_cards)
    size = table.rules.cards_each
    cards = choose.sample(deck, num_players * size)
    if choose.random() < 0.2:  # long suits and voids, so that nobody can follow or a hand is all spades
        cards.sort(key=lambda card: card + choose.randint(0, 8))
    hands = [cards[seat * size : (seat + 1) * size] for seat in range(num_players)]
    choose.shuffle(hands)
    referee.start_deal(dealer, [[CARD_NAMES[card] for card in hand] for hand in hands])
    table.open_deal(hands, dealer)
    return dealer, hands


def bid_text(bid: int, is_blind: int):
    """As the referee keeps bids."""
    if bid < 0:
        return None
    if is_blind:
        return f"blind {bid or 'nil'}"
    return int(bid) or "nil"


def public_state(table: Table) -> dict:
    """What the referee states too, in its words."""
    s = fields(table)
    return kernel_state(table, s) | {
        "bags": GAME.public(table.record, table.rules)["bags"],
        "bids": [bid_text(s["bid"][seat], s["blind"] >> seat & 1) for seat in range(table.rules.num_players)],
        "trump": "CDHS"[s["trump"]] if s["trump"] >= 0 else None,
        "sees_own_hand": not s["hidden"] >> s["turn"] & 1,
    }


def referee_state(referee: SpadesReferee) -> dict:
    deal = referee.deal
    names = ("to_act", "trick", "tricks_won", "scores", "bags")
    is_to_be_named = referee.rules.trump == "high_bidder" and deal.phase in ("auction", "naming")
    return {name: getattr(referee, name) for name in names} | {
        "legal": referee.legal(),
        "bids": list(deal.bids),
        "trump": None if is_to_be_named else deal.trump,
        "sees_own_hand": deal.phase != "auction" or deal.sees_own_hand(deal.to_act),
    }


def outcome(table: Table) -> dict:
    """How a deal ended."""
    return kernel_outcome(table, fields(table))


def referee_outcome(referee: SpadesReferee, opened: dict) -> dict:
    return referee_outcome_of(referee)


def choose_action(referee: SpadesReferee, choose: random.Random) -> str:
    """Bids and cards with some sense, so that nils and high bids are made as well as lost."""
    legal, deal = referee.legal(), referee.deal
    if deal.phase == "play":
        return choose_card(deal, legal, choose)
    if "look" in legal:
        return "look" if choose.random() < 0.7 else choose.choice(legal)
    if deal.phase == "auction":
        return choose_bid(deal, legal, choose)
    return choose.choice(legal)


def choose_bid(deal, legal: list[str], choose: random.Random) -> str:
    """Often near what a seat may win; with many spades what makes ten or all tricks beside the partner's bid."""
    numbers = [text for text in legal if text != "nil"]
    if "nil" in legal and (not numbers or choose.random() < 0.25):
        return "nil"
    if choose.random() < 0.2:
        return choose.choice(numbers)
    partners_bid = deal.bids[deal.partner(deal.to_act)] if deal.partner(deal.to_act) is not None else None
    wanted = choose.randint(1, 6)
    if len(deal.trumps(deal.hands[deal.to_act])) > deal.hand_size // 2 or choose.random() < 0.1:
        wanted = choose.choice([10, 13, deal.hand_size]) - (partners_bid if isinstance(partners_bid, int) else 0)
    return min(numbers, key=lambda text: abs(int(text.split()[1]) - wanted))


def choose_card(deal, legal: list[str], choose: random.Random) -> str:
    """Half of the time the lowest of a nil bidder's cards, and the highest of another's."""
    if choose.random() < 0.5:
        return choose.choice(legal)
    pick = min if deal.bids[deal.to_act] in ("nil", "blind nil") else max
    return pick(legal, key=lambda card: (card in deal.trumps(legal), deal.strength(card)))
