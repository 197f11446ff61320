"""A match in the terminal: agents play, people may sit down with them, and it is written down as it goes.

Letters only, no symbols or boxes: it reads the same in any encoding and with a screen reader.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from card_envs.agents import Views
from card_envs.record import Recorder, SeedDealer, reason, trick
from card_envs.table import Table

HELP = """Type what you want to do as it is listed: a card such as AS or 10H, or a call such as pass; case does not matter.
  table   show the table again
  last    show the last trick
  help    this text
  quit    leave the game (so do end of input and Ctrl-C)"""

HIDDEN = "(unseen)"  # what a private action of another seat is called


class Left(Exception):
    """The person at the table has left."""


class Match:
    """One match (or one deal), dealt from a seed; `players` choose for their seats: (match) -> action.

    say: where lines go. viewer: the seat through whose eyes the table is shown, None for all hands open.
    """

    def __init__(
        self, game, rules, seed: int, players: list[Callable], say: Callable[[str], None], *,
        viewer: int | None = None, whole: bool = True, pace: float = 0.0, **extra,
    ):  # fmt: skip
        self.table = Table(game, rules, episode="open")
        self.table.reset()
        self._dealer = SeedDealer(game, rules, seed)
        self.table.record.dealer = self._dealer.first
        self.recorder = Recorder(self.table, seed=seed, **extra)
        self.players, self.say, self.viewer, self.whole, self.pace = players, say, viewer, whole, pace
        self.last_trick = "no trick has been finished in this deal"

    def play(self) -> dict:
        """Play to the end of the match, or of the first deal; returns the record."""
        state = self.table.record
        while True:
            self.table.open_deal(self._dealer.hands(), int(state.dealer))
            self.say(f"\nseat {int(state.dealer)} deals\n{self.table.show(self.viewer)}")
            self.last_trick = "no trick has been finished in this deal"
            while not state.deal_over:
                self._act(self.players[self.table.turn](self))
            self.say(self.table.show(self.viewer))
            self.say(f"scores: {' : '.join(map(str, self.table.scores()))}")
            if not self.whole or state.match_over or state.truncated:
                return self.recorder.record()

    def _act(self, action: int) -> None:
        table, seat, cards = self.table, self.table.turn, trick(self.table)
        tricks = table.record.tricks_won.tolist()
        self.recorder.note(action)
        table.step(action)
        name = table.action_names[action]
        unseen = action in table.game.private and self.viewer not in (None, seat)
        self.say(f"seat {seat}: {HIDDEN if unseen else name}")
        for winner, before in enumerate(tricks):
            if table.record.tricks_won[winner] > before:
                self.last_trick = f"{' '.join([*cards, name])}, taken by seat {winner}"
                self.say(f"    trick: {self.last_trick}")
        time.sleep(self.pace)


def seated(agent) -> Callable:
    """A player that asks an agent, which sees its own seat's view and nothing else."""

    def choose(match: Match) -> int:
        table = match.table
        return int(agent.act(Views(table.words(table.turn), table.record.legal.copy())))

    return choose


def person(ask: Callable[[str], str]) -> Callable:
    """A player that asks a person until the answer is legal. ask: (prompt) -> line; EOFError and Ctrl-C leave the game."""

    def choose(match: Match) -> int:
        table = match.table
        match.say(table.show(match.viewer))
        while True:
            match.say(f"legal: {', '.join(table.legal_names())}")
            try:
                answer = ask(f"seat {table.turn}> ").strip()
            except (EOFError, KeyboardInterrupt):
                raise Left from None
            word = answer.lower()
            if word in ("quit", "q", "exit"):
                raise Left
            if word in ("", "help", "h", "?"):
                match.say(HELP)
            elif word == "table":
                match.say(table.show(match.viewer))
            elif word == "last":
                match.say(match.last_trick)
            elif (action := understood(match, answer)) is not None:
                return action

    return choose


def understood(match: Match, answer: str) -> int | None:
    """The legal action that was typed; None, after saying why, for anything else."""
    table = match.table
    try:
        action = table.game.parse_action(answer, table.rules)
    except ValueError as error:
        match.say(f"{error}; or help, table, last, quit")
        return None
    if action not in table.legal_actions():
        match.say(f"{table.action_names[action]} is not legal now{reason(table, action)}")
        return None
    return action
