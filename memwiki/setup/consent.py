"""Which hosts a workspace may be sent to, written into the user's own settings."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from memwiki.config.models import load_user_models, with_allowed
from memwiki.errors import UsageError
from memwiki.models.address import allowed_hosts, folder_key, is_this_machine
from memwiki.nouns import Environ
from memwiki.setup.named import change_user_file
from memwiki.text import pattern

_HOST = pattern(r"[a-z0-9_](?:[a-z0-9_.:-]{0,251}[a-z0-9_])?")


def allow(root: Path, host: str, environ: Environ, *, is_removed: bool = False) -> tuple[str, ...]:
    """Let a workspace be sent to a host, or no more; give the hosts it may be sent to."""
    name = _host_of(host)
    known = allowed_hosts(load_user_models(environ), root)
    hosts = [each for each in known if each != name] + ([] if is_removed else [name])
    change_user_file(
        environ, lambda text, source: with_allowed(text, folder_key(root), hosts, source)
    )
    return allowed_hosts(load_user_models(environ), root)


def _host_of(given: str) -> str:
    """A host, also from an address."""
    try:
        name = ((urlsplit(given).hostname if "//" in given else given) or "").lower()
    except ValueError:
        name = ""
    if not _HOST.fullmatch(name):
        hint = "memwiki models allow openrouter.ai"
        raise UsageError("models allow: give the host of the model's server", hint)
    if is_this_machine(name):
        what = "is this machine, which needs no consent"
        raise UsageError(f"models allow: {name} {what}", "memwiki models")
    return name
