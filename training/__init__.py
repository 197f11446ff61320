"""PPO self-play on the batch engine: `python -m training.train configs/<name>.toml`."""
