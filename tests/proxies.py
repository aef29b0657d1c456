"""A proxy before PostgreSQL that cuts the connection, or has the server crash, at a COMMIT."""

from __future__ import annotations

import shutil
import socket
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress


class Proxy:
    """Stands between client and server, and cuts the connection at the COMMIT of a transaction that wrote.

    `before`: the server never hears of it. `after`: it has committed, and the client does not hear of it. `at once`: it
    hears of it, and the client is gone before it has done it. `then` is done at the cut; `cuts` counts them.
    """

    def __init__(self, real: str) -> None:
        self.folder = tempfile.mkdtemp(prefix="recoup-proxy-")
        self.cut = ""
        self.cuts = 0
        self.then: Callable[[], None] = lambda: None
        self._real = real
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(f"{self.folder}/.s.PGSQL.5432")
        self._listener.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listener.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _address = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                try:
                    server.connect(f"{self._real}/.s.PGSQL.5432")
                except OSError:  # it is being started again
                    _close(client, server)
                    continue
                _Pair(self, client, server).start()


class _Pair:
    """One client's connection, and its own to the server."""

    def __init__(self, proxy: Proxy, client: socket.socket, server: socket.socket) -> None:
        self._proxy = proxy
        self._client = client
        self._server = server
        self._wrote = False
        """The server said NOTIFY, which every batch ends with, and no COMMIT yet."""

    def start(self) -> None:
        for work in (self._answers, self._questions):
            threading.Thread(target=work, daemon=True).start()

    def _is_cut(self, how: str) -> bool:
        return self._wrote and self._proxy.cut == how

    def _cut(self) -> None:
        self._proxy.cut = ""
        self._proxy.then()
        self._proxy.cuts += 1

    def _questions(self) -> None:
        with suppress(OSError):
            while data := self._client.recv(65536):
                if b"COMMIT\0" in data:
                    if self._is_cut("before"):
                        self._cut()
                        break
                    if self._is_cut("at once"):
                        self._server.sendall(data)
                        self._client.shutdown(socket.SHUT_RDWR)
                        self._client.close()
                        self._cut()
                        return  # the server's end stays open: it does not know yet
                self._server.sendall(data)
        _close(self._client, self._server)

    def _answers(self) -> None:
        with suppress(OSError):
            while data := self._server.recv(65536):
                if b"NOTIFY\0" in data:
                    self._wrote = True
                if b"COMMIT\0" in data:
                    if self._is_cut("after"):
                        self._cut()
                        break
                    self._wrote = False
                self._client.sendall(data)
        _close(self._client, self._server)


def _close(*sockets: socket.socket) -> None:
    for one in sockets:
        with suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)
        one.close()
