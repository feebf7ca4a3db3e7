"""Making one entity another name of another: an alias of the one that has a page."""

from __future__ import annotations

from difflib import get_close_matches

from memwiki.change.plan import Plan
from memwiki.errors import (
    AlreadyExistsError,
    ManyMatchesError,
    NotFoundError,
    UsageError,
    shell_word,
)
from memwiki.index.resolve import Resolver
from memwiki.judgement.entities import JudgedEntity, judge_entities, name_similarity
from memwiki.markdown.edit.fields import set_field
from memwiki.markdown.fields import is_private
from memwiki.markdown.outline import Outline, outline_of
from memwiki.memory.entities import NamedEntity, entities_of_view, pages_by_name
from memwiki.names import fold
from memwiki.nouns import Layers, LinkStatus
from memwiki.pages.page import Planned, checked_line, page_plan
from memwiki.records import NamedTuple
from memwiki.sync.reading import Reading
from memwiki.text import pattern

OP = "entity"

_NUMBER = pattern(r"\d[\d.]*")
_ALIKE = 0.5  # names that nobody would take for each other need no warning
_MAX_NAME_CHARS = 300  # to a longer one nothing is near


class EntityMerge(NamedTuple):
    """What becomes of two entities: `path` answers to `alias`, too; without a path a new page is to
    be called `name`."""

    title: str
    path: str
    name: str
    alias: str
    notes: tuple[str, ...] = ()
    is_private: bool = False  # only what is private has both, or one, of the names


class MergedSide(NamedTuple):
    """One of the two, as it was given."""

    given: str
    name: str
    path: str


def merge_of(a: str, b: str, view: Reading) -> EntityMerge:
    """How one entity becomes another name of another; refused where both have pages."""
    one, other = sides_of(a, b, view)
    if one.path and other.path and one.path != other.path:
        raise AlreadyExistsError(
            f"{one.given}: has a page, {one.path}, as has {other.given}: {other.path}",
            _hint(one, other),
            path=one.path,
        )
    title = f"merged {one.name} into {other.name}"
    if one.path == other.path and (one.path or fold(one.name) == fold(other.name)):
        raise AlreadyExistsError(
            f"{one.given}: is {other.given} already", "memwiki entity list", path=one.path
        )
    page, wanted = (one, other) if one.path else (other, one)
    notes = [f"{wanted.name} is now another name of {page.path}"] if page is one else []
    if differ_in_number(one.name, other.name):
        notes.append(f"{one.name} and {other.name} differ in a number; memwiki undo takes it back")
    return EntityMerge(title, page.path, page.name, wanted.name, tuple(notes))


def sides_of(a: str, b: str, view: Reading) -> tuple[MergedSide, MergedSide]:
    """Both of them. Raises NotFoundError for a name that nothing has."""
    known = entities_of_view(view)
    return _side(a, known, view), _side(b, known, view)


def _hint(one: MergedSide, other: MergedSide) -> str:
    """What makes one page of two."""
    old, new = shell_word(one.path), shell_word(other.path)
    again = f"memwiki entity merge {shell_word(one.name)} {new}"
    return f"move what {old} says to {new}, then memwiki delete {old} and {again}"


def _side(given: str, known: list[NamedEntity], view: Reading) -> MergedSide:
    name = checked_line("entity merge", given)
    if not name:
        raise UsageError("entity merge: a name is empty", "memwiki entity list")
    _require_one_page(name, view)
    if page := pages_by_name(view.lookup, view.scope)(name):
        return MergedSide(given, page.title, page.path)
    view_of = {fold(spelled): each for each in known for spelled in each.spellings}
    if found := view_of.get(fold(name)):
        return MergedSide(given, found.name, "")
    raise NotFoundError(
        f"{given}: no entry names such an entity, and no page has this name", _near(name, view_of)
    )


def _require_one_page(name: str, view: Reading) -> None:
    found = Resolver(view.lookup, view.context.layers).named(name, view.scope)
    if found.status is LinkStatus.AMBIGUOUS:
        raise ManyMatchesError(name, "pages match this name", found.candidates)


def _near(name: str, known: dict[str, NamedEntity]) -> str:
    close = get_close_matches(fold(name), known, 1, 0.75) if len(name) <= _MAX_NAME_CHARS else []
    return f"did you mean {known[close[0]].name}?" if close else "memwiki entity list"


def differ_in_number(one: str, other: str) -> bool:
    """Whether two names are alike but for a number."""
    is_different = judge_entities(JudgedEntity(one), JudgedEntity(other)).reason == "number"
    return (
        is_different and name_similarity(*(_NUMBER.sub("", each) for each in (one, other))) > _ALIKE
    )


def alias_plan(page: Outline, merge: EntityMerge) -> Planned:
    """A plan that gives a page one more name."""
    notes = merge.notes
    if merge.is_private and not is_private(page.fields.values):
        notes = (*notes, f"{merge.alias} was said by what is private alone; {page.path} is not")
    return Planned(page_plan(page, with_alias(page, merge.alias), merge.title, OP), notes)


def with_alias(page: Outline, alias: str) -> Outline:
    """The page with one more name."""
    known = page.fields.aliases
    if fold(alias) in map(fold, known):
        return page
    return set_field(page, "aliases", [*known, alias])


def new_page_plan(plan: Plan, merge: EntityMerge, layers: Layers) -> Plan:
    """The plan of a new page, with its other name; private where that tells of what is."""
    (edit,) = plan.edits
    page = with_alias(outline_of(edit.path, edit.data or b"", layers), merge.alias)
    if merge.is_private:
        page = set_field(page, "private", "true")
    named = edit._replace(data=page.data, reason=merge.title)
    return plan._replace(edits=(named,), op=OP, title=f"{merge.title} in {edit.path}")
