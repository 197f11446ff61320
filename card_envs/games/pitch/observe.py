"""What a seat may see at a table of Pitch, as named pieces; seats and sides are counted from the viewer."""

from __future__ import annotations

from dataclasses import replace

from card_envs.cards import NO_SUIT, NUM_CARDS, NUM_RANKS, RANKS, SUITS
from card_envs.game import choices
from card_envs.games.pitch.rules import BIDDING, NO_SEAT, NUM_POINTS, PitchRules
from card_envs.games.pitch.seen import (
    DREW_BITS,
    KEPT_BITS,
    MAX_SHOWN_SCORE,
    NEEDS_LEVELS,
    PIPS_A_LEVEL,
    PIPS_BITS,
    PIPS_LEVELS,
    SCORE_BITS,
)
from card_envs.games.pitch.text import POINTS, TEN_POINTS
from card_envs.kernels import inlined
from card_envs.layout import Group, Piece, unary
from card_envs.tricks import left_of, places_after, side_of

ROLES = {
    "dealer": "the dealer",
    "bidder": "the holder of the standing bid",
    "pitcher": "who names or pitches trump",
    "leader": "the leader of this trick, or of the last one",
    "winning": "who wins this trick so far, or won the last one",
    "first": "the first to call, or to play to this trick",
}
OPTIONS_SHOWN = (
    "dealer_steal", "all_pass", "trump_method", "follow_rule", "low_to", "game_tie", "made_scores",
    "moon", "moon_made", "moon_failed", "tie_rule",
)  # fmt: skip


def groups(rules: PitchRules) -> tuple[Group, ...]:
    """The observation of one seat under these rules."""
    phases = ("bidding", "naming", "playing", *(["discarding"] if rules.stock_size else []))
    return (
        Group("cards", "seat", (Piece("played", NUM_CARDS, "cards", "cards that this seat has played in this deal"),)),
        Group("seat", "seat", _seat_pieces(rules)),
        Group("side", "side", _side_pieces(rules)),
        Group(
            "roles",
            "table",
            tuple(Piece(role, rules.num_players, "place", f"seats from the viewer to {whom}") for role, whom in ROLES.items()),
        ),
        Group(
            "table",
            "table",
            (
                Piece("phase", len(phases), "one_hot", "what is being decided", phases),
                Piece("trump", 4, "trump", "trump, once it is fixed", tuple(SUITS)),
                Piece("tricks_played", rules.max_tricks, "unary", "tricks finished in this deal"),
                Piece("standing_bid", rules.max_bid + 1, "unary", "the highest bid so far"),
            ),
        ),
        Group(
            "options",
            "table",
            (
                *(_option_piece(rules, name) for name in OPTIONS_SHOWN),
                Piece("must_bid_to_win", 1, "flags", "option of the rules", ("on",), int(rules.must_bid_to_win)),
                Piece("min_bid", max(NUM_POINTS, rules.min_bid), "unary", "option of the rules", (), (1 << rules.min_bid) - 1),
            ),
        ),
        Group("variant", "table", _variant_pieces(rules)),
        Group(
            "aside",
            "table",
            (Piece("own_thrown", NUM_CARDS if rules.stock_size else 0, "cards", "cards that the viewer has put aside"),),
        ),
        Group("hand", "table", (Piece("own_hand", NUM_CARDS, "cards", "cards that the viewer holds"),)),
    )


def _seat_pieces(rules: PitchRules) -> tuple[Piece, ...]:
    """What everyone sees of a seat."""
    calls = ("pass", *(f"bid {level}" for level in range(1, rules.max_bid + 1)), *(["moon"] if rules.moon_level else []))
    suits, exchange = tuple(SUITS), int(rules.stock_size > 0)
    return (
        Piece("call", len(calls), "one_hot", "what this seat called; empty before its turn", calls),
        Piece("trick_rank", NUM_RANKS, "one_hot", "rank of its card in the trick in progress", tuple(RANKS)),
        Piece("trick_suit", 4, "suit", "suit of its card in the trick in progress", suits),
        Piece("void", 4, "suits", "suits of which it has shown to hold none", suits),
        Piece("tricks_won", rules.max_tricks, "unary", "tricks it has won in this deal"),
        Piece("trick_joker", rules.jokers, "flags", "its joker in the trick in progress", ("LJ", "HJ")[: rules.jokers]),
        Piece("drew", DREW_BITS * exchange, "number", "cards it has drawn or taken"),
        Piece("kept", KEPT_BITS * exchange, "number", "cards it held at the first lead"),
    )


def _side_pieces(rules: PitchRules) -> tuple[Piece, ...]:
    """What everyone sees of a side."""
    points = TEN_POINTS if rules.points == "ten" else POINTS
    points = points if rules.more_points else points[:NUM_POINTS]
    return (
        Piece("score", SCORE_BITS, "number", f"score of the match, held within +-{MAX_SHOWN_SCORE}"),
        Piece("needs", NEEDS_LEVELS, "unary", f"points to the target, at most {NEEDS_LEVELS}"),
        Piece("pips", PIPS_BITS, "number", "pips won in this deal"),
        Piece("pips_level", PIPS_LEVELS, "unary", f"the same in steps of {PIPS_A_LEVEL}"),
        Piece("points", len(points), "flags", "ahead for now in", points),
    )


def _variant_pieces(rules: PitchRules) -> tuple[Piece, ...]:
    """The options of more trumps, other points, kitty and draw: nothing in the game without them."""
    pieces = (
        Piece("off_jack", 1, "flags", "option of the rules", ("on",), int(rules.off_jack)),
        Piece("jokers", 2, "unary", "option of the rules", (), (1 << rules.jokers) - 1),
        Piece("joker_opens", 1, "flags", "option of the rules", ("on",), int(rules.joker_opens)),
        Piece("kitty", 4, "unary", "option of the rules", (), (1 << rules.kitty) - 1),
        _option_piece(rules, "joker_rank"),
        replace(_option_piece(rules, "points"), name="point_set"),
        _option_piece(rules, "draw"),
        Piece("draw_to", 13, "unary", "option of the rules", (), (1 << rules.draw_to) - 1),
    )
    return pieces if rules.is_variant else tuple(replace(piece, width=0, fixed=0) for piece in pieces)


def _option_piece(rules: PitchRules, name: str) -> Piece:
    texts = choices(PitchRules, name)
    return Piece(name, len(texts), "one_hot", "option of the rules", texts, 1 << texts.index(getattr(rules, name)))


@inlined
def observe(s, viewer, rules, at, words):
    """Write to `words` what `viewer` may see."""
    words[at.hand] = int(s.hand[viewer]) << at.own_hand
    for seat in range(rules.num_players):
        place = places_after(seat, viewer, rules.num_players)
        words[at.cards + place] = int(s.played[seat]) << at.played
        words[at.seat + place] = int(s.seat_word[seat])
    own_side = side_of(viewer, rules.num_sides)
    for side in range(rules.num_sides):
        words[at.side + places_after(side, own_side, rules.num_sides)] = int(s.side_word[side])
    words[at.roles] = roles_word(s, viewer, rules, at)
    words[at.table] = table_word(s, at)
    words[at.options] = at.options_fixed
    if rules.is_variant != 0:
        words[at.variant] = at.variant_fixed
    if rules.stock_size > 0:
        words[at.aside] = int(s.thrown[viewer]) << at.own_thrown


@inlined
def place(seat, viewer, rules):
    """One bit: how many seats after the viewer that seat is; none for no seat."""
    return int(seat != NO_SEAT) << places_after(seat, viewer, rules.num_players)


@inlined
def roles_word(s, viewer, rules, at):
    turn, leader, eldest = int(s.turn), int(s.leader), left_of(int(s.dealer), rules.num_players)
    first = turn + int(int(s.trick_cards) != 0) * (leader - turn)
    first = first + int(int(s.phase) == BIDDING) * (eldest - first)
    word = place(int(s.dealer), viewer, rules) << at.dealer | place(int(s.bidder), viewer, rules) << at.bidder
    word = word | place(int(s.pitcher), viewer, rules) << at.pitcher | place(leader, viewer, rules) << at.leader
    return word | place(int(s.best_seat), viewer, rules) << at.winning | place(first, viewer, rules) << at.first


@inlined
def table_word(s, at):
    phase = int(s.phase)
    trump = int(s.trump)
    word = unary(int(s.tricks_played), 63) << at.tricks_played | unary(int(s.bid), 63) << at.standing_bid
    word = word | int(phase > 0) << (at.phase + max(phase, 1) - 1)
    return word | int(trump != NO_SUIT) << (at.trump + max(trump, 0))
