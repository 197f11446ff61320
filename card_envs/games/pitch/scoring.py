"""The points of a deal, what they are worth, and who has won the match."""

from __future__ import annotations

from card_envs.cards import (
    ACE,
    HIGH_JOKER,
    JACK,
    KING,
    LOW_JOKER,
    NO_CARD,
    NUM_RANKS,
    QUEEN,
    TEN,
    count,
    highest,
    lowest,
    rank_cards,
)
from card_envs.games.pitch.rules import (
    BIDDER_WINS,
    DEUCE,
    GAME,
    HIGH,
    HIGH_JOKER_POINT,
    HIGHEST_WINS,
    HOLDER,
    JACK_POINT,
    LOSE_GAME,
    LOW,
    LOW_JOKER_POINT,
    MOON_FOUR_POINTS,
    NO_SEAT,
    NO_SIDE,
    NUM_POINTS,
    NUM_SLOTS,
    OFF_JACK,
    ONLY_BID,
    REDEAL_SAME,
    TEN_SET,
    THREE,
    THREE_WORTH,
    TIE_DEALER_SIDE,
    TIE_NON_BIDDER,
    TREY,
    WHOLE_GAME,
)
from card_envs.games.pitch.seen import see_sides
from card_envs.games.pitch.trumps import off_jack_of, point_cards, strength
from card_envs.kernels import inlined, rule
from card_envs.tricks import left_of, side_of


@rule
def pips(cards):
    """Tens 10, aces 4, kings 3, queens 2, jacks 1 (T13)."""
    tens, aces = count(cards & rank_cards(TEN)), count(cards & rank_cards(ACE))
    kings, queens, jacks = count(cards & rank_cards(KING)), count(cards & rank_cards(QUEEN)), count(cards & rank_cards(JACK))
    return 10 * tens + 4 * aces + 3 * kings + 2 * queens + jacks


@rule
def side_that_held(s, card, rules):
    """The side of the seat that has played the card."""
    for seat in range(rules.num_players):
        if int(s.played[seat]) >> card & 1:
            return side_of(seat, rules.num_sides)
    return NO_SIDE


@rule
def game_side(s, rules):
    """Who has the most pips (T12b); level sides get nothing (T14) unless game_tie says otherwise, nor does nobody with none."""
    most = 1
    for side in range(rules.num_sides):
        most = max(most, int(s.pips[side]))
    bidder_side = NO_SIDE if int(s.bidder) == NO_SEAT else side_of(int(s.bidder), rules.num_sides)
    dealer_side = side_of(int(s.dealer), rules.num_sides)
    level, others, dealer_tied = 0, 0, False
    first, other = NO_SIDE, NO_SIDE
    for side in range(rules.num_sides):
        if int(s.pips[side]) == most:
            level += 1
            first = side
            dealer_tied = dealer_tied or side == dealer_side
            if side != bidder_side:
                others += 1
                other = side
    if level == 1:
        return first
    if level > 1 and rules.game_tie == TIE_NON_BIDDER and others == 1:
        return other
    if level > 1 and rules.game_tie == TIE_DEALER_SIDE and dealer_tied:
        return dealer_side
    return NO_SIDE


@rule
def award_points(s, side, rules):
    """What the trick just won by a side makes of the points; true for the deal after its last (T11a..T12b)."""
    cards = int(s.trick_cards)
    trump = int(s.trump)
    trumps = cards & int(s.trumps)
    s.pips[side] = int(s.pips[side]) + pips(cards)
    if rules.points == TEN_SET:
        award_ten(s, trumps, side, rules)
    else:
        s.point_side[GAME] = game_side(s, rules)
        if trumps != 0:
            if rules.more_trumps == 0:
                note_high_low(s, highest(trumps), lowest(trumps), side, rules)
            else:
                note_high_low_by_strength(s, trumps, side, rules)
            if trumps >> (JACK + NUM_RANKS * trump) & 1:
                s.point_side[JACK_POINT] = side
    if rules.more_trumps != 0:
        award_off_jack_and_jokers(s, trumps, side)


@inlined
def note_high_low(s, high, low, side, rules):
    """The highest and the lowest trump of a trick, where trumps rank as their suit does."""
    if high > int(s.high):
        s.high = high
        s.point_side[HIGH] = side
    if low < int(s.low) or int(s.low) == NO_CARD:
        s.low = low
        s.point_side[LOW] = side_that_held(s, low, rules) if rules.low_to == HOLDER else side


@rule
def note_high_low_by_strength(s, trumps, side, rules):
    """High and Low among trumps of other ranks: a joker can be High, and is never Low (3.4.10)."""
    trump = int(s.trump)
    while trumps != 0:
        card = lowest(trumps)
        trumps = trumps & (trumps - 1)
        value = strength(card, trump, rules)
        if int(s.high) == NO_CARD or value > strength(int(s.high), trump, rules):
            s.high = card
            s.point_side[HIGH] = side
        if card < LOW_JOKER and (int(s.low) == NO_CARD or value < strength(int(s.low), trump, rules)):
            s.low = card
            s.point_side[LOW] = side_that_held(s, card, rules) if rules.low_to == HOLDER else side


@rule
def award_off_jack_and_jokers(s, trumps, side):
    """Off-jack and jokers go to who takes them."""
    if trumps >> off_jack_of(int(s.trump)) & 1:
        s.point_side[OFF_JACK] = side
    if trumps >> HIGH_JOKER & 1:
        s.point_side[HIGH_JOKER_POINT] = side
    if trumps >> LOW_JOKER & 1:
        s.point_side[LOW_JOKER_POINT] = side


@rule
def award_ten(s, trumps, side, rules):
    """The cards of trump that count where ten points are played for (3.4.11); the two is its holder's under low_to."""
    ranks = trumps >> (NUM_RANKS * int(s.trump))
    if ranks >> ACE & 1:
        s.point_side[HIGH] = side
    if ranks >> JACK & 1:
        s.point_side[JACK_POINT] = side
    if ranks >> TEN & 1:
        s.point_side[GAME] = side
    if ranks >> TREY & 1:
        s.point_side[THREE] = side
    if ranks >> DEUCE & 1:
        s.point_side[LOW] = side_that_held(s, NUM_RANKS * int(s.trump), rules) if rules.low_to == HOLDER else side


@inlined
def worth(slot):
    """Points that a slot counts for."""
    return THREE_WORTH if slot == THREE else 1


@rule
def points_of(s, side, rules):
    """How many points the side won in this deal."""
    won = four_points_of(s, side)
    if rules.more_points != 0:
        for slot in range(NUM_POINTS, NUM_SLOTS):
            if int(s.point_side[slot]) == side:
                won += worth(slot)
    return won


@rule
def four_points_of(s, side):
    """How many of High, Low, Jack and Game it won."""
    won = 0
    for slot in range(NUM_POINTS):
        if int(s.point_side[slot]) == side:
            won += 1
    return won


@rule
def tricks_of(s, side, rules):
    """Tricks that the side won in this deal."""
    tricks = 0
    for seat in range(side, rules.num_players, rules.num_sides):
        tricks += int(s.tricks_won[seat])
    return tricks


@rule
def is_made(s, side, rules):
    """Did the bidder's side make its bid (T19)? A moon takes all points and, for High, Low, Jack and Game, every trick."""
    won = points_of(s, side, rules)
    if int(s.bid) == rules.moon_level:
        all_tricks = rules.points == TEN_SET or tricks_of(s, side, rules) == int(s.tricks_played)
        return won == points_to_win(s, rules) and all_tricks
    return won >= int(s.bid)


@rule
def points_to_win(s, rules):
    """All points there are; of ten, those whose cards this deck has."""
    if rules.points != TEN_SET:
        return rules.num_points
    trump = int(s.trump)
    cards = point_cards(trump, rules) & rules.deck_cards
    return count(cards) + (THREE_WORTH - 1) * (cards >> (NUM_RANKS * trump + TREY) & 1)


@rule
def score_deal(s, rules):
    """The bidder gains what she won or loses her bid (T19, T20); all others get what they won (T21)."""
    for side in range(rules.num_sides):
        s.change[side] = points_of(s, side, rules)
    if int(s.bidder) != NO_SEAT:
        side = side_of(int(s.bidder), rules.num_sides)
        made = is_made(s, side, rules)
        moon = int(s.bid) == rules.moon_level
        if not made:
            s.change[side] = -rules.moon_points if moon else -int(s.bid)
        elif moon:
            s.change[side] = moon_gain(int(s.score[side]), rules)
        elif rules.made_scores == ONLY_BID:
            s.change[side] = int(s.bid)
    for side in range(rules.num_sides):
        s.score[side] += int(s.change[side])


@rule
def moon_gain(score, rules):
    """A moon made: five points or more; or the match, but from below zero only up to zero."""
    if rules.moon_made != WHOLE_GAME:
        return rules.moon_points
    return -score if score < 0 else max(rules.moon_points, rules.target - score)


@rule
def end_deal(s, rules):
    """The deal is scored (or was passed out): has the match ended? The deal passes to the left (T6)."""
    s.deal_over = 1
    s.phase = 0
    s.legal[0] = 0
    s.legal[1] = 0
    s.match_deals += 1
    passed_out = int(s.pitcher) == NO_SEAT
    s.winners = match_winners(s, rules)
    if int(s.winners) != 0:
        s.match_over = 1
    elif int(s.match_deals) >= rules.max_hands:
        s.truncated = 1
        s.winners = leaders(s, (1 << rules.num_sides) - 1, rules)
    if not (passed_out and rules.all_pass == REDEAL_SAME):
        s.dealer = left_of(int(s.dealer), rules.num_players)
    see_sides(s, rules)


@rule
def leaders(s, sides, rules):
    """Those of a set of sides that have the highest score."""
    best = 0
    found = 0
    for side in range(rules.num_sides):
        if sides >> side & 1:
            score = int(s.score[side])
            if found == 0 or score > best:
                best = score
                found = 1 << side
            elif score == best:
                found = found | 1 << side
    return found


@rule
def match_winners(s, rules):
    """The sides that win the match with this deal, as bits; 0: it goes on."""
    bidder_side = NO_SIDE if int(s.bidder) == NO_SEAT else side_of(int(s.bidder), rules.num_sides)
    everyone = (1 << rules.num_sides) - 1
    if int(s.bid) > 0 and int(s.bid) == rules.moon_level:
        made = is_made(s, bidder_side, rules)
        if made and rules.moon_made == WHOLE_GAME and int(s.score[bidder_side]) >= rules.target:
            return 1 << bidder_side
        if not made and rules.moon_failed == LOSE_GAME:
            return leaders(s, everyone & ~(1 << bidder_side), rules)
    if rules.moon == MOON_FOUR_POINTS:
        for side in range(rules.num_sides):
            if four_points_of(s, side) == NUM_POINTS:
                return 1 << side
    reached = 0
    for side in range(rules.num_sides):
        if int(s.score[side]) >= rules.target:
            reached = reached | 1 << side
    bidder_bit = 0 if bidder_side == NO_SIDE else 1 << bidder_side
    if rules.must_bid_to_win:
        return reached & bidder_bit
    return winners_among(s, reached, bidder_bit, rules)


@rule
def winners_among(s, reached, bidder_bit, rules):
    """Who of the sides at the target wins (T23, T24); 0 asks for another deal (T25)."""
    several = reached & (reached - 1) != 0
    if not several:
        return reached
    if rules.tie_rule == HIGHEST_WINS:
        best = leaders(s, reached, rules)
        return best if best & (best - 1) == 0 else 0
    if reached & bidder_bit != 0:
        return bidder_bit
    return 0 if rules.tie_rule == BIDDER_WINS else first_counted_out(s, reached, rules)


@rule
def first_counted_out(s, reached, rules):
    """Count this deal's points in the order High, Low, Jack, Game and on: the first side to reach the target wins (3.4.8)."""
    for upto in range(NUM_SLOTS + 1):
        there = 0
        for side in range(rules.num_sides):
            if reached >> side & 1:
                score = int(s.score[side]) - int(s.change[side])
                for slot in range(upto):
                    if int(s.point_side[slot]) == side:
                        score += worth(slot)
                if score >= rules.target:
                    there = there | 1 << side
        if there != 0:  # several only when they began the deal at the target: then it decides nothing
            return there if there & (there - 1) == 0 else 0
    return 0
