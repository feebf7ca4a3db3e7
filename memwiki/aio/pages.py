"""`AsyncWorkspace.pages`: reading, making and changing pages."""

# Generated from memwiki/workspace/pages.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.aio.face import Face
from memwiki.workspace.pages import PagesFacet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memwiki.answers.edits import Edited
    from memwiki.answers.history import History, PageAt
    from memwiki.answers.pages import PageDrawing, PageList, PageOutline, PageView
    from memwiki.answers.workspaces import CompletionList

    Data = bytes


class AsyncPagesFacet(Face[PagesFacet]):
    """Pages by any of their names; what changes them can show what it would do with `dry_run`.

    With `expect`, the digest of a page as it was read or the first 16 digits of it, a verb raises
    ConflictError when the page is another now.
    """

    async def get(
        self, name: str, *, section: str = "", lines: tuple[int, int] | None = None, around: int = 0
    ) -> PageView:
        """A page, or one section or some lines of it, or what is `around` a line: from the heading
        above it to the next one.

        Raises NotFoundError, or AmbiguousError with the candidates.
        """
        return await self._read(
            lambda it: it.get(name, section=section, lines=lines, around=around)
        )

    async def outline(self, name: str) -> PageOutline:
        """The headings of a page with their lines and sizes: what to look at before reading it."""
        return await self._read(lambda it: it.outline(name))

    async def drawing(
        self, name: str, *, section: str = "", text: str | None = None, at: str = ""
    ) -> PageDrawing:
        """A page with the links, tags and blocks that the index reads in it and where they are, for
        whoever draws it; as it is, `at` a revision or date, or as it would be with another `text`.

        `section` is a heading, or `^` and the id of a block, whose first and last line are given.
        """
        return await self._read(lambda it: it.drawing(name, section=section, text=text, at=at))

    async def list(
        self,
        *,
        type: str = "",
        tag: str = "",
        path: str = "",
        sort: str = "title",
        limit: int | None = None,
        orphans: bool = False,
    ) -> PageList:
        """Pages by type, tag and path (`orphans`: that none links to), by title, updated or
        links."""
        return await self._read(
            lambda it: it.list(
                type=type, tag=tag, path=path, sort=sort, limit=limit, orphans=orphans
            )
        )

    async def bytes(self, path: str) -> Data:
        """The bytes of a file in the workspace, as they are.

        Raises UnsafePathError, NotFoundError or UnreadableError.
        """
        return await self._read(lambda it: it.bytes(path))

    async def complete(self, kind: str, typed: str = "") -> CompletionList:
        """Names of a kind (`page`, `tag`, `type`, `entry`, `namespace`) that begin so; from the
        index as it is."""
        return await self._read(lambda it: it.complete(kind, typed))

    async def history(self, name: str, *, limit: int | None = None) -> History:
        """The commits that touched a page, newest first and through renames.

        Raises GitError where git or a repository is missing.
        """
        return await self._read(lambda it: it.history(name, limit=limit))

    async def show(
        self, name: str, *, at: str, section: str = "", lines: tuple[int, int] | None = None
    ) -> PageAt:
        """A page as it was at a revision, or after the last commit up to a date or time."""
        return await self._read(lambda it: it.show(name, at=at, section=section, lines=lines))

    async def bytes_at(self, name: str, at: str) -> Data:
        """The bytes of a page as it was at a revision or date."""
        return await self._read(lambda it: it.bytes_at(name, at))

    async def digests(self) -> Mapping[str, str]:
        """The digest of each page, by its path: what tells one state of the pages from another."""
        return await self._read(lambda it: it.digests())

    async def set(
        self,
        name: str,
        fields: Mapping[str, str | Sequence[str]],
        *,
        unset: Sequence[str] = (),
        expect: str = "",
        dry_run: bool = False,
    ) -> Edited:
        """Set fields of a page's front matter, each on its line, and remove those in `unset`.

        Raises NotEditableError when a field is written in a form that memwiki does not change.
        """
        return await self._write(
            lambda it: it.set(name, fields, unset=unset, expect=expect, dry_run=dry_run)
        )

    async def new(
        self,
        name: str,
        *,
        type: str = "",
        tags: Sequence[str] = (),
        description: str = "",
        content: str | None = None,
        template: str = "",
        folder: str = "",
        dry_run: bool = False,
    ) -> Edited:
        """Create a page at a path, or under a title where its type belongs, else in `folder`.

        `content` is its body, or a whole page; `template` names one of your own in its place.
        Raises AlreadyExistsError when one is there.
        """
        return await self._write(
            lambda it: it.new(
                name,
                type=type,
                tags=tags,
                description=description,
                content=content,
                template=template,
                folder=folder,
                dry_run=dry_run,
            )
        )

    async def today(self, text: str | None = None, *, dry_run: bool = False) -> Edited:
        """Make sure of the page of today, and add an item to it.

        Raises ConfigError when the workspace has no folder of daily pages.
        """
        return await self._write(lambda it: it.today(text, dry_run=dry_run))

    async def today_path(self) -> str:
        """Where the page of today is or would be."""
        return await self._read(lambda it: it.today_path())

    async def append(
        self, name: str, text: str, *, section: str = "", expect: str = "", dry_run: bool = False
    ) -> Edited:
        """Add text at the end of a page's body, or of a section with its subsections; what a page
        ends with, such as `See also`, stays its end.

        A list item goes on with the list that ends there; anything else has a blank line before it.
        """
        return await self._write(
            lambda it: it.append(name, text, section=section, expect=expect, dry_run=dry_run)
        )

    async def replace(
        self, name: str, text: str, *, section: str = "", expect: str = "", dry_run: bool = False
    ) -> Edited:
        """Replace a section's text, subsections too; without one all below the front matter.

        The heading stays, unless the text begins with it. Raises UsageError when the text is empty,
        or begins with front matter.
        """
        return await self._write(
            lambda it: it.replace(name, text, section=section, expect=expect, dry_run=dry_run)
        )

    async def edit(
        self, name: str, old: str, new: str, *, expect: str = "", dry_run: bool = False
    ) -> Edited:
        """Put a text in the place of one that is in the page exactly once, to the byte.

        No other byte changes; a line feed in both is a line end of the page. Raises NotFoundError
        or AmbiguousError with the lines, and NotEditableError when the front matter would break.
        """
        return await self._write(lambda it: it.edit(name, old, new, expect=expect, dry_run=dry_run))

    async def hides(self, path: str) -> bool:
        """Whether what is at a path is as if it were not there: it lies in another namespace."""
        return await self._read(lambda it: it.hides(path))

    async def own_path(self, name: str) -> str:
        """The path of the page that a name means and that may be changed; NotEditableError outside
        of the namespace."""
        return await self._read(lambda it: it.own_path(name))

    async def tag_add(
        self, name: str, tags: Sequence[str], *, expect: str = "", dry_run: bool = False
    ) -> Edited:
        """Add tags to the front matter of a page, those it does not carry yet."""
        return await self._write(lambda it: it.tag_add(name, tags, expect=expect, dry_run=dry_run))

    async def tag_remove(
        self, name: str, tags: Sequence[str], *, expect: str = "", dry_run: bool = False
    ) -> Edited:
        """Take tags off a page: out of its front matter, and out of its text."""
        return await self._write(
            lambda it: it.tag_remove(name, tags, expect=expect, dry_run=dry_run)
        )

    async def tag_rename(self, old: str, new: str, *, dry_run: bool = False) -> Edited:
        """Give a tag and those nested in it another name on all pages.

        Raises AlreadyExistsError when the new name is in use.
        """
        return await self._write(lambda it: it.tag_rename(old, new, dry_run=dry_run))

    async def tag_merge(self, old: str, new: str, *, dry_run: bool = False) -> Edited:
        """Merge one tag into another on all pages."""
        return await self._write(lambda it: it.tag_merge(old, new, dry_run=dry_run))

    async def link(
        self,
        name: str,
        target: str,
        *,
        relation: str = "",
        weight: float | None = None,
        expect: str = "",
        dry_run: bool = False,
    ) -> Edited:
        """Link a page to another one in its front matter, plainly or as a typed relation."""
        return await self._write(
            lambda it: it.link(
                name, target, relation=relation, weight=weight, expect=expect, dry_run=dry_run
            )
        )

    async def unlink(
        self, name: str, target: str, *, relation: str = "", expect: str = "", dry_run: bool = False
    ) -> Edited:
        """Remove the plain links, or those of a type, that lead from a page to another one.

        A typed relation in the text goes when it is all that its line holds.
        """
        return await self._write(
            lambda it: it.unlink(name, target, relation=relation, expect=expect, dry_run=dry_run)
        )

    async def move(
        self,
        name: str,
        new: str,
        *,
        keep_alias: bool = False,
        expect: str = "",
        dry_run: bool = False,
    ) -> Edited:
        """Move a page, file or folder to another path or name; links go on meaning what they mean.

        Raises AlreadyExistsError, AmbiguousError when a link could not be kept true, or in a public
        view PrivateError when what is private links there.
        """
        return await self._write(
            lambda it: it.move(name, new, keep_alias=keep_alias, expect=expect, dry_run=dry_run)
        )

    async def delete(
        self, name: str, *, hard: bool = False, expect: str = "", dry_run: bool = False
    ) -> Edited:
        """Delete a page or file: into the archive if there is one; `hard` keeps nothing to undo it.

        The notes of the answer name the links that are broken now.
        """
        return await self._write(
            lambda it: it.delete(name, hard=hard, expect=expect, dry_run=dry_run)
        )
