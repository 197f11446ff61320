"""The same matches by every way of running the kernels, as one hash.

    python -m tests.parity KIND SETUP NUM_TABLES NUM_STEPS [FIRST_TABLE]

KIND is "batch" (serial; NUMBA_DISABLE_JIT=1 interprets it), "parallel", or "scalar" (one `Table` after another). SETUP is one
of SETUPS. Prints one hash a table, over seats, masks, observations (words and bytes), rewards, ends and final scores of every
step; episodes follow each other, so a hash covers whole matches. Deals and choices depend on the table alone: ways and splits
can be compared hash by hash.
"""

from __future__ import annotations

import hashlib
import sys

import numpy as np

import card_envs
from card_envs.cards import NUM_CARDS
from card_envs.games import load
from card_envs.table import Table

SEED = 2024
SETUPS = {  # game, preset, options
    "seed": ("pitch", "seed", {"num_players": 4}),
    "setback": ("pitch", "setback", {"num_players": 4}),
    "bicycle": ("pitch", "bicycle", {"num_players": 3}),
    "smudge": ("pitch", "smudge", {"num_players": 5}),
    "moon": ("pitch", "setback", {"num_players": 6, "moon": "bid", "moon_made": "game", "moon_failed": "lose_game"}),
    "trump_only": ("pitch", "seed", {"num_players": 7, "follow_rule": "trump_only", "all_pass": "eldest_pitches",
                                     "hand_size": 7, "game_tie": "dealer_side", "redeal_poor_hand": True}),
    "setback6": ("pitch", "setback6", {"max_hands": 3}),
    "partners_10pt": ("pitch", "partners_10pt", {"max_hands": 3}),
    "kitty": ("pitch", "seed", {"num_players": 5, "kitty": 3, "jokers": 2, "off_jack": True, "joker_rank": "lowest", "max_hands": 3}),
    "draw": ("pitch", "seed", {"num_players": 3, "draw": "all", "hand_size": 8, "jokers": 1, "moon": "bid", "max_hands": 3}),
    **{f"spades_{preset}": ("spades", preset, {"max_hands": 2}) for preset in load("spades").presets},
    "spades_exchange": ("spades", "standard", {"max_hands": 2, "blind_nil_deficit": 0, "blind_nil_pass": 4, "nil_pass": 3,
                                               "double_nil_score": "unit", "moon": 200, "blind_bid": "six_seven"}),
    "spades_jokers": ("spades", "cutthroat", {"max_hands": 2, "num_players": 3, "deck": "jokers", "first_hand_bids": True}),
    "spades_auction": ("spades", "seed_auction", {"max_hands": 2, "num_players": 6, "deck": "no_deuces", "nil_fail": "minus"}),
    "pit_seed": ("pit", "seed", {"num_players": 4, "max_rounds": 5}),  # matches that are cut soon, so that some end in any run
    "pit_seed_cards": ("pit", "seed_cards", {"num_players": 5, "max_rounds": 5}),
    "pit_jumps": ("pit", "jumps", {"num_players": 3, "max_rounds": 5, "start_burden": 4}),
    "pit_free_play": ("pit", "free_play", {"num_players": 6, "max_rounds": 4}),
    "pit_alone_matters": ("pit", "alone_matters", {"num_players": 4, "max_rounds": 5, "start_burden": 5}),
    "pit_grow": ("pit", "grow", {"num_players": 3, "max_rounds": 5, "start_burden": 10}),
    "pit_points": ("pit", "points", {"num_players": 4, "max_rounds": 5}),
    "pit_reentry": ("pit", "jumps", {"num_players": 5, "max_rounds": 5, "pass_reentry": True, "min_bid": 1, "trump": "once",
                                     "pit_bank": "unlimited", "alone_outbid": "penalised", "set_basis": "all_lost",
                                     "points_mode": "discards", "points_target": 12, "void_rotates_deal": True}),
    "pit_decided": ("pit", "points", {"num_players": 3, "max_rounds": 5, "stop": "decided", "all_pass": "forced_now",
                                      "pit_bank": "round", "alone_set": "shortfall", "points_mode": "round_win"}),
}  # fmt: skip


def choose(legal: np.ndarray, tables: np.ndarray, step: int) -> np.ndarray:
    """An action for each table, int64 [B], from its mask [B, A]: a function of the mask, the table and the step.

    Mostly a pass or the lowest bid, any card: matches are shorter than under random bids, which mostly fail.
    """
    mixed = (tables.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(step)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(0x94D049BB133111EB)
    number = (mixed >> np.uint64(40)).astype(np.int64)
    count = legal.sum(axis=1, dtype=np.int64)
    modest = ~legal[:, :NUM_CARDS].any(axis=1) & (number % 16 != 0)
    place = number // 16 % np.where(modest, np.minimum(count, 2), count)
    return np.argmax(np.cumsum(legal, axis=1) > place[:, None], axis=1)


class Hashes:
    """One running hash a table."""

    def __init__(self, num_tables: int):
        self.running = [hashlib.sha256() for _ in range(num_tables)]

    def add(self, *parts: np.ndarray) -> None:
        """Parts have the table as first axis."""
        flat = [np.ascontiguousarray(part).reshape(len(part), -1).view(np.uint8) for part in parts]
        for running, row in zip(self.running, np.concatenate(flat, axis=1)):
            running.update(row)

    def texts(self) -> list[str]:
        return [running.hexdigest()[:16] for running in self.running]


def batch(setup: str, num_tables: int, num_steps: int, first: int = 0, threads: int = 1) -> tuple[list[str], int]:
    """Hashes by table, and the matches that ended."""
    name, preset, options = SETUPS[setup]
    vec = card_envs.make_vec(name, num_tables, preset=preset, threads=threads, **options)
    tables = np.arange(first, first + num_tables)
    view = vec.reset(seed=SEED, tables=tables)
    hashes = Hashes(num_tables)
    ended = 0
    for step in range(num_steps):
        words = vec.layout.pack(view.observation)
        hashes.add(view.seat, view.action_mask, words, view.observation)
        view = vec.step(choose(view.action_mask, tables, step))
        final = np.where(view.done[:, None], view.final_scores, 0)
        hashes.add(view.rewards, view.terminated, view.truncated, final)
        ended += int(view.done.sum())
    return hashes.texts(), ended


def scalar(setup: str, num_tables: int, num_steps: int, first: int = 0) -> tuple[list[str], int]:
    """The same with one table at a time."""
    name, preset, options = SETUPS[setup]
    game = load(name)
    table = Table(game, game.rules(preset, **options), reward="win")
    num_sides = table.rules.num_sides
    hashes = Hashes(num_tables)
    ended = 0
    for row in range(num_tables):
        one = Hashes(1)
        one.running = hashes.running[row : row + 1]
        index = np.array([first + row])
        table.seed(SEED, first + row)
        table.reset()
        for step in range(num_steps):
            mask, words = table.mask()[None], table.words(table.turn)[None]
            one.add(np.array([table.turn]), mask, words, table.layout.spread(words))
            earned = table.step(int(choose(mask, index, step)[0]))
            end = int(table.record.ended)
            final = np.array([table.scores() if end else [0] * num_sides], np.int32)
            one.add(earned[None], np.array([end == 1]), np.array([end == 2]), final)
            if end:
                ended += 1
                table.reset()
    return hashes.texts(), ended


def main(kind: str, setup: str, *numbers: str) -> None:
    ways = {"batch": batch, "parallel": lambda *given: batch(*given, threads=2), "scalar": scalar}
    hashes, ended = ways[kind](setup, *map(int, numbers))
    print(ended, *hashes)


if __name__ == "__main__":
    main(*sys.argv[1:])
