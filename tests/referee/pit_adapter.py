"""Pit for the comparison of kernels and referee: random deals, and what both state of a table in the same words."""

import copy
import dataclasses
import random

from card_envs.cards import CARD_NAMES
from card_envs.games import load
from card_envs.table import Table
from tests.referee.pit import PitReferee
from tests.referee.pit_deal import rank_of, suit_of

GAME = load("pit")
NUMBERS = {  # of the random mixes: small, so that rare ends of deals and matches come up
    "num_players": range(3, 7), "suits": range(1, 5), "ranks": range(1, 14), "hand_size": range(0, 9), "min_bid": range(1, 6),
    "max_bid": range(1, 6), "start_burden": (0, 0, 1, 2, 5, 9), "alone_shed": (1, 2), "points_target": (0, 0, 0, 4, 21),
    "max_rounds": (1, 2, 3, 5, 20, 200),
}  # fmt: skip


def referee_of(rules, start: dict) -> PitReferee:
    return PitReferee(dataclasses.asdict(rules), rules.num_players, start)


def random_start(rules, choose: random.Random) -> dict:
    """Where a match begins: often close to its end, with a small bank, or with a forced opening."""
    if choose.random() < 0.3:
        return {}
    fresh = referee_of(rules, {})
    start = {
        "burdens": [choose.randint(1, fresh.burdens[0] + 2) for _ in range(rules.num_players)],
        "points": [choose.randint(0, (rules.points_target or 10) - 1) for _ in range(rules.num_players)],
        "bank": choose.choice([0, 1, 2, 3, fresh.bank]),
        "forced": choose.random() < 0.3,
    }
    pit_of_grown_hands = len(fresh.deck) - 1 - sum(referee_of(rules, start).hand_sizes())
    return start if rules.hand_model != "grow" or pit_of_grown_hands >= 0 else {}


def random_cards(referee: PitReferee, choose: random.Random) -> tuple[list[list[str]], str]:
    """The hands of a deal and the card turned for trump."""
    cards = choose.sample(referee.deck, len(referee.deck))
    upcard = cards.pop()
    return [[cards.pop() for _ in range(size)] for size in referee.hand_sizes()], upcard


def open_random_deal(table: Table, referee: PitReferee, choose: random.Random) -> tuple:
    """Deal the same cards to both; returns (dealer, hands, upcard)."""
    hands, upcard = random_cards(referee, choose)
    dealer = int(table.record.dealer)
    referee.start_deal(dealer, hands, upcard)
    table.open_deal([[CARD_NAMES.index(card) for card in hand] for hand in hands], dealer, upcard=CARD_NAMES.index(upcard))
    return dealer, hands, upcard


def fields(table: Table) -> dict:
    """The table's record, read at once: field by field it takes most of the test's time."""
    return dict(zip(table.record.dtype.names, table.record.item(), strict=True))


PUBLIC = ("burdens", "points", "contractor", "alone", "forced", "upcard")


def public_state(table: Table) -> dict:
    """What the referee states too, in its words."""
    s = fields(table)
    num_players = table.rules.num_players
    trick = [s["trick"][(s["leader"] + place) % num_players] for place in range(num_players)]
    shown = GAME.public(table.record, table.rules)
    return {
        "to_act": None if s["deal_over"] else s["turn"],
        "legal": sorted(name for action, name in enumerate(table.action_names) if s["legal"][action // 64] >> action % 64 & 1),
        "trick": [CARD_NAMES[card] for card in trick if card >= 0],
        "tricks_won": s["tricks_won"].tolist()[:num_players],
        "scores": table.scores(),
        "bank": None if has_no_bank(table.rules) else shown["bank"],
        **{name: shown[name] for name in PUBLIC},
    }


def has_no_bank(rules) -> bool:
    """With a pit that never runs out the number means nothing."""
    return rules.pit_bank == "unlimited" and rules.hand_model != "grow"


def referee_state(referee: PitReferee) -> dict:
    names = ("to_act", "trick", "tricks_won", "scores", *PUBLIC)
    return {name: getattr(referee, name) for name in names} | {
        "legal": referee.legal(),
        "bank": None if has_no_bank(referee.rules) else referee.bank,
    }


def referee_position(referee: PitReferee) -> dict:
    """What a line of a replay shows."""
    names = ("to_act", "trick", "tricks_won", "scores", "deal_scores", "winners", "truncated", "bank", *PUBLIC)
    return {name: copy.deepcopy(getattr(referee, name)) for name in names} | {
        "legal": referee.legal(),
        "terminated": referee.match_over and not referee.truncated,
    }


def outcome(table: Table) -> dict:
    """How a deal ended."""
    s = fields(table)
    num_players = table.rules.num_players
    return {
        "gain": s["change"].tolist()[:num_players],
        "winners": [seat for seat in range(num_players) if s["winners"] >> seat & 1],
        "truncated": bool(s["truncated"]),
        "terminated": bool(s["match_over"]),
        "over": bool(s["ended"]),
        "next_dealer": s["dealer"],
    }


def referee_outcome(referee: PitReferee, opened: dict) -> dict:
    """opened: the referee's state when the deal began. What is gained is points where they win, else what is shed."""
    gains = (
        [after - was for after, was in zip(referee.points, opened["points"], strict=True)]
        if referee.points_win
        else [-change for change in referee.deal_scores[-1]]
    )
    return {
        "gain": gains,
        "winners": referee.winners,
        "truncated": referee.truncated,
        "terminated": referee.match_over and not referee.truncated,
        "over": referee.match_over,
        "next_dealer": referee.next_dealer,
    }


def choose_action(referee: PitReferee, choose: random.Random) -> str:
    """Low bids more often than high ones, and half of the cards played for or against the contract: made as well as lost."""
    legal = referee.legal()
    if referee.deal.phase == "auction":
        bids = [text for text in legal if text != "pass"]
        if bids and choose.random() < 0.3:
            return choose.choice(bids[:2])
        if "pass" in legal and choose.random() < 0.7:
            return "pass"
    elif choose.random() < 0.5:
        pick = max if referee.to_act == referee.contractor else min
        return pick(legal, key=lambda card: (suit_of(card) == referee.trump, rank_of(card)))
    return choose.choice(legal)
