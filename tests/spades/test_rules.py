"""Who plays, what is dealt, who deals: the frame of the game."""

import itertools
from collections import Counter

import pytest

from card_envs.cards import card_list, hand_text
from card_envs.game import MAX_HISTORY, OptionError
from card_envs.games.spades.presets import PLAYER_COUNTS
from card_envs.table import Table
from tests.rule_ids import rule_ids
from tests.spades.play import GAME, MIXED, SUITS, bid, dealt, finished, last_trick, next_deal, play, table


def first_deal(seed: int, preset: str = "seed", **options) -> Table:
    made = Table(GAME, GAME.rules(preset, **options))
    made.seed(seed)
    made.reset()
    return made


def hands(at: Table) -> list[list[int]]:
    return [card_list(hand) for hand in at.record.hand[: at.rules.num_players]]


@rule_ids("S0")
def test_the_game_is_called_spades():
    assert GAME.title == "Spades" and GAME.name == "spades"


@rule_ids("S1", "S26", "S-A23")
@pytest.mark.parametrize("preset, won", [("seed", [0]), ("seed_cutthroat", [0])])
def test_who_reaches_five_hundred_first_wins(preset, won):
    """A side of two or, each for himself, a player: 499 and one point."""
    at = bid(table(dealt(GAME.rules(preset)), preset=preset, scores=[499, 0]), "1", "1", "1", "1")
    last_trick(at, [1, 10, 1, 1])
    assert at.winners() == won and at.record.match_over


@rule_ids("S2", "S27", "S28")
@pytest.mark.parametrize(
    "options, num_sides",
    [
        ({}, 2),
        ({"teams": "solo"}, 4),
        ({"num_players": 6, "deck": "no_deuces"}, 3),
        ({"num_players": 6, "teams": "solo"}, 6),
        ({"num_players": 3, "teams": "solo"}, 3),
        ({"num_players": 2, "teams": "solo", "hand_size": 13}, 2),
    ],
)
def test_partners_across_or_each_for_himself(options, num_sides):
    rules = GAME.rules(**options)
    assert rules.num_sides == num_sides
    assert len(first_deal(1, **options).scores()) == num_sides


@rule_ids("S2")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_pairs_need_an_even_number(players):
    with pytest.raises(OptionError, match="teams='pairs' needs 4 or 6 players"):
        GAME.rules(num_players=players)


@rule_ids("S3", "S6")
def test_thirteen_cards_each_of_fifty_two():
    every = hands(first_deal(5))
    assert [len(hand) for hand in every] == [13] * 4
    assert sorted(itertools.chain(*every)) == list(range(52))


@rule_ids("S3")
@pytest.mark.parametrize(
    "options, each, missing",
    [
        ({"deck": "no_2c"}, 12, "2C"),
        ({"deck": "no_2d"}, 12, "2D"),
        ({"deck": "no_2c_2d"}, 12, "2C 2D"),
        ({"deck": "no_deuces"}, 12, "2C 2D 2H 2S"),
        ({"deck": "jokers"}, 13, ""),
        ({"deck": "jokers_no_2c_2d"}, 13, "2C 2D"),
        ({"deck": "jokers_no_2h_2d"}, 13, "2D 2H"),
        ({"deck": "jjdd"}, 13, "2C 2H"),
        ({"teams": "solo", "num_players": 3}, 17, "2C"),
        ({"teams": "solo", "num_players": 3, "deck": "jokers"}, 18, ""),
        ({"teams": "solo", "num_players": 3, "hand_size": 17}, 17, ""),
        ({"teams": "solo", "num_players": 5, "deck": "no_2c_2d"}, 10, "2C 2D"),
        ({"teams": "solo", "num_players": 6, "deck": "no_deuces"}, 8, "2C 2D 2H 2S"),
        ({"suits": 2, "ranks": 4}, 2, None),
    ],
)
def test_other_decks(options, each, missing):
    """What is never dealt, and how many cards each player gets; three players leave the 2C out of a full deck."""
    rules = GAME.rules(**options)
    at = first_deal(1, **options)
    seen = Counter()
    for _ in range(60):
        at.reset()
        assert [len(hand) for hand in hands(at)] == [each] * rules.num_players
        seen.update(itertools.chain(*hands(at)))
    if missing is None:
        assert set(seen) == {card for suit in (2, 3) for card in range(13 * suit + 9, 13 * suit + 13)}  # J to A of H and S
    else:
        jokers = (52, 53) if options.get("deck", "").startswith("j") else ()
        whole = {*range(52), *jokers}
        assert hand_text(sum(1 << card for card in whole - set(seen))).split() == missing.split()[::-1]


@rule_ids("S-A24")
def test_the_first_dealer_is_random_and_the_deal_passes_to_the_left():
    dealers = Counter(int(first_deal(seed).record.dealer) for seed in range(200))
    assert set(dealers) == {0, 1, 2, 3} and min(dealers.values()) > 25
    at = table(SUITS, 2)
    for dealer in (3, 0, 1):
        last_trick(bid(at, "1", "1", "1", "1"), [4, 3, 3, 3])
        assert int(at.record.dealer) == dealer
        next_deal(at, SUITS, dealer)


@rule_ids("S15")
def test_a_hand_is_scored_when_all_tricks_are_played():
    """Four cards each. Seat 3 wins two tricks, then seat 0 two; nobody is paid before the last card."""
    at = bid(table(MIXED), "2", "N", "N", "2")
    play(at, "2C 3C 4C 9C", "KD 5D 9D TD", "2S AS QS JS", "KH 8H 7H")
    assert at.scores() == [0, 0] and not at.record.deal_over
    play(at, "6H")
    assert at.record.deal_over and at.scores() == [102, 102]


@rule_ids("S30")
def test_what_groups_do_differently_is_an_option():
    assert GAME.rules("standard").trick_score == "ten_x_bid" and GAME.rules().trick_score == "per_trick"


@pytest.mark.parametrize("preset", PLAYER_COUNTS)
def test_every_preset_suits_its_player_counts(preset):
    for players in PLAYER_COUNTS[preset]:
        rules = GAME.rules(preset, num_players=players)
        assert rules.cards_each == {3: 17, 4: 13, 6: 8}[players]


@pytest.mark.parametrize(
    "options",
    [
        {"num_players": 6, "deck": "jokers", "blind_nil_pass": 4, "nil_pass": 4},
        {"num_players": 4, "trump": "high_bidder", "blind_nil_pass": 4},
        {"num_players": 2, "teams": "solo", "hand_size": 18},
        {"num_players": 3, "teams": "solo", "deck": "jokers"},
    ],
)
def test_the_longest_deals_fit_into_a_table(options):
    """The state keeps every action of a deal: a call and a look each, naming trump, exchanges, all cards."""
    assert GAME.rules(**options).max_actions <= MAX_HISTORY


def test_a_finished_deal_is_told_in_words():
    text = finished("4/3", "6/1").show()
    assert "side 0 bid 4/3 won 6/1" in text and "change +3 : +0" in text
