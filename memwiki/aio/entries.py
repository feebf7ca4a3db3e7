"""`AsyncWorkspace.entries`: adding, finding, changing and retiring memories."""

# Generated from memwiki/workspace/entries.py: python docs/generate_aio.py
from __future__ import annotations

from typing import TYPE_CHECKING

from memwiki.aio.face import Face
from memwiki.workspace.entries import EntriesFacet

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Unpack

    from memwiki.answers.additions import AddReport
    from memwiki.answers.edits import Edited
    from memwiki.answers.entries import (
        EntityCandidates,
        EntityList,
        EntryHistory,
        EntryList,
        EntryView,
        SimilarEntries,
    )
    from memwiki.answers.graph import TagSuggestions
    from memwiki.answers.usage import TrailList, UsageList
    from memwiki.entry_fields import EntryValues, OnNear


class AsyncEntriesFacet(Face[EntriesFacet]):
    """Memories by id, key or `PATH:LINE`; what changes them shows it with `dry_run`.

    With `expect` ConflictError is raised when the page of the entry has another digest now.
    """

    async def add(
        self,
        text: str,
        *,
        new: bool = False,
        on_near: OnNear | str = "report",
        dry_run: bool = False,
        **fields: Unpack[EntryValues],
    ) -> AddReport:
        """Add one entry; what says the same already is a repeat and is not written again.

        `to` is memory, learnings, daily, inbox or a page; without it the type decides. A `key` that
        an entry has replaces its text, with `new` it raises AlreadyExistsError. `importance` and
        `confidence` are from 0 to 1. Raises UsageError for a value out of range or of another kind,
        and for a text that is no memory; ConfigError where the workspace has no such layer;
        ConflictError when the entries it was judged by change time and again.
        """
        return await self._write(
            lambda it: it.add(text, new=new, on_near=on_near, dry_run=dry_run, **fields)
        )

    async def add_all(
        self,
        requests: Sequence[Mapping[str, object]],
        *,
        new: bool = False,
        on_near: OnNear | str = "report",
        brief: bool = False,
        dry_run: bool = False,
    ) -> AddReport:
        """Add many entries as one change; each says what `add` takes, under the same names.

        With `on_near="ask"` the model that is set proposes what becomes of each and what is near
        it, with `brief` as well any other one may; what is not answered is a note. What an entry of
        a model plainly ends is put up for review; so is that of an agent, where `doors.supersede`
        says so. Raises what `add` raises, for the first entry that cannot be added; then nothing is
        written.
        """
        return await self._write(
            lambda it: it.add_all(requests, new=new, on_near=on_near, brief=brief, dry_run=dry_run)
        )

    async def near_type(self, type: str) -> str:
        """The known type that a new one is nearly spelled as, "" where there is none."""
        return await self._read(lambda it: it.near_type(type))

    async def remember(
        self,
        subject: str,
        type: str,
        topic: str,
        object: str = "",
        attributes: Mapping[str, str] | None = None,
        importance: float | None = None,
        *,
        staged: bool = True,
    ) -> EntryView:
        """Write down a structured memory, staged and unjudged unless asked otherwise.

        `importance` is from 0 to 1. Raises UsageError for a value out of range.
        """
        return await self._write(
            lambda it: it.remember(
                subject, type, topic, object, attributes, importance, staged=staged
            )
        )

    async def record_skill(self, name: str, steps: Sequence[str]) -> EntryView:
        """Write down how something is done: a skill with its steps below it."""
        return await self._write(lambda it: it.record_skill(name, steps))

    async def get(self, name: str) -> EntryView:
        """One entry by id, key or `PATH:LINE`; NotFoundError or AmbiguousError otherwise."""
        return await self._read(lambda it: it.get(name))

    async def list(
        self,
        *,
        types: Sequence[str] = (),
        category: str = "",
        tags: Sequence[str] = (),
        key_prefix: str = "",
        status: str = "",
        session: str = "",
        since: str = "",
        until: str = "",
        fields: Mapping[str, str] | None = None,
        limit: int | None = None,
    ) -> EntryList:
        """Entries, newest first; superseded ones only when `status` asks for them.

        `fields` are values that fields of an entry must have.
        """
        return await self._read(
            lambda it: it.list(
                types=types,
                category=category,
                tags=tags,
                key_prefix=key_prefix,
                status=status,
                session=session,
                since=since,
                until=until,
                fields=fields,
                limit=limit,
            )
        )

    async def core(self, limit: int | None = None) -> EntryList:
        """What is always worth knowing: entries of memory and learnings, the most important
        first."""
        return await self._read(lambda it: it.core(limit))

    async def similar(
        self, text: str, *, threshold: float | None = None, limit: int | None = 5
    ) -> SimilarEntries:
        """Entries that are like a text, the likest first; without a `threshold` (from 0 to 1) the
        most alike where none is near, which a note says. Raises UsageError for a text that is
        empty and a number out of range."""
        return await self._read(lambda it: it.similar(text, threshold=threshold, limit=limit))

    async def history(self, name: str) -> EntryHistory:
        """What an entry said before: the entries it superseded, and its versions in git.

        Raises NotFoundError or AmbiguousError as `get` does.
        """
        return await self._read(lambda it: it.history(name))

    async def find_tags(self, prefix: str = "") -> Sequence[tuple[str, Sequence[str]]]:
        """The tags of entries that begin so, each with the ids of its entries."""
        return await self._read(lambda it: it.find_tags(prefix))

    async def entity_count_by_tag(self) -> Mapping[str, int]:
        """How many entities the entries with each tag name."""
        return await self._read(lambda it: it.entity_count_by_tag())

    async def suggest_tags(self, text: str) -> TagSuggestions:
        """Tags for a text: those in use that it speaks of, then few new ones."""
        return await self._read(lambda it: it.suggest_tags(text))

    async def entities(self, prefix: str = "", *, limit: int | None = None) -> EntityList:
        """The pages and wanted names that entries name and that begin so, the most named first."""
        return await self._read(lambda it: it.entities(prefix, limit=limit))

    async def entity_candidates(
        self, name: str = "", *, limit: int | None = None
    ) -> EntityCandidates:
        """Pairs of entities that may be one, or the five likest to a name; mere subjects aside."""
        return await self._read(lambda it: it.entity_candidates(name, limit=limit))

    async def usage(self, name: str = "", *, top: int | None = None, query: str = "") -> UsageList:
        """How an entry, page or entity was used, what a query recalled, or what was most.

        Raises NotFoundError for a name of nothing, UsageError for a name and a query together.
        """
        return await self._read(lambda it: it.usage(name, top=top, query=query))

    async def trails(self, words: str = "", *, limit: int | None = None) -> TrailList:
        """Which questions led to what, the newest first; those that hold all of the words."""
        return await self._read(lambda it: it.trails(words, limit=limit))

    async def record(self, query: str, recalled: Sequence[tuple[EntryView | str, float]]) -> bool:
        """Count what a query recalled, each with its score from 0 to 1: entries or their ids, paths
        of pages, names of entities. False where nothing can be written."""
        return await self._write(lambda it: it.record(query, recalled))

    async def update(
        self,
        name: str,
        text: str | None = None,
        *,
        fields: Mapping[str, str] | None = None,
        expect: str = "",
        dry_run: bool = False,
    ) -> Edited:
        """Give an entry other words, or other fields ("" removes one), and note the day.

        What a model wrote is a person's once one without a name as an actor puts it into other
        words. Raises UsageError for a share that is neither from 0 to 1 nor high, medium or low,
        LineNotEditableError where the entry would be read otherwise, and NotEditableError outside
        of the namespace.
        """
        return await self._write(
            lambda it: it.update(name, text, fields=fields, expect=expect, dry_run=dry_run)
        )

    async def set_tags(
        self, name: str, tags: Sequence[str], *, expect: str = "", dry_run: bool = False
    ) -> Edited:
        """Give an entry these tags and no others; the first `memory.max_tags` are kept.

        Raises LineNotEditableError where its words hold one that cannot be taken out.
        """
        return await self._write(lambda it: it.set_tags(name, tags, expect=expect, dry_run=dry_run))

    async def supersede(
        self, name: str, text: str, *, origin: str = "", expect: str = "", dry_run: bool = False
    ) -> Edited:
        """Strike an entry out and write what holds now below it; each names the other.

        `origin` says whose words they are, whatever the text says. Those of an agent are put up for
        review, where `doors.supersede` says so.
        """
        return await self._write(
            lambda it: it.supersede(name, text, origin=origin, expect=expect, dry_run=dry_run)
        )

    async def delete(
        self, name: str, *, hard: bool = False, expect: str = "", dry_run: bool = False
    ) -> Edited:
        """Take an entry out of its page; `hard` also clears it from undo and usage.

        Raises UsageError where other entries would be read otherwise without it.
        """
        return await self._write(
            lambda it: it.delete(name, hard=hard, expect=expect, dry_run=dry_run)
        )

    async def move(
        self, name: str, page: str, *, expect: str = "", dry_run: bool = False
    ) -> Edited:
        """Move an entry to another page, under the heading of its type; links go on meaning it.

        Raises UsageError for the page it is on, NotEditableError for one that holds no entries.
        """
        return await self._write(lambda it: it.move(name, page, expect=expect, dry_run=dry_run))

    async def relate(
        self,
        name: str,
        other: str,
        relation: str,
        *,
        weight: float | None = None,
        expect: str = "",
        dry_run: bool = False,
    ) -> Edited:
        """Note in an entry how it stands to another one: because, supports, contradicts ...

        `weight` is from 0 to 1. Raises UsageError for any other, and for a relation of two words.
        """
        return await self._write(
            lambda it: it.relate(
                name, other, relation, weight=weight, expect=expect, dry_run=dry_run
            )
        )

    async def relate_by_description(
        self,
        description: str,
        other: str,
        relation: str,
        *,
        weight: float | None = None,
        expect: str = "",
        dry_run: bool = False,
    ) -> Edited:
        """The same for two entries that are described; AmbiguousError when several come close."""
        return await self._write(
            lambda it: it.relate_by_description(
                description, other, relation, weight=weight, expect=expect, dry_run=dry_run
            )
        )

    async def unrelate(
        self, name: str, other: str, relation: str = "", *, expect: str = "", dry_run: bool = False
    ) -> Edited:
        """Take relations of a type, or of any, from one entry to another; NotFoundError where
        there is none."""
        return await self._write(
            lambda it: it.unrelate(name, other, relation, expect=expect, dry_run=dry_run)
        )

    async def merge_entities(self, a: str, b: str, *, dry_run: bool = False) -> Edited:
        """Make entity `a` another name of entity `b`: an alias of the one that has a page.

        Neither has one: a page is made. Raises AlreadyExistsError when each has its own.
        """
        return await self._write(lambda it: it.merge_entities(a, b, dry_run=dry_run))
