"""What may leave a workspace, and what is kept back; and a request as it is sent, to the byte."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from memwiki.errors import NotFoundError
from memwiki.files.ignore import Ignore, pattern_of, why_ignored
from memwiki.files.read import read
from memwiki.scope import Scope
from memwiki.secrets import without_secrets


class Outgoing(NamedTuple):
    """A request before it is sent: `body` is what a dry run shows and what the server is sent."""

    host: str
    url: str
    model: str
    body: bytes
    tokens_in: int  # by our estimate
    tokens_out: int  # at most
    price: float | None = None  # at most, where it is known
    kept_back: Mapping[str, str] = {}  # paths, and why


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
            if pattern is None or pattern.match_file(path) is not None:
                return f"models.withhold names {text}"
        return why_ignored(Path(self._root), path, ignore=self._ignore)

    def text_of(self, path: str) -> str:
        """What of a page may be sent. Raises NotFoundError for one that is kept back as a whole."""
        if why := self.why_kept(path):
            raise NotFoundError.at(path, f"is kept back ({why})", "leave it out")
        data, _ = read(self._root, path)
        return sendable(data.decode("utf-8", "replace"))


def sendable(text: str) -> str:
    """A text without what looks like a secret."""
    return without_secrets(text)
