"""Duplicate comparison: what cancels, what is found, and what is not claimed."""

import json

import numpy as np
import pytest

from card_envs import agents, arena, games
from card_envs.agents import Views

GAME = games.load("pitch")


def rules_of(**options):
    return GAME.rules("seed", **options)


def duplicate(rules, a, b, deals=200, **settings):
    return arena.duplicate(GAME, rules, a, b, deals=deals, seed=settings.pop("seed", 5), **settings)


def named(name: str, rules, seed: int = 0):
    return agents.load(name, GAME, rules, seed)


class Careless:
    """Another agent that plays at random in one decision of `every`."""

    def __init__(self, agent, every: int):
        self.agent, self.random, self.every = agent, agents.RandomAgent(1), every
        self.draw = np.random.default_rng(2)

    def act_batch(self, views: Views) -> np.ndarray:
        slips = self.draw.random(len(views.legal)) * self.every < 1
        return np.where(slips, self.random.act_batch(views), self.agent.act_batch(views))


class Stubborn:
    """Always action 0, the two of clubs."""

    def act_batch(self, views: Views) -> np.ndarray:
        return np.zeros(len(views.legal), np.int64)


@pytest.mark.parametrize(
    ("options", "fair"), [({}, 1 / 2), ({"num_players": 2}, 1 / 2), ({"num_players": 3}, 1 / 3), ({"num_players": 5}, 1 / 5)]
)
def test_an_agent_against_itself_is_exactly_level(options, fair):
    rules = rules_of(**options)
    bot = named("basic", rules)
    result = duplicate(rules, bot, bot, matches=40)
    assert (result.mean, result.low, result.high, result.points.sd) == (0, 0, 0, 0)
    assert result.wins.mean == pytest.approx(fair) == result.wins_b
    assert result.winner is None and result.match_winner is None


def test_every_seating_has_each_agent_alone_once_in_each_place():
    assert arena.every_seating(2).tolist() == [[0, 1], [1, 0]]
    assert arena.every_seating(3).tolist() == [[0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_margins_are_the_gain_less_the_mean_of_the_others():
    rules = rules_of(num_players=3)
    play = arena.Play(GAME, rules, (None, None), seed=0, units=1, progress=None)
    # One deal that ends 4, 1, -2 in each of the six seatings. a alone: 4 - (-1/2), 1 - 2/2, -2 - 5/2; then the field of a
    # against a lone b: the same with the sign turned.
    gains = np.tile([4, 1, -2], (1, 6, 1))
    assert play.margins(gains).tolist() == [[4.5, 0.0, -4.5, -4.5, 0.0, 4.5]]


def test_a_small_edge_is_found():
    rules = rules_of()
    bot = named("basic", rules)
    result = duplicate(rules, bot, Careless(bot, every=10), deals=1500)
    assert 0 < result.low < result.mean < result.high < 2
    assert result.winner == "a"
    swapped = duplicate(rules, Careless(bot, every=10), bot, deals=1500, names=("careless", "sure"))
    assert swapped.winner == "sure"


def test_no_winner_is_named_while_the_interval_spans_zero():
    rules = rules_of()
    result = duplicate(rules, named("random", rules, 1), named("random", rules, 2), deals=100, matches=20)
    assert result.low < 0 < result.high
    assert result.winner is None
    assert "not decided" in result.table()


def test_illegal_attempts_are_counted_for_who_made_them_and_do_not_stop_the_run():
    rules = rules_of()
    result = duplicate(rules, named("basic", rules), Stubborn(), deals=20)
    assert result.illegal_a == 0
    assert result.illegal_b == result.illegal > 20  # at least its call in every deal
    assert f"illegal attempts  0 / {result.illegal_b}" in result.table()


def test_the_result_depends_on_the_seed_alone():
    rules = rules_of()
    first, again, other = (duplicate(rules, named("basic", rules), named("random", rules, 1), seed=seed) for seed in (5, 5, 6))
    assert first == again != other


def test_batches_do_not_change_the_result(monkeypatch):
    rules = rules_of()
    whole = duplicate(rules, named("expert", rules), named("basic", rules), deals=50, matches=10)
    monkeypatch.setattr(arena, "ROWS_AT_ONCE", 14)
    assert duplicate(rules, named("expert", rules), named("basic", rules), deals=50, matches=10) == whole


def test_progress_is_told():
    told = []
    rules = rules_of()
    bot = named("basic", rules)
    duplicate(rules, bot, bot, deals=50, matches=10, progress=lambda done, units: told.append((done, units)))
    assert told == [(50, 60), (60, 60)]


def test_comparing_by_names_and_options():
    result = arena.compare("pitch", "basic", "random", deals=100, preset="smudge", options={"num_players": 3}, seed=4)
    assert (result.a, result.b, result.fair, result.winner) == ("basic", "random", 1 / 3, "basic")
    assert json.loads(json.dumps(result.as_dict()))["points"]["units"] == 100


def test_a_ladder_has_a_line_for_each_opponent():
    rules = rules_of()
    opponents = {name: named(name, rules, 1) for name in ("random", "basic")}
    results = arena.ladder(GAME, rules, named("basic", rules), opponents, deals=50, seed=1, name="basic")
    assert [result.b for result in results] == ["random", "basic"]
    assert len(arena.ladder_table(results).splitlines()) == 3


def test_the_bootstrap_interval_agrees_with_the_normal_one_on_many_units():
    values = np.random.default_rng(0).integers(-4, 5, 5000).astype(float)
    found = arena.estimate(values, seed=1)
    assert found.low == pytest.approx(found.normal_low, abs=0.005)
    assert found.high == pytest.approx(found.normal_high, abs=0.005)


def test_the_interval_holds_the_true_mean_as_often_as_it_says():
    # 400 samples of 60 skewed units (mean 1): of 95% intervals 380 should hold it; few units and skew cost a little.
    random = np.random.default_rng(0)
    samples = random.choice([0.0, 0.0, 0.0, 4.0], size=(400, 60))
    held = sum(low <= 1 <= high for low, high in (arena.bootstrap(sample, seed) for seed, sample in enumerate(samples)))
    assert 365 <= held <= 392


def test_units_needed_for_a_half_width():
    found = arena.Estimate(mean=0, low=0, high=0, normal_low=0, normal_high=0, sd=2.0, units=1)
    assert found.needed(0.05) == 6147  # (1.96 * 2 / 0.05) squared
