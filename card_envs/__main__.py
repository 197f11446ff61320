"""The `card-envs` command, also as `python -m card_envs`; says what to install when the command line's packages are missing."""

from __future__ import annotations

import sys


def main() -> None:
    try:
        from card_envs.cli import main as command
    except ModuleNotFoundError as missing:
        if missing.name not in ("typer", "rich"):
            raise
        sys.exit(f"card-envs: the command line needs {missing.name}: pip install 'card-envs[play]'")
    command()


if __name__ == "__main__":
    main()
