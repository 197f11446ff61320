"""Every game, preset and player count, for the tests of what all of them promise."""

from typing import NamedTuple

import numpy as np
import pytest

import card_envs
from card_envs.cards import card_list
from card_envs.games import load
from card_envs.table import Table

BOUNDS = ("max_hands", "max_rounds")  # what games call their bound on the deals of a match


class Case(NamedTuple):
    """One set of rules."""

    name: str
    preset: str
    num_players: int

    def __str__(self) -> str:
        return f"{self.name}-{self.preset}-{self.num_players}"

    @property
    def game(self):
        return load(self.name)

    @property
    def rules(self):
        return self.game.rules(self.preset, num_players=self.num_players)

    def table(self, seed: int | None = None, index: int = 0, **settings) -> Table:
        """One table, with a seed already dealt."""
        made = Table(self.game, self.rules, **settings)
        if seed is not None:
            made.seed(seed, index)
            made.reset()
        return made

    def cut_after(self, deals: int) -> dict[str, int]:
        """The option that cuts a match after so many deals."""
        return {next(name for name in BOUNDS if hasattr(self.rules, name)): deals}

    def vec(self, num_envs: int, **settings):
        return card_envs.make_vec(self.name, num_envs, preset=self.preset, num_players=self.num_players, **settings)


NO_ACTION = -1  # illegal in every game

CASES = [
    Case(name, preset, num_players)
    for name in card_envs.games()
    for preset, counts in load(name).player_counts.items()
    for num_players in counts
]
every_case = pytest.mark.parametrize("case", CASES, ids=str)


def any_legal(table: Table, choose) -> int:
    """A random legal action; calls and cards alike."""
    return choose.choice(table.legal_actions())


def random_cards(table: Table, choose) -> dict:
    """Hands, and what else there is in the next deal, from the whole deck: keywords of `Table.open_deal`."""
    deck = card_list(table.rules.deck_cards)
    choose.shuffle(deck)
    hands = [[deck.pop() for _ in range(size)] for size in table.hand_sizes()]
    others = {name: [deck.pop() for _ in range(size)] for name, size in table.deal_cards().items()}
    return {"hands": hands, **{name: cards if table.is_pile(name) else cards[0] for name, cards in others.items()}}


def never_passing(vec, mask):
    """The lowest bid, though never a pass or nil where there is another call, and the lowest card: tricks are lost."""
    other = mask.copy()
    other[:, [action for action, name in enumerate(vec.action_names) if name in ("pass", "nil", "blind nil")]] = 0
    return np.where(other.any(axis=1), other.argmax(axis=1), mask.argmax(axis=1))


def shown(view) -> list[np.ndarray]:
    """What a seat is shown by a batch."""
    return [view.observation, view.action_mask, view.legal, view.seat]


def everything(view) -> list[np.ndarray]:
    """What a batch returns, the last episode's end apart."""
    return [*shown(view), view.rewards, view.terminated, view.truncated]


def same(first: list[np.ndarray], second: list[np.ndarray]) -> bool:
    return all(np.array_equal(one, other) for one, other in zip(first, second, strict=True))
