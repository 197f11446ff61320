"""The kernels of Pit against the referee: the same random deals, compared at every decision and after every deal.

More deals than the suite's usual number:

    CARD_ENVS_REFEREE_DEALS=20000 python -m pytest tests/test_pit_agreement.py -n 2 --dist worksteal
"""

import dataclasses
import os
import random

import pytest

from card_envs import record
from card_envs.game import OptionError, choices
from card_envs.table import Table
from tests.referee import pit_adapter as pit

DEALS = int(os.environ.get("CARD_ENVS_REFEREE_DEALS", 150))  # for each preset
PARTS = 2  # of a preset's deals, so that processes can share them
DEALS_A_MIX = 5  # for each random set of options
GAME = pit.GAME
VALUES = {
    field.name: pit.NUMBERS.get(field.name) or choices(GAME.options, field.name) or (False, True)
    for field in dataclasses.fields(GAME.options)
}


def random_rules(choose: random.Random):
    """Any options that the game accepts."""
    while True:
        options = {name: choose.choice(values) for name, values in VALUES.items()}
        try:
            return GAME.rules(**options)
        except OptionError:
            continue


def play_deal(table: Table, referee, choose: random.Random) -> None:
    before = referee.state()
    deal = pit.open_random_deal(table, referee, choose)
    actions = []
    while not referee.deal_over:
        assert pit.public_state(table) == pit.referee_state(referee), (table.rules, before, deal, actions)
        actions.append(pit.choose_action(referee, choose))
        table.step(GAME.parse_action(actions[-1], table.rules))
        referee.act(actions[-1])
    assert pit.public_state(table) == pit.referee_state(referee), (table.rules, before, deal, actions)
    assert pit.outcome(table) == pit.referee_outcome(referee, before), (table.rules, before, deal, actions)


def start_match(rules, start: dict, seed: int = 0):
    """Kernel and referee before their first deal."""
    table = Table(GAME, rules, episode="open")
    table.seed(seed)
    table.reset(start)
    return table, pit.referee_of(rules, start)


def play_matches(rules, num_deals: int, choose: random.Random) -> None:
    """Matches under one set of rules until this many deals are played."""
    played = 0
    while played < num_deals:
        table, referee = start_match(rules, pit.random_start(rules, choose), choose.getrandbits(32))
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


@pytest.mark.parametrize("bid_jumps", [False, True])
@pytest.mark.parametrize("pass_reentry", [False, True])
@pytest.mark.parametrize("forced", [False, True])
def test_every_auction_of_three_players_agrees(forced, pass_reentry, bid_jumps):
    """Not only likely ones: every sequence of calls up to the contract. Without jumps there is a level more."""
    options = {"num_players": 3, "hand_size": 4, "min_bid": 1, "max_bid": 3 if bid_jumps else 4, "bid_jumps": bid_jumps}
    rules = GAME.rules(**options, pass_reentry=pass_reentry)
    unfinished = [()]
    while unfinished:
        calls = unfinished.pop()
        table, referee = start_match(rules, {"forced": forced})
        pit.open_random_deal(table, referee, random.Random(3))
        for text in calls:
            table.step(GAME.parse_action(text, rules))
            referee.act(text)
        assert pit.public_state(table) == pit.referee_state(referee), calls
        if referee.deal.phase == "auction":
            unfinished += [(*calls, text) for text in referee.legal()]


@pytest.mark.parametrize("preset", GAME.presets)
def test_replayed_records_agree(preset):
    """Every line of a replay, over several deals from a start of its own."""
    choose = random.Random(f"replay {preset}")
    rules = GAME.rules(preset, num_players=choose.choice(GAME.player_counts[preset]))
    start = pit.random_start(rules, choose)
    referee = pit.referee_of(rules, start)
    deals, expected = [], []
    while not referee.match_over and len(deals) < 6:
        dealer = referee.next_dealer if deals else 1
        hands, upcard = pit.random_cards(referee, choose)
        referee.start_deal(dealer, hands, upcard)
        deals.append({"dealer": dealer, "hands": [" ".join(hand) for hand in hands], "upcard": upcard, "actions": []})
        while not referee.deal_over:
            expected.append(pit.referee_position(referee))
            deals[-1]["actions"].append(pit.choose_action(referee, choose))
            referee.act(deals[-1]["actions"][-1])
    expected.append(pit.referee_position(referee))
    written = {"format": record.FORMAT, "game": "pit", "num_players": rules.num_players, "rules": {"preset": preset}}
    positions = list(record.replay({**written, "start": start, "deals": deals}))
    assert len(positions) == len(expected)
    for position, line in enumerate(expected):
        assert positions[position] == {"record": 0, "position": position, **line}
