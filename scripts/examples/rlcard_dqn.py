"""Train RLCard's DQN at one seat of Pitch against the rule bot `basic`, and say how it does in the arena.

pip install 'card-envs[rlcard]'
python scripts/examples/rlcard_dqn.py                      # 20,000 deals
python scripts/examples/rlcard_dqn.py --episodes 200       # does it run?
"""

from __future__ import annotations

import argparse
import contextlib
import os
import time

import torch
from rlcard.agents import DQNAgent
from rlcard.utils import reorganize, set_seed

from card_envs.adapters.rlcard import RLCardAgent, RLCardEnv, Seated
from card_envs.agents import load as load_agent
from card_envs.arena import ladder, ladder_table
from card_envs.games import load


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="pitch")
    parser.add_argument("--others", default="basic", help="who plays the other seats while it learns")
    parser.add_argument("--episodes", type=int, default=20_000, help="deals")
    parser.add_argument("--deals", type=int, default=2000, help="duplicate deals in the arena, against each opponent")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    set_seed(args.seed)
    env = RLCardEnv(args.game, seed=args.seed)
    learner = DQNAgent(
        num_actions=env.num_actions, state_shape=env.state_shape[0], mlp_layers=[256, 256], device=torch.device("cpu"),
        learning_rate=3e-4, discount_factor=1.0, batch_size=64, train_every=4, replay_memory_size=50_000,
        replay_memory_init_size=500, epsilon_decay_steps=6 * args.episodes // 2,
    )  # fmt: skip
    env.set_agents([learner] + [Seated(args.others, env) for _ in range(env.num_players - 1)])
    decisions, start = 0, time.perf_counter()
    for episode in range(1, args.episodes + 1):
        with contextlib.redirect_stdout(open(os.devnull, "w")) as silent, silent:  # the agent prints each loss
            for transition in reorganize(*env.run(is_training=True))[0]:
                learner.feed(transition)
                decisions += 1
        if episode % max(1, args.episodes // 10) == 0:
            print(f"{episode} deals, {decisions} decisions, {time.perf_counter() - start:.0f} s", flush=True)

    game, rules = load(args.game), env.rules
    opponents = {name: load_agent(name, game, rules) for name in ("random", "basic", "expert")}
    agent = RLCardAgent(learner, game, rules)
    print(ladder_table(ladder(game, rules, agent, opponents, args.deals, seed=900, name="RLCard DQN")))


if __name__ == "__main__":
    main()
