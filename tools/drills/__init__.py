"""Drills: what goes wrong in the field, done on purpose, and what is then lost (nothing), doubled (nothing), and how long it lasts."""
