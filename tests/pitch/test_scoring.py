"""Who wins High, Low, Jack and Game, and what a bid made or lost scores."""

import random

import pytest

from card_envs.cards import card_list
from card_envs.table import Table
from tests.pitch.play import GAME, legal, level_deal, next_deal, pips, play, points, reference_deal, table, three_players
from tests.rule_ids import rule_ids

# --- the four points ---------------------------------------------------------------------------------------------------------


@rule_ids("T11a", "T-A9")
def test_high_and_low_are_a_point_each():
    assert points(three_players(bid=2)) == {"High": 1, "Low": 1, "Game": 0}


@rule_ids("T11b", "TX28", "T-A10")
def test_low_is_the_lowest_trump_that_was_dealt():
    """Trumps in play are AS, 9S and 5S; the 2S lies in the stock. Seat 1 takes the 5S: Low is hers only at the end."""
    deal = table(["AS 5H 5S", "9S KH 2C"], 1)
    play(deal, "bid 1", "pass", "name S", "AS 9S", "5H KH")
    assert not deal.record.deal_over
    play(deal, "2C 5S")
    assert points(deal)["Low"] == 0
    taken = play(table(["AS 5S 5H", "9S TS KH"], 1), "bid 1", "pass", "name S", "AS 9S", "5S TS", "KH 5H")
    assert points(taken) == {"High": 0, "Low": 1, "Game": 1}  # pips AS 4; TS KH 13


@rule_ids("T12a")
def test_jack_goes_to_who_takes_the_trick_with_it():
    """Seat 1 loses her jack of trump to the ace."""
    deal = play(table(["AS 2H", "JS 3H"], 1), "bid 1", "pass", "name S", "AS JS", "2H 3H")
    assert points(deal)["Jack"] == 0


@rule_ids("T12a")
def test_only_the_jack_of_trump_counts():
    deal = play(table(["AS 2H", "3S JH"], 1), "bid 1", "pass", "name S", "AS 3S", "2H JH")
    assert "Jack" not in points(deal)


@rule_ids("T12b", "T13", "TX26")
def test_game_is_the_most_pips_won():
    """Each for himself the reference deal has pips 20 : 19 : 15 : 1, and seat 0 wins all four points.

    AS JS KS QS TC 4 + 1 + 3 + 2 + 10; TD AD KD QD 10 + 4 + 3 + 2; JH AH TH 1 + 4 + 10; JC 1.
    """
    deal = reference_deal(bid=4, teams="none")
    assert pips(deal) == [20, 19, 15, 1]
    assert deal.scores() == [4, 0, 0, 0]


@rule_ids("T13")
@pytest.mark.parametrize("rank, worth", [("T", 10), ("A", 4), ("K", 3), ("Q", 2), ("J", 1), ("9", 0), ("2", 0)])
def test_pips_of_each_rank(rank, worth):
    """The same in every suit: four cards of the rank and four worth nothing, however they fall."""
    deal = play(table([f"{rank}C {rank}D {rank}H {rank}S", "3C 4D 5H 6S"], 1), "bid 1", "pass", "name C")
    while not deal.record.deal_over:
        play(deal, legal(deal)[0])
    assert sum(pips(deal)) == 4 * worth


@rule_ids("T14", "TX30", "T-A13")
def test_level_pips_win_no_game_point():
    deal = level_deal(dealer=1)
    assert pips(deal) == [22, 22]
    assert points(deal) == {"High": 0, "Low": 0} and deal.scores() == [2, 0]


@rule_ids("T-A13")
def test_a_third_side_gets_no_game_point_from_the_tie_of_two():
    """Pips 10 : 10 : 4: nobody wins Game. Seat 1 leads AS, wins it (4), seat 0 takes TH, seat 2 takes TD."""
    hands = ["5S TH 2D", "AS 2H 3D", "3S 4H TD"]
    deal = play(table(hands, 0), "bid 1", "pass", "pass", "name S", "AS 3S 5S", "2H 4H TH", "2D 3D TD")
    assert pips(deal) == [10, 4, 10] and "Game" not in points(deal)


@rule_ids("T-A13")
def test_no_pips_no_game_point():
    deal = play(table(["9S", "8S"], 1), "bid 1", "pass", "name S", "9S 8S")
    assert pips(deal) == [0, 0] and points(deal) == {"High": 0, "Low": 0}


@rule_ids("T-A13")
@pytest.mark.parametrize(
    "game_tie, dealer, scores",
    [("non_bidder", 1, [2, 1]), ("dealer_side", 1, [2, 1]), ("dealer_side", 0, [3, 0]), ("none", 0, [2, 0])],
)
def test_who_gets_level_pips_is_an_option(game_tie, dealer, scores):
    """Seat 0 made a bid of 2 with High and Low; Game is the third point."""
    assert level_deal(dealer, game_tie=game_tie).scores() == scores


@rule_ids("T-A11")
def test_a_lone_trump_is_high_and_low():
    deal = play(table(["9S", "8H"], 1), "bid 2", "pass", "name S", "9S 8H")
    assert points(deal) == {"High": 0, "Low": 0} and deal.scores() == [2, 0]


@rule_ids("T-A11")
def test_a_lone_jack_of_trump_is_three_points():
    """And with its one pip the fourth as well."""
    deal = play(table(["JS", "8H"], 1), "bid 4", "pass", "name S", "JS 8H")
    assert points(deal) == {"High": 0, "Low": 0, "Jack": 0, "Game": 0} and deal.scores() == [4, 0]


@rule_ids("TX29", "T-A12")
def test_without_the_jack_there_are_three_points_and_a_bid_of_four_is_lost():
    """Seat 0 wins both tricks, so all there is to win."""
    deal = play(table(["AS KS", "2S TH"], 1), "bid 4", "pass", "name S", "AS 2S", "KS TH")
    assert points(deal) == {"High": 0, "Low": 0, "Game": 0} and deal.scores() == [-4, 0]


@rule_ids("T19", "TX23")
def test_the_reference_deal():
    deal = reference_deal(bid=4)
    assert pips(deal) == [35, 20]
    assert points(deal) == {"High": 0, "Low": 0, "Jack": 0, "Game": 0} and deal.scores() == [4, 0]


@rule_ids("T20", "T21", "TX24", "T-A8")
def test_with_low_to_its_holder_the_reference_bid_of_four_is_lost():
    """Seat 3 was dealt the 2S: three points for the bidders, one for the others."""
    deal = reference_deal(bid=4, low_to="holder")
    assert points(deal)["Low"] == 1 and deal.scores() == [-4, 1]


@rule_ids("T19", "T21", "TX25", "T-A8")
def test_with_low_to_its_holder_the_reference_bid_of_three_is_made():
    assert reference_deal(bid=3, low_to="holder").scores() == [3, 1]


# --- the bid -----------------------------------------------------------------------------------------------------------------


@rule_ids("T19", "TX32", "T-A16")
def test_a_bid_made_scores_every_point_won():
    assert reference_deal(bid=2).scores() == [4, 0]


@rule_ids("TX33", "T-A16")
def test_a_bid_made_may_score_the_bid_only():
    assert reference_deal(bid=2, made_scores="bid").scores() == [2, 0]


@rule_ids("T20", "T21", "TX34")
def test_a_bid_lost_is_deducted_and_the_others_keep_their_points():
    assert three_players(bid=3).scores() == [1, -3, 0]


@rule_ids("T20", "TX35", "T-A17")
def test_a_bidder_who_falls_short_loses_what_she_won():
    """Score 1, bid 4, three points won: 1 - 4 = -3. The holder of Low adds one."""
    deal = reference_deal(bid=4, scores=[1, 0], low_to="holder")
    assert deal.scores() == [-3, 1]


@rule_ids("T21")
def test_non_bidders_get_the_points_they_win():
    assert three_players(bid=2).scores() == [1, 2, 0]


@rule_ids("T22", "TX36", "T-A18")
def test_a_partners_points_count_for_the_bid():
    """Seat 0 leads the 2S and takes no trick; her partner's jack wins High, Low, Jack and, with one pip, Game."""
    deal = play(table(["2S", "3S", "JS", "4S"], 3), "bid 4", "pass", "pass", "pass", "name S", "2S 3S JS 4S")
    assert deal.record.tricks_won[0] == 0
    assert deal.scores() == [4, 0]


@rule_ids("T22", "T-A18")
def test_a_partners_points_are_lost_with_the_bid():
    """Seat 2 wins High and Low (no jack, no pips): two points do not make three."""
    deal = play(table(["2S", "3S", "9S", "4S"], 3), "bid 3", "pass", "pass", "pass", "name S", "2S 3S 9S 4S")
    assert deal.scores() == [-3, 0]


@rule_ids("T22")
def test_six_in_pairs_are_three_sides():
    """Seat 0 bids; seat 3, across, is her partner and wins the trick: 4 points for side 0."""
    hands = ["2S", "3S", "4S", "JS", "5S", "6S"]
    deal = play(table(hands, 5, teams="pairs"), "bid 4", *["pass"] * 5, "name S", " ".join(hands))
    assert deal.scores() == [4, 0, 0]


# --- invariants --------------------------------------------------------------------------------------------------------------


@rule_ids("TX58")
@pytest.mark.parametrize("num_players", [2, 3, 4, 6, 7])
def test_random_deals_award_at_most_four_points_and_lose_no_card(num_players):
    """Pips won sum to the pips dealt; every dealt card is played once, by who held it."""
    choose = random.Random(num_players)
    table_ = Table(GAME, GAME.rules(num_players=num_players), episode="open")
    for _ in range(15):
        table_.reset()
        cards = choose.sample(range(52), 6 * num_players)
        hands = [" ".join(table_.action_names[card] for card in cards[seat::num_players]) for seat in range(num_players)]
        next_deal(table_, hands, 0)
        dealt, played = table_.record.hand.tolist(), []
        while not table_.record.deal_over:
            action = choose.choice(table_.legal_actions())
            if action < 54:
                assert dealt[table_.turn] >> action & 1
                played.append(action)
            table_.step(action)
        assert len(points(table_)) <= 4
        if played:
            assert sorted(played) == sorted(card for hand in dealt for card in card_list(hand))
            worth = {8: 10, 9: 1, 10: 2, 11: 3, 12: 4}  # by rank: T J Q K A
            assert sum(pips(table_)) == sum(worth.get(card % 13, 0) for card in played)
