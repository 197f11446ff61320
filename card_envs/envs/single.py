"""One seat against agents, as a Gymnasium environment: the others play inside `step`."""

from __future__ import annotations

import gymnasium
import numpy as np

from card_envs.agents import Views
from card_envs.agents import load as load_agent
from card_envs.envs.aec import TableEnv
from card_envs.envs.vector import check
from card_envs.game import OptionError, split_settings
from card_envs.games import load

LAYOUTS = ("flat", "dict")


def make_seat(game: str, *, preset: str = "seed", **settings) -> SeatEnv:
    """The entry point that Gymnasium calls; keywords are those of `SeatEnv`, of `TableEnv` and the game's options."""
    found = load(game)
    names = {"seat", "others", "layout"}
    own = {name: settings.pop(name) for name in names & set(settings)}
    options, table = split_settings(found, TableEnv, settings)
    return SeatEnv(TableEnv(found, found.rules(preset, **options), **table), **own)


class SeatEnv(gymnasium.Env):
    """One seat of a table; `others` play the other seats.

    others: the name of one agent for all of them ("expert", "basic", "random", a checkpoint's path), an agent, or one of these
    for each other seat from the left on. layout: "flat" (observation [O]) or "dict" ({"observation", "action_mask"}).
    The mask is in `info["action_mask"]` and `action_masks()`. The reward is all that the seat earned until it acts again, so
    over an episode it sums to what the table paid that seat.
    """

    metadata = {"render_modes": ["human", "ansi"], "render_fps": 1}

    def __init__(self, table_env: TableEnv, *, seat: int = 0, others="expert", layout: str = "flat"):
        rules = table_env.rules
        if not 0 <= seat < rules.num_players:
            raise OptionError(f"seat={seat}: seats are 0..{rules.num_players - 1}")
        check(layout=(layout, LAYOUTS))
        self._env, self.seat, self.layout = table_env, seat, layout
        self.render_mode = table_env.render_mode
        self.action_names = table_env.action_names
        self._named = seats_of_others(others, rules.num_players)
        self._seat_others(0)
        self._player = table_env.possible_agents[seat]
        self.action_space = table_env.action_space(self._player)
        space = table_env.observation_space(self._player)
        self.observation_space = space if layout == "dict" else space["observation"]

    def _seat_others(self, seed: int) -> None:
        """Put the agents in their seats, those given by name with generators that start from `seed`."""
        rules, game = self._env.rules, self._env.game
        self._agents = {}
        for place, other in enumerate(self._named, start=1):
            agent = load_agent(other, game, rules, seed=8 * seed + place) if isinstance(other, str) else other
            self._agents[(self.seat + place) % rules.num_players] = agent

    @property
    def table(self):
        """The table behind the environment, for looking at it."""
        return self._env.table

    @property
    def illegal_count(self) -> int:
        """Illegal actions that were replaced or penalised so far."""
        return self._env.illegal_count

    def action_masks(self) -> np.ndarray:
        """bool [A]: legal for the seat now, as MaskablePPO asks for it."""
        return self._env.mask_of(self.seat).astype(bool)

    def reset(self, *, seed: int | None = None, options: dict | None = None):
        """A new episode, played on until the seat is to act; options as in `TableEnv.reset`."""
        super().reset(seed=seed)
        if seed is not None:
            self._seat_others(seed)
        self._env.reset(seed=seed, options=options)
        self._reward = 0.0
        self._others_play()
        return self._seen()

    def step(self, action):
        table = self._env.table
        if table.ended:
            raise RuntimeError("the episode is over: call reset() before step()")
        self._reward = 0.0
        self._play(action)
        self._others_play()
        observation, info = self._seen()
        over, cut = table.ended, table.truncated
        return observation, self._reward, over and not cut, cut, info

    def render(self):
        return self._env.render()

    def _play(self, action) -> None:
        self._env.step(action)
        self._reward += self._env.rewards[self._player]

    def _others_play(self) -> None:
        table = self._env.table
        while not table.ended and table.turn != self.seat:
            view = Views(table.words(table.turn), table.legal_words())
            self._play(self._env.shown(self._agents[table.turn].act(view)))

    def _seen(self) -> tuple:
        """Observation and info of the seat, which is to act unless the episode is over."""
        if self._env.table.ended:
            shown, info = self._env.observe(self._player), self._env.infos[self._player]
        else:
            shown, *_, info = self._env.last()
        return shown if self.layout == "dict" else shown["observation"], info


def seats_of_others(others, num_players: int) -> list:
    """An agent, or its name, for each other seat from the left on; raises OptionError if it is not one for each."""
    named = [others] * (num_players - 1) if isinstance(others, str) or hasattr(others, "act") else list(others)
    if len(named) != num_players - 1:
        raise OptionError(f"others names {len(named)} agents, {num_players - 1} other seats are to be filled")
    return named
