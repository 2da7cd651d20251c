"""All input and output: the store, the application service and its faces."""
