"""Threads that step parts of a batch: the same tables as one thread makes, whatever the threads are doing just then."""

import gc
import os
import threading
import time

import pytest

import card_envs
from card_envs.kernels import JIT
from card_envs.table import IllegalAction

SIZE = 1600
LONG = 0.05  # seconds: helpers have long gone to sleep

needs_threads = pytest.mark.skipif(not JIT, reason="plain Python steps a batch in one thread")


def batch(threads: int):
    return card_envs.make_vec("pitch", SIZE, episode="deal", seed=3, threads=threads)


def played(vec, steps: int, pause: float = 0.0) -> bytes:
    for salt in range(steps):
        vec.step(vec.random_actions(salt))
        time.sleep(pause)
    return vec.get_state()


@pytest.fixture(scope="module")
def alone() -> bytes:
    vec = batch(1)
    vec.reset()
    return played(vec, 60)


@needs_threads
@pytest.mark.parametrize("threads", [2, 3, 9])
def test_several_threads_make_the_tables_of_one(threads, alone):
    """More of them than there are processors too."""
    vec = batch(threads)
    vec.reset()
    assert played(vec, 60) == alone


@needs_threads
def test_helpers_that_have_gone_to_sleep_are_woken(alone):
    vec = batch(3)
    vec.reset()
    played(vec, 50)
    time.sleep(LONG)
    for salt in range(50, 60):
        vec.step(vec.random_actions(salt))
        time.sleep(LONG / 10)
    assert vec.get_state() == alone


@needs_threads
@pytest.mark.parametrize("row", [0, SIZE // 2 - 1, SIZE // 2, SIZE - 1])
def test_an_illegal_action_in_any_part_is_named_and_nothing_is_stepped(row):
    vec = batch(2)
    vec.reset()
    played(vec, 5)
    before = vec.get_state()
    actions = vec.random_actions()
    good = actions.copy()
    actions[row:] = 63
    with pytest.raises(IllegalAction, match=f"in row {row} "):
        vec.step(actions)
    assert vec.get_state() == before
    vec.step(good)
    assert vec.get_state() != before


@needs_threads
def test_the_threads_of_a_forgotten_batch_end():
    before = threading.enumerate()
    vec = batch(3)
    vec.reset()
    played(vec, 3)
    helpers = [thread for thread in threading.enumerate() if thread not in before]
    assert len(helpers) == 2
    del vec
    gc.collect()
    assert not any(helper.is_alive() for helper in helpers)


@needs_threads
@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own(alone):
    vec = batch(2)
    vec.reset()
    played(vec, 30)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        same = played_on(vec) == alone
        os.write(writer, b"same" if same else b"other")
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    assert os.read(reader, 10) == b"same"
    os.close(reader)
    assert played_on(vec) == alone


def played_on(vec) -> bytes:
    for salt in range(30, 60):
        vec.step(vec.random_actions(salt))
    return vec.get_state()


def test_a_batch_too_small_to_share_out_is_stepped_by_one():
    before = threading.active_count()
    vec = card_envs.make_vec("pitch", 8, seed=3, threads=4)
    vec.reset()
    vec.step(vec.random_actions())
    assert threading.active_count() == before
