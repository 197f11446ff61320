"""The kernels against the referee: the same random deals, compared at every decision and after every deal.

The full size, on two processes, takes some four minutes:

    CARD_ENVS_REFEREE_DEALS=20000 python -m pytest tests/test_referee_agreement.py -n 2 --dist worksteal
"""

import dataclasses
import os
import random

import pytest

from card_envs.cards import CARD_NAMES, card_list
from card_envs.game import OptionError, choices
from card_envs.games import load
from card_envs.table import Table
from tests.referee.pitch import PitchReferee

DEALS = int(os.environ.get("CARD_ENVS_REFEREE_DEALS", 150))  # for each preset
PARTS = 2  # of a preset's deals, so that processes can share them
DEALS_A_MIX = 5  # for each random set of options
GAME = load("pitch")
NUMBERS = {  # of the random mixes: small, so that rare ends of deals and matches come up
    "num_players": range(2, 8), "suits": range(1, 5), "ranks": range(1, 14), "hand_size": range(1, 8), "min_bid": range(1, 5),
    "max_bid": range(1, 5), "target": (1, 2, 4, 7, 11, 21), "max_hands": (1, 2, 3, 5, 20, 100),
}  # fmt: skip
VALUES = {
    field.name: NUMBERS.get(field.name) or choices(GAME.options, field.name) or (False, True)
    for field in dataclasses.fields(GAME.options)
}


def referee_of(rules, scores: list[int]) -> PitchReferee:
    options = dataclasses.asdict(rules)
    options["teams"] = "pairs" if rules.paired else "none"
    return PitchReferee(options, rules.num_players, scores)


def random_rules(choose: random.Random):
    """Any options that the game accepts."""
    while True:
        options = {name: choose.choice(values) for name, values in VALUES.items()}
        try:
            return GAME.rules(**options)
        except OptionError:
            continue


def random_hands(rules, choose: random.Random) -> list[list[int]]:
    """Hands from the whole deck; where the rules throw in a hand without honours, none such."""
    size = rules.hand_size
    while True:
        cards = choose.sample(card_list(rules.deck_cards), rules.num_players * size)
        hands = [cards[seat * size : (seat + 1) * size] for seat in range(rules.num_players)]
        if not rules.redeal_poor_hand or all(any(card % 13 >= 8 for card in hand) for hand in hands):
            return hands


def fields(table: Table) -> dict:
    """The table's record, read at once: field by field it takes most of the test's time."""
    return dict(zip(table.record.dtype.names, table.record.item(), strict=True))


def public_state(table: Table) -> dict:
    """What the referee states too, in its words."""
    s = fields(table)
    num_players = table.rules.num_players
    trick = [s["trick"][(s["leader"] + place) % num_players] for place in range(num_players)] if s["trick_cards"] else []
    settled = s["pitcher"] >= 0 and s["bid"] > 0
    return {
        "to_act": None if s["deal_over"] else s["turn"],
        "legal": sorted(name for action, name in enumerate(table.action_names) if s["legal"][action // 64] >> action % 64 & 1),
        "trump": "CDHS"[s["trump"]] if s["trump"] >= 0 else None,
        "bid": s["bid"] if settled else None,
        "bidder": s["bidder"] if settled else None,
        "trick": [CARD_NAMES[card] for card in trick if card >= 0],
        "tricks_won": s["tricks_won"].tolist()[:num_players],
        "scores": s["score"].tolist()[: table.rules.num_sides],
    }


def referee_state(referee: PitchReferee) -> dict:
    return {name: getattr(referee, name) for name in ("to_act", "trump", "bid", "bidder", "trick", "tricks_won", "scores")} | {
        "legal": referee.legal()
    }


def outcome(table: Table) -> dict:
    """How a deal ended."""
    s = fields(table)
    num_sides = table.rules.num_sides
    return {
        "points": [side if side >= 0 else None for side in s["point_side"].tolist()],
        "change": s["change"].tolist()[:num_sides],
        "scores": s["score"].tolist()[:num_sides],
        "winners": [side for side in range(num_sides) if s["winners"] >> side & 1],
        "truncated": bool(s["truncated"]),
        "over": bool(s["ended"]),
        "next_dealer": s["dealer"],
    }


def referee_outcome(referee: PitchReferee) -> dict:
    return {
        "points": referee.deal.points(),
        "change": referee.deal_scores[-1],
        "scores": referee.scores,
        "winners": referee.winners,
        "truncated": referee.truncated,
        "over": referee.match_over,
        "next_dealer": referee.next_dealer,
    }


def choose_action(legal: list[str], choose: random.Random) -> str:
    """Low bids more often than high ones, so that contracts are made as well as lost."""
    bids = [text for text in legal if text.startswith("bid")]
    if bids and choose.random() < 0.5:
        return bids[0]
    if "pass" in legal and choose.random() < 0.6:
        return "pass"
    return choose.choice(legal)


def play_deal(table: Table, referee: PitchReferee, choose: random.Random) -> None:
    hands = random_hands(table.rules, choose)
    dealer = int(table.record.dealer)
    referee.start_deal(dealer, [[CARD_NAMES[card] for card in hand] for hand in hands])
    table.open_deal(hands, dealer)
    actions = []
    while not referee.deal_over:
        assert public_state(table) == referee_state(referee), (table.rules, dealer, hands, actions)
        actions.append(choose_action(referee.legal(), choose))
        table.step(GAME.parse_action(actions[-1], table.rules))
        referee.act(actions[-1])
    assert public_state(table) == referee_state(referee), (table.rules, dealer, hands, actions)
    assert outcome(table) == referee_outcome(referee), (table.rules, dealer, hands, actions)


@pytest.mark.parametrize("dealer_steal", choices(GAME.options, "dealer_steal"))
@pytest.mark.parametrize("all_pass", choices(GAME.options, "all_pass"))
@pytest.mark.parametrize("moon", ["off", "bid"])
def test_every_auction_of_three_players_agrees(dealer_steal, all_pass, moon):
    """Not only likely ones: every sequence of calls, equal bids and calls after the highest among them."""
    rules = GAME.rules(num_players=3, hand_size=1, max_bid=3, dealer_steal=dealer_steal, all_pass=all_pass, moon=moon)
    table = Table(GAME, rules, episode="open")
    table.reset()
    unfinished = [()]
    while unfinished:
        calls = unfinished.pop()
        referee = referee_of(rules, [0, 0, 0])
        referee.start_deal(2, [["AS"], ["KH"], ["QD"]])
        table.open_deal([[51], [37], [23]], 2)
        for text in calls:
            table.step(GAME.parse_action(text, rules))
            referee.act(text)
        assert public_state(table) == referee_state(referee), calls
        if len(calls) < 3:
            unfinished += [(*calls, text) for text in referee.legal()]


def start_match(rules, choose: random.Random) -> tuple[Table, PitchReferee]:
    """A match from anywhere: often just below the target, where several sides may reach it in one deal."""
    if choose.random() < 0.3:
        scores = [0] * rules.num_sides
    elif choose.random() < 0.7:
        scores = [rules.target - choose.randint(1, 3) for _ in range(rules.num_sides)]
    else:
        scores = [choose.randint(-12, rules.target + 2) for _ in range(rules.num_sides)]
    table = Table(GAME, rules, episode="open")
    table.seed(choose.getrandbits(32))
    table.reset()
    for side, score in enumerate(scores):
        table.record.score[side] = score
    return table, referee_of(rules, scores)


def play_matches(rules, num_deals: int, choose: random.Random) -> None:
    """Matches under one set of rules until this many deals are played."""
    played = 0
    while played < num_deals:
        table, referee = start_match(rules, choose)
        while not referee.match_over and played < num_deals:
            play_deal(table, referee, choose)
            played += 1


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("preset", GAME.presets)
def test_presets_agree(preset, part):
    choose = random.Random(f"{preset} {part}")
    counts = GAME.player_counts[preset]
    for num_players in counts:
        play_matches(GAME.rules(preset, num_players=num_players), -(-DEALS // PARTS // len(counts)), choose)


@pytest.mark.parametrize("part", range(PARTS))
def test_random_options_agree(part):
    choose = random.Random(f"options {part}")
    for _ in range(-(-DEALS // PARTS // DEALS_A_MIX)):
        play_matches(random_rules(choose), DEALS_A_MIX, choose)
