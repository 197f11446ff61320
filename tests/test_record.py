"""Game records: what is read back is what was written, replays show every position, and broken records say where and why."""

import copy
import json
import random

import pytest

from card_envs import record
from card_envs.games import load
from card_envs.record import Recorder, RecordError, moments, read, replay, rescore, write
from card_envs.table import Table

GAME = load("pitch")
HANDS = ["AS KS 7S TD 4C 2H", "QS 3S AD 9C 8H JH", "JS 5S KD TC 6C AH", "2S 9S QD JC TH 3H"]
CALLS = ["bid 4", "pass", "pass", "pass", "name S"]
TRICKS = ["AS 3S JS 2S", "KS QS 5S 9S", "7S 9C TC 3H", "TD AD KD QD", "JH AH TH 2H", "6C JC 4C 8H"]
CARDS = " ".join(TRICKS).split()
KEYS = (
    "record", "position", "to_act", "legal", "trick", "tricks_won", "deal_scores", "scores", "winners", "terminated",
    "truncated", "trump", "bidder", "bid",
)  # fmt: skip


def one_deal(actions=(*CALLS, *CARDS), hands=HANDS, dealer=3, **changes):
    """The reference deal as a record; `changes` are options, or keys of the record."""
    top = {key: changes.pop(key) for key in list(changes) if key in record.KEYS}
    deal = {"dealer": dealer, "hands": list(hands), "actions": list(actions)}
    return {
        "format": "card-envs/1", "game": "pitch", "num_players": 4, "rules": {"preset": "seed", **changes}, "deals": [deal], **top,
    }  # fmt: skip


def last(found):
    return list(replay(found))[-1]


def refused(found) -> RecordError:
    with pytest.raises(RecordError) as caught:
        list(replay(found, 7))
    return caught.value


def some_action(table, choose):
    """Any legal action, but of bids only the lowest: random cards hardly make the others."""
    names = {table.action_names[action]: action for action in table.legal_actions()}
    bids = [name for name in names if name.startswith("bid")]
    return choose.choice([action for name, action in names.items() if name not in (*bids[1:], "moon")])


def play_at_random(seed, whole=True, **settings):
    """(record, final scores, winners) of a match of random actions, written down while it was played."""
    choose = random.Random(seed)
    rules = GAME.rules(settings.pop("preset", "seed"), **settings)
    table = Table(GAME, rules, episode="match" if whole else "deal")
    table.seed(seed)
    table.reset()
    recorder = Recorder(table, agents=["random"] * rules.num_players)
    while not table.ended:
        action = some_action(table, choose)
        recorder.note(action)
        table.step(action)
    return recorder.record(), table.scores(), table.winners()


# --- what a replay shows -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("low_to", "bid", "scores"),
    [("taker", 4, [4, 0]), ("holder", 4, [-4, 1]), ("holder", 3, [3, 1])],  # TX23, TX24, TX25
)
def test_the_reference_deal(low_to, bid, scores):
    actions = [f"bid {bid}", *CALLS[1:], *CARDS]
    position = last(one_deal(actions, low_to=low_to))
    assert position["scores"] == scores and position["deal_scores"] == [scores]
    assert position["tricks_won"] == [3, 1, 1, 1]
    assert (position["trump"], position["bidder"], position["bid"]) == ("S", 0, bid)


def test_the_reference_deal_each_for_himself():  # TX26
    assert last(one_deal(teams="none"))["scores"] == [4, 0, 0, 0]


def test_a_position_before_every_action_and_one_after_the_last():
    positions = list(replay(one_deal(), 5))
    assert [position["position"] for position in positions] == list(range(len(CALLS) + len(CARDS) + 1))
    assert {position["record"] for position in positions} == {5}
    assert all(tuple(position) == KEYS for position in positions)
    assert json.loads(json.dumps(positions)) == positions


def test_the_first_position():
    first = next(replay(one_deal()))
    assert first == {
        "record": 0, "position": 0, "to_act": 0, "legal": ["bid 1", "bid 2", "bid 3", "bid 4", "pass"], "trick": [],
        "tricks_won": [0, 0, 0, 0], "deal_scores": [], "scores": [0, 0], "winners": [], "terminated": False,
        "truncated": False, "trump": None, "bidder": None, "bid": None,
    }  # fmt: skip


def test_a_trick_is_shown_in_the_order_of_play():
    # Seat 1 takes the fourth trick with AD and leads JH to the fifth; seats 2 and 3 have played to it.
    position = list(replay(one_deal()))[len(CALLS) + CARDS.index("JH") + 3]
    assert position["trick"] == ["JH", "AH", "TH"] and position["to_act"] == 0
    assert position["tricks_won"] == [3, 1, 0, 0]


def test_trump_bidder_and_bid_are_unknown_until_settled():
    positions = list(replay(one_deal()))
    shown = [(position["trump"], position["bidder"], position["bid"]) for position in positions[3:6]]
    assert shown == [(None, None, None), (None, 0, 4), ("S", 0, 4)]  # before the last pass, before naming, after it


def test_a_finished_deal_without_a_next_one():
    position = last(one_deal())
    assert position["to_act"] is None and position["legal"] == [] and position["trick"] == []
    assert not position["terminated"] and position["winners"] == []


def test_a_next_deal_that_is_given_is_open():
    found = one_deal()
    found["deals"].append({"dealer": 0, "hands": HANDS, "actions": []})
    position = last(found)
    assert position["to_act"] == 1 and "pass" in position["legal"] and position["tricks_won"] == [0, 0, 0, 0]
    assert position["deal_scores"] == [[4, 0]] and position["position"] == len(CALLS) + len(CARDS)
    assert (position["trump"], position["bidder"], position["bid"]) == (None, None, None)


def test_a_passed_out_deal_scores_a_row_of_zeros():
    position = last(one_deal(["pass"] * 4))
    assert position["deal_scores"] == [[0, 0]] and position["to_act"] is None
    assert (position["trump"], position["bidder"], position["bid"]) == (None, None, None)


def test_the_match_ends_at_the_target():
    position = last(one_deal(start={"scores": [7, 10]}))
    assert position["scores"] == [11, 10] and position["winners"] == [0] and position["terminated"]


def test_a_match_cut_off_is_truncated():
    position = last(one_deal(max_hands=1))
    assert position["truncated"] and not position["terminated"] and position["winners"] == [0]


def test_other_spellings_are_read():
    calls = ["BID 4", "Pass", "pass", "PASS", "name ♠"]
    spelled = [*calls, *(card.lower().replace("t", "10") for card in CARDS[:-4]), "♣6", "cj", "4c", "8h"]
    hands = [hand.replace("T", "10").lower() for hand in HANDS]
    assert list(replay(one_deal(spelled, hands))) == list(replay(one_deal()))


# --- deals from a seed -------------------------------------------------------------------------------------------------------


def without_hands(found, seed):
    found = copy.deepcopy(found) | {"seed": seed}
    found["deals"] = [{"actions": deal["actions"]} for deal in found["deals"]]
    return found


@pytest.mark.parametrize("preset", GAME.presets)
def test_a_seed_deals_what_the_faces_deal(preset):
    played, *_ = play_at_random(12, preset=preset, target=11)
    assert len(played["deals"]) > 1
    assert list(replay(without_hands(played, 12))) == list(replay(played))


def test_a_seed_beside_a_deal_leaves_the_deal_as_given():
    assert list(replay(one_deal(seed=3))) == list(replay(one_deal()))


def test_hands_given_for_one_deal_do_not_shift_the_next():
    played, *_ = play_at_random(11, target=5)
    seeded = without_hands(played, 11)
    seeded["deals"][0] = played["deals"][0]
    assert list(replay(seeded)) == list(replay(played))


def test_another_table_of_a_seed_is_dealt_other_cards():
    found = without_hands(one_deal(["pass"]), 5)
    opened = [next(moments(found | {"table": table})).table.show() for table in (0, 1)]
    assert opened[0] != opened[1]


# --- what is refused ---------------------------------------------------------------------------------------------------------


def test_an_illegal_card_says_where_what_why_and_what_was_legal():
    error = refused(one_deal([*CALLS, "AS", "AD"]))  # seat 1 holds QS 3S
    assert (error.record, error.deal, error.position, error.legal) == (7, 0, 6, ["3S", "QS"])
    assert str(error) == (
        "record 7, deal 0, position 6: seat 1 may not play AD: seat 1 holds spades and spades were led; legal: 3S, QS"
    )


@pytest.mark.parametrize(
    ("actions", "reason"),
    [
        (["AS"], "the bidding is not over"),
        (["name S"], "the bidding is not over"),
        (["bid 2", "bid 2"], "the standing bid is 2, by seat 0"),
        (["bid 2", "bid 1"], "the standing bid is 2, by seat 0"),
        ([*CALLS[:4], "AS"], "has to name trump first"),
        (CALLS[:4] + ["bid 4"], "has to name trump first"),
        ([*CALLS, "TD"], "the first lead must be a trump, spades"),
        ([*CALLS, "pass"], "the bidding is over"),
        ([*CALLS, "QS"], "seat 0 does not hold it"),
        ([*CALLS, *CARDS[:4], "AS"], "seat 0 has played it already"),
    ],
)
def test_the_reason_is_the_rule_in_words(actions, reason):
    error = refused(one_deal(actions))
    assert reason in str(error) and error.position == len(actions) - 1 and error.legal


def test_a_suit_that_is_not_held_cannot_be_named():  # T-A7
    hands = ["AS KS 7S TD 4C QC", "QS 3S AD 9C 8H JH", "JS 5S KD TC 6C AH", "2S 9S QD JC TH 3H"]
    assert "seat 0 holds no hearts" in str(refused(one_deal([*CALLS[:4], "name H"], hands)))


def test_a_dealer_who_must_bid():  # T-A5
    error = refused(one_deal(["pass"] * 4, preset="setback"))
    assert "the dealer, seat 3, must bid" in str(error) and error.legal == ["bid 2", "bid 3", "bid 4"]


@pytest.mark.parametrize(
    ("seat", "hand", "problem"),
    [
        (1, "QS 3S AD 9C 8H AS", "AS is dealt twice: to seat 0 and to seat 1"),
        (1, "QS QS AD 9C 8H JH", "QS is dealt twice: to seat 1 and to seat 1"),
        (2, "JS 5S KD TC 6C", "seat 2 has 5 cards, not 6 (a card is missing): JS 5S KD TC 6C"),
        (2, "JS 5S KD TC 6C AH KH", "seat 2 has 7 cards, not 6 (a card too many)"),
        (3, "2S 9S QD JC TH LJ", "LJ (seat 3) is not in this deck"),
        (3, "2S 9S QD JC TH 1H", "hand of seat 3: '1H' is not a card"),
        (3, ["2S"], "a hand is a text such as 'AS KS 7S', not ['2S']"),
    ],
)
def test_a_broken_deal_names_the_card(seat, hand, problem):
    hands = [hand if place == seat else given for place, given in enumerate(HANDS)]
    error = refused(one_deal(hands=hands))
    assert problem in str(error) and str(error).startswith("record 7, deal 0, position 0: ")


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"format": "card-envs/2"}, "format 'card-envs/2' is not known"),
        ({"game": "pich"}, "did you mean 'pitch'?"),
        ({"rules": {"preset": "sed"}}, "did you mean 'seed'?"),
        ({"rules": {"low": "taker"}}, "did you mean 'low_to'?"),
        ({"rules": {"target": "11"}}, "target='11': must be int"),
        ({"rules": {"num_players": 3}}, "num_players is 4, and in the rules 3"),
        ({"num_players": 5}, "4 hands for 5 players"),
        ({"num_players": 9}, "num_players=9: must lie in 2..7"),
        ({"deals": []}, "'deals' is empty"),
        ({"deals": "AS"}, "a record needs 'deals'"),
        ({"rules": {"preset": ["seed"]}}, "has no preset"),
        ({"seed": -1}, "'seed' is a number from 0 on"),
        ({"seed": 1, "table": 2**63}, "'table' is a number from 0 on and below 2**63"),
        ({"seed": "1"}, "'seed' must be a whole number"),
        ({"start": {"bags": [0, 0]}}, "unknown key of 'start' 'bags'"),
        ({"start": {"scores": [1]}}, "start: 'scores' must be a list of 2 whole numbers"),
        ({"start": {"scores": [1, "2"]}}, "start: 'scores' must be a list of 2 whole numbers"),
        ({"start": {"scores": [1, 10**12]}}, "up to 1000000"),
        ({"result": {"points": 1}}, "unknown key of 'result' 'points'"),
        ({"result": {"scores": [4, 1]}}, "result: scores are [4, 0], the record says [4, 1]"),
        ({"result": {"winners": [0]}}, "result: winners are [], the record says [0]"),
    ],
)
def test_a_wrong_record_says_what_is_wrong(changes, problem):
    assert problem in str(refused(one_deal() | changes))


def test_an_unknown_key_is_named():
    assert "unknown key 'hands'" in str(refused(one_deal() | {"hands": HANDS}))
    found = one_deal()
    found["deals"][0]["upcard"] = "AS"
    assert "unknown key of a deal 'upcard'" in str(refused(found))


@pytest.mark.parametrize(
    ("missing", "problem"),
    [
        ("hands", "the deal has no 'hands', and the record no 'seed'"),
        ("dealer", "the first deal needs 'dealer', or the record a 'seed'"),
        ("actions", "a deal needs 'actions'"),
    ],
)
def test_a_deal_that_lacks_something(missing, problem):
    found = one_deal()
    del found["deals"][0][missing]
    assert problem in str(refused(found))


@pytest.mark.parametrize("dealer", [4, -1, True, "0"])
def test_a_dealer_who_is_no_seat(dealer):
    assert "is no seat: seats are 0..3" in str(refused(one_deal(dealer=dealer)))


def test_the_deal_passes_to_the_left():  # T6
    found = one_deal()
    found["deals"].append({"dealer": 1, "hands": HANDS, "actions": []})
    assert "deal 1, position 29: dealer is 1, but by the rules seat 0 deals now" in str(refused(found))


def test_an_action_after_the_end_of_a_deal():
    error = refused(one_deal([*CALLS, *CARDS, "pass"]))
    assert "the deal is over after 29 actions, but 'pass' follows in it" in str(error) and error.position == 29


def test_a_deal_after_an_unfinished_one():
    found = one_deal([*CALLS, "AS"])
    found["deals"].append({"dealer": 0, "hands": HANDS, "actions": []})
    assert "the deal stops with seat 1 to act, but deal 1 follows; legal: 3S, QS" in str(refused(found))


def test_a_deal_after_the_end_of_the_match():
    found = one_deal(target=4)
    found["deals"].append({"dealer": 0, "hands": HANDS, "actions": []})
    assert "the match is over (scores 4 : 0), but deal 1 follows" in str(refused(found))


def test_an_action_that_is_none():
    error = refused(one_deal(["bit 4"]))
    assert "'bit 4' is no action (did you mean 'bid 4'?)" in str(error) and "position 0" in str(error)
    assert "an action is a text, not 4" in str(refused(one_deal([4])))


# --- files -------------------------------------------------------------------------------------------------------------------


def test_files_hold_one_record_or_several(tmp_path):
    first, second = one_deal(), one_deal(low_to="holder")
    write(tmp_path / "one.json", first)
    write(tmp_path / "two.json", [first, second])
    write(tmp_path / "two.jsonl", [first, second])
    assert read(tmp_path / "one.json") == [first]
    assert read(tmp_path / "two.json") == read(tmp_path / "two.jsonl") == [first, second]
    assert len((tmp_path / "two.jsonl").read_text().splitlines()) == 2


def test_a_file_that_is_not_json_names_the_line(tmp_path):
    path = tmp_path / "broken.jsonl"
    path.write_text(json.dumps(one_deal()) + "\n\n{oh no}\n")
    with pytest.raises(RecordError, match=r"broken\.jsonl, line 3, column 2: not JSON"):
        read(path)
    path.write_text("\n")
    with pytest.raises(RecordError, match="holds no record"):
        read(path)
    path.write_text("[1]\n")
    assert "a record is a JSON object, not list" in str(refused(read(path)[0]))


# --- writing down ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", GAME.presets)
def test_what_was_played_is_replayed(preset, tmp_path):
    played, scores, winners = play_at_random(4, preset=preset, target=4)
    write(tmp_path / "match.jsonl", played)
    (found,) = read(tmp_path / "match.jsonl")
    assert found == played and rescore(found) == played["result"] == {"scores": scores, "winners": winners}
    assert last(found)["terminated"]


def test_a_record_may_stop_anywhere():
    played, *_ = play_at_random(4, whole=False)
    played["deals"][0]["actions"] = played["deals"][0]["actions"][:-1]
    del played["result"]
    assert last(played)["to_act"] is not None


def test_a_recorder_started_later_notes_the_scores():
    table = Table(GAME, GAME.rules())
    table.seed(1)
    table.reset()
    table.record.score[:2] = 5, -3
    recorder = Recorder(table)
    recorder.note(table.legal_actions()[0])
    table.step(table.legal_actions()[0])
    assert recorder.record()["start"] == {"scores": [5, -3]}
    assert last(recorder.record())["scores"] == [5, -3]


def test_a_recorder_does_not_start_within_a_deal():
    table = Table(GAME, GAME.rules())
    table.seed(1)
    table.reset()
    table.step(table.legal_actions()[0])
    with pytest.raises(ValueError, match="where a deal has just been opened"):
        Recorder(table).note(table.legal_actions()[0])


def test_rules_are_written_as_preset_and_changes():
    rules = GAME.rules("bicycle", num_players=3, target=9)
    assert record.rules_text(GAME, rules, "bicycle") == {"preset": "bicycle", "target": 9}
    changes = record.rules_text(GAME, rules)
    assert GAME.rules(changes.pop("preset"), num_players=3, **changes) == rules
