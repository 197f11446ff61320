"""RLCard: a table as one of its environments, so that its agents (DQN, NFSP, Deep Monte Carlo, random) play our games.

    from card_envs.adapters.rlcard import RLCardEnv
    from rlcard.agents import DQNAgent

    env = RLCardEnv("<game>", seed=1)
    env.set_agents([DQNAgent(env.num_actions, state_shape=env.state_shape[0], mlp_layers=[256])] * env.num_players)
    trajectories, payoffs = env.run(is_training=True)

RLCard has no reward before the end of an episode: payoffs are all that an episode earned each seat.
"""

from __future__ import annotations

from collections import OrderedDict

import numpy as np

from card_envs.adapters import VectorAgent, require
from card_envs.agents import Views
from card_envs.agents import load as load_agent
from card_envs.envs.vector import default_reward, fresh_seed
from card_envs.game import split_settings
from card_envs.games import load
from card_envs.table import Table

base = require("rlcard", "rlcard", "rlcard.envs.env", "1.2", "1.3")


class TableGame:
    """What RLCard's environments ask of a game. `np_random`, which it sets, is not used: the deals have streams of their own."""

    def __init__(self, table: Table):
        self.table, self._before = table, []
        self.allow_step_back = False

    def init_game(self) -> tuple[int, int]:
        self.table.reset()
        self._before, self.payoffs = [], np.zeros(self.table.rules.num_players)
        return self.table.turn, self.table.turn

    def step(self, action: int) -> tuple[int, int]:
        """The seat to act next, as state and as player."""
        if self.allow_step_back:
            self._before.append((self.table.snapshot(), self.payoffs))
        self.payoffs = self.payoffs + self.table.step(action)
        return self.table.turn, self.table.turn

    def step_back(self) -> bool:
        if not self._before:
            return False
        snapshot, self.payoffs = self._before.pop()
        self.table.restore(snapshot)
        return True

    def get_num_players(self) -> int:
        return self.table.rules.num_players

    def get_num_actions(self) -> int:
        return len(self.table.action_names)

    def get_player_id(self) -> int:
        return self.table.turn

    def get_state(self, player_id: int) -> int:
        return player_id

    def is_over(self) -> bool:
        return self.table.ended


class RLCardEnv(base.Env):
    """One table. settings: those of `card_envs.table.Table`, and options of the game. seed: as RLCard's, None for a new one.

    A state is what RLCard's agents read of it, about one seat: `obs` int8 [O]; `legal_actions` and `raw_legal_actions`, numbers
    and names, both empty unless the seat is to act; `raw_obs`, the view in bits, with which our own agents play; and
    `action_record`, (seat, name) of each action.
    """

    def __init__(self, game: str, *, preset: str = "seed", seed: int | None = None, allow_step_back: bool = False, **settings):
        found = load(game)
        options, own = split_settings(found, Table, {"episode": "deal"} | settings)
        own.setdefault("reward", default_reward(own["episode"]))
        self.name, self.rules = game, found.rules(preset, **options)
        self.table = Table(found, self.rules, **own)
        self.game = TableGame(self.table)
        super().__init__({"allow_step_back": allow_step_back, "seed": seed})
        self.state_shape = [[self.table.layout.width] for _ in range(self.num_players)]
        self.action_shape = [None] * self.num_players

    def seed(self, seed: int | None = None) -> int:
        """The next episode is the first of this seed."""
        seed = fresh_seed() if seed is None else seed
        self.table.seed(seed)
        return seed

    def step_back(self):
        """(state, player) before the last action, or False at the first; needs allow_step_back=True."""
        back = super().step_back()
        if back:
            self.action_recorder.pop()
        return back

    def get_payoffs(self) -> np.ndarray:
        """float64 [P]: what the episode earned each seat."""
        return self.game.payoffs

    def _extract_state(self, state: int) -> dict:
        table, acts = self.table, state == self.table.turn and not self.table.ended
        words = table.words(state)
        return {
            "obs": table.layout.spread(words).astype(np.int8),
            "legal_actions": OrderedDict((action, None) for action in table.legal_actions()) if acts else OrderedDict(),
            "raw_obs": Views(words, table.legal_words()),
            "raw_legal_actions": table.legal_names() if acts else [],
            "action_record": list(self.action_recorder),
        }

    def _decode_action(self, action_id: int) -> int:
        return int(action_id)


class Seated:
    """One of our agents, by name, at a seat of an `RLCardEnv`."""

    use_raw = False

    def __init__(self, name: str, env: RLCardEnv):
        self.agent = load_agent(name, load(env.name), env.rules)

    def step(self, state: dict) -> int:
        return self.agent.act(state["raw_obs"])

    def eval_step(self, state: dict) -> tuple[int, dict]:
        return self.step(state), {}


class RLCardAgent(VectorAgent):
    """An agent of RLCard: plays what its `eval_step` says."""

    def choose(self, seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return np.array([self._chosen(*one) for one in zip(seen.astype(np.int8), masks, strict=True)], np.int64)

    def _chosen(self, seen: np.ndarray, legal: np.ndarray) -> int:
        actions = np.flatnonzero(legal).tolist()
        state = {"obs": seen, "legal_actions": OrderedDict.fromkeys(actions)}
        state["raw_legal_actions"] = [self.action_names[action] for action in actions]
        return int(self.policy.eval_step(state)[0])
