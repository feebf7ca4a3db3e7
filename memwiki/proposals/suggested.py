"""Operations that somebody hands in, kept as a proposal: numbers and ids become what they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from memwiki.commit.page_edits import found_entry
from memwiki.errors import MemwikiError, UsageError
from memwiki.nouns import Json
from memwiki.proposals.numbering import NumberedSource, source_named
from memwiki.proposals.operations import BY_MEMWIKI, Do, Proposal, ProposalSource
from memwiki.proposals.proposing import KnownEntry, SuggestedOperation, operations_of
from memwiki.proposals.store import ProposalStore
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import reading

AGENT_JOB = "propose/1"
_NAMING = ("entry", "other", "successor")
_KNOWN = {each.value: each for each in Do if each not in BY_MEMWIKI}


def propose(
    live: LiveIndex,
    operations: Sequence[Mapping[str, Json]],
    source: str = "",
    *,
    job: str = "",
    model: str = "",
) -> Proposal:
    """Keep operations for review. Raises UsageError for what is no operation, NotFoundError for a
    source that is none."""
    read = source_named(live.public(), source) if source else NumberedSource(())
    given = [_on_pages(live, _suggestion(n, each)) for n, each in enumerate(operations, 1)]
    if not given:
        raise UsageError("propose: no operations", "each says what to do: add_entry ...")
    known = {each.id: each for each in _named(live, given)}
    made = operations_of(given, read, known, support=live.context.config.models.support)
    store = ProposalStore(live)
    return store.put(
        Proposal(
            store.new_id(),
            store.now,
            job or AGENT_JOB,
            ProposalSource(read.path, read.digest),
            made,
            model or live.context.actor,
            is_answered=True,
        )
    )


def _suggestion(n: int, given: Mapping[str, Json]) -> SuggestedOperation:
    values = dict(given)
    try:
        do = _KNOWN[str(values.pop("do", ""))]
    except KeyError:
        raise UsageError(
            f"operation {n}: {given.get('do')!r} is none that can be proposed",
            f"known: {', '.join(_KNOWN)}",
        ) from None
    cited = tuple(_numbers(values.pop("lines", [])))
    if do not in (Do.PAGE, Do.CLAIMS):
        return SuggestedOperation(do, values, cited)
    values.pop("cited", None)
    claims = values.get("claims")
    listed = [_claim(each, cited) for each in claims] if isinstance(claims, list) else []
    values["claims"] = [text for text, _ in listed]
    return SuggestedOperation(do, values, cited, tuple(lines for _, lines in listed))


def _claim(given: Json, cited: tuple[int, ...]) -> tuple[Json, tuple[int, ...]]:
    """A claim that cites lines of its own, or those of its operation."""
    if not isinstance(given, dict):
        return given, cited
    return given.get("text"), tuple(_numbers(given.get("lines", list(cited))))


def _on_pages(live: LiveIndex, given: SuggestedOperation) -> SuggestedOperation:
    """The same with the paths of the pages that it names, which have to be there."""
    if given.do not in (Do.CLAIMS, Do.CONTRADICTION):
        return given
    values = dict(given.values)
    with reading(live) as view:
        for name in ("page", "against"):
            if isinstance(called := values.get(name), str):
                values[name] = view.find_own(called.encode("utf-8", "replace").decode())
    return given._replace(values=values)


def _numbers(value: Json) -> Iterator[int]:
    for each in value if isinstance(value, list) else [value]:
        with suppress(TypeError, ValueError):
            yield int(each) if isinstance(each, int | str) else 0


def _named(live: LiveIndex, given: Iterable[SuggestedOperation]) -> Iterator[KnownEntry]:
    """The entries that operations name, as they are now; those that are none are left out."""
    for id_ in dict.fromkeys(_ids(given)):
        with suppress(MemwikiError):
            yield known_entry(live, id_)


def known_entry(live: LiveIndex, id_: str) -> KnownEntry:
    """An entry as it is now. Raises NotFoundError."""
    entry = found_entry(live, id_).entry
    return KnownEntry(id_, entry.text, entry.fields.get("origin", ""))


def _ids(given: Iterable[SuggestedOperation]) -> Iterator[str]:
    for each in given:
        yield from (value for name in _NAMING if isinstance(value := each.values.get(name), str))
        listed = each.values.get("entries")
        yield from map(str, listed if isinstance(listed, list) else ())
