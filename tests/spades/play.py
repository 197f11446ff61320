"""A table of Spades with given hands, calls and cards as lines of text, and deals in which the tricks went as wanted."""

from card_envs.cards import CARD_NAMES, card_list, parse_card, parse_cards
from card_envs.games import load
from card_envs.games.spades.play import BLIND, GIVING, PLAYING
from card_envs.table import Table

GAME = load("spades")

# Seat 0 holds the clubs from the 2 to the ace, seat 1 the diamonds, seat 2 the hearts, seat 3 the spades.
SUITS = [" ".join(f"{rank}{suit}" for rank in "AKQJT98765432") for suit in "CDHS"]
MIXED = ["AS KH 2C 5D", "QS 3C 9D 8H", "JS 4C TD 7H", "2S 9C KD 6H"]


def table(
    hands: list[str], dealer: int = 3, scores: list[int] | None = None, bags: list[int] | None = None, preset: str = "seed",
    **options,
) -> Table:  # fmt: skip
    """These hands before the first call: players and hand size are read off them."""
    made = {"num_players": len(hands), "hand_size": len(hands[0].split()), **options}
    opened = Table(GAME, GAME.rules(preset, **made), episode="open")
    opened.reset()
    for side, score in enumerate(scores or ()):
        opened.record.score[side] = score
    for side, count in enumerate(bags or ()):
        opened.record.bags[side] = count
    return next_deal(opened, hands, dealer)


def next_deal(at: Table, hands: list[str], dealer: int) -> Table:
    """Another deal of the same match."""
    at.open_deal([parse_cards(hand) for hand in hands], dealer)
    return at


def play(at: Table, *actions: str) -> Table:
    """Play actions in turn; a text such as "AS 3S JS 2S" is several cards."""
    for text in actions:
        for action in [text] if text.split()[0].lower() in ("bid", "blind", "nil", "look", "name", "give") else text.split():
            at.step(GAME.parse_action(action, at.rules))
    return at


def bid(at: Table, *bids: str) -> Table:
    """Bids in turn: a number, N for nil, B for blind nil, B6 and B7; who bids with open eyes looks where that is asked."""
    for text in bids:
        if not text.startswith("B") and int(at.record.phase) == BLIND:
            play(at, "look")
        play(at, {"N": "nil", "B": "blind nil", "B6": "blind 6", "B7": "blind 7"}.get(text, f"bid {text}"))
    return at


def exchange(at: Table) -> Table:
    """Whoever has to give cards gives the lowest."""
    while int(at.record.phase) == GIVING:
        at.step(at.legal_actions()[0])
    return at


def dealt(rules) -> list[str]:
    """Any hands of these rules."""
    cards = card_list(rules.deck_cards)
    return [
        " ".join(CARD_NAMES[card] for card in cards[seat :: rules.num_players][: rules.cards_each])
        for seat in range(rules.num_players)
    ]


def last_trick(at: Table, won: list[int]) -> Table:
    """Put the bid deal before its last trick, all others won so that in the end each seat has won so many; and play it."""
    assert sum(won) == at.rules.cards_each
    winner = next(seat for seat, tricks in enumerate(won) if tricks)
    s = at.record
    for seat in range(at.rules.num_players):
        s.tricks_won[seat] = won[seat] - (seat == winner)
        s.hand[seat] = 1 << parse_card("AS" if seat == winner else f"{seat + 3}H")
    s.tricks_played = at.rules.cards_each - 1
    s.phase, s.opening, s.turn, s.broken = PLAYING, 0, winner, 1
    s.legal[0] = s.hand[winner]
    while not s.deal_over:
        at.step(at.legal_actions()[0])
    return at


def finished(bids: str, won: str, others: str = "1/1", preset: str = "seed", dealer: int = 3, **settings) -> Table:
    """A whole deal of two pairs: bids and tricks of seats 0 and 2 as "4/3", the other bids, all other tricks to seat 1."""
    own, theirs, tricks = bids.split("/"), others.split("/"), [int(number) for number in won.split("/")]
    rules = {name: value for name, value in settings.items() if name not in ("scores", "bags")}
    at = table(dealt(GAME.rules(preset, **rules)), dealer, preset=preset, **settings)
    order = [own[0], theirs[0], own[1], theirs[1]]
    exchange(bid(at, *(order[(dealer + 1 + place) % 4] for place in range(4))))
    return last_trick(at, [tricks[0], at.rules.cards_each - sum(tricks), tricks[1], 0])


def outcome(at: Table, side: int = 0) -> tuple[int, int]:
    """(change of the side's score by the deal, its bags after it)."""
    return int(at.record.change[side]), int(at.record.bags[side])


def legal(at: Table) -> list[str]:
    return at.legal_names()


def bids(at: Table) -> set[str]:
    """The bids that may be made, short: numbers and N."""
    return {"N" if name == "nil" else name.removeprefix("bid ") for name in legal(at)}


def numbers(first: int, last: int) -> set[str]:
    return {str(number) for number in range(first, last + 1)}


def tricks_won(at: Table) -> list[int]:
    """By seat."""
    return at.record.tricks_won[: at.rules.num_players].tolist()
