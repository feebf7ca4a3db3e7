"""What facets share: their index, verbs that take a record of options, and hard deletion."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar, cast

from memwiki.config import Config
from memwiki.nouns import Environ
from memwiki.sync.live import LiveIndex

if TYPE_CHECKING:
    from memwiki.answers.edits import Edited
    from memwiki.commit.erasing import Doomed
    from memwiki.options import Options

Answer = TypeVar("Answer")
P = ParamSpec("P")


class IndexFacing:
    """What asks an index."""

    def __init__(self, live: LiveIndex) -> None:
        self.live = live


class EnvironFacing(IndexFacing):
    """What asks an index, and the environment of its user."""

    def __init__(self, live: LiveIndex, environ: Environ) -> None:
        super().__init__(live)
        self._environ = environ


class Configured(Protocol):
    """Anything with settings."""

    config: Config


Space = TypeVar("Space", bound=Configured)


def with_options(
    what: str, record: Callable[[], Callable[P, Options]]
) -> Callable[
    [Callable[[Space, str, Options], Answer]], Callable[Concatenate[Space, str, P], Answer]
]:
    """Give a verb that asks `what` and takes a record the fields of it as keywords, each in its
    range; UsageError for a value out of it. `record` imports the class when it is first needed."""

    def decorate(
        ask: Callable[[Space, str, Options], Answer],
    ) -> Callable[Concatenate[Space, str, P], Answer]:
        def asked(space: Space, text: str = "", /, **given: Any) -> Answer:  # noqa: ANN401 - as P says
            from memwiki.options import checked

            text = given.pop(what, text)
            make: Callable[..., Options] = record()
            return ask(space, text, checked(make(**given), space.config.recall))

        asked.__name__, asked.__doc__ = ask.__name__, ask.__doc__
        return cast("Callable[Concatenate[Space, str, P], Answer]", asked)

    return decorate


def delete_for_good(live: LiveIndex, doomed: Doomed, delete: Callable[[], Edited]) -> Edited:
    """Delete, and then clear what is left of the text wherever it is repeated: each room clears its
    own."""
    from memwiki.check.review import erase_findings
    from memwiki.commit.erasing import Erasers, erasing
    from memwiki.upkeep.snapshot import without_pages

    return erasing(live, doomed, delete, Erasers(erase_findings, without_pages))
