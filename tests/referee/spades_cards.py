"""The packs of Spades for the slow referee, and what its jokers and high deuces count as."""

from types import SimpleNamespace

SUITS = "CDHS"
RANKS = "23456789TJQKA"
JOKERS = ["LJ", "HJ"]
REMOVED = {  # from the 52 cards
    "full": [], "no_2c": ["2C"], "no_2d": ["2D"], "no_2c_2d": ["2C", "2D"], "no_deuces": ["2C", "2D", "2H", "2S"],
    "jokers": [], "jokers_no_2c_2d": ["2C", "2D"], "jokers_no_2h_2d": ["2H", "2D"], "jjdd": ["2H", "2C"],
}  # fmt: skip


def deck_of(rules: SimpleNamespace, num_players: int) -> list[str]:
    removed = REMOVED[rules.deck]
    whole = (rules.suits, rules.ranks) == (4, 13)
    if num_players == 3 and rules.deck == "full" and rules.hand_size == 0 and whole:
        removed = ["2C"]  # so that 17 each are left
    deck = [rank + suit for suit in SUITS[-rules.suits :] for rank in RANKS[-rules.ranks :] if rank + suit not in removed]
    return deck + JOKERS if rules.deck.startswith("j") else deck


def suit_of(card: str, rules: SimpleNamespace, trump: str) -> str:
    """Jokers, and the high deuce of diamonds, are trumps in everything."""
    if card in JOKERS or (card == "2D" and rules.deck == "jjdd"):
        return trump
    return card[1]


def strength(card: str, rules: SimpleNamespace) -> int:
    """Within its suit."""
    high = ["2S", "2D", *JOKERS] if rules.deck == "jjdd" else JOKERS
    return len(RANKS) + high.index(card) if card in high else RANKS.index(card[0])
