"""Pit's kernels against its referee in every auction of three players, and in whole replays of records."""

import random

import pytest

from card_envs import record
from tests.referee import pit_adapter as pit
from tests.referee.agreement import start_match

GAME = pit.GAME


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
        table, referee = start_match(pit, rules, {"forced": forced})
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
