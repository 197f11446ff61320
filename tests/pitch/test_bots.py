"""The rule bots: always legal, never worse than the one below, and deals in which a good player would complain of a mistake."""

import numpy as np
import pytest

from card_envs import agents, arena
from card_envs.agents import Views
from card_envs.agents.bots import RuleBot
from card_envs.cards import CARD_NAMES, parse_cards
from card_envs.envs.vector import VecEnv
from card_envs.table import Table
from tests.pitch.play import GAME, play, table

BOTS = ("basic", "expert")

VARIANTS = [
    *({"preset": "seed", "num_players": players} for players in range(2, 8)),
    {"preset": "seed", "num_players": 6, "teams": "pairs"},
    {"preset": "seed", "num_players": 4, "teams": "none"},
    {"preset": "setback"},
    {"preset": "setback", "num_players": 6},
    *({"preset": "bicycle", "num_players": players} for players in range(2, 8)),
    *({"preset": "smudge", "num_players": players} for players in (3, 4, 5)),
    *({"preset": "seed", "dealer_steal": steal} for steal in ("any", "four_only", "below_four")),
    *({"preset": "seed", "all_pass": passed} for passed in ("redeal_same", "dealer_forced", "eldest_pitches")),
    *({"preset": "seed", "follow_rule": rule} for rule in ("strict", "trump_only")),
    *({"preset": "seed", "follow_rule": rule, "trump_method": "pitch"} for rule in ("strict", "trump_only")),
    {"preset": "seed", "follow_rule": "trump_only", "num_players": 3, "all_pass": "eldest_pitches", "trump_method": "pitch"},
    {"preset": "seed", "moon": "bid"},
    {"preset": "seed", "moon": "bid", "moon_made": "game", "moon_failed": "lose_game", "dealer_steal": "any", "num_players": 3},
    {"preset": "seed", "min_bid": 4},
    {"preset": "seed", "min_bid": 3, "max_bid": 3, "all_pass": "dealer_forced"},
    {"preset": "seed", "must_bid_to_win": True, "game_tie": "dealer_side", "made_scores": "bid"},
    {"preset": "seed", "num_players": 2, "suits": 2, "ranks": 5, "hand_size": 3},
    {"preset": "seed", "num_players": 2, "suits": 1, "ranks": 4, "hand_size": 2},
    {"preset": "seed", "num_players": 2, "suits": 1, "ranks": 2, "hand_size": 1, "follow_rule": "trump_only"},
    {"preset": "seed", "num_players": 4, "hand_size": 13},
    {"preset": "setback6"},
    {"preset": "setback6", "jokers": 2, "max_bid": 7, "joker_rank": "lowest", "num_players": 6, "teams": "none"},
    {"preset": "setback6", "trump_method": "name", "kitty": 4, "follow_rule": "follow_or_trump", "low_to": "holder"},
    {"preset": "partners_10pt"},
    {"preset": "partners_10pt", "draw": "none", "hand_size": 13, "joker_opens": False, "low_to": "taker"},
    {"preset": "partners_10pt", "num_players": 3, "teams": "none", "draw_to": 3, "joker_rank": "lowest"},
    *({"preset": "seed", "draw": "all", "draw_to": draw_to, "follow_rule": rule} for draw_to, rule in
      ((6, "strict"), (3, "follow_or_trump"), (5, "trump_only"))),
    {"preset": "seed", "draw": "bidder_rest", "follow_rule": "trump_only", "all_pass": "eldest_pitches", "num_players": 3},
    {"preset": "seed", "draw": "all", "points": "ten", "jokers": 2, "max_bid": 9, "draw_to": 2},
    {"preset": "seed", "points": "ten", "follow_rule": "strict", "max_bid": 7},
    *({"preset": "seed", "kitty": 3, "num_players": players, "off_jack": True} for players in (2, 4, 7)),
    {"preset": "seed", "jokers": 2, "trump_method": "pitch", "num_players": 2, "suits": 1, "ranks": 4, "hand_size": 2},
    {"preset": "seed", "jokers": 2, "num_players": 2, "suits": 2, "ranks": 2, "hand_size": 2, "kitty": 1},
    {"preset": "seed", "jokers": 2, "num_players": 3, "suits": 1, "ranks": 5, "hand_size": 2, "joker_rank": "lowest",
     "moon": "bid"},
    {"preset": "seed", "jokers": 1, "points": "ten", "num_players": 2, "suits": 3, "ranks": 5, "hand_size": 3,
     "draw": "bidder_rest", "draw_to": 2, "follow_rule": "trump_only", "off_jack": True},
]  # fmt: skip


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: " ".join(map(str, variant.values())))
def test_bots_are_legal_under_every_option(variant):
    """Whole matches: the engine would raise on an illegal action."""
    rules = GAME.rules(**variant)
    bots = [RuleBot(GAME, rules, name) for name in BOTS]
    vec = VecEnv(GAME, rules, 40, seed=11, observation="bits")
    view = vec.reset()
    for _ in range(80):
        views = Views(view.observation, view.legal)
        is_basic = (view.seat + np.arange(40)) % 2 == 0  # the two mixed, so that each meets positions of the other's making
        view = vec.step(np.where(is_basic, bots[0].act_batch(views), bots[1].act_batch(views)))


@pytest.mark.parametrize(
    "variant",
    [{"preset": "seed", "num_players": players} for players in (2, 3, 4)]
    + [{"preset": "setback"}, {"preset": "bicycle", "num_players": 4}, {"preset": "smudge", "num_players": 4}]
    + [{"preset": "setback6"}, {"preset": "partners_10pt"}],
    ids=lambda variant: " ".join(map(str, variant.values())),
)
def test_basic_beats_random_and_expert_beats_basic(variant):
    rules = GAME.rules(**variant)
    random, basic, expert = (agents.load(name, GAME, rules, seed=1) for name in ("random", *BOTS))
    assert arena.duplicate(GAME, rules, basic, random, deals=500, seed=1).winner == "a"
    assert arena.duplicate(GAME, rules, expert, basic, deals=1500, seed=2).winner == "a"


# --- deals with acceptable answers -------------------------------------------------------------------------------------------


def answer(at: Table, name: str = "expert") -> str:
    """What the bot would do for the seat to act."""
    view = Views(at.words(at.turn), np.array(at.record.legal))
    return at.action_names[RuleBot(GAME, at.rules, name).act(view)]


def speaking_first(own: str, **options) -> Table:
    """Seat 0 holds `own` and speaks first; the others hold the next cards of the deck from the two of clubs up."""
    size = len(own.split())
    left = [card for card in CARD_NAMES[:52] if card not in own.split()]
    others = [" ".join(left[place * size : (place + 1) * size]) for place in range(3)]
    return table([own, *others], 3, **options)


@pytest.mark.parametrize("own", ["9H 8H 6D 5C 7S 3D", "8C 7C 6D 4D 9S 3H"])
def test_a_poor_hand_passes(own):
    assert answer(speaking_first(own)) == "pass"


@pytest.mark.parametrize("own", ["AS KS JS 2S AD TD", "AH KH QH JH 3H TC"])
def test_a_hand_with_all_four_points_in_sight_bids_high(own):
    assert answer(speaking_first(own)) in ("bid 3", "bid 4")


def test_four_is_never_bid_without_the_jack_and_a_top_trump():
    """All four points need the jack in play and in hand, and something to bring it home."""
    rules = GAME.rules("seed")
    vec = VecEnv(GAME, rules, 20_000, episode="deal", seed=21, observation="bits")
    view = vec.reset()
    actions = RuleBot(GAME, rules, "expert").act_batch(Views(view.observation, view.legal))
    bold = np.flatnonzero(actions == GAME.parse_action("bid 4", rules))
    assert 0 < len(bold) < 2000
    for row in bold:
        hand = vec.layout.decode(view.observation[row])["own_hand"]
        assert any({f"J{suit}", top + suit} <= set(hand) for suit in "CDHS" for top in "AKQ"), hand


def test_a_forced_dealer_bids_the_least():
    at = play(speaking_first("9H 8H 6D 5C 7S 3D", preset="setback"), "pass", "pass", "pass")
    assert answer(at) == "bid 2"
    assert answer(at, "basic") == "bid 2"


def test_the_dealer_takes_the_contract_at_the_standing_bid_where_that_is_his_right():
    hands = ["2C 3D 4H 5C 6D 7H", "3C 4D 5H 6C 7D 8H", "4C 5D 6H 7C 8D 9H", "AS KS JS 2S AD TD"]
    at = play(table(hands, 3, preset="setback"), "bid 2", "pass", "pass")
    assert answer(at) == "bid 2"


def test_the_last_to_speak_bids_no_more_than_is_needed():
    hands = ["2C 3D 4H 5C 6D 7H", "3C 4D 5H 6C 7D 8H", "4C 5D 6H 7C 8D 9H", "AS KS JS 2S AD TD"]
    assert answer(play(table(hands, 3), "pass", "pass", "pass")) == "bid 1"


def test_a_partner_is_not_outbid_on_a_middling_hand():
    hands = ["AS KS 7S TD 4C 2H", "3C 4D 5H 6C 7D 8H", "AH 9H 5C 7C 8S 3D", "2C 3H 4S 5S 6D 9C"]
    assert answer(play(table(hands, 3), "bid 2", "pass")) == "pass"


@pytest.mark.parametrize("name", BOTS)
def test_trump_is_the_suit_with_the_points(name):
    at = play(speaking_first("AS KS JS 4H 3H 2H"), "bid 2", "pass", "pass", "pass")
    assert answer(at, name) == "name S"


@pytest.mark.parametrize("name", BOTS)
def test_the_bidder_leads_the_ace_of_trump(name):
    at = play(speaking_first("AS QS 7S TD 4C 2H"), "bid 2", "pass", "pass", "pass", "name S")
    assert answer(at, name) == "AS"


@pytest.mark.parametrize("preset", ["setback", "bicycle", "smudge"])
def test_the_pitch_is_the_top_card_of_the_best_suit(preset):
    at = play(speaking_first("AS QS 7S TD 4C 2H", preset=preset), "bid 2", "pass", "pass", "pass")
    assert answer(at) == "AS"


def play_on(hands: list[str], *actions: str, **options) -> Table:
    """Seat 3 deals; seat 0 bids 2 and names spades."""
    return play(table(hands, 3, **options), "bid 2", "pass", "pass", "pass", "name S", *actions)


def test_the_ten_goes_on_the_partners_sure_winner():
    hands = ["AS KS AC 4D 5H 6H", "3S 7C 8C 9D TH QH", "QS TC 4C 6D 7D 8D", "2S 5S 3C 9C JD KD"]
    assert answer(play_on(hands, "AS 3S QS 2S", "AC 7C")) == "TC"


def test_the_partners_winner_is_not_trumped():
    # Seat 2 has no diamond, and her partner's ace of diamonds is the best.
    hands = ["AS KS AD 4D 5H 6H", "3S 7D 8C 9D TH QH", "7S 6S 4C 6C 7H 9C", "2S 5S 3D 8D JD KC"]
    at = play_on(hands, "AS 3S 6S 2S", "AD 7D")
    assert answer(at) != "7S"


def test_a_ten_is_not_given_to_the_other_side():
    hands = ["AS KS AC 4D 5H 6H", "3S TC 4C 9D TH QH", "QS 7C 8C 6D 7D 8D", "2S 5S 3C 9C JD KD"]
    at = play_on(hands, "AS 3S QS 2S", "AC")
    assert answer(at) == "4C"


def test_the_jack_stays_back_under_the_ace():
    hands = ["AS KS AC 4D 5H 6H", "JS 4S 4C 9D TH QH", "QS 7C 8C 6D 7D 8D", "2S 5S 3C 9C JD KD"]
    assert answer(play_on(hands, "AS")) == "4S"


def test_the_jack_goes_on_the_partners_ace():
    hands = ["AS KS AC 4D 5H 6H", "3S TC 4C 9D TH QH", "JS 7S 8C 6D 7D 8D", "2S 5S 3C 9C JD KD"]
    assert answer(play_on(hands, "AS 3S")) == "JS"


def test_a_jack_that_falls_is_taken():
    hands = ["QS 9S AC 4D 5H 6H", "3S TC 4C 9D TH QH", "JS 7C 8C 6D 7D 8D", "KS 5S 3C 9C JD KD"]
    assert answer(play_on(hands, "QS 3S JS")) == "KS"


def test_a_ten_on_the_table_is_taken_with_the_cheapest_winner():
    hands = ["AS KS TC 4D 5H 6H", "3S 5C 4C 9D TH QH", "7S 7C 8C 6D 7D 8D", "2S JC AC 9C JD KD"]
    at = play_on(hands, "AS 3S 7S 2S", "TC 5C 8C")
    assert answer(at) in ("JC", "AC")


def test_basic_wins_as_cheaply_as_it_can_and_else_throws_its_lowest():
    hands = ["AS KS TC 4D 5H 6H", "3S 5C 4C 9D TH QH", "7S 7C 8C 6D 7D 8D", "2S JC AC 9C JD KD"]
    at = play_on(hands, "AS 3S 7S 2S", "TC 5C 8C")
    assert answer(at, "basic") == "JC"
    assert answer(play_on(hands, "AS 3S 7S 2S", "4D"), "basic") == "9D"
    assert answer(play_on(hands, "AS 3S 7S 2S", "TC"), "basic") == "4C"


# --- more trumps, ten points, cards that change ------------------------------------------------------------------------------

TEN_POINT_HANDS = [
    "AS KS QS JS JC HJ LJ TS 3S",
    "2C 3C 4C 5C 6C 7C 8C 9C TC",
    "2D 3D 4D 5D 6D 7D 8D 9D TD",
    "2H 3H 4H 5H 6H 7H 8H 9H TH",
]


def speaking_after(passes: int, hands: list[str], **options) -> Table:
    """Seat 0 speaks after that many passes; the stock is the rest of the deck from the two of clubs up."""
    dealer = (3 - passes) % 4
    rules = GAME.rules(**options)
    opened = Table(GAME, rules, episode="open")
    opened.reset()
    left = [
        card for card in CARD_NAMES if card not in " ".join(hands).split() and rules.deck_cards >> CARD_NAMES.index(card) & 1
    ]
    stock = {"stock": parse_cards(" ".join(left[: rules.stock_size]))} if rules.stock_size else {}
    opened.open_deal([parse_cards(hand) for hand in hands], dealer, **stock)
    return play(opened, *["pass"] * passes)


def test_a_hand_with_nine_of_the_ten_points_is_bid_to_the_top():
    at = speaking_after(0, TEN_POINT_HANDS, preset="partners_10pt")
    assert answer(at) in ("bid 9", "bid 10", "moon")
    assert answer(at, "basic") in ("bid 4", "bid 5")  # she bids no more than is needed


@pytest.mark.parametrize("name", BOTS)
def test_a_forced_dealer_bids_the_least_of_ten(name):
    hands = [
        "4C 5C 6D 7D 8H 9H 4S 5S 6S",
        "2C 3C 7C 8C 9C TC JC QC KC",
        "2D 3D 4D 5D 8D 9D TD JD QD",
        "2H 3H 4H 5H 6H 7H TH JH QH",
    ]
    assert answer(speaking_after(3, hands, preset="partners_10pt"), name) == "bid 4"


SIX_POINT_HANDS = ["AS KS 3S 4D 5H 6H", "7S 7D 8C 9D TH QH", "JC 8S 8D 4C 7H 9C", "LJ 2S 3C 8H JD KD"]


def pitched(*cards: str) -> Table:
    """Seat 3 deals; seat 0 bids 2 and pitches spades."""
    at = speaking_after(0, SIX_POINT_HANDS, preset="setback6")
    return play(at, "bid 2", "pass", "pass", "pass", *cards)


@pytest.mark.parametrize("name", BOTS)
def test_the_joker_stays_back_under_the_ace(name):
    assert answer(pitched("AS 7S 8S"), name) == "2S"


@pytest.mark.parametrize("name", BOTS)
def test_a_joker_takes_what_it_beats_and_is_not_given_to_an_off_jack(name):
    assert answer(pitched("3S 7S 8S"), name) == "LJ"
    assert answer(pitched("3S 7S JC"), name) == "2S"


@pytest.mark.parametrize("name", BOTS)
def test_named_trumps_count_for_the_choice_of_trump(name):
    """Spades and hearts are alike but for the jack of clubs."""
    options = {"preset": "seed", "off_jack": True, "jokers": 1, "max_bid": 6, "hand_size": 10}
    own = "KS 8S 7S 5S JC LJ KH 8H 7H 5H"
    left = [card for card in CARD_NAMES if card not in own.split()]
    others = [" ".join(left[place * 10 : place * 10 + 10]) for place in range(3)]
    at = play(speaking_after(0, [own, *others], **options), "bid 2", "pass", "pass", "pass")
    assert answer(at, name) == "name S"


@pytest.mark.parametrize("name", BOTS)
def test_an_ace_is_not_buried_where_game_counts(name):
    hands = ["AS KS 7S TD AC 2H", "QS 3S AD 9C 8H JH", "JS 5S KD TC 6C AH", "2S 9S QD JC TH 3H"]
    at = play(speaking_after(0, hands, preset="seed", kitty=3), "bid 2", "pass", "pass", "pass", "name S")
    while at.legal_names()[0].startswith("discard"):
        chosen = answer(at, name)
        assert chosen != "discard AC" and (name == "expert" or chosen != "discard TD")
        at.step(GAME.parse_action(chosen, at.rules))


@pytest.mark.parametrize("name", BOTS)
def test_the_bidder_of_ten_puts_aside_his_lowest_idle_trump(name):
    """He has seven trumps and the draw leaves six: the four is no point."""
    hands = ["AS KS QS JS 4S 5S 3S 2H 3H", *TEN_POINT_HANDS[1:3], "JH QH KH AH 4H 5H 6H 7H 8H"]
    at = play(speaking_after(0, hands, preset="partners_10pt"), "bid 4", "pass", "pass", "pass", "name S")
    assert at.turn == 0
    assert answer(at, name) == "discard 4S"
