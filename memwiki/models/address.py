"""Where a model is asked: an address that keeps the key, and whether it is this machine."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from memwiki.models.faults import ModelAddressError

_HINT = "write an address such as http://127.0.0.1:11434/v1 in base_url"


class Address(NamedTuple):
    """An address up to /v1, its host, and whether that is this machine."""

    url: str
    host: str
    is_local: bool

    @property
    def is_tls(self) -> bool:
        """Whether what is sent there is encrypted."""
        return self.url.startswith("https:")


def address_of(base_url: str, http_hosts: Collection[str] = ()) -> Address:
    """The address that is set; ModelAddressError for one that would give away a key or a text."""
    parts = _split(base_url)
    host = (parts.hostname or "").lower()
    if parts.scheme not in ("http", "https") or not host:
        raise ModelAddressError("base_url: is not the address of a server", _HINT)
    if parts.username or parts.password or parts.query or parts.fragment:
        what = "holds more than host and path, such as a key"
        raise ModelAddressError(f"base_url: {what}", "name the variable of the key in key_env")
    is_local = is_this_machine(host)
    if parts.scheme == "http" and not is_local and host not in map(str.lower, http_hosts):
        hint = "use https, or add the host to http_hosts of the same table"
        raise ModelAddressError(f"{host}: is another machine, and http is not encrypted", hint)
    return Address(base_url.rstrip("/"), host, is_local)


def _split(base_url: str) -> SplitResult:
    try:
        parts = urlsplit(base_url)
        _ = parts.port
    except ValueError as error:
        raise ModelAddressError("base_url: is not an address", _HINT) from error
    if not (base_url.isascii() and base_url.isprintable()) or " " in base_url:
        raise ModelAddressError("base_url: holds what no address holds", _HINT)
    return parts


def is_this_machine(host: str) -> bool:
    """Whether a host is this machine for sure: what is sent there leaves it only by what listens
    there."""
    from ipaddress import ip_address

    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
