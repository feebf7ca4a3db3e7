"""`Workspace.pages`: the verbs that change pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memwiki.answers.editing import Edited
from memwiki.files.read import read
from memwiki.workspace.browsing import find
from memwiki.workspace.changing import carry_out
from memwiki.workspace.freshness import reading
from memwiki.workspace.healing import healed
from memwiki.workspace.keeper import Keeper


class Pages:
    """The verbs that change pages; each can show what it would do with `dry_run`."""

    def __init__(self, keeper: Keeper) -> None:
        self.keeper = keeper

    @healed
    def set(
        self, name: str, fields: Mapping[str, str | Sequence[str]], *,
        unset: Sequence[str] = (), dry_run: bool = False,
    ) -> Edited:  # fmt: skip
        """Set fields of a page's front matter, each on its line, and remove those in `unset`.

        Raises NotEditableError when a field is written in a way that only a person can change.
        """
        from memwiki.pages.fields import set_fields

        path, data = self._page(name)
        return carry_out(self.keeper, set_fields(path, data, fields, unset), dry_run=dry_run)

    def _page(self, name: str) -> tuple[str, bytes]:
        """The path and bytes of the page that a name means, which may be changed."""
        from memwiki.pages.places import require_editable

        with reading(self.keeper) as view:
            path = find(self.keeper, view, name)
        require_editable(path, self.keeper.config.layers)
        return path, read(self.keeper.root, path)[0]
