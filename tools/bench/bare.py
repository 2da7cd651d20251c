"""``python -m tools.bench.bare FILE``: a bare ASGI application that answers every request with the bytes of a file, on the server
that Paipu runs on. Its address is the first line of output.
"""

import socket
import sys
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

import uvicorn

Message = MutableMapping[str, Any]


def bare(content: bytes) -> Callable[[Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]]:
    """An application that answers ``content`` and does nothing else."""
    start: Message = {
        "type": "http.response.start",
        "status": 200,
        "headers": [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())],
    }
    body: Message = {"type": "http.response.body", "body": content}

    async def application(scope: Message, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]) -> None:
        await send(start)
        await send(body)

    return application


def main(file: str) -> None:
    """Serve until SIGTERM."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/", flush=True)
    config = uvicorn.Config(bare(Path(file).read_bytes()), access_log=False, log_config=None, server_header=False, lifespan="off")
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main(sys.argv[1])
