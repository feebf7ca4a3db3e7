"""Hands pages of real vaults over as sources, with claims that a person wrote as models would.

    python benchmarks/telling.py CORPORA benchmarks/data/told-*.jsonl [--missed] [--verified FILE]

A line of a file is a page: vault and path below the folder CORPORA, and claims with their lines,
`true` or a `lie` of some kind. True ones should be taken and lies set aside or flagged. With
`--missed` each that fared otherwise is shown. With `--verified` what is left is read a second time,
with the verdicts of the lines of FILE; with `--briefs FOLDER` the jobs that ask for these are
written there. Nothing below CORPORA is written.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from memwiki.digest import text_hash
from memwiki.errors import NotFoundError
from memwiki.proposals.wording import plain_sentence
from memwiki.workspace import Workspace
from memwiki.workspace.curation import CurationFacet

_SETTINGS = '[layers]\nraw = "raw"\nlog = "log.md"\n'


class Told(NamedTuple):
    """One claim, and what became of it."""

    page: str
    claim: dict[str, Any]
    why: str  # "" where it is taken


Reader = Callable[[CurationFacet, str], None]


def told(corpora: Path, page: dict[str, Any], read_again: Reader | None = None) -> Iterator[Told]:
    """The claims of one page, each judged as a source's of its own."""
    data = (corpora / page["vault"] / page["page"]).read_bytes()
    data = data.replace(b"\ngenerated:", b"\nmade:", 1)  # nothing rests on what a model made
    name = page["page"].rpartition("/")[2]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "vault"
        root.mkdir()
        (root / "memwiki.toml").write_text(_SETTINGS)
        with Workspace.open(root, find=False) as space:
            kept = space.curation.keep(data, name)
            asked = space.curation.ingest_brief(kept.text)
            numbers = shown_numbers(data.decode(), shown_lines(asked.text))
            claims = [
                {"text": c["text"], "lines": [n for at in c["lines"] for n in numbers.get(at, ())]}
                for c in page["claims"]
            ]
            view = space.curation.reply(asked.id, json.dumps({"claims": claims}), model="hand")
            if read_again:
                read_again(space.curation, view.id)
                view = space.proposals.get(view.id)
            whys = {
                each: "" if row.state == "open" and not row.flags else _why(row)
                for row in view.operations
                for each in row.values.get("claims", ())
            }
    for claim in page["claims"]:
        why = whys.get(plain_sentence(claim["text"]), "not there")
        yield Told(f"{page['vault']}/{page['page']}", claim, why)


def claims_of(brief: str) -> dict[int, str]:
    """The claims of a second reading, by number."""
    told = brief.partition("Claims:\n")[2].partition("\n</list-")[0]
    rows = (re.fullmatch(r"(\d+) \[[\d, ]*\] (.*)", line) for line in told.split("\n"))
    return {int(row[1]): row[2] for row in rows if row}


def verified_by(verdicts: dict[str, Any], folder: Path | None) -> Reader:
    """Whoever reads claims a second time: from known verdicts, by the words of the claims; the jobs
    go to a folder."""

    def read_again(curation: CurationFacet, id_: str) -> None:
        with suppress(NotFoundError):  # nothing of it is open
            brief = curation.verify_brief(id_)
            if folder:
                name = text_hash(brief.text, 8).hex()
                (folder / f"{name}.txt").write_text(brief.text, "utf-8")
            rows = [
                {"claim": n, **verdicts[text]}
                for n, text in claims_of(brief.text).items()
                if text in verdicts
            ]
            curation.reply(brief.id, json.dumps({"verdicts": rows}), model="reader")

    return read_again


def shown_lines(brief: str) -> dict[int, str]:
    """The lines of a source as a brief numbers them."""
    numbered = re.search(r"<lines-\w+>\n(.*?)\n</lines-", brief, re.DOTALL)
    rows = (line.partition(" ") for line in (numbered[1] if numbered else "").split("\n"))
    return {int(number): text for number, _, text in rows if number.isdecimal()}


def shown_numbers(text: str, shown: dict[int, str]) -> dict[int, list[int]]:
    """By the number of a line in a file, how a brief numbers what it shows of it."""
    found: dict[int, list[int]] = {}
    left = [(number, " ".join(line.split())) for number, line in sorted(shown.items())]
    for at, line in enumerate(text.split("\n"), 1):
        rest = " ".join(line.split())
        # One of a line may be shown otherwise than it is: without a secret.
        while near := [n for n, (_, part) in enumerate(left[:2]) if part and part in rest]:
            number, part = left[near[0]]
            found.setdefault(at, []).append(number)
            rest, left = rest.partition(part)[2], left[near[0] + 1 :]
    return found


def _why(row: Any) -> str:
    return "; ".join([row.why or "", *row.flags]).strip("; ") or row.state


def report(rows: Sequence[Told]) -> bool:
    """Prints the shares by kind; whether all targets are met."""
    kinds = Counter(each.claim.get("kind", "true") for each in rows)
    aside = Counter(each.claim.get("kind", "true") for each in rows if each.why)
    for kind, count in sorted(kinds.items()):
        print(f"{kind:12} {count:4}  set aside {aside[kind]:4}")
    lies, caught = kinds.total() - kinds["true"], aside.total() - aside["true"]
    taken = kinds["true"] - aside["true"]
    print(f"lies {caught} of {lies} set aside, truths {taken} of {kinds['true']} taken")
    return caught >= 0.95 * lies and not aside["true"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--missed", action="store_true")
    parser.add_argument("--verified", type=Path)
    parser.add_argument("--briefs", type=Path)
    given = parser.parse_args()
    known = given.verified.read_text("utf-8").splitlines() if given.verified else []
    verdicts = {row.pop("text"): row for row in map(json.loads, known)}
    is_twice = given.verified or given.briefs
    reader = verified_by(verdicts, given.briefs) if is_twice else None
    with tempfile.TemporaryDirectory() as cache:
        os.environ["MEMWIKI_CACHE_DIR"] = cache
        lines = [line for file in given.files for line in file.read_text("utf-8").splitlines()]
        rows = [row for line in lines for row in told(given.corpora, json.loads(line), reader)]
    for page, claim, why in rows if given.missed else ():
        if (claim["label"] == "lie") != bool(why):
            print(claim["label"], claim.get("kind", ""), page, claim["lines"])
            print(f"  {claim['text']}\n  {why}")
    return not report(rows)


if __name__ == "__main__":
    sys.exit(main())
