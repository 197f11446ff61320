"""Train sb3-contrib's MaskablePPO at one seat of Pitch against the rule bot `basic`, and say how it does in the arena.

pip install 'card-envs[sb3]'
python scripts/examples/sb3_maskable_ppo.py                      # 400,000 decisions
python scripts/examples/sb3_maskable_ppo.py --steps 20000        # does it run?
"""

from __future__ import annotations

import argparse
import time

from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecNormalize

from card_envs.adapters.sb3 import SB3Agent, SB3VecEnv
from card_envs.agents import load as load_agent
from card_envs.arena import ladder, ladder_table
from card_envs.games import load


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--game", default="pitch")
    parser.add_argument("--others", default="basic", help="who plays the other seats while it learns")
    parser.add_argument("--steps", type=int, default=400_000, help="decisions of the learner")
    parser.add_argument("--deals", type=int, default=2000, help="duplicate deals in the arena, against each opponent")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    tables = SB3VecEnv(args.game, 256, episode="deal", others=args.others, observation="float32")
    tables.seed(args.seed)
    env = VecNormalize(tables, norm_obs=False, gamma=1.0)  # rewards are points of a deal, up to some ten
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=64, batch_size=2048, n_epochs=4, gamma=1.0, learning_rate=1e-3, ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256]}, seed=args.seed, device="cpu",
    )  # fmt: skip
    start = time.perf_counter()
    model.learn(args.steps)
    print(f"{model.num_timesteps} decisions in {time.perf_counter() - start:.0f} s")

    game = load(args.game)
    rules = game.rules()
    opponents = {name: load_agent(name, game, rules, args.seed) for name in ("random", "basic")}
    print(ladder_table(ladder(game, rules, SB3Agent(model, game, rules), opponents, args.deals, seed=900, name="MaskablePPO")))


if __name__ == "__main__":
    main()
