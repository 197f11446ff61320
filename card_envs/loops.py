"""The one step that every face shares, over one table or a batch.

The functions below are written once with the verbs of a game (`apply`, `observe` ...) as free names; `Loops(game)` binds
them and compiles them. A kernel lets go of Python's lock, so parts of a batch can be stepped by several threads.
"""

from __future__ import annotations

import functools

from card_envs.buffers import (
    AS_BITS,
    AS_BYTES,
    AS_FLOATS,
    DEAL,
    DISABLED,
    MATCH,
    NEXT_STEP,
    PENALISE,
    RAISE,
    SAME_STEP,
    TERMINATED,
    TRUNCATED,
    UNSEEN,
)  # fmt: skip
from card_envs.cards import count, lowest
from card_envs.game import MAX_LEGAL_WORDS, MAX_SEATS, Game
from card_envs.kernels import bind, inlined, prefetch, rule
from card_envs.layout import BLOCK, WORD_BITS, spread, spread_rows
from card_envs.pointers import fixed, line, row
from card_envs.rewards import deal_winners, pay, win_share
from card_envs.rng import below, table_key
from card_envs.tricks import side_of

AHEAD = 8  # tables ahead whose memory is asked for
MAX_WORD = (1 << (WORD_BITS - 1)) - 1
ALL_LEGAL_STREAM = 1 << 41  # of the choices made by illegal="random_legal"

# The verbs that `bind` puts in for each game.
new_match = deal = open_deal = legal = apply = observe = None
# Functions of this module that themselves need the verbs, bound in this order.
begin = advance = finish = settle = step_table = step_rows = show = step_all = None


@inlined
def is_legal(s, action):
    """Is `action` among the legal ones? Any integer may be asked about."""
    if action < 0 or action >= WORD_BITS * MAX_LEGAL_WORDS:
        return False
    return (int(s.legal[action >> 6]) >> (action & 63)) & 1 == 1


@inlined
def num_legal(s):
    return count(int(s.legal[0])) + count(int(s.legal[1])) + count(int(s.legal[2]))


@rule
def nth_legal(s, n):
    """The n-th legal action, lowest first."""
    k = 0
    while n >= count(int(s.legal[k])):
        n -= count(int(s.legal[k]))
        k += 1
    word = int(s.legal[k])
    for _ in range(n):
        word = word & (word - 1)
    below_sign = word & MAX_WORD  # the sign bit alone has no negative
    return WORD_BITS * k + (WORD_BITS - 1 if below_sign == 0 else lowest(below_sign))


@rule
def random_legal(s):
    """A legal action from the table's own place in its streams: the deals do not notice."""
    place = ALL_LEGAL_STREAM + (int(s.deals) << 8) + int(s.moves)
    return nth_legal(s, below(s.key, place, num_legal(s)))


def _begin(s, rules):
    """A new episode: a new match with its first deal."""
    new_match(s, rules)
    s.ended = 0
    deal(s, rules)


def _advance(s, action, rules, mode, moves_made):
    """Play a legal action; deal on within a match; note the end of the episode."""
    if mode.keeps_history != 0:
        moves_made[int(s.moves)] = (int(s.turn) << 8) | action
    s.moves += 1
    apply(s, action, rules)
    if int(s.deal_over):
        if mode.episode == DEAL or int(s.match_over):
            s.ended = TERMINATED
        elif int(s.truncated):
            s.ended = TRUNCATED


@rule
def replace_illegal(s, rules, mode, result):
    """What happens instead of an illegal action: a random legal one, or (-1) the end of the episode.

    In the second case its side pays the penalty and the others share the gain.
    """
    result.illegal += 1
    if mode.illegal != PENALISE:
        return random_legal(s)
    side = side_of(int(s.turn), rules.num_sides)
    others = ((1 << rules.num_sides) - 1) & ~(1 << side)
    s.winners = others
    s.ended = TERMINATED
    s.match_over = 1
    for k in range(MAX_LEGAL_WORDS):
        s.legal[k] = 0
    for seat in range(rules.num_players):
        result.rewards[seat] += mode.penalty * win_share(others, side_of(seat, rules.num_sides), rules.num_sides)
    return -1


def _settle(i, s, mover, rules, at, mode, result, final_words):
    """After an action that ended a deal: pay, note the end of the episode, and deal on where the rules do."""
    winners = deal_winners(s, rules) if mode.episode == DEAL else int(s.winners)
    pay(s, winners, rules, mode, result)
    finish(i, s, mover, rules, at, result, final_words)
    if not int(s.ended) and mode.episode == MATCH:
        deal(s, rules)


def _finish(i, s, mover, rules, at, result, final_words):
    """The episode is over: keep its last scores and view."""
    if int(s.ended):
        for side in range(rules.num_sides):
            result.final_scores[side] = int(s.score[side])
        observe(s, mover, rules, at, line(final_words, i))


def _show(tables, start, stop, rules, at, num_bytes, mode, results, words, packed, vector, floats, mask):
    """Rows start..stop-1, a block at most: the seat to act, what it sees and what it may do."""
    first = 0 if mode.observation == AS_BITS else start  # words that are spread are kept for one block only
    for i in range(start, stop):
        s = row(tables, i)
        row(results, i).seat = int(s.turn)
        if mode.observation != UNSEEN:
            observe(s, int(s.turn), rules, at, line(words, i - first))
    show_mask(tables, start, stop, mask)
    if mode.observation == AS_BYTES:
        spread_rows(words, 0, stop - start, num_bytes, packed, vector, start)
    elif mode.observation == AS_FLOATS:
        spread_rows(words, 0, stop - start, num_bytes, packed, floats, start)


@rule
def show_mask(tables, start, stop, mask):
    """The legal actions of rows start..stop-1 as bytes of 0 and 1."""
    for i in range(start, stop):
        s = row(tables, i)
        spread(int(s.legal[0]), mask, i, 0)
        if mask.shape[1] > WORD_BITS:
            spread(int(s.legal[1]), mask, i, WORD_BITS)
        if mask.shape[1] > 2 * WORD_BITS:
            spread(int(s.legal[2]), mask, i, 2 * WORD_BITS)


def _step_table(i, s, action, rules, at, mode, result, history, final_words):
    """One table's step: the action, what the rules do by themselves, rewards, and a new episode if due."""
    for seat in range(MAX_SEATS):  # of known length: a few vector stores
        result.rewards[seat] = 0.0
    playing = int(s.ended) == 0
    ended = int(s.ended) if mode.autoreset == DISABLED else 0
    if not playing and mode.autoreset == NEXT_STEP:
        begin(s, rules)
    while playing:
        mover = int(s.turn)
        if not is_legal(s, action):
            action = replace_illegal(s, rules, mode, result)
        if action >= 0:
            advance(s, action, rules, mode, line(history, i))
            if int(s.deal_over):
                settle(i, s, mover, rules, at, mode, result, final_words)
        else:
            finish(i, s, mover, rules, at, result, final_words)
        ended = int(s.ended)
        if ended and mode.autoreset == SAME_STEP:
            begin(s, rules)
        playing = mode.skip_forced != 0 and not ended and num_legal(s) == 1
        if playing:
            action = nth_legal(s, 0)
    result.terminated = ended == TERMINATED
    result.truncated = ended == TRUNCATED


def _step_rows(tables, start, stop, actions, rules, at, mode, results, history, final_words, mask, vector):
    for i in range(start, stop):
        prefetch(tables, i + AHEAD)
        prefetch(mask, i)
        prefetch(vector, i)
        step_table(i, row(tables, i), int(actions[i]), rules, at, mode, row(results, i), history, final_words)


@inlined
def first_illegal(tables, actions, mode):
    """Row of the first action that is to be refused, or -1; rows whose episode is over take any action."""
    if mode.illegal == RAISE:
        for i in range(len(tables)):
            s = row(tables, i)
            if int(s.ended) == 0 and not is_legal(s, int(actions[i])):
                return i
    return -1


def step(
    tables, actions, rule_args, offsets, num_bytes, modes, results, words, packed, vector, floats, mask, final_words, history
):  # fmt: skip
    """Step every table, or none: returns the row of the first refused action, or -1."""
    refused_row = first_illegal(tables, actions, fixed(modes))
    if refused_row < 0:
        step_all(
            tables, actions, rule_args, offsets, num_bytes, modes, results, words, packed, vector, floats, mask, final_words, history
        )  # fmt: skip
    return refused_row


def _step_all(
    tables, actions, rule_args, offsets, num_bytes, modes, results, words, packed, vector, floats, mask, final_words, history
):  # fmt: skip
    """Step every table, with actions that are not refused."""
    rules, at, mode = fixed(rule_args), fixed(offsets), fixed(modes)
    for start in range(0, len(tables), BLOCK):  # passes over a block: each has predictable branches, and its data near
        stop = min(start + BLOCK, len(tables))
        step_rows(tables, start, stop, actions, rules, at, mode, results, history, final_words, mask, vector)
        show(tables, start, stop, rules, at, num_bytes, mode, results, words, packed, vector, floats, mask)


def restart(tables, rows, rule_args, offsets, num_bytes, modes, results, words, packed, vector, floats, mask):
    """New episodes in the rows where `rows` is set."""
    rules, at, mode = fixed(rule_args), fixed(offsets), fixed(modes)
    for i in range(len(tables)):
        if rows[i]:
            s = row(tables, i)
            result = row(results, i)
            begin(s, rules)
            for seat in range(MAX_SEATS):
                result.rewards[seat] = 0.0
            result.terminated = False
            result.truncated = False
            show(tables, i, i + 1, rules, at, num_bytes, mode, results, words, packed, vector, floats, mask)


def show_all(tables, rule_args, offsets, num_bytes, modes, results, words, packed, vector, floats, mask):
    """Masks and observations of tables that were put in place from outside."""
    rules, at, mode = fixed(rule_args), fixed(offsets), fixed(modes)
    for start in range(0, len(tables), BLOCK):
        stop = min(start + BLOCK, len(tables))
        show(tables, start, stop, rules, at, num_bytes, mode, results, words, packed, vector, floats, mask)


def view(tables, viewer, rule_args, offsets, words):
    """Words of what `viewer` sees at table 0, whoever is to act."""
    observe(row(tables, 0), viewer, fixed(rule_args), fixed(offsets), line(words, 0))


def open_given(tables, rule_args):
    """Open the deal whose dealer and hands have been put into table 0."""
    s = row(tables, 0)
    s.ended = 0
    open_deal(s, fixed(rule_args))


def deal_next(tables, rule_args):
    """Deal the next deal of table 0's stream."""
    s = row(tables, 0)
    s.ended = 0
    deal(s, fixed(rule_args))


def open_match(tables, rule_args):
    """Scores to zero and a first dealer at table 0; nothing is dealt."""
    s = row(tables, 0)
    new_match(s, fixed(rule_args))
    s.phase = 0
    s.ended = 0
    s.deal_over = 0
    for k in range(MAX_LEGAL_WORDS):
        s.legal[k] = 0


def set_keys(tables, seed, ids):
    """Give every table the key of its id's streams under a seed, from their first deal."""
    for i in range(len(tables)):
        s = row(tables, i)
        s.key = table_key(seed, ids[i])
        s.deals = 0


def choose_random(tables, actions, salt):
    """Uniform legal actions for a whole batch, for start-up passes and benchmarks."""
    for i in range(len(tables)):
        prefetch(tables, i + AHEAD)
        s = row(tables, i)
        place = salt + (int(s.deals) << 8) + int(s.moves)
        actions[i] = 0 if int(s.ended) else nth_legal(s, below(s.key, place, num_legal(s)))


KERNELS = {
    kernel.__name__: kernel
    for kernel in (step, restart, show_all, view, open_given, deal_next, open_match, set_keys, choose_random)
}


class Loops:
    """The kernels of one game, each compiled at its first use."""

    def __init__(self, game: Game):
        self.game = game
        names = ("new_match", "deal", "open_deal", "legal", "apply", "observe")
        self.verbs = {name: getattr(game, name) for name in names}
        for template in (_begin, _advance, _finish, _settle, _step_table, _step_rows, _show, _step_all):
            at_every_step = template in (_advance, _step_table)
            self.verbs[template.__name__.lstrip("_")] = bind(template, self.verbs, inline=at_every_step)

    def as_rule(self, name: str):
        """A kernel by its name for other kernels to call."""
        return bind(KERNELS[name], self.verbs)

    def __getattr__(self, name: str):
        """A kernel by its name, compiled at its first use."""
        if name not in KERNELS:
            raise AttributeError(name)
        kernel = bind(KERNELS[name], self.verbs, self.game.name)
        setattr(self, name, kernel)
        return kernel


@functools.cache
def loops(game: Game) -> Loops:
    """The kernels of a game, one set a process."""
    return Loops(game)
