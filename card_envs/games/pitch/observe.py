"""What a seat may see at a table of Pitch, as named pieces; seats and sides are counted from the viewer."""

from __future__ import annotations

from card_envs.cards import NO_CARD, NO_SUIT, NUM_CARDS, NUM_RANKS, RANKS, SUITS, suit_of
from card_envs.game import choices
from card_envs.games.pitch.rules import NUM_POINTS, PitchRules
from card_envs.games.pitch.table import BIDDING, NO_CALL
from card_envs.kernels import inlined, rule
from card_envs.layout import Group, Piece
from card_envs.tricks import left_of, side_of

SCORE_BITS = 12
MAX_SHOWN_SCORE = (1 << (SCORE_BITS - 1)) - 1
PIPS_BITS = 8
NEEDS_LEVELS = 16
PIPS_LEVELS = 8
PIPS_A_LEVEL = 8
OPTIONS_SHOWN = (
    "dealer_steal", "all_pass", "trump_method", "follow_rule", "low_to", "game_tie", "made_scores",
    "moon", "moon_made", "moon_failed", "tie_rule",
)  # fmt: skip


def groups(rules: PitchRules) -> tuple[Group, ...]:
    """The observation of one seat under these rules."""
    calls = ("pass", *(f"bid {level}" for level in range(1, rules.max_bid + 1)), "moon")
    suits = tuple(SUITS)
    return (
        Group("cards", "seat", (Piece("played", NUM_CARDS, "cards", "cards that this seat has played in this deal"),)),
        Group(
            "seat",
            "seat",
            (
                Piece("call", len(calls), "one_hot", "what this seat called; empty before its turn", calls),
                Piece("trick_rank", NUM_RANKS, "one_hot", "rank of its card in the trick in progress", tuple(RANKS)),
                Piece("trick_suit", 4, "one_hot", "suit of its card in the trick in progress", suits),
                Piece("void", 4, "flags", "suits of which it has shown to hold none", suits),
                Piece("tricks_won", rules.hand_size, "unary", "tricks it has won in this deal"),
                Piece("role", 5, "flags", "its part in the deal", ("dealer", "bidder", "pitcher", "leader", "winning")),
            ),
        ),
        Group(
            "side",
            "side",
            (
                Piece("score", SCORE_BITS, "number", f"score of the match, held within +-{MAX_SHOWN_SCORE}"),
                Piece("needs", NEEDS_LEVELS, "unary", f"points to the target, at most {NEEDS_LEVELS}"),
                Piece("pips", PIPS_BITS, "number", "pips won in this deal"),
                Piece("pips_level", PIPS_LEVELS, "unary", f"the same in steps of {PIPS_A_LEVEL}"),
                Piece("points", 4, "flags", "ahead for now in", ("High", "Low", "Jack", "Game")),
            ),
        ),
        Group(
            "table",
            "table",
            (
                Piece("phase", 3, "one_hot", "what is being decided", ("bidding", "naming", "playing")),
                Piece("trump", 4, "one_hot", "trump, once it is fixed", suits),
                Piece("position", rules.num_players, "one_hot", "the viewer's place after the first to call or to lead"),
                Piece("tricks_played", rules.hand_size, "unary", "tricks finished in this deal"),
                Piece("standing_bid", rules.max_bid + 1, "unary", "the highest bid so far"),
            ),
        ),
        Group(
            "options",
            "table",
            (
                *(_option_piece(rules, name) for name in OPTIONS_SHOWN),
                Piece("must_bid_to_win", 1, "flags", "option of the rules", ("on",), int(rules.must_bid_to_win)),
                Piece("min_bid", 4, "unary", "option of the rules", (), (1 << rules.min_bid) - 1),
            ),
        ),
        Group("hand", "table", (Piece("own_hand", NUM_CARDS, "cards", "cards that the viewer holds"),)),
    )


def _option_piece(rules: PitchRules, name: str) -> Piece:
    texts = choices(PitchRules, name)
    return Piece(name, len(texts), "one_hot", "option of the rules", texts, 1 << texts.index(getattr(rules, name)))


@rule
def observe(s, viewer, rules, at, words, i):
    """Write row i of `words`: what `viewer` may see."""
    words[i, at.hand] = int(s.hand[viewer]) << at.own_hand
    seat = viewer
    for place in range(rules.num_players):
        words[i, at.cards + place] = int(s.played[seat]) << at.played
        words[i, at.seat + place] = seat_word(s, seat, at)
        seat = left_of(seat, rules.num_players)
    side = side_of(viewer, rules.num_sides)
    for place in range(rules.num_sides):
        words[i, at.side + place] = side_word(s, side, rules, at)
        side = left_of(side, rules.num_sides)
    words[i, at.table] = table_word(s, viewer, rules, at)
    words[i, at.options] = at.options_fixed


@inlined
def unary(value, levels):
    """That many low bits, between none and `levels`."""
    return (1 << max(0, min(value, levels))) - 1


@inlined
def seat_word(s, seat, at):
    call = int(s.call[seat])
    card = int(s.trick[seat])
    role = (
        int(seat == int(s.dealer))
        | int(seat == int(s.bidder)) << 1
        | int(seat == int(s.pitcher)) << 2
        | int(seat == int(s.leader)) << 3
        | int(seat == int(s.best_seat)) << 4
    )
    word = int(s.void[seat]) << at.void | ((1 << int(s.tricks_won[seat])) - 1) << at.tricks_won | role << at.role
    suit = suit_of(max(card, 0))
    word = word | int(call != NO_CALL) << (at.call + max(call, 0))
    played = int(card != NO_CARD)  # 0 or 1 shifted, not an `if`: what cannot be predicted must not branch
    return word | played << (at.trick_rank + max(card, 0) - NUM_RANKS * suit) | played << (at.trick_suit + suit)


@inlined
def side_word(s, side, rules, at):
    score = int(s.score[side])
    pips = int(s.pips[side])
    shown = max(-MAX_SHOWN_SCORE, min(score, MAX_SHOWN_SCORE)) & ((1 << SCORE_BITS) - 1)
    points = 0
    for point in range(NUM_POINTS):
        points = points | int(int(s.point_side[point]) == side) << point
    word = shown << at.score | unary(rules.target - score, NEEDS_LEVELS) << at.needs | pips << at.pips
    return word | unary(pips // PIPS_A_LEVEL, PIPS_LEVELS) << at.pips_level | points << at.points


@inlined
def table_word(s, viewer, rules, at):
    phase = int(s.phase)
    trump = int(s.trump)
    first = int(s.leader) if int(s.trick_cards) != 0 else int(s.turn)
    first = left_of(int(s.dealer), rules.num_players) if phase == BIDDING else first
    position = viewer - first
    position += rules.num_players if position < 0 else 0
    word = unary(int(s.tricks_played), 63) << at.tricks_played | unary(int(s.bid), 63) << at.standing_bid
    word = word | 1 << (at.position + position)
    word = word | int(phase > 0) << (at.phase + max(phase, 1) - 1)
    return word | int(trump != NO_SUIT) << (at.trump + max(trump, 0))
