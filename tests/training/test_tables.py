"""One network for several numbers of players, in the form that they share."""

import json

import numpy as np
import pytest
import torch

from card_envs import agents, arena
from card_envs.agents import AgentError, Views
from card_envs.agents.policy import load_policy
from card_envs.games import load as load_game
from training.checkpoint import RunDirectory
from training.config import Config, ConfigError, NetworkConfig, build
from training.evaluate import as_agent
from training.policy import Policy
from training.processes import Processes
from training.tables import make_tables
from training.train import train

SMALL = {
    "game": "pitch",
    "num_players": 3,
    "num_envs": 33,
    "num_steps": 32,
    "total_decisions": 2 * 33 * 32,
    "network": {"hidden": 16, "blocks": 1},
    "evaluate": {"opponents": ["random"], "deals": 20, "final_deals": 20},
}
SHARED = {"pad_seats": 5, "relabel_trump": True, "players": [3, 4]}


def config(**settings) -> Config:
    return build(Config, SMALL | settings)


def test_tables_are_shared_out_among_the_numbers_of_players():
    """Their views lie one behind the other, and seats that a table lacks are paid nothing."""
    tables = make_tables(config(env=SHARED), rank=0)
    assert [(part.num_players, part.num_envs) for part in tables.parts] == [(3, 17), (4, 16)]
    view, paid = tables.reset(), np.zeros(4)
    for _ in range(60):
        assert view.observation.shape == (33, tables.observation_width) and view.rewards.shape == (33, 4)
        assert [tables.layout.decode(view.observation[row])["seats_taken"] for row in (16, 17)] == [3, 4]
        assert (view.seat[:17] < 3).all()
        highest = tables.num_actions - 1 - view.action_mask[:, ::-1].argmax(axis=1)
        view = tables.step(highest)
        assert (view.rewards[:17, 3] == 0).all()
        paid += np.abs(view.rewards).sum(axis=0)
    assert (paid > 0).all()
    state = tables.get_state()
    actions = view.action_mask.argmax(axis=1)
    after = tables.step(actions).observation
    tables.set_state(state)
    assert np.array_equal(tables.step(actions).observation, after)


def test_a_network_for_several_numbers_of_players_plays_at_all_of_them(tmp_path):
    """Two iterations; then the policy is an agent for each number of players that it was trained for, and for no other."""
    run = train(config(env=SHARED, run_dir=str(tmp_path / "run")), None, Processes())
    evaluation = run.read_metrics()[-1]["evaluation"]
    assert set(evaluation) == {"random, 3 players", "random, 4 players"}
    assert not any(margin["illegal"] for margin in evaluation.values())
    stored = json.loads((run.latest() / "policy.json").read_text())
    assert stored["num_players"] == [3, 4] and stored["form"] == {"pad_seats": 5, "relabel_trump": True}

    game = load_game("pitch")
    for num_players in (3, 4):
        rules = game.rules("seed", num_players=num_players)
        agent = agents.load(run.path, game, rules)
        assert arena.duplicate(game, rules, agent, agents.load("random", game, rules), 20, 1).illegal_a == 0
    with pytest.raises(AgentError, match="trained for num_players 3 or 4, and was asked to play 5"):
        load_policy(run.path, game, game.rules("seed", num_players=5))
    with pytest.raises(AgentError, match=r"trained for rules {'target': 11}, and was asked to play {'target': 12}"):
        load_policy(run.path, game, game.rules("seed", num_players=4, target=12))

    longer = config(env=SHARED, run_dir=str(run.path), total_decisions=3 * 33 * 32)
    assert [line["iteration"] for line in train(longer, RunDirectory(run.path), Processes()).read_metrics()] == [1, 2, 3]


def test_the_agent_does_in_plain_names_what_the_network_chooses_in_its_own():
    """Over whole deals with all four trumps."""
    tables = make_tables(config(env=SHARED, num_envs=64), rank=0)
    torch.manual_seed(1)
    policy = Policy(tables.observation_width, tables.num_actions, NetworkConfig(hidden=16, blocks=1))
    torch.nn.init.normal_(policy.action_head.weight)
    plain = make_tables(config(num_players=4, num_envs=32), rank=0).parts[0]
    part = tables.kinds[4]
    agent, form = as_agent(policy, part.layout, part.form), part.form
    view, seen = plain.reset(), set()
    for salt in range(40):
        words = plain.layout.pack(view.observation)
        shown, trumps = form.words(words)
        mask = np.unpackbits(form.legal(view.legal, trumps).view(np.uint8), axis=1, bitorder="little")[:, : plain.num_actions]
        with torch.inference_mode():
            choice, _ = policy(torch.from_numpy(form.layout.spread(shown)), torch.from_numpy(mask))
        same = form.renamed(agent.act_batch(Views(words, view.legal)), trumps) == choice.mode().numpy()
        assert same.mean() > 0.9  # ties within rounding may fall either way
        seen |= set(trumps.tolist())
        view = plain.step(plain.random_actions(salt))
    assert seen == {0, 1, 2, 3, 4}


@pytest.mark.parametrize(
    ("env", "message"),
    [
        ({"players": [3, 4]}, "needs env.pad_seats=4"),
        ({"players": [4, 5], "pad_seats": 5}, "num_players=3 must be among them"),
        ({"players": [3] * 40}, "fewer tables than env.players has entries"),
        ({"padseats": 4}, "did you mean 'env.pad_seats'"),
    ],
)
def test_player_counts_that_cannot_be_are_refused(env, message):
    with pytest.raises(ConfigError, match=message):
        config(env=env)
