"""A program that uses the embedded server: joins, says how to connect, and leaves when its standard input ends."""

import sys
from pathlib import Path

from services.store.embedded import EmbeddedServer

server = EmbeddedServer(Path(sys.argv[1]))
server.join()
sys.stdout.write(server.conninfo() + "\n")
sys.stdout.flush()
sys.stdin.read()
server.leave()
