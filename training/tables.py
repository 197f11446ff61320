"""The tables of one process: a batch for each set of rules, shown as one batch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import card_envs
from training.config import Config, ConfigError
from training.processes import derive_seed


@dataclass(frozen=True)
class TablesView:
    """What all tables show, one set of rules after the other, as a batch does; seats that a table lacks are paid nothing."""

    observation: np.ndarray  # uint8 [B, O]
    action_mask: np.ndarray  # int8 [B, A]
    seat: np.ndarray  # int64 [B]
    rewards: np.ndarray  # float32 [B, P]
    done: np.ndarray  # bool [B]


class Tables:
    """Batches (`parts`) that one network can play, stepped as one; it has what a trainer asks of a batch."""

    def __init__(self, parts: list):
        first = parts[0]
        for part in parts:
            if (part.layout.hash, part.num_actions) != (first.layout.hash, first.num_actions):
                counts = f"{first.num_players} and {part.num_players} players"
                raise ConfigError(f"env.players: under these rules the observations of {counts} are not of one form")
        self.parts, self.game, self.layout = parts, first.game, first.layout
        self.num_envs = sum(part.num_envs for part in parts)
        self.num_players = max(part.num_players for part in parts)
        self.num_actions, self.observation_width = first.num_actions, first.observation_width
        self.action_names = [
            next((name for name in names if name), None) for names in zip(*(part.action_names for part in parts), strict=True)
        ]
        self._edges = np.cumsum([part.num_envs for part in parts])[:-1]

    @property
    def kinds(self) -> dict[int, object]:
        """One of the batches for each number of players."""
        return {part.num_players: part for part in self.parts}

    def reset(self):
        return self._joined([part.reset() for part in self.parts])

    def step(self, actions: np.ndarray):
        return self._joined([part.step(own) for part, own in zip(self.parts, np.split(actions, self._edges), strict=True)])

    def get_state(self) -> list[bytes]:
        return [part.get_state() for part in self.parts]

    def set_state(self, state: list[bytes]):
        return self._joined([part.set_state(own) for part, own in zip(self.parts, state, strict=True)])

    def _joined(self, views: list):
        if len(views) == 1:
            return views[0]
        rewards = [np.pad(view.rewards, ((0, 0), (0, self.num_players - view.rewards.shape[1]))) for view in views]
        names = ("observation", "action_mask", "seat", "done")
        return TablesView(rewards=np.concatenate(rewards), **{
            name: np.concatenate([getattr(view, name) for view in views]) for name in names
        })  # fmt: skip


def make_tables(config: Config, rank: int) -> Tables:
    """The tables of a process, as many for each entry of `env.players`."""
    counts = config.player_counts
    sizes = [len(rows) for rows in np.array_split(np.arange(config.num_envs), len(counts))]
    parts = []
    for place, (num_players, num_envs) in enumerate(zip(counts, sizes, strict=True)):
        made = card_envs.make_vec(
            config.game,
            num_envs=num_envs,
            num_players=num_players,
            preset=config.preset,
            episode=config.episode,
            reward=config.reward or None,
            seed=derive_seed(config.seed, f"training deals {place}" if place else "training deals", rank),
            observation="uint8",
            autoreset="same_step",
            skip_forced=True,
            copy=False,
            pad_seats=config.env.pad_seats,
            relabel_trump=config.env.relabel_trump,
            **config.options,
        )
        parts.append(made)
    return Tables(parts)
