"""What a seat earns: the margin of points in a deal, or the share of a win."""

from __future__ import annotations

from card_envs.cards import count
from card_envs.kernels import rule
from card_envs.tricks import side_of

REWARDS = ("score", "win")
BY_SCORE, BY_WIN = range(2)


@rule
def deal_winners(s, rules):
    """The sides that gained most by the deal, as bits."""
    best = 0
    winners = 0
    for side in range(rules.num_sides):
        change = int(s.change[side])
        if winners == 0 or change > best:
            best = change
            winners = 1 << side
        elif change == best:
            winners = winners | 1 << side
    return winners


@rule
def win_share(winners, side, num_sides):
    """Zero-sum payoff in [-1, 1]: two sides get +1 and -1; winners share; n sides: +1 and -1 / (n - 1) each."""
    if num_sides == 1:
        return 0.0
    won = (winners >> side) & 1
    return (num_sides * won / count(winners) - 1.0) / (num_sides - 1.0)


@rule
def score_margin(s, side, rules):
    """A side's gain by the deal minus the best gain of another side."""
    best = -(1 << 30)
    for other in range(rules.num_sides):
        if other != side:
            best = max(best, int(s.change[other]))
    return int(s.change[side]) - best


@rule
def pay(s, winners, rules, mode, result):
    """Add what every seat earned by the deal or match that has just ended; `winners`: the sides that won it, as bits."""
    for seat in range(rules.num_players):
        side = side_of(seat, rules.num_sides)
        if mode.reward == BY_SCORE:
            result.rewards[seat] += score_margin(s, side, rules)
        elif int(s.ended):
            result.rewards[seat] += win_share(winners, side, rules.num_sides)
