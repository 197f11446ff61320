"""PPO by self-play in one file, to be read from top to bottom: one network plays all seats of many tables.

    pip install 'card-envs[train]'
    python scripts/examples/cleanrl_style_ppo.py                          # Pitch; ends with a table against the rule bots
    python scripts/examples/cleanrl_style_ppo.py --game pit --total-steps 4000000

What differs from PPO for one player, and what tutorials get wrong with card games:
- Turns do not go round: who wins a trick leads. `view.seat` says who acts at each table; nothing here assumes an order.
- A step pays all seats, and most of them did not move. `advantages` credits each seat's own decisions with what it earned
  until it decided again.
- The mask is part of every decision: of sampling, of its log-probability in the update, and of evaluation.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, fields

import numpy as np
import torch
from torch import nn

import card_envs
from card_envs.agents import Views, legal_flags
from card_envs.agents import load as load_agent
from card_envs.arena import ladder, ladder_table


@dataclass
class Args:
    game: str = "pitch"
    preset: str = "seed"
    seed: int = 1
    total_steps: int = 2_000_000  # decisions, of all seats together
    num_envs: int = 256  # tables
    num_steps: int = 64  # steps of every table between two updates
    learning_rate: float = 1e-3  # falls to zero over the run
    gamma: float = 1.0  # a deal is short, and pays at its end
    gae_lambda: float = 0.95
    num_minibatches: int = 8
    update_epochs: int = 3
    clip_coef: float = 0.2
    ent_coef: float = 0.01
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5
    reward_scale: float = 0.25  # a deal changes a few points
    hidden: int = 256
    eval_deals: int = 2000  # duplicate deals against each rule bot in the end


# --- the network -----------------------------------------------------------------------------------------------------------------


class Policy(nn.Module):
    """Logits of all actions and a value, from one seat's observation."""

    def __init__(self, observation_width: int, num_actions: int, hidden: int):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(observation_width, hidden), nn.ReLU(),
            nn.Linear(hidden, hidden), nn.ReLU(),
        )  # fmt: skip
        self.actor, self.critic = nn.Linear(hidden, num_actions), nn.Linear(hidden, 1)
        nn.init.orthogonal_(self.actor.weight, 0.01)

    def forward(self, observation: torch.Tensor, action_mask: torch.Tensor):
        """(log-probabilities [N, A], values [N]); illegal actions have probability 0."""
        features = self.trunk(observation.float())
        logits = self.actor(features).masked_fill(action_mask == 0, -1e9)  # finite: no NaN can come of it
        return logits.log_softmax(-1), self.critic(features).squeeze(-1)


class PolicyAgent:
    """The network in the arena: its most probable legal action."""

    def __init__(self, policy: Policy, vec):
        self.policy, self.layout, self.num_actions = policy, vec.layout, vec.num_actions

    def act_batch(self, views: Views) -> np.ndarray:
        observation = torch.from_numpy(self.layout.spread(views.words))
        action_mask = torch.from_numpy(legal_flags(views.legal)[:, : self.num_actions])
        with torch.no_grad():
            return self.policy(observation, action_mask)[0].argmax(-1).numpy()


# --- a rollout -------------------------------------------------------------------------------------------------------------------


class Rollout:
    """T steps of B tables. Row t holds a decision of the seat to act, and what the step earned every seat."""

    def __init__(self, args: Args, vec):
        steps, tables = args.num_steps, args.num_envs
        self.observation = torch.zeros(steps, tables, vec.observation_width, dtype=torch.uint8)
        self.action_mask = torch.zeros(steps, tables, vec.num_actions, dtype=torch.int8)
        self.action = torch.zeros(steps, tables, dtype=torch.int64)
        self.log_prob = torch.zeros(steps, tables)
        self.value = torch.zeros(steps, tables)
        self.seat = np.zeros((steps, tables), np.int64)
        self.rewards = np.zeros((steps, tables, vec.num_players), np.float32)
        self.done = np.zeros((steps, tables), np.bool_)

    def collect(self, policy: Policy, vec, view, generator: torch.Generator, reward_scale: float):
        """Play on from a view; returns the last one."""
        for t in range(len(self.action)):
            self.observation[t], self.action_mask[t] = torch.from_numpy(view.observation), torch.from_numpy(view.action_mask)
            self.seat[t] = view.seat
            with torch.no_grad():
                log_probs, self.value[t] = policy(self.observation[t], self.action_mask[t])
            self.action[t] = torch.multinomial(log_probs.exp(), 1, generator=generator).squeeze(-1)
            self.log_prob[t] = log_probs.gather(-1, self.action[t, :, None]).squeeze(-1)
            view = vec.step(self.action[t].numpy())  # raises if an action is not legal
            self.rewards[t], self.done[t] = view.rewards * reward_scale, view.done
        return view


def advantages(rollout: Rollout, gamma: float, gae_lambda: float) -> tuple[np.ndarray, np.ndarray]:
    """GAE over each seat's own decisions: (advantages [T, B], known [T, B]).

    Backwards in time, each seat of each table keeps what it has earned since, and the value and advantage of its next
    decision. A seat's last decision within the rollout is not known yet, and only serves the one before it as a bootstrap.
    """
    num_steps, num_tables, num_seats = rollout.rewards.shape
    value = rollout.value.numpy()
    earned = np.zeros((num_tables, num_seats), np.float32)  # by each seat since the step that is looked at
    next_value, next_advantage = np.zeros_like(earned), np.zeros_like(earned)
    decided = np.zeros((num_tables, num_seats), np.bool_)  # is there a next decision, or an end of the deal?
    found, known = np.zeros((num_steps, num_tables), np.float32), np.zeros((num_steps, num_tables), np.bool_)
    tables = np.arange(num_tables)
    for t in reversed(range(num_steps)):
        over = rollout.done[t]
        earned[over], next_value[over], next_advantage[over], decided[over] = 0, 0, 0, True  # nothing follows an end
        earned += rollout.rewards[t]
        mine = (tables, rollout.seat[t])
        delta = earned[mine] + gamma * next_value[mine] - value[t]
        known[t] = decided[mine]
        found[t] = np.where(known[t], delta + gamma * gae_lambda * next_advantage[mine], 0)
        earned[mine], next_value[mine], next_advantage[mine], decided[mine] = 0, value[t], found[t], True
    return found, known


# --- the update ------------------------------------------------------------------------------------------------------------------


def update(policy: Policy, optimizer, rollout: Rollout, args: Args) -> dict[str, float]:
    """PPO's clipped objective over the decisions whose outcome is known."""
    advantage, known = advantages(rollout, args.gamma, args.gae_lambda)
    rows = torch.from_numpy(np.flatnonzero(known))
    advantage = torch.from_numpy(advantage).flatten()[rows]
    data = (rollout.observation, rollout.action_mask, rollout.action, rollout.log_prob, rollout.value)
    observation, action_mask, action, old_log_prob, value = (array.flatten(0, 1)[rows] for array in data)
    returns = advantage + value
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    kl = entropy = torch.zeros(())
    for _ in range(args.update_epochs):
        for part in torch.randperm(len(rows)).chunk(args.num_minibatches):
            log_probs, new_value = policy(observation[part], action_mask[part])
            log_ratio = log_probs.gather(-1, action[part, None]).squeeze(-1) - old_log_prob[part]
            ratio = log_ratio.exp()
            clipped = ratio.clamp(1 - args.clip_coef, 1 + args.clip_coef)
            policy_loss = -torch.min(ratio * advantage[part], clipped * advantage[part]).mean()
            value_loss = 0.5 * (new_value - returns[part]).square().mean()
            entropy = -(log_probs.exp() * log_probs).sum(-1).mean()
            loss = policy_loss + args.vf_coef * value_loss - args.ent_coef * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), args.max_grad_norm)
            optimizer.step()
            kl = ((ratio - 1) - log_ratio).mean()
    explained = 1 - (returns - value).var() / returns.var()
    return {"entropy": entropy.item(), "kl": kl.item(), "explained": explained.item()}


def main() -> None:
    args = parse()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # the network is small
    generator = torch.Generator().manual_seed(args.seed)

    # `skip_forced`: decisions with one legal action are made by the engine, which leaves half of them.
    vec = card_envs.make_vec(args.game, args.num_envs, preset=args.preset, episode="deal", seed=args.seed, skip_forced=True)
    policy = Policy(vec.observation_width, vec.num_actions, args.hidden)
    optimizer = torch.optim.Adam(policy.parameters(), lr=args.learning_rate, eps=1e-5)
    rollout, view = Rollout(args, vec), vec.reset()

    start, steps_an_update = time.perf_counter(), args.num_envs * args.num_steps
    num_updates = max(1, args.total_steps // steps_an_update)
    for number in range(num_updates):
        optimizer.param_groups[0]["lr"] = args.learning_rate * (1 - number / num_updates)
        view = rollout.collect(policy, vec, view, generator, args.reward_scale)
        metrics = update(policy, optimizer, rollout, args)
        if number % 10 == 9 or number == num_updates - 1:
            steps = (number + 1) * steps_an_update
            shown = "  ".join(f"{name} {value:.3f}" for name, value in metrics.items())
            print(f"{steps:>9} decisions  {steps / (time.perf_counter() - start):>6.0f} a second  {shown}", flush=True)

    opponents = {name: load_agent(name, vec.game, vec.rules, args.seed) for name in ("random", "basic", "expert")}
    results = ladder(vec.game, vec.rules, PolicyAgent(policy, vec), opponents, args.eval_deals, seed=900, name="PPO")
    print(ladder_table(results))


def parse() -> Args:
    """The settings, each of which the command line may replace."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for field in fields(Args):
        kind = type(field.default)
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=kind, default=field.default)
    return Args(**vars(parser.parse_args()))


if __name__ == "__main__":
    main()
