"""Adding, removing, renaming and merging tags, in front matter and text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import cache
from typing import NamedTuple

from memwiki.change.plan import Plan, edit_of
from memwiki.entry_fields import canonical
from memwiki.errors import (
    AlreadyExistsError,
    NotEditableError,
    NotFoundError,
    UsageError,
)
from memwiki.index.graph import tag_counts
from memwiki.markdown.edit.tags import (
    added_tags,
    changed_tags,
    field_tags,
    inline_tags,
    may_hold,
    removed_inline,
    renamed_inline,
)
from memwiki.markdown.outline import Outline, outline_of
from memwiki.markdown.tags import MAX_TAGS, SIGNS, find_tags
from memwiki.names import fold, slug
from memwiki.nouns import Layers, TagCount
from memwiki.numbers import counted
from memwiki.pages.companions import CompanionFile, rename_tags
from memwiki.pages.page import Planned, is_raw, page_plan, set_fields
from memwiki.sync.reading import Reading
from memwiki.text import MARKS, pattern


class TagHolders(NamedTuple):
    """What may carry a tag: pages with their bytes, and all canvases and bases."""

    pages: Iterable[tuple[str, bytes]]
    companions: Iterable[CompanionFile] = ()


_WORD = rf"(?:(?!_)[\w{MARKS}{SIGNS}\u200d\ufe0f\U0001f3fb-\U0001f3ff])+"
_OWN = pattern(rf"{_WORD}(?:[-/]{_WORD})*\Z")


def tags_of(view: Reading) -> TagsInUse:
    """The tags in use, but for those of other namespaces."""
    rows = view.lookup.all_tags()
    return TagsInUse(tag_counts(row for row in rows if view.scope.reaches(row[0])))


class TagsInUse:
    """The tags that pages carry, with their most common spelling and number of pages."""

    def __init__(self, counts: Iterable[TagCount]) -> None:
        self._counts: Mapping[str, TagCount] = {fold(each.tag): each for each in counts}

    def count(self, tag: str) -> int:
        """The number of pages that carry a tag or one nested in it."""
        known = self._counts.get(fold(tag))
        return known.count if known else 0

    def below(self, tag: str) -> set[str]:
        """The folded forms of a tag and of those nested in it, as far as they are in use."""
        folded = fold(tag)
        return {name for name in self._counts if name == folded or name.startswith(f"{folded}/")}

    def spelled(self, tag: str) -> str:
        """A tag as most pages spell it; one that is new has to keep to the rules."""
        tag = _bare(tag)
        known = self._counts.get(fold(tag))
        return known.tag if known else self.checked(tag)

    def of_words(self, words: Iterable[str]) -> tuple[str, ...]:
        """Each as it is spelled where it is in use, else as a tag of ours, if it can be one."""
        tags = (word if fold(word) in self._counts else as_tag(word) for word in words)
        return tuple(map(self.spelled, filter(None, tags)))

    def checked(self, tag: str) -> str:
        """A tag as it is given: one that is not in use so has to keep to the rules."""
        if reason := self.why_not(tag):
            near = as_tag(tag)
            raise UsageError(reason, f"use {near}" if near else "for example green-tea")
        return tag

    def why_not(self, tag: str) -> str:
        """Why a tag is none of ours; "" for one that is, and for one that is in use so."""
        known = self._counts.get(fold(tag))
        is_own = _OWN.match(tag) and tag == fold(tag) and _is_read_back(tag)
        if is_own or (known and known.tag == tag):
            return ""
        return f"#{tag}: a tag is words in lower case joined by -"

    def near(self, tag: str) -> str:
        """A tag in use that is spelled nearly alike, "" when there is none or the tag is in use."""
        if fold(tag) in self._counts:
            return ""
        alike = next((name for name in self._counts if tag_stem(name) == tag_stem(tag)), "")
        close = [alike] if alike else get_close_matches(fold(tag), self._counts, 1, 0.85)
        return self._counts[close[0]].tag if close else ""

    def notes(self, tags: Iterable[str]) -> Iterable[str]:
        """Which new tags nearly repeat one that is in use."""
        for tag in tags:
            near = self.near(tag)
            if near:
                yield f"#{tag} is new; #{near} is on {counted(self.count(near), 'page')}"


def as_tag(word: str) -> str:
    """A word or several as a tag of ours, in lower case and joined by `-`; "" when none can be."""
    tag = "/".join(filter(None, map(slug, word.replace("_", "-").split("/"))))
    return tag if _is_read_back(tag) else ""


def _is_read_back(tag: str) -> bool:
    return find_tags(f"#{tag}") == [(tag, 0)]


def tag_stem(tag: str) -> str:
    """What spellings of one word have in common: no hyphens, no plural."""
    return re.sub(r"[-_]", "", fold(tag)).removesuffix("s")


# --- one page ---


def _carried(page: Outline) -> list[str]:
    """The tags of a page, in its text and its front matter."""
    return [*(tag.name for tag in inline_tags(page)), *field_tags(page)]


def add_tags(page: Outline, tags: Sequence[str], in_use: TagsInUse) -> Planned:
    """A plan that adds tags to the front matter of a page, those it does not carry yet."""
    existing = {fold(tag): tag for tag in _carried(page)}
    asked = {fold(tag): tag for tag in map(in_use.spelled, tags)}
    new = [tag for folded, tag in asked.items() if folded not in existing]
    notes = [
        f"#{existing[folded]} is already on the page" for folded in asked if folded in existing
    ]
    notes += in_use.notes(new)
    if new and len(existing) + len(new) > MAX_TAGS:
        notes.append(f"{page.path} has {len(existing) + len(new)} tags now, more than {MAX_TAGS}")
    after = added_tags(page, new) if new else page
    return Planned(page_plan(page, after, f"added {_tag_list(new)}", "tag"), tuple(notes))


def with_tags(page: Outline, tags: Sequence[str]) -> Outline:
    """The page with those tags in its front matter that it does not carry yet."""
    carried = {*map(fold, _carried(page))}
    new = [tag for tag in dict.fromkeys(tags) if fold(tag) not in carried]
    return added_tags(page, new) if new else page


def remove_tags(page: Outline, tags: Sequence[str]) -> Planned:
    """A plan that takes tags off a page: out of its front matter, and out of its text."""
    gone = {fold(tag): tag for tag in map(_bare, tags)}
    carried = _carried(page)
    existing = {*map(fold, carried)}
    notes = [f"#{tag} is not on the page" for folded, tag in gone.items() if folded not in existing]
    notes += _nested_left(gone, carried)

    def is_gone(tag: str) -> bool:
        return fold(tag) in gone

    after = changed_tags(page, lambda tag: "" if is_gone(tag) else tag)
    after = removed_inline(after, is_gone)
    what = f"removed {_tag_list([tag for folded, tag in gone.items() if folded in existing])}"
    return Planned(page_plan(page, after, what, "tag"), tuple(notes))


def _nested_left(gone: Mapping[str, str], existing: Iterable[str]) -> list[str]:
    below = tuple(f"{folded}/" for folded in gone)
    left = dict.fromkeys(tag for tag in existing if fold(tag).startswith(below))
    return [f"#{tag} was kept; name it too to remove it" for tag in left]


def _tag_list(tags: Sequence[str]) -> str:
    return ", ".join(f"#{tag}" for tag in tags)


def set_tagged(
    page: Outline,
    changes: Mapping[str, str | Sequence[str]],
    unset: Sequence[str],
    in_use: TagsInUse,
) -> Planned:
    """A plan that sets fields; notes say which tags among them `add_tags` would not write."""
    planned = set_fields(page, changes, unset)
    given = [value for key, value in changes.items() if canonical(key) == "tags"]
    tags = [tag for each in given for tag in (each.split(",") if isinstance(each, str) else each)]
    asked = (_bare(tag.strip()) for tag in tags if not tag.strip().startswith("[["))
    notes = filter(None, (in_use.why_not(tag) for tag in asked if tag))
    return planned._replace(notes=(*planned.notes, *notes))


# --- all pages ---


def rename_tag(old: str, new: str, pages: TagHolders, in_use: TagsInUse, layers: Layers) -> Planned:
    """A plan that gives a tag, and those nested in it, another name on all pages."""
    old = _known_spelling(old, in_use)
    others = in_use.below(new.lstrip("#")) - in_use.below(old)
    if others:
        taken = min(others)
        raise AlreadyExistsError(
            f"#{taken}: is on {counted(in_use.count(taken), 'page')} already",
            "memwiki tag merge {} {} merges them",
            old,
            new.lstrip("#"),
        )
    new = _bare(new)
    if not _is_read_back(new):
        in_use.checked(new)
    # Any tag that can stand in a text: a name that was in use must be able to come back.
    notes = filter(None, (in_use.why_not(new), *in_use.notes([new])))
    return _plan_move(old, new, pages, layers, f"renamed #{old} to #{new}", notes)


def merge_tags(old: str, new: str, pages: TagHolders, in_use: TagsInUse, layers: Layers) -> Planned:
    """A plan that makes one tag part of another on all pages."""
    old, new = _known_spelling(old, in_use), _known_spelling(new, in_use)
    if fold(new) in in_use.below(old):
        raise UsageError(f"#{new}: is #{old} itself or nested in it", "memwiki tag rename OLD NEW")
    return _plan_move(old, new, pages, layers, f"merged #{old} into #{new}", ())


def _bare(tag: str) -> str:
    return tag.lstrip("#").strip("/ ")


def _known_spelling(tag: str, in_use: TagsInUse) -> str:
    tag = _bare(tag)
    if not in_use.count(tag):
        near = in_use.near(tag)
        hint = f"did you mean {near}?" if near else "memwiki tags lists them"
        raise NotFoundError(f"#{tag}: no page carries this tag", hint)
    return tag


def _plan_move(
    old: str,
    new: str,
    tagged: TagHolders,
    layers: Layers,
    title: str,
    notes: Iterable[str],
) -> Planned:
    rename = renaming(old, new)
    edits, left = [], []
    for path, data in tagged.pages:
        if is_raw(path, layers):
            left.append(f"{path}: skipped; sources are never changed")
            continue
        try:
            page = outline_of(path, data, layers)
            page = changed_tags(page, rename)
            after = (renamed_inline(page, rename) if may_hold(page.text, old) else page).data
        except NotEditableError as error:
            left.append(f"skipped: {error.message}")
            continue
        if after != data:
            edits.append(edit_of(path, data, after, title))
    others = rename_tags(tagged.companions, layers, old, rename, title)
    on = f"on {counted(len(edits), 'page')}" if edits else ""
    inside = f"in {counted(len(others.edits), 'other file')}" if others.edits else ""
    where = " and ".join(filter(None, (on, inside)))
    plan = Plan((*edits, *others.edits), f"{title} {where}" if where else "nothing changed", "tag")
    return Planned(plan, (*notes, *left, *others.notes))


def renaming(old: str, new: str) -> Callable[[str], str]:
    """A function that gives a tag its new name when it is the old one or nested in it."""
    folded, depth = fold(old), old.count("/") + 1

    @cache
    def rename(tag: str) -> str:
        parts = tag.split("/")
        if fold("/".join(parts[:depth])) != folded:
            return tag
        return "/".join([new, *parts[depth:]])

    return rename
