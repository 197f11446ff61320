"""The whole tree of a tiny game as a game of OpenSpiel's own C++, which exact methods walk some hundred times faster."""

from __future__ import annotations

from card_envs.adapters.openspiel import pyspiel

MANY_NODES = 1_000_000


def as_efg(game):
    """The same game as an extensive-form game (`efg_game`): same players, actions by place among the legal ones, returns.

    Raises ValueError at a tree of more than a million nodes, before it fills the memory.
    """
    lines = [f'EFG 2 R "{game}" {{ {" ".join(f"{chr(34)}player_{seat}{chr(34)}" for seat in range(game.num_players()))} }}']
    known: list[dict[str, int]] = [{} for _ in range(game.num_players())]  # information states by their numbers

    def write(state) -> None:
        number = len(lines)
        if number > MANY_NODES:
            raise ValueError(f"{game} has more than {MANY_NODES} nodes: make the deck or the hands smaller")
        if state.is_terminal():
            lines.append(f't "" {number} "" {{ {" ".join(map(repr, state.returns()))} }}')
            return
        actions = state.legal_actions()
        names = [f'"{state.action_to_string(action)}"' for action in actions]
        if state.is_chance_node():
            odds = " ".join(f"{name} {chance:.16f}" for name, (_, chance) in zip(names, state.chance_outcomes(), strict=True))
            lines.append(f'c "" {number} "" {{ {odds} }} 0')
        else:
            player = state.current_player()
            seen = known[player].setdefault(state.information_state_string(), len(known[player]) + 1)
            lines.append(f'p "" {player + 1} {seen} "" {{ {" ".join(names)} }} 0')
        for action in actions:
            write(state.child(action))

    write(game.new_initial_state())
    return pyspiel.load_efg_game("\n".join(lines) + "\n")
