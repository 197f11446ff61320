"""One table driven from Python: what the AEC environment, the game records and the terminal share.

It steps through the same kernels as a batch, with a batch of one.
"""

from __future__ import annotations

import numpy as np

from card_envs.buffers import TRUNCATED, kernel_mode, new_tables
from card_envs.cards import CARD_NAMES, NUM_CARDS, card_word, hand_text, parse_cards
from card_envs.game import Game, OptionError, nearest
from card_envs.games import load
from card_envs.loops import loops
from card_envs.scalar import NO_ROW, Context, new_arrays

NO_ACTION = -1
MAX_START = 1_000_000
MANY_CARDS = 10  # more are not listed in a message


class IllegalAction(ValueError):
    """An action that the rules do not allow now: `action` is its text, `legal` the canonical texts of the legal ones."""

    def __init__(self, action: str, legal: list[str], why: str = ""):
        self.action, self.legal = action, legal
        super().__init__(f"{action} is not legal{why}; legal: {', '.join(legal) or 'nothing, the game is over'}")


class DealError(ValueError):
    """A given deal that cannot be: the message names the card."""


class StartError(OptionError):
    """A state to start from that cannot be."""


class Table:
    """One table of a game.

    record: the table's state, fields of the game's record; rules: its options; episode: "match", "deal" or "open" (then deals are
    given one by one with `open_deal`). Nothing is dealt before `reset` or `open_deal`.
    arrays: all that the table is, for kernels of `card_envs.scalar`.
    """

    def __init__(self, game: Game, rules, *, episode="match", reward="score", illegal="raise", penalty: int = 1):
        self._settings = {"episode": episode, "reward": reward, "illegal": illegal, "penalty": penalty}
        self.game, self.rules, self.episode = game, rules, episode
        self.layout = game.layout(rules)
        self.action_names = game.action_names(rules)
        self.num_actions = len(self.action_names)
        mode = kernel_mode(**self._settings, autoreset="disabled", observation="none", skip_forced=False, keeps_history=True)
        self.arrays = new_arrays(game, rules, mode)
        self._context = Context(game, rules, self.arrays)
        self._kernels, self._handle = self._context.kernels, self._context.handle
        self._tables, self._args, self._results = self.arrays.tables, self.arrays.rule_args, self.arrays.results
        self._history = self.arrays.history
        self._openers = loops(game)
        self.record = self._tables.view(np.recarray)[0]
        # What is often read, as memory that is looked at directly: reading `record` costs fifty times as much.
        self._turn, self._phase, self._deal_over, self._ended = (
            memoryview(self._tables[name]) for name in ("turn", "phase", "deal_over", "ended")
        )
        self._legal_bytes = self._tables["legal"][0].view(np.uint8)
        self._earned = self._results["rewards"][0, : rules.num_players]

    # --- starting -------------------------------------------------------------------------------------------------------------

    def seed(self, seed: int, table: int = 0) -> None:
        """From now on deal from the streams of table `table` under `seed`, from the first deal on."""
        self._kernels.reseed(self._handle, seed, table)

    def reset(self, start: dict | None = None) -> None:
        """A new match, from `start` if given; its first deal is the next of this table's stream (episode "open": no deal yet).

        start: values by the names of the game's `start_fields`; raises StartError where they cannot be.
        """
        self._openers.open_match(self._tables, self._args)
        if start:
            self._set_start(start)
        if self.episode != "open":
            self.deal()

    def _set_start(self, start: dict) -> None:
        """Put the values of a start in place."""
        fields, seats = self.game.start_fields, self.rules.num_sides
        for key, value in start.items():
            if key not in fields:
                raise StartError(f"unknown key of 'start' {key!r}{nearest(str(key), fields)}; there are {', '.join(fields)}")
            field, lowest = self._tables[fields[key]][0], self.game.start_lowest.get(key, -MAX_START)
            by_side, given = bool(np.ndim(field)), value if isinstance(value, list) else [value]
            kinds = (bool,) if field.dtype == np.bool_ else (int,)
            if by_side != isinstance(value, list) or (by_side and len(value) != seats) or any(
                type(entry) not in kinds or not lowest <= entry <= MAX_START for entry in given
            ):  # fmt: skip
                what = "true or false" if bool in kinds else f"whole numbers from {lowest} up to {MAX_START}"
                raise StartError(f"start: {key!r} must be {f'a list of {seats} ' if by_side else ''}{what}, not {value!r}")
            if by_side:
                field[:seats] = value
            else:
                self._tables[fields[key]][0] = value
        needed = sum(self.hand_sizes()) + sum(self.deal_cards().values())
        if needed > self.rules.deck_cards.bit_count():
            raise StartError(f"start: {needed} cards would be dealt, the deck has {self.rules.deck_cards.bit_count()}")

    def deal(self) -> None:
        """Deal the next deal of this table's stream."""
        self._openers.deal_next(self._tables, self._args)

    def hand_sizes(self) -> list[int]:
        """How many cards each seat is dealt next."""
        return self.game.hand_sizes(self.record, self.rules)

    def deal_cards(self) -> dict[str, int]:
        """What a deal has beside the hands, and how many cards each is."""
        return self.game.deal_cards(self.rules)

    def is_pile(self, name: str) -> bool:
        """Is that key of a deal a list of cards, face down, and not one card?"""
        return bool(self._tables.dtype[name].shape)

    def read_deal(self, deal: dict) -> dict:
        """Keywords of `open_deal` from a deal as records write it, with cards as texts or ids.

        Raises DealError naming what is wrong.
        """
        hands = deal.get("hands")
        if not isinstance(hands, (list, tuple)):
            raise DealError(f"'hands' is a list with a text of cards for each seat, not {hands!r}")
        read = {
            "dealer": deal.get("dealer"),
            "hands": [_cards(f"hand of seat {seat}", hand) for seat, hand in enumerate(hands)],
        }
        for name in self.deal_cards():
            given = deal.get(name)
            if given is None:
                like = "cards such as 'AS KD 7C'" if self.is_pile(name) else "a card such as 'AS'"
                raise DealError(f"a deal with 'hands' needs {name!r}, {like}")
            cards = _cards(repr(name), given if isinstance(given, str) or self.is_pile(name) else [given])
            if not self.is_pile(name) and len(cards) != 1:
                raise DealError(f"{name!r} is a card such as 'AS', not {given!r}")
            read[name] = cards if self.is_pile(name) else cards[0]
        return read

    def open_deal(self, hands, dealer: int, **others) -> None:
        """Open a deal with given hands (card ids by seat) and dealer; raises DealError naming a card that is wrong.

        others: what the game deals beside the hands (`deal_cards`): a card id, or a list of them in the order of drawing.
        """
        self.check_deal(hands, dealer, **others)
        for seat, hand in enumerate(hands):
            self.record.hand[seat] = card_word(hand)
        for name, cards in others.items():
            if self.is_pile(name):
                self.record[name][: len(cards)] = cards
            else:
                self.record[name] = cards
        self.record.dealer = dealer
        self._openers.open_given(self._tables, self._args)

    def check_deal(self, hands, dealer: int, **others) -> None:
        """Refuse a deal that cannot be under these rules."""
        if type(dealer) is not int or not 0 <= dealer < self.rules.num_players:
            raise DealError(f"dealer {dealer!r} is no seat: seats are 0..{self.rules.num_players - 1}")
        if len(hands) != self.rules.num_players:
            raise DealError(f"{len(hands)} hands for {self.rules.num_players} players")
        if set(others) != set(self.deal_cards()):
            wanted = ", ".join(["dealer", "hands", *self.deal_cards()])
            raise DealError(f"a deal has {wanted}, not {', '.join(['dealer', 'hands', *others])}")
        piles = {name: cards if self.is_pile(name) else [cards] for name, cards in others.items()}
        seen = {}
        lying = [*((f"seat {seat}", hand) for seat, hand in enumerate(hands)), *piles.items()]
        for place, cards in lying:
            for card in cards:
                if not self.rules.deck_cards >> card & 1:
                    raise DealError(f"{CARD_NAMES[card]} ({place}) is not in this deck")
                if card in seen:
                    raise DealError(f"{CARD_NAMES[card]} is dealt twice: to {seen[card]} and to {place}")
                seen[card] = place
        for seat, (hand, size) in enumerate(zip(hands, self.hand_sizes(), strict=True)):
            if len(hand) != size:
                short = "a card is missing" if len(hand) < size else "a card too many"
                names = " ".join(CARD_NAMES[card] for card in hand)
                raise DealError(f"seat {seat} has {len(hand)} cards, not {size} ({short}): {names}")
        for name, size in self.deal_cards().items():
            if len(piles[name]) != size:
                left = self.rules.deck_cards & ~card_word(seen)
                lacks = f"; not dealt: {hand_text(left)}" if left.bit_count() <= MANY_CARDS and left else ""
                raise DealError(f"{name!r} has {len(piles[name])} cards, not {size}{lacks}")

    # --- asking ---------------------------------------------------------------------------------------------------------------

    @property
    def started(self) -> bool:
        return bool(self._phase[0] or self._deal_over[0])

    @property
    def ended(self) -> bool:
        """Is the episode over?"""
        return bool(self._ended[0])

    @property
    def truncated(self) -> bool:
        """Was the episode cut short by the bound on its deals?"""
        return self._ended[0] == TRUNCATED

    @property
    def turn(self) -> int:
        """Seat to act."""
        return self._turn[0]

    def legal_actions(self) -> list[int]:
        """Ids of the legal actions of the seat to act, lowest first."""
        return np.flatnonzero(self.mask()).tolist()

    def legal_names(self) -> list[str]:
        """Their canonical texts, sorted."""
        return sorted(self.action_names[action] for action in self.legal_actions())

    def mask(self) -> np.ndarray:
        """int8 [num_actions]: 1 where legal for the seat to act."""
        return np.unpackbits(self._legal_bytes, count=self.num_actions, bitorder="little").view(np.int8)

    def legal_words(self) -> np.ndarray:
        """The mask as bit words, int64 [W]."""
        return self._tables["legal"][0].copy()

    def words(self, viewer: int) -> np.ndarray:
        """int64 [K]: what `viewer` may see, in bits. Raises ValueError where it is no seat."""
        if not 0 <= viewer < self.rules.num_players:
            raise ValueError(f"viewer={viewer!r}: seats are 0..{self.rules.num_players - 1}")
        self._kernels.look(self._handle, viewer, NO_ROW)
        return self.arrays.words[0].copy()

    def scores(self) -> list[int]:
        """By side."""
        return self._tables["score"][0, : self.rules.num_sides].tolist()

    def winners(self) -> list[int]:
        """Sides that have won the match; empty while it goes on."""
        return [side for side in range(self.rules.num_sides) if self._tables["winners"][0] >> side & 1]

    def history(self) -> list[tuple[int, int]]:
        """(seat, action) of every action of the deal in progress, in order, private ones too."""
        return [(move >> 8, move & 255) for move in self._history[0, : self._tables["moves"][0]].tolist()]

    def tokens(self, viewer: int) -> np.ndarray:
        """int64 [L]: the history as `viewer` knows it, in the tokens of `VecEnv.history`."""
        return history_tokens(self.game, self.rules, self._tables, self._history, np.array([viewer]))[0]

    def show(self, viewer: int | None = None) -> str:
        """The table as text; with `viewer`, as that seat sees it."""
        return self.game.show(self.record, self.rules, viewer)

    # --- playing --------------------------------------------------------------------------------------------------------------

    def step(self, action: int) -> np.ndarray:
        """Play an action; returns what it earned each seat, float32 [P]. Raises IllegalAction and changes nothing."""
        if self._kernels.play(self._handle, action if 0 <= action < self.num_actions else NO_ACTION, 0) < 0:
            raise self.refusal(action)
        return self._earned.copy()

    def earned(self) -> list[float]:
        """What the last step earned each seat."""
        return self._earned.tolist()

    def refusal(self, action: int) -> IllegalAction:
        """The error that says why that action was refused."""
        if self._ended[0]:
            return IllegalAction(self._named(action), [])
        return IllegalAction(self._named(action), self.legal_names(), f" for seat {self.turn}")

    def _named(self, action: int) -> str:
        inside = 0 <= action < self.num_actions
        name = self.action_names[action] if inside else None
        return f"{name} (action {action})" if name else f"action {action}"

    @property
    def illegal_count(self) -> int:
        """Illegal actions that were replaced or penalised so far."""
        return int(self._results["illegal"][0])

    # --- keeping --------------------------------------------------------------------------------------------------------------

    def state(self) -> dict:
        """Everything that later play depends on, as plain JSON."""
        return {name: np.asarray(self._tables[name][0]).tolist() for name in self.game.state_fields} | {
            "history": self._history[0].tolist(),
            "illegal_count": self.illegal_count,
        }

    def set_state(self, state: dict) -> None:
        """Go on from a `state`; raises ValueError, changing nothing, when it is not one of this game."""
        names = {*self.game.state_fields, "history", "illegal_count"}
        if set(state) != names:
            wrong = sorted(set(state) ^ names)
            raise ValueError(f"not a state of {self.game.name}: fields {', '.join(wrong)} are missing or unknown")
        fresh, history = new_tables(self.game, self.rules, 1), np.zeros_like(self._history)
        try:
            for name in self.game.state_fields:
                fresh[name][0] = state[name]
            history[0] = state["history"]
        except (OverflowError, TypeError, ValueError) as error:
            raise ValueError(f"not a state of {self.game.name} under these rules: {error}") from None
        limits = {"turn": self.rules.num_players - 1, "dealer": self.rules.num_players - 1, "moves": self.rules.max_actions}
        for name, highest in limits.items():
            if not 0 <= (value := int(fresh[name][0])) <= highest:
                raise ValueError(f"not a state of {self.game.name} under these rules: {name}={value} must lie in 0..{highest}")
        self._tables[:], self._history[:] = fresh, history
        self._results["illegal"][0] = state["illegal_count"]

    def snapshot(self) -> bytes:
        """The table as it is, for `restore` of any table of the same game and rules; the count of illegal actions stays behind."""
        return self._tables.tobytes() + self._history.tobytes()

    def restore(self, snapshot: bytes) -> None:
        """Go on from a snapshot."""
        size = self._tables.nbytes
        self._tables[:] = np.frombuffer(snapshot[:size], self._tables.dtype)
        self._history[0] = np.frombuffer(snapshot[size:], np.int16)

    def __getstate__(self) -> dict:
        """Copies and pickles hold the state; the kernels are found again where they are loaded."""
        return {"game": self.game.name, "rules": self.rules, "settings": self._settings, "tables": self._tables.tobytes(),
                "history": self._history.tobytes(), "illegal_count": self.illegal_count}  # fmt: skip

    def __setstate__(self, kept: dict) -> None:
        self.__init__(load(kept["game"]), kept["rules"], **kept["settings"])
        self._tables[:] = np.frombuffer(kept["tables"], self._tables.dtype)
        self._history[0] = np.frombuffer(kept["history"], np.int16)
        self._results["illegal"][0] = kept["illegal_count"]


def _cards(what: str, given) -> list[int]:
    """Card ids of a text such as `AS KS 7S`, or of a list of them."""
    if isinstance(given, str):
        try:
            return parse_cards(given)
        except ValueError as error:
            raise DealError(f"{what}: {error}") from None
    ids = list(given) if isinstance(given, (list, tuple, np.ndarray)) else [None]
    if all(isinstance(card, (int, np.integer)) and type(card) is not bool and 0 <= card < NUM_CARDS for card in ids):
        return [int(card) for card in ids]
    raise DealError(f"{what}: a text such as 'AS KS 7S' or a list of card ids 0..{NUM_CARDS - 1}, not {given!r}")


def history_tokens(game: Game, rules, tables: np.ndarray, history: np.ndarray, viewers: np.ndarray) -> np.ndarray:
    """int64 [B, L]: this deal's actions at every table as its viewer [B] knows them.

    Token = 1 + place * num_actions + action, places counted from the viewer; 0 fills up. The first of the game's private
    actions stands for any of them that another seat made.
    """
    moves = history[:, : rules.max_actions].astype(np.int64)
    place = ((moves >> 8) - viewers[:, None]) % rules.num_players
    action = moves & 255
    unseen = (place > 0) & (action >= game.private.start) & (action < game.private.stop)
    tokens = 1 + place * len(game.action_names(rules)) + np.where(unseen, game.private.start, action)
    return np.where(np.arange(moves.shape[1]) < tables["moves"][:, None], tokens, 0)
