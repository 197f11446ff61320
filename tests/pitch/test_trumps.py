"""Off-jack and jokers: what is trump, how trumps rank, and what they score."""

import itertools

import pytest

from card_envs.cards import HIGH_JOKER, LOW_JOKER, TEN, card_list
from card_envs.table import Table
from tests.pitch.play import GAME, legal, pips, play, points, table, tricks_won, why
from tests.rule_ids import rule_ids

MORE = {"jokers": 2, "off_jack": True}


def follower(led: str, held: str, **options) -> Table:
    """Spades are trump. After a first trick AS 3S, seat 0 leads `led` and seat 1 holds `held`."""
    cards = held.split()
    fillers = ["2D", "3D", "4D"][: len(cards) - 1]
    opened = table([" ".join(["AS", led, *fillers]), " ".join(["3S", *cards])], 1, **MORE, **options)
    return play(opened, "bid 1", "pass", "name S", "AS 3S", led)


def second_trick(trump: str, cards: str, **options) -> list[int]:
    """Who has won how many tricks after a first one, won by seat 0, and this one that she leads."""
    first = [f"{rank}{trump}" for rank in "A45"]
    assert not set(first) & set(cards.split())
    hands = [f"{low} {card}" for low, card in zip(first, cards.split())]
    deal = play(table(hands, 2, **MORE, **options), "bid 1", "pass", "pass", f"name {trump}", " ".join(first), cards)
    return tricks_won(deal)


# --- following ---------------------------------------------------------------------------------------------------------------


@rule_ids("TX50")
def test_the_off_jack_follows_a_trump_lead():
    """Trump S, led S, hand JC 4H."""
    assert legal(follower("5S", "JC 4H")) == ["JC"]
    opened = play(table(["5S 2D", "JC 4H"], 1, off_jack=True), "bid 1", "pass", "name S", "5S")
    assert legal(opened) == ["JC"] and why(opened, "4H") == "seat 1 holds trumps and trumps were led"


@rule_ids("TX51")
@pytest.mark.parametrize("follow_rule, cards", [("follow_or_trump", ["9C", "JC"]), ("strict", ["9C"])])
def test_the_off_jack_is_no_card_of_its_printed_suit(follow_rule, cards):
    """Trump S, led C, hand JC 9C 4H."""
    assert legal(follower("5C", "JC 9C 4H", follow_rule=follow_rule)) == cards


@rule_ids("TX50", "TX51")
@pytest.mark.parametrize(
    "led, held, follow_rule, cards",
    [
        ("5C", "JC 4H", "strict", "4H JC"),  # she has no club
        ("JC", "9C KS 4H", "strict", "KS"),  # led as a trump
        ("JC", "9C 4H", "follow_or_trump", "4H 9C"),
        ("5S", "LJ 4H", "strict", "LJ"),
        ("HJ", "9C KS 4H", "follow_or_trump", "KS"),
        ("5H", "LJ HJ 4H", "follow_or_trump", "4H HJ LJ"),  # at any time
        ("5H", "LJ HJ 4H", "strict", "4H"),
        ("5S", "JC LJ JD", "trump_only", "JC LJ"),
        ("5H", "JD JH 4C", "strict", "JH"),  # the red jacks are plain cards
    ],
)
def test_off_jack_and_jokers_follow_as_trumps_do(led, held, follow_rule, cards):
    assert legal(follower(led, held, follow_rule=follow_rule)) == cards.split()


@rule_ids("TX50")
@pytest.mark.parametrize("trump, off_jack", [("C", "JS"), ("S", "JC"), ("D", "JH"), ("H", "JD")])
def test_the_off_jack_is_the_jack_of_the_same_colour(trump, off_jack):
    others = [f"J{suit}" for suit in "CDHS" if suit != trump]
    opened = table([f"2{trump} 3{trump} 4{trump}", " ".join(others)], 1, off_jack=True)
    assert legal(play(opened, "bid 1", "pass", f"name {trump}", f"2{trump}")) == [off_jack]


def test_without_the_option_the_other_jack_is_a_plain_card():
    opened = table(["5S 2D", "JC 4H"], 1, jokers=2)
    assert legal(play(opened, "bid 1", "pass", "name S", "5S")) == ["4H", "JC"]


@rule_ids("TX51")
def test_a_trump_beside_the_led_suit_shows_who_is_void():
    """Seat 1 plays the off-jack to a club: under the strict rule she has no club, by follow_or_trump she may have one."""
    for follow_rule, void in (("strict", ["C"]), ("follow_or_trump", [])):
        deal = play(follower("5C", "JC 4H", follow_rule=follow_rule), "JC")
        assert deal.layout.decode(deal.words(0))["void"][1] == void


# --- rank --------------------------------------------------------------------------------------------------------------------


@rule_ids("TX52")
def test_the_off_jack_lies_below_the_jack():
    """KS wins; without it the JS beats the JC."""
    assert second_trick("S", "KS JC JS") == [2, 0, 0]
    assert second_trick("S", "JC JS 9S") == [1, 1, 0]


@rule_ids("TX53")
def test_jokers_lie_between_ten_and_jack():
    """QS wins over TS and joker; the joker beats the TS."""
    assert second_trick("S", "TS LJ QS") == [1, 0, 1]
    assert second_trick("S", "TS LJ 9S") == [1, 1, 0]


@rule_ids("TX52", "TX53")
@pytest.mark.parametrize(
    "trump, cards, rank, winner",
    [
        ("S", "LJ HJ TS", "above_ten", 1),
        ("S", "HJ JC LJ", "above_ten", 1),
        ("S", "2S LJ HJ", "lowest", 0),
        ("S", "LJ HJ 4H", "lowest", 1),
        ("S", "JC TS HJ", "lowest", 0),
        ("S", "TS JC QS", "lowest", 2),
        ("S", "KH LJ QH", "lowest", 1),  # a trump all the same
        ("C", "JS TC 9C", "above_ten", 0),
        ("D", "TD JH JS", "above_ten", 1),
        ("H", "QD JD KD", "above_ten", 1),
        ("H", "QC JC JS", "above_ten", 0),  # the black jacks are plain cards
        ("H", "2C JS AC", "above_ten", 2),
    ],
)
def test_who_takes_a_trick(trump, cards, rank, winner):
    won = second_trick(trump, cards, joker_rank=rank)
    won[0] -= 1
    assert won.index(1) == winner


@rule_ids("TX52", "TX53")
@pytest.mark.parametrize(
    "rank, order",
    [("above_ten", "A K Q J off HJ LJ T 9 8 7 6 5 4 3 2"), ("lowest", "A K Q J off T 9 8 7 6 5 4 3 2 HJ LJ")],
)
@pytest.mark.parametrize("trump, other", ["CS", "DH", "HD", "SC"])
def test_every_trump_beats_the_next(rank, order, trump, other):
    """Led or played to it. Each deal is two cards: seat 0 leads one of two neighbours, seat 1 plays the other."""
    named = [f"J{other}" if name == "off" else name if name in ("LJ", "HJ") else name + trump for name in order.split()]
    rules = {"joker_rank": rank, "joker_opens": True, **MORE}
    plain = next(suit for suit in "CDHS" if suit not in (trump, other))
    for high, low in itertools.pairwise(named):
        for led, played in ((high, low), (low, high)):
            spare = next(card for card in named if card not in (high, low) and card[1] == trump)
            deal = table([f"{led} {spare}", f"{played} 2{plain}"], 1, **rules)
            play(deal, "bid 1", "pass", f"name {trump}", led, played)
            assert tricks_won(deal) == ([1, 0] if led == high else [0, 1]), (led, played)


# --- naming, pitching, leading -----------------------------------------------------------------------------------------------


@rule_ids("T-A7", "TX12")
@pytest.mark.parametrize(
    "held, options, suits",
    [
        ("JH LJ 2C", {}, "CH"),  # a jack of hearts is a heart to name by, whatever it may become
        ("HJ LJ", {}, "CDHS"),
        ("HJ LJ", {"suits": 2}, "CD"),
    ],
)
def test_naming_needs_a_natural_card(held, options, suits):
    """Only jokers: any suit of the deck."""
    others = " ".join(["2D", "3D", "4D"][: len(held.split())])
    opened = play(table([held, others], 1, **MORE, **options), "bid 1", "pass")
    assert legal(opened) == [f"name {suit}" for suit in suits]


def test_a_natural_jack_alone_may_be_named_and_led():
    opened = play(table(["JH LJ", "2C 3C"], 1, **MORE), "bid 1", "pass", "name H")
    assert legal(opened) == ["JH"]


@rule_ids("TX14")
def test_a_joker_is_not_pitched():
    """Its suit could not become trump. The JH, pitched, makes hearts trump, and the JD the off-jack."""
    opened = play(table(["LJ 5S JH", "KH JD 2S"], 1, trump_method="pitch", **MORE), "bid 1", "pass")
    assert legal(opened) == ["5S", "JH"]
    assert why(opened, "LJ") == "a joker has no suit, and the first lead makes its suit trump"
    assert legal(play(opened, "JH")) == ["JD", "KH"]


@rule_ids("TX14")
def test_who_holds_only_jokers_names_instead_of_pitching():
    opened = play(table(["LJ HJ", "KD 2S"], 1, trump_method="pitch", **MORE), "bid 1", "pass")
    assert legal(opened) == ["name C", "name D", "name H", "name S"]
    assert "name trump first" in why(opened, "LJ")
    play(opened, "name D")
    assert opened.turn == 0 and legal(opened) == ["HJ", "LJ"]
    assert legal(play(opened, "LJ")) == ["KD"]


@rule_ids("T15", "TX13")
@pytest.mark.parametrize(
    "held, joker_opens, leads",
    [
        ("KS LJ 4H", False, "KS"),
        ("KS LJ 4H", True, "KS LJ"),
        ("JC HJ 4H 2S", False, "2S JC"),
        ("LJ HJ 2S 4H", True, "2S HJ LJ"),
        ("LJ HJ JS JC", False, "JC JS"),
    ],
)
def test_the_first_lead_with_trump_fixed(held, joker_opens, leads):
    """A trump, the off-jack too; a joker only by the option."""
    others = " ".join(["2D", "3D", "4D", "5D"][: len(held.split())])
    opened = table([held, others], 1, joker_opens=joker_opens, **MORE)
    play(opened, "bid 1", "pass", "name S")
    assert legal(opened) == leads.split()
    if not joker_opens:
        joker = "LJ" if "LJ" in held else "HJ"
        assert why(opened, joker) == "a joker may not be led first while there is another trump"
    if "4H" in held:
        assert why(opened, "4H") == "the first lead must be a trump, spades"


def test_later_a_joker_may_be_led():
    for follow_rule, leads in (("follow_or_trump", ["4H", "LJ"]), ("trump_only", ["LJ"])):
        deal = play(table(["KS LJ 4H", "2S TS 4D"], 1, follow_rule=follow_rule, **MORE), "bid 1", "pass", "name S", "KS 2S")
        assert legal(deal) == leads
        assert legal(play(deal, "LJ")) == ["TS"]


# --- the points --------------------------------------------------------------------------------------------------------------


@rule_ids("T11a", "T13")
def test_off_jack_and_jokers_are_a_point_each_to_who_takes_them():
    """Seat 0 takes KS JC (3 + 1 pips) and LJ 3D (none); seat 1 takes 2H with the TS: Game with 10 pips, and Low."""
    deal = play(table(["KS 2H LJ", "JC TS 3D"], 1, **MORE), "bid 3", "pass", "name S", "KS JC", "2H TS", "3D LJ")
    assert points(deal) == {"High": 0, "Low": 1, "Game": 1, "off-jack": 0, "LJ": 0}
    assert pips(deal) == [4, 10] and deal.scores() == [3, 2]


@rule_ids("T12a", "T-A18")
def test_the_taker_has_the_point_not_the_holder():
    """Seat 1 was dealt off-jack and both jokers and takes none; Low stays with its holder, who played the 2S."""
    deal = table(["AS KS QS JS", "JC LJ HJ 2S"], 1, low_to="holder", max_bid=7, **MORE)
    play(deal, "bid 6", "pass", "name S", "AS JC", "KS LJ", "QS HJ", "JS 2S")
    assert points(deal) == {"High": 0, "Low": 1, "Jack": 0, "Game": 0, "off-jack": 0, "HJ": 0, "LJ": 0}
    assert deal.scores() == [6, 1]


@rule_ids("T11a", "T-A10")
def test_a_joker_can_be_high_but_is_never_low():
    """Only jokers in play: no Low at all, and no pips."""
    deal = play(table(["LJ", "HJ"], 1, **MORE), "bid 1", "pass", "name D", "LJ HJ")
    assert points(deal) == {"High": 1, "HJ": 1, "LJ": 1} and deal.scores() == [-1, 3]


@rule_ids("T11a")
def test_where_jokers_are_lowest_the_two_is_still_low():
    deal = play(table(["2S 4H", "LJ 3H"], 1, joker_rank="lowest", **MORE), "bid 1", "pass", "name S", "2S LJ", "4H 3H")
    assert points(deal) == {"High": 0, "Low": 0, "LJ": 0}


@rule_ids("T11a", "T-A8")
@pytest.mark.parametrize("low_to, side, scores", [("taker", 0, [5, 0]), ("holder", 1, [4, 1])])
def test_the_off_jack_may_be_low(low_to, side, scores):
    """JS over JC: High, Jack and off-jack, and Game with two pips; the JC is the lowest trump in play."""
    deal = play(table(["JS", "JC"], 1, low_to=low_to, off_jack=True), "bid 4", "pass", "name S", "JS JC")
    assert points(deal) == {"High": 0, "Low": side, "Jack": 0, "Game": 0, "off-jack": 0} and deal.scores() == scores


@rule_ids("T11a")
def test_the_off_jack_may_be_high():
    """JC over TS: it is no jack of trump."""
    deal = play(table(["TS 2H", "JC 3H"], 1, off_jack=True), "bid 1", "pass", "name S", "TS JC", "3H 2H")
    assert points(deal) == {"High": 1, "Low": 1, "Game": 1, "off-jack": 1}


# --- bids of more than four --------------------------------------------------------------------------------------------------


@rule_ids("T8", "TX03")
def test_bids_go_up_to_the_points_there_are():
    opened = table(["AS", "KS"], 1, max_bid=6, jokers=1, off_jack=True)
    assert legal(opened) == [*(f"bid {level}" for level in range(1, 7)), "pass"]
    assert legal(play(opened, "bid 5")) == ["bid 6", "pass"]
    assert why(opened, "bid 5") == "the standing bid is 5, by seat 0, and this does not beat it"
    low = table(["AS", "KS"], 1, min_bid=5, max_bid=5, off_jack=True)
    assert why(low, "bid 4") == "the lowest bid is 5"


@rule_ids("TX06", "TX07", "T-A4")
@pytest.mark.parametrize(
    "steal, standing, calls",
    [
        ("four_only", "bid 4", "bid 4, bid 5, bid 6, pass"),
        ("four_only", "bid 5", "bid 6, pass"),
        ("below_four", "bid 3", "bid 3, bid 4, bid 5, bid 6, pass"),
        ("below_four", "bid 5", "bid 6, pass"),
        ("any", "bid 6", "bid 6, pass"),
    ],
)
def test_stealing_the_higher_bids(steal, standing, calls):
    """A five is no four, and not below one."""
    opened = table(["AS", "KS"], 1, max_bid=6, dealer_steal=steal, **MORE)
    assert legal(play(opened, standing)) == calls.split(", ")


@rule_ids("T19", "T20")
@pytest.mark.parametrize("bid, scores", [(5, [5, 0]), (6, [-6, 0])])
def test_a_bid_of_five_and_one_of_six(bid, scores):
    """Seat 0 takes High, Low, Jack, Game and the off-jack; the joker stays in the stock."""
    deal = table(["AS JS", "2S JC"], 1, max_bid=6, jokers=1, off_jack=True)
    assert play(deal, f"bid {bid}", "pass", "name S", "AS 2S", "JS JC").scores() == scores


# --- moons -------------------------------------------------------------------------------------------------------------------


def six_point_moon(mine: str, theirs: str, score: int = 0, **options) -> Table:
    """Seat 0 takes all six points in three tricks, and leads `mine` to the fourth."""
    rules = {"jokers": 1, "off_jack": True, "max_bid": 6, "moon": "bid", **options}
    deal = table([f"AS JS LJ {mine}", f"2S JC 3D {theirs}"], 1, [score, 0], **rules)
    return play(deal, "moon", "pass", "name S", "AS 2S", "JS JC", "LJ 3D", mine, theirs)


def test_a_moon_takes_every_point_and_every_trick():
    """It counts as a bid of seven, and wins or loses as much, since that is more than five."""
    made, failed = six_point_moon("5D", "4D"), six_point_moon("4D", "5D")
    assert len(points(made)) == len(points(failed)) == 6 and tricks_won(failed) == [3, 1]
    assert int(made.record.bid) == 7
    assert made.scores() == [7, 0] and failed.scores() == [-7, 0]


def test_a_moon_needs_a_joker_that_was_not_dealt():
    assert six_point_moon("5D", "4D", jokers=2).scores() == [-7, 0]


@pytest.mark.parametrize("score, after, winners", [(6, 13, [0]), (0, 11, [0]), (-3, 0, [])])
def test_a_moon_may_win_the_match(score, after, winners):
    """Seven points or up to the target, whichever is more; from below zero up to zero."""
    deal = six_point_moon("5D", "4D", score, moon_made="game")
    assert deal.scores() == [after, 0] and deal.winners() == winners


@rule_ids("TX49")
def test_four_points_win_at_once_whatever_else_counts():
    """Seat 0 takes High, Low, Jack and Game; seat 1 takes the joker."""
    deal = table(["AS JS 4H", "2S LJ 3D"], 1, moon="four_points", **MORE)
    play(deal, "bid 4", "pass", "name S", "AS 2S", "4H LJ", "3D JS")
    assert points(deal) == {"High": 0, "Low": 0, "Jack": 0, "Game": 0, "LJ": 1}
    assert deal.scores() == [4, 1] and deal.winners() == [0]


# --- the deck ----------------------------------------------------------------------------------------------------------------


def test_a_joker_makes_a_hand_worth_playing():
    """Where poor hands are dealt again, no hand has nothing above a nine and no joker; some have a joker alone."""
    dealt = Table(GAME, GAME.rules(redeal_poor_hand=True, jokers=2))
    dealt.seed(1)
    only_joker = 0
    for _ in range(200):
        dealt.reset()
        for hand in dealt.record.hand[:4].tolist():
            honours = [card for card in card_list(hand) if card < LOW_JOKER and card % 13 >= TEN]
            jokers = [card for card in card_list(hand) if card >= LOW_JOKER]
            assert honours or jokers
            only_joker += not honours
    assert only_joker


@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_the_first_joker_is_the_low_one(jokers):
    deck = GAME.rules(jokers=jokers).deck_cards
    assert [deck >> card & 1 for card in (LOW_JOKER, HIGH_JOKER)] == [int(jokers > 0), int(jokers > 1)]


@rule_ids("TX48")
def test_setback6():
    """All pass and the dealer must bid. Side 1 takes the five points in play, comes to 22 of 21 and wins as bidder.

    The joker may not be pitched. AS over JC, 9S and 5C (void); the LJ then takes 2H AH 4H. No jack; pips 4 + 1 + 4 : 0.
    """
    hands = ["JC 2H", "9S AH", "5C 4H", "AS LJ"]
    deal = play(table(hands, 3, [22, 17], preset="setback6"), "pass", "pass", "pass")
    assert legal(deal) == ["bid 2", "bid 3", "bid 4", "bid 5", "bid 6"]
    assert legal(play(deal, "bid 2")) == ["AS"]
    play(deal, "AS JC 9S 5C", "LJ 2H AH 4H")
    assert points(deal) == {"High": 1, "Low": 1, "Game": 1, "off-jack": 1, "LJ": 1}
    assert deal.scores() == [22, 22] and deal.winners() == [1]


@rule_ids("TX48")
def test_setback6_a_side_at_the_target_that_did_not_bid_plays_on():
    """The bidders are set; the others take High, Low and, with 4 pips, Game: 19 + 3 of 21."""
    deal = table(["5S", "AS", "6S", "7S"], 3, [0, 19], preset="setback6")
    play(deal, "bid 2", "pass", "pass", "pass", "5S AS 6S 7S")
    assert deal.scores() == [-2, 22] and deal.winners() == [] and not deal.ended
