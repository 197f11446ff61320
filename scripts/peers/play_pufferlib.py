"""PufferLib's only card game, Triple Triad in C: batches, an opponent inside the step, no masks.

Its actions are drawn beforehand and many are not legal, since there is no mask to choose by.
"""

import numpy as np
from pufferlib.ocean.tripletriad.tripletriad import TripleTriad
from timing import arguments, measure, report

SIZES = (256, 4096)
CALLS = 64


def main() -> None:
    asked = arguments(__doc__)
    for size in SIZES:
        env = TripleTriad(num_envs=size)
        env.reset()
        actions = np.random.default_rng(1).integers(env.single_action_space.n, size=(CALLS, size))

        def play(env=env, actions=actions) -> int:
            for given in actions:
                env.step(given)
            return actions.size

        report("triple triad", f"{size:,} tables", "batch, mask, observation", measure(play, asked), "pufferlib")


if __name__ == "__main__":
    main()
