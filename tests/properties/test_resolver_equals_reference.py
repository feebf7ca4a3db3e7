"""The resolver gives what the paragraph of the format says, read literally and tried on every
page."""

from __future__ import annotations

from posixpath import basename, dirname, normpath

from hypothesis import given
from hypothesis import strategies as st

from memwiki.index.names import NameKind
from memwiki.index.resolve import Resolver
from memwiki.nouns import Dialect, Layers, Link, LinkKind, LinkStatus, Nested

TEMPLATE = Layers(wiki="wiki", raw="raw", inbox="inbox", archive="archive")
PROGRAMS = ("lab/one", "lab")  # folders that programs keep, the deepest first
FORMS = (*(Dialect("obsidian", folder=each) for each in PROGRAMS), TEMPLATE.dialect)
NESTED = TEMPLATE._replace(nested=tuple(Nested("", form) for form in FORMS))
FOLDERS = (
    "",
    "wiki",
    "wiki/a",
    "wiki/a/b",
    "wiki/ab",
    "lab/one",
    "lab/one/n",
    "lab/two",
    "raw",
    "raw/a",
    "inbox",
    "archive/wiki",
)
STEMS = ("x", "y", "memory")
WRITTEN = ("x", "y", "memory", "a/x", "one/x", "wiki/x", "raw/x", "/x", "../x", "./x", "X", "x.md")
KINDS = (LinkKind.WIKILINK, LinkKind.MARKDOWN, LinkKind.SOURCE, LinkKind.CITED, LinkKind.RELATED)

folders = st.sampled_from(FOLDERS)
paths = st.builds(
    lambda folder, stem: f"{folder}/{stem}.md".lstrip("/"), folders, st.sampled_from(STEMS)
)


class Plain:
    """Names looked for one by one."""

    def __init__(self, pages: list[str]) -> None:
        self._pages = pages

    def pages(self, kind: NameKind, name: str) -> list[str]:
        name = name.casefold()
        if kind is NameKind.PATH:
            return [p for p in self._pages if name in (p.casefold(), p[:-3].casefold())]
        if kind is NameKind.STEM:
            return [p for p in self._pages if basename(p)[:-3].casefold() == name]
        return []

    def slugs(self, form: str) -> list[str]:
        return []

    def attachments(self, name: str) -> list[str]:
        return []

    def entries(self, id_: str) -> list[str]:
        return []


def found_by(written: str, folder: str, kind: LinkKind, pages: list[str]) -> list[str]:
    """What the first step finds that finds anything, without the archive from the third step on."""
    at_root, here = written.lstrip("/"), f"{folder}/{written}".lstrip("/")
    places = [at_root] if written.startswith("/") else [at_root, here]
    if kind is LinkKind.MARKDOWN or written.startswith("."):
        places.reverse()
    for place in map(normpath, places):
        exact = [p for p in pages if place.casefold() in (p.casefold(), p[:-3].casefold())]
        if exact and not place.startswith(".."):
            return exact
    end = f"/{written.strip('/').removesuffix('.md')}".casefold()
    return [
        p for p in pages if f"/{p[:-3]}".casefold().endswith(end) and not p.startswith("archive/")
    ]


def best_first(path: str, folder: str) -> tuple[object, ...]:
    ranks = {"wiki": 0, "inbox": 4, "raw": 5}
    top = path.split("/", maxsplit=1)[0] if "/" in path else ""
    rank = ranks.get(top, 3) if top else (1 if path == "memory.md" else 2)
    shared, here, there = 0, folder.split("/"), dirname(path).split("/")
    while folder and shared < min(len(here), len(there)) and here[shared] == there[shared]:
        shared += 1
    return dirname(path) != folder, -shared, rank, path.count("/"), path


def is_aside(path: str) -> bool:
    return path.split("/", maxsplit=1)[0] in ("raw", "inbox", "archive")


def reference(written: str, folder: str, kind: LinkKind, pages: list[str]) -> tuple[str, bool]:
    """The page that is meant, "" for none, and whether that is certain."""
    found = sorted(
        found_by(written, folder, kind, pages), key=lambda path: best_first(path, folder)
    )
    chief = [] if is_aside(f"{folder}/") else [path for path in found if not is_aside(path)]
    if kind in (LinkKind.SOURCE, LinkKind.CITED):
        chief = [path for path in found if path.startswith("raw/")] or chief
    order = [*chief, *found]
    return order[0] if order else "", len(found) == 1 or len(chief) == 1


@given(
    pages=st.lists(paths, min_size=1, max_size=8, unique=True),
    folder=folders,
    written=st.sampled_from(WRITTEN),
    kind=st.sampled_from(KINDS),
)
def test_a_name_means_what_the_format_says(pages, folder, written, kind):
    source = f"{folder}/here.md".lstrip("/")
    found = Resolver(Plain(pages), TEMPLATE).resolve(Link(written, "", 1, kind), source)
    target, is_certain = reference(written, folder, kind, pages)
    assert found.target == target
    if target:
        assert (found.status is LinkStatus.RESOLVED) == is_certain
        assert set(found.candidates) == set(found_by(written, folder, kind, pages))


def within(written: str, folder: str, kind: LinkKind, pages: list[str], base: str) -> list[str]:
    """What the steps find among the pages below a folder, whose root it is; a path from the folder
    of the link may lead out."""
    inner = {path[len(base) + 1 :]: path for path in pages if path.startswith(f"{base}/")}
    below = folder[len(base) + 1 :]
    is_first = kind is LinkKind.MARKDOWN or written.startswith(".")
    place = normpath(f"{folder}/{written}").casefold()
    here = [path for path in pages if place in (path.casefold(), path[:-3].casefold())]
    if is_first and not written.startswith("/") and here:
        return here
    return [inner[path] for path in found_by(written, below, kind, list(inner))]


def found_in_programs(written: str, folder: str, kind: LinkKind, pages: list[str]) -> list[str]:
    """What is found in the nearest folder of a program above the link, else in the next."""
    above = (base for base in PROGRAMS if f"{folder}/".startswith(f"{base}/"))
    for base in above:
        if found := within(written, folder, kind, pages, base):
            return found
    return found_by(written, folder, kind, pages)


@given(
    pages=st.lists(paths, min_size=1, max_size=8, unique=True),
    folder=folders,
    written=st.sampled_from(WRITTEN),
    kind=st.sampled_from(KINDS),
)
def test_a_name_means_first_what_the_program_above_it_sees(pages, folder, written, kind):
    source = f"{folder}/here.md".lstrip("/")
    found = Resolver(Plain(pages), NESTED).resolve(Link(written, "", 1, kind), source)
    assert set(found.candidates) == set(found_in_programs(written, folder, kind, pages))
