"""What bids, nils and bags are worth: "a/b" are the bids and the tricks of two partners."""

import pytest

from card_envs.games.spades.presets import PRESETS
from card_envs.table import Table
from tests.rule_ids import rule_ids
from tests.spades.play import GAME, bid, dealt, finished, last_trick, outcome, table


def check(bids, won, expected, **settings):
    """The side of seats 0 and 2 scores so much and then has so many bags."""
    assert outcome(finished(bids, won, **settings)) == expected


# --- the seed: tricks --------------------------------------------------------------------------------------------------------


@rule_ids("SX01", "S16", "S17", "S-A1")
def test_a_trick_that_was_bid_is_worth_a_point():
    check("4/3", "4/3", (7, 0))


@rule_ids("SX02", "S-A3", "S-A4", "S20a", "S20b", "S21")
def test_each_player_has_a_contract_of_his_own():
    """4 + 1 - 2: the second player is two short, though his side won seven tricks."""
    check("4/3", "6/1", (3, 2))


@rule_ids("SX03", "S-A4")
def test_the_contract_may_be_the_sides():
    check("4/3", "6/1", (7, 0), contract_scope="team")


@rule_ids("SX04", "S23a", "S23b", "S-A2")
def test_overtricks_earn_nothing_and_cost_nothing():
    check("4/3", "5/3", (7, 0))


@rule_ids("SX05", "S-A3", "S-A5")
def test_tricks_of_a_failed_bid_score_and_each_that_is_missing_is_a_bag():
    """3 + 2 - 2."""
    check("5/2", "3/2", (3, 2))


@rule_ids("SX06")
def test_a_failed_bid_may_score_nothing():
    """0 + 2 - 2."""
    check("5/2", "3/2", (0, 2), failed_bid="zero")


def test_a_failed_bid_may_cost_ten_times_its_size():
    """-50 + 2 - 2."""
    check("5/2", "3/2", (-50, 2), failed_bid="minus_ten_x")


@rule_ids("SX07")
def test_a_failed_bid_may_bring_one_bag():
    """3 + 2 - 1."""
    check("5/2", "3/2", (4, 1), bag_count="one")


def test_a_failed_bid_may_bring_as_many_bags_as_its_size():
    """3 + 2 - 5."""
    check("5/2", "3/2", (0, 5), bag_count="bid")


# --- the seed: nil -----------------------------------------------------------------------------------------------------------


@rule_ids("SX08", "S18")
def test_a_nil_is_worth_a_hundred():
    check("N/5", "0/5", (105, 0))


@rule_ids("SX09", "S-A8", "S-A10")
def test_tricks_of_a_failed_nil_are_bags_and_do_not_help_the_partner():
    """5 - 2."""
    check("N/5", "2/5", (3, 2))
    check("N/5", "2/4", (1, 3))


@rule_ids("SX10")
def test_a_failed_nil_may_cost_what_it_would_have_earned():
    """5 - 100; blind 4 - 200."""
    check("N/5", "2/5", (-95, 0), nil_fail="minus")
    check("B/4", "1/4", (-196, 0), nil_fail="minus")


def test_a_failed_nil_may_cost_nothing():
    check("N/5", "2/5", (5, 0), nil_fail="none")


@rule_ids("SX11", "S19")
def test_a_blind_nil_is_worth_two_hundred():
    """200 + 4; 4 - 1."""
    check("B/4", "0/4", (204, 0))
    check("B/4", "1/4", (3, 1))


@rule_ids("SX12", "S-A17")
def test_partners_may_both_bid_nil():
    """100 + 100; -4."""
    check("N/N", "0/0", (200, 0))
    check("N/N", "1/3", (-4, 4))
    check("N/B", "0/1", (99, 1))


@pytest.mark.parametrize("won, expected", [("0/0", (200, 0)), ("1/0", (-200, 0)), ("1/3", (-200, 0))])
def test_a_double_nil_may_be_one_bid(won, expected):
    check("N/N", won, expected, preset="standard", double_nil_score="unit")
    check("N/N", won, expected, double_nil_score="unit")


def test_one_bag_for_any_failed_bid_nil_included():
    """5 - 1; a failed 13 stays at thirteen bags: 3 - 40."""
    check("N/5", "3/5", (4, 1), bag_count="one")
    check("13/1", "3/0", (3 - 1 - 10 - 4 * 10 + 1, 14), bag_count="one")


@rule_ids("S-A9")
def test_under_the_seed_a_nil_beats_any_other_bid():
    """Even a nil that fails with certainty costs no more than its tricks, while the best bid of 1 to 13 earns 13."""
    check("N/1", "3/1", (1 - 3, 3))
    assert outcome(finished("N/1", "0/1"))[0] > outcome(finished("12/1", "12/1"))[0]


# --- the seed: thirteen ------------------------------------------------------------------------------------------------------


@rule_ids("SX13", "S24", "S-A18")
def test_a_side_that_bids_and_wins_thirteen_doubles_its_points():
    """On the sum of the side's bids, though neither partner made his own; no bags."""
    check("6/7", "5/8", (26, 0))


def test_nil_is_not_doubled():
    """26 for the tricks. The nil beside it is scored by itself: it lost, one bag."""
    check("13/N", "13/0", (126, 0))
    check("13/N", "12/1", (25, 1))


@rule_ids("SX14")
def test_thirteen_bid_and_twelve_won_are_not_doubled():
    """6 + 6 - 1."""
    check("6/7", "6/6", (11, 1))


def test_more_than_thirteen_bid_are_not_doubled():
    """7 + 6 - 1."""
    check("7/7", "7/6", (12, 1))


@rule_ids("SX16", "S22", "S25", "S-A7", "S-A19")
def test_a_player_who_bids_thirteen_and_fails_has_thirteen_bags():
    """12 + 1 - 10 - 3 x 10."""
    check("13/1", "12/1", (-27, 13))


@rule_ids("SX18")
def test_thirteen_and_nil():
    """10 + 100 - 40."""
    check("13/N", "10/0", (70, 13))


def test_as_one_contract_thirteen_failed_is_a_bag_a_trick():
    """10 + 100 - 3."""
    check("13/N", "10/0", (107, 3), contract_scope="team")


# --- the seed: bags ----------------------------------------------------------------------------------------------------------


@rule_ids("SX20", "S-A6", "S22")
def test_bags_add_up_and_beyond_ten_cost_ten_each():
    """6 - 10 for the eleventh."""
    check("5/2", "4/2", (-4, 11), bags=[10, 0])


def test_bags_may_start_anew_in_each_deal():
    """6 - 1."""
    check("5/2", "4/2", (5, 1), bags=[10, 0], bag_scope="hand")


@rule_ids("S-A7")
def test_beyond_ten_all_bags_may_cost_ten():
    """6 + 10 bags paid at 1 each before - 11 at 10; in one deal 12 + 1 - 130."""
    check("5/2", "4/2", (6 + 10 - 110, 11), bags=[10, 0], bag_over="all")
    check("13/1", "12/1", (13 - 130, 13), bag_over="all")


@pytest.mark.parametrize("limit, cost", [(10, 40), (5, 5 + 80), (13, 13)])
def test_where_bags_begin_to_cost_ten_is_an_option(limit, cost):
    check("13/1", "12/1", (13 - cost, 13), bag_limit=limit)


# --- the standard game -------------------------------------------------------------------------------------------------------


@rule_ids("SX31")
def test_a_made_contract_is_ten_a_trick_and_one_an_overtrick():
    check("4/5", "5/5", (91, 1), preset="standard")


@rule_ids("SX32", "SX36", "SX37")
@pytest.mark.parametrize(
    "bids, won, bags, expected",
    [
        ("3/3", "4/5", 9, (-37, 2)),  # 60 + 3 - 100
        ("4/3", "5/4", 9, (-28, 1)),  # 70 + 2 - 100
        ("1/1", "7/6", 0, (-69, 1)),  # 20 + 11 - 100
        ("1/1", "7/6", 9, (20 + 11 - 200, 0)),  # 9 + 11 bags: twice
    ],
)
def test_ten_bags_cost_a_hundred_and_the_rest_is_kept(bids, won, bags, expected):
    check(bids, won, expected, bags=[bags, 0], preset="standard")


@rule_ids("SX36")
@pytest.mark.parametrize("bags", range(10))
def test_bags_below_the_limit_cost_nothing_however_long_they_stand(bags):
    """A known error elsewhere: a penalty in every deal while five to nine bags stand."""
    check("4/3", "4/3", (70, bags), bags=[bags, 0], preset="standard")


@rule_ids("SX33")
def test_thirteen_and_nil_lost():
    """-130 - 100: the nil's trick counts toward the bid, and it is still lost."""
    check("13/N", "4/1", (-230, 0), preset="openspiel")


@rule_ids("SX34", "SX35")
def test_the_contract_is_the_sides():
    check("4/3", "6/1", (70, 0), preset="standard")
    check("4/3", "3/3", (-70, 0), preset="standard")


@rule_ids("SX39")
def test_bags_are_counted_and_not_read_off_the_score():
    """At -37 with 3 bags, 8 overtricks: 20 + 8 - 100, and 1 bag left."""
    check("1/1", "5/5", (-72, 1), scores=[-37, 0], bags=[3, 0], preset="standard")


@rule_ids("SX40")
def test_a_nil_beside_a_contract():
    """100 + 50 + 1."""
    check("N/5", "0/6", (151, 1), preset="standard")


@rule_ids("SX41", "SX42", "S-A10")
@pytest.mark.parametrize(
    "school, four, five",
    [("bags", (-148, 2), (-48, 2)), ("helps_bid", (-49, 1), (-48, 2)), ("ignore", (-150, 0), (-50, 0))],
)
def test_the_tricks_of_a_failed_nil(school, four, five):
    """-100, and the partner, who bid 5, wins 4 or 5 beside the nil bidder's 2."""
    check("N/5", "2/4", four, preset="standard", failed_nil_tricks=school)
    check("N/5", "2/5", five, preset="standard", failed_nil_tricks=school)


@rule_ids("SX43")
def test_a_blind_nil_won_and_lost():
    """40 + 200; 40 - 200 + 1."""
    behind = {"preset": "standard", "scores": [0, 100]}
    check("B/4", "0/4", (240, 0), **behind)
    check("B/4", "1/4", (-159, 1), **behind)


@rule_ids("SX45")
@pytest.mark.parametrize("won, expected", [("6/4", (200, 0)), ("6/3", (-200, 0)), ("6/5", (201, 1))])
def test_ten_for_two_hundred(won, expected):
    check("6/4", won, expected, preset="standard", ten_for_200=True)


@rule_ids("SX46")
def test_a_moon():
    check("7/6", "7/6", (200, 0), preset="standard", moon=200)
    check("7/6", "7/5", (-130, 0), preset="standard", moon=200)
    check("7/6", "7/5", (-200, 0), preset="standard", moon=200, moon_fail="same")


@rule_ids("SX47")
def test_other_bag_limits():
    """60 + 1 - 50."""
    check("3/3", "3/4", (11, 0), preset="standard", bag_limit=5, bag_penalty=50, bags=[4, 0])


def test_overtricks_may_cost_a_point_or_bring_no_bags():
    check("3/3", "4/5", (57, 3), preset="standard", overtrick_points=-1)
    check("3/3", "4/5", (63, 0), preset="standard", bag_source="none")


@rule_ids("S-A17")
def test_both_partners_nil_under_the_standard_rules():
    """-200, and four overtricks."""
    check("N/N", "1/3", (-196, 4), preset="standard")
    check("N/N", "0/0", (200, 0), preset="standard")


def test_bicycle_nils_are_worth_half():
    check("N/5", "0/5", (100, 0), preset="bicycle")
    check("B/4", "0/4", (140, 0), preset="bicycle", scores=[0, 100])


@rule_ids("S-A3")
def test_the_first_deal_may_bid_itself():
    """Ten a trick without bids, nil or bags; the second deal is bid."""
    rules = GAME.rules("standard", first_hand_bids=True)
    at = table(dealt(rules), preset="standard", first_hand_bids=True)
    last_trick(at, [3, 4, 5, 1])
    assert at.scores() == [80, 50] and at.record.bags[:2].tolist() == [0, 0]
    at.open_deal([[*range(seat, 52, 4)] for seat in range(4)], 0)
    assert "bid 1" in at.legal_names()


# --- each for himself --------------------------------------------------------------------------------------------------------


@rule_ids("SX64")
def test_three_players():
    """Seat 0 bid 5 and won 7 of 17: 52. A failed nil's tricks are bags: -100 + 4; 6 bid and made by seat 2."""
    at = bid(table(dealt(GAME.rules("three")), 2, preset="three"), "5", "N", "6")
    last_trick(at, [7, 4, 6])
    assert [outcome(at, side) for side in range(3)] == [(52, 2), (-96, 4), (60, 0)]


@rule_ids("S27")
def test_cutthroat_scores_each_by_himself():
    at = bid(table(dealt(GAME.rules("seed_cutthroat")), preset="seed_cutthroat"), "4", "N", "3", "B")
    last_trick(at, [4, 0, 5, 4])
    assert [outcome(at, side) for side in range(4)] == [(4, 0), (100, 0), (3, 0), (-4, 4)]


def test_six_players_in_pairs_have_three_sides():
    options = {"num_players": 6, "deck": "no_deuces"}
    at = bid(table(dealt(GAME.rules(**options)), 5, **options), "1", "2", "N", "1", "2", "N")
    last_trick(at, [1, 3, 0, 1, 3, 0])
    assert [outcome(at, side) for side in range(3)] == [(2, 0), (4, 0), (200, 0)]


@rule_ids("SX65")
@pytest.mark.parametrize("preset", PRESETS)
def test_every_trick_is_won_once(preset):
    """Sum of tricks: 13, in other decks as many as the hand has cards."""
    at = Table(GAME, GAME.rules(preset), episode="deal")
    at.seed(3)
    at.reset()
    while not at.ended:
        at.step(at.legal_actions()[-1])
    assert sum(at.record.tricks_won) == at.rules.cards_each == {"three": 17, "six": 8}.get(preset, 13)
