"""Every auction of three players, kernels and referee side by side."""

import pytest

from card_envs.game import choices
from tests.referee import pitch_adapter as pitch
from tests.referee.agreement import start_match

OPTIONS = pitch.GAME.options


@pytest.mark.parametrize("dealer_steal", choices(OPTIONS, "dealer_steal"))
@pytest.mark.parametrize("all_pass", choices(OPTIONS, "all_pass"))
@pytest.mark.parametrize("moon", ["off", "bid"])
def test_every_auction_of_pitch_agrees(dealer_steal, all_pass, moon):
    """Not only likely ones: every sequence of calls of three players, equal bids and calls after the highest among them."""
    options = {"num_players": 3, "hand_size": 1, "max_bid": 3}
    rules = pitch.GAME.rules(**options, dealer_steal=dealer_steal, all_pass=all_pass, moon=moon)
    unfinished = [()]
    while unfinished:
        calls = unfinished.pop()
        table, referee = start_match(pitch, rules, {})
        referee.start_deal(2, [["AS"], ["KH"], ["QD"]])
        table.open_deal([[51], [37], [23]], 2)
        for text in calls:
            table.step(pitch.GAME.parse_action(text, rules))
            referee.act(text)
        assert pitch.public_state(table) == pitch.referee_state(referee), calls
        if len(calls) < 3:
            unfinished += [(*calls, text) for text in referee.legal()]
