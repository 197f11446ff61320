"""The loop over agents, and PettingZoo's order enforcement, without the cost of looking every name up through a wrapper."""

from __future__ import annotations

from operator import attrgetter

from pettingzoo.utils.env import AECIterable
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import OrderEnforcingWrapper
from pettingzoo.utils.wrappers.order_enforcing import AECOrderEnforcingIterable


class Turns(AECIterable):
    """What `agent_iter` returns."""

    def __iter__(self):
        env, left = self.env, self.max_iter
        while env.agents and left > 0:
            left -= 1
            yield env.agent_selection


class TurnsInOrder(AECOrderEnforcingIterable):
    """The same, refusing to go on where nobody has stepped."""

    def __iter__(self):
        order, left = self.env, self.max_iter
        env = order.env
        while env.agents and left > 0:
            left -= 1
            agent = env.agent_selection
            assert order._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
            order._has_updated = False
            yield agent


def after_reset(name: str) -> property:
    """An attribute of the environment inside, which there is from the first reset on."""
    read = attrgetter(f"env.{name}")

    def checked(self):
        if not self._has_reset:
            raise AttributeError(f"{name} cannot be accessed before reset")
        return read(self)

    return property(checked)


class InOrder(OrderEnforcingWrapper):
    """PettingZoo's wrapper with the same checks, errors and warnings; what it looks up by name is reached directly."""

    agents = after_reset("agents")
    agent_selection = after_reset("agent_selection")
    rewards = after_reset("rewards")
    terminations = after_reset("terminations")
    truncations = after_reset("truncations")
    infos = after_reset("infos")
    _cumulative_rewards = property(attrgetter("env._cumulative_rewards"))

    def last(self, observe: bool = True):
        return self.env.last(observe) if self._has_reset else super().last(observe)

    def step(self, action) -> None:
        if self._has_reset and self.env.agents:
            self._has_updated = True
            self.env.step(action)
        else:
            super().step(action)

    def agent_iter(self, max_iter: int = 2**63):
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return TurnsInOrder(self, max_iter)

    def __str__(self) -> str:
        return str(self.env)
