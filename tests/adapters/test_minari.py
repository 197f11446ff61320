"""Minari: a dataset holds what each seat went through, and gives the environment back."""

from __future__ import annotations

import numpy as np
import pytest

import card_envs
from card_envs.datasets import generate
from card_envs.record import RecordError, moments, read

pytest.importorskip("minari", reason="Minari is not installed: pip install 'card-envs[minari]'")

from card_envs.adapters.minari import to_minari

ABOUT = {"author": "us", "author_email": "a@b.c", "code_permalink": "none", "algorithm_name": "basic", "description": "play"}


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    return tmp_path


@pytest.mark.parametrize("game", card_envs.games())
def test_episodes_are_what_the_seats_went_through(game, place):
    rows = generate(game, ["basic"], 6, place / "play")
    records = read(place / "play" / "shard_00000.jsonl")
    dataset = to_minari(f"{game}/basic-v0", records, **ABOUT)
    arrays = rows.rows(rows.files()[0])
    seats = [(deal, seat) for deal in range(6) for seat in range(rows.rules.num_players)]
    seats = [at for at in seats if ((arrays["deal"] == at[0]) & (arrays["seat"] == at[1])).any()]
    assert dataset.total_episodes == len(seats)
    for episode, (deal, seat) in zip(dataset.iterate_episodes(), seats, strict=True):
        own = (arrays["deal"] == deal) & (arrays["seat"] == seat)
        assert episode.actions.tolist() == arrays["action"][own].tolist()
        assert episode.observations["observation"][:-1].tolist() == arrays["observation"][own].tolist()
        assert episode.observations["action_mask"][:-1].tolist() == arrays["action_mask"][own].astype(int).tolist()
        assert not episode.observations["action_mask"][-1].any()
        assert episode.rewards[::-1].cumsum()[::-1] == pytest.approx(arrays["return"][own])
        assert episode.terminations.tolist() == [False] * (own.sum() - 1) + [True] and not episode.truncations.any()


def test_the_environment_comes_back(place):
    generate("pitch", ["basic"], 2, place / "play", preset="setback", num_players=6)
    dataset = to_minari("pitch/setback-v0", read(place / "play" / "shard_00000.jsonl"), **ABOUT)
    env = dataset.recover_environment()
    assert env.unwrapped.table.rules.num_players == 6
    assert env.observation_space == dataset.observation_space and env.action_space == dataset.action_space
    assert env.unwrapped.table.rules == next(moments(read(place / "play" / "shard_00000.jsonl")[0])).table.rules


def test_a_deal_that_stops_is_truncated(place):
    generate("pitch", ["basic"], 1, place / "play")
    (record,) = read(place / "play" / "shard_00000.jsonl")
    record["deals"][0]["actions"] = record["deals"][0]["actions"][:-3]
    episodes = list(to_minari("pitch/short-v0", [record], **ABOUT).iterate_episodes())
    assert all(episode.truncations[-1] and not episode.terminations.any() for episode in episodes)
    assert all(len(episode.observations["observation"]) == len(episode.actions) + 1 for episode in episodes)
    assert any(np.any(episode.observations["action_mask"][-1]) for episode in episodes)  # whose turn it was


def test_records_of_other_rules_are_refused(place):
    for preset in ("seed", "setback"):
        generate("pitch", ["basic"], 1, place / preset, preset=preset)
    mixed = [read(place / preset / "shard_00000.jsonl")[0] for preset in ("seed", "setback")]
    with pytest.raises(RecordError, match="record 1: is of another game, or of other rules"):
        to_minari("pitch/mixed-v0", mixed, **ABOUT)
    with pytest.raises(RecordError, match="no records"):
        to_minari("pitch/none-v0", [], **ABOUT)
