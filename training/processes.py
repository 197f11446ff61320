"""Several processes that train one network: each plays its own deals, gradients are averaged."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys

import numpy as np
import torch
import torch.distributed as dist


class Processes:
    """This process among all of them. Without `torchrun` there is one, and nothing is sent."""

    def __init__(self):
        self.rank = int(os.environ.get("RANK", 0))
        self.count = int(os.environ.get("WORLD_SIZE", 1))

    def __enter__(self) -> Processes:
        if self.count > 1:
            # Its functions' default argument is the group at the time of the import, and torch.optim imports it: were that
            # later, the group and its threads would outlive __exit__, and now and then abort the process as it ends.
            importlib.import_module("torch.distributed.nn.functional")
            dist.init_process_group("gloo")
        return self

    def __exit__(self, *error) -> None:
        if self.count > 1:
            dist.destroy_process_group()

    def average(self, tensor: torch.Tensor) -> None:
        """Replace `tensor` by its mean over the processes."""
        if self.count > 1:
            dist.all_reduce(tensor)
            tensor /= self.count

    def gather(self, item) -> list | None:
        """The items of all processes, in order; only the first process gets them."""
        if self.count == 1:
            return [item]
        items = [None] * self.count if self.rank == 0 else None
        dist.gather_object(item, items)
        return items

    def share(self, item):
        """The first process's item, in every process."""
        if self.count == 1:
            return item
        box = [item]
        dist.broadcast_object_list(box)
        return box[0]


def derive_seed(seed: int, purpose: str, rank: int = 0) -> int:
    """A seed for one purpose and process: streams that never share deals."""
    entropy = [seed, rank, *purpose.encode()]
    return int(np.random.SeedSequence(entropy).generate_state(1, np.uint32)[0])


def relaunch(count: int, arguments: list[str]) -> int:
    """Run this command again as `count` processes under torchrun; its exit code."""
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(count)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.call([*torchrun, "-m", "training.train", *arguments], env=environment)
