"""The kitty, and the draw: who takes which cards when, what may be put aside, and who sees it."""

import pytest

from card_envs.cards import card_list, parse_cards
from card_envs.games.pitch.rules import DISCARD_0, bid_action
from card_envs.table import DealError, IllegalAction, Table
from tests.pitch.play import GAME, hand, legal, play, points, table, tricks_won, why
from tests.rule_ids import rule_ids

MORE = {"jokers": 2, "off_jack": True}


def thrown(at: Table, seat: int) -> list[str]:
    return sorted(at.action_names[card] for card in card_list(at.record.thrown[seat]))


def drew(at: Table) -> list[int]:
    return at.record.drew[: at.rules.num_players].tolist()


# --- the kitty ---------------------------------------------------------------------------------------------------------------


def kitty_deal(*actions: str) -> Table:
    """Three players, the kitty is AS JS; seat 1 bids 2 over seat 0's 1."""
    return play(table(["KH 2C", "3H 4C", "QS 5C"], 2, kitty=2, stock="AS JS"), "bid 1", "bid 2", *actions)


@rule_ids("T9", "TX12")
def test_the_pitcher_takes_the_kitty_before_naming():
    """So she may name a suit that she has only from it. While the bidding goes on nobody has it."""
    deal = kitty_deal()
    assert drew(deal) == [0, 0, 0] and hand(deal, 1) == ["3H", "4C"]
    play(deal, "pass")
    assert deal.turn == 1 and hand(deal, 1) == ["3H", "4C", "AS", "JS"] and drew(deal) == [0, 2, 0]
    assert legal(deal) == ["name C", "name H", "name S"]
    assert why(deal, "name D") == "seat 1 holds no diamonds, and must lead the trump that it names"
    assert why(deal, "discard 4C") == "seat 1 won the bidding and has to name trump first"


@rule_ids("T15")
def test_after_naming_she_puts_as_many_aside_one_by_one_and_leads():
    deal = kitty_deal("pass", "name S")
    assert deal.turn == 1 and legal(deal) == ["discard 3H", "discard 4C"]
    play(deal, "discard 4C")
    assert deal.turn == 1 and legal(deal) == ["discard 3H"]
    play(deal, "discard 3H")
    assert thrown(deal, 1) == ["3H", "4C"] and hand(deal, 1) == ["AS", "JS"]
    assert deal.turn == 1 and legal(deal) == ["AS", "JS"]
    assert why(deal, "discard AS") == "nothing is put aside now, and seat 1 has to play a card"
    with pytest.raises(IllegalAction, match="discard AS"):
        play(deal, "discard AS")


@rule_ids("T-A5")
def test_the_eldest_takes_the_kitty_where_she_pitches_without_a_bid():
    deal = play(table(["KH", "3H"], 1, kitty=1, stock="AS", all_pass="eldest_pitches"), "pass", "pass")
    assert legal(deal) == ["name H", "name S"] and drew(deal) == [1, 0]


@rule_ids("TX10")
def test_nobody_takes_the_kitty_of_a_deal_that_is_passed_out():
    deal = play(table(["KH", "3H"], 1, kitty=1, stock="AS"), "pass", "pass")
    assert deal.record.deal_over and drew(deal) == [0, 0] and hand(deal, 0) == ["KH"]


@pytest.mark.parametrize(
    "cards, options, may_go",
    [
        ("AS JS 5S 2H", {}, "2H"),  # what is no trump first
        ("AS JC 2H 3C", {}, "2H 3C"),
        ("AS JS 5S", {}, "5S AS"),  # then trumps that are no point cards: High and Low are none by themselves
        ("2S LJ TS", {}, "2S TS"),
        ("JC 4S", {}, "4S"),  # off-jack
        ("LJ HJ 4S", {}, "4S"),
        ("AS JS 5S", {"points": "ten"}, "5S"),
        ("TS 3S 2S 9S", {"points": "ten"}, "9S"),
        ("JC KS", {"points": "ten"}, "KS"),
        ("JS JC", {}, "JC JS"),  # nothing else is left: any card
        ("LJ HJ JC JS", {}, "HJ JC JS LJ"),
        ("TS 3S 2S", {"points": "ten"}, "2S 3S TS"),
        ("JS JC 5S", {"follow_rule": "trump_only"}, "5S"),
    ],
)
def test_what_may_be_put_aside(cards, options, may_go):
    """The pitcher was dealt the first card and took the others from the kitty; spades are trump."""
    first, *kitty = cards.split()
    deal = table([first, "4C"], 1, kitty=len(kitty), stock=" ".join(kitty), **MORE, **options)
    play(deal, "bid 1", "pass", "name S")
    assert deal.turn == 0 and legal(deal) == [f"discard {card}" for card in may_go.split()]


def test_where_only_trumps_are_played_point_cards_stay():
    """Four of them, and only one card may be kept: she keeps them all, and leads at once."""
    deal = table(["JS", "4S"], 1, kitty=3, stock="JC LJ HJ", follow_rule="trump_only", joker_opens=True, **MORE)
    play(deal, "bid 1", "pass", "name S")
    assert legal(deal) == ["HJ", "JC", "JS", "LJ"] and thrown(deal, 0) == []
    play(deal, "LJ 4S", "JC", "HJ", "JS")
    assert deal.record.deal_over and tricks_won(deal) == [4, 0]  # the last three are of one card each


def test_cards_put_aside_are_not_in_play():
    """The AS and the 2S are gone: KS is High and, played by seat 1, the 4S is Low. No pips of the AS either."""
    deal = table(["AS 2S", "4S QH"], 1, kitty=2, stock="KS 5S", low_to="holder")
    play(deal, "bid 2", "pass", "name S", "discard AS", "discard 2S", "KS 4S", "5S QH")
    assert points(deal) == {"High": 0, "Low": 1, "Game": 0} and deal.record.pips[:2].tolist() == [5, 0]


@pytest.mark.parametrize("low_to", ["taker", "holder"])
def test_a_card_from_the_kitty_is_hers_who_took_it(low_to):
    """Low, the 2S: she drew it, plays it and takes it."""
    deal = table(["KS 4H", "5S QH"], 1, kitty=1, stock="2S", low_to=low_to)
    play(deal, "bid 2", "pass", "name S", "discard 4H", "KS 5S", "2S QH")
    assert points(deal)["Low"] == 0


# --- reasons -----------------------------------------------------------------------------------------------------------------


def test_why_a_card_may_not_be_put_aside():
    deal = table(["AS 5S", "4C 3C"], 1, kitty=3, stock="JS LJ 2H", **MORE)
    assert why(deal, "discard AS") == "nothing is put aside before trump is named, and seat 0 has to call"
    assert why(deal, "AS") == "the bidding is not over and seat 0 has to call"
    play(deal, "bid 1", "pass", "name S")
    assert why(deal, "discard 4C") == "seat 0 does not hold it"
    assert why(deal, "discard 5S") == "trumps are put aside only when no other card is left"
    for other in ("AS", "pass", "name S", "bid 1"):
        assert why(deal, other) == "seat 0 holds too many cards and has to put one aside first"
    play(deal, "discard 2H")
    assert why(deal, "discard 2H") == "seat 0 does not hold it"
    assert why(deal, "discard JS") == why(deal, "discard LJ") == "it counts points, and another trump can go"
    with pytest.raises(IllegalAction, match=r"discard JS .* for seat 0; legal: discard 5S, discard AS"):
        play(deal, "discard JS")


@pytest.mark.parametrize("text", ["discard 2C", "bid 5", "discard HJ"])
def test_what_these_rules_lack_is_no_action(text):
    """`discard` where there is neither kitty nor draw; a bid above the highest."""
    with pytest.raises(ValueError, match="is no action"):
        GAME.parse_action(text, GAME.rules())


def test_the_ids_of_the_new_actions():
    rules = GAME.rules("partners_10pt")
    ids = {text: GAME.parse_action(text, rules) for text in ("bid 4", "bid 5", "bid 10", "moon", "discard 2C", "discard HJ")}
    assert ids == {"bid 4": 62, "bid 5": 65, "bid 10": 70, "moon": 64, "discard 2C": 71, "discard HJ": 124}
    assert DISCARD_0 == 71 and [bid_action(level) for level in (4, 5, 10)] == [62, 65, 70]
    assert GAME.parse_action("DISCARD th", rules) == GAME.parse_action("discard TH", rules)


# --- who sees what -----------------------------------------------------------------------------------------------------------


def seen(at: Table, viewer: int) -> tuple:
    return at.words(viewer).tolist(), at.tokens(viewer).tolist(), at.show(viewer)


def test_what_was_put_aside_is_seen_by_its_owner_alone():
    """Two deals that differ in the card put aside: the others can tell neither then nor later in the deal."""
    hands = ["KS 4S 2C 3D", "5S QH 4C 6H", "6S 7H 8H 9H"]
    other = ["KS 4S 2C 2D", "5S QH 4C 6H", "6S 7H 8H 9H"]
    deals = [table(given, 2, kitty=1, stock="AS") for given in (hands, other)]
    for deal in deals:
        play(deal, "bid 2", "pass", "pass", "name S")
    for aside, later in ((("discard 3D",), ("discard 2D",)), (("AS 5S 6S",), ("AS 5S 6S",))):
        play(deals[0], *aside)
        play(deals[1], *later)
        for viewer in (1, 2):
            assert seen(deals[0], viewer) == seen(deals[1], viewer)
        assert seen(deals[0], 0) != seen(deals[1], 0)
    assert "put aside 3D" in deals[0].show(0) and "put aside 3D" in deals[0].show()
    assert "put aside" not in deals[0].show(1) and "drew 1" in deals[0].show(1)


def test_the_history_hides_which_card_but_not_that_one_went():
    deals = [play(kitty_deal("pass", "name S"), f"discard {card}") for card in ("4C", "3H")]
    differs = [deals[0].tokens(seat).tolist() != deals[1].tokens(seat).tolist() for seat in range(3)]
    assert differs == [False, True, False]
    moves = [int((deals[0].tokens(seat) > 0).sum()) for seat in range(3)]
    assert moves == [5, 5, 5]


def test_all_see_how_many_cards_a_seat_drew_and_only_it_which():
    """Seat 0 draws AH, then seat 1 two cards, of which one differs."""
    deals = [table(["KS 5S", "4S 5H"], 1, draw="all", draw_to=3, stock=stock) for stock in ("AH 2C 7D", "AH 3C 7D")]
    for deal in deals:
        play(deal, "bid 1", "pass", "name S")
        assert deal.layout.decode(deal.words(0))["drew"] == drew(deal) == [1, 2]
    assert [hand(deal, 1) for deal in deals] == [["2C", "4S", "7D"], ["3C", "4S", "7D"]]
    assert seen(deals[0], 0) == seen(deals[1], 0) and seen(deals[0], 1) != seen(deals[1], 1)
    assert "put aside 5H" in deals[0].show(1) and "put aside" not in deals[0].show(0)


def test_cards_that_are_thrown_are_seen_by_their_owner_alone():
    """By the rules, without an action: seat 0 throws the 2H or the 3H."""
    deals = [table([f"KS 5S {card}", "4S 5H 6H"], 1, draw="all", draw_to=2) for card in ("2H", "3H")]
    for deal in deals:
        play(deal, "bid 1", "pass", "name S")
    assert [thrown(deal, 0) for deal in deals] == [["2H"], ["3H"]]
    assert seen(deals[0], 1) == seen(deals[1], 1) and seen(deals[0], 0) != seen(deals[1], 0)
    assert deals[0].layout.decode(deals[0].words(0))["own_thrown"] == ["2H"]
    assert deals[0].layout.decode(deals[0].words(1))["own_thrown"] == ["5H", "6H"]


@pytest.mark.parametrize("rules", [{"kitty": 3}, {"draw": "all"}])
def test_nobody_sees_the_stock(rules):
    """Before the bidding is over another order of the stock looks the same to all."""
    deals = [table(["KS 5S", "4S 5H"], 1, stock=stock, **rules) for stock in ("AH 2C 7D", "7D AH 2C")]
    for deal in deals:
        play(deal, "bid 1")
    assert all(seen(deals[0], viewer) == seen(deals[1], viewer) for viewer in (0, 1))


# --- the draw ----------------------------------------------------------------------------------------------------------------


def test_seats_throw_and_draw_in_turn_from_the_dealers_left():
    """Seat 0 deals and seat 2 names: 1, 2, 0 throw what is no trump and draw up to two. Then the pitcher leads."""
    deal = table(["2H 3H", "4S 5H", "KS QS"], 0, draw="all", draw_to=2, stock="AH 6S 7D 8D")
    play(deal, "pass", "bid 1", "pass", "name S")
    assert [hand(deal, seat) for seat in range(3)] == [["6S", "7D"], ["4S", "AH"], ["KS", "QS"]]
    assert [thrown(deal, seat) for seat in range(3)] == [["2H", "3H"], ["5H"], []]
    assert drew(deal) == [2, 1, 0] and deal.turn == 2 and legal(deal) == ["KS", "QS"]
    assert [move for move in deal.history() if move[1] >= DISCARD_0] == []  # thrown by the rules, not by choice
    play(deal, "QS 6S 4S", "KS 7D AH")  # what was drawn stays, trump or not
    assert deal.record.deal_over and tricks_won(deal) == [0, 0, 2]


def test_a_seat_with_too_many_trumps_puts_some_aside_before_the_next_one_draws():
    """Two may be kept. The dealer, seat 1, names: seat 0 must choose among three trumps, and he draws after her."""
    deal = table(["AS JS 4S", "KS 5H 6H"], 1, draw="all", draw_to=2, stock="2S 3S")
    play(deal, "pass", "bid 1", "name S")
    assert deal.turn == 0 and legal(deal) == ["discard 4S", "discard AS"]
    assert why(deal, "discard JS") == "it counts points, and another trump can go"
    assert hand(deal, 1) == ["5H", "6H", "KS"] and drew(deal) == [0, 0]
    play(deal, "discard AS")
    assert hand(deal, 0) == ["4S", "JS"] and hand(deal, 1) == ["2S", "KS"] and drew(deal) == [0, 1]
    assert deal.turn == 1 and legal(deal) == ["2S", "KS"]


@rule_ids("T-A10", "TX28")
def test_what_was_not_drawn_is_not_in_play():
    """AS and 2S stay in the stock: KS is High and 4S, drawn and played by seat 1, is Low."""
    deal = table(["KS 5S", "QS 5H"], 1, draw="all", draw_to=2, stock="4S AS 2S", low_to="holder")
    play(deal, "bid 1", "pass", "name S", "KS 4S", "5S QS")
    assert points(deal) == {"High": 0, "Low": 1, "Game": 0} and drew(deal) == [0, 1]


def test_off_jack_and_jokers_are_not_thrown():
    deal = table(["JC LJ 4S", "KH HJ JH"], 1, draw="all", draw_to=3, stock="2H 3H", **MORE)
    play(deal, "bid 1", "pass", "name S")
    assert [thrown(deal, seat) for seat in range(2)] == [[], ["JH", "KH"]]
    assert [hand(deal, seat) for seat in range(2)] == [["4S", "JC", "LJ"], ["2H", "3H", "HJ"]]


def bidder_rest(bids: list[str]) -> Table:
    """One suit, three hands of three, and four cards to draw from: all may keep one. Seat 0 deals."""
    hands = ["KC QC 7C", "9C 8C 6C", "3C 2C 5C"]
    rules = {"suits": 1, "teams": "none", "draw": "bidder_rest", "draw_to": 1, "follow_rule": "trump_only"}
    return play(table(hands, 0, stock="4C TC JC AC", **rules), *bids, "name C")


def test_the_bidder_comes_last_and_takes_the_rest_of_the_pack():
    """Seat 1 is the bidder and on the dealer's left: 2 and 0 go before him. Of ten trumps he keeps one, the jack if he likes."""
    deal = bidder_rest(["bid 1", "pass", "pass"])
    assert deal.turn == 2 and legal(deal) == ["discard 2C", "discard 3C", "discard 5C"]
    play(deal, "discard 5C", "discard 3C")
    assert deal.turn == 0
    play(deal, "discard 7C", "discard QC")
    assert deal.turn == 1 and drew(deal) == [0, 4, 0]
    assert hand(deal, 1) == ["4C", "6C", "8C", "9C", "AC", "JC", "TC"]
    assert legal(deal) == [f"discard {card}" for card in ("4C", "6C", "8C", "9C", "AC", "TC")]
    play(deal, *(f"discard {card}" for card in ("4C", "6C", "8C", "9C", "AC", "TC")))
    assert drew(deal) == [0, 4, 0] and deal.turn == 1 and legal(deal) == ["JC"]
    play(deal, "JC 2C KC")
    assert points(deal) == {"High": 0, "Low": 0, "Jack": 0, "Game": 0}  # AC and TC are out of play: KC 3 pips, JC 1


def test_the_bidder_may_sit_between_those_who_draw():
    """Seat 2 bids: 1, then 0, then he."""
    deal = bidder_rest(["pass", "bid 1", "pass"])
    turns = []
    while legal(deal)[0].startswith("discard"):
        turns.append(deal.turn)
        deal.step(deal.legal_actions()[0])
    assert turns == [1, 1, 0, 0, 2, 2, 2, 2, 2, 2] and deal.turn == 2


def test_the_dealer_may_be_the_bidder():
    deal = bidder_rest(["pass", "pass", "bid 1"])
    turns = []
    while legal(deal)[0].startswith("discard"):
        turns.append(deal.turn)
        deal.step(deal.legal_actions()[0])
    assert turns == [1, 1, 2, 2, 0, 0, 0, 0, 0, 0] and deal.turn == 0


def test_the_eldest_takes_the_rest_where_she_pitches_without_a_bid():
    hands = ["KC QC 7C", "9C 8C 6C", "3C 2C 5C"]
    rules = {"suits": 1, "teams": "none", "draw": "bidder_rest", "draw_to": 1, "follow_rule": "trump_only"}
    deal = table(hands, 0, stock="4C TC JC AC", all_pass="eldest_pitches", **rules)
    play(deal, "pass", "pass", "pass", "name C")
    assert deal.turn == 2
    play(deal, "discard 5C", "discard 3C", "discard 7C", "discard QC")
    assert deal.turn == 1 and drew(deal) == [0, 4, 0]


def test_the_bidder_draws_no_more_than_the_rest():
    """Three are allowed; seat 0 has drawn the trumps, the rest is none, and the bidder stays with two."""
    rules = {"suits": 2, "ranks": 5, "draw": "bidder_rest", "draw_to": 3, "follow_rule": "trump_only"}
    deal = table(["TD JD QD", "AC KC KD"], 1, stock="QC JC TC AD", **rules)
    play(deal, "pass", "bid 1", "name C")
    assert hand(deal, 0) == ["JC", "QC", "TC"] and hand(deal, 1) == ["AC", "KC"]
    assert drew(deal) == [3, 1] and thrown(deal, 1) == ["AD", "KD"]
    play(deal, "AC TC", "KC JC", "QC")
    assert deal.record.deal_over and tricks_won(deal) == [1, 2]


# --- the stock of a deal -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options, stock, problem",
    [
        ({"kitty": 2}, "AS", "'stock' has 1 cards, not 2"),
        ({"kitty": 1}, "AS JS", "'stock' has 2 cards, not 1"),
        ({"kitty": 1}, "KH", "KH is dealt twice: to seat 0 and to stock"),
        ({"kitty": 2}, "AS AS", "AS is dealt twice: to stock and to stock"),
        ({"kitty": 1, "jokers": 1}, "HJ", r"HJ \(stock\) is not in this deck"),
        ({"draw": "all"}, "AS JS", "'stock' has 2 cards, not 50"),
        ({}, "AS", "a deal has dealer, hands, not dealer, hands, stock"),
        ({"kitty": 1}, None, "a deal has dealer, hands, stock, not dealer, hands"),
    ],
)
def test_a_wrong_stock_is_refused(options, stock, problem):
    opened = Table(GAME, GAME.rules(num_players=2, hand_size=1, **options), episode="open")
    opened.reset()
    given = {} if stock is None else {"stock": parse_cards(stock)}
    with pytest.raises(DealError, match=problem):
        opened.open_deal([parse_cards("KH"), parse_cards("3H")], 1, **given)


@pytest.mark.parametrize("options", [{"kitty": 3}, {"draw": "all"}, {"preset": "partners_10pt"}])
def test_dealt_from_a_seed_the_stock_is_of_other_cards_than_the_hands(options):
    rules = GAME.rules(**options)
    dealt = Table(GAME, rules)
    dealt.seed(3)
    stocks = set()
    for _ in range(20):
        dealt.reset()
        stock = dealt.record.stock[: rules.stock_size].tolist()
        hands = [card for word in dealt.record.hand[:4].tolist() for card in card_list(word)]
        assert len({*stock, *hands}) == len(stock) + len(hands) == 4 * rules.hand_size + rules.stock_size
        assert all(rules.deck_cards >> card & 1 for card in stock)
        stocks.add(tuple(stock))
    assert len(stocks) == 20 and any(list(stock) != sorted(stock) for stock in stocks)
