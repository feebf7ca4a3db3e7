"""A seal on what undoes a change, so that a folder from elsewhere cannot bring changes along."""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from typing import Any

from memwiki.digest import blake2b

_SEAL = "seal"


def sealed(fields: Mapping[str, Any], key: bytes) -> dict[str, Any]:
    """The fields with the seal of this key; without one where there is no key."""
    plain = {name: value for name, value in fields.items() if name != _SEAL}
    return plain | {_SEAL: _seal(plain, key)} if key else plain


def is_sealed(fields: Mapping[str, Any], key: bytes) -> bool:
    """Whether fields are as they were when they were sealed with this key."""
    seal = fields.get(_SEAL)
    if not (key and isinstance(seal, str)):
        return False
    plain = {name: value for name, value in fields.items() if name != _SEAL}
    try:
        return hmac.compare_digest(_seal(plain, key).encode(), seal.encode("utf-8", "replace"))
    except RecursionError:
        return False


def _seal(fields: Mapping[str, Any], key: bytes) -> str:
    text = json.dumps(fields, sort_keys=True)  # in ASCII: half a character cannot be encoded
    return blake2b(text.encode(), digest_size=16, key=key).hexdigest()
