"""The key of a server: comes once in the fragment of an address, and is exchanged for a cookie."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from typing import NamedTuple

from memwiki.serving.listening import host_of

_TICKET_NS = 60 * 10**9
_LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")


class AccessKey(NamedTuple):
    """Where a server is asked for, and what it asks of whoever does."""

    token: str
    port: int
    names: tuple[str, ...] = ()  # other names that it has, under any port

    @classmethod
    def fresh(cls, port: int) -> AccessKey:
        """One of 256 bits, for this machine alone."""
        return cls(secrets.token_urlsafe(32), port)

    @property
    def cookie(self) -> str:
        """The name of the cookie: browsers keep one jar for all ports of a host."""
        return f"memwiki-{self.port}"

    @property
    def session(self) -> str:
        """What the cookie holds: proves the token, and does not tell it."""
        return self._signed("session")

    def is_host(self, authority: str) -> bool:
        """Whether this is a name of the server, and where it is one of this machine, our port."""
        host = host_of(authority)
        if host in {host_of(name) for name in self.names}:
            return bool(host)
        port = authority.rpartition(":")[2] if not authority.endswith("]") else ""
        given = port if port.isdigit() and port != authority else "80"
        return host in _LOCAL_NAMES and int(given) == self.port

    def is_origin(self, origin: str, host: str) -> bool:
        """Whether a request comes from a page of this server: from where it goes, port and all."""
        scheme, _, authority = origin.partition("://")
        is_same = authority.lower() == host.lower()
        return scheme in ("http", "https") and is_same and self.is_host(authority)

    def ticket(self, now: int) -> str:
        """What opens the page once, within a minute: all users of a machine see the words with
        which a browser is started."""
        stamp = f"{now}-{secrets.token_urlsafe(12)}"
        return f"{stamp}.{self._signed(stamp)}"

    def is_ticket(self, given: str, now: int) -> bool:
        """Whether this is one that can still be used."""
        stamp, _, proof = given.partition(".")
        at = stamp.partition("-")[0]
        is_ours = hmac.compare_digest(proof.encode(), self._signed(stamp).encode())
        return is_ours and 0 <= now - int(at) <= _TICKET_NS

    def _signed(self, text: str) -> str:
        return hmac.new(self.token.encode(), text.encode(), "sha256").hexdigest()

    def is_token(self, given: str) -> bool:
        """Whether this is the token."""
        return hmac.compare_digest(given.encode(), self.token.encode())

    def is_known(self, cookies: Iterable[str]) -> bool:
        """Whether one of these headers has our cookie."""
        wanted = self.session
        return any(hmac.compare_digest(each, wanted) for each in self._values(cookies))

    def _values(self, cookies: Iterable[str]) -> Iterable[str]:
        for text in cookies:
            try:
                found = SimpleCookie(text).get(self.cookie)
            except CookieError:
                continue
            if found is not None and found.value.isascii():
                yield found.value
