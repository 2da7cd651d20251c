"""Development and operations scripts."""
