"""A seat is shown nothing that it cannot know.

Another deal that looks the same to a seat so far (its own hand, and the same actions by all) must show it the same bytes.
"""

import random

import pytest

from card_envs.cards import NUM_CARDS, card_list
from card_envs.table import IllegalAction
from tests.contract.cases import CASES, any_legal, every_case, random_cards

DEALS = 4


def first_deal(case, choose):
    """(cards, dealer, actions) of a random deal that is played to its end; cards: the hands and what else is laid open."""
    table = case.table(episode="open")
    table.reset()
    cards, dealer = random_cards(table, choose), choose.randrange(case.num_players)
    table.open_deal(dealer=dealer, **cards)
    actions = []
    while not table.record.deal_over:
        actions.append(any_legal(table, choose))
        table.step(actions[-1])
    return cards, dealer, actions


def watch(table, cards, dealer, actions, viewer):
    """What `viewer` is shown before each action: bytes, who is to act and, when it is the viewer, what is legal; in the end the text."""
    table.reset()
    table.open_deal(dealer=dealer, **cards)
    seen = []
    for action in [*actions, None]:
        legal = table.legal_actions() if table.turn == viewer and not table.record.deal_over else None
        seen.append((table.words(viewer).tobytes(), table.turn, legal))
        if action is not None:
            table.step(action)
    return [*seen, table.show(viewer)]


def unseen(case, cards, played, viewer) -> set[int]:
    """The cards of the deck that the viewer cannot place."""
    laid_open = {card for name, card in cards.items() if name != "hands"}
    return set(card_list(case.rules.deck_cards)) - played - laid_open - set(cards["hands"][viewer])


def swap_hidden(case, cards, actions, viewer, choose):
    """The same cards, one that another seat has not played so far exchanged for one that the viewer cannot see."""
    played = {action for action in actions if action < NUM_CARDS}
    other = choose.choice([seat for seat in range(case.num_players) if seat != viewer])
    unplayed = [card for card in cards["hands"][other] if card not in played]
    hidden = unseen(case, cards, played, viewer) - set(unplayed)
    if not unplayed or not hidden:
        return None
    gives, takes = choose.choice(unplayed), choose.choice(sorted(hidden))
    exchange = {gives: takes, takes: gives}
    return cards | {"hands": [[exchange.get(card, card) for card in hand] for hand in cards["hands"]]}


def redeal_hidden(case, cards, actions, viewer, choose):
    """The same with everything that the viewer cannot see dealt anew."""
    played = {action for action in actions if action < NUM_CARDS}
    hidden = sorted(unseen(case, cards, played, viewer))
    choose.shuffle(hidden)
    kept = played | set(cards["hands"][viewer])
    return cards | {"hands": [[card if card in kept else hidden.pop() for card in hand] for hand in cards["hands"]]}


@every_case
def test_another_deal_that_looks_the_same_shows_the_same(case):
    """At every stage of some deals and for every seat; a re-deal under which the actions were not legal does not look the same."""
    choose = random.Random(str(case))
    table = case.table(episode="open")
    compared = 0
    for _ in range(DEALS):
        cards, dealer, actions = first_deal(case, choose)
        for viewer in range(case.num_players):
            for upto in sorted(choose.sample(range(len(actions)), min(4, len(actions)))):
                so_far = actions[:upto]
                seen = watch(table, cards, dealer, so_far, viewer)
                for make in (swap_hidden, swap_hidden, redeal_hidden):
                    other = make(case, cards, so_far, viewer, choose)
                    if other is None:
                        continue
                    try:
                        assert watch(table, other, dealer, so_far, viewer) == seen
                    except IllegalAction:
                        continue
                    compared += other != cards
    assert compared >= 3 * DEALS, "too few deals that look the same were found"


@every_case
def test_a_position_is_shown_from_the_record_without_the_other_hands(case):
    """With every other hand wiped out of the table the bytes are the same."""
    choose = random.Random(str(case))
    table = case.table(seed=6, episode="match")
    for _ in range(60):
        for viewer in range(case.num_players):
            before = table.words(viewer).tobytes()
            hands = table.record.hand.copy()
            table.record.hand[[seat for seat in range(case.num_players) if seat != viewer]] = 0
            assert table.words(viewer).tobytes() == before
            table.record.hand[:] = hands
        table.step(any_legal(table, choose))
        if table.ended:
            table.reset()


@every_case
def test_the_batch_shows_the_seat_to_act_only(case):
    """Row for row the words are those of the seat that the view names, never of another."""
    choose = random.Random(str(case))
    vec = case.vec(1, seed=12, observation="bits")
    table = case.table(seed=12)
    view = vec.reset()
    for _ in range(60):
        assert view.observation[0].tobytes() == table.words(int(view.seat[0])).tobytes()
        action = any_legal(table, choose)
        table.step(action)
        if table.ended:
            table.reset()
        view = vec.step([action])


def test_the_check_notices_a_leak():
    """A view that tells how many trumps the seat to the left holds is not the same in another deal: the test above can fail."""
    case, choose = CASES[0], random.Random(1)
    cards, dealer, actions = first_deal(case, choose)
    other = redeal_hidden(case, cards, [], 0, choose)
    assert other["hands"][0] == cards["hands"][0] and other["hands"][1:] != cards["hands"][1:]
    table = case.table(episode="open")
    assert watch(table, cards, dealer, [], 0) == watch(table, other, dealer, [], 0)
    assert watch(table, cards, dealer, [], 1) != watch(table, other, dealer, [], 1)
    with pytest.raises(IllegalAction):
        watch(table, other, dealer, actions, 0)
