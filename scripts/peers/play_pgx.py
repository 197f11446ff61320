"""Pgx's bridge bidding (there is no play of cards in it): jit and vmap with auto-reset, many steps a call, one core.

The game looks its results up in a table of solved deals that is downloaded (`dds_results_10M.npy`; put into the cache folder, it
is used). Without it the hundred deals that the package carries for its own tests stand in: a smaller table, so no slower.
"""

import contextlib
import os
from pathlib import Path

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
with contextlib.suppress(AttributeError):  # one core, where the system can be told so: the unit is a core's second
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import jax
import jax.numpy as jnp
import numpy as np
from pgx.bridge_bidding import BridgeBidding, _load_sample_hash
from pgx.experimental.wrappers import auto_reset
from timing import arguments, measure, report

SIZES = (1, 256, 4096)
STEPS_A_CALL = {1: 4096, 256: 256, 4096: 16}


def table(cache: Path) -> tuple[Path, str]:
    """The table of solved deals, and a word for it."""
    for path in sorted(cache.glob("dds_results_*.npy")):
        return path, path.stem
    path = cache / "pgx_sample.npy"
    np.save(path, np.stack(_load_sample_hash()))
    return path, "100 deals"


def main() -> None:
    asked = arguments(__doc__)
    path, word = table(Path(asked.cache))
    env = BridgeBidding(str(path))
    init, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def one(carry, _):
        state, key = carry
        key, choosing, dealing = jax.random.split(key, 3)
        size = state.legal_action_mask.shape[0]
        action = jax.random.categorical(choosing, jnp.where(state.legal_action_mask, 0.0, -jnp.inf), axis=1)
        return (step(state, action, jax.random.split(dealing, size)), key), None

    for size in SIZES:
        calls = STEPS_A_CALL[size]
        many = jax.jit(lambda state, key, calls=calls: jax.lax.scan(one, (state, key), None, length=calls)[0])
        state, key = jax.jit(init)(jax.random.split(jax.random.PRNGKey(1), size)), jax.random.PRNGKey(2)
        state, key = jax.block_until_ready(many(state, key))  # compiles
        kept = [state, key]

        def play(many=many, kept=kept, decisions=size * calls) -> int:
            kept[:] = jax.block_until_ready(many(*kept))
            return decisions

        report(
            "bridge_bidding",
            f"{size:,} tables, auto-reset, {word}",
            "batch, mask, observation",
            measure(play, asked),
            "pgx",
            "jax",
        )


if __name__ == "__main__":
    main()
