"""Train RLlib's PPO by self-play at all seats of Pitch, and say how it does in the arena.

pip install 'card-envs[rllib]'
python scripts/examples/rllib_self_play.py                       # 1,000,000 decisions
python scripts/examples/rllib_self_play.py --past 3              # a league: one side learns, past selves play the other
python scripts/examples/rllib_self_play.py --steps 4000          # does it run?
"""

from __future__ import annotations

import argparse
import os
import time

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

import ray
from ray.rllib.algorithms.ppo import PPOConfig

from card_envs.adapters.rllib import CURRENT, RLlibAgent, self_play
from card_envs.agents import load as load_agent
from card_envs.arena import ladder, ladder_table
from card_envs.games import load


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="pitch")
    parser.add_argument("--steps", type=int, default=1_000_000, help="decisions of the seats that learn")
    parser.add_argument("--past", type=int, default=0, help="past selves that are kept as opponents")
    parser.add_argument("--runners", type=int, default=0, help="processes that play; none: the learner's own")
    parser.add_argument("--deals", type=int, default=2000, help="duplicate deals in the arena, against each opponent")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    ray.init(include_dashboard=False, log_to_driver=False, object_store_memory=200 * 2**20)
    config = self_play(PPOConfig(), args.game, hidden=[256, 256], past=args.past, episode="deal", observation="int8")
    batch = min(16384, args.steps)
    config = (
        config.env_runners(num_env_runners=args.runners, num_envs_per_env_runner=1)
        .training(train_batch_size_per_learner=batch, minibatch_size=min(2048, batch), num_epochs=4, lr=1e-3, gamma=1.0)
        .training(entropy_coeff=0.01, grad_clip=0.5, lambda_=0.95, vf_clip_param=100.0)
        .debugging(seed=args.seed, log_level="ERROR")
    )
    algorithm = config.build_algo()
    start, done = time.perf_counter(), 0
    while done < args.steps:
        result = algorithm.train()
        done = int(result["env_runners"]["num_module_steps_sampled_lifetime"][CURRENT])
        print(f"{done} decisions in {time.perf_counter() - start:.0f} s", flush=True)

    game = load(args.game)
    rules = game.rules()
    opponents = {name: load_agent(name, game, rules, args.seed) for name in ("random", "basic")}
    agent = RLlibAgent(algorithm.get_module(CURRENT), game, rules)
    print(ladder_table(ladder(game, rules, agent, opponents, args.deals, seed=900, name="RLlib")))
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
