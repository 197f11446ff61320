"""TorchRL: its own checks pass, the tables conform, and no distribution over a stored batch is empty."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import card_envs
from card_envs.conformance import Moment, check

pytest.importorskip("torchrl", reason="TorchRL is not installed: pip install 'card-envs[torchrl]'")

from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torchrl.envs.utils import check_env_specs
from torchrl.modules import MaskedCategorical

from card_envs.adapters.torchrl import CardEnv


class OfTorchRL:
    """Driven by `step` and partial resets, as its collectors do."""

    num_tables, others = 3, None

    def __init__(self, game, **settings):
        self.env = CardEnv(game, self.num_tables, **settings)
        self.seats = range(self.env.vec.num_players)

    @property
    def illegal_count(self):
        return self.env.vec.illegal_count

    def reset(self, seed) -> Moment:
        self.env.set_seed(seed)
        self.shown = self.env.reset()
        return self.moment(self.shown, torch.zeros(self.num_tables, len(self.seats)), self.shown)

    def step(self, actions) -> Moment:
        after = self.env.step(self.shown.set("action", torch.from_numpy(actions)))["next"]
        self.shown = after.select("observation", "action_mask", "seat", "done", "terminated", "truncated")
        if after["done"].any():
            self.shown = self.env.reset(self.shown.clone().set("_reset", after["done"]))
        return self.moment(self.shown, after["reward"], after)

    def moment(self, shown, rewards, ends) -> Moment:
        return Moment(
            seat=shown["seat"].numpy(),
            action_mask=shown["action_mask"].numpy(),
            observation=shown["observation"].numpy(),
            rewards=rewards.numpy(),
            terminated=ends["terminated"][:, 0].numpy(),
            truncated=ends["truncated"][:, 0].numpy(),
            waits=np.zeros(self.num_tables, np.bool_),
        )

    def close(self):
        self.env.close()


@pytest.mark.parametrize("game", card_envs.games())
def test_it_conforms(game):
    report = check(OfTorchRL, game, deals=1000)
    assert report.terminated >= 1000 and report.truncated and report.out_of_turn


@pytest.mark.parametrize("game", card_envs.games())
def test_torchrls_own_check_passes_without_an_illegal_action(game):
    check_env_specs(CardEnv(game, 4, episode="deal", seed=1))


def test_a_stored_batch_of_many_deals_has_no_empty_distribution():
    torch.manual_seed(1)
    env = CardEnv("pitch", 8, episode="deal", seed=1)

    def choose(observation, action_mask):
        return MaskedCategorical(logits=torch.zeros(action_mask.shape), mask=action_mask).sample()

    policy = TensorDictModule(choose, in_keys=["observation", "action_mask"], out_keys=["action"])
    batch = env.rollout(100, policy, break_when_any_done=False)
    assert batch["next", "done"].sum() > 20
    for part in (batch, batch["next"]):
        assert torch.isfinite(
            MaskedCategorical(logits=torch.zeros(part["action_mask"].shape), mask=part["action_mask"]).entropy()
        ).all()
    chosen = batch["action_mask"].gather(-1, batch["action"][..., None])
    assert chosen.all()


def test_a_seed_is_the_batch_of_make_vec():
    env = CardEnv("spades", 3, episode="deal")
    env.set_seed(5)
    shown, view = env.reset(), card_envs.make_vec("spades", 3, episode="deal").reset(seed=5)
    assert np.array_equal(shown["observation"].numpy(), view.observation)
    assert isinstance(shown, TensorDict)


def test_what_torchrl_needs_cannot_be_set():
    with pytest.raises(ValueError, match="autoreset is what TorchRL needs"):
        CardEnv("pitch", 2, autoreset="same_step")


@pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested")
def test_a_pettingzoo_table_needs_no_adapter():
    """Masks are obeyed over several deals, and every seat is paid what the engine pays it."""
    from torchrl.envs import MarlGroupMapType, PettingZooWrapper

    table = card_envs.make("pitch", episode="deal")
    env = PettingZooWrapper(table, use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP)
    check_env_specs(env)

    def choose(action_mask):
        return MaskedCategorical(logits=torch.zeros(action_mask.shape), mask=action_mask).sample()

    torch.manual_seed(2)
    policy = TensorDictModule(choose, in_keys=[("agents", "action_mask")], out_keys=[("agents", "action")])
    paid = 0
    for seed in range(5):
        env.set_seed(seed)
        batch = env.rollout(100, policy)
        change = table.unwrapped.table.record.change
        margin = float(change[0] - change[1])
        assert batch["next", "agents", "reward"].sum(0).flatten().tolist() == [margin, -margin, margin, -margin]
        paid += margin != 0
    assert paid
