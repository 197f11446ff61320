"""The usual PettingZoo loop: what it hands out stays as it was, and the order is enforced as PettingZoo's own wrapper does."""

from __future__ import annotations

import copy
import itertools
import pickle

import numpy as np
import pytest
from pettingzoo.utils import wrappers

import card_envs
from card_envs.envs.aec import env as make_env
from card_envs.envs.aec import raw_env

FORMS = ({}, {"observation": "float32"}, {"pad_seats": 7, "relabel_trump": True})


def any_legal(mask, choose) -> int:
    return int(choose.choice(np.flatnonzero(mask)))


def episode(env, choose, **reset):
    """One episode in the usual loop: what each turn hands out."""
    env.reset(**reset)
    for _ in env.agent_iter():
        seen = env.last()
        yield seen
        observation, _, terminated, truncated, _ = seen
        env.step(None if terminated or truncated else any_legal(observation["action_mask"], choose))


# --- arrays ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", FORMS, ids=str)
@pytest.mark.parametrize("game", card_envs.games())
def test_what_was_handed_out_stays_as_it_was(game, settings):
    """Over hundreds of steps, resets, and looks at other players."""
    env, choose, handed = raw_env(game, episode="deal", **settings), np.random.default_rng(0), []
    for seed in range(6):
        for observation, *_, info in episode(env, choose, seed=seed):
            others = [env.observe(agent) for agent in env.agents]
            masks = [{"mask": given["action_mask"]} for given in (info, *env.infos.values())]
            for given in (observation, *others, *masks):
                handed += [(array, array.copy()) for array in given.values()]
    assert len(handed) > 2_000
    assert all(np.array_equal(array, kept) for array, kept in handed)


@pytest.mark.parametrize("game", card_envs.games())
def test_writing_to_what_was_handed_out_changes_nothing(game):
    spoiled, clean = raw_env(game, episode="deal"), raw_env(game, episode="deal")
    chosen = [np.random.default_rng(0), np.random.default_rng(0)]
    turns = zip(episode(spoiled, chosen[0], seed=3), episode(clean, chosen[1], seed=3), strict=True)
    for (observation, reward, *_, info), (expected, paid, *_, clean_info) in turns:
        assert all(np.array_equal(observation[name], expected[name]) for name in expected)
        assert reward == paid and np.array_equal(info["action_mask"], clean_info["action_mask"])
        observation["observation"][:] = 1
        info["action_mask"][:] = 1
        assert np.array_equal(observation["action_mask"], expected["action_mask"])
        for agent in spoiled.agents:
            again = spoiled.observe(agent)
            assert np.array_equal(again["observation"], clean.observe(agent)["observation"])
            again["action_mask"][:] = 1


def test_every_array_is_a_vector_in_one_piece_that_can_be_written_to():
    env = raw_env("pitch", observation="float32")
    env.reset(seed=1)
    observation, *_, info = env.last()
    for array in (*observation.values(), *info.values(), *env.observe("player_0").values()):
        assert array.ndim == 1 and array.flags.c_contiguous and array.flags.writeable and array.flags.aligned


# --- infos and the other dicts -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", card_envs.games())
def test_infos_are_those_of_the_live_agents(game):
    env, choose, alive = raw_env(game, episode="deal"), np.random.default_rng(0), []
    for *_, terminated, _, info in episode(env, choose, seed=1):
        agent = env.agent_selection
        assert env.infos[agent] is info and env.last(observe=False)[4] is info
        for found in (env.infos, env.rewards, env.terminations, env.truncations, env._cumulative_rewards):
            assert list(found) == env.agents
        assert all(type(found) is dict and set(found) == {"action_mask"} for found in env.infos.values())
        assert [other for other in env.agents if env.infos[other]["action_mask"].any()] == [agent] * (not terminated)
        alive.append(len(env.agents))
    assert alive[-4:] == [4, 3, 2, 1] and env.agents == []


@pytest.mark.parametrize("name", ["infos", "rewards"])
def test_a_dict_that_somebody_holds_stays_as_it_was(name):
    env, choose, held = raw_env("pitch"), np.random.default_rng(0), []
    env.reset(seed=1)
    for _ in range(30):
        found = getattr(env, name)
        held.append((found, copy.deepcopy(found)))
        for _ in range(choose.integers(1, 4)):
            env.step(any_legal(env.last()[0]["action_mask"], choose))
    for found, kept in held:
        assert repr(found) == repr(kept)


def test_the_dicts_can_be_put_in_place_from_outside():
    """As PettingZoo's TerminateIllegalWrapper does."""
    env = raw_env("pitch")
    env.reset(seed=1)
    for name in ("infos", "rewards", "terminations", "truncations", "_cumulative_rewards"):
        given = {agent: {"given": name} for agent in env.agents}
        setattr(env, name, given)
        assert getattr(env, name) is given
    assert env.last()[4] == {"given": "infos"}


def test_rewards_of_a_step_that_pays_nothing_are_zero_whatever_was_there():
    env = raw_env("pitch")
    env.reset(seed=1)
    env.rewards["player_0"] = 5.0
    env.step(54)
    assert env.rewards == dict.fromkeys(env.agents, 0.0)


@pytest.mark.parametrize("make", [make_env, raw_env])
def test_an_illegal_action_ends_it_under_pettingzoos_wrapper(make):
    env = wrappers.TerminateIllegalWrapper(make("pitch"), illegal_reward=-1)
    env.reset(seed=1)
    first = env.agent_selection
    env.last()
    env.step(0)  # a card, in the auction
    paid = {}
    for agent in env.agent_iter():
        observation, paid[agent], terminated, *_ = env.last()
        assert terminated and env.observation_space(agent).contains(observation)
        env.step(None)
    assert paid == {agent: -1.0 * (agent == first) for agent in env.possible_agents}


# --- the loop and its order --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [make_env, raw_env])
def test_the_loop_stops_after_so_many_turns_and_can_go_on(make):
    env = make("pitch")
    env.reset(seed=1)
    turns = env.agent_iter(max_iter=3)
    for _ in range(2):  # it counts anew each time
        agents = []
        for agent in turns:
            assert agent == env.agent_selection
            agents.append(agent)
            env.step(54)
            if env.agent_selection == agents[0]:
                env.reset()
        assert len(agents) == 3


def outcome(env, ask) -> tuple:
    try:
        return "value", ask(env)
    except Exception as error:
        return type(error), str(error)


NAMES = ("agents", "agent_selection", "rewards", "terminations", "truncations", "infos", "num_agents", "_seats", "nonsense")
ASKED = {
    **{name: (lambda env, name=name: getattr(env, name)) for name in NAMES},
    **{f"has {name}": (lambda env, name=name: hasattr(env, name)) for name in NAMES},
    "step": lambda env: env.step(54),
    "observe": lambda env: {name: array.tolist() for name, array in env.observe("player_0").items()},
    "last": lambda env: env.last(observe=False)[1:4],
    "render": lambda env: env.render(),
    "state": lambda env: env.state(),
    "agent_iter": lambda env: list(itertools.islice(env.agent_iter(), 2)),
    "str": str,
    "num_players": lambda env: env.rules.num_players,
}


@pytest.mark.parametrize("when", ["before a reset", "after it", "in the middle", "after the end"])
@pytest.mark.parametrize("name", list(ASKED))
def test_order_is_enforced_as_by_pettingzoos_wrapper(name, when):
    ours, theirs = make_env("pitch", episode="deal"), wrappers.OrderEnforcingWrapper(raw_env("pitch", episode="deal"))
    found = []
    for env in (ours, theirs):
        choose = np.random.default_rng(2)
        if when == "after the end":
            list(episode(env, choose, seed=4))
        elif when != "before a reset":
            env.reset(seed=4)
        if when == "in the middle":
            for _ in range(5):
                env.step(any_legal(env.last()[0]["action_mask"], choose))
        answer = outcome(env, ASKED[name])
        if name == "infos" and answer[0] == "value":
            answer = {agent: info["action_mask"].tolist() for agent, info in answer[1].items()}
        found.append(answer)
    assert found[0] == found[1]


def test_the_wrapper_is_pettingzoos_and_copies_go_on():
    env = make_env("pitch")
    assert isinstance(env, wrappers.OrderEnforcingWrapper) and env.unwrapped is env.env
    env.reset(seed=4)
    env.step(54)
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        assert other.unwrapped.state_dict() == env.unwrapped.state_dict()
        other.step(54)
        assert len(other.unwrapped.table.history()) == 2 and len(env.unwrapped.table.history()) == 1
