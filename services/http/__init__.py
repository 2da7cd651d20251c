"""The HTTP face: routes, headers and media types over the application service."""
