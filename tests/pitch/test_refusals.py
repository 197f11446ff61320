"""What the options refuse, with its reason; and any two of them together."""

import dataclasses
from functools import partial

import pytest

import card_envs
from card_envs.game import OptionError, choices
from tests.option_checks import check_pairs
from tests.pitch.play import GAME

OPTIONS = {field.name: field for field in dataclasses.fields(GAME.options)}


# --- what is refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options, reason",
    [
        ({"low_to": "takr"}, "low_to='takr'.*taker, holder.*did you mean 'taker'"),
        ({"low_to": 1}, "low_to=1.*taker, holder"),
        ({"target": 0}, "target=0.*1..200"),
        ({"target": 11.0}, "target=11.0.*must be int, not float"),
        ({"target": "11"}, "target='11'.*must be int, not str"),
        ({"target": True}, "target=True.*must be int, not bool"),
        ({"must_bid_to_win": 1}, "must_bid_to_win=1.*must be bool, not int"),
        ({"must_bid_to_win": "yes"}, "must be bool, not str"),
        ({"targt": 7}, "no option 'targt'.*did you mean 'target'"),
        ({"teams": "pairs", "num_players": 5}, "pairs' needs 4 or 6 players, not 5"),
        ({"num_players": 5, "hand_size": 11}, "5 hands of 11 are 55 cards, the deck has 52"),
        ({"suits": 2, "ranks": 5}, "4 hands of 6 are 24 cards, the deck has 10"),
        ({"min_bid": 3, "max_bid": 2}, "min_bid=3 lies above max_bid=2"),
        ({"suits": 1, "num_players": 6, "hand_size": 2, "redeal_poor_hand": True}, "fewer cards above a nine than players"),
        ({"max_bid": 5}, "max_bid=5: there are only 4 points to bid for"),
        ({"max_bid": 7, "off_jack": True, "jokers": 1}, "max_bid=7: there are only 6 points"),
        ({"max_bid": 10, "points": "ten", "jokers": 2}, "max_bid=10: there are only 9 points"),
        ({"joker_rank": "lowest"}, "joker_rank='lowest' has no effect without jokers"),
        ({"joker_opens": True, "off_jack": True}, "joker_opens=True has no effect without jokers"),
        (
            {"joker_opens": True, "jokers": 1, "trump_method": "pitch"},
            "joker_opens=True has no effect without trump_method='name'",
        ),
        ({"draw_to": 5}, "draw_to=5 has no effect without a draw"),
        ({"draw_to": 5, "kitty": 2}, "draw_to=5 has no effect without a draw"),
        ({"points": "ten", "game_tie": "non_bidder"}, "game_tie='non_bidder' has no effect without points='four'"),
        ({"points": "ten", "moon": "four_points"}, "moon='four_points' needs High, Low, Jack and Game: points='four'"),
        ({"kitty": 2, "draw": "all"}, "kitty=2 and draw='all' exclude each other"),
        ({"kitty": 2, "trump_method": "pitch"}, "needs trump_method='name'"),
        ({"draw": "all", "trump_method": "pitch"}, "needs trump_method='name'"),
        ({"draw": "bidder_rest"}, "needs follow_rule='trump_only'"),
        ({"draw": "all", "draw_to": 8}, "up to 32 cards would be drawn, 28 are left"),
        ({"draw": "bidder_rest", "follow_rule": "trump_only", "draw_to": 10}, "up to 30 cards would be drawn, 28 are left"),
        ({"num_players": 4, "hand_size": 13, "kitty": 1}, "4 hands of 13 and a kitty of 1 are 53 cards, the deck has 52"),
        ({"num_players": 4, "hand_size": 13, "kitty": 3, "jokers": 2}, "are 55 cards, the deck has 54"),
        ({"moon_made": "game"}, "moon_made='game' has no effect without moon='bid'"),
        ({"moon": "four_points", "moon_failed": "lose_game"}, "moon_failed='lose_game' has no effect without moon='bid'"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_reason(options, reason):
    with pytest.raises(OptionError, match=reason):
        GAME.rules(**options)


@pytest.mark.parametrize("name", [name for name, field in OPTIONS.items() if field.metadata["low"] is not None])
def test_every_number_has_its_range(name):
    low, high = OPTIONS[name].metadata["low"], OPTIONS[name].metadata["high"]
    for value in (low - 1, high + 1):
        with pytest.raises(OptionError, match=rf"{name}={value}: must lie in {low}..{high}"):
            GAME.rules(**{name: value})


@pytest.mark.parametrize("name", [name for name in OPTIONS if choices(GAME.options, name)])
def test_every_choice_names_its_values(name):
    with pytest.raises(OptionError) as refused:
        GAME.rules(**{name: "nonsense"})
    assert all(value in str(refused.value) for value in choices(GAME.options, name))


def test_unknown_presets_and_games_name_the_nearest():
    with pytest.raises(OptionError, match=r"no preset 'bycicle'.*did you mean 'bicycle'"):
        GAME.rules("bycicle")
    with pytest.raises(OptionError, match="did you mean 'pitch'"):
        card_envs.make_vec("ptich", 1)
    with pytest.raises(OptionError, match=r"no setting 'low_too'.*did you mean 'low_to'"):
        card_envs.make_vec("pitch", 1, low_too="taker")


@pytest.mark.parametrize(
    "options",
    [
        {"max_bid": 6, "off_jack": True, "jokers": 1},
        {"max_bid": 10, "points": "ten", "jokers": 2, "off_jack": True},
        {"draw": "all", "draw_to": 7},
        {"draw": "bidder_rest", "follow_rule": "trump_only", "draw_to": 9},
        {"hand_size": 12, "kitty": 4},
        {"hand_size": 13, "jokers": 2, "kitty": 2},
    ],
)
def test_what_just_goes_is_not_refused(options):
    GAME.rules(**options)


# --- any two options together ------------------------------------------------------------------------------------------------

NUMBERS = {
    "num_players": (2, 7), "suits": (1, 2), "ranks": (1, 5), "hand_size": (1, 13), "min_bid": (2, 4, 10), "max_bid": (1, 3, 10),
    "jokers": (0, 1, 2), "kitty": (0, 1, 4), "draw_to": (1, 13), "target": (1, 200), "max_hands": (1, 3),
}  # fmt: skip


def other_values(name: str, preset: str = "seed") -> list:
    """Values of an option beside the preset's."""
    values = NUMBERS.get(name) or choices(GAME.options, name) or (False, True)
    return [value for value in values if value != getattr(GAME.rules(preset), name)]


@pytest.mark.parametrize("preset", ["seed", "partners_10pt"])
@pytest.mark.parametrize("first", list(OPTIONS)[:-1])
def test_any_two_options_are_refused_with_a_reason_or_can_be_played(first, preset):
    """Sixty random actions at eight tables: there is always a legal one."""
    check_pairs(GAME, first, list(OPTIONS), partial(other_values, preset=preset), tables=8, steps=60, preset=preset)
