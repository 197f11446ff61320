"""A table of Pitch as text and as the public fields of a game record."""

from __future__ import annotations

from card_envs.cards import CARD_NAMES, NO_CARD, NO_SUIT, NUM_CARDS, SUITS, hand_text
from card_envs.games.pitch.rules import (
    BIDDING,
    DISCARD_0,
    DISCARDING,
    MOON,
    NAME_C,
    NAMING,
    NO_SEAT,
    PASS,
    PitchRules,
    call_names,
)
from card_envs.games.pitch.table import NO_CALL
from card_envs.games.pitch.trumps import cards_of, suit_led

PHASES = {0: "between deals", BIDDING: "bidding", NAMING: "naming trump", DISCARDING: "putting cards aside"}
POINTS = ("High", "Low", "Jack", "Game", "Off-jack", "High joker", "Low joker", "Three")  # as the slots of the table
TEN_POINTS = ("Ace", "Two", "Jack", "Ten", *POINTS[4:])
SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")


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
    deal = int(s.match_deals) + (not s.deal_over)
    lines = [f"Pitch, deal {deal}, {phase}; score {scores}; trump {trump}{_contract(s, rules)}"]
    for seat in range(rules.num_players):
        hidden = viewer is not None and seat != viewer
        hand = f"({bin(int(s.hand[seat])).count('1')} cards)" if hidden else hand_text(int(s.hand[seat])) or "-"
        call = int(s.call[seat])
        marks = f"called {bid_text(call, rules)}" if call != NO_CALL else ""
        card = int(s.trick[seat])
        if card != NO_CARD:
            marks += f", played {CARD_NAMES[card]}" + (" (winning)" if seat == int(s.best_seat) else "")
        if rules.stock_size and s.drew[seat]:
            marks += f", drew {int(s.drew[seat])}"
        if rules.stock_size and s.thrown[seat] and not hidden:
            marks += f", put aside {hand_text(int(s.thrown[seat]))}"
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
    names = TEN_POINTS if rules.points == "ten" else POINTS
    won = [f"{name} to side {int(side)}" for name, side in zip(names, s.point_side, strict=True) if side >= 0]
    change = " : ".join(f"{int(s.change[side]):+d}" for side in range(rules.num_sides))
    winners = [str(side) for side in range(rules.num_sides) if int(s.winners) >> side & 1]
    end = f"; match {'cut' if s.truncated else 'won'}: side {' and '.join(winners)}" if winners else ""
    return f"deal over: {', '.join(won) or 'no points'}; change {change}{end}"


def why(s, action: int, rules: PitchRules) -> str:
    """Why the seat to act may not do this; for actions that are not legal only."""
    seat, phase = int(s.turn), int(s.phase)
    if s.deal_over:
        return "the deal is over"
    if phase == BIDDING:
        return _why_no_call(s, action, rules)
    if phase == NAMING:
        if NAME_C <= action < NAME_C + len(SUITS):
            return f"seat {seat} holds no {SUIT_WORDS[action - NAME_C]}, and must lead the trump that it names"
        return f"seat {seat} won the bidding and has to name trump first"
    if phase == DISCARDING:
        return _why_no_discard(s, action, rules)
    if action >= DISCARD_0:
        return f"nothing is put aside now, and seat {seat} has to play a card"
    if action >= NUM_CARDS:
        return f"the bidding is over and seat {seat} has to play a card"
    return _why_no_card(s, action, rules)


def _why_no_call(s, action: int, rules: PitchRules) -> str:
    """Bidding, and this is no call that may be made now."""
    seat, standing = int(s.turn), int(s.bid)
    if action < NUM_CARDS or NAME_C <= action < NAME_C + len(SUITS):
        return f"the bidding is not over and seat {seat} has to call"
    if action == PASS:
        return f"all others have passed and the dealer, seat {seat}, must bid"
    if action >= DISCARD_0:
        return f"nothing is put aside before trump is named, and seat {seat} has to call"
    level = rules.moon_level if action == MOON else int(call_names(rules)[action].removeprefix("bid "))
    if level < rules.min_bid:
        return f"the lowest bid is {rules.min_bid}"
    if level > max(rules.max_bid, rules.moon_level):
        return f"the highest bid is {rules.max_bid}"
    return f"the standing bid is {bid_text(standing, rules)}, by seat {int(s.bidder)}, and this does not beat it"


def _why_no_discard(s, action: int, rules: PitchRules) -> str:
    """Putting cards aside, and this is none that may go now."""
    seat, card = int(s.turn), action - DISCARD_0
    if action < DISCARD_0:
        return f"seat {seat} holds too many cards and has to put one aside first"
    if not int(s.hand[seat]) >> card & 1:
        return f"seat {seat} does not hold it"
    if int(s.hand[seat]) & ~int(s.trumps):
        return "trumps are put aside only when no other card is left"
    return "it counts points, and another trump can go"


def _why_no_card(s, card: int, rules: PitchRules) -> str:
    """Playing, and this is no card that may be played now."""
    seat, trump = int(s.turn), int(s.trump)
    hand = int(s.hand[seat])
    if not hand >> card & 1:
        return f"seat {seat} {'has played it already' if int(s.played[seat]) >> card & 1 else 'does not hold it'}"
    if trump == NO_SUIT:
        return "a joker has no suit, and the first lead makes its suit trump"
    if int(s.trick_cards) == 0:
        if int(s.trumps) >> card & 1:
            return "a joker may not be led first while there is another trump"
        return f"the {'first lead' if int(s.tricks_played) == 0 else 'lead'} must be a trump, {SUIT_WORDS[trump]}"
    led = suit_led(int(s.trick[int(s.leader)]), int(s.trumps), trump)
    if hand & cards_of(led, int(s.trumps), trump) and rules.follow_rule != "trump_only":
        what = "trumps" if led == trump and rules.more_trumps else SUIT_WORDS[led]
        return f"seat {seat} holds {what} and {what} were led"
    return f"only trumps, {SUIT_WORDS[trump]}, may be played"
