"""Tensors instead of arrays: the same results as the batch of arrays, in the engine's own memory, on the device asked for."""

import dataclasses
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import card_envs
from card_envs.envs.torch_tables import DTYPES, SentTables, Unpacker
from card_envs.game import OptionError
from card_envs.games import load
from card_envs.table import IllegalAction

ROOT = Path(__file__).parents[2]
CPU = torch.device("cpu")
MODES = {
    "plain": {},
    "next_step": {"autoreset": "next_step", "episode": "deal"},
    "disabled": {"autoreset": "disabled", "episode": "deal"},
    "penalise": {"illegal": "penalise", "reward": "score"},
    "random_legal": {"illegal": "random_legal", "skip_forced": True},
    "form": {"pad_seats": 6, "relabel_trump": True},
    "threads": {"threads": 2},
}
KINDS = {
    "observation": (torch.uint8, 2), "action_mask": (torch.bool, 2), "seat": (torch.int64, 1), "rewards": (torch.float32, 2),
    "terminated": (torch.bool, 1), "truncated": (torch.bool, 1), "final_scores": (torch.int32, 2), "final_words": (torch.int64, 2),
    "legal": (torch.int64, 2),
}  # fmt: skip


def make(game="pitch", num_envs=8, **settings):
    return card_envs.make_torch(game, num_envs, **{"seed": 100, **settings})


def sent(game, num_envs, observation="uint8", **settings):
    """The tables whose output is sent to a device, with the CPU as the device."""
    return SentTables(load(game), load(game).rules(), num_envs, observation=observation, device=CPU, **settings)


def names(view):
    return [field.name for field in dataclasses.fields(view)]


def assert_same(arrays, tensors):
    for name in names(arrays):
        expected, found = getattr(arrays, name), getattr(tensors, name)
        assert np.array_equal(expected, found.numpy()), name
        assert expected.shape == tuple(found.shape)
    assert np.array_equal(arrays.done, tensors.done.numpy())


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("game", card_envs.games())
def test_results_are_those_of_the_arrays(game, mode):
    settings = {"seed": 3, "keep_history": True, **MODES[mode]}
    size = 1100 if mode == "threads" else 24
    vec, shared, other = card_envs.make_vec(game, size, **settings), make(game, size, **settings), sent(game, size, **settings)
    view, *views = vec.reset(), shared.reset(), other.reset()
    for step in range(30 if mode == "threads" else 90):
        for tensors in views:
            assert_same(view, tensors)
        assert np.array_equal(vec.gains, shared.gains.numpy())
        actions = vec.random_actions(step)
        assert np.array_equal(actions, shared.random_actions(step).numpy())
        if "illegal" in settings and step % 7 == 0:
            actions[step % size] = -1
        given = torch.from_numpy(actions)
        view, *views = vec.step(actions), shared.step(given), other.step(given)
        if mode == "disabled" and step % 30 == 29:
            rows = view.done
            view, *views = vec.reset(rows=rows), shared.reset(rows=torch.from_numpy(rows)), other.reset(rows=rows)
    assert vec.get_state() == shared.get_state() == other.get_state()
    assert np.array_equal(vec.history(), shared.history().numpy())
    assert vec.illegal_count == shared.illegal_count
    assert (vec.illegal_count > 0) == ("illegal" in settings)


def test_views_have_the_documented_types():
    view = make().reset()
    assert {name: (getattr(view, name).dtype, getattr(view, name).ndim) for name in names(view)} == KINDS
    assert make("spades", num_players=3, preset="three").reset().rewards.shape == (8, 3)


@pytest.mark.parametrize("form", ["uint8", "float32", "bits"])
def test_tensors_lie_in_the_engines_memory(form):
    env = make(observation=form)
    engine = env._tables
    out, results = engine._out, engine._out.results
    observation = {"uint8": out.vector, "float32": out.floats, "bits": out.words}[form]
    arrays = {
        "observation": observation, "action_mask": out.mask, "rewards": results["rewards"], "terminated": results["terminated"],
        "truncated": results["truncated"], "final_scores": results["final_scores"], "final_words": out.final_words,
        "legal": engine._tables["legal"],
    }  # fmt: skip
    first = env.reset()
    seen = first.observation.clone()
    for _ in range(3):
        view = env.step(env.random_actions())
        for name, array in arrays.items():
            tensor = getattr(view, name)
            assert tensor.data_ptr() == array.ctypes.data == getattr(first, name).data_ptr()
            assert [step * tensor.element_size() for step in tensor.stride()] == list(array.strides[: tensor.ndim])
    assert not torch.equal(first.observation, seen)


def test_actions_are_read_where_they_lie(monkeypatch):
    env = make()
    env.reset()
    read = []
    play = env._tables._play
    monkeypatch.setattr(env._tables, "_play", lambda actions: read.append(actions.ctypes.data) or play(actions))
    actions = env.random_actions()
    env.step(actions)
    assert read == [actions.data_ptr()]


@pytest.mark.parametrize("change", [lambda a: a.to(torch.int32), lambda a: a.repeat_interleave(2)[::2], lambda a: a.tolist()])
def test_actions_of_other_kinds_mean_the_same(change):
    one, other = make(), make()
    one.reset(), other.reset()
    actions = one.random_actions()
    assert torch.equal(one.step(actions).observation, other.step(change(actions)).observation)


def test_copies_are_the_callers_own():
    env = make(copy=True)
    view = env.reset()
    kept = view.clone()
    for _ in range(5):
        env.step(env.random_actions())
    assert all(torch.equal(getattr(view, name), getattr(kept, name)) for name in names(view))


@pytest.mark.parametrize("make_env", [make, lambda **settings: sent("pitch", 8, seed=100, **settings)])
@pytest.mark.parametrize("name", DTYPES)
def test_observations_have_the_type_asked_for(make_env, name):
    env, vec = make_env(observation=name), card_envs.make_vec("pitch", 8, seed=100)
    env.reset(), vec.reset()
    actions = vec.random_actions()
    seen, expected = env.step(torch.from_numpy(actions)).observation, vec.step(actions).observation
    assert seen.dtype == DTYPES[name]
    assert np.array_equal(seen.float().numpy(), expected)


def test_dtype_says_the_same_as_observation():
    assert make(dtype=torch.bfloat16).observation == make(dtype="bfloat16").observation == "bfloat16"
    assert make().observation == make(dtype=torch.uint8, observation="uint8").observation == "uint8"
    assert make(observation="none").reset().observation.shape == (8, 0)
    with pytest.raises(OptionError, match="ask for different things"):
        make(dtype=torch.float32, observation="bits")
    with pytest.raises(OptionError, match="dtype='int64': must be one of uint8, float32"):
        make(dtype=torch.int64)


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=str)
@pytest.mark.parametrize("game", card_envs.games())
def test_unpacking_equals_spread(game, dtype):
    layout = load(game).layout(load(game).rules())
    words = np.random.default_rng(0).integers(-(2**63), 2**63 - 1, (50, layout.num_words), np.int64)
    out = Unpacker(layout.num_bytes, CPU)(torch.from_numpy(words), torch.zeros(50, layout.width, dtype=dtype))
    assert np.array_equal(out.float().numpy(), layout.spread(words))


def test_a_view_that_was_sent_is_still_there_after_the_next_step():
    env = sent("pitch", 8, seed=1)
    view = env.reset()
    seen = view.observation.clone()
    following = env.step(torch.from_numpy(env.random_actions()))
    assert torch.equal(view.observation, seen)
    assert not torch.equal(following.observation, seen)


def test_states_are_those_of_the_arrays():
    vec, env = card_envs.make_vec("spades", 16, seed=4), make("spades", 16)
    vec.reset()
    for _ in range(40):
        view = vec.step(vec.random_actions())
    there = env.set_state(vec.get_state())
    assert np.array_equal(view.observation, there.observation.numpy())
    actions = vec.random_actions()
    assert_same_play(vec.step(actions), env.step(torch.from_numpy(actions)))


def assert_same_play(arrays, tensors):
    for name in ("observation", "action_mask", "seat", "rewards"):
        assert np.array_equal(getattr(arrays, name), getattr(tensors, name).numpy())


def test_rows_and_tables_may_be_tensors():
    env = make()
    view = env.reset(seed=5, tables=torch.tensor([3, 3, 0, 1, 2, 4, 5, 6]))
    assert torch.equal(view.observation[0], view.observation[1])
    before = view.observation.clone()
    after = env.reset(rows=torch.arange(8) == 2).observation
    assert torch.equal(after[3:], before[3:])
    assert not torch.equal(after[2], before[2])


def test_an_illegal_action_is_refused_as_with_arrays():
    env = make()
    env.reset()
    state = env.get_state()
    actions = env.random_actions()
    actions[3] = 0
    with pytest.raises(IllegalAction, match=r"in row 3 for seat \d; no row was stepped; legal: pass, bid 1"):
        env.step(actions)
    assert env.get_state() == state


@pytest.mark.parametrize(
    "actions", [torch.zeros(8), torch.full((7,), 54), torch.full((8, 1), 54), torch.ones(8, dtype=torch.bool)]
)
def test_actions_of_another_shape_or_type_are_refused(actions):
    env = make()
    env.reset()
    with pytest.raises(ValueError, match=r"actions must be integers of shape \(8,\)"):
        env.step(actions)


def test_settings_that_cannot_be_are_refused():
    with pytest.raises(OptionError, match="did you mean 'autoreset'"):
        make(autorest="disabled")
    with pytest.raises(OptionError, match="engine='gpu': must be one of host, cuda"):
        make(engine="gpu")
    with pytest.raises(OptionError, match="engine='cuda' plays on a GPU, not on device='cpu'"):
        make(engine="cuda")
    for device in ("tpu", "meta", 1.5):
        with pytest.raises(OptionError, match="must be cpu, cuda, cuda:N or auto"):
            make(device=device)


def test_a_gpu_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert make(device="auto").device == make(device=torch.device("cpu")).device == CPU
    for engine in ("host", "cuda"):
        with pytest.raises(RuntimeError, match=r"device='cuda': PyTorch .* sees no CUDA device; use 'cpu' or 'auto'"):
            make(device="cuda", engine=engine)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    with pytest.raises(RuntimeError, match=r"device='cuda:3': PyTorch sees 2 CUDA device"):
        make(device="cuda:3")


def test_missing_pytorch_names_the_extra():
    code = "import sys; sys.modules['torch'] = None; import card_envs; card_envs.make_torch('pitch', 4)"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert "ImportError: make_torch needs PyTorch: pip install 'card-envs[torch]'" in ran.stderr
