"""How many duplicates `curate doubles` finds, of those that were seeded in a memory.

    python benchmarks/doubles.py [--duplicates 100] [--facts 1000] [--seed 1]

Facts are made of forms with names, places and values in them, in English and Chinese. A seeded
duplicate says one of them in the other form of its pair: another order, other words, more words,
the passive. The other facts are of the same forms about somebody or something else, so that they
are alike, too. Whoever answers the briefs joins exactly what was seeded and shown together; one who
joins all that is shown together says how much a person is protected from. Nothing is asked of a
model. The exit code is 1 below 90 %.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from memwiki.errors import NotFoundError
from memwiki.text import tokens
from memwiki.workspace import Workspace

WHO = [
    "Anna", "Ben", "Carla", "David", "Elif", "Farid", "Greta", "Hugo", "Inga", "Jonas", "Kenji",
    "Lena", "Marek", "Nora", "Omar", "Paula", "Quentin", "Rosa", "Samir", "Tilda",
]  # fmt: skip
WHERE = [
    "Kiel", "Oslo", "Lyon", "Porto", "Ghent", "Turin", "Bergen", "Malmö", "Graz", "Tartu", "Cork",
    "Bilbao", "Leeds", "Basel", "Gdansk",
]  # fmt: skip
WHAT = [
    "green tea", "black coffee", "sparkling water", "apple juice", "oat milk", "lemon cake",
    "rye bread", "goat cheese", "lentil soup", "dark chocolate", "fried rice", "plum jam",
]  # fmt: skip
TOOL = [
    "the build server", "the mail gateway", "the search index", "the billing job", "the cache",
    "the backup disk", "the print queue", "the staging database", "the login page", "the test bed",
]  # fmt: skip
# A form and another one that says the same.
FORMS = [
    ("{who} lives in {where}.", "{where} is where {who} lives."),
    ("{who} moved to {where} in {month}.", "In {month}, {who} moved to {where}."),
    ("{who} prefers {what} in the morning.", "In the morning {who} prefers to have {what}."),
    ("{who} is allergic to {what}.", "{who} has an allergy to {what}."),
    ("{who} works as a nurse in {where}.", "{who} works in {where}; she is a nurse there."),
    ("{who} is married to {other}.", "{who} and {other} are married."),
    ("{who} repaired {tool} on Monday.", "On Monday {tool} was repaired by {who}."),
    ("{tool} runs on port {number}.", "Port {number} is the one that {tool} runs on."),
    (
        "{tool} is restarted each night at {number}.",
        "Each night, {tool} gets restarted at {number}.",
    ),
    (
        "{who} plays the cello in an orchestra of {where}.",
        "{who} plays cello in a {where} orchestra.",
    ),
    ("Never deploy {tool} on Fridays.", "never deploy {tool} on fridays!"),
    (
        "{who} decided to replace {tool} because it was slow.",
        "{who} decided that {tool}, which was slow, is to be replaced.",
    ),
    (
        "{who} owns a sailing boat with two masts.",
        "{who} owns a boat: it sails, and has two masts.",
    ),
    ("The office in {where} opens at {number}.", "At {number} the {where} office opens."),
    (
        "{who} studied physics in {where}.",
        "{who} studied in {where}, where the subject was physics.",
    ),
    (
        "{who} wants short answers without tables.",
        "Answers for {who} should be short, without tables.",
    ),
    ("{who} teaches {other} to swim.", "{other} is taught by {who} to swim."),
    ("{tool} needs {number} GB of memory.", "Memory that {tool} needs: {number} GB."),
    (
        "{who} bought {what} for the party in {where}.",
        "For the party in {where}, {who} bought some {what}.",
    ),
    (
        "{who} dislikes {what}, and never orders it.",
        "{what} is disliked by {who}, who never orders it.",
    ),
    ("{who}住在{where}。", "{who}在{where}居住。"),
    ("{who}喜欢早上喝{what}。", "早上{who}喜欢喝{what}。"),
    ("{who}每天晚上重新启动{tool}。", "{tool}每天晚上由{who}重新启动。"),
    ("{who}在{where}学习物理。", "{who}学习物理，在{where}。"),
]
MONTHS = ["January", "March", "April", "June", "August", "October", "November"]
_LINE = re.compile(r"^(\d+) (.*) \[[^\[\]]*\]$", re.MULTILINE)


class SeededFacts(NamedTuple):
    """The sentences of a memory in their order, and by sentence which of them says the same."""

    sentences: Sequence[str]
    doubles: dict[str, str]


def made(seed: int, duplicates: int, facts: int) -> SeededFacts:
    """Facts of which none says what another one says, but for the seeded ones."""
    rng, found = random.Random(seed), dict[str, str]()
    while len(found) < facts:
        values = {
            "who": rng.choice(WHO),
            "other": rng.choice(WHO),
            "where": rng.choice(WHERE),
            "what": rng.choice(WHAT),
            "tool": rng.choice(TOOL),
            "month": rng.choice(MONTHS),
            "number": str(rng.randrange(3, 99)),
        }
        one, other = (each.format(**values) for each in rng.choice(FORMS))
        one, other = one[0].upper() + one[1:], other[0].upper() + other[1:]
        if values["who"] != values["other"] and other not in found.values():
            found[one] = other
    doubled = rng.sample(list(found), duplicates)
    sentences = [*found, *(found[each] for each in doubled)]
    rng.shuffle(sentences)
    return SeededFacts(sentences, {found[each]: each for each in doubled})


class CuratedDoubles(NamedTuple):
    """What came of a memory with seeded duplicates."""

    found: int  # seeded pairs that were shown together
    shown: int  # groups
    requests: int
    tokens: int
    proposed: int  # operations that are not set aside, of whoever joins what is the same
    unflagged: int  # operations that `--accept` would take, whoever answers
    careless: int  # operations that are not set aside, of whoever joins all that is shown


def curated(folder: Path, seeded: SeededFacts) -> CuratedDoubles:
    """Answer all briefs over a memory of these facts."""
    (folder / "memwiki.toml").write_text('[layers]\nmemory = "memory.md"\n')
    lines = "".join(f"- {text} [created:: 2026-01-01]\n" for text in seeded.sentences)
    (folder / "memory.md").write_text(f"# Memory\n\n## Facts\n\n{lines}", "utf-8")
    counts = Counter[str]()
    with Workspace(folder, environ={"MEMWIKI_CACHE_DIR": str(folder / ".cache")}) as workspace:
        for text in _briefs(workspace, seeded, counts):
            counts["requests"] += 1
            counts["tokens"] += tokens(text)
        for each in workspace.proposals.list(all=True).proposals:
            operations = workspace.proposals.get(each.id).operations
            counts["proposed"] += sum(one.state == "open" for one in operations)
            counts["unflagged"] += sum(one.state == "open" and not one.flags for one in operations)
    return CuratedDoubles(*(counts[name] for name in CuratedDoubles._fields))


def _briefs(workspace: Workspace, seeded: SeededFacts, counts: Counter[str]) -> Iterator[str]:
    while True:
        try:
            brief = workspace.curation.curate_brief("doubles")
        except NotFoundError:
            return
        yield brief.text
        shown = {int(number): text for number, text in _LINE.findall(brief.text)}
        numbers = {text: number for number, text in shown.items()}
        ranges = re.findall(
            r"(\d+)-(\d+)", brief.text.partition("each other: ")[2].partition("\n")[0]
        )
        counts["shown"] += len(ranges)
        joins = []
        for first, last in ranges:
            here = {shown[n] for n in range(int(first), int(last) + 1)}
            pairs = [(seeded.doubles[each], each) for each in here if each in seeded.doubles]
            joins += [
                {"lines": [numbers[one], numbers[other]], "keep": numbers[one]}
                for one, other in pairs
                if one in here
            ]
            counts["careless"] += len(here) - 1
        counts["found"] += len(joins)
        workspace.curation.reply(brief.id, json.dumps({"joins": joins}))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--duplicates", type=int, default=100)
    parser.add_argument("--facts", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    seeded = made(options.seed, options.duplicates, options.facts)
    with tempfile.TemporaryDirectory() as folder:
        result = curated(Path(folder), seeded)
    print(f"seed {options.seed}: {options.facts} facts, {options.duplicates} duplicates")
    for name, value in result._asdict().items():
        print(f"{name:10} {value:,}")
    return int(result.found < 0.9 * options.duplicates)


if __name__ == "__main__":
    sys.exit(main())
