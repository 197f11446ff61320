"""Agents by name, the random one, and rule bots as functions of a view."""

import numpy as np
import pytest

import card_envs
from card_envs import agents, games
from card_envs.agents import AgentError, Views, is_legal

SEATS = 4


def rules_of(game: str, **options):
    return games.load(game).rules("seed", **options)


def views_of(vec) -> Views:
    view = vec.reset()
    return Views(view.observation, view.legal)


def pitch_views(num_envs: int = 64) -> Views:
    return views_of(card_envs.make_vec("pitch", num_envs, observation="bits", seed=3))


@pytest.mark.parametrize("name", ["random", "basic", "expert"])
@pytest.mark.parametrize("game", card_envs.games())
def test_every_game_has_the_named_agents(game, name):
    rules = rules_of(game)
    views = views_of(card_envs.make_vec(game, 32, observation="bits", seed=3))
    agent = agents.load(name, games.load(game), rules, seed=1)
    assert is_legal(agent.act_batch(views), views.legal).all()


def test_an_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(AgentError, match="did you mean 'expert'"):
        agents.load("exprt", games.load("pitch"), rules_of("pitch"), seed=0)


def test_a_factory_of_a_module_makes_an_agent(tmp_path, monkeypatch):
    (tmp_path / "my_bots.py").write_text("def first(game, rules, seed):\n    return (game.name, rules.target, seed)\n")
    monkeypatch.syspath_prepend(tmp_path)
    made = agents.load("my_bots:first", games.load("pitch"), rules_of("pitch", target=7), seed=5)
    assert made == ("pitch", 7, 5)
    with pytest.raises(AgentError, match="the module has no second"):
        agents.load("my_bots:second", games.load("pitch"), rules_of("pitch"))
    with pytest.raises(AgentError, match="No module named"):
        agents.load("no_such_bots:first", games.load("pitch"), rules_of("pitch"))


def test_legality_is_asked_of_any_integer():
    legal = np.array([[1 << 3 | -(1 << 63), 1]])  # actions 3, 63 and 64
    asked = np.array([3, 63, 64, 2, -1, 128, 1 << 40])
    assert is_legal(asked, np.repeat(legal, len(asked), axis=0)).tolist() == [True, True, True, False, False, False, False]


def test_random_is_uniform_over_legal_actions_in_both_words():
    agent = agents.RandomAgent(seed=0)
    legal = np.tile(np.array([[1 << 5 | -(1 << 63), 1]]), (30_000, 1))  # 5, 63, 64
    actions, counts = np.unique(agent.act_batch(Views(legal, legal)), return_counts=True)
    assert actions.tolist() == [5, 63, 64]
    assert np.abs(counts - 10_000).max() < 400  # 400 is five standard deviations of a third of 30,000


def test_random_repeats_by_seed_and_leaves_the_global_generator_alone():
    views = pitch_views()
    before = np.random.get_state()[1].tolist()
    first, again, other = (agents.RandomAgent(seed).act_batch(views).tolist() for seed in (1, 1, 2))
    assert first == again != other
    assert np.random.get_state()[1].tolist() == before


def test_random_draws_for_a_lone_view_as_for_a_batch_of_one():
    batch, lone = agents.RandomAgent(seed=1), agents.RandomAgent(seed=1)
    draw = np.random.default_rng(0)
    bits = draw.integers(-(1 << 63), 1 << 63, (300, 3)) * draw.integers(0, 2, (300, 3))
    for legal in bits[bits.any(axis=1)]:
        assert lone.act(Views(legal, legal)) == batch.act_batch(Views(legal[None], legal[None]))[0]


@pytest.mark.parametrize("name", ["basic", "expert"])
def test_a_rule_bot_gives_a_lone_view_the_action_it_has_in_a_batch(name):
    views = pitch_views()
    bot = agents.load(name, games.load("pitch"), rules_of("pitch"))
    assert [bot.act(Views(words, legal)) for words, legal in zip(*views)] == bot.act_batch(views).tolist()
