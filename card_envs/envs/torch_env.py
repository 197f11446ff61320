"""Many tables at once as PyTorch tensors, on the CPU or a GPU: `card_envs.make_torch`."""

from __future__ import annotations

import numpy as np

try:
    import torch
except ImportError as error:
    raise ImportError("make_torch needs PyTorch: pip install 'card-envs[torch]'") from error

from card_envs.envs.torch_tables import DTYPES, SentTables, SharedTables, TorchView
from card_envs.envs.vector import check
from card_envs.game import OptionError

ENGINES = ("host", "cuda")
OBSERVATIONS = (*DTYPES, "bits", "none")


class TorchEnv:
    """A batch of tables of one game, tensors in and tensors out.

    num_envs, num_players, num_actions (A), observation_width (O), action_names, layout, game, rules, form, device, engine as in
    `VecEnv`; the settings too, beside those below. The same seed is dealt the same cards.

    device: "cpu", "cuda", "cuda:1" ..., or "auto" for a GPU where there is one.
    engine: "host" plays on the CPU. With device="cpu" tensors lie in the engine's memory; with a GPU its output is sent there as bits and
    unpacked. "cuda" plays on the GPU (extra `gpu`; threads has no meaning, pad_seats and relabel_trump are not there).
    observation: "uint8", "float32", "bfloat16", "float16", "bits" or "none"; dtype says the same as a torch.dtype.
    copy: False, unlike VecEnv: the tensors of a view are overwritten by the next step. True hands out copies.
    """

    def __init__(
        self,
        game,
        rules,
        num_envs: int,
        *,
        device: str | torch.device = "cpu",
        engine: str = "host",
        dtype: torch.dtype | str | None = None,
        observation: str | None = None,
        copy: bool = False,
        episode: str = "match",
        seed: int | None = None,
        reward: str | None = None,
        autoreset: str = "same_step",
        illegal: str = "raise",
        skip_forced: bool = False,
        threads: int = 1,
        keep_history: bool = False,
        pad_seats: int = 0,
        relabel_trump: bool = False,
    ):
        """Raises OptionError for a setting that cannot be, RuntimeError where PyTorch sees no such GPU."""
        observation = asked_observation(observation, dtype)
        check(engine=(engine, ENGINES), observation=(observation, OBSERVATIONS))
        self.device, self.engine, self.observation, self.copy = find_device(device, engine), engine, observation, copy
        settings = {
            "episode": episode, "seed": seed, "reward": reward, "autoreset": autoreset, "illegal": illegal,
            "skip_forced": skip_forced, "threads": threads, "keep_history": keep_history, "pad_seats": pad_seats,
            "relabel_trump": relabel_trump,
        }  # fmt: skip
        if engine == "cuda":
            from card_envs.envs.cuda_tables import CudaTables

            self._tables = CudaTables(game, rules, num_envs, observation=observation, device=self.device, **settings)
        elif self.device.type == "cuda":
            self._tables = SentTables(game, rules, num_envs, observation=observation, device=self.device, **settings)
        else:
            self._tables = SharedTables(game, rules, num_envs, observation=observation, **settings)
        made = self._tables
        self.game, self.rules, self.num_envs, self.form, self.layout = game, rules, num_envs, made.form, made.layout
        self.num_players, self.num_actions, self.observation_width = rules.num_players, made.num_actions, made.layout.width
        self.action_names = game.action_names(rules)
        self.episode, self.reward, self.autoreset = episode, made.reward, autoreset

    def reset(self, seed: int | None = None, *, tables=None, rows=None) -> TorchView:
        """As `VecEnv.reset`; tables (int [B]) and rows (bool [B]) may be tensors."""
        return self._handed_out(self._tables.reset(seed, tables=host_array(tables), rows=host_array(rows)))

    def step(self, actions: torch.Tensor) -> TorchView:
        """One action in every row, an integer tensor [B] on any device; raises as `VecEnv.step`.

        An int64 tensor on the CPU is read where it lies.
        """
        if not isinstance(actions, torch.Tensor):
            actions = torch.from_numpy(np.asarray(actions))
        if actions.shape != (self.num_envs,) or actions.is_floating_point() or actions.dtype == torch.bool:
            shape = tuple(actions.shape)
            raise ValueError(f"actions must be integers of shape ({self.num_envs},), not {actions.dtype} {shape}")
        return self._handed_out(self._tables.step(actions))

    def _handed_out(self, view: TorchView) -> TorchView:
        return view.clone() if self.copy else view

    def random_actions(self, salt: int = 0) -> torch.Tensor:
        """A uniform legal action in every row, int64 [B] on the device; see `VecEnv.random_actions`."""
        return torch.as_tensor(self._tables.random_actions(salt), device=self.device)

    def history(self) -> torch.Tensor:
        """Every row's deal so far as tokens, int64 [B, L] on the device; see `VecEnv.history`. Made on the CPU."""
        return torch.as_tensor(self._tables.history(), device=self.device)

    @property
    def gains(self) -> torch.Tensor:
        """By side what the deal that has just ended gained it, int64 [B, sides] on the device."""
        return torch.as_tensor(self._tables.gains, device=self.device)

    @property
    def illegal_count(self) -> int:
        """Illegal actions that were replaced or penalised so far, all rows together."""
        return self._tables.illegal_count

    def get_state(self) -> bytes:
        """Everything that later play depends on: the same bytes for every device and engine, and as of `VecEnv`."""
        return self._tables.get_state()

    def set_state(self, state: bytes) -> TorchView:
        """Go on from a `get_state` of an environment made in the same way, on whatever device; returns the view there."""
        return self._handed_out(self._tables.set_state(state))


def host_array(given):
    """A tensor as an array; anything else as it is."""
    return given.cpu().numpy() if isinstance(given, torch.Tensor) else given


def asked_observation(observation: str | None, dtype: torch.dtype | str | None) -> str:
    """The name of the form that is asked for in either way."""
    if dtype is None:
        return observation or "uint8"
    name = str(dtype).removeprefix("torch.")
    check(dtype=(name, tuple(DTYPES)))
    if observation not in (None, name):
        raise OptionError(f"dtype={name} and observation={observation!r} ask for different things: give one of them")
    return name


def find_device(device: str | torch.device, engine: str) -> torch.device:
    """The device that is meant, with its number if it is a GPU; refuses one that is not there or cannot be used."""
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        found = torch.device(device)
    except (RuntimeError, TypeError) as error:
        raise OptionError(f"device={device!r}: must be cpu, cuda, cuda:N or auto") from error
    if found.type not in ("cpu", "cuda"):
        raise OptionError(f"device={device!r}: must be cpu, cuda, cuda:N or auto")
    if found.type == "cuda":
        number = torch.cuda.device_count() if torch.cuda.is_available() else 0
        if number == 0:
            raise RuntimeError(f"device={str(device)!r}: PyTorch {torch.__version__} sees no CUDA device; use 'cpu' or 'auto'")
        found = torch.device("cuda", torch.cuda.current_device() if found.index is None else found.index)
        if found.index >= number:
            raise RuntimeError(f"device={str(device)!r}: PyTorch sees {number} CUDA device(s), numbered from 0")
    elif engine == "cuda" and not simulated():
        raise OptionError(f"engine='cuda' plays on a GPU, not on device={str(device)!r}; use device='cuda', or engine='host'")
    return found


def simulated() -> bool:
    """Is numba's CUDA simulator on, which plays on the CPU what is meant for a GPU?"""
    import numba

    return bool(numba.config.ENABLE_CUDASIM)
