"""A table of Pit as text and as the public fields of a game record."""

from __future__ import annotations

from card_envs.cards import CARD_NAMES, NO_CARD, NUM_CARDS, SUITS, hand_text, suit_of
from card_envs.games.pit.rules import ALONE, BID, BID_ALONE, LEVEL_BID, PASS, PASSED, PitRules
from card_envs.games.pit.scoring import NO_SEAT
from card_envs.games.pit.table import BIDDING

SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
LEVELS = {action: level for calls in (BID, BID_ALONE) for level, action in calls.items()}


def public(s, rules: PitRules) -> dict:
    """`contractor`, `alone`: null until they are settled, after a round the finished round's; an endless pit has no `bank`."""
    seats = range(rules.num_players)
    settled = int(s.contractor) != NO_SEAT
    endless = rules.pit_bank == "unlimited" and rules.hand_model != "grow"
    return {
        "burdens": [int(s.score[seat]) for seat in seats],
        "points": [int(s.points[seat]) for seat in seats],
        "bank": None if endless else int(s.bank),
        "contractor": int(s.contractor) if settled else None,
        "alone": bool(s.bid_alone) if settled else None,
        "forced": bool(s.forced),
        "upcard": CARD_NAMES[int(s.upcard)],
    }


def show(s, rules: PitRules, viewer: int | None = None) -> str:
    """The table as text; with `viewer` the other hands are hidden."""
    deal = int(s.match_deals) + (not s.deal_over)
    lines = [f"Pit, round {deal}, {_phase(s)}; {_pit(s, rules)}; trump {SUITS[int(s.trump)]}{_contract(s)}"]
    for seat in range(rules.num_players):
        held = int(s.hand[seat])
        hidden = viewer is not None and seat != viewer
        hand = f"({bin(held).count('1')} cards)" if hidden else hand_text(held) or "-"
        to_act = "*" if not s.deal_over and seat == int(s.turn) else " "
        dealer = "D" if seat == int(s.dealer) else " "
        tally = f"burden {int(s.score[seat]):>2}, points {int(s.points[seat]):>2}"
        lines.append(f"{to_act}{dealer} seat {seat}: {hand:<20}  {tally}{_marks(s, seat)}".rstrip())
    if s.deal_over:
        lines.append(_outcome(s, rules))
    return "\n".join(lines)


def _phase(s) -> str:
    if s.deal_over:
        return "between rounds"
    if int(s.phase) == BIDDING:
        return "bidding, an opening is forced" if s.forced else "bidding"
    return f"trick {int(s.tricks_played) + 1}"


def _pit(s, rules: PitRules) -> str:
    bank = public(s, rules)["bank"]
    return f"upcard {CARD_NAMES[int(s.upcard)]}, pit {'without end' if bank is None else bank}"


def _contract(s) -> str:
    if int(s.bid) == 0:
        return ""
    return f"; bid {int(s.bid)}{' alone' if s.bid_alone else ''} by seat {int(s.bidder)}"


def _marks(s, seat: int) -> str:
    """What a seat has called, played and won."""
    shown, card = int(s.shown[seat]), int(s.trick[seat])
    bids = [level for level in range(1, 6) if shown >> (LEVEL_BID + level - 1) & 1]
    marks = [f", bid {level}{' alone' if shown >> ALONE & 1 else ''}" for level in bids]
    if shown >> PASSED & 1:
        marks.append(", passed")
    if card != NO_CARD:
        marks.append(f", played {CARD_NAMES[card]}" + (" (winning)" if seat == int(s.best_seat) else ""))
    if s.tricks_won[seat]:
        marks.append(f", tricks {int(s.tricks_won[seat])}")
    return "".join(marks)


def _outcome(s, rules: PitRules) -> str:
    """How the contract went, what was drawn, and who has won."""
    contractor = int(s.contractor)
    if contractor == NO_SEAT:
        text = "round over: all have passed"
    else:
        made = int(s.tricks_won[contractor]) >= int(s.bid)
        text = f"round over: seat {contractor} {'makes' if made else 'is set in'} a contract of {int(s.bid)}"
        text += " alone" if s.bid_alone else ""
    text += "".join(f"; seat {seat} draws {int(s.drawn[seat])}" for seat in range(rules.num_players) if s.drawn[seat])
    winners = [str(seat) for seat in range(rules.num_players) if int(s.winners) >> seat & 1]
    return text + (f"; match {'cut' if s.truncated else 'won'}: seat {' and '.join(winners)}" if winners else "")


def why(s, action: int, rules: PitRules) -> str:
    """Why the seat to act may not do this; for actions that are not legal only."""
    seat = int(s.turn)
    if s.deal_over:
        return "the round is over"
    if int(s.phase) == BIDDING:
        return _why_no_call(s, action, rules)
    if action >= NUM_CARDS:
        return f"the bidding is over and seat {seat} has to play a card"
    held = int(s.hand[seat])
    if not held >> action & 1:
        return f"seat {seat} {'has played it already' if int(s.played[seat]) >> action & 1 else 'does not hold it'}"
    led = suit_of(int(s.trick[int(s.leader)]))
    return f"seat {seat} holds {SUIT_WORDS[led]} and {SUIT_WORDS[led]} were led"


def _why_no_call(s, action: int, rules: PitRules) -> str:
    """Bidding, and this is no call that may be made now."""
    seat, standing = int(s.turn), int(s.bid)
    if action < NUM_CARDS:
        return f"the bidding is not over and seat {seat} has to call"
    if action == PASS:
        return f"all passed in the round before, and seat {seat} must open"
    level = LEVELS[action]
    if not rules.min_bid <= level <= rules.max_bid:
        return f"bids are {rules.min_bid} to {rules.max_bid}"
    if level <= standing:
        return f"the standing bid is {standing}, by seat {int(s.bidder)}, and this does not beat it"
    if not rules.bid_jumps and level > max(standing + 1, rules.min_bid):
        return f"the next bid is {max(standing + 1, rules.min_bid)}, and bids go up by one"
    return f"seat {seat} has gone alone and all its bids are alone"
