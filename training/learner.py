"""What one process trains with: tables, network, optimiser and generator; and its exact state."""

from __future__ import annotations

import copy

import torch

from training.config import Config
from training.policy import Policy
from training.ppo import Gradients, make_optimizer
from training.processes import derive_seed
from training.rollout import Rollout
from training.tables import make_tables
from training.teaching import make_teacher


class Learner:
    """`view` is what the seats to act see now; `rollout` the buffer that `collect` fills."""

    def __init__(self, config: Config, rank: int):
        self.config = config
        self.vec = make_tables(config, rank)
        self.vec.step(self.vec.reset().action_mask.argmax(axis=1))  # compiles the engine before any clock runs
        self.view = self.vec.reset()
        torch.manual_seed(config.seed)  # every process starts with the same weights
        self.policy = Policy(self.vec.observation_width, self.vec.num_actions, config.network)
        self.optimizer = make_optimizer(self.policy)
        self.gradients = Gradients(self.policy)
        self.generator = torch.Generator().manual_seed(derive_seed(config.seed, "actions and minibatches", rank))
        self.rollout = Rollout.allocate(self.vec, config.num_steps)

        self.teacher = make_teacher(config, self.vec, rank) if config.teacher.agent else None
        self.magnet = None  # the policy as it was taught, once it was

    def finish_lessons(self) -> None:
        self.magnet = copy.deepcopy(self.policy).requires_grad_(False)

    def own_state(self) -> dict:
        """What differs between the processes."""
        return {"generator": self.generator.get_state(), "vec": self.vec.get_state()}

    def shared_state(self) -> dict:
        """What is the same in all processes, beside the policy's weights."""
        return {"optimizer": self.optimizer.state_dict(), "magnet": self.magnet and self.magnet.state_dict()}

    def restore(self, shared: dict, own: dict) -> None:
        self.optimizer.load_state_dict(shared["optimizer"])
        if shared["magnet"]:
            self.finish_lessons()
            self.magnet.load_state_dict(shared["magnet"])
        self.generator.set_state(own["generator"])
        self.view = self.vec.set_state(own["vec"])
