"""A table of Spades as text and as the public fields of a game record."""

from __future__ import annotations

from card_envs.cards import CARD_NAMES, NO_CARD, NO_SUIT, NUM_CARDS, SUITS, hand_text, suit_cards
from card_envs.games.spades.play import BIDDING, BLIND, BY_LOWEST_CLUB, GIVING, NAMING, NOT_OPENING
from card_envs.games.spades.rules import BID_0, BLIND_6, BLIND_NIL, CLUBS, GIVE_0, LOOK, MAX_BID, NAME_C, SpadesRules
from card_envs.games.spades.scoring import NIL, NO_BID

PHASES = {
    0: "between deals",
    BLIND: "looking or bidding blind",
    BIDDING: "bidding",
    NAMING: "naming trump",
    GIVING: "exchanging cards",
}
SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")


def public(s, rules: SpadesRules) -> dict:
    """`bags`, by side."""
    return {"bags": [int(s.bags[side]) for side in range(rules.num_sides)]}


def bid_text(s, seat: int) -> str:
    bid = int(s.bid[seat])
    return ("blind " if int(s.blind) >> seat & 1 else "") + ("nil" if bid == NIL else str(bid))


def show(s, rules: SpadesRules, viewer: int | None = None) -> str:
    """The table as text; with `viewer` the other hands are hidden, and its own while it may still bid blind."""
    trump = SUITS[int(s.trump)] if int(s.trump) != NO_SUIT else "-"
    scores = " : ".join(str(int(s.score[side])) for side in range(rules.num_sides))
    bags = " : ".join(str(int(s.bags[side])) for side in range(rules.num_sides))
    phase = PHASES.get(int(s.phase), f"trick {int(s.tricks_played) + 1}")
    deal = int(s.match_deals) + (not s.deal_over)
    broken = ", broken" if s.broken else ""
    lines = [f"Spades, deal {deal}, {phase}; score {scores}; bags {bags}; trump {trump}{broken}"]
    for seat in range(rules.num_players):
        hidden = viewer is not None and (seat != viewer or int(s.hidden) >> seat & 1)
        hand = f"({bin(int(s.hand[seat])).count('1')} cards)" if hidden else hand_text(int(s.hand[seat])) or "-"
        marks = [f"bid {bid_text(s, seat)}"] if int(s.bid[seat]) != NO_BID else []
        card = int(s.trick[seat])
        if card != NO_CARD:
            marks.append(f"played {CARD_NAMES[card]}" + (" (winning)" if seat == int(s.best_seat) else ""))
        if s.tricks_won[seat]:
            marks.append(f"tricks {int(s.tricks_won[seat])}")
        to_act = "*" if not s.deal_over and seat == int(s.turn) else " "
        dealer = "D" if seat == int(s.dealer) else " "
        lines.append(f"{to_act}{dealer} seat {seat}: {hand:<39} {', '.join(marks)}".rstrip())
        if s.gave[seat] and (viewer is None or seat == viewer):
            lines.append(f"           gave {hand_text(int(s.gave[seat]))}")
    if s.deal_over:
        lines.append(_outcome(s, rules))
    return "\n".join(lines)


def _outcome(s, rules: SpadesRules) -> str:
    """What each side bid and won, and what the deal changed."""
    sides = []
    for side in range(rules.num_sides):
        seats = range(side, rules.num_players, rules.num_sides)
        bids = "/".join(bid_text(s, seat) if int(s.bid[seat]) != NO_BID else "-" for seat in seats)
        sides.append(f"side {side} bid {bids} won {'/'.join(str(int(s.tricks_won[seat])) for seat in seats)}")
    change = " : ".join(f"{int(s.change[side]):+d}" for side in range(rules.num_sides))
    winners = [str(side) for side in range(rules.num_sides) if int(s.winners) >> side & 1]
    end = f"; match {'cut' if s.truncated else 'won'}: side {' and '.join(winners)}" if winners else ""
    return f"deal over: {', '.join(sides)}; change {change}{end}"


# --- why an action is refused ------------------------------------------------------------------------------------------------


def why(s, action: int, rules: SpadesRules) -> str:
    """Why the seat to act may not do this; for actions that are not legal only."""
    seat, phase = int(s.turn), int(s.phase)
    if s.deal_over:
        return "the deal is over"
    if phase == BLIND:
        return f"seat {seat} first chooses to look at its hand or to bid blind"
    if phase == BIDDING:
        return _why_no_bid(s, action, rules)
    if phase == NAMING:
        if NAME_C <= action < NAME_C + len(SUITS):
            return f"there are no {SUIT_WORDS[action - NAME_C]} in this deck"
        return f"seat {seat} has the highest bid and has to name trump first"
    if phase == GIVING:
        return _why_no_gift(s, action)
    if action >= NUM_CARDS:
        return f"the bidding is over and seat {seat} has to play a card"
    return _why_no_card(s, action, rules)


def _why_no_bid(s, action: int, rules: SpadesRules) -> str:
    """Bidding, and this is no bid that may be made now."""
    seat = int(s.turn)
    if action in (BLIND_NIL, BLIND_6, BLIND_6 + 1):
        return f"seat {seat} sees its hand, or may not bid blind now"
    if action < NUM_CARDS or action >= NAME_C:
        return f"the bidding is not over and seat {seat} has to bid"
    if action == LOOK:
        return f"seat {seat} sees its hand already"
    if action == BID_0 and not rules.nil:
        return "there is no nil in these rules"
    if action - BID_0 > min(rules.cards_each, MAX_BID):
        return f"the highest bid is {min(rules.cards_each, MAX_BID)}"
    if rules.bid_restriction != "free":
        return f"the rules are {rules.bid_restriction}"
    return _why_not_beside_others(s, action - BID_0, rules)


def _why_not_beside_others(s, level: int, rules: SpadesRules) -> str:
    """The bids of others do not leave room for this one."""
    seat = int(s.turn)
    partner = (seat + rules.num_sides) % rules.num_players
    partners_bid = int(s.bid[partner])
    spoken = partners_bid != NO_BID and partner != seat
    if spoken and partners_bid == NIL and level == NIL and not rules.double_nil:
        return "the partner has bid nil, and both may not"
    if spoken and max(partners_bid, 0) + level < rules.team_bid_min:
        return f"partners bid at least {rules.team_bid_min}, and the partner has bid {bid_text(s, partner)}"
    if rules.team_bid_cap and max(partners_bid, 0) + level >= rules.team_bid_cap:
        return f"partners bid at most {rules.team_bid_cap}, and at least 1 each where there is no nil"
    return f"the last bid may not bring the sum of all to {rules.forbidden_total}"


def _why_no_gift(s, action: int) -> str:
    """Exchanging cards, and this is no card that may be given now."""
    seat = int(s.turn)
    if action < GIVE_0:
        return f"seat {seat} has to give {int(s.gives_left)} more to its partner first"
    card = action - GIVE_0
    return f"seat {seat} {'has given it already' if int(s.gave[seat]) >> card & 1 else 'does not hold it'}"


def _why_no_card(s, card: int, rules: SpadesRules) -> str:
    """Playing, and this is no card that may be played now."""
    seat, trumps = int(s.turn), int(s.trumps)
    hand = int(s.hand[seat])
    if not hand >> card & 1:
        return f"seat {seat} {'has played it already' if int(s.played[seat]) >> card & 1 else 'does not hold it'}"
    if int(s.opening) != NOT_OPENING:
        if hand & suit_cards(CLUBS):
            only = int(s.opening) == BY_LOWEST_CLUB or int(s.trick_cards) == 0
            return f"in the first trick seat {seat} plays {'its lowest club' if only else 'clubs'}"
        return f"no {SUIT_WORDS[int(s.trump)]} in the first trick while seat {seat} holds other cards"
    if int(s.trick_cards) != 0:
        led = SUIT_WORDS[int(s.led_suit)]
        return f"seat {seat} holds {led} and {led} were led"
    unbroken = "have not been broken" if rules.break_rule == "standard" and trumps else "are not led"
    return f"{SUIT_WORDS[int(s.trump)]} {unbroken} while seat {seat} holds other cards"
