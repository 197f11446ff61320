"""Slow referees, written from the rules alone, to compare the games with."""
