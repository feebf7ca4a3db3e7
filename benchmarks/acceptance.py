"""What has to hold on any folder of markdown, checked on real ones.

For each VAULT: not one byte, time or mode changes, and nothing is left elsewhere; every page that
an independent walk finds is indexed; a second sync does nothing and leaves the index untouched; the
index equals a rebuild; links resolve; no number is taken for a tag; a page is first when its title
is asked for, and a rare tag, alias or heading finds its pages. Then two made folders: 28,000 files
side by side, and a file of 50 MB. Exits 1 when a figure misses.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import measure
from speed import make_large

sys.path.insert(0, str(measure.PROJECT))

from memwiki.markdown.parse import parse
from memwiki.names import fold
from memwiki.nouns import Link, LinkKind, LinkRow, LinkStatus, Page
from memwiki.workspace import Workspace

_SAMPLE = 400
_RARE = 3  # a name that so many pages carry has to find each of them
_TOP = 10
_ROOT_ABSOLUTE = re.compile(r"\]\((/[^)\s#?]+\.md)(?:#[^)\s]*)?\)")
_HTML = re.compile(r"</?[A-Za-z][^<>]*>")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_MEDIA = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|bmp|mp[34]|mov|webm|wav|pdf|zip)(?:#|\Z)", re.IGNORECASE
)
_NUMBER = re.compile(r"[\W\d_]+")
_UNRESOLVED = (LinkStatus.WANTED, LinkStatus.BROKEN)
_WIKI = (LinkKind.WIKILINK, LinkKind.EMBED)
# What is known of these vaults; other folders only have their figures printed.
_WIKILINKS_MOST = {"obsidian-hub": 0.003}
_ROOT_LINKS_LEAST = {"pingcap-cn": 0.999}
_TITLES_LEAST = dict.fromkeys(("cpp-docs", "pingcap-cn", "obsidian-hub"), 0.95)
_NAMES_LEAST = dict.fromkeys(("cpp-docs", "pingcap-cn", "obsidian-hub"), 1.0)


@dataclass(frozen=True, slots=True)
class Check:
    """One figure of one folder; `is_good` is None when nothing is demanded of it."""

    vault: str
    what: str
    figure: str
    is_good: bool | None
    examples: tuple[str, ...] = ()


@dataclass(slots=True)
class Subject:
    """A folder under test, opened."""

    vault: Path
    workspace: Workspace
    cache: Path
    limit: int | None
    parsed: dict[str, Page] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The folder's name."""
        return self.vault.name

    def check(
        self, what: str, figure: str, is_good: bool | None, examples: Iterable[str] = ()
    ) -> Check:
        """One figure of this folder."""
        return Check(self.name, what, figure, is_good, tuple(examples)[:5])

    def paths(self) -> list[str]:
        """The pages that an independent walk finds, but for those that the settings of the vault's
        own program hide."""
        left_out = tuple(each.strip("/*") for each in self.workspace.config.files.ignore)
        return [path for path in measure.pages(self.vault) if not path.startswith(left_out)]

    def parse_all(self) -> None:
        """Read every page, to know what there is to be found."""
        config = self.workspace.config
        for path in self.paths():
            data = (self.vault / path).read_bytes()
            self.parsed[path] = parse(path, data, config.layers, max_bytes=config.files.max_bytes)


def snapshot(folder: Path) -> dict[str, tuple]:
    """Everything below a folder: bytes, time, mode."""
    found = {}
    for place, _, files in os.walk(folder):
        for path in (place, *(os.path.join(place, name) for name in files)):
            stat = os.lstat(path)
            digest = "" if path == place else _digest(path)
            found[os.path.relpath(path, folder)] = (
                digest,
                stat.st_size,
                stat.st_mtime_ns,
                stat.st_mode,
            )
    return found


def _digest(path: str) -> str:
    if os.path.islink(path):
        return os.readlink(path)
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _differing(before: Mapping[str, tuple], after: Mapping[str, tuple]) -> list[str]:
    return sorted(p for p in before.keys() | after.keys() if before.get(p) != after.get(p))


# --- the index -----------------------------------------------------------------------------------


def index_checks(subject: Subject) -> Iterator[Check]:
    """First sync, second sync, no page dropped, equal to a rebuild."""
    workspace, started = subject.workspace, time.process_time()
    first = workspace.sync()
    seconds = time.process_time() - started
    yield subject.check(
        "first sync",
        f"{len(first.added)} pages, {seconds:.1f} s CPU",
        not first.failed,
        first.failed,
    )
    yield _pages_check(subject)
    before = snapshot(subject.cache)
    second = workspace.sync()
    changed = (*second.added, *second.modified, *second.removed, *second.failed)
    yield subject.check("second sync does nothing", f"{len(changed)} changes", not changed, changed)
    touched = _differing(before, snapshot(subject.cache))
    yield subject.check(
        "... and leaves the index as it is", f"{len(touched)} files", not touched, touched
    )
    health = workspace.index.doctor(verify=True)
    found = [f"{d.store} {d.path}: {d.what}" for d in health.differences]
    yield subject.check("equals a rebuild", f"{len(found)} differences", bool(health.equal), found)


def _pages_check(subject: Subject) -> Check:
    """Compare what is indexed with what an independent walk finds."""
    wanted = set(subject.paths())
    stores = subject.workspace.live.stores()
    listed = {row.path for row in subject.workspace.pages.list().pages}
    wrong = {f"{p}: not listed" for p in wanted - listed} | {
        f"{p}: no page" for p in listed - wanted
    }
    wrong |= {f"{p}: not searchable" for p in wanted - stores.keyword.digests().keys()}
    figure = f"{len(wanted)} pages, {len(wrong)} wrong"
    return subject.check("no page dropped", figure, not wrong, sorted(wrong))


# --- links and tags ------------------------------------------------------------------------------


def link_checks(subject: Subject) -> Iterator[Check]:
    """How many links resolve; media are left out, as collections of markdown come without them."""
    bad = [row for row in subject.workspace.graph.unresolved().links if row.status in _UNRESOLVED]
    every = (link for page in subject.parsed.values() for link in page.links)
    total = sum(_is_wikilink(link) for link in every)
    lost = [f"{r.source}:{r.line} [[{r.written}]]" for r in bad if _is_wikilink(r)]
    if total:
        most = _WIKILINKS_MOST.get(subject.name)
        share = len(lost) / total
        figure = f"{len(lost)} of {total} = {share:.2%}"
        is_good = None if most is None else share <= most
        yield subject.check("wikilinks unresolved", figure, is_good, lost)
    yield from _root_links(subject, [row for row in bad if row.kind is LinkKind.MARKDOWN])


def _is_wikilink(link: Link | LinkRow) -> bool:
    return link.kind in _WIKI and not _MEDIA.search(link.written)


def _root_links(subject: Subject, bad: Sequence) -> Iterator[Check]:
    """Links from the root of the folder, against the files that are there."""
    written = [
        (page.path, link.written)
        for page in subject.parsed.values()
        for link in page.links
        if link.kind is LinkKind.MARKDOWN
        and link.written.startswith("/")
        and link.written.endswith(".md")
    ]
    if not written:
        return
    lost = [
        f"{r.source}:{r.line} {r.written}"
        for r in bad
        if r.written.startswith("/") and r.written.endswith(".md")
    ]
    share = 1 - len(lost) / len(written)
    least = _ROOT_LINKS_LEAST.get(subject.name)
    figure = f"{len(written) - len(lost)} of {len(written)} = {share:.2%}"
    yield subject.check(
        "root-absolute links resolved", figure, None if least is None else share >= least, lost
    )
    if least is None:
        return  # a folder of several roots: what a link from the root means is a matter of opinion
    there = sum((subject.vault / target.lstrip("/")).is_file() for _, target in written)
    right = there == len(written) - len(lost)
    yield subject.check("... as many as there are files", f"{there} of {len(written)}", right)
    plain = sum(len(_ROOT_ABSOLUTE.findall(page.text)) for page in subject.parsed.values())
    enough = len(written) >= 0.99 * plain
    yield subject.check(
        "... as many as are written, code counted", f"{len(written)} of {plain}", enough
    )


def tag_checks(subject: Subject) -> Iterator[Check]:
    """No number, issue reference or separator is taken for an inline tag."""
    false = [
        f"{page.path} #{tag}"
        for page in subject.parsed.values()
        for tag in _inline_tags(page)
        if _NUMBER.fullmatch(tag)
    ]
    tags = subject.workspace.graph.tags().tags
    figure = f"{len(false)} of {len(tags)} tags"
    yield subject.check("numbers taken for tags", figure, not false, false)


def _inline_tags(page: Page) -> Iterator[str]:
    """The tags that do not stand in the front matter."""
    written = "\n".join(page.text.split("\n")[: page.front_matter.line_end])
    return (tag for tag in page.tags if tag not in written)


# --- search --------------------------------------------------------------------------------------


def search_checks(subject: Subject) -> Iterator[Check]:
    """Titles first; rare tags, aliases and headings find their pages."""
    yield _titles_check(subject)
    for what, names in (("tag", _tags), ("alias", _aliases), ("heading", _headings)):
        yield from _names_check(subject, what, names)


def _titles_check(subject: Subject) -> Check:
    """A page with the title that was asked for comes first, whichever of those that share it."""
    titled = sorted(
        (page.path, page.title) for page in subject.parsed.values() if page.title.strip()
    )
    chosen = _sampled(titled, subject.limit)
    missed = []
    for path, title in chosen:
        hits = subject.workspace.search(title, limit=1).hits
        if not hits or fold(hits[0].title) != fold(title):
            missed.append(f"{path}: {title!r} gave {hits[0].path if hits else 'nothing'}")
    share = 1 - len(missed) / max(1, len(chosen))
    least = _TITLES_LEAST.get(subject.name)
    figure = f"{len(chosen) - len(missed)} of {len(chosen)} = {share:.1%}"
    return subject.check(
        "first by its title", figure, None if least is None else share >= least, missed
    )


def _names_check(
    subject: Subject, what: str, names: Callable[[Page], Iterable[str]]
) -> Iterator[Check]:
    """A name that few pages carry finds all of them among the first ten."""
    carriers: dict[str, set[str]] = defaultdict(set)
    spelled: dict[str, str] = {}
    for page in subject.parsed.values():
        for name in names(page):
            carriers[fold(name)].add(page.path)
            spelled.setdefault(fold(name), name)
    rare = [name for name in sorted(carriers) if len(carriers[name]) <= _RARE and _is_word(name)]
    chosen = _sampled(rare, subject.limit)
    if not chosen:
        return
    missed = []
    for name in chosen:
        hits = subject.workspace.search(spelled[name], limit=_TOP).hits
        lost = carriers[name] - {hit.path for hit in hits}
        if lost:
            missed.append(f"{spelled[name]!r} misses {min(lost)}")
    share = 1 - len(missed) / len(chosen)
    least = _NAMES_LEAST.get(subject.name)
    figure = f"{len(chosen) - len(missed)} of {len(chosen)} = {share:.1%}"
    is_good = None if least is None else share >= least
    yield subject.check(f"rare {what} finds its pages", figure, is_good, missed)


def _tags(page: Page) -> Iterable[str]:
    return page.tags


def _aliases(page: Page) -> Iterable[str]:
    return page.aliases


def _headings(page: Page) -> Iterable[str]:
    """The headings as a reader sees them, without the anchors and links that stand in them."""
    return (_LINK.sub(r"\1", _HTML.sub("", s.title)).strip() for s in page.sections)


def _is_word(name: str) -> bool:
    return any(map(str.isalnum, name))


def _sampled(rows: list, limit: int | None) -> list:
    if limit is None or len(rows) <= limit:
        return rows
    return random.Random(0).sample(rows, limit)


# --- made folders --------------------------------------------------------------------------------


def make_crowded(folder: Path, count: int = 28_000) -> None:
    """Write many small pages into one folder."""
    folder.mkdir()
    for i in range(count):
        text = f"# Note {i}\n\nThe {i * 7919 % 10007}th remark. See [[note-{i * 31 % count}]].\n"
        (folder / f"note-{i}.md").write_text(text, encoding="utf-8")


def crowded_checks(subject: Subject, count: int) -> Iterator[Check]:
    """One of many is found, and links among many resolve."""
    hits = subject.workspace.search(f"Note {count // 2}", limit=1).hits
    is_first = bool(hits) and hits[0].path == f"note-{count // 2}.md"
    yield subject.check(
        "one of many is first by its title", hits[0].path if hits else "nothing", is_first
    )
    lost = len(subject.workspace.graph.unresolved().links)
    yield subject.check("links unresolved", str(lost), not lost)


def large_checks(subject: Subject) -> Iterator[Check]:
    """A very large file is found by its title, and its neighbours by theirs."""
    for title, path in (("The large one", "large.md"), ("Page 7", "page-7.md")):
        hits = subject.workspace.search(title, limit=1).hits
        is_first = bool(hits) and hits[0].path == path
        yield subject.check(f"{title!r} is first", hits[0].path if hits else "nothing", is_first)
    problems = subject.workspace.index.why("large.md").problems
    said = [problem.code for problem in problems]
    yield subject.check("... and its size is reported", ", ".join(said), "page-too-large" in said)


# --- the run -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The places where a program may leave something behind, all of them our own and empty."""

    root: Path

    def enter(self) -> None:
        """Make home, temporary folder and current folder ours."""
        for name in ("home", "tmp", "here"):
            (self.root / name).mkdir()
        for key in [key for key in os.environ if key.startswith(("MEMWIKI_", "XDG_"))]:
            del os.environ[key]
        home, scratch = str(self.root / "home"), str(self.root / "tmp")
        os.environ |= {
            "HOME": home,
            "TMPDIR": scratch,
            "MEMWIKI_CACHE_DIR": str(self.root / "cache"),
        }
        tempfile.tempdir = scratch
        os.chdir(self.root / "here")

    def litter(self) -> list[str]:
        """What was left behind."""
        places = (self.root / name for name in ("home", "tmp", "here"))
        return sorted(
            str(path.relative_to(self.root)) for place in places for path in place.rglob("*")
        )


def examine(
    vault: Path,
    around: Surroundings,
    limit: int | None,
    extra: Callable[[Subject], Iterator[Check]],
) -> Iterator[Check]:
    """All checks of one folder."""
    if time.time() - max(entry.stat().st_ctime for entry in measure.walk(vault)) < measure.SETTLE_S:
        measure.settle()
    before = snapshot(vault)
    subject = Subject(vault, Workspace.open(vault, find=False), around.root / "cache", limit)
    yield from index_checks(subject)
    subject.workspace.is_synced = False  # what follows asks often, of an index that is in step
    yield from extra(subject)
    subject.workspace.close()
    written = _differing(before, snapshot(vault))
    yield subject.check(
        "written into it", f"{len(written)} of {len(before)} files", not written, written
    )
    litter = around.litter()
    yield subject.check("left elsewhere", f"{len(litter)} files", not litter, litter)


def found_checks(subject: Subject) -> Iterator[Check]:
    """What is asked of a real vault, beyond its index."""
    subject.parse_all()
    yield from link_checks(subject)
    yield from tag_checks(subject)
    yield from search_checks(subject)


def every_check(
    vaults: Sequence[Path], limit: int | None, crowd: int, root: Path
) -> Iterator[Check]:
    """All checks of all folders."""
    around = Surroundings(root)
    around.enter()
    for vault in vaults:
        yield from examine(vault, around, limit, found_checks)
    if not crowd:
        return
    make_crowded(root / "crowded", crowd)
    make_large(root / "large")
    yield from examine(
        root / "crowded", around, limit, lambda subject: crowded_checks(subject, crowd)
    )
    yield from examine(root / "large", around, limit, large_checks)


def main() -> int:
    """Check everything, print the table, and exit 1 when a figure misses."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vaults", type=Path, nargs="+", metavar="VAULT")
    parser.add_argument("--all", action="store_true", help="ask for every name, not for a sample")
    parser.add_argument("--sample", type=int, default=_SAMPLE, metavar="N", help="how many (400)")
    parser.add_argument(
        "--crowd",
        type=int,
        default=28_000,
        metavar="N",
        help="files in the made folder; 0: none made",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args()
    vaults = [vault.resolve() for vault in args.vaults]
    limit = None if args.all else args.sample
    checks = []
    with tempfile.TemporaryDirectory(prefix="memwiki-acceptance-") as scratch:
        for check in every_check(vaults, limit, args.crowd, Path(scratch).resolve()):
            checks.append(check)
            if check.is_good is False:
                print(f"{check.vault}: {check.what}: {check.figure}", file=sys.stderr, flush=True)
        os.chdir("/")
    if args.json:
        print(json.dumps([asdict(check) for check in checks], indent=1, ensure_ascii=False))
    else:
        verdicts = {True: "ok", False: "MISS", None: ""}
        rows = [(c.vault, c.what, c.figure, verdicts[c.is_good]) for c in checks]
        print(measure.table(("vault", "what", "figure", ""), rows))
        for check in checks:
            if check.examples and check.is_good is not True:
                print(f"\n{check.vault}: {check.what}", *check.examples, sep="\n  ")
    return int(any(check.is_good is False for check in checks))


if __name__ == "__main__":
    sys.exit(main())
