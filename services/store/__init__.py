"""The append-only log in PostgreSQL."""
