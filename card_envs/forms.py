"""One form of what a seat sees and may do for several sets of rules of a game: for one network at all of their tables.

* `pad_seats`: the observation has places for that many seats, and as many sides, whatever the number that plays. Places
  without a player are zeros, and the pieces `seats_taken` and `sides_taken` say which are taken. Rules that differ in nothing
  but the number of players, their sides and what follows from these then have the same layout; options that the observation
  shows, or that set how many bits a piece has (hand size, highest bid), must be the same.
* `relabel_trump`: once trump is fixed, suits are renamed so that trump is S and the other suit of its colour C (the second
  jack of a colour stays what it is); the other two are D and H in their order. Before, nothing is renamed. What a network
  learns about one trump then holds for all four, as far as the rules treat suits alike.

A form works on what the seat is shown in any case: it cannot tell more. Rules and bots know nothing of it.
"""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np

from card_envs.cards import NUM_CARDS, NUM_RANKS, NUM_SUITS, SUIT_CARDS, count, lowest
from card_envs.game import MAX_LEGAL_WORDS, MAX_SEATS, Game, OptionError
from card_envs.kernels import compiled, inlined
from card_envs.layout import WORD_BITS, Group, Layout, Piece, spread

NO_TRUMP = NUM_SUITS  # the row of the tables below in which nothing is renamed
BITS_A_SUIT = {"cards": NUM_RANKS, "suit": 1, "suits": 1, "trump": 1}  # of the pieces in which suits are renamed


def new_names(trump: int) -> list[int]:
    """What each suit is called when this one is trump."""
    if trump == NO_TRUMP:
        return list(range(NUM_SUITS))
    same_colour = NUM_SUITS - 1 - trump
    others = [suit for suit in range(NUM_SUITS) if suit not in (trump, same_colour)]
    order = [same_colour, *others, trump]
    return [order.index(suit) for suit in range(NUM_SUITS)]


NEW_SUITS = np.array([new_names(trump) for trump in range(NUM_SUITS + 1)])  # int64 [trump, suit]


def shared_form(game: Game, rules, pad_seats: int = 0, relabel_trump: bool = False) -> SharedForm | None:
    """The form that these settings ask for; None where they ask for nothing."""
    if type(pad_seats) is not int or (pad_seats and not rules.num_players <= pad_seats <= MAX_SEATS):
        raise OptionError(f"pad_seats={pad_seats!r}: must be 0, or from the {rules.num_players} players up to {MAX_SEATS}")
    if type(relabel_trump) is not bool:
        raise OptionError(f"relabel_trump={relabel_trump!r}: must be bool, not {type(relabel_trump).__name__}")
    return SharedForm(game, rules, pad_seats, relabel_trump) if pad_seats or relabel_trump else None


class SharedForm:
    """Turns observations, legal actions and actions of one set of rules into the form of `settings`, and actions back.

    layout: that of the form's words. `trumps` is 0..3, or NO_TRUMP while nothing is renamed, a number for each row.
    """

    def __init__(self, game: Game, rules, pad_seats: int, relabel_trump: bool):
        self.settings = {"pad_seats": pad_seats, "relabel_trump": relabel_trump}
        self._plain = game.layout(rules)
        self.layout = Layout(padded(game.groups(rules), pad_seats), pad_seats, pad_seats) if pad_seats else self._plain
        self._parts, self._blank = self._places(rules)
        self._trump = self._place_of_trump() if relabel_trump else np.zeros(0, np.int64)
        self._renamed = renamed_actions(game.private.start if len(game.private) == NUM_CARDS else None)
        self._given = np.argsort(self._renamed, axis=1)

    def _places(self, rules) -> tuple[np.ndarray, np.ndarray]:
        """Where each part of the words comes from and goes to, int64 [N, 6]; and the words of an empty observation."""
        parts, last = [], None
        for group in self._plain.groups:
            for member in range(self._plain.counts[group.name]):
                words = [layout.offsets[group.name] + member for layout in (self._plain, self.layout)]
                for piece in group.pieces:
                    start, place = (layout.offsets[piece.name] for layout in (self._plain, self.layout))
                    block = BITS_A_SUIT.get(piece.kind, 0) if self.settings["relabel_trump"] else 0
                    kind = (*words, place - start, block)
                    if kind == last and not block:  # lies beside the part before it in both: they move as one
                        parts[-1][2] |= ((1 << piece.width) - 1) << (start - parts[-1][1])
                    else:
                        parts.append([words[0], start, (1 << piece.width) - 1, words[1], place, block])
                    last = kind
        blank = np.zeros(self.layout.num_words, np.int64)
        if self.settings["pad_seats"]:
            at = self.layout.offsets
            taken = {"seats_taken": rules.num_players, "sides_taken": rules.num_sides}
            blank[at["places"]] = sum(((1 << number) - 1) << at[name] for name, number in taken.items())
        return np.array(parts, np.int64), blank

    def _place_of_trump(self) -> np.ndarray:
        """Word and shift of the piece that says what is trump."""
        at = self._plain.offsets
        (found,) = (
            (at[group.name], at[piece.name]) for group in self._plain.groups for piece in group.pieces if piece.kind == "trump"
        )
        return np.array(found, np.int64)

    def words(self, words: np.ndarray, out: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """(words int64 [B, K'], trumps int64 [B]) of plain words int64 [B, K]; written to `out` where given."""
        words = np.ascontiguousarray(words, np.int64)
        out = np.empty((len(words), self.layout.num_words), np.int64) if out is None else out
        trumps = np.empty(len(words), np.int64)
        _kernel(form_words)(words, self._parts, self._blank, self._trump, NEW_SUITS, out, trumps)
        return out, trumps

    def legal(self, legal: np.ndarray, trumps: np.ndarray, mask: np.ndarray | None = None) -> np.ndarray:
        """int64 [B, W]: the legal actions by their new names; as int8 [B, A] too where `mask` is given to write to."""
        legal = np.ascontiguousarray(legal, np.int64)
        out = np.empty_like(legal)
        mask = np.empty((len(legal), 0), np.int8) if mask is None else mask
        _kernel(form_legal)(legal, trumps, self._renamed, out, mask)
        return out

    def renamed(self, actions, trumps):
        """The new names of actions (a number or an array, as trumps)."""
        return _looked_up(self._renamed, actions, trumps)

    def given(self, actions, trumps):
        """The actions that are meant by new names; what is no action stays what it is."""
        return _looked_up(self._given, actions, trumps)

    def tokens(self, tokens: np.ndarray, trumps: np.ndarray, num_actions: int) -> np.ndarray:
        """A history in tokens of `Table.tokens`, int64 [B, L], with all cards in it by their new names."""
        place, action = np.divmod(tokens - 1, num_actions)
        new = 1 + place * num_actions + self.renamed(action, trumps[:, None])
        hidden = (place > 0) & (action >= NUM_CARDS)  # another seat's action about a card stands for any such
        return np.where((tokens == 0) | hidden, tokens, new)


def padded(groups: tuple[Group, ...], seats: int) -> tuple[Group, ...]:
    """The groups of an observation with places for so many seats, and a group that says how many are taken."""
    places = Group(
        "places",
        "table",
        (
            Piece("seats_taken", seats, "unary", "players: those of the places for seats that are taken"),
            Piece("sides_taken", seats, "unary", "sides: those of the places for sides that are taken"),
        ),
    )
    return places, *(replace(group, pieces=tuple(_wide(piece, seats) for piece in group.pieces)) for group in groups)


def _wide(piece: Piece, seats: int) -> Piece:
    return replace(piece, width=seats) if piece.kind == "place" else piece


def renamed_actions(private: int | None) -> np.ndarray:
    """int64 [trump, action]: the action by its new name; `private` is the first of those about a card that nobody else sees."""
    actions = np.tile(np.arange(WORD_BITS * MAX_LEGAL_WORDS), (NUM_SUITS + 1, 1))
    natural = np.arange(NUM_SUITS * NUM_RANKS)
    suit, rank = np.divmod(natural, NUM_RANKS)
    for first in (0,) if private is None else (0, private):
        actions[:, first + natural] = first + NEW_SUITS[:, suit] * NUM_RANKS + rank
    return actions


def _looked_up(table: np.ndarray, actions, trumps):
    """The entries of table [trump, action]; numbers beyond it stay as they are."""
    inside = (np.asarray(actions) >= 0) & (np.asarray(actions) < table.shape[1])
    return np.where(inside, table[trumps, np.where(inside, actions, 0)], actions)


# --- kernels -----------------------------------------------------------------------------------------------------------------


@inlined
def suits_renamed(bits, width, names, trump):
    """The suits of a word, `width` bits each, in the places of their new names; what lies above them (jokers) stays."""
    one = SUIT_CARDS if width == NUM_RANKS else 1
    found = bits >> (NUM_SUITS * width) << (NUM_SUITS * width)
    for suit in range(NUM_SUITS):
        found = found | (bits >> (width * suit) & one) << (width * int(names[trump, suit]))
    return found


def form_words(words, parts, blank, trump_place, names, out, trumps):
    """Every row's words, part by part: (word, shift, bits) of the plain one, (word, shift) of ours, bits a suit or 0."""
    for i in range(len(words)):
        trump = NO_TRUMP
        if len(trump_place) > 0:
            shown = int(words[i, trump_place[0]]) >> int(trump_place[1]) & ((1 << NUM_SUITS) - 1)
            trump = lowest(shown | 1 << NO_TRUMP)
        trumps[i] = trump
        for k in range(len(blank)):
            out[i, k] = blank[k]
        for j in range(len(parts)):
            bits = int(words[i, parts[j, 0]]) >> int(parts[j, 1]) & int(parts[j, 2])
            width, place = int(parts[j, 5]), int(parts[j, 3])
            if width > 0 and trump != NO_TRUMP:
                bits = suits_renamed(bits, width, names, trump)
            out[i, place] = int(out[i, place]) | bits << int(parts[j, 4])


def form_legal(legal, trumps, renamed, out, mask):
    """Every row's legal actions by their new names, as words and as bytes."""
    for i in range(len(legal)):
        trump = int(trumps[i])
        for k in range(legal.shape[1]):
            out[i, k] = legal[i, k] if trump == NO_TRUMP else 0
        if trump != NO_TRUMP:
            for k in range(legal.shape[1]):
                left = int(legal[i, k])
                for _ in range(count(left)):
                    action = int(renamed[trump, WORD_BITS * k + lowest(left)])
                    left = left & (left - 1)
                    out[i, action >> 6] = int(out[i, action >> 6]) | one_bit(action & 63)
        for k in range(mask.shape[1] >> 6):
            spread(int(out[i, k]), mask, i, WORD_BITS * k)


@inlined
def one_bit(place):
    """That bit of a word alone; the top one is the sign."""
    return -(1 << 62) * 2 if place == WORD_BITS - 1 else 1 << place


@functools.cache
def _kernel(function):
    return compiled(function, "forms")
