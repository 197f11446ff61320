"""Settings: files, overrides, and what is refused."""

import json

import pytest

from training.config import ConfigError, load_config
from training.train import parse

TOML = """
game = "toy"
num_players = 4
[options]
low_to = "holder"
[ppo]
learning_rate = [2e-3, 0]
"""


@pytest.fixture
def toml(tmp_path):
    path = tmp_path / "run.toml"
    path.write_text(TOML)
    return path


def test_a_file_says_only_what_differs(toml):
    config = load_config(toml)
    assert (config.game, config.options, config.ppo.learning_rate) == ("toy", {"low_to": "holder"}, (2e-3, 0.0))
    assert config.network.hidden == 128


def test_overrides_reach_every_level(toml):
    arguments = ["--seed", "7", "--network.hidden=64", "--ppo.learning_rate", "[1e-4, 1e-5]"]
    arguments += ["--options.low_to", "taker"]
    config, resume = parse([str(toml), *arguments])
    assert resume is None
    assert (config.seed, config.network.hidden, config.ppo.learning_rate) == (7, 64, (1e-4, 1e-5))
    assert config.options == {"low_to": "taker"}


def test_the_stored_settings_are_the_same_settings(toml, tmp_path):
    config = load_config(toml)
    stored = tmp_path / "config.json"
    stored.write_text(config.to_json())
    assert load_config(stored) == config
    assert json.loads(config.to_json())["ppo"]["clip_coef"] == 0.2  # defaults are written out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--ppo.clip", "0.1"], r"no setting 'ppo.clip'; did you mean 'ppo.clip_coef'\?"),
        (["--num_env", "4"], r"no setting 'num_env'; did you mean 'num_envs'\?"),
        (["--num_envs", "many"], r"num_envs='many': must be int"),
        (["--num_envs", "0"], r"num_envs=0: must be at least 1"),
        (["--precision", "float16"], r"precision='float16': must be one of auto, float32, bfloat16"),
        (["--ppo.learning_rate", "[1.0]"], r"ppo.learning_rate=\[1.0\]: needs 2 values"),
        (["--ppo", "3"], r"ppo=3: is a table of settings"),
        (["--game.name", "x"], r"'game' is a single value"),
        (["--seed"], r"--seed needs a value"),
        (["--resume", "elsewhere"], r"either a config file, or a run"),
    ],
)
def test_wrong_settings_are_refused_by_name(toml, arguments, message):
    with pytest.raises(ConfigError, match=message):
        parse([str(toml), *arguments])


def test_a_config_must_name_its_game(tmp_path):
    path = tmp_path / "run.toml"
    path.write_text("num_players = 4")
    with pytest.raises(ConfigError, match="must say game"):
        load_config(path)


def test_a_missing_file_is_named():
    with pytest.raises(ConfigError, match=r"nowhere\.toml: No such file"):
        load_config("nowhere.toml")
