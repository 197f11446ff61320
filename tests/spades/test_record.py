"""Spades in game records, in the terminal and in PettingZoo: starts, bags, reasons, and what others are not told."""

import pytest

import card_envs
from card_envs.game import OptionError
from card_envs.record import Recorder, RecordError, replay, rescore
from card_envs.table import StartError, Table
from card_envs.terminal import Match
from tests.spades.play import GAME, MIXED, SUITS, bid, dealt, last_trick, play, table


def record(actions, hands=MIXED, dealer=3, start=None, preset="seed", **options):
    made = {"hand_size": len(hands[0].split()), **options}
    return {
        "format": "card-envs/1", "game": "spades", "num_players": len(hands), "rules": {"preset": preset, **made},
        "deals": [{"dealer": dealer, "hands": list(hands), "actions": list(actions)}], **({"start": start} if start else {}),
    }  # fmt: skip


CALLS = ["look", "bid 2", "look", "nil", "look", "nil", "look", "bid 3"]
CARDS = ["2C", "3C", "4C", "9C", "KD", "5D", "9D", "TD", "2S", "AS", "QS", "JS", "KH", "8H", "7H", "6H"]


def test_a_whole_deal():
    """Seats 0 and 3 win two tricks each: 2 and two nils made, and 3 bid with 2 won: 2 - 1."""
    positions = list(replay(record([*CALLS, *CARDS], start={"scores": [7, -3], "bags": [1, 10]})))
    assert positions[0]["scores"] == [7, -3] and positions[0]["bags"] == [1, 10]
    assert positions[0]["legal"] == ["blind nil", "look"]
    last = positions[-1]
    assert last["deal_scores"] == [[102, 100 + 2 - 10]] and last["bags"] == [1, 11] and last["scores"] == [109, 89]
    assert list(last)[-1] == "bags", "the game's own public field"


@pytest.mark.parametrize(
    ("actions", "options", "reason"),
    [
        ([*CALLS[:1], "look"], {}, "seat 0 sees its hand already"),
        ([*CALLS[:1], "blind nil"], {}, "seat 0 sees its hand, or may not bid blind now"),
        (["bid 3"], {}, "seat 0 first chooses to look at its hand or to bid blind"),
        ([*CALLS[:1], "bid 5"], {}, "the highest bid is 4"),
        ([*CALLS[:1], "AS"], {}, "the bidding is not over and seat 0 has to bid"),
        (["bid 3", "bid 1", "bid 2"], {"blind_nil": 0, "team_bid_cap": 4}, "partners bid at most 4"),
        (["bid 1", "bid 1", "bid 2"], {"blind_nil": 0, "team_bid_min": 4}, "partners bid at least 4, and the partner has bid"),
        (["nil", "bid 1", "nil"], {"blind_nil": 0, "double_nil": False}, "the partner has bid nil, and both may not"),
        (["bid 1"] * 3 + ["bid 2"], {"blind_nil": 0, "forbidden_total": 5}, "the last bid may not bring the sum of all to 5"),
        (["nil"], {"blind_nil": 0, "nil": 0}, "there is no nil in these rules"),
        (["bid 2"], {"blind_nil": 0, "bid_restriction": "mirror"}, "the rules are mirror"),
        ([*CALLS, "bid 1"], {}, "the bidding is over and seat 0 has to play a card"),
        ([*CALLS, "2C", "8H"], {}, "seat 1 holds clubs and clubs were led"),
        ([*CALLS, "KC"], {}, "seat 0 does not hold it"),
        ([*CALLS, "AS"], {"break_rule": "standard"}, "spades have not been broken while seat 0 holds other cards"),
        ([*CALLS, "AS"], {"break_rule": "never"}, "spades are not led while seat 0 holds other cards"),
        ([*CALLS, "AS"], {"first_lead": "2c_card"}, "in the first trick seat 0 plays its lowest club"),
        ([*CALLS, "2C"], {"trump": "high_bidder"}, "seat 3 has the highest bid and has to name trump first"),
        (["look", "nil", "look", "nil", "look", "bid 1", *CALLS[6:], "2C"], {"nil_pass": 1}, "seat 0 has to give 1 more"),
    ],
)  # fmt: skip
def test_the_reason_is_the_rule_in_words(actions, options, reason):
    with pytest.raises(RecordError, match="position") as caught:
        list(replay(record(actions, **options)))
    assert reason in str(caught.value) and caught.value.position == len(actions) - 1


def test_what_was_given_cannot_be_given_again():
    with pytest.raises(RecordError, match="seat 0 has given it already"):
        list(
            replay(
                record(["blind nil", "look", "bid 1", "look", "bid 1", "look", "bid 1", "give AS", "give AS"], blind_nil_pass=2)
            )
        )


def test_void_hands_without_clubs_may_not_trump_the_first_trick():
    hands = ["2C 3H", "AS KD", "KS QS", "3C 4C"]
    actions = ["look", "bid 1"] * 4 + ["2C", "AS"]
    with pytest.raises(RecordError, match="no spades in the first trick while seat 1 holds other cards"):
        list(replay(record(actions, hands, first_lead="2c_card")))


def test_a_recorder_notes_scores_and_bags_to_start_from():
    at = table(SUITS, scores=[5, -3], bags=[2, 0])
    recorder = Recorder(at)
    for text in ("look", "bid 4"):
        recorder.note(GAME.parse_action(text, at.rules))
        play(at, text)
    found = recorder.record()
    assert found["start"] == {"scores": [5, -3], "bags": [2, 0]}
    assert rescore(found)["scores"] == [5, -3]


def test_hands_are_written_as_dealt_though_cards_were_exchanged():
    at = table(SUITS, blind_nil_pass=2)
    recorder = Recorder(at)
    for action in (
        "blind nil",
        "look",
        "bid 1",
        "look",
        "bid 1",
        "look",
        "bid 1",
        "give AC",
        "give KC",
        "give AH",
        "give KH",
        "2C",
    ):
        recorder.note(GAME.parse_action(action, at.rules))
        play(at, action)
    assert recorder.record()["deals"][0]["hands"] == SUITS
    assert list(replay(recorder.record()))[-1]["trick"] == ["2C"]


def test_the_terminal_does_not_tell_which_card_another_seat_gave():
    """Seat 0 bids blind nil and exchanges with seat 2; seat 1 looks on, then seat 2."""
    rules = GAME.rules("standard", blind_nil_deficit=0)

    def blind_first(match):
        actions = match.table.legal_actions()
        looking = match.table.action_names[actions[0]] == "look"
        return actions[int(match.table.turn == 0)] if looking else actions[-1]

    def told(viewer):
        said = []
        Match(GAME, rules, 5, [blind_first] * 4, said.append, viewer=viewer, whole=False).play()
        return [line for line in said if "seat" in line.splitlines()[0] and ("give" in line or "(unseen)" in line)]

    assert [line.split(": ")[1] for line in told(1)] == ["(unseen)"] * 4
    shown = [line.split(": ")[1].split()[0] for line in told(2)]
    assert shown == ["(unseen)"] * 2 + ["give"] * 2
    assert not any("(unseen)" in line for line in told(None))


# --- PettingZoo --------------------------------------------------------------------------------------------------------------


def test_a_match_starts_from_given_scores_and_bags():
    """The calls are those of these scores: 150 behind, blind nil may be bid."""
    env = card_envs.make("spades", preset="standard")
    env.reset(seed=1)
    assert env.unwrapped.table.legal_names()[0] == "bid 1"
    env.reset(seed=1, options={"start": {"scores": [0, 0], "bags": [9, 4]}})
    assert env.unwrapped.table.record.bags[:2].tolist() == [9, 4]
    for scores in ([0, 150], [150, 0]):
        env.reset(seed=1, options={"start": {"scores": scores}})
        behind = env.unwrapped.table.turn % 2 == scores.index(0)
        assert (env.unwrapped.table.legal_names() == ["blind nil", "look"]) is behind
    with pytest.raises(StartError, match="'bags' must be a list of 2 whole numbers"):
        env.reset(options={"start": {"bags": [1, 2, 3, 4]}})
    with pytest.raises(StartError, match=r"unknown key of 'start' 'bag'.*did you mean 'bags'"):
        env.reset(options={"start": {"bag": [1, 2]}})


@pytest.mark.parametrize("preset", GAME.presets)
def test_pettingzoo_plays_a_deal_of_every_preset(preset):
    env = card_envs.make("spades", preset=preset, episode="deal")
    env.reset(seed=3)
    for agent in env.agent_iter():
        _, _, terminated, truncated, info = env.last()
        env.step(None if terminated or truncated else env.action_space(agent).sample(info["action_mask"]))
    assert "deal over" in env.unwrapped.table.show()


def test_options_reach_every_face():
    from card_envs import spades_v1

    env = spades_v1.env(preset="whiz", target=200)
    env.reset(seed=1)
    assert env.unwrapped.rules.target == 200 and env.action_space("player_0").n == 128
    assert card_envs.make("spades", preset="standard").action_space("player_0").n == 192
    with pytest.raises(OptionError, match="did you mean 'bag_limit'"):
        card_envs.make("spades", bag_limt=3)


def test_a_finished_match_is_shown():
    at = last_trick(bid(table(dealt(GAME.rules()), scores=[499, 0]), "1", "1", "1", "1"), [4, 3, 3, 3])
    assert "match won: side 0" in at.show() and isinstance(at, Table)
