"""Records of deals with a kitty or a stock: written, read, replayed, dealt from a seed, and refused with the card named."""

import copy
import json
import random

import pytest
from typer.testing import CliRunner

from card_envs import cli
from card_envs.games.pitch.rules import MOON
from card_envs.record import Recorder, RecordError, read, replay, rescore, write
from card_envs.table import Table
from card_envs.terminal import Match
from tests.pitch.play import GAME

VARIANTS = [
    {"preset": "partners_10pt"},
    {"preset": "seed", "kitty": 4, "off_jack": True, "jokers": 2},
    {"preset": "seed", "draw": "all", "draw_to": 2, "num_players": 3},
    {"preset": "setback6", "trump_method": "name", "kitty": 2, "points": "ten"},
]


def kitty_deal(actions=("bid 2", "bid 3", "pass", "name S", "discard 3H", "discard 4C"), **changes) -> dict:
    """Seat 1 takes AS JS, names spades, puts 3H and 4C aside, and wins both tricks: High, Jack, Low and Game."""
    deal = {"dealer": 2, "hands": ["KH 2C", "3H 4C", "QS 5C"], "stock": "AS JS", "actions": [*actions]}
    for key in list(changes):
        if key in ("stock", "hands", "dealer"):
            deal[key] = changes.pop(key)
    rules = {"preset": "seed", "hand_size": 2, "kitty": 2, **changes}
    return {"format": "card-envs/1", "game": "pitch", "num_players": 3, "rules": rules, "deals": [deal]}


TRICKS = ("AS", "QS", "2C", "JS", "5C", "KH")


def at_random(seed: int, preset: str, **options) -> dict:
    """The record of a match of random actions; without moons, that matches are of several deals."""
    choose = random.Random(seed)
    rules = GAME.rules(preset, target=options.pop("target", 15), max_hands=6, **options)
    at = Table(GAME, rules, episode="match")
    at.seed(seed)
    at.reset()
    recorder = Recorder(at, preset=preset)
    while not at.ended:
        action = choose.choice([action for action in at.legal_actions() if action != MOON])
        recorder.note(action)
        at.step(action)
    return recorder.record()


def refused(found: dict) -> RecordError:
    with pytest.raises(RecordError) as caught:
        list(replay(found))
    return caught.value


# --- replay ------------------------------------------------------------------------------------------------------------------


def test_a_deal_with_a_kitty():
    actions = kitty_deal()["deals"][0]["actions"]
    positions = list(replay(kitty_deal([*actions, *TRICKS])))
    assert positions[3]["legal"] == ["name C", "name H", "name S"] and positions[3]["to_act"] == 1
    assert positions[4]["legal"] == ["discard 3H", "discard 4C"] and positions[4]["trump"] == "S"
    assert positions[5]["legal"] == ["discard 4C"] and positions[6]["legal"] == ["AS", "JS"]
    last = positions[-1]
    assert last["deal_scores"] == [[0, 4, 0]] and last["tricks_won"] == [0, 2, 0] and last["to_act"] is None
    assert json.loads(json.dumps(positions)) == positions


def test_the_stock_is_drawn_in_its_order():
    """Each seat takes what lies on top: another order, other hands."""
    rest = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD 2H 3H 4H 6H 7H 8H 9H TH JH QH KH AH "
    rest += "3S 5S 6S 7S 8S 9S TS JS QS AS"
    deals = []
    for top in ("QS TS", "TS QS"):
        stock = [*top.split(), *(card for card in rest.split() if card not in top)]
        deal = {"dealer": 1, "hands": ["KS 5H", "4S 2S"], "stock": " ".join(stock), "actions": ["bid 1", "pass", "name S"]}
        rules = {"preset": "seed", "hand_size": 2, "draw": "all", "draw_to": 3}
        deals.append({"format": "card-envs/1", "game": "pitch", "num_players": 2, "rules": rules, "deals": [deal]})
    assert [list(replay(found))[-1]["legal"] for found in deals] == [["KS", "QS", "TS"]] * 2
    deals = [copy.deepcopy(found) for found in deals]
    for found in deals:
        found["rules"]["draw_to"] = 2
    assert [list(replay(found))[-1]["legal"] for found in deals] == [["KS", "QS"], ["KS", "TS"]]


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: " ".join(map(str, variant.values())))
def test_what_was_played_is_replayed(variant, tmp_path):
    actions = []
    for seed in range(3):
        played = at_random(seed, **variant)
        write(tmp_path / "match.jsonl", played)
        (found,) = read(tmp_path / "match.jsonl")
        rules = GAME.rules(**variant)
        assert found == played and rescore(found) == played["result"]
        assert all(len(deal["stock"].split()) == rules.stock_size for deal in found["deals"])
        actions += [action for deal in found["deals"] for action in deal["actions"]]
    assert any(action.startswith("discard") for action in actions)


@pytest.mark.parametrize("preset", ["seed", "setback6"])
def test_without_kitty_and_draw_no_stock_is_written(preset):
    assert all("stock" not in deal for deal in at_random(1, preset)["deals"])


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: " ".join(map(str, variant.values())))
def test_a_seed_deals_what_the_faces_deal(variant):
    """The stock too; also where one deal is given and the next comes from the seed."""
    played = at_random(7, **variant)
    assert len(played["deals"]) > 1
    seeded = copy.deepcopy(played) | {"seed": 7}
    seeded["deals"] = [{"actions": deal["actions"]} for deal in played["deals"]]
    assert list(replay(seeded)) == list(replay(played))
    seeded["deals"][0] = played["deals"][0]
    assert list(replay(seeded)) == list(replay(played))


def test_hands_are_written_as_dealt_though_cards_were_changed():
    played = at_random(3, "partners_10pt")
    for deal in played["deals"]:
        cards = " ".join([*deal["hands"], deal["stock"]]).split()
        assert [len(hand.split()) for hand in deal["hands"]] == [9] * 4 and len(set(cards)) == len(cards) == 54


# --- what is refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stock", "problem"),
    [
        ("AS", "'stock' has 1 cards, not 2"),
        ("AS JS TS", "'stock' has 3 cards, not 2"),
        ("AS KH", "KH is dealt twice: to seat 0 and to stock"),
        ("AS AS", "AS is dealt twice: to stock and to stock"),
        ("AS LJ", "LJ (stock) is not in this deck"),
        ("AS 1H", "'stock': '1H' is not a card"),
        (["AS", "JS"], "'stock' is a text such as 'AS', not ['AS', 'JS']"),
        (None, "'stock' is a text such as 'AS', not None"),
    ],
)
def test_a_wrong_stock_is_refused(stock, problem):
    error = refused(kitty_deal(stock=stock))
    assert problem in str(error) and str(error).startswith("record 0, deal 0, position 0: ")


def test_a_stock_that_is_missing_or_not_of_these_rules():
    found = kitty_deal()
    del found["deals"][0]["stock"]
    assert "a deal with 'hands' needs 'stock', cards such as 'AS KD 7C'" in str(refused(found))
    assert "unknown key of a deal 'stock'" in str(refused(kitty_deal(kitty=0)))
    found = kitty_deal() | {"seed": 1}
    del found["deals"][0]["hands"]
    assert "the deal has 'stock' but no 'hands'" in str(refused(found))


@pytest.mark.parametrize(
    ("actions", "reason"),
    [
        (["discard KH"], "nothing is put aside before trump is named, and seat 0 has to call"),
        (["bid 2", "bid 3", "pass", "discard 3H"], "seat 1 won the bidding and has to name trump first"),
        (["bid 2", "bid 3", "pass", "name S", "discard AS"], "trumps are put aside only when no other card is left"),
        (["bid 2", "bid 3", "pass", "name S", "discard KH"], "seat 1 does not hold it"),
        (["bid 2", "bid 3", "pass", "name S", "AS"], "seat 1 holds too many cards and has to put one aside first"),
        ([*kitty_deal()["deals"][0]["actions"], "discard AS"], "nothing is put aside now, and seat 1 has to play a card"),
    ],
)
def test_the_reason_is_the_rule_in_words(actions, reason):
    error = refused(kitty_deal(actions))
    assert reason in str(error) and error.position == len(actions) - 1 and error.legal


# --- the command line and the terminal ---------------------------------------------------------------------------------------


def replayed(path, *args: str):
    return CliRunner().invoke(cli.app, ["replay", str(path), *args])


def test_replay_json(tmp_path):
    found = kitty_deal([*kitty_deal()["deals"][0]["actions"], *TRICKS])
    write(tmp_path / "deal.json", found)
    shown = replayed(tmp_path / "deal.json", "--json", "--all")
    assert shown.exit_code == 0
    assert [json.loads(line) for line in shown.stdout.splitlines()] == list(replay(found))
    text = replayed(tmp_path / "deal.json").stdout
    assert "position 5: seat 1: discard 3H" in text and "put aside 3H" in text and text.endswith("scores: 0 : 4 : 0\n")


def test_replay_names_the_card_of_a_wrong_stock(tmp_path):
    write(tmp_path / "deal.json", kitty_deal(stock="AS KH"))
    shown = replayed(tmp_path / "deal.json", "--json")
    assert shown.exit_code == 1 and "KH is dealt twice: to seat 0 and to stock" in shown.stderr


def test_the_terminal_does_not_tell_which_card_another_seat_put_aside():
    def lowest(match):
        return match.table.legal_actions()[0] if match.table.record.phase != 1 else match.table.legal_actions()[-1]

    def told(viewer):
        said = []
        rules = GAME.rules("seed", kitty=4, num_players=3)
        Match(GAME, rules, 5, [lowest] * 3, said.append, viewer=viewer, whole=False).play()
        return said

    pitcher = next(int(line.split()[1].rstrip(":")) for line in told(None) if "discard" in line.splitlines()[0])
    for viewer in range(3):
        hidden = [line for line in told(viewer) if line.endswith("(unseen)")]
        named = [line for line in told(viewer) if ": discard" in line]
        assert (len(hidden), len(named)) == ((0, 4) if viewer == pitcher else (4, 0))
        assert any("put aside" in line and "seat" in line for line in told(viewer)) == (viewer == pitcher)
