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
    """(cards, dealer, actions) of a random deal that is played to its end; cards: the hands and what else there is."""
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
    """What `viewer` is shown before each action: bytes, history, who is to act and, when it is the viewer, what is legal.

    In the end also the text.
    """
    table.reset()
    table.open_deal(dealer=dealer, **cards)
    seen = []
    for action in [*actions, None]:
        legal = table.legal_actions() if table.turn == viewer and not table.record.deal_over else None
        seen.append((table.words(viewer).tobytes(), table.tokens(viewer).tobytes(), public(table), legal))
        if action is not None:
            table.step(action)
    return [*seen, table.show(viewer)]


def public(table) -> tuple:
    """What everybody at the table sees of a position: who is to act, and how many cards each holds, or has drawn."""
    held = tuple(int(hand).bit_count() for hand in table.record.hand)
    drawn = tuple(table.record.drew.tolist()) if "drew" in table.game.state_fields else ()
    return table.turn, held, drawn


def looks(seen) -> list[tuple]:
    """What everybody saw."""
    return [position for _, _, position, _ in seen[:-1]]


def unseen(case, cards, dealer, actions, viewer):
    """The cards that the viewer has never seen: neither held or put aside by it, nor played, nor laid open."""
    table = case.table(episode="open")
    table.reset()
    table.open_deal(dealer=dealer, **cards)
    known = {action for action in actions if action < NUM_CARDS} | set(cards["hands"][viewer])
    known |= {card for name, card in cards.items() if name != "hands" and not table.is_pile(name)}
    for action in actions:
        table.step(action)
        known |= set(card_list(table.record.hand[viewer]))
    if "thrown" in table.game.state_fields:
        known |= set(card_list(table.record.thrown[viewer]))
    return sorted(set(card_list(case.rules.deck_cards)) - known)


def exchanged(case, cards, dealer, actions, viewer, places):
    """(cards, actions) with cards that the viewer cannot see in each other's places; others' private actions follow them."""
    table = case.table(episode="open")
    table.reset()
    table.open_deal(dealer=dealer, **cards)
    private, moved = case.game.private, []
    for action in actions:
        hidden = action in private and table.turn != viewer
        moved.append(private.start + places.get(action - private.start, action - private.start) if hidden else action)
        table.step(action)
    hands = [[places.get(card, card) for card in hand] for hand in cards["hands"]]
    piles = {
        name: [places.get(card, card) for card in pile]
        for name, pile in cards.items()
        if name != "hands" and table.is_pile(name)
    }
    return cards | piles | {"hands": hands}, moved


def swap_hidden(hidden, hands, viewer, choose):
    """One card of another seat in the place of one that it does not hold."""
    other = choose.choice([hand for seat, hand in enumerate(hands) if seat != viewer])
    gives, takes = [card for card in hidden if card in other], [card for card in hidden if card not in other]
    if not gives or not takes:
        return {}
    one, two = choose.choice(gives), choose.choice(takes)
    return {one: two, two: one}


def redeal_hidden(hidden, hands, viewer, choose):
    """Everything that the viewer cannot see dealt anew."""
    return dict(zip(hidden, choose.sample(hidden, len(hidden))))


@every_case
def test_another_deal_that_looks_the_same_shows_the_same(case):
    """At every stage of some deals, for every seat.

    A re-deal in which the actions were illegal, in which another seat holds the card that leads, or in which others drew more
    or fewer cards, does not look the same.
    """
    choose = random.Random(str(case))
    table = case.table(episode="open")
    compared = 0
    for _ in range(DEALS):
        cards, dealer, actions = first_deal(case, choose)
        for viewer in range(case.num_players):
            for upto in sorted(choose.sample(range(len(actions)), min(4, len(actions)))):
                so_far = actions[:upto]
                seen = watch(table, cards, dealer, so_far, viewer)
                hidden = unseen(case, cards, dealer, so_far, viewer)
                for make in (swap_hidden, swap_hidden, redeal_hidden):
                    places = make(hidden, cards["hands"], viewer, choose)
                    other, moved = exchanged(case, cards, dealer, so_far, viewer, places)
                    try:
                        shown = watch(table, other, dealer, moved, viewer)
                    except IllegalAction:
                        continue
                    if looks(shown) == looks(seen):
                        assert shown == seen
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
    places = redeal_hidden(unseen(case, cards, dealer, [], 0), cards["hands"], 0, choose)
    other, _ = exchanged(case, cards, dealer, [], 0, places)
    assert other["hands"][0] == cards["hands"][0] and other["hands"][1:] != cards["hands"][1:]
    table = case.table(episode="open")
    assert watch(table, cards, dealer, [], 0) == watch(table, other, dealer, [], 0)
    assert watch(table, cards, dealer, [], 1) != watch(table, other, dealer, [], 1)
    with pytest.raises(IllegalAction):
        watch(table, other, dealer, actions, 0)
