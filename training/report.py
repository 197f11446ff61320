"""`report.html`: the curves of a run in one file that needs nothing else."""

from __future__ import annotations

import base64
import html
import io
import math
from pathlib import Path

from matplotlib.figure import Figure

from training.checkpoint import RunDirectory

RARE = 0.01  # calls that never reach this share are not drawn
PANELS = (
    ("Entropy (nats)", {"play": "play/entropy", "calls": "call/entropy"}),
    ("KL of an update", {"play": "play/kl", "calls": "call/kl"}),
    ("Clip fraction", {"play": "play/clip_fraction", "calls": "call/clip_fraction"}),
    ("Explained variance of the value", {"play": "play/explained_variance", "calls": "call/explained_variance"}),
    ("Agreement with the teacher", {"play": "play/agreement", "calls": "call/agreement"}),
    ("Seconds an iteration", {part: f"{part}_seconds" for part in ("environment", "inference", "learning")}),
    ("Gradient norm", {"before clipping": "grad_norm"}),
)
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
img { max-width: 100% }
table { border-collapse: collapse }
td, th { padding: .2rem .8rem; border-bottom: 1px solid #ddd; text-align: right }
td:first-child, th:first-child { text-align: left }
pre { background: #f5f5f5; padding: 1rem; overflow: auto }
"""


def write_report(run: RunDirectory) -> Path:
    """Draw the run's metrics; returns the file."""
    lines = run.read_metrics()
    settings = (run.path / "config.json").read_text(encoding="utf-8")
    body = [
        f"<h1>{html.escape(run.path.name)}</h1>",
        f"<p>{lines[-1]['decisions']:,} decisions in {lines[-1]['seconds']:.0f} seconds.</p>",
        "<h2>Result on the final deals</h2>",
        _margin_rows(run.read_result()),
        *(_image(figure) for figure in (_margins(lines), _panels(lines), _calls(lines)) if figure is not None),
        "<h2>Settings</h2>",
        f"<pre>{html.escape(settings)}</pre>",
    ]
    place = run.path / "report.html"
    head = f"<!doctype html><meta charset=utf-8><title>{html.escape(run.path.name)}</title><style>{STYLE}</style>"
    place.write_text(head + "\n".join(body) + "\n", encoding="utf-8")
    return place


def _margin_rows(margins: dict[str, dict]) -> str:
    rows = [
        f"<tr><td>{html.escape(name)}<td>{m['mean']:+.3f}<td>{m['low']:+.3f} .. {m['high']:+.3f}<td>{m['deals']:,}"
        for name, m in margins.items()
    ]
    return "<table><tr><th>opponent<th>points a deal<th>95% interval<th>deals" + "".join(rows) + "</table>"


def _millions(lines: list[dict]) -> list[float]:
    return [line["decisions"] / 1e6 for line in lines]


def _margins(lines: list[dict]):
    """Points a deal over each opponent at each checkpoint, or None if nothing was evaluated."""
    evaluated = [line for line in lines if line.get("evaluation")]
    if not evaluated:
        return None
    figure = Figure(figsize=(10, 4), layout="constrained")
    axes = figure.subplots()
    decisions = _millions(evaluated)
    for name in evaluated[-1]["evaluation"]:
        margins = [line["evaluation"][name] for line in evaluated]
        axes.plot(decisions, [m["mean"] for m in margins], label=name)
        axes.fill_between(decisions, [m["low"] for m in margins], [m["high"] for m in margins], alpha=0.2)
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.set(title="Points a deal over each opponent, with 95% intervals (validation deals)", xlabel="million decisions")
    axes.legend()
    return figure


def _panels(lines: list[dict]):
    figure = Figure(figsize=(10, 9), layout="constrained")
    grid = figure.subplots(-(-len(PANELS) // 2), 2, sharex=True)
    decisions = _millions(lines)
    for axes, (title, curves) in zip(grid.flat, PANELS, strict=False):
        for label, name in curves.items():
            axes.plot(decisions, [line.get(name, math.nan) for line in lines], label=label, linewidth=1)
        axes.set_title(title, fontsize=10)
        axes.legend(fontsize=8)
    return figure


def _calls(lines: list[dict]):
    """Share of each call over the run, or None in a game without an auction."""
    totals = [sum(line["calls"].values()) for line in lines]
    if 0 in totals:
        return None
    shares = {name: [line["calls"][name] / total for line, total in zip(lines, totals)] for name in lines[-1]["calls"]}
    shares = {name: share for name, share in shares.items() if max(share) >= RARE}  # a legend of every call would hide the rest
    figure = Figure(figsize=(10, 4), layout="constrained")
    axes = figure.subplots()
    axes.stackplot(_millions(lines), *shares.values(), labels=shares)
    axes.set(title="Share of each call", xlabel="million decisions", ylim=(0, 1))
    axes.legend(fontsize=8, ncols=2, loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def _image(figure) -> str:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110)
    return f'<img alt="" src="data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}">'
