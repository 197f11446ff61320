"""Where the tables behind `card_envs.envs.torch_env` live, and how what they show becomes tensors.

`SharedTables`: the engine on the CPU, tensors in its own memory. `SentTables`: the same engine, its output sent to a GPU as
bits and unpacked there. Both are a `VecEnv` whose views hold tensors.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, fields

import numpy as np
import torch

from card_envs.buffers import RESULT, Buffers
from card_envs.envs.vector import VecEnv
from card_envs.game import MAX_LEGAL_WORDS
from card_envs.layout import WORD_BITS

DTYPES = {"uint8": torch.uint8, "float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


@dataclass(frozen=True)
class TorchView:
    """What a batch of tables shows after a step, as tensors; the fields are those of `VecView`, of which it says what they mean."""

    observation: torch.Tensor  # uint8, float32, bfloat16 or float16 [B, O], or int64 [B, K] in bits
    action_mask: torch.Tensor  # bool [B, A]
    seat: torch.Tensor  # int64 [B]
    rewards: torch.Tensor  # float32 [B, P]
    terminated: torch.Tensor  # bool [B]
    truncated: torch.Tensor  # bool [B]
    final_scores: torch.Tensor  # int32 [B, sides]
    final_words: torch.Tensor  # int64 [B, K]
    legal: torch.Tensor  # int64 [B, W]: the mask as bit words

    @property
    def done(self) -> torch.Tensor:
        """bool [B]: the episode ended at this step."""
        return self.terminated | self.truncated

    def clone(self) -> TorchView:
        """The same in memory of its own."""
        return TorchView(*(getattr(self, field.name).clone() for field in fields(self)))


def column(memory: torch.Tensor, record: np.dtype, name: str, size: int | None = None) -> torch.Tensor:
    """A field of records as a tensor in their memory, uint8 [B, bytes of a record]: [B], or the first `size` of several [B, size]."""
    kind, place = record.fields[name][:2]
    dtype = torch.from_numpy(np.empty(0, kind.base)).dtype
    first = place // kind.base.itemsize
    wide = memory.view(dtype)
    return wide[:, first] if size is None else wide[:, first : first + size]


def shown_bytes(num_bytes) -> list[int]:
    """Which bytes of a row of words are shown, if of each word the first so many are: [O / 8]."""
    return [8 * word + byte for word, size in enumerate(num_bytes) for byte in range(int(size))]


class Unpacker:
    """Bits to columns on any device: words int64 [B, K] to 0 and 1 of any type [B, O], as `Layout.spread` does on the CPU."""

    def __init__(self, num_bytes, device: torch.device):
        """num_bytes: how many bytes of each word are shown."""
        places = shown_bytes(num_bytes)
        self._places = torch.tensor(places, device=device)
        self._whole = len(places) == 8 * len(num_bytes)
        self._shifts = torch.arange(8, dtype=torch.uint8, device=device)

    def __call__(self, words: torch.Tensor, out: torch.Tensor) -> torch.Tensor:
        packed = words.view(torch.uint8)  # the lowest byte of a word comes first on every machine that numba and CUDA know
        packed = packed if self._whole else packed.index_select(1, self._places)
        bits = (packed[:, :, None] >> self._shifts).bitwise_and_(1)
        return out.copy_(bits.view(out.shape))


class SharedTables(VecEnv):
    """Tables on the CPU whose views lie in the engine's memory: one view, made once, that every step overwrites.

    What the engine keeps in another form is filled in at every step: the seat, widened to int64, and small floats.
    """

    def __init__(self, game, rules, num_envs: int, *, observation: str, **settings):
        made = observation if observation in ("uint8", "float32", "bits", "none") else "uint8"
        self._torch_view = None
        super().__init__(game, rules, num_envs, observation=made, copy=False, **settings)
        self._small = None if made == observation else torch.zeros(num_envs, self.layout.width, dtype=DTYPES[observation])

    def step(self, actions: torch.Tensor) -> TorchView:
        return super().step(actions.cpu().numpy())

    def _view(self) -> TorchView:
        if self.form:
            self._reshape()
        view = self._torch_view = self._torch_view or self._shared()
        view.seat.copy_(self._seats)
        if self.form:
            view.legal.copy_(torch.from_numpy(self._legal))
        if self._small is not None:
            self._small.copy_(torch.from_numpy(self._shown.vector))
        return view

    def _shared(self) -> TorchView:
        out = self._shown
        results = torch.from_numpy(np.asarray(self._out.results).view(np.uint8).reshape(self.num_envs, -1))
        forms = {"uint8": out.vector, "float32": out.floats, "bits": out.words, "none": out.vector}
        self._seats = column(results, RESULT, "seat")
        legal = torch.from_numpy(np.asarray(self._legal))
        return TorchView(
            observation=torch.from_numpy(forms[self.observation]) if self._small is None else self._small,
            action_mask=torch.from_numpy(out.mask).view(torch.bool),
            seat=torch.zeros(self.num_envs, dtype=torch.int64),
            legal=torch.zeros_like(legal) if self.form else legal,
            final_words=torch.from_numpy(out.final_words),
            **outcome(results, self.num_players, self.rules.num_sides),
        )


def outcome(results: torch.Tensor, num_players: int, num_sides: int) -> dict[str, torch.Tensor]:
    """What a step earned and ended, as tensors in the memory of RESULT records, uint8 [B, bytes]."""
    return {
        "rewards": column(results, RESULT, "rewards", num_players),
        "terminated": column(results, RESULT, "terminated"),
        "truncated": column(results, RESULT, "truncated"),
        "final_scores": column(results, RESULT, "final_scores", num_sides),
    }


class Slot:
    """Tensors on a device that a view is made of: bits as they arrive, and what `unpack` makes of them."""

    def __init__(self, num_envs: int, tables, observation: str, device: torch.device):
        """tables: whose layout, num_actions, num_players and rules count."""

        def room(columns: int, dtype) -> torch.Tensor:
            return torch.zeros(num_envs, columns, dtype=dtype, device=device)

        layout = tables.layout
        self.words, self.final_words = room(layout.num_words, torch.int64), room(layout.num_words, torch.int64)
        self.results = room(RESULT.itemsize, torch.uint8)
        self.legal = room(MAX_LEGAL_WORDS, torch.int64)
        self.vector = room(layout.width, DTYPES[observation]) if observation in DTYPES else room(0, torch.uint8)
        self.view = TorchView(
            observation=self.words if observation == "bits" else self.vector,
            action_mask=room(tables.num_actions, torch.bool),
            seat=torch.zeros(num_envs, dtype=torch.int64, device=device),
            legal=self.legal,
            final_words=self.final_words,
            **outcome(self.results, tables.num_players, tables.rules.num_sides),
        )
        self._seats = column(self.results, RESULT, "seat")
        self._spread = Unpacker(layout.num_bytes, device) if observation in DTYPES else None
        self._spread_mask = Unpacker([WORD_BITS // 8] * (tables.num_actions // WORD_BITS), device)

    def unpack(self) -> None:
        if self._spread:
            self._spread(self.words, self.vector)
        mask = self.view.action_mask
        self._spread_mask(self.legal[:, : mask.shape[1] // WORD_BITS], mask)
        self.note_seats()

    def note_seats(self) -> None:
        self.view.seat.copy_(self._seats)


class SentTables(VecEnv):
    """Tables on the CPU whose output goes to a device as bits and is unpacked there.

    The engine writes to pinned memory. That is copied, without waiting, on a stream of its own into one of two slots in turn, so
    that a copy need not wait until what was computed from the last view is done.
    """

    def __init__(self, game, rules, num_envs: int, *, observation: str, device: torch.device, **settings):
        self._device = device
        super().__init__(game, rules, num_envs, observation="none" if observation == "none" else "bits", copy=False, **settings)
        self._slots = [Slot(num_envs, self, observation, device) for _ in range(2)]
        self._legal_sent = self._pinned(np.zeros((num_envs, MAX_LEGAL_WORDS), np.int64))
        self._actions_sent = self._pinned(np.zeros(num_envs, np.int64))
        self._ended = np.zeros(num_envs, np.bool_)
        self._turn = 0
        self._queue = Queue(device) if device.type == "cuda" else NoQueue()

    def _room(self, buffers: Buffers) -> Buffers:
        return Buffers(*map(self._pinned, buffers))

    def _pinned(self, array: np.ndarray) -> np.ndarray:
        """Such an array in memory from which a GPU can copy while the processor goes on."""
        memory = torch.zeros(array.nbytes, dtype=torch.uint8, pin_memory=self._device.type == "cuda")
        return memory.numpy().view(array.dtype).reshape(array.shape).view(type(array))

    def reset(self, *args, **settings) -> TorchView:
        self._queue.wait_until_sent()
        return super().reset(*args, **settings)

    def set_state(self, state: bytes) -> TorchView:
        self._queue.wait_until_sent()
        return super().set_state(state)

    def step(self, actions: torch.Tensor) -> TorchView:
        """Actions on the device are waited for; those on the CPU are read where they lie."""
        self._queue.wait_until_sent()
        if actions.device.type != "cpu":
            self._queue.fetch(actions, torch.from_numpy(self._actions_sent))
            actions = self._actions_sent
        else:
            actions = actions.numpy()
        return super().step(actions)

    def _view(self) -> TorchView:
        if self.form:
            self._reshape()
        np.copyto(self._legal_sent, self._legal)
        self._turn = 1 - self._turn
        slot = self._slots[self._turn]
        with self._queue.sending(self._turn):
            if self.observation != "none":
                slot.words.copy_(torch.from_numpy(self._shown.words), non_blocking=True)
            slot.legal.copy_(torch.from_numpy(self._legal_sent), non_blocking=True)
            results = np.asarray(self._out.results).view(np.uint8).reshape(self.num_envs, -1)
            slot.results.copy_(torch.from_numpy(results), non_blocking=True)
            self._send_final_words(slot)
            self._queue.sent()
            slot.unpack()
        return slot.view

    def _send_final_words(self, slot: Slot) -> None:
        """Those of the rows that ended since this slot was last filled: few, and most of them are none."""
        ended = np.asarray(self._out.results["terminated"] | self._out.results["truncated"])
        rows = np.flatnonzero(ended | self._ended)
        self._ended = ended
        if len(rows):
            words = torch.from_numpy(self._shown.final_words[rows]).to(self._device)
            slot.final_words.index_copy_(0, torch.from_numpy(rows).to(self._device), words)


class Queue:
    """The order of a GPU's copies, of what is computed from them, and of the engine that writes anew."""

    def __init__(self, device: torch.device):
        self._device = device
        self._stream = torch.cuda.Stream(device)
        self._sent, self._received = torch.cuda.Event(), torch.cuda.Event()
        self._used = [torch.cuda.Event(), torch.cuda.Event()]

    def wait_until_sent(self) -> None:
        """Until the engine may write to its memory again."""
        self._sent.synchronize()

    def fetch(self, actions: torch.Tensor, into: torch.Tensor) -> None:
        """Actions to pinned memory, waiting for whatever computes them."""
        into.copy_(actions, non_blocking=True)
        torch.cuda.current_stream(self._device).synchronize()

    @contextlib.contextmanager
    def sending(self, turn: int):
        """Work on the stream of copies, for a slot; what is started afterwards on the current stream waits for it.

        The slot was last looked at before the other one was filled, which is when its event was recorded.
        """
        current = torch.cuda.current_stream(self._device)
        self._used[1 - turn].record(current)
        self._stream.wait_event(self._used[turn])
        with torch.cuda.stream(self._stream):
            yield
        self._received.record(self._stream)
        current.wait_event(self._received)

    def sent(self) -> None:
        self._sent.record(self._stream)


class NoQueue:
    """On the CPU everything happens at once."""

    def wait_until_sent(self) -> None:
        pass

    def sending(self, turn: int):
        return contextlib.nullcontext()

    def sent(self) -> None:
        pass
