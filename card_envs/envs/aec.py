"""The PettingZoo AEC environment, for every game."""

from __future__ import annotations

import operator
from dataclasses import asdict

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from card_envs.buffers import ILLEGAL
from card_envs.envs.order import InOrder, Turns
from card_envs.envs.rows import Rows
from card_envs.envs.vector import check, default_reward, fresh_seed, illegal_penalty
from card_envs.forms import shared_form
from card_envs.game import OptionError, nearest, split_settings
from card_envs.games import GAMES, load
from card_envs.rewards import REWARDS
from card_envs.scalar import HAS_TERMINATED, HAS_TRUNCATED, PAID, SEAT
from card_envs.table import NO_ACTION, IllegalAction, Table

STATE_FORMAT = "card-envs-state/1"
RESET_OPTIONS = ("deal", "start")
OBSERVATIONS = ("int8", "float32")
NOBODY = object()


def env(game: str, **settings):
    """`raw_env` with PettingZoo's order enforcement."""
    return InOrder(raw_env(game, **settings))


def parallel_env(game: str, **settings):
    """The same table as a parallel environment: only the seat to act has legal actions, the others' are ignored."""
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel

    return turn_based_aec_to_parallel(env(game, **settings))


def raw_env(game: str, *, preset: str = "seed", **settings) -> TableEnv:
    """The environment without wrappers. Keywords: those of `TableEnv` and the game's options; others raise OptionError."""
    found = load(game)
    options, own = split_settings(found, TableEnv, settings)
    return TableEnv(found, found.rules(preset, **options), **own)


class TableEnv(AECEnv):
    """One table, `player_0` .. clockwise.

    Observation of a player: {"observation": int8 or float32 [O], "action_mask": int8 [A]}; the mask, also in the player's info,
    is all zero for players who are not to act. An observation never shows what the player's seat cannot know. Returned arrays
    are the caller's own (who keeps one keeps the block of up to 32 KiB that it was made in); a step puts new infos in place of
    those of the player who acted and the next to act.

    episode: "match" or "deal".
    reward: "score" (own side's gain in points less the best other side's; default for deals) or "win" (zero-sum match result in
    [-1, 1]; default for matches).
    illegal: "raise" (IllegalAction, nothing changes), "penalise" (the episode ends: the side at fault loses the match under
    "win", as much as the worst deal under "score"; the others share it), or "random_legal" (for checkers that sample without
    a mask; counted in `illegal_count`).
    pad_seats, relabel_trump: the form of `card_envs.forms` in which observations, masks and errors are shown and actions given;
    `table`, records and rendering keep the cards as they lie. `layout` reads the observations.
    """

    def __init__(
        self,
        game,
        rules,
        *,
        episode: str = "match",
        reward: str | None = None,
        illegal: str = "raise",
        observation: str = "int8",
        render_mode: str | None = None,
        pad_seats: int = 0,
        relabel_trump: bool = False,
    ):
        super().__init__()
        reward = reward or default_reward(episode)
        check(episode=(episode, ("match", "deal")), reward=(reward, REWARDS), illegal=(illegal, ILLEGAL))
        check(observation=(observation, OBSERVATIONS))
        if render_mode is not None:
            check(render_mode=(render_mode, ("human", "ansi")))
        self.game, self.rules = game, rules
        self.episode, self.reward, self.illegal = episode, reward, illegal
        self.observation, self.render_mode = observation, render_mode
        penalty = illegal_penalty(rules, reward)
        self.table = Table(game, rules, episode=episode, reward=reward, illegal=illegal, penalty=penalty)
        self.form = shared_form(game, rules, pad_seats, relabel_trump)
        self.layout = self.form.layout if self.form else self.table.layout
        self.action_names = self.table.action_names
        self.metadata = {
            "name": f"{game.name}_v{GAMES[game.name]}",
            "render_modes": ["human", "ansi"],
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(rules.num_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        actions, dtype = self.table.num_actions, np.dtype(observation)
        spaces = gymnasium.spaces
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 1, (self.layout.width,), dtype),
                    "action_mask": spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.agents = []
        self._started = False
        self._num_actions, self._unpaid = actions, dict.fromkeys(self.possible_agents, 0.0)
        self._open_rows()

    def _open_rows(self) -> None:
        self._rows = Rows(self.table, self.layout, self.observation, self.form)
        self._shown = NOBODY  # the agent whose view lies in the last row and has not been handed out

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    @property
    def illegal_count(self) -> int:
        """Illegal actions that were replaced or penalised so far."""
        return self.table.illegal_count

    @property
    def infos(self) -> dict:
        """The info of each agent; those of players who have nothing to do are made when somebody looks."""
        for agent, info in self._infos.items():
            if info is None:
                self._infos[agent] = {"action_mask": np.zeros(self._num_actions, np.int8)}
        self._infos_held = True
        return self._infos

    @infos.setter
    def infos(self, given: dict) -> None:
        self._infos, self._infos_held = given, True

    # --- the PettingZoo loop --------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """A new episode. With a seed its deals begin anew; without, they go on with the next ones.

        options: {"deal": {"dealer": seat, "hands": ["AS KS ...", ...]}} plays that deal first, {"start": {"scores": [..]}}
        starts from those scores; a deal and a start hold what those of a game record hold. A wrong deal or start raises and
        changes nothing; options of other names are not ours.
        """
        given, start = self._checked(options) if options else (None, None)
        if seed is not None or not self._started:
            self.table.seed(fresh_seed() if seed is None else operator.index(seed))
            self._started = True
        self.table.reset(start)
        if given:
            self.table.open_deal(**given)
        self.agents = list(self.possible_agents)
        self.rewards = self._unpaid.copy()
        self._cumulative_rewards = self._unpaid.copy()
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.possible_agents[self.table.turn]
        self._show_all()
        if self.render_mode == "human":
            self.render()

    def _show_all(self) -> None:
        """The infos of all agents, and the view of the one to act."""
        self._infos, self._infos_held = dict.fromkeys(self.agents), False
        self._shown = NOBODY
        if not self.table.ended:
            row = self._rows.look(self.table.turn)
            self._shown = self.agent_selection
            self._infos[self._shown] = {"action_mask": self._rows.info_masks[row]}

    def _checked(self, options: dict):
        """(a given deal, a given start), or None for each."""
        for name in options:
            if name not in RESET_OPTIONS and (hint := nearest(name, RESET_OPTIONS)):
                raise OptionError(f"there is no reset option {name!r}{hint}")
        given, start, deal = None, options.get("start"), options.get("deal")
        if start or deal:
            trial = Table(self.game, self.rules, episode="open")
            trial.reset(start)
        if deal:
            names = ["dealer", "hands", *trial.deal_cards()]
            if set(deal) != set(names):
                raise OptionError(f"a deal has {', '.join(map(repr, names))}, not {', '.join(sorted(deal))}")
            given = trial.read_deal(deal)
            trial.check_deal(**given)
        return given, start

    def observe(self, agent):
        rows = self._rows
        if agent == self._shown:
            row, self._shown = rows.last, NOBODY
        else:
            row = self._look(agent)
        return {"observation": rows.vectors[row], "action_mask": rows.masks[row]}

    def _look(self, agent) -> int:
        """A new row with what that agent sees and may do."""
        seat = self._seats[agent]
        self._require_reset()
        self._shown = NOBODY
        return self._rows.look(seat)

    def last(self, observe: bool = True):
        agent = self.agent_selection
        seen = self.observe(agent) if observe else None
        info = self._infos[agent] or self.infos[agent]
        return seen, self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent], info

    def agent_iter(self, max_iter: int = 2**63):
        return Turns(self, max_iter)

    def step(self, action) -> None:
        if not self.agents:
            self._require_reset()
            raise RuntimeError("the episode is over: call reset() before step()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if type(action) is not int:
            action = self._integer(action)
        if self.form:
            action = self._given(action)
        rows = self._rows
        row = rows.last + 1
        if row == rows.count:
            row = rows.new_block()
        self._shown = NOBODY  # until all is done: whatever breaks in on it, nobody is shown another's view
        code = rows.play(rows.handle, action if 0 <= action < self._num_actions else NO_ACTION, row)
        if code < 0:
            raise self.table.refusal(action)
        rows.last = row
        self._cumulative_rewards[agent] = 0.0
        self.rewards = self._unpaid.copy()
        if code >= PAID:  # most steps pay nothing and end nothing
            self._settle(code)
        if self._infos_held:  # somebody has this dict: it stays as it is
            self._infos, self._infos_held = dict(self._infos), False
        self._infos[agent] = None  # of the others nothing changes
        if code < HAS_TERMINATED:
            seat = code & SEAT
            if self.form:
                rows.reshape(row, seat)
            self.agent_selection = agent = self.possible_agents[seat]
            self._infos[agent] = {"action_mask": rows.info_masks[row]}
            self._shown = agent
        if self.render_mode == "human":
            self.render()

    def _settle(self, code: int) -> None:
        """Rewards, and the end of the episode."""
        if code & PAID:
            self.rewards = dict(zip(self.agents, self.table.earned(), strict=True))
            self._accumulate_rewards()
        if code & (HAS_TERMINATED | HAS_TRUNCATED):
            self.terminations = dict.fromkeys(self.agents, bool(code & HAS_TERMINATED))
            self.truncations = dict.fromkeys(self.agents, bool(code & HAS_TRUNCATED))

    def render(self):
        """The table as text: returned in mode "ansi", printed in mode "human"."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs render_mode='ansi' or 'human'")
            return None
        shown = self.table.show()
        if self.render_mode == "ansi":
            return shown
        print(shown, end="\n\n")
        return None

    def close(self) -> None:
        """Nothing to release."""

    def _require_reset(self) -> None:
        if not self._started:
            raise RuntimeError("call reset() first: no cards are dealt")

    def _integer(self, action) -> int:
        """The action as an int; what is no integer is refused or counts as an illegal action, as `illegal` says."""
        if type(action) is np.int64:
            return int(action)
        value = None
        if not isinstance(action, (bool, np.bool_)):
            try:
                value = operator.index(action)
            except TypeError:
                if getattr(action, "ndim", None) == 0 and not hasattr(action, "is_integer"):
                    value = action.item() if isinstance(action.item(), int) else None
        if isinstance(value, int) and not isinstance(value, bool):
            return value
        if self.illegal == "raise":
            raise IllegalAction(f"{action!r} (not an action number)", self._legal_names())
        return NO_ACTION

    def mask_of(self, seat: int) -> np.ndarray:
        """int8 [A], the caller's own: zero but for the seat to act."""
        row = self._look(self.possible_agents[seat])
        return self._rows.masks[row]

    def _trump(self) -> np.ndarray:
        """What is trump in the form's sense, as the seat to act sees it: int64 [1]."""
        return self.form.words(self.table.words(self.table.turn)[None])[1]

    def _given(self, action: int) -> int:
        """The table's action that is meant by one of ours. Raises IllegalAction in our names, if that is how `illegal` is."""
        if self.illegal == "raise" and action not in np.flatnonzero(self.mask_of(self.table.turn)):
            name = self.action_names[action] if 0 <= action < len(self.action_names) else None
            shown = f"{name} (action {action})" if name else f"action {action}"
            raise IllegalAction(shown, self._legal_names(), f" for seat {self.table.turn}")
        return int(self.form.given(action, self._trump()[0]))

    def _legal_names(self) -> list[str]:
        """What the seat to act may do, in our names."""
        return sorted(self.action_names[action] for action in np.flatnonzero(self.mask_of(self.table.turn)))

    def shown(self, action: int) -> int:
        """Our name of one of the table's actions."""
        return int(self.form.renamed(action, self._trump()[0])) if self.form else action

    # --- keeping --------------------------------------------------------------------------------------------------------------

    def state_dict(self) -> dict:
        """Everything that later play depends on, as plain JSON; `load_state_dict` goes on from it identically."""
        self._require_reset()
        return {
            "format": STATE_FORMAT,
            "game": self.game.name,
            "rules": asdict(self.rules),
            "episode": self.episode,
            "agents": list(self.agents),
            "agent_selection": self.agent_selection,
            "rewards": dict(self.rewards),
            "cumulative_rewards": dict(self._cumulative_rewards),
            "terminations": dict(self.terminations),
            "truncations": dict(self.truncations),
            "table": self.table.state(),
        }

    def load_state_dict(self, state: dict) -> None:
        """Go on from a `state_dict`; raises ValueError, changing nothing, when it is of another game, rules or format."""
        mine = {"format": STATE_FORMAT, "game": self.game.name, "rules": asdict(self.rules), "episode": self.episode}
        for name, value in mine.items():
            if state.get(name) != value:
                raise ValueError(f"this state's {name} is {state.get(name)!r}, this environment's is {value!r}")
        self.table.set_state(state["table"])
        self.agents = list(state["agents"])
        self.agent_selection = state["agent_selection"]
        self.rewards, self._cumulative_rewards = dict(state["rewards"]), dict(state["cumulative_rewards"])
        self.terminations, self.truncations = dict(state["terminations"]), dict(state["truncations"])
        self._skip_agent_selection = None
        self._started = True
        self._show_all()

    def __getstate__(self) -> dict:
        """Copies and pickles hold the state; kernels and rows are made anew."""
        return {name: value for name, value in self.__dict__.items() if name not in ("_rows", "_shown")}

    def __setstate__(self, kept: dict) -> None:
        self.__dict__.update(kept)
        self._open_rows()
