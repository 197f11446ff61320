"""Pit as a `Game`."""

from card_envs.game import Game
from card_envs.games.pit import bot, observe, rules, table, text

GAME = Game(
    name="pit",
    title="Pit",
    options=rules.PitRules,
    presets=rules.PRESETS,
    player_counts=rules.PLAYER_COUNTS,
    fields=table.FIELDS,
    seldom_fields=table.SELDOM_FIELDS,
    new_match=table.new_match,
    deal=table.deal,
    open_deal=table.open_deal,
    legal=table.legal,
    apply=table.apply,
    observe=observe.observe,
    groups=observe.groups,
    actions=rules.call_names,
    public=text.public,
    show=text.show,
    why=text.why,
    bots={"basic": bot.basic, "expert": bot.expert},
    start_fields={"burdens": "score", "points": "points", "bank": "bank", "forced": "forced"},
    start_lowest={"burdens": 1, "bank": 0},
    deal_cards=table.deal_cards,
    hand_sizes=table.hand_sizes,
    gain=table.gain,
)
