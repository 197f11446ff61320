"""Duplicate play between two agents: the same deals in every seating, and an interval that says how much is luck.

The unit is the deal: all its seatings are averaged first, so the deals are independent and the interval is honest. Points a
deal are a side's gain less the mean gain of the other sides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import NormalDist

import numpy as np

from card_envs.agents import Agent, Views, is_legal, legal_flags, load
from card_envs.envs.vector import VecEnv
from card_envs.game import Game
from card_envs.games import load as load_game

RESAMPLES = 10_000
CONFIDENCE = 0.95
ROWS_AT_ONCE = 8192
HELD_OUT_SEEDS = range(2**32, 2**32 + 1000)  # of deals for published results only: training draws 32 bits, tuning refuses them
HALF_WIDTHS = (0.1, 0.05, 0.02)  # points a deal, for "deals needed"
A, B = 0, 1

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Estimate:
    """A mean over independent units with its 95% interval: bootstrap (low, high), and the normal one as a check."""

    mean: float
    low: float
    high: float
    normal_low: float
    normal_high: float
    sd: float  # of one unit
    units: int

    def needed(self, half_width: float) -> int:
        """Units after which the interval is mean +- half_width."""
        return int(np.ceil((_quantile(CONFIDENCE) * self.sd / half_width) ** 2))


@dataclass(frozen=True)
class Result:
    """What a duplicate comparison of `a` with `b` found, always from a's side."""

    a: str
    b: str
    points: Estimate  # a deal
    lone: tuple[float, float]  # the same apart: a alone against a field of b, and a's field against a lone b
    wins: Estimate | None  # whole matches won by a (alone against a field of b where there are more than two sides)
    wins_b: float | None  # by b in the reverse seatings
    fair: float  # share of matches that equals would win
    illegal_a: int  # illegal actions chosen: replaced by a legal one, and always a fault of the agent
    illegal_b: int
    seed: int

    @property
    def mean(self) -> float:
        return self.points.mean

    @property
    def low(self) -> float:
        return self.points.low

    @property
    def high(self) -> float:
        return self.points.high

    @property
    def illegal(self) -> int:
        return self.illegal_a + self.illegal_b

    @property
    def winner(self) -> str | None:
        """The agent that takes more points a deal; None while the interval spans zero."""
        return self._named(self.points, 0.0)

    @property
    def match_winner(self) -> str | None:
        """The agent that wins more matches; None while the interval spans the fair share, or without matches."""
        return None if self.wins is None else self._named(self.wins, self.fair)

    def _named(self, estimate: Estimate, level: float) -> str | None:
        return self.a if estimate.low > level else self.b if estimate.high < level else None

    def as_dict(self) -> dict:
        """Plain values for JSON."""
        needed = {str(width): self.points.needed(width) for width in HALF_WIDTHS}
        named = {"winner": self.winner, "match_winner": self.match_winner, "illegal": self.illegal, "deals_needed": needed}
        return asdict(self) | {"lone": list(self.lone)} | named

    def table(self) -> str:
        """The result as text."""
        points, needed = self.points, [f"+-{width}: {self.points.needed(width)}" for width in HALF_WIDTHS]
        lines = [
            f"{self.a} against {self.b}, {points.units} deals in every seating (seed {self.seed})",
            f"points a deal     {points.mean:+.3f}  95% {points.low:+.3f} .. {points.high:+.3f}  sd of a deal {points.sd:.2f}",
            f"normal interval           95% {points.normal_low:+.3f} .. {points.normal_high:+.3f}",
            f"deals needed      {', '.join(needed)}",
        ]
        if self.fair < 0.5:
            lines.append(f"alone / as field  {self.lone[0]:+.3f} / {self.lone[1]:+.3f}")
        if self.wins is not None:
            won = f"{self.wins.mean:.1%}  95% {self.wins.low:.1%} .. {self.wins.high:.1%}"
            lines.append(f"matches won       {won}  of {self.wins.units} (fair {self.fair:.1%})")
        lines.append(f"illegal attempts  {self.illegal_a} / {self.illegal_b}")
        lines.append(f"better            {self.winner or 'not decided: the interval spans zero'}")
        return "\n".join(lines)


# --- comparing ---------------------------------------------------------------------------------------------------------------


def duplicate(
    game: Game, rules, agent_a: Agent, agent_b: Agent, deals: int, seed: int, *, matches: int = 0,
    names: tuple[str, str] = ("a", "b"), progress: Progress | None = None,
) -> Result:  # fmt: skip
    """Play `deals` deals, and `matches` whole matches, in every seating of the two agents.

    Two sides: a on each side once. More: a alone in each seat against a field of b, and the reverse. `progress` is called with
    (units done, units in all).
    """
    play = Play(game, rules, (agent_a, agent_b), seed, deals + matches, progress)
    margins = play.margins(play.episodes(deals, "deal"))
    wins = wins_b = None
    if matches:
        shares = play.episodes(matches, "match")
        wins = estimate(play.lone(shares, A), seed)
        wins_b = float(play.lone(shares, B).mean())
    return Result(
        a=names[A],
        b=names[B],
        points=estimate(margins.mean(axis=1), seed),
        lone=tuple(float(margins[:, play.lone_rows(agent)].mean()) for agent in (A, B)),
        wins=wins,
        wins_b=wins_b,
        fair=1 / rules.num_sides,
        illegal_a=int(play.illegal[A]),
        illegal_b=int(play.illegal[B]),
        seed=seed,
    )


def compare(
    game: str, a: str, b: str, *, deals: int = 2000, matches: int = 0, seed: int = 0, preset: str = "seed",
    options: dict | None = None, progress: Progress | None = None,
) -> Result:  # fmt: skip
    """`duplicate` from plain values: names of agents as on the command line, a preset, and single options by name."""
    found = load_game(game)
    rules = found.rules(preset, **(options or {}))
    agent_a, agent_b = load(a, found, rules, seed), load(b, found, rules, seed + 1)
    return duplicate(found, rules, agent_a, agent_b, deals, seed, matches=matches, names=(a, b), progress=progress)


def ladder(
    game: Game, rules, agent: Agent, opponents: dict[str, Agent], deals: int, seed: int, *, matches: int = 0, name: str = "a",
    progress: Progress | None = None,
) -> list[Result]:  # fmt: skip
    """One agent against several on the same deals, so that the results can be compared with each other."""
    settings = {"matches": matches, "progress": progress}
    return [
        duplicate(game, rules, agent, opponent, deals, seed, names=(name, other), **settings)
        for other, opponent in opponents.items()
    ]


def ladder_table(results: list[Result]) -> str:
    """A line for each comparison."""
    lines = [
        f"{'a':<16} {'b':<16} {'points a deal':>13} {'95% interval':>20} {'deals':>7} {'matches':>8} {'illegal':>8}  better",
    ]
    for result in results:
        interval = f"{result.low:+.3f} .. {result.high:+.3f}"
        won = "-" if result.wins is None else f"{result.wins.mean:.1%}"
        lines.append(
            f"{result.a:<16.16} {result.b:<16.16} {result.mean:>+13.3f} {interval:>20} {result.points.units:>7} {won:>8} "
            f"{result.illegal:>8}  {result.winner or 'not decided'}"
        )
    return "\n".join(lines)


def every_seating(num_sides: int) -> np.ndarray:
    """int64 [R, sides]: which agent plays each side in each replay of a deal."""
    alone = np.eye(num_sides, dtype=np.int64)
    return alone[::-1] if num_sides == 2 else np.concatenate([1 - alone, alone])


class Play:
    """Plays episodes in every seating of two agents and keeps count of illegal attempts."""

    def __init__(self, game: Game, rules, agents: tuple[Agent, Agent], seed: int, units: int, progress: Progress | None = None):
        self.game, self.rules, self.agents, self.seed = game, rules, agents, seed
        self.seatings = every_seating(rules.num_sides)  # [R, sides]
        self.illegal = np.zeros(2, np.int64)
        self._done, self._units, self._progress = 0, units, progress

    def episodes(self, units: int, episode: str) -> np.ndarray:
        """[units, R, sides]: by side its gain in a deal, or its share of the win of a match."""
        replays = len(self.seatings)
        at_once = max(1, ROWS_AT_ONCE // replays)
        found = []
        for first in range(0, units, at_once):
            tables = np.arange(first, min(first + at_once, units))
            found.append(self._batch(np.repeat(tables, replays), episode).reshape(len(tables), replays, -1))
            self._done += len(tables)
            if self._progress:
                self._progress(self._done, self._units)
        return np.concatenate(found)

    def margins(self, gains: np.ndarray) -> np.ndarray:
        """[units, R] of gains [units, R, sides]: mean gain of a's sides less that of b's."""
        is_b = self.seatings
        num_a, num_b = (is_b == A).sum(axis=1), (is_b == B).sum(axis=1)
        gained_a, gained_b = (gains * (is_b == A)).sum(axis=2), (gains * (is_b == B)).sum(axis=2)
        return (num_b * gained_a - num_a * gained_b) / (num_a * num_b)

    def lone_rows(self, agent: int) -> np.ndarray:
        """The replays in which the agent has one side only."""
        return np.flatnonzero((self.seatings == agent).sum(axis=1) == 1)

    def lone(self, shares: np.ndarray, agent: int) -> np.ndarray:
        """[units]: the agent's own share where it has one side only."""
        rows = self.lone_rows(agent)
        return (shares * (self.seatings == agent))[:, rows].sum(axis=2).mean(axis=1)

    def _batch(self, tables: np.ndarray, episode: str) -> np.ndarray:
        """[rows, sides] of one batch: row r plays table tables[r] of the seed in seating r % R."""
        sides = self.rules.num_sides
        vec = VecEnv(
            self.game, self.rules, len(tables), episode=episode, reward="win", observation="bits", autoreset="disabled",
            skip_forced=True, copy=False,
        )  # fmt: skip
        plays = np.tile(self.seatings, (len(tables) // len(self.seatings), 1))  # [rows, sides]
        view = vec.reset(seed=self.seed, tables=tables)
        running = np.ones(len(tables), np.bool_)
        shares = np.zeros((len(tables), sides))
        while running.any():
            view = vec.step(self._actions(view, np.flatnonzero(running), plays))
            ended = running & view.done
            shares[ended] = (view.rewards[ended, :sides] * (sides - 1) + 1) / sides
            running &= ~ended
        return vec.gains if episode == "deal" else shares

    def _actions(self, view, rows: np.ndarray, plays: np.ndarray) -> np.ndarray:
        """An action for every row that is still running, each from the agent that holds the seat to act."""
        actions = np.zeros(len(plays), np.int64)
        acting = plays[rows, view.seat[rows] % self.rules.num_sides]
        for agent in (A, B):
            own = rows[acting == agent]
            if len(own):
                actions[own] = self._chosen(agent, Views(view.observation[own], view.legal[own]))
        return actions

    def _chosen(self, agent: int, views: Views) -> np.ndarray:
        """What the agent does; an illegal attempt is counted, and the lowest legal action played instead."""
        chosen = np.asarray(self.agents[agent].act_batch(views)).astype(np.int64)
        wrong = ~is_legal(chosen, views.legal)
        if wrong.any():
            self.illegal[agent] += int(wrong.sum())
            chosen[wrong] = legal_flags(views.legal[wrong]).argmax(axis=1)
        return chosen


# --- intervals ---------------------------------------------------------------------------------------------------------------


def estimate(values: np.ndarray, seed: int) -> Estimate:
    """Mean of independent units [n] with its intervals."""
    mean, sd = float(values.mean()), float(values.std(ddof=1)) if len(values) > 1 else 0.0
    reach = _quantile(CONFIDENCE) * sd / np.sqrt(len(values))
    low, high = bootstrap(values, seed)
    return Estimate(mean, low, high, mean - reach, mean + reach, sd, len(values))


def bootstrap(values: np.ndarray, seed: int) -> tuple[float, float]:
    """The bias-corrected and accelerated bootstrap interval (Efron 1987) of the mean of independent units.

    Gains take few different values, so a resample is a multinomial draw of how often each value comes.
    """
    different, counts = np.unique(values, return_counts=True)
    if len(different) == 1:
        return float(different[0]), float(different[0])
    random = np.random.default_rng(seed)
    means = random.multinomial(len(values), counts / len(values), size=RESAMPLES) @ different / len(values)
    off = values - values.mean()
    acceleration = (off**3).sum() / (6 * (off**2).sum() ** 1.5)
    below = (np.count_nonzero(means < values.mean()) + np.count_nonzero(means <= values.mean())) / 2
    bias = NormalDist().inv_cdf(min(max(below / RESAMPLES, 1 / RESAMPLES), 1 - 1 / RESAMPLES))
    z = bias + np.array([-1, 1]) * _quantile(CONFIDENCE)
    shares = [NormalDist().cdf(bias + step / (1 - acceleration * step)) for step in z]
    low, high = np.quantile(means, shares)
    return float(low), float(high)


def _quantile(confidence: float) -> float:
    """How many standard errors the normal interval reaches to either side."""
    return NormalDist().inv_cdf((1 + confidence) / 2)
