"""Which pages an editing verb may change."""

from __future__ import annotations

from memwiki.errors import NotEditableError
from memwiki.model import Layers


def require_editable(path: str, layers: Layers) -> None:
    """Refuse to change a source as it came."""
    if is_raw(path, layers):
        raise NotEditableError(
            f"{path}: lies in {layers.raw}/, where sources stay as they came",
            hint="write what you have to say about it on a page of its own",
            path=path,
        )


def is_raw(path: str, layers: Layers) -> bool:
    """Whether a page is a source as it came, which memwiki never changes."""
    return bool(layers.raw) and path.startswith(f"{layers.raw}/")
