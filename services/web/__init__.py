"""The pages for people: read-only, made on the server, without scripts."""
