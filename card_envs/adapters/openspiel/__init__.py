"""OpenSpiel: every game, preset and deck as a `pyspiel` game, `card_envs_<game>`.

    from card_envs.adapters import openspiel

    game = openspiel.load_game("<game>", preset="seed", num_players=2, suits=2, ranks=3, hand_size=2)
    state = game.new_initial_state()          # a chance node: the dealer, then hands or cards

Deals are explicit chance outcomes: whole hands where a deck is so small that there are few, else cards one by one, so that
clones, serialised states and searches go on from any point. A state's information state is all that its seat has seen:
the actions as it knows them, and its view at each of its decisions. Exact methods (CFR, exploitability) need tiny decks:
options `suits`, `ranks`, `hand_size`.

Importing this module registers the games with `pyspiel.load_game`. There, `preset`, `episode`, `reward` and `dealer` are
parameters as in `load_game`, and so are the options of the game; switches are 0 or 1.
"""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass, fields
from fractions import Fraction

import numpy as np

from card_envs.adapters import require
from card_envs.adapters.openspiel.deals import HAND, MANY_HANDS, Deal, plan
from card_envs.adapters.openspiel.hidden import Position
from card_envs.cards import NUM_CARDS
from card_envs.conformance import BOUNDS
from card_envs.envs.vector import check, default_reward
from card_envs.game import MAX_SEATS, OptionError, choices, option_types
from card_envs.games import GAMES, load
from card_envs.rewards import REWARDS
from card_envs.table import Table

pyspiel = require("openspiel", "open-spiel", "pyspiel", "1.6.11", "2.1")

AS_PRESET = -1_000_000  # of an option that is a number: what the preset says
MOST_SHARES = 1000  # a win is shared in fewer parts
REDEALS = ("redeal_poor_hand",)  # what games call options that take back a deal because of its cards
DRAWN = -1  # the first dealer is a chance outcome
NAME = "card_envs_{}"


def load_game(game: str, *, preset: str = "seed", episode: str = "deal", reward: str = "", dealer: int = DRAWN, **options):
    """A `pyspiel.Game`.

    reward: "score" or "win" (default: score for deals, win for matches). dealer: the seat that deals first, or -1 where chance
    decides. Raises OptionError, naming the nearest valid name, for options that the game has not.
    """
    load(game).rules(preset, **options)
    own = {"preset": preset, "episode": episode, "reward": reward, "dealer": dealer}
    numbers = {name: int(value) if isinstance(value, bool) else value for name, value in options.items()}
    return pyspiel.load_game(NAME.format(game), own | numbers)


# --- the table behind the states -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    """What is played."""

    game: str
    rules: object
    episode: str
    reward: str
    dealer: int


@functools.lru_cache(maxsize=64)
def engine_of(setting: Setting) -> Engine:
    """One for all states of such a game."""
    return Engine(setting)


class Engine:
    """One table at which all states of a game take turns: each brings its snapshot along. It is for one thread at a time."""

    def __init__(self, setting: Setting):
        self.setting, game = setting, load(setting.game)
        kind = "open" if setting.episode == "match" else "deal"
        self.table = Table(game, setting.rules, episode=kind, reward=setting.reward)
        self.dealer = setting.dealer
        self.table.reset()
        self.start = self._at = self.table.snapshot()
        self.first_deal = self.new_deal(self.start, first=True)  # of every state, and a state is made at each clone

    def __deepcopy__(self, memo) -> Engine:
        return self

    def __reduce__(self):
        return engine_of, (self.setting,)

    def at(self, snapshot: bytes) -> Table:
        """The table as it was then."""
        if snapshot is not self._at:
            self.table.restore(snapshot)
            self._at = snapshot
        return self.table

    def changed(self) -> bytes:
        """The snapshot of the table after it was played at."""
        self._at = self.table.snapshot()
        return self._at

    def apart(self) -> Table:
        """The table, for playing at it aside from all states."""
        self._at = b""
        return self.table

    def new_deal(self, snapshot: bytes, first: bool) -> Deal:
        table = self.at(snapshot)
        drawn = first and self.dealer == DRAWN
        dealer = self.dealer if first and not drawn else int(table.record.dealer)
        return Deal(plan(table, drawn), table.rules.deck_cards, dealer, table.rules.num_players)


class CardState(pyspiel.State):
    """A position. `clone` copies all attributes, so none is large and the engine is shared."""

    def __init__(self, game):
        super().__init__(game)
        self._engine = engine_of(game.setting)
        self._before = self._snapshot = self._engine.start  # before this deal, and now
        self._deal = self._engine.first_deal
        self._deal_at = 0  # length of the history where this deal began
        self._over = False
        self._returns = self._earned = (0.0,) * game.num_players()
        self._recall = ("",) * game.num_players()  # by seat: what it has seen at its decisions and in past deals

    @property
    def table(self) -> Table:
        """The engine's table as it is in this state, until another state is asked something."""
        return self._engine.at(self._snapshot)

    @property
    def deal(self) -> Deal:
        """The deal in progress, or what is drawn of it."""
        return self._deal

    @property
    def dealt(self) -> bool:
        return self._deal.done

    @property
    def truncated(self) -> bool:
        """Is this the end of a match that was cut short? OpenSpiel itself knows one kind of end."""
        return self._over and self.table.truncated

    def current_player(self):
        if self._over:
            return pyspiel.PlayerId.TERMINAL
        return int(self.table.turn) if self._deal.done else pyspiel.PlayerId.CHANCE

    def is_terminal(self):
        return self._over

    def _legal_actions(self, player):
        return self.table.legal_actions()

    def chance_outcomes(self):
        picks = self._deal.outcomes()
        return [(pick, 1.0 / len(picks)) for pick in picks]

    def _apply_action(self, action):
        if self._deal.done:
            self._play(action)
            return
        self._deal = self._deal.after(action)
        if self._deal.done:
            self._deal.open_at(self.table)
            self._snapshot = self._engine.changed()

    def _play(self, action) -> None:
        table = self.table
        recall = list(self._recall)
        recall[table.turn] += _text(table.words(table.turn)) + ";"
        self._earned = tuple(map(_exact, table.step(action).tolist()))
        self._returns = tuple(total + new for total, new in zip(self._returns, self._earned, strict=True))
        self._over = table.ended
        goes_on = bool(table.record.deal_over) and not self._over
        if goes_on:
            recall = [seen + _text(table.tokens(seat)) + "|" for seat, seen in enumerate(recall)]
        self._recall, self._snapshot = tuple(recall), self._engine.changed()
        if goes_on:
            self._before = self._snapshot
            self._deal = self._engine.new_deal(self._snapshot, first=False)
            self._deal_at = len(self.history()) + 1  # which does not hold the action that is being applied

    def _action_to_string(self, player, action):
        if player == pyspiel.PlayerId.CHANCE:
            return self._deal.text(action)
        return self.table.action_names[action] or f"action {action}"

    def returns(self):
        return list(self._returns)

    def rewards(self):
        """Of the last action; chance outcomes since then have earned nothing."""
        return list(self._earned)

    def __str__(self):
        """The deal so far in words; `state.table.show()` draws the table."""
        if not self._deal.done:
            return f"dealing: {len(self._deal.drawn)} of {len(self._deal.draws)} drawn"
        table = self.table
        made = ", ".join(f"{seat}: {table.action_names[action]}" for seat, action in table.history())
        return f"{self._deal}; {made}"

    def known(self, player: int) -> str:
        """Everything that the seat has seen so far: its information state."""
        if not self._deal.done:
            return f"{player} {self._recall[player]}"
        table = self.table
        return f"{player} {self._recall[player]}{_text(table.tokens(player))};{_text(table.words(player))}"

    def resample_from_infostate(self, player, probability_sampler):
        """A state that this seat cannot tell from this one: what is hidden from it is dealt anew."""
        first = self._deal_at + len(self._deal.drawn)
        history = self.history()
        position = Position(self._engine.apart(), self._before, self._deal, history[first:], player)
        cards = position.redealt(random.Random(probability_sampler()))
        state = self.get_game().new_initial_state()
        for action in [*history[: self._deal_at], *self._deal.picks_for(cards.hands, cards.piles), *cards.actions]:
            state.apply_action(action)
        return state


def _exact(earned: float) -> float:
    """A share of a win as near as a float64 comes to it: the engine's float32 would not add up to zero as exactly as asked."""
    return earned if earned.is_integer() else float(Fraction(earned).limit_denominator(MOST_SHARES))


def _text(numbers: np.ndarray) -> str:
    """The bytes of int64 [N] in hexadecimal digits, without the zeros at their end."""
    return numbers.astype("<i8").tobytes().rstrip(b"\0").hex()


# --- observers -------------------------------------------------------------------------------------------------------------------


class CardObserver:
    """The view of a seat as a tensor: the observation's features, for perfect recall also all actions of the deal."""

    def __init__(self, game, iig_obs_type, params):
        if params:
            raise ValueError(f"observers of card games take no parameters, not {params}")
        whole = iig_obs_type.public_info and iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not whole:
            raise ValueError("a seat's view is not divided: ask for public information and that of a single player")
        table = engine_of(game.setting).table
        self._recall = iig_obs_type.perfect_recall
        self._seats, self._actions = game.num_players(), table.num_actions
        pieces = {"player": (self._seats,), "observation": (table.layout.width,)}
        if self._recall:
            pieces["history"] = (table.rules.max_actions, self._seats + self._actions)
        sizes = {name: int(np.prod(shape)) for name, shape in pieces.items()}
        self.tensor = np.zeros(sum(sizes.values()), np.float32)
        self.dict, start = {}, 0
        for name, shape in pieces.items():
            self.dict[name] = self.tensor[start : start + sizes[name]].reshape(shape)
            start += sizes[name]

    def set_from(self, state, player):
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if not state.dealt:
            return
        table = state.table
        self.dict["observation"][:] = table.layout.spread(table.words(player))
        if self._recall:
            tokens = table.tokens(player)
            made = np.flatnonzero(tokens)
            place, action = np.divmod(tokens[made] - 1, self._actions)
            self.dict["history"][made, place] = 1
            self.dict["history"][made, self._seats + action] = 1

    def string_from(self, state, player):
        if self._recall:
            return state.known(player)
        return f"{player} {_text(state.table.words(player)) if state.dealt else ''}"


# --- games -----------------------------------------------------------------------------------------------------------------------


OWN = {"preset": "seed", "episode": "deal", "reward": "", "dealer": DRAWN}  # parameters that are no options, and defaults


def _parameters(name: str) -> dict:
    """Every parameter of a game with its default."""
    options = load(name).options
    return OWN | {field.name: "" if choices(options, field.name) else AS_PRESET for field in fields(options)}


def _type(name: str, setting: Setting | None = None):
    """What kind of game it is: for all settings, or for one."""
    kinds = pyspiel.GameType
    zero_sum = setting is not None and (setting.reward == "win" or setting.rules.num_sides == 2)
    by_deal = setting is not None and setting.episode == "match" and setting.reward == "score"
    players = [setting.rules.num_players] * 2 if setting else [2, MAX_SEATS]
    return kinds(
        short_name=NAME.format(name),
        long_name=f"{load(name).title} of card-envs",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.REWARDS if by_deal else kinds.RewardModel.TERMINAL,
        min_num_players=players[0],
        max_num_players=players[1],
        provides_information_state_string=True,
        provides_information_state_tensor=setting is None or setting.episode == "deal",
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(name),
    )


def _info(setting: Setting):
    engine, rules = engine_of(setting), setting.rules
    deals = next((getattr(rules, name) for name in BOUNDS if hasattr(rules, name)), 1) if setting.episode == "match" else 1
    most = 1.0 if setting.reward == "win" else float(rules.worst_deal * deals)
    zero_sum = setting.reward == "win" or rules.num_sides == 2
    by_hand = setting.episode == "match" or any(draw.kind == HAND for draw in engine.first_deal.draws)
    return pyspiel.GameInfo(
        num_distinct_actions=engine.table.num_actions,
        max_chance_outcomes=max(NUM_CARDS, MANY_HANDS if by_hand else 0),
        num_players=rules.num_players,
        min_utility=-most,
        max_utility=most,
        utility_sum=0.0 if zero_sum else None,
        max_game_length=rules.max_actions * deals,
    )


class CardGame(pyspiel.Game):
    """A game of card-envs; `setting` says which, with which rules. Made by `load_game`."""

    name = ""

    def __init__(self, params=None):
        given = {key: value for key, value in (params or {}).items() if value not in ("", AS_PRESET)}
        own = {key: given.pop(key, default) for key, default in OWN.items()}
        types = option_types(load(self.name).options)
        options = {key: bool(value) if types[key] is bool else value for key, value in given.items()}
        rules = load(self.name).rules(own["preset"], **options)
        if any(getattr(rules, name, False) for name in REDEALS):
            raise OptionError(f"{' or '.join(REDEALS)}: such deals have no explicit chance outcomes")
        reward = own["reward"] or default_reward(own["episode"])
        check(episode=(own["episode"], ("match", "deal")), reward=(reward, REWARDS))
        if not DRAWN <= own["dealer"] < rules.num_players:
            raise ValueError(f"dealer={own['dealer']}: must be a seat 0..{rules.num_players - 1}, or -1 where chance decides")
        self.setting = Setting(self.name, rules, own["episode"], reward, own["dealer"])
        super().__init__(
            _type(self.name, self.setting),
            _info(self.setting),
            given | {key: value for key, value in own.items() if value != ""},
        )

    def __reduce__(self):
        return _loaded, (str(self),)

    def new_initial_state(self):
        return CardState(self)

    def make_py_observer(self, iig_obs_type=None, params=None):
        return CardObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


def _loaded(text: str):
    """A pickled game again; finding this function has registered the games."""
    return pyspiel.load_game(text)


for _name in GAMES:
    _class = f"{_name.capitalize()}Game"
    globals()[_class] = type(_class, (CardGame,), {"name": _name, "__module__": __name__})
    pyspiel.register_game(_type(_name), globals()[_class])
