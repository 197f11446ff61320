"""Spades as a `Game`."""

from card_envs.cards import NUM_CARDS
from card_envs.game import Game
from card_envs.games.spades import bot, expert, observe, presets, rules, table, text

GAME = Game(
    name="spades",
    title="Spades",
    options=rules.SpadesRules,
    presets=presets.PRESETS,
    player_counts=presets.PLAYER_COUNTS,
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
    start_fields={"scores": "score", "bags": "bags"},
    start_lowest={"bags": 0},
    private=range(rules.GIVE_0, rules.GIVE_0 + NUM_CARDS),
    bots={"basic": bot.basic, "expert": expert.expert},
)
