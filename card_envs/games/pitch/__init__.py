"""Pitch as a `Game`."""

from card_envs.cards import NUM_CARDS
from card_envs.game import Game
from card_envs.games.pitch import bot, observe, rules, table, text

GAME = Game(
    name="pitch",
    title="Pitch",
    options=rules.PitchRules,
    presets=rules.PRESETS,
    player_counts=rules.PLAYER_COUNTS,
    fields=table.FIELDS,
    seldom_fields=table.SELDOM_FIELDS,
    max_history=rules.MAX_ACTIONS,
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
    deal_cards=table.deal_cards,
    private=range(rules.DISCARD_0, rules.DISCARD_0 + NUM_CARDS),
)
