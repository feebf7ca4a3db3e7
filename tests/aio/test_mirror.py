"""The asynchronous workspace has every method of the plain one, with its words and arguments."""

from __future__ import annotations

import asyncio
import inspect
from typing import get_args

from memwiki import AsyncWorkspace, Workspace
from memwiki.aio import facets as parts
from memwiki.aio.face import Face, WorkspaceFace
from memwiki.sync.opened import OpenFolder
from memwiki.workspace.facets import FacetProperty, Facets
from tests.effort import for_each

# Of a thread, a value, or with a way of its own: `read` for one sweep, `close` for leaving.
PLAIN_ONLY = {
    "ends_soon",
    "is_synced",
    "namespace",
    "actor",
    "config",
    "live",
    "one_sweep",
    "leave",
    "has_current_settings",
    "settings_error",
    "lacks_texts",
    "follow",
    "list_new",
}
BY_HAND = {"watch", "close"}
OPENING = {"open", "init", "adopt"}  # whose class is no argument of what they mirror
OWN_WORDS = {*BY_HAND, "by", "public"}


def public(kind: type) -> dict[str, object]:
    return {name: what for name, what in vars(kind).items() if not name.startswith("_")}


def facets() -> list[tuple[type, type]]:
    """Each facet with its mirror."""
    mirrors = [kind for name, kind in vars(parts).items() if name.startswith("Async")]
    return [(get_args(kind.__orig_bases__[0])[0], kind) for kind in mirrors]


FACETS = facets()


def test_every_facet_is_mirrored():
    given = {each for each in map(returned, public(Facets).values()) if each.endswith("Facet")}
    assert given and given == {plain.__name__ for plain, _ in FACETS}
    assert all(issubclass(mirror, Face) for _, mirror in FACETS)


@for_each(("plain", "mirror"), FACETS)
def test_a_facet_has_the_same_methods_arguments_and_words(plain, mirror):
    assert inspect.getdoc(mirror) == inspect.getdoc(plain)
    assert list(public(mirror)) == list(public(plain))
    for name, method in public(plain).items():
        same = getattr(mirror, name)
        assert inspect.iscoroutinefunction(same)
        assert inspect.signature(same) == inspect.signature(method), name
        assert inspect.getdoc(same) == inspect.getdoc(method), name


def test_the_workspace_has_the_same_methods_arguments_and_words():
    known = {**public(Facets), **public(OpenFolder), **public(Workspace)}
    there = {**public(WorkspaceFace), **public(AsyncWorkspace)}
    assert set(known) - set(there) == PLAIN_ONLY
    assert set(there) - set(known) == {"root", "read", "write"}
    for name in BY_HAND:
        assert [*arguments(there[name]).parameters] == [*arguments(known[name]).parameters]
    for name in set(known) - PLAIN_ONLY - BY_HAND:
        assert name in OWN_WORDS or inspect.getdoc(there[name]) == inspect.getdoc(known[name])
        assert isinstance(there[name], type(known[name])), name
        if not isinstance(known[name], property):
            plain, same = arguments(known[name]), arguments(there[name])
            expected = [*plain.parameters.values()][name in OPENING :]
            assert [*same.parameters.values()] == expected, name
        assert returned(there[name]).removeprefix("Async") == returned(known[name]), name


def arguments(method: object) -> inspect.Signature:
    plain = getattr(method, "fget", getattr(method, "__func__", method))
    return inspect.signature(plain)


def returned(method: object) -> str:
    if isinstance(method, FacetProperty):
        return method.kind
    return str(arguments(method).return_annotation)


class Asked:
    """Threads that do nothing, and note whether a call reads."""

    async def run(self, _, *, is_reading, **__):
        self.is_reading = is_reading

    def is_read(self, method: object) -> bool:
        asyncio.run(method(Face(self, None)))
        return self.is_reading


def test_what_can_be_tried_with_dry_run_is_a_write():
    asked = Asked()
    for kind in (AsyncWorkspace, *(mirror for _, mirror in FACETS)):
        for name, method in public(kind).items():
            if inspect.iscoroutinefunction(method) and asked.is_read(method):
                # `models.check` would send, and writes no file.
                is_sending = (kind.__name__, name) == ("AsyncModelsFacet", "check")
                given = {"dry_run", "how"} & {*arguments(method).parameters}
                assert is_sending or not given, (kind, name)
    assert asked.is_read(AsyncWorkspace.recall) and not asked.is_read(AsyncWorkspace.sync)
