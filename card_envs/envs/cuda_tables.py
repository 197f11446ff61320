"""Tables that live on a GPU and are played there, under `card_envs.envs.torch_env`: nothing crosses to the CPU in a step."""

from __future__ import annotations

import numpy as np
import torch

from card_envs import cuda
from card_envs.buffers import RESULT
from card_envs.envs.torch_tables import Slot, TorchView, column, shown_bytes
from card_envs.envs.vector import VecEnv, fresh_seed, row_flags
from card_envs.game import MAX_LEGAL_WORDS, OptionError, kernel_args
from card_envs.table import IllegalAction, history_tokens

ONE = {torch.uint8: 1, torch.bool: 1, torch.float32: 0x3F800000, torch.bfloat16: 0x3F80, torch.float16: 0x3C00}  # its bits


class CudaTables:
    """A batch of tables with the methods of `VecEnv`; views hold tensors in the memory to which the kernels write.

    With illegal="raise" every step waits for the GPU, to know whether an action was refused; otherwise none does.
    """

    form = None

    def __init__(self, game, rules, num_envs: int, *, observation: str, device: torch.device, seed: int | None, **settings):
        if settings.pop("pad_seats") or settings.pop("relabel_trump"):
            raise OptionError("pad_seats and relabel_trump are worked out on the CPU: use engine='host'")
        self._one = VecEnv(game, rules, 1, observation="none", **settings)  # checks the settings, knows what they come to
        self.game, self.rules, self.num_envs, self.device = game, rules, num_envs, device
        self.layout, self.num_actions, self.num_players = self._one.layout, self._one.num_actions, self._one.num_players
        self.reward, self.illegal = self._one.reward, settings["illegal"]
        self._kernels = cuda.CudaKernels(game, device.index or 0)
        self._slot = Slot(num_envs, self, observation, device)
        self._record = game.table_dtype(rules)
        self._tables = self._room(num_envs, self._record.itemsize)
        self.keep_history = settings["keep_history"]
        self._history = torch.zeros(num_envs, game.max_history if self.keep_history else 1, dtype=torch.int16, device=device)
        self._legal = column(self._tables, self._record, "legal", MAX_LEGAL_WORDS)
        self._actions, self._refused = self._room(num_envs, 8), self._room(1, 8)
        self._refused.view(torch.int64).fill_(cuda.NONE_REFUSED)
        self._prepare(kernel_args(game, rules), self._one._mode)
        self._seed(fresh_seed() if seed is None else seed, None, np.ones(num_envs, np.bool_))
        self._started = False

    def _room(self, *shape: int) -> torch.Tensor:
        return torch.zeros(*shape, dtype=torch.uint8, device=self.device)

    def _prepare(self, rule_args: np.ndarray, mode: np.ndarray) -> None:
        """The arguments of kernels, made once."""
        slot = self._slot
        given = [self._sent(cuda.aligned(record)) for record in (rule_args, self.layout.at, mode)]
        tables, actions = self._array(self._tables, self._record), self._array(self._actions, np.int64)
        refused, results = self._array(self._refused, np.int64), self._array(slot.results, RESULT)
        history = self._matrix(self._history, np.int16)
        words, final_words = self._matrix(slot.words, np.int64), self._matrix(slot.final_words, np.int64)
        self._checked = (tables, actions, refused)
        self._stepped = (tables, actions, *given, refused, results, words, final_words, history)
        self._restarted = (*given[:2], results, words)
        legal_bytes = self._record.fields["legal"][1] + np.arange(self.num_actions // 8)
        self._unpacked = [self._unpacking(self._tables, legal_bytes, slot.view.action_mask)]
        if slot.vector.shape[1]:
            shown = shown_bytes(self.layout.num_bytes)
            self._unpacked.append(self._unpacking(slot.words.view(torch.uint8), shown, slot.vector))

    def _unpacking(self, packed: torch.Tensor, places, out: torch.Tensor) -> tuple:
        """How many threads, and the arguments of a launch of `unpack`."""
        places = self._sent(np.array(places, np.int32))
        per_word = 8 // out.element_size()
        words = self._matrix(out.view(torch.int64), np.int64)
        return self.num_envs * cuda.LANES, (self._matrix(packed, np.uint8), places, per_word, ONE[out.dtype], words)

    def _sent(self, array: np.ndarray):
        """A small array on the device."""
        memory = torch.from_numpy(np.ascontiguousarray(array).view(np.uint8).copy()).to(self.device)
        return self._array(memory, array.dtype)

    def _array(self, memory: torch.Tensor, dtype):
        return self._kernels.array(memory.view(-1), dtype)

    def _matrix(self, memory: torch.Tensor, dtype):
        return self._array(memory.view(torch.uint8), dtype).reshape(memory.shape)

    def _launch(self, name: str, size: int, *arguments) -> None:
        stream = torch.cuda.current_stream(self.device).cuda_stream if self.device.type == "cuda" else 0
        self._kernels.launch(name, size, stream, *arguments)

    def _seed(self, seed: int, tables, rows: np.ndarray) -> None:
        ids = np.arange(self.num_envs) if tables is None else np.asarray(tables)
        if ids.shape != (self.num_envs,):
            raise ValueError(f"tables must name one table for each of the {self.num_envs} rows, not shape {ids.shape}")
        which, ids = self._sent(rows.astype(np.uint8)), self._sent(ids.astype(np.int64))
        self._launch("set_keys", self.num_envs, self._stepped[0], which, np.uint64(seed), ids)

    def reset(self, seed: int | None = None, *, tables=None, rows=None) -> TorchView:
        rows = np.ones(self.num_envs, np.bool_) if rows is None else row_flags(rows, self.num_envs)
        if seed is not None or tables is not None:
            if seed is None:
                raise ValueError("tables= needs seed=: it names the deals of a seed")
            self._seed(seed, tables, rows)
        self._show(np.where(rows, cuda.RESTART, cuda.LEAVE))
        self._started = True
        return self._view()

    def _show(self, what: np.ndarray) -> None:
        self._launch("restart", self.num_envs, self._stepped[0], self._sent(what.astype(np.uint8)), *self._restarted)

    def step(self, actions: torch.Tensor) -> TorchView:
        if not self._started:
            raise RuntimeError("call reset() before step()")
        self._actions.view(torch.int64)[:, 0].copy_(actions)
        if self.illegal == "raise":
            self._launch("check", self.num_envs, *self._checked)
        self._launch("step", self.num_envs, *self._stepped)
        if self.illegal == "raise" and (row := self._refused.view(torch.int64).item()) != cuda.NONE_REFUSED:
            self._refused.view(torch.int64).fill_(cuda.NONE_REFUSED)
            raise self._refusal(row)
        return self._view()

    def _refusal(self, row: int) -> IllegalAction:
        names = self._one.action_names
        action = int(self._actions.view(torch.int64)[row])
        shown = f"{names[action]} (action {action})" if 0 <= action < len(names) and names[action] else f"action {action}"
        legal = [name for name, allowed in zip(names, self._slot.view.action_mask[row].tolist(), strict=True) if allowed]
        seat = int(self._slot.view.seat[row])
        return IllegalAction(shown, legal, f" in row {row} for seat {seat}; no row was stepped")

    def _view(self) -> TorchView:
        for size, arguments in self._unpacked:
            self._launch("unpack", size, *arguments)
        self._slot.legal.copy_(self._legal)
        self._slot.note_seats()
        return self._slot.view

    def random_actions(self, salt: int = 0) -> torch.Tensor:
        self._launch("choose_random", self.num_envs, self._stepped[0], self._stepped[1], (1 << 42) + salt)
        return self._actions.view(torch.int64)[:, 0].clone()

    def history(self) -> np.ndarray:
        if not self.keep_history:
            raise RuntimeError("no history is kept: make the environment with keep_history=True")
        tables = self._tables.cpu().numpy().view(self._record)[:, 0]
        return history_tokens(self.game, self.rules, tables, self._history.cpu().numpy(), tables["turn"])

    @property
    def gains(self) -> torch.Tensor:
        return column(self._tables, self._record, "change", self.rules.num_sides).to(torch.int64)

    @property
    def illegal_count(self) -> int:
        return int(column(self._slot.results, RESULT, "illegal").sum())

    def _state(self) -> list[torch.Tensor]:
        """The bytes of everything that later play depends on, in the order of `VecEnv.get_state`."""
        kept = [self._tables, self._slot.results] + [self._history.view(torch.uint8)] * self.keep_history
        return [memory.view(-1) for memory in kept]

    def get_state(self) -> bytes:
        return torch.cat(self._state()).cpu().numpy().tobytes()

    def set_state(self, state: bytes) -> TorchView:
        sizes = [memory.numel() for memory in self._state()]
        if len(state) != sum(sizes):
            raise ValueError(f"this state has {len(state)} bytes, {sum(sizes)} are needed: was it another batch size?")
        held = torch.frombuffer(bytearray(state), dtype=torch.uint8).split(sizes)
        for memory, part in zip(self._state(), held, strict=True):
            memory.copy_(part)
        self._show(np.full(self.num_envs, cuda.SHOW))
        self._started = True
        return self._view()
