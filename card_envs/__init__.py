"""card-envs: reinforcement-learning environments for bidding trick-taking card games.

`games()` lists the games; `make` opens a PettingZoo AEC table of one, `make_vec` many tables as NumPy arrays, `make_torch` as
PyTorch tensors; Gymnasium knows `card_envs/<Game>-v1`, one seat against agents.
"""

from __future__ import annotations

import functools
import sys
import types

from card_envs import games

__version__ = "0.1.0"


def make(game: str, **settings):
    """A PettingZoo AEC environment; settings are `card_envs.envs.aec.raw_env`'s and the game's options."""
    from card_envs.envs.aec import env

    return env(game, **settings)


def make_vec(game: str, num_envs: int, *, preset: str = "seed", **settings):
    """A batch of tables as NumPy arrays: `card_envs.envs.vector.VecEnv`.

    `preset` names a full set of options, other keywords replace single options or set up the batch (episode, seed, reward,
    observation, autoreset, illegal, skip_forced, threads, copy, pad_seats, relabel_trump). Unknown names raise OptionError
    naming the nearest one.
    """
    from card_envs.envs.vector import VecEnv
    from card_envs.game import split_settings

    found = games.load(game)
    options, own = split_settings(found, VecEnv, settings)
    return VecEnv(found, found.rules(preset, **options), num_envs, **own)


def make_torch(game: str, num_envs: int, *, preset: str = "seed", **settings):
    """A batch of tables as PyTorch tensors: `card_envs.envs.torch_env.TorchEnv`.

    Settings are those of `make_vec`, and device ("cpu", "cuda", "cuda:0" ..., "auto"), engine ("host", "cuda") and dtype. Raises
    ImportError naming the extra to install where PyTorch is missing.
    """
    from card_envs.envs.torch_env import TorchEnv
    from card_envs.game import split_settings

    found = games.load(game)
    options, own = split_settings(found, TorchEnv, settings)
    return TorchEnv(found, found.rules(preset, **options), num_envs, **own)


def _register() -> None:
    """PettingZoo modules such as `card_envs.<game>_v1`, Gymnasium ids such as `card_envs/<Game>-v1`."""
    import gymnasium
    import pettingzoo

    for game, version in games.GAMES.items():
        module = types.ModuleType(f"{__name__}.{game}_v{version}", f"The {game} environment by PettingZoo's convention.")
        for face in ("env", "raw_env", "parallel_env"):
            setattr(module, face, functools.partial(_face, face, game))
        sys.modules[module.__name__] = module
        globals()[f"{game}_v{version}"] = module
        gymnasium.register(
            f"{__name__}/{game.capitalize()}-v{version}",
            entry_point="card_envs.envs.single:make_seat",
            vector_entry_point="card_envs.envs.seats:make_seats",
            kwargs={"game": game},
        )
        if hasattr(pettingzoo, "register"):
            pettingzoo.register("aec", f"{__name__}/{game}-v{version}", entry_point=functools.partial(_face, "env", game))


def _face(face: str, game: str, **settings):
    from card_envs.envs import aec

    return getattr(aec, face)(game, **settings)


_register()
