"""Records of Pit: the upcard in a deal, states to start from, and what a replay line shows."""

import copy
import random

import pytest

import card_envs
from card_envs.game import OptionError
from card_envs.record import Recorder, RecordError, replay, rescore
from card_envs.table import DealError, Table
from tests.pit.play import GAME, HANDS, UPCARD, order_of, round_of, tricks_for

KEYS = ("burdens", "points", "bank", "contractor", "alone", "forced", "upcard")


def one_deal(*actions: str, hands=HANDS, start=None, **deal) -> dict:
    """A record of one deal, seat 3 deals; `deal`: changes of it, None leaves a key out."""
    dealt = {"dealer": 3, "hands": hands, "upcard": UPCARD, "actions": list(actions)} | deal
    found = {"format": "card-envs/1", "game": "pit", "num_players": 4, "rules": {"preset": "seed"}}
    found["deals"] = [{key: value for key, value in dealt.items() if value is not None}]
    return found | ({"start": start} if start else {})


def refused(found) -> str:
    with pytest.raises(RecordError) as caught:
        list(replay(found))
    return str(caught.value)


def at_random(seed: int, preset: str = "seed", start=None, **options):
    """(record, table) of a match of random actions."""
    choose = random.Random(seed)
    table = Table(GAME, GAME.rules(preset, **options))
    table.seed(seed)
    table.reset(start)
    recorder = Recorder(table, preset)
    while not table.ended:
        action = choose.choice(table.legal_actions())
        recorder.note(action)
        table.step(action)
    return recorder.record(), table


def test_a_replay_line_shows_the_public_state():
    first, *_, last = replay(one_deal("bid 3 alone", "pass", "pass", "pass"))
    assert {key: first[key] for key in KEYS} == {
        "burdens": [7, 7, 7, 7], "points": [0, 0, 0, 0], "bank": 24, "contractor": None, "alone": None, "forced": False, "upcard": "2S",
    }  # fmt: skip
    assert (last["contractor"], last["alone"], last["scores"]) == (0, True, [7, 7, 7, 7])


def test_deal_scores_are_the_changes_of_the_burdens():
    """Seat 0 bids 3 and takes 4 tricks: 7 - 4. The void round before it changed nothing."""
    tricks = tricks_for(order_of([4, 1, 1, 1]), 4)
    played = round_of([4, 1, 1, 1], "bid 3, pass, pass, pass")
    actions = [played.action_names[action] for _, action in played.history()]
    found = one_deal(*["pass"] * 4)
    hands = [" ".join(cards[seat] for cards in tricks) for seat in range(4)]
    found["deals"].append(one_deal(*actions, hands=hands)["deals"][0])
    last = list(replay(found))[-1]
    assert last["deal_scores"] == [[0, 0, 0, 0], [-4, 0, 0, 0]] and last["scores"] == last["burdens"] == [3, 7, 7, 7]
    assert (last["tricks_won"], last["points"]) == ([4, 1, 1, 1], [0, 1, 1, 1])


@pytest.mark.parametrize(
    ("upcard", "problem"),
    [
        (None, "a deal with 'hands' needs 'upcard'"),
        ("AC", "AC is dealt twice: to seat 0 and to upcard"),
        ("XX", "'upcard': 'XX' is not a card"),
        ("HJ", "HJ (upcard) is not in this deck"),
    ],
)
def test_a_deal_names_a_card_that_nobody_holds(upcard, problem):
    assert problem in refused(one_deal(upcard=upcard))


def test_after_a_void_round_the_same_seat_deals_and_the_opening_is_forced():
    found = one_deal(*["pass"] * 4)
    found["deals"].append(one_deal("bid 3")["deals"][0])
    positions = list(replay(found))
    assert positions[4]["forced"] and positions[4]["legal"] == ["bid 3", "bid 3 alone"] and not positions[5]["forced"]
    found["deals"][1]["dealer"] = 0
    assert "dealer is 0, but by the rules seat 3 deals now" in refused(found)
    found["deals"][1] |= {"dealer": 3, "actions": ["pass"]}
    assert "all passed in the round before, and seat 0 must open" in refused(found)


@pytest.mark.parametrize(
    ("actions", "reason"),
    [
        (["AC"], "the bidding is not over"),
        (["bid 4"], "the next bid is 3, and bids go up by one"),
        (["bid 2"], "bids are 3 to 5"),
        (["bid 3", "bid 3"], "the standing bid is 3, by seat 0"),
        (["bid 3 alone", "bid 4", "pass", "pass", "bid 5"], "seat 0 has gone alone"),
        (["bid 3", "pass", "pass", "pass", "pass"], "the bidding is over"),
        (["bid 3", "pass", "pass", "pass", "2S"], "seat 0 does not hold it"),
        (["bid 3", "pass", "pass", "pass", "AC", "AD"], "seat 1 holds clubs and clubs were led"),
    ],
)
def test_the_reason_is_the_rule_in_words(actions, reason):
    assert reason in refused(one_deal(*actions))


def test_going_alone_where_nobody_may():
    assert "'bid 3 alone' is no action" in refused(one_deal("bid 3 alone") | {"rules": {"preset": "seed", "alone": False}})


def test_a_start_is_read():
    start = {"burdens": [3, 9, 7, 7], "points": [1, 0, 2, 0], "bank": 4, "forced": True}
    first = next(replay(one_deal(start=start)))
    assert {key: first[key] for key in start} == start and first["legal"] == ["bid 3", "bid 3 alone"]
    assert "'burdens' must be a list of 4 whole numbers from 1" in refused(one_deal(start={"burdens": [0, 1, 1, 1]}))
    assert "unknown key of 'start' 'scores'" in refused(one_deal(start={"scores": [1, 1, 1, 1]}))


@pytest.mark.parametrize("preset", GAME.presets)
@pytest.mark.parametrize("num_players", [3, 5])
def test_what_was_played_is_replayed_with_its_cards_or_from_its_seed(preset, num_players):
    played, table = at_random(4, preset, num_players=num_players, max_rounds=8)
    assert rescore(played) == played["result"] == {"scores": table.scores(), "winners": table.winners()}
    assert all("upcard" in deal for deal in played["deals"]) and "start" not in played
    seeded = copy.deepcopy(played) | {"seed": 4}
    seeded["deals"] = [{"actions": deal["actions"]} for deal in seeded["deals"]]
    assert list(replay(seeded)) == list(replay(played))
    seeded["deals"][1] = played["deals"][1]  # a deal that is given does not shift the next
    assert list(replay(seeded)) == list(replay(played))


def test_a_deal_from_a_seed_leaves_out_the_upcard_as_well():
    found = one_deal("pass", hands=None) | {"seed": 1}
    assert "the deal has 'upcard' but no 'hands'" in refused(found)


@pytest.mark.parametrize("preset", ["seed", "grow"])
def test_a_recorder_started_later_notes_where_it_began(preset):
    """With growing hands the first deal already has the size of the burdens."""
    start = {"burdens": [9, 4, 8, 12], "points": [1, 2, 3, 4], "bank": 11, "forced": True}
    played, table = at_random(2, preset, start, max_rounds=3)
    assert played["start"] == (start | {"bank": 15} if preset == "grow" else start)
    assert len(played["deals"][0]["hands"][3].split()) == (12 if preset == "grow" else 7)
    assert rescore(played) == {"scores": table.scores(), "winners": table.winners()}


# --- the same in the PettingZoo face -----------------------------------------------------------------------------------------


def test_a_reset_takes_a_deal_and_a_start():
    env = card_envs.make("pit").unwrapped
    env.reset(seed=1, options={"deal": {"dealer": 3, "hands": HANDS, "upcard": UPCARD}, "start": {"bank": 2}})
    assert env.table.record.bank == 2 and env.table.record.trump == 3 and env.agent_selection == "player_0"
    before = env.table.state()
    with pytest.raises(OptionError, match="a deal has 'dealer', 'hands', 'upcard', not dealer, hands"):
        env.reset(options={"deal": {"dealer": 3, "hands": HANDS}})
    with pytest.raises(DealError, match="AC is dealt twice"):
        env.reset(options={"deal": {"dealer": 3, "hands": HANDS, "upcard": "AC"}})
    with pytest.raises(OptionError, match="'bank' must be whole numbers from 0"):
        env.reset(options={"start": {"bank": -3}})
    assert env.table.state() == before


def test_a_reset_deals_growing_hands_by_the_burdens_of_its_start():
    env = card_envs.make("pit", preset="grow", num_players=3).unwrapped
    env.reset(seed=1, options={"start": {"burdens": [20, 7, 9]}})
    assert [int(hand).bit_count() for hand in env.table.record.hand[:3]] == [20, 7, 9] and env.table.record.bank == 51 - 36
