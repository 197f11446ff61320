"""The kernels of one table: what may be bound to them, and that they write the row they are told and no other."""

import numpy as np
import pytest

import card_envs
from card_envs.games import load
from card_envs.scalar import REFUSED, SEAT, TAKERS, Context
from card_envs.table import IllegalAction, Table

ROWS = 4


def bound(name: str, observation: int):
    """A table in its first deal, and a context of its own with rows full of sevens."""
    game = load(name)
    table = Table(game, game.rules())
    table.seed(3)
    table.reset()
    modes = table.arrays.modes.copy()
    modes["observation"] = observation
    vectors = np.full((ROWS, table.layout.width), 7, np.uint8)
    masks = np.full((TAKERS, ROWS, table.num_actions), 7, np.int8)
    return table, Context(game, table.rules, table.arrays._replace(modes=modes, vectors=vectors, masks=masks))


@pytest.mark.parametrize("name", card_envs.games())
def test_a_step_and_a_look_write_one_row(name):
    table, context = bound(name, observation=0)
    play, look, arrays = context.kernels.play, context.kernels.look, context.arrays
    code = play(context.handle, table.legal_actions()[0], 2)
    assert code & SEAT == table.turn and len(table.history()) == 1
    written = arrays.vectors[2].copy()
    assert np.array_equal(written, table.layout.spread(table.words(table.turn)))
    assert arrays.masks[:, 2].tolist() == [table.mask().tolist()] * TAKERS
    other = (table.turn + 1) % table.rules.num_players
    look(context.handle, other, 1)
    assert np.array_equal(arrays.vectors[1], table.layout.spread(table.words(other)))
    assert not arrays.masks[:, 1].any()
    assert np.array_equal(arrays.vectors[2], written)
    assert (arrays.vectors[[0, 3]] == 7).all() and (arrays.masks[:, [0, 3]] == 7).all()


def test_a_refused_action_writes_nothing():
    table, context = bound("pitch", observation=0)
    before = table.state()
    assert context.kernels.play(context.handle, -1, 0) == REFUSED == context.kernels.play(context.handle, 1 << 40, 0)
    assert table.state() == before and (context.arrays.vectors == 7).all() and (context.arrays.masks == 7).all()


def test_a_table_whose_episode_is_over_takes_no_action():
    game = load("pitch")
    table = Table(game, game.rules(), episode="deal")
    table.seed(1)
    table.reset()
    while not table.ended:
        table.step(table.legal_actions()[0])
    before = table.state()
    with pytest.raises(IllegalAction, match="legal: nothing, the game is over"):
        table.step(54)
    assert table.state() == before


def test_arrays_that_kernels_cannot_walk_through_are_refused():
    table, context = bound("pitch", observation=0)
    with pytest.raises(ValueError, match="vectors: kernels walk through arrays that lie in one piece"):
        context.bind(vectors=np.zeros((ROWS, 2 * table.layout.width), np.uint8)[:, ::2])
    with pytest.raises(TypeError, match="other fields under these rules"):
        Context(table.game, table.rules, table.arrays._replace(offsets=np.zeros(1, [("one", "i8")])))
