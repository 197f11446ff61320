"""A table of Pitch as text and as the public fields of a game record."""

from __future__ import annotations

from card_envs.cards import CARD_NAMES, NO_CARD, NO_SUIT, SUITS, hand_text
from card_envs.games.pitch.rules import PitchRules
from card_envs.games.pitch.table import BIDDING, NAMING, NO_CALL, NO_SEAT

PHASES = {0: "between deals", BIDDING: "bidding", NAMING: "naming trump"}
POINTS = ("High", "Low", "Jack", "Game")


def bid_text(level: int, rules: PitchRules) -> str:
    return "pass" if level == 0 else "moon" if level == rules.moon_level else str(level)


def public(s, rules: PitchRules) -> dict:
    """`trump`, `bidder`, `bid`: null until they are settled, the finished deal's after a deal."""
    settled = int(s.pitcher) != NO_SEAT
    bid = int(s.bid)
    return {
        "trump": SUITS[int(s.trump)] if int(s.trump) != NO_SUIT else None,
        "bidder": int(s.bidder) if settled and bid else None,
        "bid": ("moon" if bid == rules.moon_level else bid) if settled and bid else None,
    }


def show(s, rules: PitchRules, viewer: int | None = None) -> str:
    """The table as text; with `viewer` the other hands are hidden."""
    trump = SUITS[int(s.trump)] if int(s.trump) != NO_SUIT else "-"
    scores = " : ".join(str(int(s.score[side])) for side in range(rules.num_sides))
    phase = PHASES.get(int(s.phase), f"trick {int(s.tricks_played) + 1}")
    lines = [f"Pitch, deal {int(s.match_deals) + (not s.deal_over)}, {phase}; score {scores}; trump {trump}{_contract(s, rules)}"]
    for seat in range(rules.num_players):
        hidden = viewer is not None and seat != viewer
        hand = f"({bin(int(s.hand[seat])).count('1')} cards)" if hidden else hand_text(int(s.hand[seat])) or "-"
        call = int(s.call[seat])
        marks = f"called {bid_text(call, rules)}" if call != NO_CALL else ""
        card = int(s.trick[seat])
        if card != NO_CARD:
            marks += f", played {CARD_NAMES[card]}" + (" (winning)" if seat == int(s.best_seat) else "")
        if s.tricks_won[seat]:
            marks += f", tricks {int(s.tricks_won[seat])}"
        to_act = "*" if not s.deal_over and seat == int(s.turn) else " "
        dealer = "D" if seat == int(s.dealer) else " "
        lines.append(f"{to_act}{dealer} seat {seat}: {hand:<18} {marks.strip(', ')}".rstrip())
    if s.deal_over:
        lines.append(_outcome(s, rules))
    return "\n".join(lines)


def _contract(s, rules: PitchRules) -> str:
    if int(s.bid) == 0:
        return ""
    return f"; bid {bid_text(int(s.bid), rules)} by seat {int(s.bidder)}"


def _outcome(s, rules: PitchRules) -> str:
    """Who won which point and what the deal changed."""
    won = [f"{name} to side {int(side)}" for name, side in zip(POINTS, s.point_side, strict=True) if side >= 0]
    change = " : ".join(f"{int(s.change[side]):+d}" for side in range(rules.num_sides))
    winners = [str(side) for side in range(rules.num_sides) if int(s.winners) >> side & 1]
    end = f"; match {'cut' if s.truncated else 'won'}: side {' and '.join(winners)}" if winners else ""
    return f"deal over: {', '.join(won) or 'no points'}; change {change}{end}"
