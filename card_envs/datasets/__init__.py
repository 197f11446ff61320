"""Datasets of play: deals that agents played, as records and as arrays that are ready for learning.

    generate("<game>", ["expert"], deals=100_000, out="data/expert")     # or `card-envs generate`
    for shard in shards("data/expert"): ...                              # a dict of arrays, a row a decision

A folder holds `dataset.json`, `README.md` and, for each shard, `shard_00000.npz` and `shard_00000.jsonl` (records that
`card_envs.record` replays). `card_envs.datasets.torch_loader` feeds them to PyTorch.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from card_envs.agents import Views, is_legal, legal_flags
from card_envs.agents import load as load_agent
from card_envs.arena import HELD_OUT_SEEDS
from card_envs.envs.vector import VecEnv
from card_envs.game import Game, OptionError
from card_envs.games import load
from card_envs.layout import Layout
from card_envs.record import FORMAT, rules_text

FACTS, CARD = "dataset.json", "README.md"
SHARD_DEALS = 4096
COLUMNS = {  # of a shard: what each array says of a decision
    "observation": "uint8 [N, O / 8]: what the seat to act saw, a bit a column, lowest first",
    "action_mask": "uint8 [N, ceil(A / 8)]: what it might do, in the same way",
    "action": "int16 [N]: what it did",
    "seat": "uint8 [N]: who it was",
    "agent": "uint8 [N]: which of the agents decided, a place in `agents`",
    "deal": "int64 [N]: the table of the seed whose first deal this is",
    "move": "int16 [N]: how many actions of the deal came before",
    "return": "float32 [N]: points that the seat earned from here to the end of the deal",
}

Progress = Callable[[int, int], None]


class DatasetError(ValueError):
    """A folder that does not hold the dataset that was asked for."""


@dataclass(frozen=True)
class Dataset:
    """What a folder of shards holds."""

    path: Path
    game: Game
    rules: object
    facts: dict

    @property
    def layout(self) -> Layout:
        return self.game.layout(self.rules)

    @property
    def num_actions(self) -> int:
        return len(self.game.action_names(self.rules))

    def files(self) -> list[Path]:
        """The shards that are there."""
        return sorted(self.path.glob("shard_*.npz"))

    def observations(self, packed: np.ndarray) -> np.ndarray:
        """uint8 [N, O] of the packed bits of a shard."""
        return np.unpackbits(packed, axis=1, count=self.layout.width, bitorder="little")

    def masks(self, packed: np.ndarray) -> np.ndarray:
        """bool [N, A] of the packed bits of a shard."""
        return np.unpackbits(packed, axis=1, count=self.num_actions, bitorder="little").astype(np.bool_)

    def rows(self, file: Path) -> dict[str, np.ndarray]:
        """The arrays of COLUMNS, with `observation` uint8 [N, O] and `action_mask` bool [N, A] unpacked."""
        with np.load(file) as packed:
            found = dict(packed)
        found["observation"], found["action_mask"] = self.observations(found["observation"]), self.masks(found["action_mask"])
        return found


def open_dataset(path: str | Path) -> Dataset:
    """The dataset in a folder. Raises DatasetError where there is none, or its observations are laid out in another way."""
    path = Path(path)
    if not (path / FACTS).is_file():
        raise DatasetError(f"{path} holds no dataset: `card-envs generate` writes one")
    facts = json.loads((path / FACTS).read_text(encoding="utf-8"))
    game = load(facts["game"])
    rules = game.rules(num_players=facts["num_players"], **facts["rules"])
    if facts["layout"] != game.layout(rules).hash:
        raise DatasetError(f"{path} was written with another layout of observations: generate it anew, or replay its records")
    return Dataset(path, game, rules, facts)


def shards(path: str | Path) -> Iterator[dict[str, np.ndarray]]:
    """`Dataset.rows` of each shard of a folder."""
    found = open_dataset(path)
    for file in found.files():
        yield found.rows(file)


# --- writing -----------------------------------------------------------------------------------------------------------------


def generate(
    game: str, agents: list[str], deals: int, out: str | Path, *, seed: int = 0, preset: str = "seed",
    shard_deals: int = SHARD_DEALS, progress: Progress | None = None, **options,
) -> Dataset:  # fmt: skip
    """Let agents play `deals` deals, each with new scores, and write them to `out`.

    Of several agents, the one at seat s of deal d is agents[(s + d) % len(agents)]. What is there already is kept, so a run that
    was broken off goes on, and one with more deals adds to it; the result is the same as in one go. Raises DatasetError where
    the folder holds something else, OptionError for a seed of the deals that are held out for published results.
    """
    if seed in HELD_OUT_SEEDS:
        raise OptionError(f"seed={seed}: these deals are held out for published results; take one below {HELD_OUT_SEEDS.start}")
    if deals < 1 or shard_deals < 1:
        raise OptionError(f"deals={deals}, shard_deals={shard_deals}: must be at least 1")
    found = load(game)
    rules = found.rules(preset, **options)
    for name in agents:
        load_agent(name, found, rules)  # a wrong name fails before anything is written
    facts = {
        "format": "card-envs-dataset/1", "game": game, "num_players": rules.num_players, "rules": rules_text(found, rules, preset),
        "agents": list(agents), "seed": seed, "shard_deals": shard_deals, "layout": found.layout(rules).hash,
        "columns": COLUMNS, "num_actions": len(found.action_names(rules)), "observation_width": found.layout(rules).width,
    }  # fmt: skip
    path = Path(out)
    path.mkdir(parents=True, exist_ok=True)
    _check_same(path, facts)
    _write_text(path / FACTS, json.dumps(facts, indent=2) + "\n")
    dataset = Dataset(path, found, rules, facts)
    for first in range(0, deals, shard_deals):
        tables = np.arange(first, min(first + shard_deals, deals))
        file = path / f"shard_{first // shard_deals:05d}.npz"
        if _counts(file)[0] < len(tables):
            _write_shard(dataset, file, tables)
        if progress:
            progress(int(tables[-1]) + 1, deals)
    _write_text(path / CARD, card(dataset))
    return dataset


def card(dataset: Dataset) -> str:
    """The dataset card, in Markdown."""
    facts, files = dataset.facts, dataset.files()
    counts = [_counts(file) for file in files]
    rules = ", ".join(f"{name}={value}" for name, value in facts["rules"].items())
    columns = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in COLUMNS.items())
    return (
        f"# {facts['game']}, {facts['num_players']} players, by {', '.join(facts['agents'])}\n\n"
        f"{sum(deals for deals, _ in counts)} deals, {sum(rows for _, rows in counts)} decisions, {len(files)} shards; "
        f"rules: {rules}; seed {facts['seed']}; O = {facts['observation_width']} columns of an observation, "
        f"A = {facts['num_actions']} actions. Every deal starts from new scores; decisions with one legal action are there too.\n\n"
        f"| array | meaning |\n| --- | --- |\n{columns}\n\n"
        "`np.unpackbits(array, axis=1, bitorder='little')` unpacks the bits. The `.jsonl` beside a shard holds the same deals as "
        "records; `card-envs replay` shows them. `card-envs rules GAME --observation` names the columns.\n"
    )


def _check_same(path: Path, facts: dict) -> None:
    if not (path / FACTS).is_file():
        return
    there = json.loads((path / FACTS).read_text(encoding="utf-8"))
    for name, value in json.loads(json.dumps(facts)).items():
        if there.get(name) != value:
            raise DatasetError(f"{path} holds another dataset: {name} is {there.get(name)!r} there, {value!r} is asked for")


def _counts(file: Path) -> tuple[int, int]:
    """(deals, decisions) of a shard; (0, 0) where there is none."""
    if not file.is_file():
        return 0, 0
    with np.load(file) as rows:
        return len(np.unique(rows["deal"])), len(rows["deal"])


def _write_shard(dataset: Dataset, file: Path, tables: np.ndarray) -> None:
    """The records first: a shard is there when its arrays are."""
    rows = _play(dataset, tables)
    records = "".join(json.dumps(record) + "\n" for record in _records(dataset, rows))
    _write_text(file.with_suffix(".jsonl"), records)
    partial = file.with_suffix(".partial")
    with open(partial, "wb") as stream:
        np.savez_compressed(stream, **rows)
    os.replace(partial, file)


def _write_text(file: Path, text: str) -> None:
    partial = file.with_suffix(".partial")
    partial.write_text(text, encoding="utf-8")
    os.replace(partial, file)


def _records(dataset: Dataset, rows: dict) -> Iterator[dict]:
    """A record a deal: its cards are what the table of the seed is dealt, its players those agents."""
    facts, names = dataset.facts, dataset.game.action_names(dataset.rules)
    fixed = {"format": FORMAT, **{name: facts[name] for name in ("game", "num_players", "rules", "seed")}}
    deals, starts = np.unique(rows["deal"], return_index=True)
    for deal, actions in zip(deals.tolist(), np.split(rows["action"], starts[1:])):
        seated = [facts["agents"][place] for place in _seated(dataset, np.array([deal]))[0]]
        played = [names[action] for action in actions.tolist()]
        yield {**fixed, "table": deal, "agents": seated, "deals": [{"actions": played}]}


def _seated(dataset: Dataset, tables: np.ndarray) -> np.ndarray:
    """int64 [B, P]: the place in `agents` of who plays each seat of these deals."""
    return (tables[:, None] + np.arange(dataset.rules.num_players)) % len(dataset.facts["agents"])


def _play(dataset: Dataset, tables: np.ndarray) -> dict[str, np.ndarray]:
    """COLUMNS of these deals, played side by side; the rows of a deal lie together, in order."""
    game, rules, facts = dataset.game, dataset.rules, dataset.facts
    agents = [
        load_agent(
            name, game, rules, seed=int(np.random.SeedSequence((facts["seed"], int(tables[0]), place)).generate_state(1)[0])
        )
        for place, name in enumerate(facts["agents"])
    ]
    vec = VecEnv(game, rules, len(tables), episode="deal", reward="score", observation="bits", autoreset="disabled", copy=False)
    seated = _seated(dataset, tables)
    view = vec.reset(seed=facts["seed"], tables=tables)
    running, moves = np.ones(len(tables), np.bool_), 0
    earned = np.zeros((len(tables), rules.num_players), np.float32)
    steps = []
    while running.any():
        rows = np.flatnonzero(running)
        seats = view.seat[rows]
        decides = seated[rows, seats]
        words, legal = view.observation[rows], view.legal[rows]
        chosen = np.zeros(len(rows), np.int64)
        for place, agent in enumerate(agents):
            own = decides == place
            if own.any():
                chosen[own] = agent.act_batch(Views(words[own], legal[own]))
        _check_legal(facts["agents"], decides, chosen, legal)
        steps.append((rows, words, legal, chosen, seats, decides, np.full(len(rows), moves), earned[rows, seats]))
        actions = np.zeros(len(tables), np.int64)
        actions[rows] = chosen
        view, moves = vec.step(actions), moves + 1
        earned[rows] += view.rewards[rows]
        running &= ~view.done
    row, words, legal, action, seat, agent, move, before = (np.concatenate(parts) for parts in zip(*steps))
    order = np.lexsort((move, row))
    found = {
        "observation": _observation_bits(words, dataset.layout),
        "action_mask": np.packbits(legal_flags(legal)[:, : dataset.num_actions], axis=1, bitorder="little"),
        "action": action.astype(np.int16),
        "seat": seat.astype(np.uint8),
        "agent": agent.astype(np.uint8),
        "deal": tables[row].astype(np.int64),
        "move": move.astype(np.int16),
        "return": earned[row, seat] - before,
    }
    return {name: array[order] for name, array in found.items()}


def _observation_bits(words: np.ndarray, layout: Layout) -> np.ndarray:
    """uint8 [N, O / 8]: the bytes of words int64 [N, K] that hold columns of the vector."""
    octets = np.ascontiguousarray(words, "<i8").view(np.uint8).reshape(len(words), layout.num_words, 8)
    return octets[:, np.arange(8) < layout.num_bytes[:, None]]


def _check_legal(names, decides, chosen, legal) -> None:
    wrong = np.flatnonzero(~is_legal(chosen, legal))
    if len(wrong):
        name = names[decides[wrong[0]]]
        raise DatasetError(
            f"agent {name!r} chose action {int(chosen[wrong[0]])}, which is not legal: nothing of this shard is kept"
        )
