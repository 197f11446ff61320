"""Shared forms: padded seats show the same for every number of players, and relabelled suits are a mere change of names."""

from __future__ import annotations

import random

import numpy as np
import pytest

import card_envs
from card_envs.cards import CARD_NAMES, NUM_CARDS, SUITS
from card_envs.forms import NO_TRUMP, shared_form
from card_envs.game import OptionError
from card_envs.games import load
from card_envs.table import IllegalAction, Table
from tests.contract.cases import CASES, any_legal, every_case, random_cards

SEATS = 7
RENAMED = {"C": "SDHC", "D": "DSCH", "H": "DCSH", "S": "CDHS"}  # by trump: the new names of C D H S
BOTH = {"pad_seats": SEATS, "relabel_trump": True}
SUITS_ALIKE = [  # rules in which any suit can be trump and nothing but that sets suits apart
    *((case.name, case.preset, {"num_players": case.num_players}) for case in CASES if case.name != "spades"),
    ("spades", "seed_auction", {"first_lead": "left_of_dealer"}),
    ("spades", "seed_auction", {"first_lead": "left_of_dealer", "nil_pass": 2, "blind_nil_pass": 1, "num_players": 6,
                                "deck": "no_deuces"}),
]  # fmt: skip


def form_of(case, **settings):
    return shared_form(case.game, case.rules, **settings)


def presets_of_several_counts() -> dict:
    found = {}
    for case in CASES:
        found.setdefault((case.name, case.preset), []).append(case)
    return {key: cases for key, cases in found.items() if len(cases) > 1}


# --- padded seats ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cases", presets_of_several_counts().values(), ids=str)
def test_one_layout_for_every_number_of_players(cases):
    forms = [form_of(case, pad_seats=SEATS).layout for case in cases]
    assert len({(form.hash, form.width, form.num_words) for form in forms}) == 1
    assert len({len(case.game.action_names(case.rules)) for case in cases}) == 1
    assert len({case.game.layout(case.rules).hash for case in cases}) == len(cases)  # else there is nothing to be done


def test_sides_are_padded_like_seats():
    """Pairs of four or six and players on their own, under options that are the same but for that."""
    spades = load("spades")
    rules = [
        spades.rules("seed", num_players=players, teams=teams) for players, teams in ((4, "pairs"), (4, "solo"), (6, "pairs"))
    ]
    assert len({shared_form(spades, one, pad_seats=6).layout.hash for one in rules}) == 1


def padded_values(value, per: str):
    """What the padded observation shows for a value of the plain one: empty places behind those that are taken."""
    if per == "table":
        return value
    empty = {int: 0, str: None, type(None): None, list: []}[type(value[0])]
    return value + [empty] * (SEATS - len(value))


@every_case
def test_padded_observations_say_the_same(case):
    choose, table, form = random.Random(str(case)), case.table(seed=1), form_of(case, pad_seats=SEATS)
    plain = table.layout
    per = {piece.name: group.per for group in plain.groups for piece in group.pieces}
    for _ in range(80):
        for viewer in range(case.num_players):
            words = table.words(viewer)
            shown, trumps = form.words(words[None])
            assert trumps[0] == NO_TRUMP
            expected = {name: padded_values(value, per[name]) for name, value in plain.decode(words).items()}
            taken = {"seats_taken": case.num_players, "sides_taken": case.rules.num_sides}
            assert form.layout.decode(shown[0]) == taken | expected
        table.step(any_legal(table, choose))
        if table.ended:
            table.reset()


@every_case
def test_pieces_about_suits_say_so(case):
    """Else their suits would keep their old names; and one piece says what is trump."""
    pieces = [piece for group in case.game.groups(case.rules) for piece in group.pieces if piece.width]
    assert all(piece.kind in ("suit", "suits", "trump") for piece in pieces if piece.labels == tuple(SUITS))
    assert [piece.width for piece in pieces if piece.kind == "trump"] == [4]
    assert all(piece.kind == "cards" for piece in pieces if piece.width == NUM_CARDS)


# --- relabelled suits --------------------------------------------------------------------------------------------------------


def renamed_text(text: str, trump: str | None) -> str:
    """An action's text with the suit at its end by its new name."""
    if trump is None or text[-1] not in SUITS or text[-2:] in ("LJ", "HJ") or not (text in CARD_NAMES or " " in text):
        return text
    return text[:-1] + RENAMED[trump][SUITS.index(text[-1])]


def renamed_cards(cards, trump: str) -> list[int]:
    return [CARD_NAMES.index(renamed_text(CARD_NAMES[card], trump)) for card in cards]


def trump_of(table) -> str | None:
    name = next(piece.name for group in table.layout.groups for piece in group.pieces if piece.kind == "trump")
    return table.layout.decode(table.words(table.turn))[name]


def shown_by(table, form) -> list:
    """What every seat sees in the form, and what is legal by its new names."""
    words, trumps = form.words(np.stack([table.words(viewer) for viewer in range(table.rules.num_players)]))
    return [words.tobytes(), form.legal(table.legal_words()[None], trumps[:1]).tobytes()]


def plainly(table) -> list:
    words = np.stack([table.words(viewer) for viewer in range(table.rules.num_players)])
    return [words.tobytes(), table.legal_words().tobytes()]


@pytest.mark.parametrize(("name", "preset", "options"), SUITS_ALIKE, ids=str)
def test_relabelled_it_is_the_same_deal_in_other_suits(name, preset, options):
    """The deal with its suits exchanged by hand, played by the exchanged actions, shows plainly what the form shows."""
    game = load(name)
    rules, choose = game.rules(preset, **options), random.Random(f"{name} {preset} {options}")
    form, seen = shared_form(game, rules, relabel_trump=True), set()
    texts = game.action_names(rules)
    for _ in range(12):
        table, other = Table(game, rules, episode="open"), Table(game, rules, episode="open")
        table.reset()
        other.reset()
        cards, dealer = random_cards(table, choose), choose.randrange(rules.num_players)
        table.open_deal(dealer=dealer, **cards)
        moves, views = [], []
        while not table.record.deal_over:
            views.append(shown_by(table, form) if trump_of(table) else None)
            moves.append(any_legal(table, choose))
            trump = trump_of(table)
            table.step(moves[-1])
        if trump is None:
            continue
        seen.add(trump)
        hands = [renamed_cards(hand, trump) for hand in cards["hands"]]
        piles = {
            key: renamed_cards(pile, trump) if table.is_pile(key) else renamed_cards([pile], trump)[0]
            for key, pile in cards.items()
            if key != "hands"
        }
        other.open_deal(dealer=dealer, hands=hands, **piles)
        for move, view in zip(moves, views, strict=True):
            assert view is None or view == plainly(other)
            other.step(texts.index(renamed_text(texts[move], trump)))
    assert len(seen) > 1


@every_case
def test_new_names_of_actions_are_one_to_one(case):
    form, names = form_of(case, relabel_trump=True), case.game.action_names(case.rules)
    actions = np.arange(len(names))
    assert np.array_equal(form.renamed(actions, np.full(len(names), NO_TRUMP)), actions)
    assert form.given(-1, 0) == -1 and form.given(1000, 0) == 1000
    for trump, suit in enumerate(SUITS):
        new = form.renamed(actions, np.full(len(names), trump))
        assert np.array_equal(form.given(new, np.full(len(names), trump)), actions)
        for action, name in enumerate(names):
            if name and not name.startswith("name "):  # trump is not named twice
                assert names[new[action]] in (renamed_text(name, suit), None)


# --- the faces ---------------------------------------------------------------------------------------------------------------


@every_case
def test_a_batch_plays_the_same_matches_in_every_form(case):
    """The same choices, each by its name in that form: seats, rewards and ends are the same, and every form of the bits agrees."""
    plain = case.vec(6, seed=4, observation="bits")
    vecs = {form: case.vec(6, seed=4, observation=form, **BOTH) for form in ("uint8", "float32", "bits", "none")}
    form, view = form_of(case, **BOTH), plain.reset()
    views = {name: vec.reset() for name, vec in vecs.items()}
    for step in range(120):
        words, trumps = form.words(view.observation)
        for name, shown in views.items():
            if name != "none":
                assert np.array_equal(shown.observation, words if name == "bits" else form.layout.spread(words))
            assert np.array_equal(shown.legal, form.legal(view.legal, trumps))
            bits = np.unpackbits(shown.legal.view(np.uint8), axis=1, bitorder="little", count=shown.action_mask.shape[1])
            assert np.array_equal(shown.action_mask, bits)
            assert np.array_equal(shown.seat, view.seat) and np.array_equal(shown.rewards, view.rewards)
            assert np.array_equal(shown.done, view.done) and np.array_equal(shown.final_scores, view.final_scores)
            if view.done.any():
                assert np.array_equal(shown.final_words[view.done], form.words(view.final_words[view.done])[0])
        actions = plain.random_actions(step)
        assert np.array_equal(vecs["none"].random_actions(step), form.renamed(actions, trumps))
        view = plain.step(actions)
        views = {name: vec.step(form.renamed(actions, trumps)) for name, vec in vecs.items()}


@every_case
def test_every_action_of_a_relabelled_mask_is_accepted_and_no_other(case):
    vec, choose = case.vec(1, seed=9, **BOTH), random.Random(str(case))
    view = vec.reset()
    for _ in range(25):
        state, mask = vec.get_state(), view.action_mask[0]
        for action in range(-1, vec.num_actions + 1):
            if 0 <= action < vec.num_actions and mask[action]:
                vec.step([action])
                vec.set_state(state)
            else:
                with pytest.raises(IllegalAction):
                    vec.step([action])
        view = vec.step([choose.choice(np.flatnonzero(mask))])


def test_the_history_calls_cards_by_their_new_names():
    """Cards of all seats and the own discards; another seat's discard stands for any card as ever."""
    settings = {"preset": "partners_10pt", "seed": 3, "observation": "bits", "keep_history": True}
    plain, vec = card_envs.make_vec("pitch", 32, **settings), card_envs.make_vec("pitch", 32, relabel_trump=True, **settings)
    view, kinds = plain.reset(), set()
    vec.reset()
    names = plain.action_names
    for step in range(30):
        trumps = [plain.layout.decode(words)["trump"] for words in view.observation]
        for trump, tokens, new in zip(trumps, plain.history().tolist(), vec.history().tolist()):
            for token, shown in zip(tokens, new):
                (place, action), (also, named) = divmod(token - 1, len(names)), divmod(shown - 1, len(names))
                if token == 0 or (place > 0 and action in plain.game.private):
                    assert shown == token
                elif not names[action].startswith("name"):
                    assert (place, renamed_text(names[action], trump)) == (also, names[named])
                    kinds.add((trump, names[action].split()[0]))
        actions = plain.random_actions(step)
        vec.step(vec.random_actions(step))
        view = plain.step(actions)
    assert {("H", "discard"), ("C", "AC"), (None, "pass")} <= kinds


@pytest.mark.parametrize("name", card_envs.games())
def test_pettingzoo_shows_the_form(name):
    choose = random.Random(name)
    env, plain = card_envs.make(name, **BOTH), card_envs.make(name)
    form = env.unwrapped.form
    env.reset(seed=2)
    plain.reset(seed=2)
    for _ in range(150):
        observation = env.last()[0]
        table, agent = plain.unwrapped.table, plain.agent_selection
        words, trumps = form.words(table.words(table.turn)[None])
        assert np.array_equal(observation["observation"], form.layout.spread(words)[0])
        assert env.observation_space(agent).contains(observation) and env.agent_selection == agent
        assert np.array_equal(env.infos[agent]["action_mask"], observation["action_mask"])
        action = choose.choice(table.legal_actions())
        assert observation["action_mask"][form.renamed(action, trumps[0])]
        plain.step(action)
        env.step(int(form.renamed(action, trumps[0])))
        if table.ended:
            env.reset()
            plain.reset()


def test_a_refusal_names_cards_as_they_are_shown():
    env = card_envs.make("pitch", relabel_trump=True)
    hands = ["AH KH 7H TD 4C 2S", "QH 3H AD 9C 8S JS", "JH 5H KD TC 6C AS", "2H 9H QD JC TS 3S"]
    env.reset(options={"deal": {"dealer": 3, "hands": hands}})
    for text in ("bid 4", "pass", "pass", "pass", "name H", "AS"):
        env.step(env.unwrapped.game.parse_action(text, env.unwrapped.rules))
    with pytest.raises(IllegalAction, match=r"AC \(action 12\) is not legal for seat 1; legal: 3S, QS"):
        env.step(12)


@pytest.mark.parametrize("name", card_envs.games())
def test_one_seat_among_agents_plays_the_same_match(name):
    import gymnasium

    game, settings = name.capitalize(), {"others": "basic", "episode": "deal"}
    env = gymnasium.make(f"card_envs/{game}-v1", **settings, **BOTH)
    plain = gymnasium.make(f"card_envs/{game}-v1", **settings)
    form = env.unwrapped._env.form
    observation, info = env.reset(seed=5)
    _, plainly = plain.reset(seed=5)
    earned, over = [0.0, 0.0], False
    while not over:
        assert env.observation_space.contains(observation)
        table = plain.unwrapped.table
        trump = form.words(table.words(0)[None])[1][0]
        action = int(np.flatnonzero(plainly["action_mask"])[-1])
        assert info["action_mask"].sum() == plainly["action_mask"].sum()
        observation, reward, over, _, info = env.step(int(form.renamed(action, trump)))
        _, plain_reward, _, _, plainly = plain.step(action)
        earned = [earned[0] + reward, earned[1] + plain_reward]
    assert earned[0] == earned[1]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"pad_seats": 3}, "pad_seats=3: must be 0, or from the 4 players up to 7"),
        ({"pad_seats": 8}, "pad_seats=8"),
        ({"pad_seats": True}, "pad_seats=True"),
        ({"relabel_trump": 1}, "relabel_trump=1: must be bool, not int"),
    ],
)
def test_forms_that_cannot_be_are_refused(settings, message):
    for make in (lambda **given: card_envs.make_vec("pitch", 2, **given), lambda **given: card_envs.make("pitch", **given)):
        with pytest.raises(OptionError, match=message):
            make(**settings)


def test_without_settings_nothing_changes():
    vec = card_envs.make_vec("pitch", 2)
    assert vec.form is None and vec.layout is vec.game.layout(vec.rules)
