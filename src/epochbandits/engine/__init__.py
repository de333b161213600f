"""Engines: `reference` reads like the paper's Algorithm 1; `fast`, compiled, has the same law."""
