"""Who plays, what is dealt, who deals: the frame of the game."""

from collections import Counter

import pytest

from card_envs.cards import card_list
from card_envs.game import OptionError
from card_envs.table import Table
from tests.pitch.play import GAME, REFERENCE_HANDS, REFERENCE_PLAY, legal, next_deal, play, points, reference_deal, table
from tests.rule_ids import rule_ids

PASSES = ["pass"] * 4


def first_deal(seed: int, **options) -> Table:
    dealt = Table(GAME, GAME.rules(**options))
    dealt.seed(seed)
    dealt.reset()
    return dealt


@rule_ids("T0")
def test_the_game_is_called_pitch():
    assert GAME.title == "Pitch" and GAME.name == "pitch"


@rule_ids("T1")
def test_four_points_are_played_for():
    """Each is won once; the reference deal's winners take all of them."""
    finished = reference_deal(bid=4)
    assert points(finished) == {"High": 0, "Low": 0, "Jack": 0, "Game": 0}
    assert finished.scores() == [4, 0]


@rule_ids("T2", "T3", "T-A1")
@pytest.mark.parametrize(
    "options, num_sides",
    [
        ({"num_players": 2}, 2),
        ({"num_players": 3}, 3),
        ({"num_players": 4}, 2),  # two pairs
        ({"num_players": 4, "teams": "none"}, 4),
        ({"num_players": 6, "teams": "pairs"}, 3),
        ({"num_players": 7}, 7),
    ],
)
def test_singly_or_in_pairs(options, num_sides):
    """Two or three play each for himself, four in pairs; the options allow 2 to 7."""
    rules = GAME.rules(**options)
    assert rules.num_sides == num_sides
    assert len(first_deal(1, **options).scores()) == num_sides


@rule_ids("T-A1")
@pytest.mark.parametrize("options", [{"num_players": 1}, {"num_players": 8}, {"num_players": 5, "teams": "pairs"}])
def test_other_numbers_of_players_are_refused(options):
    with pytest.raises(OptionError, match=r"num_players=.*2\.\.7|4 or 6 players"):
        GAME.rules(**options)


@rule_ids("T4", "TX01", "T-A10")
@pytest.mark.parametrize("num_players, undealt", [(2, 40), (3, 34), (4, 28)])
def test_six_cards_each_and_the_rest_is_not_in_play(num_players, undealt):
    """52 - 6 * players cards stay in the stock: nobody holds or plays one of them."""
    dealt = first_deal(9, num_players=num_players)
    hands = [card_list(dealt.record.hand[seat]) for seat in range(num_players)]
    in_play = {card for hand in hands for card in hand}
    assert [len(hand) for hand in hands] == [6] * num_players
    assert len(in_play) == 52 - undealt
    while not dealt.record.match_deals:
        name = next((text for text in legal(dealt) if text.startswith(("bid", "name"))), legal(dealt)[0])
        seat, action = dealt.turn, GAME.parse_action(name, dealt.rules)
        dealt.step(action)
        assert action >= 54 or action in hands[seat]


@rule_ids("T4")
def test_one_round_of_bidding_then_trump():
    """Each speaks once; whoever bid most decides on trump."""
    auction = play(table(REFERENCE_HANDS, 3), "bid 1", "bid 2", "pass", "pass")
    assert auction.turn == 1
    assert legal(auction) == ["name C", "name D", "name H", "name S"]


@rule_ids("T5a", "T5b", "T-A23")
def test_the_first_dealer_is_random():
    """Drawing for the highest card comes to the same: every seat deals first equally often.

    400 tables of 4 seats: 100 each, give or take 5 standard deviations of 8.7.
    """
    dealt = Table(GAME, GAME.rules())
    dealers = Counter()
    for seed in range(400):
        dealt.seed(seed)
        dealt.reset()
        dealers[int(dealt.record.dealer)] += 1
    assert set(dealers) == {0, 1, 2, 3}
    assert all(57 <= times <= 143 for times in dealers.values())


@rule_ids("T6")
def test_the_deal_passes_to_the_left():
    played = reference_deal(bid=3)
    assert played.record.dealer == 0  # seat 3 dealt
    passed_out = play(next_deal(played, REFERENCE_HANDS, 0), *PASSES)
    assert passed_out.record.dealer == 1


@rule_ids("T10")
def test_points_come_from_the_cards_won_in_the_six_tricks():
    """After five tricks nothing is scored; the sixth settles all of it."""
    *first_five, last_card = REFERENCE_PLAY.split()
    deal = play(table(REFERENCE_HANDS, 3), "bid 3", "pass", "pass", "pass", "name S", *first_five)
    assert deal.scores() == [0, 0] and not deal.record.deal_over
    play(deal, last_card)
    assert deal.record.deal_over and deal.record.tricks_played == 6
    assert deal.scores() == [4, 0]


@rule_ids("T-A24")
def test_a_match_that_nobody_bids_in_is_cut():
    """All pass in every deal: after max_hands deals the match is truncated, and level sides share it."""
    match = table(REFERENCE_HANDS, 3, max_hands=3)
    for deal in range(3):
        assert not match.ended
        play(next_deal(match, REFERENCE_HANDS, deal), *PASSES)
    assert match.ended and match.record.truncated and not match.record.match_over
    assert match.winners() == [0, 1]


@rule_ids("T-A24")
def test_a_match_that_is_cut_goes_to_the_highest_score():
    match = play(table(REFERENCE_HANDS, 3, scores=[-2, 5], max_hands=1), *PASSES)
    assert match.record.truncated and match.winners() == [1]


@pytest.mark.parametrize("num_players", range(2, 8))
def test_the_longest_deal_has_room_in_the_history(num_players):
    assert GAME.rules(num_players=num_players, hand_size=min(13, 52 // num_players)).max_actions <= GAME.max_history


@pytest.mark.parametrize(
    "preset, deck, hand, bids, sides, target, points",
    [
        ("seed", 52, 6, (1, 4), 2, 11, 4),
        ("setback", 52, 6, (2, 4), 2, 11, 4),
        ("bicycle", 52, 6, (2, 4), 4, 7, 4),
        ("smudge", 52, 6, (2, 4), 4, 7, 4),
        ("setback6", 53, 6, (2, 6), 2, 21, 6),
        ("partners_10pt", 54, 9, (4, 10), 2, 52, 10),
    ],
)
def test_the_presets(preset, deck, hand, bids, sides, target, points):
    """Four players."""
    rules = GAME.rules(preset)
    assert (rules.deck_cards.bit_count(), rules.hand_size, rules.num_sides) == (deck, hand, sides)
    assert ((rules.min_bid, rules.max_bid), rules.target, rules.num_points) == (bids, target, points)
    assert rules.stock_size == (18 if preset == "partners_10pt" else 0)
