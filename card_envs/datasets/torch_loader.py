"""Datasets of play as PyTorch tensors. Needs `pip install 'card-envs[torch]'`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

try:
    import torch
    from torch.utils.data import IterableDataset, get_worker_info
except ModuleNotFoundError as error:
    raise ImportError("this loader needs torch: pip install 'card-envs[torch]'") from error

from card_envs.datasets import DatasetError, open_dataset


class Decisions(IterableDataset):
    """Batches of decisions: shards in random order, rows mixed within a shard.

    Each batch is a dict of tensors with first axis N = batch_size (less at a shard's end): `observation` float32 or uint8 [N, O],
    `action_mask` bool [N, A], `action`, `seat`, `agent`, `deal` and `move` int64 [N], `return` float32 [N]. agents: keep the
    decisions of these agents only. It makes batches itself: `DataLoader(Decisions(path), batch_size=None, num_workers=2)`, where
    each worker reads its own shards. Another order each time it is iterated, the same for the same seed.
    """

    def __init__(self, path: str | Path, batch_size: int = 4096, *, seed: int = 0, agents=None, dtype=torch.float32):
        self.dataset = open_dataset(path)
        self.batch_size, self.seed, self.dtype, self.epoch = batch_size, seed, dtype, 0
        known = self.dataset.facts["agents"]
        for name in agents or ():
            if name not in known:
                raise DatasetError(f"no agent {name!r} in {path}: there are {', '.join(known)}")
        self.places = None if agents is None else [place for place, name in enumerate(known) if name in agents]

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        worker = get_worker_info()
        random = np.random.default_rng((self.seed, self.epoch))
        self.epoch += 1
        files = self.dataset.files()
        order = random.permutation(len(files))
        own = order if worker is None else order[worker.id :: worker.num_workers]
        for place in own:
            yield from self._batches(files[place], np.random.default_rng((self.seed, self.epoch, int(place))))

    def _batches(self, file: Path, random: np.random.Generator) -> Iterator[dict[str, torch.Tensor]]:
        with np.load(file) as packed:
            rows = dict(packed)
        chosen = np.arange(len(rows["action"]))
        if self.places is not None:
            chosen = chosen[np.isin(rows["agent"], self.places)]
        random.shuffle(chosen)
        for first in range(0, len(chosen), self.batch_size):
            yield self._tensors({name: array[chosen[first : first + self.batch_size]] for name, array in rows.items()})

    def _tensors(self, rows: dict[str, np.ndarray]) -> dict[str, torch.Tensor]:
        seen = torch.from_numpy(self.dataset.observations(rows.pop("observation"))).to(self.dtype)
        masks = torch.from_numpy(self.dataset.masks(rows.pop("action_mask")))
        returns = torch.from_numpy(rows.pop("return"))
        numbers = {name: torch.from_numpy(array.astype(np.int64)) for name, array in rows.items()}
        return {"observation": seen, "action_mask": masks, "return": returns, **numbers}
