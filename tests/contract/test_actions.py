"""Legal and illegal actions, cards, scores, and the end of a match."""

import functools
import operator
import random

import numpy as np
import pytest

from card_envs.cards import NUM_CARDS, card_word
from card_envs.table import IllegalAction
from tests.contract.cases import any_legal, every_case, never_passing, random_cards

DEALS = 30  # after which these matches are cut


def play_a_deal(table, choose, stop_after: int | None = None) -> None:
    deals = int(table.record.match_deals)
    while int(table.record.match_deals) == deals and not table.ended and stop_after != 0:
        table.step(any_legal(table, choose))
        stop_after = None if stop_after is None else stop_after - 1


@every_case
def test_every_action_is_legal_and_accepted_or_refused_and_without_effect(case):
    """At positions all over a deal, every action id, and numbers that are none."""
    choose = random.Random(str(case))
    for moves in (0, 1, case.num_players, case.num_players + 2, 2 * case.num_players + 3, 4 * case.num_players):
        table = case.table(seed=3, episode="match")
        play_a_deal(table, choose, stop_after=moves)
        state, legal = table.state(), table.legal_actions()
        assert legal, "nothing is legal before the end"
        illegal = set(range(table.num_actions)) - set(legal)
        for action in [*illegal, -1, table.num_actions, 10**9, -(10**9)]:
            with pytest.raises(IllegalAction):
                table.step(action)
        assert table.state() == state
        for action in legal:
            table.step(action)
            assert table.state() != state
            table.set_state(state)


@every_case
def test_the_mask_is_never_empty(case):
    """Nor does it hold an action without a name; its two forms agree."""
    vec = case.vec(64, seed=1, observation="none")
    view = vec.reset()
    unnamed = [action for action, name in enumerate(vec.action_names) if name is None]
    for salt in range(300):
        assert view.action_mask.any(axis=1).all()
        assert not view.action_mask[:, unnamed].any()
        bits = np.unpackbits(view.legal.view(np.uint8), axis=1, bitorder="little")[:, : vec.num_actions]
        assert np.array_equal(bits, view.action_mask)
        view = vec.step(vec.random_actions(salt))


def lying(table) -> list[int]:
    """The cards of a deal as words, one for each place where they can be: a hand, played, put aside, not yet drawn."""
    names = [name for name in ("hand", "played", "thrown") if name in table.game.state_fields]
    places = [int(word) for name in names for word in table.record[name]]
    if table.deal_cards().get("stock"):
        places.append(card_word(table.record.stock[int(table.record.stock_at) : table.deal_cards()["stock"]]))
    return places


@every_case
def test_cards_are_conserved(case):
    """Every card of the deal is always in one place, and nobody plays another's.

    Cards change hands by private actions (a card given to the partner, or put aside) and by draws only: where there is a stock
    a hand gains only from it, and loses only what its owner puts aside.
    """
    choose = random.Random(str(case))
    table = case.table(seed=5, episode="deal")
    seats = range(case.num_players)
    for _ in range(8):
        table.reset()
        dealt = sum(lying(table))
        owned = [int(table.record.hand[each]) for each in seats]
        stock = table.deal_cards().get("stock", 0)
        while not table.ended:
            seat, before, action = table.turn, int(table.record.hand[table.turn]), any_legal(table, choose)
            to_draw = card_word(table.record.stock[int(table.record.stock_at) : stock]) if stock else 0
            table.step(action)
            places = lying(table)
            assert sum(places) == functools.reduce(operator.or_, places) == dealt
            played = 1 << action if action < NUM_CARDS else 0
            assert before & played == played
            owners = [int(table.record.hand[each]) | int(table.record.played[each]) for each in seats]
            if stock and not played:
                for each in seats:
                    aside = int(table.record.thrown[each])
                    assert owners[each] | aside == owned[each] | aside | (owners[each] | aside) & to_draw
                    assert not owned[each] & ~owners[each] & ~aside
                owned = owners
            elif action in case.game.private:
                owned = owners
            else:
                assert owners == owned and int(table.record.hand[seat]) == before & ~played


@every_case
def test_scores_change_only_at_the_end_of_a_deal_and_by_what_it_changed(case):
    """`change` is what a side gained: in the score, or in what else the game is played for."""
    choose = random.Random(str(case))
    table = case.table(episode="open")
    field, sign = case.game.gain(case.rules)
    played_for = table.record[field]
    table.reset()
    for _ in range(12):
        table.open_deal(dealer=int(table.record.dealer), **random_cards(table, choose))
        scores, before = table.scores(), played_for.copy()
        while not table.record.deal_over:
            assert table.scores() == scores and np.array_equal(played_for, before)
            table.step(any_legal(table, choose))
        assert np.array_equal(table.record.change, sign * (played_for - before))
        if table.ended:
            table.reset()


def quiet(vec, mask):
    """The first call there is, such as a pass, else the highest card."""
    calls = mask[:, NUM_CARDS:]
    return np.where(calls.any(axis=1), NUM_CARDS + calls.argmax(axis=1), highest(vec, mask))


def highest(vec, mask):
    """The highest bid, the highest card."""
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


@every_case
@pytest.mark.parametrize("bot", [quiet, highest, never_passing])
def test_one_sided_bots_end_their_matches(case, bot):
    """All pass or bid nil, all bid the most, all play low: a match ends, or is cut with a flag, within its bounds."""
    vec = case.vec(32, seed=8, observation="none", autoreset="disabled", **case.cut_after(DEALS))
    view = vec.reset()
    bound = DEALS * case.rules.max_actions
    actions = 0
    while not view.done.all():
        assert actions < bound, "the bound is exceeded"
        going_on = ~view.done
        assert view.action_mask[going_on].any(axis=1).all()
        view = vec.step(bot(vec, view.action_mask))
        actions += 1
    assert (view.terminated ^ view.truncated).all()


@every_case
def test_a_deal_ends_within_its_bound_of_actions(case):
    """For which the table has room."""
    assert case.rules.max_actions <= case.game.max_history
    choose = random.Random(str(case))
    table = case.table(seed=2, episode="deal")
    for _ in range(20):
        table.reset()
        actions = 0
        while not table.ended:
            table.step(any_legal(table, choose))
            actions += 1
        assert actions <= case.rules.max_actions
        assert len(table.history()) == actions


@every_case
def test_nothing_is_accepted_before_the_start_or_after_the_end(case):
    """Neither changes a score, and both say so."""
    table = case.table(episode="deal")
    with pytest.raises(IllegalAction, match="legal: nothing"):
        table.step(0)
    with pytest.raises(RuntimeError, match="reset"):
        case.vec(2).step(np.zeros(2, int))
    table.seed(1)
    table.reset()
    choose = random.Random(str(case))
    while not table.ended:
        table.step(any_legal(table, choose))
    state = table.state()
    for action in range(table.num_actions):
        with pytest.raises(IllegalAction, match="legal: nothing"):
            table.step(action)
    assert table.state() == state
