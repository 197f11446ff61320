"""One seat of many tables against agents, as a Gymnasium vector environment: the others play inside `step`, in batches."""

from __future__ import annotations

import operator

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from card_envs.agents import Views
from card_envs.agents import load as load_agent
from card_envs.envs.aec import OBSERVATIONS
from card_envs.envs.single import LAYOUTS, seats_of_others
from card_envs.envs.vector import VecEnv, check, row_flags
from card_envs.forms import NO_TRUMP, shared_form
from card_envs.game import Game, OptionError, split_settings
from card_envs.games import load


def make_seats(game: str, num_envs: int, *, preset: str = "seed", **settings) -> SeatVectorEnv:
    """The vector entry point that Gymnasium calls; keywords are those of `SeatVectorEnv` and the game's options."""
    found = load(game)
    options, own = split_settings(found, SeatVectorEnv, settings)
    return SeatVectorEnv(found, found.rules(preset, **options), num_envs, **own)


class SeatVectorEnv(VectorEnv):
    """One seat of each of B = num_envs tables; `others` play the other seats, all tables at once.

    seat: the seat, or one for each row. others, layout, episode, reward, illegal, observation, pad_seats, relabel_trump: as in
    `card_envs.envs.single.SeatEnv`. threads: of the engine. autoreset_mode: one of Gymnasium's, which mean what they mean there.

    Observations are the seat's own, [B, O], also those of an episode's end; `info["action_mask"]` (int8 [B, A]) and
    `action_masks()` (bool [B, A]) are what it may do now. A row whose episode is over has an empty mask until its next one
    begins: never under SAME_STEP. The reward is what the seat earned until it acts again.
    """

    def __init__(
        self,
        game: Game,
        rules,
        num_envs: int,
        *,
        seat=0,
        others="expert",
        layout: str = "flat",
        episode: str = "match",
        reward: str | None = None,
        illegal: str = "raise",
        observation: str = "int8",
        threads: int = 1,
        pad_seats: int = 0,
        relabel_trump: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: None = None,
    ):
        check(layout=(layout, LAYOUTS), observation=(observation, OBSERVATIONS))
        if render_mode is not None:
            raise OptionError(f"render_mode={render_mode!r}: a batch is not drawn; make a single environment to look at")
        self.game, self.rules, self.num_envs, self.layout = game, rules, num_envs, layout
        self._vec = VecEnv(
            game, rules, num_envs, episode=episode, reward=reward, illegal=illegal, threads=threads, observation="bits",
            autoreset="disabled", copy=False,
        )  # fmt: skip
        self.seats = self._seats(seat)
        self._named = seats_of_others(others, rules.num_players)
        self._seat_others(0)
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {"autoreset_mode": self._mode, "render_modes": []}
        self.action_names = self._vec.action_names
        self._form = shared_form(game, rules, pad_seats, relabel_trump)
        self._layout = self._form.layout if self._form else self._vec.layout
        self._dtype = np.dtype(observation)
        self._trumps = np.full(num_envs, NO_TRUMP)
        spaces, actions = gymnasium.spaces, self._vec.num_actions
        seen = spaces.Box(0, 1, (self._layout.width,), self._dtype)
        masks = spaces.Box(0, 1, (actions,), np.int8)
        self.single_observation_space = seen if layout == "flat" else spaces.Dict({"observation": seen, "action_mask": masks})
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rewards = np.zeros(num_envs)
        self._over = np.ones(num_envs, np.bool_)
        self._masks = np.zeros((num_envs, actions), np.int8)
        self._started = False

    def _seats(self, seat) -> np.ndarray:
        """int64 [B]: the learner's seat at each table."""
        seats = np.asarray(seat)
        wrong = seats.dtype.kind not in "iu" or seats.shape not in ((), (self.num_envs,))
        if wrong or not ((seats >= 0) & (seats < self.rules.num_players)).all():
            raise OptionError(f"seat={seat!r}: must be one of 0..{self.rules.num_players - 1}, or one for each of the rows")
        return np.broadcast_to(seats, self.num_envs).astype(np.int64)

    def _seat_others(self, seed: int) -> None:
        """The agents and, by place to the left of the learner, which of them plays; named ones draw from `seed`."""
        self._agents, by_place, known = [], [-1], {}
        for other in self._named:
            key = other if isinstance(other, str) else id(other)
            if key not in known:
                known[key] = len(self._agents)
                named = isinstance(other, str)
                agent = load_agent(other, self.game, self.rules, seed=8 * seed + known[key]) if named else other
                self._agents.append(agent)
            by_place.append(known[key])
        self._by_place = np.array(by_place)

    # --- the loop -------------------------------------------------------------------------------------------------------------

    @property
    def illegal_count(self) -> int:
        """Illegal actions that were replaced or penalised so far, all rows together."""
        return self._vec.illegal_count

    def action_masks(self) -> np.ndarray:
        """bool [B, A]: legal for the seat now, as MaskablePPO asks for it."""
        return self._masks.astype(np.bool_)

    def reset(self, *, seed=None, options: dict | None = None):
        """New episodes, played on until the seat is to act.

        seed: an int (row i is dealt as table i of it, as in `make_vec`) or one for each row (row i is dealt as a single environment
        of seed[i]). options: {"reset_mask": bool [B]} resets these rows only.
        """
        super().reset(seed=seed if seed is None or np.ndim(seed) == 0 else int(seed[0]))
        rows = self._rows_to_reset(options or {})
        if seed is not None and rows.all():
            self._seat_others(operator.index(seed if np.ndim(seed) == 0 else seed[0]))
        self._started = True
        self._begin(rows, seed)
        return self._shown(self._view)

    def _rows_to_reset(self, options: dict) -> np.ndarray:
        unknown = ", ".join(sorted(set(options) - {"reset_mask"}))
        if unknown:
            raise OptionError(f"a batch takes no reset option {unknown}: there is reset_mask")
        mask = options.get("reset_mask")
        return np.ones(self.num_envs, np.bool_) if mask is None else row_flags(mask, self.num_envs)

    def step(self, actions):
        """One action in every row, int [B]; rows that wait for their next episode (NEXT_STEP) take any."""
        if not self._started:
            raise RuntimeError("call reset() before step()")
        begins, plays = self._over.copy(), ~self._over
        if begins.any() and self._mode == AutoresetMode.DISABLED:
            which = np.flatnonzero(begins).tolist()
            raise RuntimeError(
                f"the episodes of rows {which} are over: call reset(options={{'reset_mask': ...}}) before step()"
            )
        given = self._form.given(np.asarray(actions), self._trumps) if self._form else actions
        self._rewards[:] = 0
        self._play(given, plays)
        self._others_play(plays)
        view = self._view
        rewards = self._rewards.copy()
        terminated, truncated = view.terminated & plays, view.truncated & plays
        self._over = terminated | truncated
        ended, final = self._over.copy(), {}
        if self._mode == AutoresetMode.SAME_STEP and ended.any():
            final = self._final(view, ended)
            self._begin(ended)
        elif begins.any():
            self._begin(begins)
        seen, info = self._shown(self._view)
        return seen, rewards, terminated, truncated, info | final

    def _begin(self, rows: np.ndarray, seed=None) -> None:
        """New episodes in these rows, up to the seat's first decision; one that ends before it is not shown."""
        self._over[rows] = False
        while rows.any():
            self._view = self._vec.reset(seed, rows=rows)
            self._others_play(rows)
            rows, seed = rows & self._view.done, None

    def _play(self, actions, rows: np.ndarray) -> None:
        self._view = self._vec.step(actions, rows=rows)
        self._rewards += self._view.rewards[np.arange(self.num_envs), self.seats]

    def _others_play(self, rows: np.ndarray) -> None:
        """In these rows, until the seat is to act or the episode is over."""
        while True:
            view = self._view
            place = (view.seat - self.seats) % self.rules.num_players
            waiting = rows & ~view.done & (place != 0)
            if not waiting.any():
                return
            actions = np.zeros(self.num_envs, np.int64)
            for number, agent in enumerate(self._agents):
                own = np.flatnonzero(waiting & (self._by_place[place] == number))
                if len(own):
                    actions[own] = agent.act_batch(Views(view.observation[own], view.legal[own]))
            self._play(actions, waiting)

    # --- showing --------------------------------------------------------------------------------------------------------------

    def _shown(self, view):
        """(observations, infos) of every row's seat."""
        words = view.observation
        if self._over.any():  # the engine shows the seat that it would turn to, which is not ours
            words = words.copy()
            words[self._over] = self._vec.words(self.seats[self._over], self._over)
        seen = np.empty((self.num_envs, self._layout.width), np.float32 if self._dtype == np.float32 else np.uint8)
        self._masks = view.action_mask.copy()
        if self._form:
            words, self._trumps = self._form.words(words)
            self._form.legal(view.legal, self._trumps, self._masks)
        self._layout.spread_into(words, seen)
        seen = seen if self._dtype == np.float32 else seen.view(np.int8)
        info = {"action_mask": self._masks.copy(), "_action_mask": np.ones(self.num_envs, np.bool_)}
        return (seen if self.layout == "flat" else {"observation": seen, "action_mask": self._masks.copy()}), info

    def _final(self, view, ended: np.ndarray) -> dict:
        """The infos under SAME_STEP of the episodes that ended in these rows."""
        seen, info = self._shown(view)
        final = np.full(self.num_envs, None, object)
        for row in np.flatnonzero(ended):
            final[row] = seen[row] if self.layout == "flat" else {name: part[row] for name, part in seen.items()}
        info["action_mask"][~ended], info["_action_mask"] = 0, ended.copy()
        return {"final_obs": final, "_final_obs": ended.copy(), "final_info": info, "_final_info": ended.copy()}
