"""Datasets of play: what is written is what was played, a broken run goes on to the same files, PyTorch reads it."""

from __future__ import annotations

import json

import numpy as np
import pytest

import card_envs
from card_envs.arena import HELD_OUT_SEEDS
from card_envs.datasets import COLUMNS, DatasetError, generate, open_dataset, shards
from card_envs.game import OptionError
from card_envs.record import moments, read


def written(path):
    """{file name: its arrays, or its text} of a folder."""
    found = {}
    for file in sorted(path.iterdir()):
        found[file.name] = dict(np.load(file)) if file.suffix == ".npz" else file.read_text(encoding="utf-8")
    return found


def same(first, second) -> bool:
    if set(first) != set(second):
        return False
    return all(
        value == second[name]
        if isinstance(value, str)
        else all(np.array_equal(value[key], second[name][key]) for key in COLUMNS)
        for name, value in first.items()
    )


@pytest.mark.parametrize("game", card_envs.games())
def test_the_arrays_are_the_replayed_records(game, tmp_path):
    """Every decision of ten deals, beside the replay of its record."""
    dataset = generate(game, ["basic", "random"], 10, tmp_path, seed=7, shard_deals=4)
    assert [file.name for file in dataset.files()] == ["shard_00000.npz", "shard_00001.npz", "shard_00002.npz"]
    for file in dataset.files():
        rows, at = dataset.rows(file), 0
        assert set(rows) == set(COLUMNS)
        for record in read(file.with_suffix(".jsonl")):
            first, earned = at, []
            for moment in moments(record):
                table = moment.table
                if moment.action is not None:
                    assert table.action_names[rows["action"][at]] == moment.action
                    earned.append(table.earned())
                    at += 1
                if moment.position["to_act"] is None:
                    continue
                seat = table.turn
                assert (rows["deal"][at], rows["move"][at], rows["seat"][at]) == (record["table"], at - first, seat)
                assert ["basic", "random"][rows["agent"][at]] == record["agents"][seat]
                assert rows["observation"][at].tolist() == table.layout.spread(table.words(seat)).tolist()
                assert rows["action_mask"][at].tolist() == (table.mask() != 0).tolist()
            still = np.cumsum(np.array(earned)[::-1], axis=0)[::-1]
            assert rows["return"][first:at].tolist() == still[np.arange(at - first), rows["seat"][first:at]].tolist()
        assert at == len(rows["action"])


def test_agents_take_turns_at_the_seats(tmp_path):
    generate("pitch", ["basic", "random"], 2, tmp_path)
    seated = [record["agents"] for record in read(tmp_path / "shard_00000.jsonl")]
    assert seated == [["basic", "random"] * 2, ["random", "basic"] * 2]


def test_a_broken_run_goes_on_to_the_same_files(tmp_path, monkeypatch):
    """Agents that draw, more deals later, a shard that is missing: all as in one go."""
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    settings = {"seed": 3, "shard_deals": 4, "preset": "setback"}
    generate("pitch", ["random"], 10, whole, **settings)
    for deals in (3, 9, 10):
        generate("pitch", ["random"], deals, parts, **settings)
    assert same(written(whole), written(parts))
    kept = (parts / "shard_00000.npz").stat().st_mtime_ns
    (parts / "shard_00001.npz").unlink()
    generate("pitch", ["random"], 10, parts, **settings)
    assert same(written(whole), written(parts)) and (parts / "shard_00000.npz").stat().st_mtime_ns == kept
    assert "10 deals" in (whole / "README.md").read_text(encoding="utf-8")


def test_a_folder_keeps_what_it_holds(tmp_path):
    generate("pitch", ["basic"], 2, tmp_path)
    before = written(tmp_path)
    with pytest.raises(DatasetError, match="holds another dataset: seed is 0 there, 1 is asked for"):
        generate("pitch", ["basic"], 2, tmp_path, seed=1)
    with pytest.raises(DatasetError, match=r"agents is \['basic'\] there"):
        generate("pitch", ["expert"], 2, tmp_path)
    assert same(written(tmp_path), before)


def test_held_out_deals_are_refused(tmp_path):
    with pytest.raises(OptionError, match="held out for published results"):
        generate("pitch", ["basic"], 2, tmp_path / "new", seed=HELD_OUT_SEEDS[0])
    assert not (tmp_path / "new").exists()


def test_a_folder_without_or_with_an_older_dataset_is_refused(tmp_path):
    with pytest.raises(DatasetError, match="holds no dataset"):
        open_dataset(tmp_path)
    generate("pitch", ["basic"], 2, tmp_path)
    facts = json.loads((tmp_path / "dataset.json").read_text(encoding="utf-8"))
    (tmp_path / "dataset.json").write_text(json.dumps(facts | {"layout": "another"}), encoding="utf-8")
    with pytest.raises(DatasetError, match="another layout"):
        next(shards(tmp_path))


def test_pytorch_reads_every_decision_once(tmp_path):
    torch = pytest.importorskip("torch")
    from card_envs.datasets.torch_loader import Decisions

    generate("pitch", ["basic", "expert"], 10, tmp_path, shard_deals=4)
    stored = [(deal, move) for rows in shards(tmp_path) for deal, move in zip(rows["deal"].tolist(), rows["move"].tolist())]
    loader = Decisions(tmp_path, 16, seed=1)
    first, second = ([(batch["deal"].tolist(), batch["move"].tolist()) for batch in loader] for _ in range(2))
    assert first != second
    for batches in (first, second):
        assert sorted(pair for deals, moves in batches for pair in zip(deals, moves)) == sorted(stored)
    again, other = (next(iter(Decisions(tmp_path, 16, seed=seed)))["deal"].tolist() for seed in (1, 2))
    assert again == first[0][0] != other
    assert next(iter(Decisions(tmp_path, 16, dtype=torch.uint8)))["observation"].dtype == torch.uint8
    batch = next(iter(loader))
    dataset = loader.dataset
    assert batch["observation"].shape == (16, dataset.layout.width) and batch["observation"].dtype == torch.float32
    assert batch["action_mask"].shape == (16, dataset.num_actions)
    assert batch["action_mask"][torch.arange(16), batch["action"]].all()
    workers = torch.utils.data.DataLoader(Decisions(tmp_path, 16), batch_size=None, num_workers=2)
    assert sum(len(batch["action"]) for batch in workers) == len(stored)


def test_pytorch_reads_the_decisions_of_chosen_agents(tmp_path):
    pytest.importorskip("torch")
    from card_envs.datasets.torch_loader import Decisions

    generate("pitch", ["basic", "expert"], 4, tmp_path)
    assert {place for batch in Decisions(tmp_path, agents=["expert"]) for place in batch["agent"].tolist()} == {1}
    with pytest.raises(DatasetError, match=r"no agent 'champion' .* there are basic, expert"):
        Decisions(tmp_path, agents=["champion"])
