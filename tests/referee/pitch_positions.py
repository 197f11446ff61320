"""Option sets and starts for tests of the Pitch referee."""

from .pitch import PitchReferee

SEED = {
    "teams": "none", "suits": 4, "ranks": 13, "hand_size": 6, "min_bid": 1, "max_bid": 4, "dealer_steal": "none",
    "all_pass": "redeal", "trump_method": "name", "follow_rule": "follow_or_trump", "low_to": "taker",
    "game_tie": "none", "made_scores": "earned", "moon": "off", "moon_made": "five", "moon_failed": "minus_five",
    "target": 11, "tie_rule": "bidder", "must_bid_to_win": False, "redeal_poor_hand": False, "max_hands": 100,
    "jokers": 0, "off_jack": False, "joker_rank": "above_ten", "joker_opens": False, "points": "four", "draw": "none",
    "draw_to": 6, "kitty": 0,
}  # fmt: skip
SETBACK6 = {
    **SEED, "teams": "pairs", "jokers": 1, "off_jack": True, "min_bid": 2, "max_bid": 6, "all_pass": "dealer_forced",
    "trump_method": "pitch", "follow_rule": "strict", "must_bid_to_win": True, "target": 21, "max_hands": 200,
}  # fmt: skip
PARTNERS = {  # partners_10pt
    **SEED, "teams": "pairs", "jokers": 2, "off_jack": True, "joker_opens": True, "hand_size": 9, "draw": "bidder_rest",
    "min_bid": 4, "max_bid": 10, "all_pass": "dealer_forced", "follow_rule": "trump_only", "points": "ten",
    "low_to": "holder", "moon": "bid", "moon_made": "game", "moon_failed": "lose_game", "target": 52, "max_hands": 200,
}  # fmt: skip


def start(hands, dealer, scores=None, stock=None, options=SEED, **changes) -> PitchReferee:
    """A match whose hands have as many cards as the first of them; cards are texts such as "AS KH"."""
    referee = PitchReferee({**options, "hand_size": len(hands[0].split()), **changes}, len(hands), scores)
    referee.start_deal(dealer, [hand.split() for hand in hands], None if stock is None else stock.split())
    return referee


def act(referee: PitchReferee, *texts: str) -> PitchReferee:
    for text in texts:
        referee.act(text)
    return referee
