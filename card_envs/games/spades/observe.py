"""What a seat may see at a table of Spades, as named pieces; seats and sides are counted from the viewer."""

from __future__ import annotations

from card_envs.cards import NO_SUIT, NUM_CARDS, NUM_RANKS, RANKS, SUITS
from card_envs.game import choices
from card_envs.games.spades.auction import partner_of
from card_envs.games.spades.play import GIVING, PLAYING
from card_envs.games.spades.rules import MAX_BID, MAX_CARDS_EACH, MAX_PASS, SpadesRules
from card_envs.games.spades.scoring import NO_SEAT
from card_envs.games.spades.seen import BAGS_LEVELS, FLOOR_LEVELS, MAX_SHOWN_SCORE, NEEDS_LEVELS, SCORE_BITS, STEP
from card_envs.kernels import inlined, rule
from card_envs.layout import Group, Piece, unary
from card_envs.tricks import left_of, places_after, side_of

NUM_PLACES = 6
PHASES = ("blind", "bidding", "naming", "giving", "playing")
CHOICES_SHOWN = (
    "contract_scope", "failed_bid", "bag_source", "bag_count", "bag_scope", "bag_over", "nil_fail", "failed_nil_tricks",
    "double_nil_score", "bid_restriction", "first_lead", "break_rule", "end_tie", "moon_fail", "trick_score",
)  # fmt: skip
FLAGS_SHOWN = (  # of numbers: are there any?
    "double_nil", "double_13", "ten_for_200", "moon_wins", "first_hand_bids", "fail_13_bags", "nil_pass", "blind_nil_pass",
)  # fmt: skip
SMALL_NUMBERS_SHOWN = {"overtrick_points": 2, "forbidden_total": 6}  # with enough bits for the largest value and its sign
NUMBERS_SHOWN = {
    "nil": 10, "blind_nil": 10, "bag_limit": 6, "bag_penalty": 10, "moon": 11, "team_bid_min": 5, "team_bid_cap": 5,
}  # fmt: skip


def groups(rules: SpadesRules) -> tuple[Group, ...]:
    """The observation of one seat under these rules: the same words for every number of players."""
    return (
        Group("cards", "seat", _cards("played", "cards that this seat has played in this deal")),
        Group("seat", "seat", SEAT),
        Group("side", "side", SIDE),
        Group("table", "table", TABLE),
        Group("options", "table", tuple(_options(rules))),
        Group("values", "table", tuple(_number(rules, name, width) for name, width in NUMBERS_SHOWN.items())),
        Group("gave", "table", _cards("cards_given", "cards that the viewer has given to its partner")),
        Group("received", "table", _cards("cards_received", "cards that its partner has given to the viewer")),
        Group("hand", "table", _cards("own_hand", "cards that the viewer holds, unless it may still bid blind")),
    )


LEVELS = ("nil", *(f"bid {level}" for level in range(1, MAX_BID + 1)))
SEAT = (
    Piece("bid", len(LEVELS), "one_hot", "what this seat has bid; empty before its turn", LEVELS),
    Piece("blind", 1, "flags", "its bid was made without seeing the hand", ("blind",)),
    Piece("trick_rank", NUM_RANKS + 2, "one_hot", "rank of its card in the trick", (*RANKS, "LJ", "HJ")),
    Piece("trick_suit", 4, "suit", "suit of that card; jokers are spades", tuple(SUITS)),
    Piece("void", 4, "suits", "suits of which it has shown to hold none", tuple(SUITS)),
    Piece("tricks_won", MAX_CARDS_EACH, "unary", "tricks it has won in this deal"),
    Piece("role", 3, "flags", "its part in the deal", ("dealer", "leader", "winning")),
)
SIDE = (
    Piece("score", SCORE_BITS, "number", f"score of the match, held within +-{MAX_SHOWN_SCORE}"),
    Piece("bags", BAGS_LEVELS, "unary", f"bags, at most {BAGS_LEVELS}"),
    Piece("needs", NEEDS_LEVELS, "unary", f"points to the target in steps of {1 << STEP}"),
    Piece("above_floor", FLOOR_LEVELS, "unary", f"points above the floor, if there is one, in steps of {1 << STEP}"),
)
TABLE = (
    Piece("phase", len(PHASES), "one_hot", "what is being decided", PHASES),
    Piece("trump", 4, "trump", "trump, once it is settled", tuple(SUITS)),
    Piece("position", NUM_PLACES, "place", "the viewer's place after the first to call or to lead"),
    Piece("tricks_played", MAX_CARDS_EACH, "unary", "tricks finished in this deal"),
    Piece("broken", 1, "flags", "a trump has been played", ("broken",)),
    Piece("gives_left", MAX_PASS, "unary", "cards that the seat to act still has to give"),
    Piece("cards_each", MAX_CARDS_EACH, "unary", "cards dealt to each player"),
)


def _cards(name: str, meaning: str) -> tuple[Piece]:
    return (Piece(name, NUM_CARDS, "cards", meaning),)


def _options(rules: SpadesRules):
    for name in CHOICES_SHOWN:
        yield _choice(rules, name)
    for name in FLAGS_SHOWN:
        yield _flag(name, getattr(rules, name) > 0)
    yield _flag("blind_bid", rules.blind_bid != "off")
    yield _flag("trump_is_named", rules.trump == "high_bidder")
    for name, width in SMALL_NUMBERS_SHOWN.items():
        yield _number(rules, name, width)


def _flag(name: str, is_on: bool) -> Piece:
    return Piece(name, 1, "flags", "option of the rules", ("on",), int(is_on))


def _choice(rules: SpadesRules, name: str) -> Piece:
    texts = choices(SpadesRules, name)
    return Piece(name, len(texts), "one_hot", "option of the rules", texts, 1 << texts.index(getattr(rules, name)))


def _number(rules: SpadesRules, name: str, width: int) -> Piece:
    return Piece(name, width, "number", "option of the rules", (), getattr(rules, name) & ((1 << width) - 1))


@rule
def observe(s, viewer, rules, at, words):
    """Write to `words` what `viewer` may see."""
    sees_hand = 1 - (int(s.hidden) >> viewer & 1)
    partner = partner_of(viewer, rules)
    in_the_air = int(s.phase) == GIVING and int(s.turn) == partner
    has_partner = int(partner != viewer)
    words[at.hand] = (int(s.hand[viewer]) * sees_hand) << at.own_hand
    words[at.gave] = int(s.gave[viewer]) << at.cards_given
    words[at.received] = (int(s.gave[partner]) * has_partner * (1 - int(in_the_air))) << at.cards_received
    for seat in range(rules.num_players):
        place = places_after(seat, viewer, rules.num_players)
        words[at.cards + place] = int(s.played[seat]) << at.played
        words[at.seat + place] = int(s.seat_word[seat])
    show_role(words, int(s.dealer), 0, viewer, rules, at)
    show_role(words, int(s.leader), 1, viewer, rules, at)
    show_role(words, int(s.best_seat), 2, viewer, rules, at)
    own_side = side_of(viewer, rules.num_sides)
    for side in range(rules.num_sides):
        words[at.side + places_after(side, own_side, rules.num_sides)] = int(s.side_word[side])
    words[at.table] = table_word(s, viewer, rules, at)
    words[at.options] = at.options_fixed
    words[at.values] = at.values_fixed


@inlined
def show_role(words, seat, role, viewer, rules, at):
    """A part that this seat has; nobody leads or wins before the first lead."""
    someone = int(seat != NO_SEAT)
    at_seat = at.seat + places_after(seat * someone, viewer, rules.num_players)
    words[at_seat] = int(words[at_seat]) | someone << (at.role + role)


@inlined
def table_word(s, viewer, rules, at):
    phase = int(s.phase)
    trump = int(s.trump)
    first = int(s.leader) if int(s.trick_cards) != 0 else int(s.turn)
    first = first if phase == PLAYING else left_of(int(s.dealer), rules.num_players)
    position = viewer - first
    position += rules.num_players if position < 0 else 0
    word = unary(int(s.tricks_played), MAX_CARDS_EACH) << at.tricks_played | int(s.broken) << at.broken
    word = word | 1 << (at.position + position) | unary(int(s.gives_left), MAX_PASS) << at.gives_left
    word = word | unary(rules.cards_each, MAX_CARDS_EACH) << at.cards_each
    word = word | int(phase > 0) << (at.phase + max(phase, 1) - 1)
    return word | int(trump != NO_SUIT) << (at.trump + max(trump, 0))
