"""`Workspace.pages`: the verbs that change pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from memwiki.answers.edits import Edited
from memwiki.change.plan import Plan
from memwiki.clock import local_day
from memwiki.files.paths import contain, real_path
from memwiki.files.read import current_bytes
from memwiki.index.find import meaning
from memwiki.names import require_text
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading
from memwiki.sync.rebuild import rebuilding
from memwiki.workspace.changing import carry_out, carry_out_anew, page_bytes

if TYPE_CHECKING:
    from memwiki.markdown.outline import Outline
    from memwiki.pages.planned import Planned
    from memwiki.pages.relations import Ends
    from memwiki.pages.tags import Tagged, TagsInUse


class Pages:
    """The verbs that change pages; each can show what it would do with `dry_run`."""

    def __init__(self, live: LiveIndex) -> None:
        self.live = live

    @rebuilding
    def set(
        self, name: str, fields: Mapping[str, str | Sequence[str]], *,
        unset: Sequence[str] = (), dry_run: bool = False,
    ) -> Edited:  # fmt: skip
        """Set fields of a page's front matter, each on its line, and remove those in `unset`.

        Raises NotEditableError when a field is written in a way that only a person can change.
        """
        from memwiki.pages.fields import set_fields

        return self._edit(name, partial(set_fields, changes=fields, unset=unset), dry_run)

    @rebuilding
    def new(
        self, name: str, *, type: str = "", tags: Sequence[str] = (),  # noqa: A002
        description: str = "", content: str | None = None, folder: str = "", dry_run: bool = False,
    ) -> Edited:  # fmt: skip
        """Create a page at a path, or under a title where its type belongs, else in `folder`.

        `content` is its body, or a whole page. Raises AlreadyExistsError when one is there.
        """
        from memwiki.pages.places import folders_in, require_findable, require_free
        from memwiki.pages.text import new

        live, layers = self.live, self.live.context.layers
        in_use = self._tags_in_use() if tags else None
        spelled = tuple(map(in_use.spelled, tags)) if in_use else ()
        asked = new.Asked(name, type, spelled, description, content)
        target = new.aim(asked, layers, folder, partial(folders_in, live.context.root))
        target = target._replace(
            path=real_path(live.context.root, contain(live.context.root, target.path))
        )
        require_findable(target.path, live.context.ignore())
        with reading(live) as view:
            notes = new.twin_notes(target, view.lookup)
        notes += in_use.notes(spelled) if in_use else ()

        def make() -> Plan:
            require_free(live.context.root, target.path)
            return new.new_page(target, asked, self._day(), layers, live.context.max_bytes)

        return carry_out_anew(live, make, dry_run=dry_run, notes=tuple(notes))

    @rebuilding
    def today(self, text: str | None = None, *, dry_run: bool = False) -> Edited:
        """Make sure of the page of today, and add an item to it.

        Raises ConfigError when the workspace has no folder of daily pages.
        """
        from memwiki.pages.places import require_findable, require_parsed
        from memwiki.pages.text.daily import daily_page

        live, path = self.live, self.today_path()
        require_findable(path, live.context.ignore())
        with reading(live) as view:
            require_parsed(path, view.lookup.problems_of(path))

        def make() -> Plan:
            data, limit = current_bytes(live.context.root, path), live.context.max_bytes
            return daily_page(path, data, text, live.context.layers, limit)

        return carry_out_anew(live, make, dry_run=dry_run)

    def today_path(self) -> str:
        """Where the page of today is or would be."""
        from memwiki.pages.text.daily import daily_path

        path = daily_path(self._day(), self.live.context.layers)
        return real_path(self.live.context.root, path)

    def _day(self) -> str:
        return local_day(self.live.context.clock()).isoformat()

    @rebuilding
    def append(self, name: str, text: str, *, section: str = "", dry_run: bool = False) -> Edited:
        """Add text at the end of a page, or of a section with its subsections.

        A list item goes on with the list that ends there; anything else has a blank line before it.
        """
        from memwiki.pages.text.append import append_text

        return self._rewrite(name, partial(append_text, text=text, section=section), dry_run)

    @rebuilding
    def replace(self, name: str, section: str, text: str, *, dry_run: bool = False) -> Edited:
        """Replace all that stands below a heading, subsections too.

        The heading stays, unless the text begins with it. Raises UsageError when the text is empty.
        """
        from memwiki.pages.text.replace import replace_section

        return self._rewrite(name, partial(replace_section, text=text, section=section), dry_run)

    def _rewrite(self, name: str, plan: Callable[..., Plan], dry_run: bool) -> Edited:
        """Change the text of a page, again from what it is then if that met another change."""
        path, live = self._path(name), self.live

        def make() -> Plan:
            return plan(self._outline(path), max_bytes=live.context.max_bytes)

        return carry_out_anew(live, make, dry_run=dry_run)

    @rebuilding
    def tag_add(self, name: str, tags: Sequence[str], *, dry_run: bool = False) -> Edited:
        """Add tags to the front matter of a page, those it does not carry yet."""
        from memwiki.pages.tags import add_tags

        plan = partial(add_tags, tags=tags, in_use=self._tags_in_use())
        return self._edit(name, plan, dry_run)

    @rebuilding
    def tag_remove(self, name: str, tags: Sequence[str], *, dry_run: bool = False) -> Edited:
        """Take tags off a page: out of its front matter, and out of its text."""
        from memwiki.pages.tags import remove_tags

        return self._edit(name, partial(remove_tags, tags=tags), dry_run)

    @rebuilding
    def tag_rename(self, old: str, new: str, *, dry_run: bool = False) -> Edited:
        """Give a tag and those nested in it another name on all pages.

        Raises AlreadyExistsError when the new name is in use.
        """
        from memwiki.pages.tags import rename_tag

        layers = self.live.context.layers
        planned = rename_tag(old, new, self._tagged(old), self._tags_in_use(), layers)
        return carry_out(self.live, planned.plan, dry_run=dry_run, notes=planned.notes)

    @rebuilding
    def tag_merge(self, old: str, new: str, *, dry_run: bool = False) -> Edited:
        """Make a tag part of another one on all pages."""
        from memwiki.pages.tags import merge_tags

        layers = self.live.context.layers
        planned = merge_tags(old, new, self._tagged(old), self._tags_in_use(), layers)
        return carry_out(self.live, planned.plan, dry_run=dry_run, notes=planned.notes)

    @rebuilding
    def link(
        self, name: str, target: str, *, relation: str = "", weight: float | None = None,
        dry_run: bool = False,
    ) -> Edited:  # fmt: skip
        """Link a page to another one in its front matter, plainly or as a typed relation."""
        from memwiki.pages.relations import Relation, link

        plan = partial(link, relation=Relation(relation, weight))
        return self._connect(name, target, plan, dry_run)

    @rebuilding
    def unlink(
        self, name: str, target: str, *, relation: str = "", dry_run: bool = False
    ) -> Edited:
        """Remove the plain links, or those of a type, that lead from a page to another one.

        A typed relation in the text goes when it is all that its line holds.
        """
        from memwiki.pages.relations import unlink

        return self._connect(name, target, partial(unlink, type_=relation), dry_run)

    def _connect(
        self, name: str, target: str, plan: Callable[[Ends], Planned], dry_run: bool
    ) -> Edited:
        """Change how one page links to another."""
        from memwiki.pages.relations import Ends

        live, path = self.live, self._path(name)
        with reading(live) as view:
            to = view.find(target)

        def plan_for(page: Outline) -> Planned:
            with reading(live) as view:
                resolve = partial(meaning, view.lookup, live.context.layers, path)
                return plan(Ends(page, to, resolve))

        return self._edit(path, plan_for, dry_run)

    def _edit(self, name: str, plan: Callable[[Outline], Planned], dry_run: bool) -> Edited:
        """Change a page, again from what it is then if that met another change; with notes."""
        path = self._path(name)
        notes: tuple[str, ...] = ()

        def make() -> Plan:
            nonlocal notes
            made, notes = plan(self._outline(path))
            return made

        edited = carry_out_anew(self.live, make, dry_run=dry_run)
        return edited._replace(notes=(*notes, *edited.notes))

    def _tags_in_use(self) -> TagsInUse:
        from memwiki.index.graph import tag_counts
        from memwiki.pages.tags import TagsInUse

        with reading(self.live) as view:
            return TagsInUse(tag_counts(view.lookup.all_tags()))

    def _tagged(self, tag: str) -> Tagged:
        """The pages with a tag or one nested in it as they are now, and what else may hold it."""
        from memwiki.pages.companions import companions
        from memwiki.pages.tags import Tagged

        require_text("tag", tag)
        with reading(self.live) as view:
            cards = view.lookup.by_number(view.lookup.tagged_below(tag)).values()
            paths = sorted(card.path for card in cards)
            others = companions(view.context, view.lookup)
        return Tagged([(path, page_bytes(self.live.context, path)) for path in paths], others)

    @rebuilding
    def move(
        self, name: str, new: str, *, keep_alias: bool = False, dry_run: bool = False
    ) -> Edited:
        """Move a page, file or folder to another path or name; links go on meaning what they mean.

        Raises AlreadyExistsError, or AmbiguousError when a link could not be kept true.
        """
        from memwiki.pages.moving.move import move

        with reading(self.live) as view:
            planned = move(name, new, view.context, view.lookup, keep_alias=keep_alias)
        return carry_out(self.live, planned.plan, dry_run=dry_run, notes=planned.notes)

    @rebuilding
    def delete(self, name: str, *, hard: bool = False, dry_run: bool = False) -> Edited:
        """Delete a page or file: into the archive if there is one; `hard` keeps nothing to undo it.

        The notes of the answer name the links that lead nowhere now.
        """
        from memwiki.pages.moving.delete import delete

        with reading(self.live) as view:
            planned = delete(name, view.context, view.lookup, is_final=hard)
        return carry_out(self.live, planned.plan, dry_run=dry_run, notes=planned.notes)

    def _outline(self, path: str) -> Outline:
        """A page that is to be changed, as it is now."""
        from memwiki.markdown.outline import outline_of

        context = self.live.context
        return outline_of(path, page_bytes(context, path), context.layers)

    def _path(self, name: str) -> str:
        from memwiki.pages.places import require_editable, require_parsed

        with reading(self.live) as view:
            path = view.find(name)
            require_parsed(path, view.lookup.problems_of(path))
        require_editable(path, self.live.context.layers)
        return path
