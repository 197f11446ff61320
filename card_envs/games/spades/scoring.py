"""What the bids of a deal are worth, bags, and who has won the match."""

from __future__ import annotations

from card_envs.game import MAX_LEGAL_WORDS
from card_envs.games.spades.rules import (
    ALL_BAGS,
    ALL_TRICKS_LOST,
    BY_TEAM,
    COUNT_BID,
    COUNT_ONE,
    FAIL_MINUS_TEN_X,
    FAIL_TRICKS,
    MOON_SAME,
    NIL_BAGS,
    NIL_MINUS,
    NIL_TRICKS_BAGS,
    NIL_TRICKS_HELP,
    NIL_UNIT,
    NO_BAGS,
    OVER_HAND,
    OVERTRICKS,
    TEN_BID,
    TEN_POINTS,
    TEN_X_BID,
    THIRTEEN,
    TIE_SHARE,
    UNDERTRICKS,
)
from card_envs.games.spades.seen import see_sides
from card_envs.kernels import rule
from card_envs.tricks import left_of

NO_SEAT = -1
NO_BID = -1  # not yet, or in a deal without bids
NIL = 0


# --- the side as a whole -----------------------------------------------------------------------------------------------------


@rule
def tricks_of(s, side, rules):
    """Tricks that the side has won in this deal."""
    tricks = 0
    for seat in range(side, rules.num_players, rules.num_sides):
        tricks += int(s.tricks_won[seat])
    return tricks


@rule
def bid_of(s, side, rules):
    """Sum of the side's positive bids."""
    total = 0
    for seat in range(side, rules.num_players, rules.num_sides):
        total += max(int(s.bid[seat]), NIL)
    return total


@rule
def is_double_nil(s, side, rules):
    """Is the side's double nil scored as one bid (2.4.4)?"""
    nils = 0
    for seat in range(side, rules.num_players, rules.num_sides):
        nils += int(int(s.bid[seat]) == NIL)
    return rules.double_nil_score == NIL_UNIT and nils > 1


@rule
def tricks_toward_bid(s, side, rules):
    """Tricks that count toward the side's bid: a nil bidder's only where they help (S-A10), and not in a double nil."""
    tricks = 0
    helps = rules.failed_nil_tricks == NIL_TRICKS_HELP and not is_double_nil(s, side, rules)
    for seat in range(side, rules.num_players, rules.num_sides):
        if int(s.bid[seat]) != NIL or helps:
            tricks += int(s.tricks_won[seat])
    return tricks


# --- bids of tricks ----------------------------------------------------------------------------------------------------------


@rule
def trick_value(rules):
    """One point a trick (S17, S-A1), or ten."""
    return 10 if rules.trick_score == TEN_X_BID else 1


@rule
def contract_points(bid, tricks, rules):
    """Tricks up to the bid score (S17, S-A2), those above it as overtricks (S23a); a failed bid by option (S-A3).

    A side's bids of all tricks or of ten may be worth more (2.4.10, 2.4.11).
    """
    if is_moon(bid, rules):
        return moon_points(tricks, rules)
    if rules.ten_for_200 and bid == TEN_BID:
        return TEN_POINTS + (tricks - bid) * rules.overtrick_points if tricks >= bid else -TEN_POINTS
    if tricks >= bid:
        return bid * trick_value(rules) + (tricks - bid) * rules.overtrick_points
    if rules.failed_bid == FAIL_TRICKS:
        return tricks * trick_value(rules)
    return -10 * bid if rules.failed_bid == FAIL_MINUS_TEN_X else 0


@rule
def bids_blind_number(s, seat):
    """Is the seat's bid a blind 6 or 7, which it made for its side (2.4.12)?"""
    return int(s.blind) >> seat & 1 == 1 and int(s.bid[seat]) > NIL


@rule
def blind_number_points(s, side, tricks, rules):
    """Points that a side's blind 6 or 7, if made, earns beside those of its contract: as many again (2.4.12)."""
    for seat in range(side, rules.num_players, rules.num_sides):
        if bids_blind_number(s, seat) and tricks >= int(s.bid[seat]):
            return int(s.bid[seat]) * trick_value(rules)
    return 0


@rule
def contract_bags(bid, tricks, rules):
    """A failed bid brings bags (S20a), one a trick short (S-A5), and overtricks none (S23b); or the other way round."""
    if rules.bag_source == OVERTRICKS:
        return max(tricks - bid, 0)
    if rules.bag_source == NO_BAGS or tricks >= bid:
        return 0
    if rules.bag_count == COUNT_ONE:
        return 1
    return bid if rules.bag_count == COUNT_BID else bid - tricks


@rule
def side_contract(s, side, rules):
    """(points, bags) of the side's bids as one contract (S-A4)."""
    bid, tricks = bid_of(s, side, rules), tricks_toward_bid(s, side, rules)
    return contract_points(bid, tricks, rules), contract_bags(bid, tricks, rules)


@rule
def player_contract(s, seat, rules):
    """(points, bags) of one player's bid (S-A4). A failed bid of 13 costs thirteen bags (S25, S-A19)."""
    bid, tricks = int(s.bid[seat]), int(s.tricks_won[seat])
    bags = contract_bags(bid, tricks, rules)
    if bid == THIRTEEN and tricks < bid and rules.fail_13_bags > 0 and rules.bag_source != NO_BAGS:
        bags = rules.fail_13_bags
    return contract_points(bid, tricks, rules), bags


@rule
def is_moon(bid, rules):
    """Is the side's bid all the tricks, and do these count as a moon (2.4.11)?"""
    return rules.moon > 0 and bid == rules.cards_each


@rule
def moon_points(tricks, rules):
    if tricks == rules.cards_each:
        return rules.moon
    return -rules.moon if rules.moon_fail == MOON_SAME else -ALL_TRICKS_LOST


@rule
def is_double(s, side, rules):
    """Do the side's bids come to 13, and has it won all 13 tricks (S24, S-A18)? A moon is worth what it is worth."""
    if rules.double_13 == 0 or rules.moon > 0 or rules.cards_each != THIRTEEN:
        return False
    return bid_of(s, side, rules) == THIRTEEN and tricks_of(s, side, rules) == THIRTEEN


@rule
def trick_points(s, side, rules):
    """(points, bags) of the side's bids 1..13."""
    if is_double(s, side, rules):
        return 2 * THIRTEEN * trick_value(rules), 0
    blind = blind_number_points(s, side, tricks_toward_bid(s, side, rules), rules)
    if rules.contract_scope == BY_TEAM:
        points, bags = side_contract(s, side, rules)
        return points + blind, bags
    points, bags = blind, 0
    for seat in range(side, rules.num_players, rules.num_sides):
        if int(s.bid[seat]) > NIL:
            gained, bagged = player_contract(s, seat, rules)
            points += gained
            bags += bagged
    return points, bags


# --- nil ---------------------------------------------------------------------------------------------------------------------


@rule
def nil_value(s, seat, rules):
    """100 for a nil (S18), 200 for a blind one (S19)."""
    return rules.blind_nil if int(s.blind) >> seat & 1 else rules.nil


@rule
def failed_nil_bags(tricks, rules):
    """Bags of a nil bidder who won tricks (S-A8, S20a)."""
    if rules.bag_source == UNDERTRICKS and rules.nil_fail == NIL_BAGS:
        return 1 if rules.bag_count == COUNT_ONE else tricks
    if rules.bag_source == OVERTRICKS and (rules.nil_fail == NIL_BAGS or rules.failed_nil_tricks == NIL_TRICKS_BAGS):
        return tricks
    return 0


@rule
def nil_points(s, side, rules):
    """(points, bags) of the side's nils, each scored by itself (S-A17), or a double nil as one bid without bags."""
    points, bags = 0, 0
    as_unit = is_double_nil(s, side, rules)
    for seat in range(side, rules.num_players, rules.num_sides):
        if int(s.bid[seat]) == NIL:
            tricks = int(s.tricks_won[seat])
            value = nil_value(s, seat, rules)
            if as_unit:
                points += value if tricks_of(s, side, rules) == 0 else -value
            elif tricks == 0:
                points += value
            else:
                points -= value if rules.nil_fail == NIL_MINUS else 0
                bags += failed_nil_bags(tricks, rules)
                if rules.bag_source != UNDERTRICKS and rules.failed_nil_tricks == NIL_TRICKS_BAGS:
                    points += tricks * rules.overtrick_points
    return points, bags


# --- bags --------------------------------------------------------------------------------------------------------------------


@rule
def ladder(bags, rules):
    """What so many bags of undertricks cost: 1 point each up to ten (S21), 10 for each beyond (S22, S-A7)."""
    if bags <= rules.bag_limit:
        return bags
    return 10 * bags if rules.bag_over == ALL_BAGS else rules.bag_limit + 10 * (bags - rules.bag_limit)


@rule
def take_bags(s, side, new, rules):
    """Add bags to the side's (S20b, S-A6); returns the points that they cost."""
    bags = 0 if rules.bag_scope == OVER_HAND else int(s.bags[side])
    if rules.bag_source == UNDERTRICKS:
        s.bags[side] = bags + new
        return ladder(bags + new, rules) - ladder(bags, rules)
    cost = 0
    bags += new
    while rules.bag_source == OVERTRICKS and bags >= rules.bag_limit:  # the rest is kept
        bags -= rules.bag_limit
        cost += rules.bag_penalty
    s.bags[side] = bags
    return cost


# --- the deal ----------------------------------------------------------------------------------------------------------------


@rule
def score_deal(s, rules):
    """All tricks are played: the deal is scored (S15, S16)."""
    for side in range(rules.num_sides):
        if is_without_bids(s, rules):
            change = 10 * tricks_of(s, side, rules)
        else:
            points, bags = trick_points(s, side, rules)
            nil_gain, nil_bags = nil_points(s, side, rules)
            change = points + nil_gain - take_bags(s, side, bags + nil_bags, rules)
        s.change[side] = change
        s.score[side] += change


@rule
def is_without_bids(s, rules):
    """The first deal bids itself (option first_hand_bids)."""
    return rules.first_hand_bids != 0 and int(s.match_deals) == 0


@rule
def end_deal(s, rules):
    """The deal is scored: has the match ended? The deal passes to the left (S-A24)."""
    s.winners = match_winners(s, rules)
    s.deal_over = 1
    s.phase = 0
    for k in range(MAX_LEGAL_WORDS):
        s.legal[k] = 0
    s.match_deals += 1
    if int(s.winners) != 0:
        s.match_over = 1
    elif int(s.match_deals) >= rules.max_hands:
        s.truncated = 1
        s.winners = leaders(s, rules)
    s.dealer = left_of(int(s.dealer), rules.num_players)
    see_sides(s, rules)


@rule
def leaders(s, rules):
    """The sides that have the highest score, as bits."""
    best, found = 0, 0
    for side in range(rules.num_sides):
        score = int(s.score[side])
        if found == 0 or score > best:
            best = score
            found = 1 << side
        elif score == best:
            found = found | 1 << side
    return found


@rule
def moon_maker(s, rules):
    """The side that wins the match by a moon just made, as a bit."""
    if rules.moon_wins and not is_without_bids(s, rules):
        for side in range(rules.num_sides):
            made = tricks_toward_bid(s, side, rules) == rules.cards_each
            if made and is_moon(bid_of(s, side, rules), rules):
                return 1 << side
    return 0


@rule
def match_winners(s, rules):
    """The sides that win the match with this deal, as bits; 0: it goes on.

    The first side at 500 wins (S1, S26), the highest of several (S-A20); a side at the floor ends the match (2.4.7).
    """
    by_moon = moon_maker(s, rules)
    if by_moon != 0:
        return by_moon
    reached, fallen = False, False
    for side in range(rules.num_sides):
        score = int(s.score[side])
        reached = reached or score >= rules.target
        fallen = fallen or (rules.floor < 0 and score <= rules.floor)
    best = leaders(s, rules)
    several = best & (best - 1) != 0
    if fallen or (reached and (not several or rules.end_tie == TIE_SHARE)):
        return best
    return 0
