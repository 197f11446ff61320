"""Train Tianshou's PPO at one seat of Pitch against the rule bot `basic`, and say how it does in the arena.

pip install 'card-envs[tianshou]'
python scripts/examples/tianshou_ppo.py                      # 200,000 decisions
python scripts/examples/tianshou_ppo.py --steps 4000         # does it run?
"""

from __future__ import annotations

import argparse
import time

import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams

from card_envs.adapters.tianshou import MaskedActor, ObservedCritic, TianshouAgent, TianshouEnv
from card_envs.agents import load as load_agent
from card_envs.arena import ladder, ladder_table
from card_envs.games import load


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="pitch")
    parser.add_argument("--others", default="basic", help="who plays the other seats while it learns")
    parser.add_argument("--steps", type=int, default=200_000, help="decisions of the learner")
    parser.add_argument("--deals", type=int, default=2000, help="duplicate deals in the arena, against each opponent")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    envs = DummyVectorEnv([lambda: TianshouEnv(args.game, episode="deal", others=args.others)] * 16)
    envs.seed(args.seed)
    one = TianshouEnv(args.game)
    actor, critic = MaskedActor(one, [256, 256]), ObservedCritic(one, [256, 256])
    policy = DiscreteActorPolicy(actor=actor, action_space=one.action_space, observation_space=one.observation_space)
    algorithm = PPO(
        policy=policy, critic=critic, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, ent_coef=0.01, max_grad_norm=0.5,
        return_scaling=True,
    )  # fmt: skip
    batch = min(8192, args.steps)
    start = time.perf_counter()
    algorithm.run_training(
        OnPolicyTrainerParams(
            training_collector=Collector(algorithm, envs, VectorReplayBuffer(2 * batch, len(envs))),
            max_epochs=1,
            epoch_num_steps=args.steps,
            collection_step_num_env_steps=batch,
            update_step_num_repetitions=4,
            batch_size=1024,
            show_progress=False,
            verbose=False,
        )
    )
    print(f"{args.steps} decisions in {time.perf_counter() - start:.0f} s")

    game = load(args.game)
    rules = game.rules()
    opponents = {name: load_agent(name, game, rules, args.seed) for name in ("random", "basic")}
    agent = TianshouAgent(actor, game, rules)
    print(ladder_table(ladder(game, rules, agent, opponents, args.deals, seed=900, name="Tianshou PPO")))


if __name__ == "__main__":
    main()
