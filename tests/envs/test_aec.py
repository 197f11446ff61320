"""What the AEC environment promises beyond PettingZoo's checkers: actions, seeds, given deals, copies."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys

import numpy as np
import pytest

import card_envs
from card_envs.game import OptionError
from card_envs.table import DealError, IllegalAction

HANDS = ["AS KS 7S TD 4C 2H", "QS 3S AD 9C 8H JH", "JS 5S KD TC 6C AH", "2S 9S QD JC TH 3H"]


def make(**settings):
    env = card_envs.make("pitch", **settings)
    return env.unwrapped


def views(env):
    """Everything that the players can see, as bytes."""
    seen = [env.observe(agent) for agent in env.possible_agents]
    return b"".join(view["observation"].tobytes() + view["action_mask"].tobytes() for view in seen)


def play(env, steps, pick=-1):
    for _ in range(steps):
        env.step(env.table.legal_actions()[pick])


@pytest.mark.parametrize("action", [0, 63, -1, 64, 10**9, 10**30, 1.5, float("nan"), True, None, "AS", np.array([54, 54])])
def test_illegal_actions_raise_and_change_nothing(action):
    env = make()
    env.reset(seed=5)
    before, state = views(env), env.state_dict()
    with pytest.raises(IllegalAction, match="legal: bid 1, bid 2, bid 3, bid 4, pass"):
        env.step(action)
    assert views(env) == before
    assert env.state_dict() == state


def test_an_illegal_card_is_named_with_the_legal_ones():
    env = make()
    env.reset(seed=5, options={"deal": {"dealer": 3, "hands": HANDS}})
    for text in ("bid 1", "pass", "pass", "pass", "name S"):
        env.step(env.action_names.index(text))
    with pytest.raises(IllegalAction, match=r"TD \(action 21\) is not legal for seat 0; legal: 7S, AS, KS"):
        env.step(21)


@pytest.mark.parametrize("action", [np.int8(54), np.array(54), np.uint64(54), 54])
def test_integers_of_every_kind_are_accepted(action):
    env = make()
    env.reset(seed=5)
    env.step(action)
    assert env.table.record.call[env.table.history()[0][0]] == 0


def test_torch_scalars_are_accepted():
    torch = pytest.importorskip("torch")
    env = make()
    env.reset(seed=5)
    env.step(torch.tensor(54))
    assert env.table.history()[0][1] == 54


def test_masks_are_zero_for_players_not_to_act():
    env = make()
    env.reset(seed=1)
    for agent in env.agents:
        mask = env.observe(agent)["action_mask"]
        assert mask.dtype == np.int8
        assert bool(mask.any()) == (agent == env.agent_selection)
        assert np.array_equal(mask, env.infos[agent]["action_mask"])


def test_penalise_ends_the_match_and_never_pays_the_side_at_fault():
    env = make(illegal="penalise")
    env.reset(seed=1)
    at_fault = env.agent_selection
    env.step(0)
    assert all(env.terminations.values())
    assert sum(env.rewards.values()) == 0
    assert env.rewards[at_fault] == -1
    assert env.illegal_count == 1


@pytest.mark.parametrize(("players", "teams"), [(2, "none"), (3, "none"), (4, "pairs"), (6, "pairs")])
def test_penalty_under_score_is_worse_than_any_deal(players, teams):
    env = make(illegal="penalise", episode="deal", num_players=players, teams=teams)
    env.reset(seed=1)
    at_fault = env.agent_selection
    env.step(0)
    assert env.rewards[at_fault] == -8  # a lost bid of 4 beside four points for another side
    assert sum(env.rewards.values()) == pytest.approx(0)


def test_random_legal_replaces_and_counts():
    env = make(illegal="random_legal")
    env.reset(seed=1)
    env.step(float("nan"))
    env.step(0)
    assert env.illegal_count == 2
    assert len(env.table.history()) == 2


def test_the_same_seed_is_the_same_match_and_the_next_reset_goes_on():
    first, second = make(), make()
    first.reset(seed=7)
    second.reset(seed=7)
    assert views(first) == views(second)
    seen = views(first)
    first.reset()
    second.reset()
    assert views(first) == views(second) != seen
    second.reset(seed=7)
    assert views(second) == seen


def test_unseeded_environments_differ_and_leave_global_generators_alone():
    before = np.random.get_state()[1].copy()
    dealt = set()
    for _ in range(20):
        env = make()
        env.reset()
        dealt.add(views(env))
    assert len(dealt) == 20
    assert np.array_equal(before, np.random.get_state()[1])


def test_copies_pickles_and_states_go_on_identically():
    env = make(preset="setback", target=15, min_bid=1)
    env.reset(seed=7)
    play(env, 20)
    loaded = make(preset="setback", target=15, min_bid=1)
    loaded.load_state_dict(json.loads(json.dumps(env.state_dict())))
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), loaded]
    for step in range(60):
        for other in others:
            assert other.rules == env.rules
            assert views(other) == views(env), step
            assert other.rewards == env.rewards
        for one in [env, *others]:
            play(one, 1, pick=step % 2 - 1)
    for one in [env, *others]:
        one.reset()
    assert len({views(one) for one in [env, *others]}) == 1


def test_a_pickle_goes_on_identically_in_another_process(tmp_path):
    env = make()
    env.reset(seed=11)
    play(env, 13)
    (tmp_path / "env.pickle").write_bytes(pickle.dumps(env))
    code = (
        "import pickle, sys; env = pickle.loads(open(sys.argv[1], 'rb').read())\n"
        "for _ in range(25): env.step(env.table.legal_actions()[-1])\n"
        "print(''.join(env.observe(a)['observation'].tobytes().hex() for a in env.possible_agents))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "env.pickle")], capture_output=True, text=True, check=True
    )
    play(env, 25)
    assert found.stdout.strip() == "".join(env.observe(agent)["observation"].tobytes().hex() for agent in env.possible_agents)


def test_a_state_of_other_rules_is_refused():
    env, other = make(), make(low_to="holder")
    env.reset(seed=1)
    other.reset(seed=1)
    with pytest.raises(ValueError, match="this state's rules"):
        other.load_state_dict(env.state_dict())


def test_returned_arrays_are_the_callers_own():
    env = make()
    env.reset(seed=1)
    agent = env.agent_selection
    seen = env.observe(agent)
    kept = {name: array.copy() for name, array in seen.items()}
    play(env, 5)
    assert all(np.array_equal(seen[name], kept[name]) for name in kept)
    before = views(env)
    for agent in env.agents:
        view = env.observe(agent)
        view["observation"][:] = 0
        view["action_mask"][:] = 1
        env.infos[agent].clear()
    assert views(env) == before
    with pytest.raises(IllegalAction):
        env.step(63)


@pytest.mark.parametrize("observation", ["int8", "float32"])
def test_what_a_seat_sees_is_never_left_from_before(observation):
    env = make(observation=observation)

    def check():
        for seat, agent in enumerate(env.agents):
            view = env.observe(agent)
            assert view["observation"].dtype == observation
            assert np.array_equal(view["observation"], env.table.layout.spread(env.table.words(seat)))
            legal = env.table.legal_actions() if agent == env.agent_selection and not env.table.ended else []
            assert np.flatnonzero(view["action_mask"]).tolist() == legal
            assert np.array_equal(view["action_mask"], env.infos[agent]["action_mask"])

    for seed in range(3):
        env.reset(seed=seed)
        check()
        while not env.table.ended:
            kept = {agent: (info, info["action_mask"].copy()) for agent, info in env.infos.items()}
            play(env, 1, pick=-1 - env.table.turn % 2 * (len(env.table.legal_actions()) > 1))
            assert all(np.array_equal(info["action_mask"], mask) for info, mask in kept.values())
            check()
    env.reset(options={"deal": {"dealer": 3, "hands": HANDS}})
    check()
    other = make()
    other.reset(seed=9)
    play(other, 7)
    play(env, 3)
    env.load_state_dict(other.state_dict())
    check()
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        env = other
        check()
        play(env, 1)
        check()


@pytest.mark.parametrize("illegal", ["penalise", "random_legal"])
def test_what_a_seat_sees_after_an_illegal_action_is_the_table_as_it_is(illegal):
    env = make(illegal=illegal)
    env.reset(seed=4)
    play(env, 6)
    env.step(next(action for action in range(52) if action not in env.table.legal_actions()))
    for seat, agent in enumerate(env.agents):
        assert np.array_equal(env.observe(agent)["observation"], env.table.layout.spread(env.table.words(seat)))


def test_given_deals_are_played_and_broken_ones_name_the_card():
    env = make()
    env.reset(seed=1, options={"deal": {"dealer": 3, "hands": HANDS}, "start": {"scores": [10, -2]}})
    assert env.agent_selection == "player_0"
    assert env.table.layout.decode(env.observe("player_0")["observation"])["own_hand"] == ["4C", "TD", "2H", "7S", "KS", "AS"]
    assert env.table.scores() == [10, -2]
    before = views(env)
    with pytest.raises(DealError, match="AS is dealt twice: to seat 0 and to seat 1"):
        env.reset(options={"deal": {"dealer": 3, "hands": [HANDS[0], HANDS[1].replace("QS", "AS"), *HANDS[2:]]}})
    with pytest.raises(DealError, match="seat 1 has 5 cards, not 6"):
        env.reset(options={"deal": {"dealer": 3, "hands": [HANDS[0], HANDS[1][3:], *HANDS[2:]]}})
    assert views(env) == before


def test_every_seat_gets_its_last_reward_once():
    env = card_envs.make("pitch", episode="deal", reward="score")
    for seed in range(20):
        env.reset(seed=seed)
        paid = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            _, reward, terminated, truncated, _ = env.last()
            paid[agent] += reward
            over = terminated or truncated
            env.step(None if over else env.unwrapped.table.legal_actions()[0])
        change = env.unwrapped.table.record.change
        margin = float(change[0] - change[1])
        assert list(paid.values()) == [margin, -margin, margin, -margin]


def test_steps_out_of_order_are_refused():
    env = make()
    with pytest.raises(RuntimeError, match="reset"):
        env.step(54)
    with pytest.raises(RuntimeError, match="reset"):
        env.observe("player_0")
    env = card_envs.make("pitch", episode="deal", max_hands=1)
    env.reset(seed=1)
    for _ in env.agent_iter():
        over = env.unwrapped.table.ended
        env.step(None if over else env.unwrapped.table.legal_actions()[0])
    with pytest.raises(RuntimeError, match="episode is over"):
        env.unwrapped.step(54)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"presett": "seed"}, "did you mean 'preset'"),
        ({"low_too": "holder"}, "did you mean 'low_to'"),
        ({"low_to": "holdr"}, "did you mean 'holder'"),
        ({"preset": "setbak"}, "did you mean 'setback'"),
        ({"target": "11"}, "must be int, not str"),
        ({"target": True}, "must be int, not bool"),
        ({"must_bid_to_win": 1}, "must be bool, not int"),
        ({"num_players": 8}, r"must lie in 2\.\.7"),
        ({"num_players": 5, "teams": "pairs"}, "needs 4 or 6 players"),
        ({"hand_size": 13, "num_players": 5}, "65 cards, the deck has 52"),
        ({"episode": "hand"}, "must be one of match, deal"),
    ],
)
def test_wrong_settings_are_refused_with_the_right_ones(settings, message):
    with pytest.raises(OptionError, match=message):
        card_envs.make("pitch", **settings)
