"""Frozen msgspec shapes of everything that stands on the log or on the wire, and nothing else."""
