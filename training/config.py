"""Every setting of a training run: a tree of frozen dataclasses, filled from TOML and `--dotted.name value` overrides.

A pair such as `learning_rate = [1e-3, 0.0]` is a schedule: the values at the start and at the end of the run, linear in
decisions between them.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import types
import typing
from dataclasses import dataclass, field
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

PRECISIONS = ("auto", "float32", "bfloat16")
Schedule = tuple[float, float]


class ConfigError(ValueError):
    """A setting that does not exist, has the wrong type, or makes no sense."""


@dataclass(frozen=True)
class NetworkConfig:
    """The shared trunk: a linear layer and residual blocks, all `hidden` wide."""

    hidden: int = 128  # at equal seconds on a CPU stronger than 256: twice the decisions are worth more
    blocks: int = 2


@dataclass(frozen=True)
class TeacherConfig:
    """What the policy learns before it plays itself: to choose as an agent does, and what that is worth."""

    agent: str = ""  # its name, as on the command line; empty: nothing is taught
    decisions: int = 0  # of total_decisions, the first so many
    learning_rate: Schedule = (2e-3, 5e-4)
    own_choices: float = (
        0.1  # the share of choices that are the policy's own, so that it is taught what to do after its mistakes
    )


@dataclass(frozen=True)
class PPOConfig:
    """The update. "play" is a card action, "call" an action of the auction."""

    learning_rate: Schedule = (1e-3, 0.0)
    update_epochs: int = 1
    num_minibatches: int = 32
    gamma: float = 1.0
    gae_lambda: float = 0.95  # over a seat's own decisions
    clip_coef: float = 0.2
    vf_coef: float = 0.5
    play_ent_coef: Schedule = (0.05, 0.005)
    call_ent_coef: Schedule = (0.05, 0.005)
    magnet_coef: Schedule = (0.0, 0.0)  # weight of KL(policy, policy as it was taught), the magnet of Sokota et al. 2022
    call_loss_weight: float = 2.0  # calls are few and decide much: their policy loss counts this many times
    target_kl: float = 0.05  # an update ends early beyond this
    max_grad_norm: float = 1.0


@dataclass(frozen=True)
class EvaluateConfig:
    """Duplicate matches of the greedy policy: at each checkpoint on validation deals, at the end on other deals."""

    opponents: tuple[str, ...] = ("random", "basic", "expert")
    deals: int = 1000
    final_deals: int = 4000


@dataclass(frozen=True)
class EnvConfig:
    """The form in which the network is shown the tables (`card_envs.forms`), and at which tables it plays."""

    pad_seats: int = 0  # places for so many seats: one network for every number of players up to this
    relabel_trump: bool = False  # suits are renamed: trump is always S
    players: tuple[int, ...] = ()  # tables are shared out among these numbers of players; empty: num_players alone


@dataclass(frozen=True)
class Config:
    """A run. Decisions are choices among two legal actions or more; they are counted over all processes, tables and
    steps for each process.
    """

    game: str
    num_players: int
    preset: str = "seed"
    options: dict[str, bool | int | str] = field(default_factory=dict)  # single rules that differ from the preset
    episode: str = "deal"
    reward: str = ""  # empty: the engine's choice for the kind of episode
    reward_scale: float = 1.0  # rewards are multiplied by this: returns of about 1 suit the value head
    seed: int = 1
    total_decisions: int = 10_000_000
    processes: int = 1
    threads: int = 1  # of torch in each process: more than one pays only on an idle machine
    num_envs: int = 512  # with 128 a decision's way through the network takes twice as long
    num_steps: int = 64
    precision: str = "auto"  # bfloat16 where the processor computes with it, else float32
    checkpoint_every: int = 50  # iterations; a checkpoint is evaluated
    run_dir: str = ""  # empty: runs/<game>-<seed>-<time>
    env: EnvConfig = EnvConfig()
    network: NetworkConfig = NetworkConfig()
    teacher: TeacherConfig = TeacherConfig()
    ppo: PPOConfig = PPOConfig()
    evaluate: EvaluateConfig = EvaluateConfig()

    def __post_init__(self):
        if self.precision not in PRECISIONS:
            raise ConfigError(f"precision={self.precision!r}: must be one of {', '.join(PRECISIONS)}")
        for tree, prefix in (
            (self, ""),
            (self.network, "network."),
            (self.ppo, "ppo."),
            (self.teacher, "teacher."),
            (self.evaluate, "evaluate."),
        ):
            for setting in dataclasses.fields(tree):
                value = getattr(tree, setting.name)
                if (
                    type(value) is int
                    and setting.name not in ("seed", "deals", "final_deals", "blocks", "decisions")
                    and value < 1
                ):
                    raise ConfigError(f"{prefix}{setting.name}={value}: must be at least 1")
        if bool(self.teacher.agent) != (self.teacher.decisions > 0):
            raise ConfigError("teacher.agent and teacher.decisions: either both are set, or neither")
        if self.teacher.agent and (self.env.pad_seats or self.env.relabel_trump or len(self.player_counts) > 1):
            raise ConfigError(
                "teacher.agent: agents read plain observations; leave env.pad_seats, relabel_trump and players as they are"
            )
        if any(self.ppo.magnet_coef) and not self.teacher.agent:
            raise ConfigError("ppo.magnet_coef: the magnet is the policy as it was taught, and teacher.agent is empty")
        players = self.env.players
        if players and self.num_players not in players:
            raise ConfigError(f"env.players={list(players)}: num_players={self.num_players} must be among them")
        if len(set(players)) > 1 and not self.env.pad_seats:
            raise ConfigError(f"env.players={list(players)}: one network for all of them needs env.pad_seats={max(players)}")
        if len(players) > self.num_envs:
            raise ConfigError(f"num_envs={self.num_envs}: fewer tables than env.players has entries")

    @property
    def player_counts(self) -> tuple[int, ...]:
        """Players at the tables, an entry for each equal part of the tables."""
        return self.env.players or (self.num_players,)

    @property
    def decisions_per_iteration(self) -> int:
        return self.processes * self.num_envs * self.num_steps

    @property
    def num_iterations(self) -> int:
        return -(-self.total_decisions // self.decisions_per_iteration)

    @property
    def num_lessons(self) -> int:
        """How many of the iterations, the first ones, are the teacher's."""
        return min(-(-self.teacher.decisions // self.decisions_per_iteration), self.num_iterations)

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self), indent=2)

    def to_text(self) -> str:
        """A line for each setting, named as overrides name it."""
        return "\n".join(f"{name} = {json.dumps(value)}" for name, value in _flat(dataclasses.asdict(self)))


def load_config(path: str | Path, overrides: dict[str, str] | None = None) -> Config:
    """The settings of a TOML file, or of the JSON that a run stored, with overrides from the command line."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8")
        values = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise ConfigError(f"{path}: {error}") from None
    for name, value in (overrides or {}).items():
        _override(values, name, value)
    return build(Config, values)


def build(kind: type, values: dict, prefix: str = ""):
    """A dataclass from a dict; unknown names and wrong types are errors that say what would be right."""
    hints = typing.get_type_hints(kind)
    for name in values:
        if name not in hints:
            close = difflib.get_close_matches(name, hints, n=1, cutoff=0.4)
            hint = f"; did you mean {prefix + close[0]!r}?" if close else f"; there are {', '.join(hints)}"
            raise ConfigError(f"no setting {prefix + name!r}{hint}")
    missing = [f.name for f in dataclasses.fields(kind) if f.name not in values and _is_required(f)]
    if missing:
        raise ConfigError(f"the config must say {', '.join(missing)}")
    return kind(**{name: _convert(hints[name], value, prefix + name) for name, value in values.items()})


def _flat(values: dict, prefix: str = ""):
    for name, value in values.items():
        if isinstance(value, dict) and value:
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _is_required(setting: dataclasses.Field) -> bool:
    return setting.default is dataclasses.MISSING and setting.default_factory is dataclasses.MISSING


def _convert(hint, value, name: str):
    """`value` as the type that the setting wants: an int will do for a float, a list for a tuple."""
    if dataclasses.is_dataclass(hint):
        if not isinstance(value, dict):
            raise ConfigError(f"{name}={value!r}: is a table of settings")
        return build(hint, value, name + ".")
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple and isinstance(value, (list, tuple)):
        if args[-1] is not Ellipsis and len(value) != len(args):
            raise ConfigError(f"{name}={value!r}: needs {len(args)} values (at the start, at the end)")
        return tuple(_convert(args[0], item, name) for item in value)
    if origin is dict and isinstance(value, dict):
        return {key: _convert(args[1], item, f"{name}.{key}") for key, item in value.items()}
    if origin is types.UnionType and type(value) in args:
        return value
    if hint is float and type(value) is int:
        return float(value)
    if hint is not type(value):
        raise ConfigError(f"{name}={value!r}: must be {getattr(hint, '__name__', hint)}")
    return value


def _override(values: dict, dotted: str, text: str) -> None:
    """Put `text`, read as TOML where it is a TOML value and else as a plain word, at a dotted name."""
    *tables, last = dotted.split(".")
    for table in tables:
        values = values.setdefault(table, {})
        if not isinstance(values, dict):
            raise ConfigError(f"no setting {dotted!r}: {table!r} is a single value")
    try:
        values[last] = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        values[last] = text
