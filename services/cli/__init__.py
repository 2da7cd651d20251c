"""The command line: thin commands over the application service, the formats and the engine."""
