"""What may leave a workspace and where it may go: files, addresses that keep the key, consent."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from memwiki.answers.curation import OutgoingRequest
from memwiki.config.models import ServerConfig, UserModels
from memwiki.config.schema import ModelsConfig
from memwiki.errors import NotFoundError
from memwiki.files.ignore import Ignore, pattern_of, why_ignored
from memwiki.files.read import SharedRoot, read
from memwiki.models.faults import ModelAddressError, ModelNotAllowedError
from memwiki.models.port import Spent
from memwiki.names import normalised
from memwiki.scope import Scope
from memwiki.secrets import without_secrets


class OutgoingFiles:
    """The files of a workspace that a model may be sent, each without what is private or secret:
    `root` is that of its public view."""

    def __init__(self, root: Path, ignore: Ignore, scope: Scope, withhold: tuple[str, ...]) -> None:
        self._root, self._ignore, self._scope = root, ignore, scope
        self._withhold = [(each, pattern_of(each)) for each in withhold]

    def why_kept(self, path: str) -> str:
        """Why nothing of a file is sent; "" where it may be."""
        if not self._scope.sees(path):
            return "it is in another namespace, or put away"
        for text, pattern in self._withhold:
            if pattern is None or pattern.match_file(normalised("NFC", path)) is not None:
                return f"models.withhold names {text}"
        if isinstance(self._root, SharedRoot):
            return ""  # what is left out is not fed
        return why_ignored(Path(self._root), path, ignore=self._ignore)

    def text_of(self, path: str) -> str:
        """What of a page may be sent. Raises NotFoundError for one that is kept back as a whole."""
        if why := self.why_kept(path):
            raise NotFoundError.at(path, f"is kept back ({why})", "leave it out")
        data = read(self._root, path)
        return sendable(data.decode("utf-8", "replace"))


def sendable(text: str) -> str:
    """A text without what looks like a secret."""
    return without_secrets(text)


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


def allowed_hosts(models: UserModels, root: Path) -> tuple[str, ...]:
    """The hosts that were allowed for a workspace, this machine aside."""
    return models.allow.get(folder_key(root), ())


def folder_key(root: Path) -> str:
    """How a workspace is called in `[models.allow]`: by its real folder."""
    return str(Path(root).resolve())


def require_allowed(
    address: Address, models: UserModels, narrowed: ModelsConfig, root: Path
) -> None:
    """Refuse a host to which nothing of this workspace may be sent.

    This machine needs no consent: to name a server on it is the user's own decision already, and
    nothing leaves the machine by it. A workspace that says no is asked nothing at all.
    """
    require_enabled(narrowed, address.host)
    if not address.is_local and address.host not in allowed_hosts(models, root):
        raise ModelNotAllowedError(address.host)


def require_enabled(narrowed: ModelsConfig, host: str) -> None:
    """Refuse a workspace that says no."""
    if not narrowed.enabled:
        raise ModelNotAllowedError(host, "models.enabled is false in this workspace")


def request_to(
    address: Address, path: str, server: ServerConfig, body: Mapping[str, object], spent: Spent
) -> OutgoingRequest:
    """A request as it is sent, which is what a dry run shows; `spent` is what it takes at most."""
    data = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
    return OutgoingRequest(
        address.host,
        f"{address.url}{path}",
        server.model,
        len(data),
        spent.tokens_in,
        spent.tokens_out,
        price_of(spent, server),
        data.decode(),
    )


def price_of(spent: Spent, server: ServerConfig) -> float | None:
    """What so many tokens cost; None where it is unknown."""
    price_in, price_out = server.price_in, getattr(server, "price_out", 0)  # vectors are no words
    if price_in is None or price_out is None:
        return None
    return (spent.tokens_in * price_in + spent.tokens_out * price_out) / 1e6
