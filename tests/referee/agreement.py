"""A game's kernels beside its referee: the same deals, compared at every decision and after every deal.

`adapter` is a game's module `<game>_adapter`: GAME, its options' NUMBERS to choose from, referee_of, random_start,
open_random_deal, choose_action, and what kernel and referee state in the same words: public_state and referee_state at a
decision, outcome and referee_outcome (which is told the state in which the deal began) after a deal.
"""

import contextlib
import copy
import dataclasses
import random

from card_envs.game import OptionError, choices
from card_envs.table import Table


def option_values(adapter) -> dict:
    """What a random mix may choose from, by option."""
    options = adapter.GAME.options
    names = [field.name for field in dataclasses.fields(options)]
    return {name: adapter.NUMBERS.get(name) or choices(options, name) or (False, True) for name in names}


def random_rules(adapter, choose: random.Random):
    """Any options that the game accepts: a preset, of which few or most are replaced where the others allow it."""
    rules = adapter.GAME.rules(choose.choice(list(adapter.GAME.presets)))
    share = choose.random()
    values = option_values(adapter)
    for name in choose.sample(list(values), len(values)) * 2:  # twice, since some make sense only beside others
        if choose.random() < share:
            with contextlib.suppress(OptionError):
                rules = dataclasses.replace(rules, **{name: choose.choice(values[name])})
    return rules


def start_match(adapter, rules, start: dict, seed: int = 0):
    """Kernel and referee before their first deal."""
    table = Table(adapter.GAME, rules, episode="open")
    table.seed(seed)
    table.reset(start)
    return table, adapter.referee_of(rules, start)


def play_deal(adapter, table: Table, referee, choose: random.Random, start: dict) -> None:
    deal = adapter.open_random_deal(table, referee, choose)
    opened = copy.deepcopy(adapter.referee_state(referee))
    actions, ids = [], {name: action for action, name in enumerate(table.action_names)}
    while not referee.deal_over:
        assert adapter.public_state(table) == adapter.referee_state(referee), (table.rules, start, deal, actions)
        actions.append(adapter.choose_action(referee, choose))
        table.step(ids[actions[-1]])
        referee.act(actions[-1])
    assert adapter.public_state(table) == adapter.referee_state(referee), (table.rules, start, deal, actions)
    assert adapter.outcome(table) == adapter.referee_outcome(referee, opened), (table.rules, start, deal, actions)


def play_matches(adapter, rules, num_deals: int, choose: random.Random) -> None:
    """Matches under one set of rules until this many deals are played."""
    played = 0
    while played < num_deals:
        start = adapter.random_start(rules, choose)
        table, referee = start_match(adapter, rules, start, choose.getrandbits(32))
        while not referee.match_over and played < num_deals:
            play_deal(adapter, table, referee, choose, start)
            played += 1
