"""What a name means in a namespace depends on no other namespace, and is what it would mean in a
workspace of its own; a scope shows each page to those who may see it."""

from __future__ import annotations

from posixpath import basename, dirname

from hypothesis import given
from hypothesis import strategies as st

from memwiki.index.names import NameKind
from memwiki.index.resolve import Resolver
from memwiki.nouns import Layers, Link, LinkKind
from memwiki.scope import EVERY, base_of, scope_of

LAYERS = Layers(wiki="wiki", raw="raw", inbox="inbox", archive="archive", namespaces="n")
BASES = ("", "n/a/", "n/b/", "n/aa/", "archive/n/a/")
FOLDERS = ("", "wiki/", "wiki/x/", "raw/", "inbox/", "archive/", "a/")
STEMS = ("x", "X", "y", "a", "memory", "README")
ENDS = ("x", "X", "y", "a", "x.md", "wiki/x", "wiki/x/y.md", "raw/x", "a/x", "n/b/x", "z.png")
WRITTEN = st.builds(
    lambda start, end: start + end,
    st.sampled_from(("", "", "/", "./", "../", "../../", "n/a/", "/n/b/", "../b/")),
    st.sampled_from((*ENDS, "", ".", "..", "wiki/", "a/..")),
)
KINDS = st.sampled_from(list(LinkKind))
bases, folders = st.sampled_from(BASES), st.sampled_from(FOLDERS)
paths = st.builds(
    lambda base, folder, stem: f"{base}{folder}{stem}.md", bases, folders, st.sampled_from(STEMS)
)
files = st.builds(lambda base, folder: f"{base}{folder}z.png", bases, folders)


class Plain:
    """Names looked for one by one; a page is titled by its file, an entry stands on each."""

    def __init__(self, pages: list[str], attached: list[str]) -> None:
        self._pages, self._attached = pages, attached

    def pages(self, kind: NameKind, name: str) -> list[str]:
        name = name.casefold()
        if kind is NameKind.PATH:
            return [p for p in self._pages if name in (p.casefold(), p[:-3].casefold())]
        return [p for p in self._pages if basename(p)[:-3].casefold() == name]

    def slugs(self, form: str) -> list[str]:
        return self.pages(NameKind.STEM, form)

    def attachments(self, name: str) -> list[str]:
        return [p for p in self._attached if basename(p).casefold() == name.casefold()]

    def entries(self, id_: str) -> list[str]:
        return [p for p in self._pages if basename(p).startswith(id_)]


held = st.tuples(
    st.lists(paths, max_size=10, unique=True), st.lists(files, max_size=4, unique=True)
)


def without(held: tuple[list[str], list[str]], base: str) -> Plain:
    pages, attached = held
    return Plain(*([p for p in part if not p.startswith(base)] for part in (pages, attached)))


@given(held, folders, WRITTEN, KINDS)
def test_what_stands_in_another_namespace_changes_nothing(held, folder, written, kind):
    link, source = Link(written, "y.md", 1, kind, "h"), f"n/a/{folder}here.md"
    found = Resolver(Plain(*held), LAYERS).resolve(link, source)
    assert base_of(found.target, LAYERS) in ("", "n/a")
    assert found == Resolver(without(held, "n/b/"), LAYERS).resolve(link, source)


@given(held, folders, WRITTEN, KINDS)
def test_outside_of_all_nothing_in_a_namespace_is_meant_by_its_name(held, folder, written, kind):
    link, source = Link(written, "", 1, kind), f"{folder}here.md"
    found = Resolver(Plain(*held), LAYERS).resolve(link, source)
    if any(path.startswith("n/") for path in found.candidates):
        assert found.by in ("path", "relative path", "attachment", "folder")
    else:
        assert found == Resolver(without(held, "n/"), LAYERS).resolve(link, source)


@given(held, folders, WRITTEN, KINDS)
def test_a_namespace_alone_is_a_workspace_of_its_own(held, folder, written, kind):
    inside = tuple([p for p in part if p.startswith("n/a/")] for part in held)
    alone = tuple([p.removeprefix("n/a/") for p in part] for part in inside)
    link, there = Link(written, "", 1, kind), f"n/a/{folder}here.md"
    found = Resolver(Plain(*inside), LAYERS).resolve(link, there)
    here = Resolver(Plain(*alone), LAYERS).resolve(link, f"{folder}here.md")
    if here.target and dirname(written) != written and "n/" not in written and _is_inside(written):
        assert found.target == ((written.strip() and f"n/a/{here.target}") or there)
        assert (found.status, found.by) == (here.status, here.by)


def _is_inside(written: str) -> bool:
    """Whether a path does not end at the folder of the namespace, which is called differently."""
    return written.rstrip("/").rpartition("/")[2] not in ("", ".", "..")


@given(held, WRITTEN, KINDS)
def test_a_name_that_is_typed_means_what_a_link_at_the_base_means(held, written, kind):
    names = Plain(*held)
    for name in ("", "a", "b"):
        scope = scope_of(LAYERS, name)
        typed = Resolver(names, LAYERS).named(written, scope, kind)
        if written.strip():
            source = f"{scope.base}/here.md".lstrip("/")
            link = Link(written, "", 1, kind)
            assert typed == Resolver(names, LAYERS).resolve(link, source)


@given(paths, paths)
def test_a_scope_shows_each_page_to_those_who_may_see_it(path, start):
    scopes = {name: scope_of(LAYERS, name) for name in ("", "a", "b", "aa")}
    every = scope_of(LAYERS, EVERY, ["a", "b", "aa"])
    seeing = [name for name, scope in scopes.items() if scope.sees(path)]
    owning = [name for name, scope in scopes.items() if scope.owns(path)]
    assert len(owning) == 1
    assert set(seeing) <= set(owning)
    assert every.sees(path) == bool(seeing)
    assert every.owns(path)
    for name, scope in scopes.items():
        assert scope.reaches(path) == (name in owning or owning == [""])
        assert scope.is_outside(path) == (bool(name) and name not in owning)
        assert scope.own_path(scope.own_path(path)) == scope.own_path(path)
        if scope.meets(path, start) and scope.owns(start):
            assert scope.owns(path)
