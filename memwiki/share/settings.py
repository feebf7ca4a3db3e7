"""What a reader has to know of the settings of a workspace that is fed, as one text."""

from __future__ import annotations

import json

from memwiki.config import Config
from memwiki.nouns import Dialect, Layers, Nested
from memwiki.records import NamedTuple
from memwiki.sync.context import Context, IndexSettings


class FedSettings(NamedTuple):
    """Under which settings a workspace was fed."""

    layers: Layers
    max_bytes: int
    toml: str
    namespaces: tuple[str, ...]

    def digest(self) -> str:
        """Of what the rows depend on, and of their format."""
        return IndexSettings(self.layers, self.max_bytes, is_public=True).digest()

    def config(self, config: Config) -> Config:
        """These settings, in the place of what files of other programs would say."""
        return config._replace(
            layers=self.layers, files=config.files._replace(max_bytes=self.max_bytes)
        )


def written(context: Context, toml: str) -> str:
    """The settings of a workspace as they are kept beside its rows."""
    spaces = context.namespaces() if context.layers.namespaces else []
    found = FedSettings(context.layers, context.max_bytes, toml, tuple(spaces))
    return json.dumps([found.digest(), *found])


def read(text: str) -> FedSettings | None:
    """The same, read again; None where the rows are of another format."""
    try:
        digest, layers, max_bytes, toml, namespaces = json.loads(text)
        *plain, dialect, nested = layers
        forms = tuple(Nested(daily, _dialect(form)) for daily, form in nested)
        layers = Layers._make([*plain, _dialect(dialect), forms])
        found = FedSettings(layers, int(max_bytes), str(toml), tuple(namespaces))
    except (ValueError, TypeError):
        return None
    return found if found.digest() == digest else None


def _dialect(row: list[object]) -> Dialect:
    return Dialect(*(tuple(each) if isinstance(each, list) else each for each in row))  # type: ignore[arg-type] # as it was written
