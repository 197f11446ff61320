"""What a seat may see at a table of Pit, as named pieces; seats are counted from the viewer."""

from __future__ import annotations

from card_envs.cards import NUM_CARDS, NUM_RANKS, RANKS, SUITS
from card_envs.game import choices
from card_envs.games.pit.rules import MAX_LEVEL, SMALL_TABLE_HAND, PitRules
from card_envs.games.pit.scoring import NO_SEAT
from card_envs.games.pit.seen import (
    BANK_BITS,
    MAX_SHOWN,
    ROUNDS_BITS,
    ROUNDS_LEVELS,
    TALLY_BITS,
    TALLY_LEVELS,
)
from card_envs.kernels import inlined, rule
from card_envs.layout import Group, Piece, unary
from card_envs.tricks import places_after

ROLES = ("dealer", "bidder", "leader", "winning")
TEXTS_SHOWN = (
    "hand_model", "shed_unit", "pit_bank", "trump", "all_pass", "alone_set", "alone_outbid", "set_basis", "stop", "objective",
    "points_mode",
)  # fmt: skip
SWITCHES_SHOWN = ("bid_jumps", "pass_reentry", "void_rotates_deal", "alone", "must_follow")


def groups(rules: PitRules) -> tuple[Group, ...]:
    """The observation of one seat under these rules."""
    suits = tuple(SUITS)
    return (
        Group("cards", "seat", (Piece("played", NUM_CARDS, "cards", "cards that this seat has played in this round"),)),
        Group(
            "seat",
            "seat",
            (  # up to `tricks_won` the word that the table keeps as `shown`
                Piece("trick_rank", NUM_RANKS, "one_hot", "rank of its card in the trick in progress", tuple(RANKS)),
                Piece("trick_suit", 4, "suit", "suit of its card in the trick in progress", suits),
                Piece("void", 4, "suits", "suits of which it has shown to hold none", suits),
                Piece("level_bid", MAX_LEVEL, "one_hot", "its last bid", tuple(str(level + 1) for level in range(MAX_LEVEL))),
                Piece("bid_alone", 1, "flags", "it has bid alone", ("alone",)),
                Piece("passed", 1, "flags", "its last call was a pass", ("passed",)),
                Piece("tricks_won", 13, "unary", "tricks it has won in this round"),
                Piece("role", len(ROLES), "flags", "its part in the round; the leader of the auction speaks first", ROLES),
            ),
        ),
        Group(
            "tally",
            "seat",
            (
                Piece("score", TALLY_BITS, "number", f"burden, the cards to get rid of, held within +-{MAX_SHOWN}"),
                Piece("score_level", TALLY_LEVELS, "unary", f"the same, at most {TALLY_LEVELS}"),
                Piece("points", TALLY_BITS, "number", f"points of the match, held within +-{MAX_SHOWN}"),
                Piece("points_level", TALLY_LEVELS, "unary", f"the same, at most {TALLY_LEVELS}"),
            ),
        ),
        Group(
            "deal",
            "table",
            (
                Piece("trump_suit", 4, "trump", "trump", suits),
                Piece("upcard_rank", NUM_RANKS, "one_hot", "rank of the card turned", tuple(RANKS)),
                Piece("upcard_suit", 4, "suit", "its suit", suits),
                Piece("bank", BANK_BITS, "number", "cards in the pit that can be drawn"),
                Piece("rounds", ROUNDS_BITS, "number", "rounds of the match that are over"),
                Piece(
                    "rounds_level", ROUNDS_LEVELS, "unary", f"the same in {ROUNDS_LEVELS} parts of all that a match can have"
                ),
            ),
        ),
        Group(
            "table",
            "table",
            (
                Piece("phase", 2, "one_hot", "what is being decided", ("bidding", "playing")),
                Piece("forced", 1, "flags", "the first to speak must open", ("forced",)),
                Piece("contract_alone", 1, "flags", "the standing bid or contract is alone", ("alone",)),
                Piece("standing_bid", MAX_LEVEL, "unary", "the highest bid so far, or the contract"),
                Piece("needed", MAX_LEVEL, "unary", "tricks that the contractor still needs"),
                Piece("tricks_played", max(rules.num_tricks, SMALL_TABLE_HAND), "unary", "tricks finished in this round"),
                Piece("position", rules.num_players, "place", "the viewer's place after the first to call or to lead"),
            ),
        ),
        _options(rules),
        Group("hand", "table", (Piece("own_hand", NUM_CARDS, "cards", "cards that the viewer holds"),)),
    )


def _options(rules: PitRules) -> Group:
    """The options that change play, each constant under the same rules."""
    return Group(
        "options",
        "table",
        (
            *(_text_piece(rules, name) for name in TEXTS_SHOWN),
            *(Piece(name, 1, "flags", "option of the rules", ("on",), int(getattr(rules, name))) for name in SWITCHES_SHOWN),
            Piece("alone_shed", 2, "unary", "option of the rules", (), (1 << rules.alone_shed) - 1),
            Piece("min_bid", MAX_LEVEL, "unary", "option of the rules", (), (1 << rules.min_bid) - 1),
            Piece("max_bid", MAX_LEVEL, "unary", "option of the rules", (), (1 << rules.max_bid) - 1),
            Piece("points_target", 9, "number", "option of the rules", (), rules.points_target),
        ),
    )


def _text_piece(rules: PitRules, name: str) -> Piece:
    texts = choices(PitRules, name)
    return Piece(name, len(texts), "one_hot", "option of the rules", texts, 1 << texts.index(getattr(rules, name)))


@rule
def observe(s, viewer, rules, at, words):
    """Write to `words` what `viewer` may see."""
    words[at.hand] = int(s.hand[viewer]) << at.own_hand
    for seat in range(rules.num_players):
        place = places_after(seat, viewer, rules.num_players)
        words[at.cards + place] = int(s.played[seat]) << at.played
        words[at.seat + place] = int(s.shown[seat])
        words[at.tally + place] = int(s.tally[seat])
    show_role(words, int(s.dealer), 0, viewer, rules, at)
    show_role(words, int(s.bidder), 1, viewer, rules, at)
    show_role(words, int(s.leader), 2, viewer, rules, at)
    show_role(words, int(s.best_seat), 3, viewer, rules, at)
    words[at.deal] = int(s.deal_word)
    words[at.table] = table_word(s, viewer, rules, at)
    words[at.options] = at.options_fixed


@inlined
def show_role(words, seat, role, viewer, rules, at):
    """A part that this seat has, if there is one."""
    someone = int(seat != NO_SEAT)
    at_seat = at.seat + places_after(seat * someone, viewer, rules.num_players)
    words[at_seat] = int(words[at_seat]) | someone << (at.role + role)


@inlined
def table_word(s, viewer, rules, at):
    position = viewer - int(s.leader)
    position += rules.num_players if position < 0 else 0
    word = 1 << (at.position + position) | unary(int(s.tricks_played), 63) << at.tricks_played
    word = word | unary(int(s.bid), MAX_LEVEL) << at.standing_bid | unary(int(s.needed), MAX_LEVEL) << at.needed
    word = word | int(s.bid_alone) << at.contract_alone | int(s.forced) << at.forced
    phase = int(s.phase)
    return word | int(phase > 0) << (at.phase + max(phase, 1) - 1)
