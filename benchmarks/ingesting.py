"""Cuts pages out of a real vault, hands them over as sources, and answers as three models would.

    python benchmarks/ingesting.py VAULT --pages 20 --seed 1
    python benchmarks/ingesting.py --sources 100 --seed 1

A reply is made of nothing but the brief. The *good* model says sentences of the lines and puts them
on the pages that they name; all of it should be accepted. The *lazy* one says little, cites all or
nothing, and makes up numbers of pages. The *lying* one adds numbers, names and denials, cites other
lines and tells of another page; it should be set aside. After each no page may have lost a line,
and `check` may find nothing new but infos. The vault itself is never written: a copy is. With
`--sources` short sources are made up and answered at random, good and bad. The exit code says
whether a target was missed.
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
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from memwiki.answers.curation import KeptSource, ProposalView
from memwiki.errors import MemwikiError
from memwiki.workspace import Workspace

_SETTINGS = '[layers]\nraw = "raw"\nlog = "log.md"\n'
_SENTENCE = re.compile(r"[^.!?。！？]{30,300}?[.!?。！？](?=\s|\Z|[^\x00-\x7f])")
_MARKS = re.compile(r"!?\[\[|\]\]|[*_`#>|]|\]\([^)]*\)|\[")
_MARKED = re.compile(r"[<{}\\=~^$%|]|https?:|::|\]\(|\[\[[^\]]*\||`")
_NAMES = ("Siemens", "Ottilie Brandt", "Vancouver", "Project Falcon")
_IS = re.compile(r"\b(is|are|was|were|can|will|has|have|should)\b|(是|可以|会|有)")
_OURS = ("log.md", "index.md")
_FAR = 6  # lines, where nothing of a cited one is looked at
_MAX_CLAIMS = 8
MIN_ASIDE = 0.95


class Shown(NamedTuple):
    """What a brief shows."""

    id: str
    lines: dict[int, str]
    pages: dict[int, str]  # titles
    tags: list[str]


def shown(space: Workspace, kept: KeptSource) -> Shown:
    brief = space.curation.ingest_brief(kept.text)
    text = brief.text
    numbered = re.search(r"<lines-\w+>\n(.*?)\n</lines-", text, re.DOTALL)
    listed = text.partition("Pages that are there:\n")[2].partition("\n</list-")[0]
    tags = re.search(r"^Tags in use: (.*)$", text, re.MULTILINE)
    return Shown(
        brief.id,
        dict(_rows(numbered[1] if numbered else "")),
        {n: row.split(" | ")[0] for n, row in _rows(listed)},
        tags[1].split(", ") if tags else [],
    )


def _rows(text: str) -> Iterator[tuple[int, str]]:
    for line in text.split("\n"):
        number, _, rest = line.partition(" ")
        if number.isdecimal():
            yield int(number), rest


# --- what models answer ---


def facts(asked: Shown) -> list[dict[str, Any]]:
    """Sentences of the lines in plain words, each with its line."""
    found = []
    for number, line in asked.lines.items():
        if _MARKED.search(line) or line.startswith(("#", "|", "```", "<", "!")):
            continue
        for sentence in _SENTENCE.findall(line)[:1]:
            text = " ".join(_MARKS.sub(" ", sentence).strip("-0123456789. ").split())
            if len(text) > 30:
                found.append({"lines": [number], "text": text})
    return found[:_MAX_CLAIMS]


def good(asked: Shown, _lot: random.Random) -> dict[str, Any]:
    claims = facts(asked)
    for each in claims:
        pages = (
            n for n, title in asked.pages.items() if n and title.lower() in each["text"].lower()
        )
        each["page"] = next(pages, 0)
    reply: dict[str, Any] = {"claims": claims, "tags": [*asked.tags[:2], "from-a-vault"]}
    if claims:
        reply["description"] = {**claims[0], "page": None}
    if len(claims) > 3:
        claims[-1] = {"lines": claims[-1]["lines"], "text": claims[-1]["text"]}
        claims[-1]["new"] = _title(claims[-1]["text"])
    return reply


def _title(text: str) -> str:
    """The first words of a sentence; in Chinese the first characters, without a part of a word."""
    words = text.split()
    begun = re.sub(r"\w+$", "", text[:6], flags=re.ASCII)
    return " ".join(words[:2]) if len(words) > 3 else begun.strip() or words[0]


def lazy(asked: Shown, lot: random.Random) -> dict[str, Any]:
    every = [*asked.lines]
    return lot.choice(
        [
            {"claims": []},
            {"claims": [{"lines": every, "text": "The source tells of many useful things."}]},
            {
                "claims": [{"lines": [], "text": "It is an overview.", "page": 999}],
                "tags": ["misc"],
            },
            {
                "claims": facts(asked)[:1],
                "contradictions": [{"lines": [1], "text": "No.", "page": 77}],
            },
        ]
    )


def lying(asked: Shown, lot: random.Random) -> dict[str, Any]:
    return {"claims": [lie(each, asked, lot) for each in facts(asked)]}


def lie(claim: dict[str, Any], asked: Shown, lot: random.Random) -> dict[str, Any]:
    text, cited = claim["text"], claim["lines"][0]
    end = "。" if text.endswith("。") else "."
    denied = _IS.sub(
        lambda found: f"{found[0]} not" if found[1] else f"不{found[0]}", text, count=1
    )
    far = [n for n in asked.lines if abs(n - cited) >= _FAR]
    lies = [
        {**claim, "text": f"{text.rstrip('.。')}, {lot.randrange(113, 998)} of them in all{end}"},
        {**claim, "text": f"{lot.choice(_NAMES)} says so: {text}"},
        {
            **claim,
            "text": f"{lot.choice(_NAMES)} bought the harbour for {lot.randrange(13, 99)} euros.",
        },
    ]
    lies += [{**claim, "text": denied}] * (denied != text)
    lies += [{**claim, "lines": [each]} for each in lot.sample(far, min(len(far), 1))]
    return lot.choice(lies)


MODELS: dict[str, Callable[[Shown, random.Random], dict[str, Any]]] = {
    "good": good,
    "lazy": lazy,
    "lying": lying,
}


# --- what became of the pages ---


def texts(root: Path) -> dict[str, list[str]]:
    """The lines of the pages, but for what memwiki itself writes."""
    pages = (p for p in root.rglob("*.md") if ".memwiki" not in p.parts and p.name not in _OURS)
    return {
        p.relative_to(root).as_posix(): p.read_text("utf-8", "replace").split("\n") for p in pages
    }


def shortened(before: dict[str, list[str]], after: dict[str, list[str]]) -> list[str]:
    """The pages that lost a line, aside from one of a front matter that became longer."""
    lost = []
    for path, lines in before.items():
        missing = Counter(filter(str.strip, lines)) - Counter(after.get(path, []))
        is_grown = all(
            line.startswith(("sources:", "tags:", "sha256:", "retrieved:")) for line in missing
        )
        if path not in after or not is_grown:
            lost.append(path)
    return lost


def findings(space: Workspace) -> Counter[tuple[str, str]]:
    problems = space.check.run().problems
    return Counter((each.path, each.code) for each in problems if each.severity != "info")


class Outcome(NamedTuple):
    """What came of one model's replies."""

    claims: int = 0
    aside: int = 0
    operations: int = 0
    accepted: int = 0
    faults: tuple[str, ...] = ()


def ingest(space: Workspace, kept: KeptSource, model: str, lot: random.Random) -> Outcome:
    """Hand one source over, answer it, and accept all that is taken with all the rest."""
    asked = shown(space, kept)
    before = texts(space.root)
    reply = MODELS[model](asked, lot)
    view = space.curation.reply(asked.id, json.dumps(reply), model=model)
    wanted = [each.n for each in view.operations if each.state == "open" and not each.flags]
    done = space.proposals.decide(view.id, accept=wanted) if wanted else None
    lost = shortened(before, texts(space.root))
    faults = [f"{model}: {path} lost a line" for path in lost]
    faults += [f"{model}: {why}" for _, why in (done.stale if done else ())]
    if model == "good":  # what a person still has to look at
        left = [each for each in view.operations if each.n not in wanted]
        for each in left:
            print(f"  left: {each.why or ', '.join(each.flags)}")
    return Outcome(
        *counted(view), len(view.operations), len(done.accepted if done else ()), tuple(faults)
    )


def counted(view: ProposalView) -> tuple[int, int]:
    """How many claims were made, and how many of them are set aside or flagged."""
    claims = aside = 0
    for each in view.operations:
        texts_ = each.values.get("claims")
        count = len(texts_) if isinstance(texts_, list) else 1
        claims += count
        aside += count * (each.state != "open" or bool(each.flags))
    return claims, aside


def total(outcomes: Sequence[Outcome]) -> Outcome:
    sums = (sum(each[at] for each in outcomes) for at in range(4))
    return Outcome(*sums, tuple(fault for each in outcomes for fault in each.faults))


# --- runs ---


def cut(vault: Path, place: Path, count: int, lot: random.Random) -> list[tuple[str, bytes]]:
    """A copy of a vault, and pages that were taken out of it."""
    shutil.copytree(vault, place, ignore=shutil.ignore_patterns(".git", ".memwiki"))
    (place / "memwiki.toml").write_text(_SETTINGS)
    pages = sorted(p for p in place.rglob("*.md") if 2_000 < p.stat().st_size < 30_000)
    lot.shuffle(pages)
    found = []
    for page in pages:
        text = page.read_text("utf-8", "replace")
        is_written = "\ngenerated:" not in text  # nothing rests on what a model made
        if len(found) < count and is_written and len(_SENTENCE.findall(text)) > 10:
            found.append((page.name, page.read_bytes()))
            page.unlink()
    return found


def real_run(vault: Path, count: int, seed: int) -> dict[str, Outcome]:
    """Each page by each model, each model in a copy of its own."""
    found = {}
    for model in MODELS:
        lot = random.Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "vault"
            sources = cut(vault, place, count, lot)
            with Workspace.open(place, find=False) as space:
                known = findings(space)
                outcomes = []
                for name, data in sources:
                    outcomes += tried(space, name, data, model, lot)
                new = findings(space) - known
                faults = tuple(f"{model}: check found {code} in {path}" for path, code in new)
                found[model] = total([*outcomes, Outcome(faults=faults)])
    return found


def tried(
    space: Workspace, name: str, data: bytes, model: str, lot: random.Random
) -> Iterator[Outcome]:
    try:
        yield ingest(space, space.curation.keep(data, name), model, lot)
    except MemwikiError as error:
        yield Outcome(faults=(f"{model}: {name}: {error.message}",))


_THINGS = "pump boiler radiator window roof cellar stove meter pipe tank valve wall".split()
_DOES = "warms cools measures holds feeds drains lights covers turns keeps".split()


def made_source(number: int, lot: random.Random) -> bytes:
    """A short source; some come again in another version."""
    lines = [f"# Source {number}", ""]
    for _ in range(8):
        one, other = lot.sample(_THINGS, 2)
        lines.append(f"The {one} {lot.choice(_DOES)} the {other} of house {lot.randrange(2, 40)}.")
    return "\n".join([*lines, ""]).encode()


def made_run(root: Path, count: int, seed: int) -> Outcome:
    """So many sources one after the other, answered by good and bad models at random."""
    lot = random.Random(seed)
    root.mkdir(parents=True, exist_ok=True)
    settings = '[layers]\nraw = "raw"\nwiki = "wiki"\nlog = "log.md"\n[catalog]\nenabled = true\n'
    (root / "memwiki.toml").write_text(settings)
    outcomes = []
    with Workspace.open(root, find=False) as space:
        for number in range(count):
            again = number and lot.random() < 0.2
            name = lot.randrange(number) if again else number
            data = made_source(name, lot)
            outcomes += tried(space, f"source-{name}.md", data, lot.choice([*MODELS]), lot)
        outcomes.append(Outcome(faults=tuple(inconsistent(space))))
    return total(outcomes)


def inconsistent(space: Workspace) -> Iterator[str]:
    """What of index, tags and pages does not fit together."""
    yield from (f"check found {code} in {path}" for path, code in findings(space))
    pages = {page.path for page in space.pages.list()}
    known = {tag.tag: tag.count for tag in space.graph.tags()}
    told = Counter(tag for path in pages for tag in {*space.pages.get(path).tags})
    yield from (
        f"#{tag} is on {told[tag]} pages, not {n}" for tag, n in known.items() if told[tag] != n
    )
    listed = "".join(p.read_text() for p in space.root.rglob("index.md"))
    sources = [path for path in pages if "/sources/" in path]
    stems = (path.rpartition("/")[2].removesuffix(".md") for path in sources)
    yield from (f"index.md lists no {stem}" for stem in stems if stem not in listed)
    raw = {path for path in pages if path.startswith("raw/")}
    cited = {row.target for path in sources for row in space.graph.links(path).links}
    yield from (f"no page is about {path}" for path in sorted(raw - cited))


def report(name: str, outcome: Outcome) -> None:
    share = outcome.aside / outcome.claims if outcome.claims else 0
    print(
        f"{name:6} claims {outcome.claims:4}  aside or flagged {share:6.1%}  operations"
        f" {outcome.operations:4}  accepted {outcome.accepted:4}  faults {len(outcome.faults)}"
    )
    for fault in outcome.faults[:20]:
        print(f"  {fault}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", type=Path, nargs="?")
    parser.add_argument("--pages", type=int, default=20)
    parser.add_argument("--sources", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["MEMWIKI_CACHE_DIR"] = cache
        if given.sources:
            with tempfile.TemporaryDirectory() as folder:
                made = made_run(Path(folder) / "made", given.sources, given.seed)
            report("made", made)
            return bool(made.faults)
        found = real_run(given.vault, given.pages, given.seed)
    for model, outcome in found.items():
        report(model, outcome)
    lies = found["lying"]
    is_caught = lies.aside >= MIN_ASIDE * lies.claims
    return not is_caught or any(each.faults for each in found.values())


if __name__ == "__main__":
    sys.exit(main())
