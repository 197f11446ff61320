"""A table of Pit with given hands, and rounds in which every seat takes as many tricks as a test wants."""

from card_envs.cards import CARD_NAMES, RANKS, parse_card, parse_cards
from card_envs.games import load
from card_envs.table import Table

GAME = load("pit")

UPCARD = "2S"  # spades are trump
HANDS = ["AC KC QC 7D 6D 5H 4S", "JC TC 9C AD KD 4H 3S", "8C 7C 6C QD JD AH KH", "5C 4C 3C TD 9D QH JH"]


def table(
    hands: list[str], dealer: int, upcard: str = UPCARD, start: dict | None = None, preset: str = "seed", **options
) -> Table:
    """These hands before the first call: players and, where they hold fewer cards than usual, tricks are read off them."""
    size = len(hands[0].split())
    made = {"num_players": len(hands), **options}
    if size < 6:
        made = {"hand_size": size, "min_bid": 1, "max_bid": min(5, size), **made}
    opened = Table(GAME, GAME.rules(preset, **made), episode="open")
    opened.reset(start)
    return next_round(opened, hands, dealer, upcard)


def next_round(at: Table, hands: list[str], dealer: int, upcard: str = UPCARD) -> Table:
    """Another round of the same match."""
    at.open_deal([parse_cards(hand) for hand in hands], dealer, upcard=parse_card(upcard))
    return at


def play(at: Table, *actions: str) -> Table:
    """Play actions in turn; a text such as "AS 3S JS" is several cards, "bid 3, pass" several calls."""
    for text in actions:
        calls = text.split(", ") if text.split()[0].strip(",") in ("pass", "bid") else text.split()
        for action in calls:
            at.step(GAME.parse_action(action, at.rules))
    return at


def legal(at: Table) -> list[str]:
    return at.legal_names()


def auction(calls: str = "", **options) -> Table:
    """Four players, seat 3 deals, so seat 0 speaks first."""
    opened = table(HANDS, 3, **options)
    return play(opened, calls) if calls else opened


# --- whole rounds ------------------------------------------------------------------------------------------------------------


def tricks_for(winners: list[int], num_players: int) -> list[list[str]]:
    """By trick the cards by seat: all of one suit, the highest to the winner. The twos are never among them."""
    per_suit = 13 // num_players
    found = []
    for trick, winner in enumerate(winners):
        top = 12 - num_players * (trick % per_suit)
        ranks = iter(RANKS[top - place] for place in range(1, num_players))
        suit = "CDHS"[trick // per_suit]
        found.append([(RANKS[top] if seat == winner else next(ranks)) + suit for seat in range(num_players)])
    return found


def order_of(won: list[int]) -> list[int]:
    """Who wins each trick: seat 0 its tricks first, and so on."""
    return [seat for seat, tricks in enumerate(won) for _ in range(tricks)]


def round_of(
    won: list[int], calls: str, dealer: int | None = None, start: dict | None = None, at: Table | None = None, **options
) -> Table:
    """A round after these calls in which the seats take so many tricks; the last seat deals unless another is said.

    `at`: the next round of that match. A growing hand's further cards are the lowest that are left.
    """
    num_players = len(won)
    tricks = tricks_for(order_of(won), num_players)
    dealer = num_players - 1 if dealer is None else dealer
    if at is None:
        at = Table(GAME, GAME.rules(options.pop("preset", "seed"), **{"num_players": num_players, **options}), episode="open")
        at.reset(start)
    hands = [[cards[seat] for cards in tricks] for seat in range(num_players)]
    left = [card for card in CARD_NAMES[:52] if card != UPCARD and not any(card in hand for hand in hands)]
    for hand, size in zip(hands, at.hand_sizes()):
        hand += [left.pop(0) for _ in range(size - len(hand))]
    play(next_round(at, [" ".join(hand) for hand in hands], dealer), calls)
    while not at.record.deal_over:
        play(at, tricks[int(at.record.tricks_played)][at.turn])
    return at


def burdens(at: Table) -> list[int]:
    return at.scores()


def points(at: Table) -> list[int]:
    return at.record.points[: at.rules.num_players].tolist()


def tricks_won(at: Table) -> list[int]:
    return at.record.tricks_won[: at.rules.num_players].tolist()


def bank(at: Table) -> int:
    return int(at.record.bank)


def contract(at: Table) -> tuple[int, int, bool] | None:
    """(seat, level, alone) once the auction is over."""
    s = at.record
    return (int(s.contractor), int(s.bid), bool(s.bid_alone)) if s.contractor >= 0 else None
