"""What a run says while it trains: a bar on a terminal, plain lines elsewhere, TensorBoard files if it is installed."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from training.config import Config

SECONDS_BETWEEN_LINES = 10.0


class RunProgress(ExitStack):
    """Shows a run. With shown=False, for all processes but the first, it does nothing."""

    def __init__(self, config: Config, run_path: Path, shown: bool):
        super().__init__()
        self.config, self.run_path, self.shown = config, run_path, shown
        self.num_iterations = config.num_iterations
        self.console = Console(highlight=False)
        self.bar = self.board = None
        self.margins = ""
        self.last_line = float("-inf")

    def __enter__(self) -> RunProgress:
        if self.shown:
            self.say(f"{self.config.to_text()}\nrun directory: {self.run_path}")
            self.board = _tensorboard(self.run_path)
            if self.board is not None:
                self.callback(self.board.close)
            if self.console.is_terminal:
                columns = (BarColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
                self.bar = self.enter_context(Progress(*columns, console=self.console))
                self.task = self.bar.add_task("", total=self.num_iterations)
        return self

    def say(self, text: str) -> None:
        if self.shown:
            self.console.print(text, markup=False, soft_wrap=True)

    def iteration(self, metrics: dict) -> None:
        """Show one iteration's metrics."""
        if not self.shown:
            return
        if self.board is not None:
            for name, value in metrics.items():
                if isinstance(value, (int, float)):
                    self.board.add_scalar(name, value, metrics["decisions"])
        line = (
            f"{metrics['iteration']}/{self.num_iterations}  {metrics['decisions'] / 1e6:.2f} M decisions  "
            f"{metrics['decisions_per_second']:,.0f}/s  entropy {metrics['play/entropy']:.2f} play "
            f"{metrics['call/entropy']:.2f} calls  {self.margins}"
        )
        if self.bar is not None:
            self.bar.update(self.task, completed=metrics["iteration"], description=line)
        elif time.monotonic() - self.last_line > SECONDS_BETWEEN_LINES or metrics["iteration"] == self.num_iterations:
            self.last_line = time.monotonic()
            self.say(line)

    def evaluation(self, iteration: int, evaluation: dict) -> None:
        self.margins = "  ".join(f"{name} {result['mean']:+.2f}" for name, result in evaluation.items())
        if self.bar is None and evaluation:
            self.say(f"{iteration}/{self.num_iterations}  evaluated: {self.margins}")


def _tensorboard(path: Path):
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError:
        return None
    return SummaryWriter(str(path / "tensorboard"))
