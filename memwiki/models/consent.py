"""Which hosts a workspace may be sent to: what its user allowed, and this machine."""

from __future__ import annotations

from pathlib import Path

from memwiki.config.models import UserModels
from memwiki.config.schema import ModelsConfig
from memwiki.models.address import Address
from memwiki.models.faults import ModelNotAllowedError


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
