"""The command line: what it prints, what it takes, and its exit codes: 0 fine, 1 what was asked for failed, 2 wrong usage."""

import builtins
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from card_envs import cli, games
from card_envs.games import load
from card_envs.record import read, replay, rescore
from tests.test_record import CALLS, CARDS, one_deal

ROOT = Path(__file__).parents[1]
GOLDEN = Path(__file__).parent / "golden"
PRESETS = [(game, preset) for game in games() for preset in load(game).presets]


def card_envs(*args, code=0):
    """Run a command; returns its result (stdout, stderr) after checking the exit code."""
    result = CliRunner().invoke(cli.app, [str(arg) for arg in args])
    assert result.exit_code == code, result.output
    return result


def lines(result) -> list[dict]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def saved(tmp_path):
    """Writes records to a file and returns its path."""

    def save(*found, name="match.jsonl"):
        path = tmp_path / name
        path.write_text("".join(json.dumps(record) + "\n" for record in found), encoding="utf-8")
        return path

    return save


# --- replay ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "preset"), PRESETS)
def test_golden_game(game, preset):
    """Whole matches, read by eye against the rules: every table, every list of legal actions and the scoring."""
    path = GOLDEN / f"{game}_{preset}.jsonl"
    assert path.exists(), "every preset has a golden game"
    assert card_envs("replay", path).stdout == path.with_suffix(".txt").read_text(encoding="utf-8")
    (found,) = read(path)
    assert found["rules"]["preset"] == preset and rescore(found) == found["result"]


@pytest.mark.parametrize(("low_to", "scores"), [("taker", [4, 0]), ("holder", [-4, 1])])
def test_replay_of_the_reference_deal(saved, low_to, scores):  # TX23, TX24
    (last,) = lines(card_envs("replay", saved(one_deal(low_to=low_to)), "--json"))
    assert last["scores"] == scores and last["deal_scores"] == [scores] and last["to_act"] is None


def test_replay_shows_every_position_at_one_or_the_last(saved):
    found = one_deal()
    path, positions = saved(found), list(replay(found))
    assert lines(card_envs("replay", path, "--json", "--all")) == positions
    assert lines(card_envs("replay", path, "--json")) == positions[-1:]
    assert lines(card_envs("replay", path, "--json", "--at", 7)) == [positions[7]]


def test_replay_of_several_records_numbers_them(saved):
    path = saved(one_deal(), one_deal(low_to="holder"))
    found = lines(card_envs("replay", path, "--json"))
    assert [(line["record"], line["scores"]) for line in found] == [(0, [4, 0]), (1, [-4, 1])]
    found = lines(card_envs("replay", path, "--json", "--at", 5))
    assert [(line["record"], line["position"]) for line in found] == [(0, 5), (1, 5)]


def test_replay_as_text_shows_the_table_who_acts_what_is_legal_and_the_scores(saved):
    path = saved(one_deal())
    text = card_envs("replay", path).stdout
    assert text.count("\nposition ") == len(CALLS) + len(CARDS) + 1
    assert "position 7: seat 1: 3S" in text and "seat 2 to act; legal: 5S, JS" in text and text.endswith("scores: 4 : 0\n")
    only = card_envs("replay", path, "--at", 7).stdout
    assert only.strip().startswith("position 7: seat 1: 3S") and only.count("position") == 1


def test_replay_shows_a_finished_deal_before_the_next(saved):
    found = one_deal()
    found["deals"].append({"dealer": 0, "hands": found["deals"][0]["hands"], "actions": ["pass"]})
    text = card_envs("replay", saved(found)).stdout
    assert text.index("scores: 4 : 0") < text.index("position 29: seat 0 deals") < text.index("position 30: seat 1: pass")


def test_replay_stops_at_an_illegal_action(saved):
    result = card_envs("replay", saved(one_deal([*CALLS, "AS", "AD"])), "--json", "--all", code=1)
    assert len(lines(result)) == 7
    assert "position 6: seat 1 may not play AD: seat 1 holds spades and spades were led; legal: 3S, QS" in result.stderr


def test_replay_checks_the_result(saved):
    result = card_envs("replay", saved(one_deal(result={"scores": [3, 1]})), code=1)
    assert "scores are [4, 0]" in result.stderr


def test_replay_of_what_is_no_record(saved, tmp_path):
    broken = tmp_path / "broken.json"
    broken.write_text("{]")
    assert "broken.json, line 1" in card_envs("replay", broken, code=1).stderr
    assert "'bid 5' is no action" in card_envs("replay", saved(one_deal(["bid 5"])), code=1).stderr
    assert "has no position 99, its last is 29" in card_envs("replay", saved(one_deal()), "--at", 99, code=1).stderr


def test_replay_used_wrongly(saved, tmp_path):
    path = saved(one_deal())
    card_envs("replay", code=2)
    card_envs("replay", tmp_path / "missing.json", code=2)
    card_envs("replay", path, "--at", 3, "--all", code=2)
    card_envs("replay", path, "--at", -1, code=2)
    card_envs("replay", path, "--wrong", code=2)


# --- agents ------------------------------------------------------------------------------------------------------------------


def test_arena_compares_two_agents():
    args = ("arena", "basic", "random", "--deals", 100, "--matches", 4, "--seed", 3)
    (found,) = lines(card_envs(*args, "--json"))
    assert found["winner"] == "basic" and found["points"]["mean"] > 0 and found["illegal"] == 0 and found["seed"] == 3
    text = card_envs(*args)
    assert "basic against random, 100 deals" in text.stdout and "better            basic" in text.stdout


def test_arena_names_no_winner_between_equals():
    (found,) = lines(card_envs("arena", "basic", "basic", "--deals", 50, "--json", "--option", "low_to=holder"))
    assert found["winner"] is None and found["points"]["mean"] == 0 and found["options"] == ["low_to=holder"]


def test_arena_used_wrongly():
    assert "basik" in card_envs("arena", "basik", "random", code=2).stderr
    card_envs("arena", "basic", code=2)
    card_envs("arena", "basic", "random", "--deals", 0, code=2)


class Cheat:
    """Always plays action 0, legal or not."""

    def __init__(self, game, rules, seed):
        pass

    def act_batch(self, views):
        import numpy as np

        return np.zeros(len(views.words), np.int64)


def test_arena_fails_on_illegal_attempts():
    assert "illegal actions were attempted" in card_envs("arena", "basic", f"{__name__}:Cheat", "--deals", 4, code=1).stderr


def test_watch_plays_the_same_match_for_the_same_seed(tmp_path):
    path = tmp_path / "watched.jsonl"
    args = ("watch", "pitch", "--agents", "basic,random", "--seed", 5, "--option", "target=3", "--pace", 0)
    (found,) = lines(card_envs(*args, "--json", "--record", path))
    assert read(path) == [found] and found["agents"] == ["basic", "random"] * 2 and found["seed"] == 5
    assert list(replay(found))[-1]["terminated"]
    assert lines(card_envs(*args, "--json")) == [found]
    text = card_envs(*args).stdout
    assert "seat 2 deals" in text and "trick: " in text and "match won" in text


def test_watch_one_deal_dealt_as_replay_deals_it():
    (found,) = lines(card_envs("watch", "pitch", "--agents", "random", "--seed", 5, "--deal", "--json"))
    deal = {"actions": found["deals"][0]["actions"]}
    assert list(replay({**found, "deals": [deal]})) == list(replay(found))


def test_watch_used_wrongly():
    card_envs("watch", "pitch", "--agents", "random,random,random", code=2)
    card_envs("watch", "pich", code=2)
    card_envs("watch", "pitch", "--option", "low_to", code=2)
    card_envs("watch", "pitch", "--option", "target=many", code=2)
    card_envs("watch", "pitch", "--num-players", 9, code=2)


def sit_down(monkeypatch, answers, *args):
    """Play with these answers; input ends after the last of them."""
    waiting = iter(answers)

    def answer():
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr(builtins, "input", answer)
    return card_envs("play", "pitch", "--others", "random", "--seed", 5, "--deal", *args).stdout


def test_play_a_deal_to_its_end(monkeypatch, tmp_path):
    """Whatever is asked for, one of these answers is legal; refusals are said and asked again."""
    found = lines(card_envs("watch", "pitch", "--agents", "random", "--seed", 5, "--deal", "--json"))[0]
    own_cards = found["deals"][0]["hands"][2].lower().split()
    path = tmp_path / "played.json"
    text = sit_down(monkeypatch, ["pass", *own_cards * 6], "--seat", "2", "--record", str(path))
    (written,) = read(path)
    assert written["agents"] == ["random", "random", "human", "random"]
    assert rescore(written) == written["result"] and list(replay(written))[-1]["to_act"] is None
    assert "deal over: " in text and "scores: " in text and "is not legal now" in text


def test_play_shows_only_the_own_hand(monkeypatch):
    text = sit_down(monkeypatch, [], "--seat", "2")
    assert text.count("(6 cards)") % 3 == 0 and "You have left the game." in text
    assert text.isascii()


@pytest.mark.parametrize("word", ["quit", "QUIT", "q"])
def test_play_can_be_left(monkeypatch, word):
    assert "You have left the game." in sit_down(monkeypatch, [word, "pass"])


def test_play_is_left_by_ctrl_c(monkeypatch):
    def interrupt():
        raise KeyboardInterrupt

    monkeypatch.setattr(builtins, "input", interrupt)
    assert "You have left the game." in card_envs("play", "pitch", "--others", "random", "--seed", 5).stdout


def test_play_helps_and_asks_again(monkeypatch):
    text = sit_down(monkeypatch, ["help", "table", "last", "nonsense", "bid 9", "AS"])
    assert "quit    leave the game" in text and "no trick has been finished" in text
    assert "'nonsense' is no action" in text and "the bidding is not over" in text
    assert text.count("legal: ") == 7


# --- looking things up -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", games())
def test_rules_list_every_option_preset_and_action(game):
    found = load(game)
    text = card_envs("rules", game).stdout
    shown = lines(card_envs("rules", game, "--json"))[0]
    assert [row["name"] for row in shown["options"]] == list(found.options.__dataclass_fields__)
    assert all(f"  {row['name']}=" in text and row["help"] in text for row in shown["options"])
    assert all(preset in text for preset in found.presets)
    assert all(f": {name}\n" in text for name in found.actions(found.rules()).values())


def test_rules_show_the_values_of_a_preset():
    assert "low_to=taker" in card_envs("rules", "pitch").stdout
    assert "low_to=holder" in card_envs("rules", "pitch", "--preset", "bicycle").stdout


def test_rules_show_the_observation():
    text = card_envs("rules", "pitch", "--observation").stdout
    assert "`own_hand`" in text and text.startswith("| columns | piece |")


def test_rules_used_wrongly():
    assert "did you mean 'pitch'?" in re.sub(r"[\s│]+", " ", card_envs("rules", "pich", code=2).stderr)
    card_envs("rules", "pitch", "--preset", "sed", code=2)
    card_envs("rules", code=2)


def test_doctor():
    found = lines(card_envs("doctor", "--json"))[0]
    text = card_envs("doctor").stdout
    assert found["packages"]["core"]["versions"]["numpy"] in text and "cache_folder: " in text


def test_version():
    assert re.fullmatch(r"card-envs \d+\.\d+\.\d+\n", card_envs("--version").stdout)


def test_help_is_light():
    """--help loads no game and nothing that only one command needs."""
    late = ("torch", "rich.progress", "card_envs.loops", "card_envs.table")
    code = (
        "import sys; from card_envs import cli\n"
        "try: cli.app(['--help'])\n"
        f"except SystemExit: print(*[name for name in {late} if name in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert out.splitlines()[-1].strip() == ""


def test_generate_writes_a_dataset_and_goes_on(tmp_path):
    """The same command with more deals adds to it; other options do not."""
    out = str(tmp_path / "play")
    command = ["generate", "pitch", "--out", out, "--agents", "basic,random", "--num-players", "2"]
    assert "by basic, random" in card_envs(*command, "--deals", "3").stdout
    assert "5 deals" in card_envs(*command, "--deals", "5").stdout
    assert "holds another dataset" in card_envs(*command, "--seed", "1", code=1).stderr
    assert "held out" in card_envs(*command, "--seed", str(2**32), code=2).stderr
    assert "no agent 'basi'" in card_envs("generate", "pitch", "--out", out, "--agents", "basi", code=2).stderr
