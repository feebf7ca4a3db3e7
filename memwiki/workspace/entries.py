"""`Workspace.entries`: adding, finding, changing and retiring memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Unpack

from memwiki.entry_fields import EntryValues, OnNear
from memwiki.errors import MissingExtraError, UsageError
from memwiki.names import texts
from memwiki.numbers import limit_of, share_of
from memwiki.sync.reading import Facing, reading, rebuilding_verbs, used_reading
from memwiki.workspace.deletion import delete_for_good

if TYPE_CHECKING:
    from memwiki.answers.curation import AddReport
    from memwiki.answers.entries import (
        EntityCandidates,
        EntityList,
        EntryConflict,
        EntryHistory,
        EntryList,
        EntryView,
        SimilarEntries,
        TrailList,
        UsageList,
    )
    from memwiki.answers.graph import TagSuggestions
    from memwiki.answers.pages import Edited
    from memwiki.commit.page_edits import EditOptions


@rebuilding_verbs
class EntriesFacet(Facing):
    """Memories by id, key or `PATH:LINE`; what changes them shows it with `dry_run`.

    With `expect` ConflictError is raised when the page of the entry has another digest now.
    """

    # --- adding ---

    def add(
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
        return self.add_all([{"text": text, **fields}], new=new, on_near=on_near, dry_run=dry_run)

    def add_all(
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
        from memwiki.commit.additions import add_entries
        from memwiki.memory.draft import AddOptions, each_told, on_near_of, request_of

        asked = list(each_told(request_of, requests))
        is_judged = not all(each.is_staged for each in asked)
        options = AddOptions(on_near_of(on_near), new, is_judged)
        report = add_entries(self.live, asked, options, dry_run=dry_run)
        if not dry_run and any(each.is_due for each in report.conflicts):
            from memwiki.proposals.endings import put_up_endings

            report = put_up_endings(self.live, report)
        is_asking = options.on_near is OnNear.ASK
        return self._ask_model(report, is_brief=brief) if is_asking and report.near else report

    def _ask_model(self, report: AddReport, *, is_brief: bool) -> AddReport:
        """The report with what a model makes of what is near."""
        try:
            from memwiki.curation.groups import near_asked
        except MissingExtraError as error:  # what was added stays added
            notes = (*report.edited.notes, error.with_hint)
            return report._replace(edited=report.edited._replace(notes=notes))
        return near_asked(self.live, self._environ, report, is_brief=is_brief)

    def near_type(self, type: str) -> str:
        """The known type that a new one is nearly spelled as, "" where there is none."""
        from memwiki.memory.addition import near_type

        with reading(self.live) as view:
            return near_type(type, view)

    def remember(
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
        text = " ".join(filter(None, (subject, topic, object)))
        report = self.add(
            text,
            type=type,
            subject=subject,
            topic=topic,
            object=object,
            attributes=attributes,
            importance=importance,
            staged=staged,
        )
        return (*report.added, *report.replaced, *report.repeated)[0]

    def record_skill(self, name: str, steps: Sequence[str]) -> EntryView:
        """Write down how something is done: a skill with its steps below it."""
        text = "\n".join([name, *(f"- {step}" for step in texts(steps))])
        report = self.add(text, type="skill", importance=0.7)
        return (*report.added, *report.replaced, *report.repeated)[0]

    # --- finding ---

    def get(self, name: str) -> EntryView:
        """One entry by id, key or `PATH:LINE`; NotFoundError or AmbiguousError otherwise."""
        from memwiki.memory.addresses import find_entry
        from memwiki.memory.view import views_of

        with used_reading(self.live) as view:
            return views_of(self.live.context, view.stores).of(find_entry(name, view))

    def list(
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
        from memwiki.memory.listing import EntryFilter, list_entries

        values = {"session": session, **(fields or {})}
        wanted = EntryFilter(
            texts(types), category, texts(tags), key_prefix, status, values, since, until
        )
        return list_entries(self.live, wanted, limit_of(limit))

    def core(self, limit: int | None = None) -> EntryList:
        """What is always worth knowing: entries of memory and learnings, the most important
        first."""
        from memwiki.memory.listing import core_entries

        return core_entries(self.live, limit_of(limit))

    def similar(
        self, text: str, *, threshold: float | None = None, limit: int | None = 5
    ) -> SimilarEntries:
        """Entries that are like a text, the likest first; without a `threshold` (from 0 to 1) the
        most alike where none is near, which a note says. Raises UsageError for a text that is
        empty and a number out of range."""
        from memwiki.memory.known_facts import similar_entries

        asked = None if threshold is None else share_of("threshold", threshold)
        return similar_entries(self.live, text, asked, limit_of(limit))

    def conflicts(self, name: str) -> tuple[EntryConflict, ...]:
        """The entries in force that may contradict one, the surest first, each with the reasons."""
        from memwiki.memory.known_facts import conflicting_entries

        return conflicting_entries(self.live, name)

    def history(self, name: str) -> EntryHistory:
        """What an entry said before: the entries it superseded, and its versions in git.

        Raises NotFoundError or AmbiguousError as `get` does.
        """
        from memwiki.commit.entry_edits import found_entry
        from memwiki.history.versions import entry_history

        known = found_entry(self.live, name, is_changed=False)
        return entry_history(self.live, self._environ, known)

    def find_tags(self, prefix: str = "") -> Sequence[tuple[str, Sequence[str]]]:
        """The tags of entries that begin so, each with the ids of its entries."""
        from memwiki.memory.listing import tags_with_entries

        return tags_with_entries(self.live, prefix)

    def entity_count_by_tag(self) -> Mapping[str, int]:
        """How many entities the entries with each tag name."""
        from memwiki.memory.listing import entity_counts

        return entity_counts(self.live)

    def suggest_tags(self, text: str) -> TagSuggestions:
        """Tags for a text: those in use that it speaks of, then few new ones."""
        from memwiki.memory.tag_suggestions import suggest_tags

        return suggest_tags(self.live, text)

    def entities(self, prefix: str = "", *, limit: int | None = None) -> EntityList:
        """The pages and wanted names that entries name and that begin so, the most named first."""
        from memwiki.memory.entities import list_entities

        return list_entities(self.live, prefix, limit_of(limit))

    def entity_candidates(self, name: str = "", *, limit: int | None = None) -> EntityCandidates:
        """Pairs of entities that may be one, or the five likest to a name; mere subjects aside."""
        from memwiki.memory.entities import entity_candidates

        return entity_candidates(self.live, name, limit_of(limit))

    # --- usage ---

    def usage(self, name: str = "", *, top: int | None = None, query: str = "") -> UsageList:
        """How an entry, page or entity was used, what a query recalled, or what was most.

        Raises NotFoundError for a name of nothing, UsageError for a name and a query together.
        """
        from memwiki.memory import usage

        if name and query:
            raise UsageError("usage: a name and a query together", "ask for one of them")
        if name:
            return usage.usage_of(self.live, name)
        most = limit_of(top)
        return (
            usage.recalled_by(self.live, query, most) if query else usage.most_used(self.live, most)
        )

    def trails(self, words: str = "", *, limit: int | None = None) -> TrailList:
        """Which questions led to what, the newest first; those that hold all of the words."""
        from memwiki.memory.usage import trails_of

        return trails_of(self.live, words, limit_of(limit))

    def record(self, query: str, recalled: Sequence[tuple[EntryView | str, float]]) -> bool:
        """Count what a query recalled, each with its score from 0 to 1: entries or their ids, paths
        of pages, names of entities. False where nothing can be written."""
        from memwiki.memory.usage import record

        return record(self.live.context, query, recalled)

    # --- changing ---

    def update(
        self,
        name: str,
        text: str | None = None,
        *,
        fields: Mapping[str, str] | None = None,
        base: str | None = None,
        **how: Unpack[EditOptions],
    ) -> Edited:
        """Give an entry other words, or other fields ("" removes one), and note the day.

        What changed since `base`, the words that the text was made of, is merged; ConflictError
        where the same lines did.

        What a model wrote is a person's once one without a name as an actor puts it into other
        words. Raises UsageError for a share that is neither from 0 to 1 nor high, medium or low,
        LineNotEditableError where the entry would be read otherwise, and NotEditableError outside
        of the namespace.
        """
        from memwiki.commit.entry_edits import update

        return update(self.live, name, text, fields or {}, base, **how)

    def set_tags(self, name: str, tags: Sequence[str], **how: Unpack[EditOptions]) -> Edited:
        """Give an entry these tags and no others; the first `memory.max_tags` are kept.

        Raises LineNotEditableError where its words hold one that cannot be taken out.
        """
        from memwiki.commit.entry_edits import set_tags

        return set_tags(self.live, name, texts(tags), **how)

    def supersede(
        self, name: str, text: str, *, origin: str = "", expect: str = "", dry_run: bool = False
    ) -> Edited:
        """Strike an entry out and write what holds now below it; each names the other.

        `origin` says whose words they are, whatever the text says. Those of an agent are put up for
        review, where `doors.supersede` says so.
        """
        from memwiki.proposals.endings import supersede

        return supersede(self.live, name, text, origin, expect=expect, dry_run=dry_run)

    def delete(
        self, name: str, *, hard: bool = False, expect: str = "", dry_run: bool = False
    ) -> Edited:
        """Take an entry out of its page; `hard` also clears it from undo and usage.

        Raises UsageError where other entries would be read otherwise without it.
        """
        from memwiki.commit.entry_edits import delete, found_entry

        known = found_entry(self.live, name)
        take = partial(delete, self.live, known, is_final=hard, expect=expect, dry_run=dry_run)
        if dry_run or not hard:
            return take()
        from memwiki.commit.erasing import doomed_entry

        return delete_for_good(self.live, doomed_entry(known.path, known.entry), take)

    def move(self, name: str, page: str = "", **how: Unpack[EditOptions]) -> Edited:
        """Move an entry to another page, by default to where one of its type belongs, under the
        heading of its type; links go on meaning it, and out of the inbox it is staged no longer.

        Raises UsageError for the page it is on, NotEditableError for one that holds no entries.
        """
        from memwiki.commit.entry_edits import move

        return move(self.live, name, page, **how)

    def relate(
        self,
        name: str,
        other: str,
        relation: str,
        *,
        weight: float | None = None,
        **how: Unpack[EditOptions],
    ) -> Edited:
        """Note in an entry how it stands to another one: because, supports, contradicts ...

        `weight` is from 0 to 1. Raises UsageError for any other, and for a relation of two words.
        """
        from memwiki.commit.entry_edits import relate

        return relate(self.live, name, other, relation, weight, **how)

    def relate_by_description(
        self,
        description: str,
        other: str,
        relation: str,
        *,
        weight: float | None = None,
        **how: Unpack[EditOptions],
    ) -> Edited:
        """The same for two entries that are described; AmbiguousError when several come close."""
        from memwiki.memory.known_facts import find_described

        first, second = (find_described(self.live, text) for text in (description, other))
        return self.relate(first, second, relation, weight=weight, **how)

    def unrelate(
        self, name: str, other: str, relation: str = "", **how: Unpack[EditOptions]
    ) -> Edited:
        """Take relations of a type, or of any, from one entry to another; NotFoundError where
        there is none."""
        from memwiki.commit.entry_edits import unrelate

        return unrelate(self.live, name, other, relation, **how)

    def merge_entities(self, a: str, b: str, *, dry_run: bool = False) -> Edited:
        """Make entity `a` another name of entity `b`: an alias of the one that has a page.

        Neither has one: a page is made. Raises AlreadyExistsError when each has its own.
        """
        from memwiki.commit.additions import merge_entities

        return merge_entities(self.live, a, b, dry_run=dry_run)
