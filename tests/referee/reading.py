"""What every game's kernels and referee can be asked, in the same words: adapters add what is their game's own."""

from card_envs.cards import CARD_NAMES
from card_envs.table import Table


def fields(table: Table) -> dict:
    """The table's record, read at once: field by field it takes most of the test's time."""
    return dict(zip(table.record.dtype.names, table.record.item(), strict=True))


def legal_texts(table: Table, s: dict) -> list[str]:
    texts = []
    for word, bits in enumerate(s["legal"].tolist()):
        while bits := bits & (1 << 64) - 1:
            texts.append(table.action_names[64 * word + (bits & -bits).bit_length() - 1])
            bits &= bits - 1
    return sorted(texts)


def kernel_state(table: Table, s: dict) -> dict:
    """A trick-taking game's table at a decision; `s` are its `fields`."""
    num_players = table.rules.num_players
    trick = [s["trick"][(s["leader"] + place) % num_players] for place in range(num_players)] if s["trick_cards"] else []
    return {
        "to_act": None if s["deal_over"] else s["turn"],
        "legal": legal_texts(table, s),
        "trick": [CARD_NAMES[card] for card in trick if card >= 0],
        "tricks_won": s["tricks_won"].tolist()[:num_players],
        "scores": s["score"].tolist()[: table.rules.num_sides],
    }


def kernel_outcome(table: Table, s: dict) -> dict:
    """How a deal ended."""
    num_sides = table.rules.num_sides
    return {
        "change": s["change"].tolist()[:num_sides],
        "scores": s["score"].tolist()[:num_sides],
        "winners": [side for side in range(num_sides) if s["winners"] >> side & 1],
        "truncated": bool(s["truncated"]),
        "terminated": bool(s["match_over"]),
        "over": bool(s["ended"]),
        "next_dealer": s["dealer"],
    }


def referee_outcome_of(referee) -> dict:
    return {
        "change": referee.deal_scores[-1],
        "scores": referee.scores,
        "winners": referee.winners,
        "truncated": referee.truncated,
        "terminated": referee.match_over and not referee.truncated,
        "over": referee.match_over,
        "next_dealer": referee.next_dealer,
    }
