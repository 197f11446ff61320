"""What a round sheds, draws and scores, and who has won the match."""

from __future__ import annotations

from card_envs.cards import lowest
from card_envs.games.pit.rules import (
    ALL_LOST,
    ALONE,
    ALONE_ALL_LOST,
    BANK_UNLIMITED,
    BY_CARD,
    FIRST_CONTRACT,
    GROW,
    LEVEL_BID,
    PENALISED,
    POINTS_ALONE,
    POINTS_DISCARDS,
    POINTS_ROUND_WIN,
)
from card_envs.games.pit.seen import see_deal
from card_envs.kernels import rule
from card_envs.tricks import left_of

NO_SEAT = -1
ABOVE_TIES = 1 << 20  # no burden and no points come near


@rule
def draw(s, seat, cards, rules):
    """A seat draws from the pit: at most what it still holds (P18, P-A4)."""
    endless = rules.pit_bank == BANK_UNLIMITED and rules.hand_model != GROW
    drawn = cards if endless else min(cards, int(s.bank))
    if not endless:
        s.bank -= drawn
    s.drawn[seat] = drawn
    s.score[seat] += drawn


@rule
def shed(s, tricks, rules):
    """The contractor discards what he captured (P19, P-A2), more if he went alone (P-A19), down to nothing (P-A23).

    Returns how many cards that were.
    """
    seat = int(s.contractor)
    burden = int(s.score[seat])
    if rules.shed_unit == FIRST_CONTRACT:
        cards = burden
    else:
        cards = (
            tricks * (rules.num_players if rules.shed_unit == BY_CARD else 1) * (rules.alone_shed if int(s.bid_alone) else 1)
        )
    cards = min(cards, burden)
    s.score[seat] -= cards
    return cards


@rule
def score_round(s, rules):
    """The contract is made or lost (P17), and every trick of another player is a point for him (P27)."""
    for seat in range(rules.num_players):
        s.change[seat] = -int(s.points[seat]) if rules.by_points else int(s.score[seat])
    contractor = int(s.contractor)
    won = int(s.tricks_won[contractor])
    for seat in range(rules.num_players):
        if seat != contractor:
            s.points[seat] += int(s.tricks_won[seat])
    if won >= int(s.bid):
        score_made(s, contractor, won, rules)
    else:
        draw(s, contractor, cards_owed(won, int(s.bid), int(s.bid_alone), rules), rules)
    if rules.alone_outbid == PENALISED:
        penalise_outbid(s, rules)
    for seat in range(rules.num_players):
        s.change[seat] += int(s.points[seat]) if rules.by_points else -int(s.score[seat])


@rule
def score_made(s, contractor, won, rules):
    """Made: cards are shed; the contractor's tricks score nothing (P27, P-A20) but two each if he went alone (P23, P25, P28)."""
    cards = shed(s, won, rules)
    gained = POINTS_ALONE * won * int(s.bid_alone)
    if rules.points_mode == POINTS_ROUND_WIN:
        gained += int(s.bid)
    elif rules.points_mode == POINTS_DISCARDS:
        gained += cards
    s.points[contractor] += gained


@rule
def cards_owed(won, bid, alone, rules):
    """Set (P18): the tricks missing to the bid (P-A16), but having gone alone, every trick not won (P24, P29, P-A15)."""
    every_trick = rules.alone_set == ALONE_ALL_LOST if alone else rules.set_basis == ALL_LOST
    return rules.num_tricks - won if every_trick else bid - won


@rule
def penalise_outbid(s, rules):
    """Who bid alone and was outbid has lost the contract as well (P24, P29 read of the auction, P-A14).

    No points, and set for the tricks not won; after the contractor, from the dealer's left on.
    """
    seat = int(s.dealer)
    for _ in range(rules.num_players):
        seat = left_of(seat, rules.num_players)
        shown = int(s.shown[seat])
        if seat != int(s.contractor) and shown >> ALONE & 1 == 1:
            won, bid = int(s.tricks_won[seat]), lowest(shown >> LEVEL_BID) + 1
            s.points[seat] -= won
            draw(s, seat, max(0, cards_owed(won, bid, 1, rules)), rules)


@rule
def end_round(s, rules):
    """The round is scored, or void: has the match ended? After a played round the deal passes to the left (P-A12, P-A24)."""
    s.deal_over = 1
    s.phase = 0
    s.legal[0] = 0
    s.legal[1] = 0
    s.match_deals += 1
    void = int(s.contractor) == NO_SEAT
    s.forced = void
    if not void and is_over(s, rules):
        s.match_over = 1
        s.winners = leaders(s, rules)
    elif int(s.match_deals) >= rules.max_rounds:
        s.truncated = 1
        s.winners = leaders(s, rules)
    if not void or rules.void_rotates_deal:
        s.dealer = left_of(int(s.dealer), rules.num_players)
    see_deal(s, rules)


@rule
def is_over(s, rules):
    """The contractor has discarded all his cards (P20), as nobody else can (P-A22); or points have reached their target."""
    if int(s.score[int(s.contractor)]) == 0:
        return True
    most = 0
    for seat in range(rules.num_players):
        most = max(most, int(s.points[seat]))
    return rules.points_target > 0 and most >= rules.points_target


@rule
def leaders(s, rules):
    """Lowest burden, then most points (P21, P30, P-A21); or points before burden. What is then level shares."""
    best = 0
    found = 0
    for seat in range(rules.num_players):
        points, burden = int(s.points[seat]), int(s.score[seat])
        value = points * ABOVE_TIES - burden if rules.by_points else points - burden * ABOVE_TIES
        if found == 0 or value > best:
            best = value
            found = 1 << seat
        elif value == best:
            found = found | 1 << seat
    return found
