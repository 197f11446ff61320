"""Minari: game records as a dataset of offline reinforcement learning, an episode for each seat of each deal.

from card_envs.adapters.minari import to_minari
from card_envs.record import read

dataset = to_minari("<game>/expert-v0", read("data/expert/shard_00000.jsonl"))
dataset.recover_environment()       # the seat, in Gymnasium
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable

import gymnasium
import numpy as np

from card_envs.adapters import require
from card_envs.games import GAMES
from card_envs.record import RecordError, moments, rules_text
from card_envs.table import Table

minari = require("minari", "minari", "minari", "0.5.3", "0.6")
EpisodeBuffer = importlib.import_module("minari.data_collector").EpisodeBuffer


def to_minari(dataset_id: str, records: Iterable[dict], **settings):
    """Write records of one game and one set of rules as a Minari dataset, and return that; settings are Minari's own.

    Observations are {"observation": int8 [O], "action_mask": int8 [A]}, as layout="dict" shows them; a step's reward is what the
    seat earned until it acts again. An episode ends `terminated` with its deal, `truncated` where the record stops before; a seat
    that never acts has none. Raises RecordError for a record that cannot be played, or is of other rules than the first.
    """
    episodes, played = [], None
    for index, record in enumerate(records):
        table, found = _episodes(record, index)
        rules = (table.game.name, table.rules)
        if played is not None and rules != played:
            raise RecordError("is of another game, or of other rules, than the first: a dataset has one", index)
        played, preset = rules, record.get("rules", {}).get("preset", "seed")
        episodes += found
    if played is None:
        raise RecordError("no records: a dataset needs one at least")
    buffers = [EpisodeBuffer(id=number, **episode) for number, episode in enumerate(episodes)]
    game, rules = table.game, table.rules
    env = gymnasium.make(
        f"card_envs/{game.name.capitalize()}-v{GAMES[game.name]}", layout="dict", episode="deal",
        num_players=rules.num_players, **rules_text(game, rules, preset),
    )  # fmt: skip
    settings = {"eval_env": env, "requirements": ["card-envs"], **settings}
    return minari.create_dataset_from_buffers(dataset_id, buffers, env=env, **settings)


def _episodes(record: dict, index: int) -> tuple[Table, list[dict]]:
    """The table of a record, and what every seat went through in each of its deals."""
    found, seats = [], {}
    for moment in moments(record, index):
        table = moment.table
        if moment.action is None:
            seats = {seat: _Seat(seat) for seat in range(table.rules.num_players)}
        else:
            seats[moment.seat].actions.append(table.action_names.index(moment.action))
            for seat, earned in enumerate(table.earned()):
                seats[seat].earn(earned)
        if moment.position["to_act"] is None:
            found += [seat.episode(table, True) for seat in seats.values() if seat.actions]
            seats = {}
        else:
            seats[table.turn].look(table)
    return table, found + [seat.episode(table, False) for seat in seats.values() if seat.actions]


class _Seat:
    """One seat's way through a deal."""

    def __init__(self, seat: int):
        self.seat = seat
        self.seen, self.masks, self.actions, self.rewards = [], [], [], []

    def look(self, table: Table) -> None:
        self.seen.append(table.layout.spread(table.words(self.seat)).astype(np.int8))
        self.masks.append(table.mask().astype(np.int8))
        self.rewards.append(0.0)

    def earn(self, points: float) -> None:
        if self.rewards:
            self.rewards[-1] += points

    def episode(self, table: Table, over: bool) -> dict:
        """Minari's arrays: one observation more than actions."""
        steps = len(self.actions)
        if len(self.seen) == steps:
            self.look(table)
            self.masks[-1][:] = 0
        ends = np.arange(steps) == steps - 1
        return {
            "observations": {"observation": np.array(self.seen), "action_mask": np.array(self.masks)},
            "actions": np.array(self.actions, np.int64),
            "rewards": np.array(self.rewards[:steps]),
            "terminations": ends & over,
            "truncations": ends & (not over),
        }
