"""Every auction of two-card hands, kernels and referee side by side."""

import pytest

from card_envs.cards import parse_cards
from tests.referee import spades_adapter as spades
from tests.referee.agreement import start_match

HANDS = ["AS KS", "2C 3C", "QS 4H", "5D 6D"]
DEALER = 3


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"teams": "solo", "forbidden_total": 3},
        {"double_nil": False, "blind_nil_deficit": 100},
        {"double_nil": False, "team_bid_cap": 2, "trump": "high_bidder"},
        {"team_bid_min": 2},
        {"team_bid_min": 1, "team_bid_cap": 3, "forbidden_total": 4},
        {"nil": 0, "team_bid_cap": 2, "forbidden_total": 5},
        {"nil": 0, "blind_nil_pass": 1},
        {"blind_nil_pass": 2, "nil_pass": 1},
        {"blind_nil_deficit": 100, "blind_nil_pass": 1, "nil_pass": 2, "trump": "high_bidder"},
    ],
)
def test_every_auction_of_spades_agrees(options):
    """Not only likely ones: every sequence of calls up to the first card that is given or led, with suits named on the way."""
    rules = spades.GAME.rules(hand_size=2, **options)
    scores = {"scores": [0, 100, 0, 0][: rules.num_sides]}
    table, _ = start_match(spades, rules, scores)
    ids = {name: action for action, name in enumerate(table.action_names)}
    unfinished = [()]
    while unfinished:
        calls = unfinished.pop()
        referee = spades.referee_of(rules, scores)
        referee.start_deal(DEALER, [hand.split() for hand in HANDS])
        table.open_deal([parse_cards(hand) for hand in HANDS], DEALER)
        for text in calls:
            table.step(ids[text])
            referee.act(text)
        assert spades.public_state(table) == spades.referee_state(referee), calls
        if referee.deal.phase in ("auction", "naming"):
            unfinished += [(*calls, text) for text in referee.legal()]
