"""`Workspace.pages`: reading, making and changing pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Unpack

from memwiki.files.paths import contain
from memwiki.names import texts
from memwiki.numbers import limit_of
from memwiki.sync.reading import Facing, reading, rebuilding_verbs
from memwiki.workspace.deletion import delete_files

if TYPE_CHECKING:
    from memwiki.answers.pages import (
        Edited,
        History,
        PageAt,
        PageDrawing,
        PageList,
        PageOutline,
        PageView,
    )
    from memwiki.answers.workspaces import CompletionList
    from memwiki.commit.page_edits import EditOptions

    Data = bytes  # which is the name of a verb in the class


@rebuilding_verbs
class PagesFacet(Facing):
    """Pages by any of their names; what changes them can show what it would do with `dry_run`.

    With `expect`, the digest of a page as it was read or the first 16 digits of it, a verb raises
    ConflictError when the page is another now.
    """

    # --- reading ---

    def get(
        self, name: str, *, section: str = "", lines: tuple[int, int] | None = None, around: int = 0
    ) -> PageView:
        """A page, or one section or some lines of it, or what is `around` a line: from the heading
        above it to the next one.

        Raises NotFoundError, or AmbiguousError with the candidates.
        """
        from memwiki.browse import pages

        return pages.get(self.live, name, section=section, lines=lines, around=around)

    def outline(self, name: str) -> PageOutline:
        """The headings of a page with their lines and sizes: what to look at before reading it."""
        from memwiki.browse import pages

        return pages.outline(self.live, name)

    def drawing(
        self, name: str, *, section: str = "", text: str | None = None, at: str = ""
    ) -> PageDrawing:
        """A page with the links, tags and blocks that the index reads in it and where they are, for
        whoever draws it; as it is, `at` a revision or date, or what is at a path, or would be, with
        another `text`.

        `section` is a heading, or `^` and the id of a block, whose first and last line are given.
        """
        from memwiki.browse.drawing import drawing, drawing_at
        from memwiki.history import versions

        if not at:
            return drawing(self.live, name, section, text)
        return drawing_at(self.live, versions.show(self.live, self._environ, name, at, "", None))

    def list(
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
        from memwiki.browse import pages

        return pages.list_pages(self.live, type, tag, path, sort, limit_of(limit), orphans=orphans)

    def bytes(self, path: str) -> Data:
        """The bytes of a file in the workspace, as they are.

        Raises UnsafePathError, NotFoundError or UnreadableError.
        """
        from memwiki.memory.privacy import read_public

        return read_public(self.live, contain(self.live.context.root, path))

    def complete(self, kind: str, typed: str = "") -> CompletionList:
        """Names of a kind (`page`, `tag`, `type`, `entry`, `namespace`) that begin so; from the
        index as it is."""
        from memwiki.browse.suggest import complete

        return complete(self.live, kind, typed)

    def history(self, name: str, *, limit: int | None = None) -> History:
        """The commits that touched a page, newest first and through renames.

        Raises GitError where git or a repository is missing.
        """
        from memwiki.history import versions

        return versions.history(self.live, self._environ, name, limit_of(limit))

    def show(
        self, name: str, *, at: str, section: str = "", lines: tuple[int, int] | None = None
    ) -> PageAt:
        """A page as it was at a revision, or after the last commit up to a date or time."""
        from memwiki.history import versions

        return versions.show(self.live, self._environ, name, at, section, lines)

    def bytes_at(self, name: str, at: str) -> Data:
        """The bytes of a page as it was at a revision or date."""
        from memwiki.history import versions

        return versions.bytes_at(self.live, self._environ, name, at)

    def digests(self) -> Mapping[str, str]:
        """The digest of each page, by its path: what tells one state of the pages from another."""
        with reading(self.live) as view:
            found = view.stores.cards.digests()
            return {path: each for path, each in found.items() if not view.scope.is_outside(path)}

    # --- making and changing ---

    def set(
        self,
        name: str,
        fields: Mapping[str, str | Sequence[str]],
        *,
        unset: Sequence[str] = (),
        **how: Unpack[EditOptions],
    ) -> Edited:
        """Set fields of a page's front matter, each on its line, and remove those in `unset`.

        Notes name the tags among them that `tag_add` would not write. Raises NotEditableError when
        a field is written in a form that memwiki does not change.
        """
        from memwiki.commit.page_edits import set_fields

        return set_fields(self.live, name, fields, texts(unset), **how)

    def new(
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
        from memwiki.commit.additions import create_page
        from memwiki.pages.new import PageRequest

        asked = PageRequest(name, type, texts(tags), description, content)
        return create_page(self.live, asked, folder=folder, template=template, dry_run=dry_run)

    def today(self, text: str | None = None, *, dry_run: bool = False) -> Edited:
        """Make sure of the page of today, and add an item to it.

        Raises ConfigError when the workspace has no folder of daily pages.
        """
        from memwiki.commit.additions import add_to_today

        return add_to_today(self.live, text, dry_run=dry_run)

    def today_path(self) -> str:
        """Where the page of today is or would be."""
        from memwiki.commit.additions import today_path

        return today_path(self.live)

    def append(
        self, name: str, text: str, *, section: str = "", **how: Unpack[EditOptions]
    ) -> Edited:
        """Add text at the end of a page's body, or of a section with its subsections; what a page
        ends with, such as `See also`, stays its end.

        A list item goes on with the list that ends there; anything else has a blank line before it.
        """
        from memwiki.commit.page_edits import rewrite
        from memwiki.pages.edit import append_text

        return rewrite(self.live, name, partial(append_text, text=text, section=section), **how)

    def replace(
        self, name: str, text: str, *, section: str = "", **how: Unpack[EditOptions]
    ) -> Edited:
        """Replace a section's text, subsections too; without one all below the front matter.

        The heading stays, unless the text begins with it. Raises UsageError when the text is empty,
        or begins with front matter.
        """
        from memwiki.commit.page_edits import rewrite
        from memwiki.pages.edit import replace_text

        return rewrite(self.live, name, partial(replace_text, text=text, section=section), **how)

    def edit(self, name: str, old: str, new: str, **how: Unpack[EditOptions]) -> Edited:
        """Put a text in the place of one that is in the page exactly once, to the byte.

        No other byte changes; a line feed in both is a line end of the page. Raises NotFoundError
        or AmbiguousError with the lines, and NotEditableError when the front matter would break.
        """
        from memwiki.commit.page_edits import rewrite
        from memwiki.pages.edit import edit_text

        plan = partial(edit_text, old=old, new=new)
        return rewrite(self.live, name, plan, **how)

    def hides(self, path: str) -> bool:
        """Whether what is at a path is as if it were not there: it lies in another namespace."""
        return self.live.context.scope().hides(path)

    def own_path(self, name: str) -> str:
        """The path of the page that a name means and that may be changed; NotEditableError outside
        of the namespace, SharedIndexError where there are no files."""
        self.live.context.require_files()
        with reading(self.live) as view:
            return view.find_own(name)

    def tag_add(self, name: str, tags: Sequence[str], **how: Unpack[EditOptions]) -> Edited:
        """Add tags to the front matter of a page, those it does not carry yet."""
        from memwiki.commit.page_edits import edit, tags_in_use
        from memwiki.pages.tags import add_tags

        plan = partial(add_tags, tags=texts(tags), in_use=tags_in_use(self.live))
        return edit(self.live, name, plan, **how)

    def tag_remove(self, name: str, tags: Sequence[str], **how: Unpack[EditOptions]) -> Edited:
        """Take tags off a page: out of its front matter, and out of its text."""
        from memwiki.commit.page_edits import edit
        from memwiki.pages.tags import remove_tags

        return edit(self.live, name, partial(remove_tags, tags=texts(tags)), **how)

    def tag_rename(self, old: str, new: str, *, dry_run: bool = False) -> Edited:
        """Give a tag and those nested in it another name on all pages.

        Raises AlreadyExistsError when the new name is in use, UsageError for one that `tag_add`
        would refuse.
        """
        from memwiki.commit.page_edits import retag
        from memwiki.pages.tags import rename_tag

        return retag(self.live, rename_tag, old, new, dry_run=dry_run)

    def tag_merge(self, old: str, new: str, *, dry_run: bool = False) -> Edited:
        """Merge one tag into another on all pages."""
        from memwiki.commit.page_edits import retag
        from memwiki.pages.tags import merge_tags

        return retag(self.live, merge_tags, old, new, dry_run=dry_run)

    def link(
        self,
        name: str,
        target: str,
        *,
        relation: str = "",
        weight: float | None = None,
        **how: Unpack[EditOptions],
    ) -> Edited:
        """Link a page to another one in its front matter, plainly or as a typed relation."""
        from memwiki.commit.page_edits import connect
        from memwiki.pages.relations import WantedRelation, link

        plan = partial(link, relation=WantedRelation(relation, weight))
        return connect(self.live, name, target, plan, **how)

    def unlink(
        self, name: str, target: str, *, relation: str = "", **how: Unpack[EditOptions]
    ) -> Edited:
        """Remove the plain links, or those of a type, that lead from a page to another one.

        A typed relation in the text goes when it is all that its line holds.
        """
        from memwiki.commit.page_edits import connect
        from memwiki.pages.relations import unlink

        plan = partial(unlink, type_=relation)
        return connect(self.live, name, target, plan, **how)

    def move(
        self, name: str, new: str, *, keep_alias: bool = False, **how: Unpack[EditOptions]
    ) -> Edited:
        """Move a page, file or folder to another path or name; links go on meaning what they mean.

        Raises AlreadyExistsError, AmbiguousError when a link could not be kept true, or in a public
        view PrivateError when what is private links there.
        """
        from memwiki.commit.page_edits import move

        return move(self.live, name, new, keep_alias=keep_alias, **how)

    def delete(
        self, name: str, *, hard: bool = False, expect: str = "", dry_run: bool = False
    ) -> Edited:
        """Delete a page or file: into the archive if there is one; `hard` keeps nothing to undo it.

        The notes of the answer name the links that are broken now.
        """
        from memwiki.commit.page_edits import carry_out_planned
        from memwiki.pages.delete import delete

        with reading(self.live) as view:
            planned = delete(name, view.context, view.lookup, is_final=hard)
        take = partial(carry_out_planned, self.live, planned, dry_run=dry_run, expect=expect)
        is_final = hard and not dry_run
        return delete_files(self.live, planned.plan.paths, take, is_final=is_final)
