"""The longest deals: what is kept of a deal has room for them under any options."""

import itertools
import random

import pytest

from card_envs.game import OptionError
from card_envs.games.pitch.rules import MAX_ACTIONS
from card_envs.table import Table
from tests.pitch.play import GAME, legal, play, table, tricks_won
from tests.referee import pitch_adapter
from tests.referee.agreement import random_rules


def play_out(at: Table, choose: random.Random, names: bool) -> None:
    """Any actions to the end of the deal; where `names`, bids rather than passes, so that cards are played."""
    while not at.record.deal_over:
        actions = at.legal_actions()
        bids = [action for action in actions if at.action_names[action].startswith(("bid", "moon"))]
        at.step(choose.choice(bids if names and bids else actions))


@pytest.mark.parametrize("part", range(4))
def test_no_deal_has_more_actions_or_tricks_than_its_rules_say(part):
    """Random options; deals with long suits among them, so that hands hold more trumps than they may keep."""
    choose = random.Random(f"bounds {part}")
    for _ in range(60):
        rules = random_rules(pitch_adapter, choose)
        assert rules.max_actions <= MAX_ACTIONS == GAME.max_history and rules.max_tricks <= 13
        at = Table(GAME, rules, episode="open")
        for _ in range(5):
            at.reset()
            hands, stock = pitch_adapter.random_deal(rules, choose)
            at.open_deal(hands, 0, **({"stock": stock} if rules.stock_size else {}))
            play_out(at, choose, names=choose.random() < 0.8)
            assert int(at.record.moves) <= rules.max_actions, rules
            assert int(at.record.tricks_played) == sum(tricks_won(at)) <= rules.max_tricks, rules
            held = [int(hand) for hand in at.record.hand[: rules.num_players]]
            assert rules.follow_rule == "trump_only" or not any(held) or int(at.record.pitcher) < 0


def test_every_mix_of_sizes_fits_the_history():
    """Players, hands, kitty, draws and jokers, in every mix that the rules accept."""
    most = 0
    exchanges = [{"kitty": kitty} for kitty in range(5)]
    exchanges += [{"draw": "all", "draw_to": size} for size in range(1, 14)]
    exchanges += [{"draw": "bidder_rest", "draw_to": size, "follow_rule": "trump_only"} for size in range(1, 14)]
    for num_players, hand_size, more in itertools.product(range(2, 8), range(1, 14), (0, 2)):
        for exchange in exchanges:
            sizes = {"num_players": num_players, "hand_size": hand_size, "jokers": more, "off_jack": more > 0}
            try:
                rules = GAME.rules(teams="none", **sizes, **exchange)
            except OptionError:
                continue
            most = max(most, rules.max_actions)
    assert most == MAX_ACTIONS


def test_the_longest_deal():
    """Six players with nine cards: all 54 are played after six calls and naming."""
    cards = [GAME.action_names(GAME.rules(jokers=2))[card] for card in range(54)]
    at = table([" ".join(cards[seat * 9 : seat * 9 + 9]) for seat in range(6)], 5, jokers=2, teams="none")
    play_out(at, random.Random(1), names=True)
    assert int(at.record.moves) == at.rules.max_actions == MAX_ACTIONS == 61
    assert int((at.tokens(0) > 0).sum()) == 61


def test_the_most_tricks_of_ten_point_partners():
    """The bidder holds all eight point cards, of which none may be put aside, and wins a trick with each: more than six."""
    hands = [
        "AS JS TS 3S 2S JC LJ HJ KS",
        "2D 3D 4D 5D 6D 7D 8D 9D TD",
        "2H 3H 4H 5H 6H 7H 8H 9H TH",
        "2C 3C 4C 5C 6C 7C 8C 9C TC",
    ]
    at = play(table(hands, 3, preset="partners_10pt"), "moon", "pass", "pass", "pass", "name S")
    while any(name.startswith("discard") for name in legal(at)):
        play(at, legal(at)[0])
    assert len(legal(at)) == 8
    play_out(at, random.Random(1), names=True)
    assert int(at.record.tricks_played) == at.rules.max_tricks == 8


def test_the_most_that_is_put_aside():
    """All sixteen trumps come to the bidder, who may keep his eight points: eight are put aside."""
    hands = [
        "AS KS QS 9S 8S 7S 6S 5S 4S",
        "2D 3D 4D 5D 6D 7D 8D 9D TD",
        "2H 3H 4H 5H 6H 7H 8H 9H TH",
        "2C 3C 4C 5C 6C 7C 8C 9C TC",
    ]
    low = "JD QD KD AD JH QH KH AH QC KC AC"  # what the others draw, eighteen cards with seven of hers below
    stock = f"{low} JS TS 3S 2S JC LJ HJ"
    at = play(table(hands, 3, preset="partners_10pt", stock=stock, draw_to=3), "bid 10", "pass", "pass", "pass", "name S")
    put_aside = 0
    while any(name.startswith("discard") for name in legal(at)):
        play(at, legal(at)[0])
        put_aside += 1
    assert put_aside == 8 and len(legal(at)) == 8
    play_out(at, random.Random(1), names=True)
    assert int(at.record.moves) == 4 + 1 + 16 <= at.rules.max_actions
