"""Asks every door for what it must not show, and compares with a vault that does not have it.

    python benchmarks/attack.py --calls 20000 --seed 1

Two vaults are twins: the second one lacks what is hidden from who asks in the first one. That is
the namespace `work` from who works in `home`, and at doors without `--private` what is private
(`private_twins.py`), also by meaning (`private_meaning.py`) and in old versions
(`private_past.py`). Every tool of every profile,
resource, prompt, completion, hook and reading command is asked the same of both, with arguments
made from the schemas and from words that lead to what is hidden: its paths in many spellings,
names, ids, keys, tags. The answers have to be equal byte for byte, but for clocks, and for
namespaces but for scores and the order that they give. A difference, or a word in an answer that
only the hidden part holds, is a failure; the exit code says whether there was one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Any, NamedTuple

from generated import Generator, Words, tools_of
from private_meaning import run_meaning
from private_past import run_past
from private_twins import run_reads
from private_writes import run_writes
from twins import AT, Case, Twin, answer_of, cases, keep_proposal, tool_case

from memwiki.proposals.operations import Do, Evidence, Operation, Proposal, ProposalSource

SETTINGS = """[layers]
daily = "daily"
inbox = "inbox"
wiki = "wiki"
raw = "raw"
sessions = "sessions"
archive = "archive"
log = "log.md"
namespaces = "namespaces"
"""
OUTSIDE = {
    "memwiki.toml": SETTINGS,
    ".memwikiignore": "ignored.md\n",
    "memory.md": "# Memory\n\n## Facts\n\n- Tea is green. #drink [key:: tea] ^m-000001\n"
    "- See [[namespaces/work/wiki/merger]] soon. ^m-000002\n",
    "wiki/tea.md": "---\ntype: concept\ntags: [drink]\n---\n# Tea\n\nNeeds [[Water]], see"
    " [[namespaces/work/wiki/merger|the plan]], [[Merger]] and ^m-w00001.\n",
    "wiki/water.md": "# Water\n\nWet. [plan](../namespaces/work/wiki/merger.md) [[Tea]]\n",
}
OWN = {
    "memory.md": "# Memory\n\n## Facts\n\n"
    "- The office is in Kiel. #town [key:: office/place] [subject:: office] ^m-h00001\n"
    "- Rent is due in May. [because:: ^m-h00001] [related:: ^m-w00001] ^m-h00002\n"
    "- Rent is paid in May. #town/kiel ^m-h00003\n",
    "wiki/rent.md": "---\ntype: note\ntags: [money]\nrelated: [namespaces/work/wiki/merger.md]\n"
    "---\n# Rent\n\nDue in May. [[Garden]] [[Merger]] [[namespaces/work/wiki/merger]]"
    " [[m-w00001]] [x](../../work/wiki/merger.md#Price) ![[namespaces/work/raw/scan.png]]\n",
    "wiki/garden.md": "# Garden\n\n## Beds\n\nBeans and [[Rent]], by [[Tea]] and [[Shared]].\n",
    "wiki/shared.md": "# Shared\n\nWhat both have. [[Garden]]\n",
    "sessions/talk.md": "### user\nWhen is the rent due?\n\n### assistant\nIn May.\n",
    "daily/2026-11-01.md": "# 2026-11-01\n\n- Dug the garden. ^m-h00004\n",
    "archive/memory.md": "# Archive\n\n- The rent was less. ^m-h00005\n",
}
HIDDEN = {
    "memory.md": "# Memory\n\n## Facts\n\n"
    "- The merger costs zweihundert. #quarz [key:: merger/price] [subject:: merger] ^m-w00001\n"
    "- The office is in Turku. #town [key:: office/place] [subject:: office]"
    " [entities:: Xanthippe Corp] ^m-w00002\n",
    "wiki/merger.md": "---\ntype: dossier\ntags: [quarz]\naliases: [Fusion]\n---\n# Merger\n\n"
    "## Price\n\nZweihundert, says [[Xanthippe]], as does [[Rent]]. [[unlikely]]\n",
    "wiki/xanthippe.md": "# Xanthippe\n\nKnows the [[Merger]], [[namespaces/home/wiki/rent]]"
    " and [[Tea]] [[namespaces/home/wiki/nowhere]] [broken](nothing.md).\n",
    "wiki/shared.md": "# Shared\n\nWhat both have. [[Merger]]\n",
    "wiki/gardens.md": "# Gardens\n\nNear a name of the other one.\n",
    "sessions/secret-talk.md": "### user\nWhat of the merger?\n",
    "daily/2026-11-01.md": "# 2026-11-01\n\n- Signed the quarz paper. ^m-w00004\n",
    "inbox/note.md": "# Note\n\n- Zweihundert is too much. ^m-w00005\n",
    "archive/memory.md": "# Archive\n\n- Nonsuch was the name. ^m-w00006\n",
    "raw/scan.png": "png",
    "wiki/ignored.md": "# Passed over\n",
    "index.md": "# Index\n\n<!-- memwiki:catalog:begin -->\n- [Merger](wiki/merger.md)\n",
}
LOG = "# Log\n\n## [2026-11-01] create | namespaces/home/wiki/rent.md\n"
HIDDEN_LOG = (
    "\n## [2026-11-02] create | namespaces/work/wiki/merger.md\n\n"
    "## [2026-11-03] move | moved namespaces/work/wiki/a.md -> namespaces/work/wiki/fusion.md\n"
)
TELLING = re.compile(r"(?i)zweihundert|xanthippe corp|turku|nonsuch|quarz paper|dossier")

PATHS = (
    *("namespaces/work/wiki/merger.md", "namespaces/work/wiki/merger", "/namespaces/work/wiki"),
    *("namespaces/work", "namespaces/work/", "/namespaces/work/", "namespaces", "namespaces/"),
    *("../work", "../work/", "../work/wiki/merger.md", "../../namespaces/work/memory.md"),
    *("./../work/wiki", "wiki/../../work/memory.md", "../home/../work/wiki/merger.md"),
    *("namespaces/home/../work/wiki", "NAMESPACES/Work", "Namespaces/WORK/wiki/Merger.md"),
    *("namespaces//work/wiki", "namespaces/./work/memory.md", "./namespaces/work", "..", "../"),
    *("../../", ".", "/", "~", "namespaces\\work\\memory.md", "namespaces/work/memory.md:5"),
    *("namespaces/work/memory.md#^m-w00001", "namespaces/work/sessions/secret-talk.md"),
    *("../work/sessions/secret-talk", "../../work/sessions/secret-talk", "namespaces/*"),
    *("namespaces/work/*", "*work*", "**/merger.md", "*/merger.md", "../work/*", "w*", "*"),
    *("{root}/namespaces/work/memory.md", "{root}/namespaces/work", "wiki/ignored.md"),
    *("namespaces/home", "namespaces/home/wiki/rent.md", "namespaces/home/wiki", "wiki", "wiki/"),
    *("../home/wiki/rent.md", "{root}/namespaces/home/wiki", "wiki/rent.md", "wiki/shared.md"),
    *("memory.md", "memory.md:5", "daily", "sessions", "archive", "namespaces/home/archive"),
    *("wiki/tea.md", "/wiki/tea.md", "log.md", "index.md", "memwiki.toml", ".memwiki/state"),
    *("namespaces/work/wiki/ignored.md", "namespaces/work/index.md", "../work/wiki/ignored.md"),
    *("namespaces/work2", "namespaces/nobody", "../nobody/memory.md", "namespaces/work/none.md"),
    *("%2e%2e/work", "..%2fwork/memory.md", "namespaces%2fwork", "namespaces/work\u200b/memory.md"),
)
NAMES = (
    *("Merger", "merger", "Mergers", "Fusion", "Xanthippe", "Xantippe", "Shared", "Rent", "rents"),
    *("Garden", "Gardens", "gardenz", "Tea", "Water", "of work", "work", "home", "Work"),
    *("m-w00001", "m-w00002", "m-w00004", "m-w00006", "m-w0000", "^m-w00001", "m-h00001"),
    *("m-h00002", "m-000001", "merger/price", "merger/pric", "office/place", "tea", "secret-talk"),
    *("talk", "Memory", "memory", "2026-11-01", "Price", "unlikely", "Merger#Price", "Rent#Price"),
    *("Memory#^m-w00001", "Note", "scan.png", "Archive", "Xanthippe Corp", "office", "merger"),
    *("p-w00000", "p-w00001", "p-h00000", "p-h00001", "p-000000", "w00000", "p-w0000"),
)
TAGS = ("quarz", "#quarz", "town", "town/kiel", "money", "drink", "qua", "quartz")
TYPES = ("dossier", "note", "concept", "fact", "memory", "doss")
QUERIES = (
    *("merger", "zweihundert", "office", "rent", "garden", "Turku Kiel", "eihunder", "the"),
    *("tag:quarz", "type:dossier", "path:namespaces/work/*", "path:../work/*", "path:wiki/*"),
    *("path:namespaces/*", "path:/namespaces/work", 'path:"namespaces/work/wiki"', "-rent"),
    *("key:merger/price", "subject:merger", "links:merger", "in:work", "is:entry", "is:message"),
    *('"says Xanthippe"', "merger OR rent", "merger -tag:quarz", "linked:Merger", "id:m-w00001"),
    *("since:2026-01-01", "session:secret-talk", "Xanthippe Corp", "What does the merger cost?"),
    *("Who is Xanthippe?", "Where is the office?", "When is the rent due?", "heading:Price"),
)
WORDS = Words(NAMES, PATHS, TAGS, TYPES, QUERIES, ("talk", "secret-talk"))


class Hidden(NamedTuple):
    """Who asks, which namespaces are cut out of the second vault, and what is asked for."""

    namespace: str = "home"
    cut: tuple[str, ...] = ("work",)
    words: Words = WORDS


HOME = Hidden()
# Without a namespace a page in one is given by its path, also that of a query, and what is about
# the workspace as a whole counts all.
_AS_A_WHOLE = ("status", "upkeep", "session")
NOBODY = Hidden(
    "",
    ("home", "work"),
    WORDS._replace(
        paths=("wiki", "memory.md", "wiki/tea.md"),
        queries=tuple(each for each in QUERIES if not each.startswith("path:")),
    ),
)


def make_twins(base: Path, hidden: Hidden = HOME) -> tuple[Path, Path]:
    """A vault with two namespaces, and the same without some of them."""
    roots = base / "A" / "ws", base / "B" / "ws"
    for path, text in _files():
        links = "namespaces/work/" if hidden.namespace else "nowhere/"
        place = roots[0] / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text.replace("namespaces/work/", links))
        os.utime(place, ns=(10**18, 1_790_000_000 * 10**9))
    shutil.copytree(roots[0], roots[1])
    for name in hidden.cut:
        shutil.rmtree(roots[1] / "namespaces" / name)
    (roots[1] / "log.md").write_text(LOG)
    _propose(roots[0], _OF_ENTRY)
    _propose(roots[1], [each for each in _OF_ENTRY if each not in hidden.cut])
    for root in roots:
        (root / ".memwiki").mkdir(exist_ok=True)
        os.utime(root / "log.md", ns=(10**18, 1_790_000_000 * 10**9))
    return roots


def _propose(root: Path, namespaces: Iterable[str]) -> None:
    """What waits for review in each of these namespaces, "" for none."""
    for namespace in namespaces:
        sign = namespace[:1] or "0"
        base = f"namespaces/{namespace}" if namespace else ""
        entry = f"m-{sign}00001"
        path = f"{base}/memory.md".lstrip("/")
        quote = _OF_ENTRY[namespace]
        operations = (
            Operation(1, Do.ADD, {"text": quote}, (Evidence(5, quote),), 1.0),
            Operation(2, Do.RETIRE, {"entry": entry, "was": {entry: quote}}),
            Operation(3, Do.SUMMARISE, {"session": "talk", "sentences": [quote]}),
        )
        for number, source in enumerate((path, "")):
            of = ProposalSource(source, "0" * 64 if source else "")
            keep_proposal(
                root, Proposal(f"p-{sign}0000{number}", AT, "x/1", of, operations, base=base)
            )


_OF_ENTRY = {
    "": "Tea is green.",
    "home": "The office is in Kiel.",
    "work": "The merger costs zweihundert.",
}


def _files() -> Iterator[tuple[str, str]]:
    yield from OUTSIDE.items()
    yield from ((f"namespaces/home/{path}", text) for path, text in OWN.items())
    yield from ((f"namespaces/work/{path}", text) for path, text in HIDDEN.items())
    yield "log.md", LOG + HIDDEN_LOG


# --- the run ---


# Which of the weakest hits are shown, and what follows from that, depends on scores.
_RECALLS = re.compile(r"\S+ (?:ask|recall|search_memories|memory_search) |\$ \['recall'|prompt:")
_HITS = re.compile(r'"hits": \[(.*?)\], "left_out"')
_KNOWN = re.compile(r"(?m)^\d+ .*\n|(?<=lines|<list|/list)-[0-9a-f]{8}\b")
_MASK = re.compile(r"<(?:new id|time|root|parent|session of now)>")
# The journal is one file: where something is in it tells how much others wrote above it.
_LINE_OF_LOG = re.compile(r'"line": \d+, (?="notes": \[[^\]]*\], "op": )')
_LETTER = re.compile(r"'old': '\w'")
_COUNTED = re.compile(r"the old text is in it \d+ times, at lines [\d, .]+")
_ETAGS = re.compile(r'"(?:etag|digest)": "[0-9a-f]+"|\betag [0-9a-f]{16}\b')


def _without_hits(text: str) -> str:
    """What of a recall does not depend on scores: an error, or its shape."""
    of_scores = ("memwiki: fresh", '"hits"', "no passage was found", "other passages are found")
    return "" if any(each in text for each in of_scores) else text


def _strange_hits(text: str, other: str, root: Path) -> list[str]:
    """Hits that the other one does not show, and that are not in its files."""
    found = (json.loads(f"[{part}]") for part in _HITS.findall(text))
    hits = [json.loads(each) for every in found for each in every if each not in other]
    return [str(hit) for hit in hits if not _is_in_file(hit, root)]


def _strange_lines(text: str, root: Path) -> list[str]:
    """Numbered lines that are shown to be answered from, and are in no file of the other one."""
    known = {word for file in root.rglob("*.md") for word in re.findall(r"\w+", file.read_text())}
    lines = re.findall(r"(?m)^\d+ (.*)", _MASK.sub("", text))
    return [line for line in lines if not known.issuperset(re.findall(r"\w+", line))]


def _is_in_file(hit: Mapping[str, Any], root: Path) -> bool:
    words = set(re.findall(r"\w+", _MASK.sub("", hit["excerpt"])))
    files = root.glob(_MASK.sub("*", hit["path"]))
    return any(words <= set(re.findall(r"\w+", file.read_text())) for file in files)


def why_wrong(case: Case, twins: Sequence[Twin]) -> str:
    """What two twins answer differently, or what an answer tells; "" when nothing."""
    one, other = (_LINE_OF_LOG.sub("", answer_of(case, twin)) for twin in twins)
    if any(twin.is_changed for twin in twins):  # what was added has new ids, which etags cover
        one, other = (_ETAGS.sub("", text) for text in (one, other))
        if _LETTER.search(case[0]):  # new ids hold it or not
            one, other = (_COUNTED.sub("", text) for text in (one, other))
    whole = one
    if case[0].startswith("brief: "):  # which entries are shown as known depends on scores
        one, other = (_KNOWN.sub("", text) for text in (one, other))
    if _RECALLS.match(case[0]):
        root = twins[1].root
        if strange := _strange_hits(one, other, root) or _strange_lines(one, root):
            return f"finds {strange}"
        one, other = _without_hits(one), _without_hits(other)
    if one != other:
        changed = [f"- {line}" for line in one.split("\n") if line not in other.split("\n")]
        changed += [f"+ {line}" for line in other.split("\n") if line not in one.split("\n")]
        return "differs:\n" + "\n".join(line[:1500] for line in changed)
    said = TELLING.findall(whole)
    twins[0].asked.update(word.lower() for word in TELLING.findall(case[0]))
    told = [word for word in said if word.lower() not in twins[0].asked]
    return f"tells {told}" if told else ""


def run(base: Path, calls: int, dice: random.Random, *, is_writing: bool = False) -> list[str]:
    """Ask so often from within a namespace; what went wrong."""
    asked = cases(Generator(dice, WORDS), tools_of(is_writing=is_writing))
    return failures(base, asked, calls, is_writing=is_writing)


def run_without(base: Path, calls: int, dice: random.Random) -> list[str]:
    """Ask the tools so often without a namespace; what went wrong."""
    draw = Generator(dice, NOBODY.words)
    tools = [each for each in tools_of() if each[1].name not in _AS_A_WHOLE]
    return failures(base, (tool_case(draw, tools) for _ in count()), calls, NOBODY)


def failures(
    base: Path,
    asked: Iterator[Case],
    calls: int,
    hidden: Hidden = HOME,
    *,
    is_writing: bool = False,
) -> list[str]:
    """What twins answer differently, or tell, in so many calls."""
    twins = [Twin(root, hidden.namespace) for root in make_twins(base, hidden)]
    for twin in twins:
        twin.is_changed = is_writing
    try:
        found = ((case[0], why_wrong(case, twins)) for case in islice(asked, calls))
        return [f"{name}\n{wrong}" for name, wrong in found if wrong]
    finally:
        for twin in twins:
            twin.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=tuple(_PARTS), help="one part, with all calls")
    given = parser.parse_args()
    started, wrong = time.monotonic(), list[str]()
    with tempfile.TemporaryDirectory(prefix="memwiki-attack-") as base:
        os.environ["MEMWIKI_CACHE_DIR"] = f"{base}/cache"
        os.environ["MEMWIKI_CONFIG_DIR"] = f"{base}/config"
        for name in [given.only] if given.only else _PARTS:
            share, part = _PARTS[name]
            calls = given.calls if given.only else round(given.calls * share)
            found = part(Path(base, name), calls, random.Random(given.seed))
            wrong += found
            said = (f"{name}: {calls} calls, {len(found)} failures", *found)
            print(*said, sep="\n\n", flush=True)
    print(f"{len(wrong)} failures, {time.monotonic() - started:.0f} s")
    return 1 if wrong else 0


def _run_writes_in_a_namespace(base: Path, calls: int, dice: random.Random) -> list[str]:
    return run(base, calls, dice, is_writing=True)


_PARTS: Mapping[str, tuple[float, Callable[[Path, int, random.Random], list[str]]]] = {
    "namespaces": (0.3, run),
    "namespaces-writes": (0.05, _run_writes_in_a_namespace),
    "no-namespace": (0.05, run_without),
    "private": (0.35, run_reads),
    "private-meaning": (0.05, run_meaning),
    "private-writes": (0.15, run_writes),
    "private-past": (0.05, run_past),
}


if __name__ == "__main__":
    sys.exit(main())
