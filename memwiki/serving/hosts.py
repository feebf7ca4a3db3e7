"""Hosts and origins of requests, in one spelling, compared with the names of a server."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from ipaddress import AddressValueError, IPv4Address, IPv6Address

from memwiki.patterns import pattern

_ADDRESS = pattern(r"(\[[0-9A-Fa-f:.]{2,45}\]|[0-9A-Za-z.-]{1,255})(?::([0-9]{1,5}))?")
_ORIGIN = pattern(r"(?i)https?://([^/]*)")
_LABEL = pattern(r"[0-9a-z](?:[0-9a-z-]{0,61}[0-9a-z])?")


def host_of(text: str) -> str:
    """The host of `HOST` or `HOST:PORT` in one spelling, "" for what is no address: names in lower
    case and without the stop of the root, IPv6 in brackets and short."""
    found = _ADDRESS.fullmatch(text)
    if not found or int(found[2] or 0) > 65_535:
        return ""
    host = found[1].lower()
    if host.startswith("["):
        return _bracketed(host[1:-1])
    name = host.removesuffix(".")
    labels = name.split(".")
    is_name = all(map(_LABEL.fullmatch, labels))
    return name if is_name and (not labels[-1].isdigit() or _is_four(name)) else ""


def _bracketed(text: str) -> str:
    try:
        return f"[{IPv6Address(text)}]"
    except AddressValueError:
        return ""


def _is_four(text: str) -> bool:
    """Whether a name that ends in a number is the address that it looks like."""
    try:
        return str(IPv4Address(text)) == text
    except AddressValueError:
        return False


def is_asked_for(given: Sequence[str], names: Collection[str]) -> bool:
    """Whether the one `Host` of a request is among the names of a server."""
    return len(given) == 1 and host_of(given[0]) in names


def is_from_here(given: Sequence[str], names: Collection[str]) -> bool:
    """Whether a request comes from no web page, or from one of a server of these names."""
    if not given:
        return True
    found = _ORIGIN.fullmatch(given[0])
    return len(given) == 1 and found is not None and host_of(found[1]) in names


def header_texts(headers: Sequence[tuple[bytes, bytes]]) -> Mapping[str, list[str]]:
    """The values of each header."""
    found: dict[str, list[str]] = {}
    for key, value in headers:
        found.setdefault(key.decode("latin-1").lower(), []).append(value.decode("latin-1"))
    return found
