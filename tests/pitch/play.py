"""A table of Pitch with given hands, and a deal played as a line of text."""

from card_envs.cards import card_list, parse_cards
from card_envs.games import load
from card_envs.table import Table

GAME = load("pitch")

REFERENCE_HANDS = ["AS KS 7S TD 4C 2H", "QS 3S AD 9C 8H JH", "JS 5S KD TC 6C AH", "2S 9S QD JC TH 3H"]
REFERENCE_PLAY = "AS 3S JS 2S KS QS 5S 9S 7S 9C TC 3H TD AD KD QD JH AH TH 2H 6C JC 4C 8H"

TWO_OVER_HANDS = ["KS 3S", "AS 2H", "4S TH"]

FOUR_SET = ("High", "Low", "Jack", "Game", "off-jack", "HJ", "LJ", "three")
TEN_SET = ("ace", "two", "jack", "ten", "off-jack", "HJ", "LJ", "three")
CALLS = ("pass", "bid", "name", "moon", "discard")  # texts that are one action though they may be two words


def table(
    hands: list[str], dealer: int, scores: list[int] | None = None, preset: str = "seed", stock: str = "", **options
) -> Table:
    """These hands before the first call: players and hand size are read off them."""
    made = {"num_players": len(hands), "hand_size": len(hands[0].split()), **options}
    opened = Table(GAME, GAME.rules(preset, **made), episode="open")
    opened.reset()
    for side, score in enumerate(scores or ()):
        opened.record.score[side] = score
    return next_deal(opened, hands, dealer, stock)


def next_deal(at: Table, hands: list[str], dealer: int, stock: str = "") -> Table:
    """Another deal of the same match. `stock` is its top; under it lies what is left of the deck, clubs first."""
    given = [parse_cards(hand) for hand in hands]
    top = parse_cards(stock)
    lying = {card for cards in (*given, top) for card in cards}
    rest = [card for card in card_list(at.rules.deck_cards) if card not in lying]
    drawn = {"stock": [*top, *rest][: at.rules.stock_size]} if at.rules.stock_size else {}
    at.open_deal(given, dealer, **drawn)
    return at


def play(at: Table, *actions: str) -> Table:
    """Play actions in turn; a text such as "AS 3S JS 2S" is several cards."""
    for text in actions:
        for action in [text] if text.split()[0].lower() in CALLS else text.split():
            at.step(GAME.parse_action(action, at.rules))
    return at


def legal(at: Table) -> list[str]:
    return at.legal_names()


def hand(at: Table, seat: int) -> list[str]:
    """The cards that a seat holds, sorted like `legal`."""
    return sorted(at.action_names[card] for card in card_list(at.record.hand[seat]))


def why(at: Table, text: str) -> str:
    """Why the seat to act may not do this."""
    action = GAME.parse_action(text, at.rules)
    assert action not in at.legal_actions()
    return GAME.why(at.record, action, at.rules)


def reference_deal(bid: int, **options) -> Table:
    """The whole reference deal: seat 0 bids, names spades, and her side takes tricks 1, 2, 3 and 5 of six.

    High (AS), Jack (JS) and Low (2S) fall in the first trick, taken by seat 0; seat 3 was dealt the 2S. Pips are 35 : 20.
    """
    opened = table(REFERENCE_HANDS, 3, **options)
    return play(opened, f"bid {bid}", "pass", "pass", "pass", "name S", REFERENCE_PLAY)


def level_deal(dealer: int, **options) -> Table:
    """Seat 0 of two bids 2 and makes exactly High and Low (TS, 2S; no jack). Game is level, pips 22 : 22.

    Seat 0 takes TS, TC, QC, seat 1 TD, TH, QH: 10 + 10 + 2 each.
    """
    calls = ["bid 2", "pass"] if dealer == 1 else ["pass", "bid 2"]
    opened = table(["TS TC QC 2D 3H 4H", "2S 4C 5C TD TH QH"], dealer, **options)
    return play(opened, *calls, "name S", "TS 2S TC 4C QC 5C 2D TD TH 3H QH 4H")


def three_players(bid: int, scores: list[int] | None = None, **options) -> Table:
    """Seat 1 bids and wins High and Low with the AS (pips 4), seat 0 wins Game with the TH (pips 10), seat 2 nothing."""
    opened = table(["TH 5D", "AS 2H", "3S 4H"], 0, scores, **options)
    return play(opened, f"bid {bid}", "pass", "pass", "name S", "AS 3S 5D", "2H 4H TH")


def two_over(bidder: int, **options) -> Table:
    """Scores 12, 11, 5 after a bid of 1 by seat 1, who makes it (10 + 1), or by seat 2, who does not (6 - 1).

    The first trick is AS over 4S and KS: High to seat 1, pips 7. In the second the 3S trumps 2H and TH: Low and, with 10 pips,
    Game to seat 0.
    """
    scores = [10, 10, 5] if bidder == 1 else [10, 10, 6]
    calls = ["bid 1", "pass", "pass"] if bidder == 1 else ["pass", "bid 1", "pass"]
    first_trick = "AS 4S KS" if bidder == 1 else "4S KS AS"
    return play(table(TWO_OVER_HANDS, 0, scores, **options), *calls, "name S", first_trick, "2H TH 3S")


def tricks_won(at: Table) -> list[int]:
    """By seat."""
    return at.record.tricks_won[: at.rules.num_players].tolist()


def pips(at: Table) -> list[int]:
    """By side."""
    return at.record.pips[: at.rules.num_sides].tolist()


def points(at: Table) -> dict[str, int]:
    """The side that won each point; points that nobody won are left out."""
    named = zip(TEN_SET if at.rules.points == "ten" else FOUR_SET, at.record.point_side.tolist(), strict=True)
    return {name: side for name, side in named if side >= 0}
