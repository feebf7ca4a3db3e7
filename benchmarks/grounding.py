"""How well facts are told from what the lines they cite do not say.

DEV is a file of conversations with facts that a model drew from them, one a line: `date`, `lines`
with `speaker` and `text`, `facts` with `text`, `about` and the `lines` they cite. True facts should
be supported; of each, negatives are made, the same in every run. Then the labelled pairs in Chinese
of `data/`: the threshold was chosen on the conversations of one half, the other is reported. With
`--answers` each is judged as a sentence of `memwiki ask`, which is shown a message with those
around it, and is told of no subject but the first speaker that it names.

    python benchmarks/grounding.py VAULT --rows

takes two neighbouring rows of a table or a list from each page of a vault, tells each as it is, and
tells of one what the other says.
"""

from __future__ import annotations

import argparse
import itertools
import json
import lzma
import random
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import measure

sys.path.insert(0, str(measure.PROJECT))

from memwiki.curation.ask import speaker_named
from memwiki.proposals.evidence import AROUND, CHINESE_SHARE, judge_support
from memwiki.proposals.flags import Flag, flags_of
from memwiki.proposals.numbering import NumberedSource, SourceLine

_DATA = Path(__file__).parent / "data"
_CHINESE_LEAST = round(0.4 * CHINESE_SHARE, 2)  # of the pairs of characters, as it is set
_SHARES = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6)
_FAR = 3  # lines, of a wrong citation
_SEED = 20261125
_NAMES = (
    "Zoltan Priya Matteo Ingrid Yusuf Beatrix Okoro Lindqvist Valparaiso Gdansk Nokia Sorbonne"
).split()
_IS = re.compile(r"\b(is|are|was|were|has|have|had|will|can)\b")
_NAMED_ROW = re.compile(
    r"\s*(?:[-*+]|\d+[.)])\s+([^:：|]{2,60}?)\s*(?:[:：]|\s[-–—]+\s)\s*(\w.{4,200})"
    r"|\s*\|([^|]*\w[^|]*)\|(.*\w.{4,300})"
)
_MARKUP = re.compile(r"!?\[\[|\]\]|[*#>|]|\]\([^)]*\)|\[")
_TARGETS = {  # at most, of true facts and flags; at least, of negatives
    "true facts set aside": 0.07,
    "true facts flagged as instruction or address": 0.02,
    "another line of the session": 0.95,
    "another conversation": 0.98,
    "a number added": 0.99,
    "a name added": 0.99,
    "the other speaker": 0.97,
    "is -> is not": 0.83,
}


class Claim(NamedTuple):
    """A fact with the source that it is said to come from."""

    text: str
    subject: str
    cited: Sequence[int]
    source: NumberedSource

    @property
    def why(self) -> str:
        return judge_support(self.text, self.subject, self.cited, self.source).why

    @property
    def as_answer(self) -> Claim:
        """The same as a sentence of an answer."""
        lines, cited = list[SourceLine](), list[int]()
        for number in self.cited:
            first = max(number - 1 - AROUND, 0)
            cited.append(len(lines) + number - first)
            lines += [*self.source.lines[first : number + AROUND], *[SourceLine("")] * AROUND]
        spoken = {line.speaker: SourceLine("", line.speaker, "user") for line in self.source.lines}
        subject = speaker_named(self.text, spoken.values())
        source = NumberedSource([*lines, *spoken.values()], self.source.date)
        return Claim(self.text, subject, cited, source)


class Talk(NamedTuple):
    conversation: str
    source: NumberedSource
    claims: list[Claim]

    @property
    def speakers(self) -> list[str]:
        return sorted({line.speaker for line in self.source.lines})


def talks_in(path: Path) -> list[Talk]:
    with lzma.open(path, "rt", encoding="utf-8") as file:
        return [talk_of(json.loads(line)) for line in file]


def talk_of(row: dict[str, Any]) -> Talk:
    lines = [SourceLine(line["text"], line["speaker"]) for line in row["lines"]]
    source = NumberedSource(lines, date=row["date"])
    claims = [Claim(each["text"], each["about"], each["lines"], source) for each in row["facts"]]
    return Talk(row["session"].partition("/")[0], source, claims)


# --- negatives ---


def negatives(talks: Sequence[Talk]) -> Iterator[tuple[str, Claim]]:
    """What is not so, by kind."""
    lot = random.Random(_SEED)
    for talk in talks:
        for claim in talk.claims:
            yield from wrong_citation(claim, lot)
            yield "another conversation", elsewhere(claim, talk, talks, lot)
            yield "a number added", with_number(claim, lot)
            yield "a name added", with_name(claim, lot)
            yield "the other speaker", of_other(claim, talk.speakers, talk.speakers[::-1])
            denied = _IS.sub(r"\1 not", claim.text, count=1)
            if denied != claim.text:
                yield "is -> is not", claim._replace(text=denied)


def wrong_citation(claim: Claim, lot: random.Random) -> Iterator[tuple[str, Claim]]:
    count = len(claim.source.lines)
    far = [n for n in range(1, count + 1) if all(abs(n - each) >= _FAR for each in claim.cited)]
    if far:
        yield "another line of the session", claim._replace(cited=[lot.choice(far)])


def elsewhere(claim: Claim, talk: Talk, talks: Sequence[Talk], lot: random.Random) -> Claim:
    """The fact told of a speaker of another conversation, who says the cited line."""
    other = lot.choice([each for each in talks if each.conversation != talk.conversation])
    moved = of_other(claim, talk.speakers, lot.sample(other.speakers, 2))
    lines = enumerate(other.source.lines, 1)
    cited = lot.choice([number for number, line in lines if line.speaker == moved.subject])
    return moved._replace(cited=[cited], source=other.source)


def of_other(claim: Claim, names: Sequence[str], others: Sequence[str]) -> Claim:
    """The fact with other names in the place of those of the speakers."""
    instead = dict(zip(names, others, strict=True))
    form = re.compile("|".join(map(re.escape, names)))
    text = form.sub(lambda match: instead[match[0]], claim.text)
    return claim._replace(text=text, subject=instead[claim.subject])


def with_number(claim: Claim, lot: random.Random) -> Claim:
    number = lot.choice((str(lot.randrange(11, 100)), "seventeen", "forty-two", "three hundred"))
    unit = lot.choice(("weeks", "people", "dollars"))
    return claim._replace(text=f"{claim.text.rstrip('.')}, {number} {unit} in all.")


def with_name(claim: Claim, lot: random.Random) -> Claim:
    name, text = lot.choice(_NAMES), claim.text
    added = (f"{name} and {text}", f"{text.rstrip('.')} with {name}.", f"At {name}, {text}")
    return claim._replace(text=lot.choice(added))


# --- pairs in Chinese ---


def half(first: int) -> list[str]:
    """Every other conversation of the labelled ones."""
    return (_DATA / "grounding-zh.jsonl").read_text("utf-8").splitlines()[first::2]


def labelled(rows: Sequence[str]) -> list[tuple[str, Claim]]:
    """The pairs of conversations, each with its label."""
    found = []
    for row in map(json.loads, rows):
        talk = talk_of(row | {"session": "", "facts": row["pairs"]})
        labels = [each["label"] for each in row["pairs"]]
        found += list(zip(labels, talk.claims, strict=True))
    return found


def count_labelled(pairs: Sequence[tuple[str, Claim]], share: float) -> dict[str, Counter[bool]]:
    """How many of each label are set aside where so large a share of the pairs of characters has
    to stand in the lines."""
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    for label, claim in pairs:
        support = judge_support(*claim, least=share / CHINESE_SHARE)
        counts[label][bool(support.why)] += 1
    return counts


def print_chinese() -> None:
    last = (_DATA / "grounding-zh-heldout.jsonl").read_text("utf-8").splitlines()
    runs = [("half to choose on", half(0), share) for share in _SHARES]
    runs += [
        (name, rows, _CHINESE_LEAST) for name, rows in (("other half", half(1)), ("held out", last))
    ]
    labels = list(count_labelled(labelled(last), _CHINESE_LEAST))
    print("\n| share of pairs |", " | ".join(labels), "|")
    print("| --- |", " | ".join("---" for _ in labels), "|")
    for name, rows, share in runs:
        counts = count_labelled(labelled(rows), share)
        cells = (f"{counts[label][True]} of {counts[label].total()}" for label in labels)
        print(f"| {name}, {share:.0%} |", " | ".join(cells), "|")


# --- tables ---


def count_english(talks: Sequence[Talk], *, as_answers: bool = False) -> dict[str, Counter[bool]]:
    """How many claims of each kind there are, by whether they are set aside."""
    counts: dict[str, Counter[bool]] = defaultdict(Counter)

    def is_aside(claim: Claim) -> bool:
        return bool((claim.as_answer if as_answers else claim).why)

    first_two = {Flag.INSTRUCTION, Flag.ADDRESS}
    for claim in (claim for talk in talks for claim in talk.claims):
        counts["true facts set aside"][is_aside(claim)] += 1
        flagged = not first_two.isdisjoint(flags_of(claim.text, ()))
        counts["true facts flagged as instruction or address"][flagged] += 1
    for kind, claim in negatives(talks):
        counts[kind][is_aside(claim)] += 1
    return counts


def reasons(talks: Sequence[Talk]) -> Counter[str]:
    """Why true facts are set aside: each reason with its names and numbers left out."""
    found = (claim.why for talk in talks for claim in talk.claims)
    kinds = (
        "number",
        "name",
        "words",
        "den",
        "speaks",
        "code",
        "it says",
        "place",
        "ask",
        "leaves",
    )
    return Counter(next(kind for kind in kinds if kind in why) for why in found if why)


# --- rows of tables and lists ---


class NamedRow(NamedTuple):
    """Where a row stands, from 1, its name, and what it says."""

    number: int
    name: str
    says: str


def count_rows(vault: Path) -> dict[str, Counter[bool]]:
    """Whether what is told of two rows is set aside, by kind of telling."""
    lot = random.Random(_SEED)
    counts: dict[str, Counter[bool]] = defaultdict(Counter)
    for path in sorted(vault.rglob("*.md")):
        texts = path.read_text("utf-8", "replace").splitlines()
        source = NumberedSource([SourceLine(text) for text in texts], title=path.stem)
        pairs = [*row_pairs(texts)]
        if not pairs:
            continue
        (one, name, says), (other, _, tells) = lot.choice(pairs)
        if says == tells:
            continue
        for kind, told, cited in (
            ("as it is", says, [one, other]),
            ("of the other row", tells, [one, other]),
            ("of the other row, which alone is cited", tells, [other]),
        ):
            why = judge_support(f"{name}: {told}", "", cited, source).why
            counts[kind][bool(why)] += 1
    return counts


def row_pairs(texts: Sequence[str]) -> Iterator[tuple[NamedRow, NamedRow]]:
    """Neighbouring rows with a name."""
    rows = [
        NamedRow(number, *(_MARKUP.sub(" ", part).strip() for part in found.groups() if part))
        for number, text in enumerate(texts, 1)
        if (found := _NAMED_ROW.match(text))
    ]
    for one, other in itertools.pairwise(rows):
        if other.number == one.number + 1:
            yield one, other
            yield other, one


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dev", type=Path, help="conversations with facts, .jsonl.xz, or a vault")
    parser.add_argument("--rows", action="store_true", help="of the tables and lists of a vault")
    parser.add_argument("--show", metavar="KIND", help="list what is judged wrongly of one kind")
    parser.add_argument("--answers", action="store_true", help="as sentences of memwiki ask")
    options = parser.parse_args()
    if options.rows:
        for kind, counts in count_rows(options.dev).items():
            print(f"{kind}: {counts[True]} of {counts.total()} set aside")
        return 0
    talks = talks_in(options.dev)
    if options.show:
        return show(talks, options.show)
    print("| what | target | measured | of |\n| --- | --- | --- | --- |")
    misses = 0
    for kind, counts in count_english(talks, as_answers=options.answers).items():
        share, target, is_true = counts[True] / counts.total(), _TARGETS[kind], "true" in kind
        is_miss = share > target if is_true else share < target
        misses += is_miss
        mark = " **MISS**" if is_miss else ""
        bound = f"{'at most' if is_true else 'at least'} {target:.0%}"
        print(f"| {kind} | {bound} | {share:.1%}{mark} | {counts.total()} |")
    print("\ntrue facts are set aside for:", dict(reasons(talks)))
    claims = [claim for talk in talks for claim in talk.claims]
    start = time.process_time()
    for claim in claims:
        claim.why  # noqa: B018
    print(f"a fact takes {(time.process_time() - start) / len(claims) * 1000:.2f} ms of CPU")
    print_chinese()
    return bool(misses)


def show(talks: Sequence[Talk], kind: str) -> int:
    """What is judged wrongly of one kind, each with the lines it cites."""
    is_true = kind == "true facts set aside"
    claims = (claim for talk in talks for claim in talk.claims)
    found = claims if is_true else (claim for name, claim in negatives(talks) if name == kind)
    for claim in found:
        if bool(claim.why) == is_true:
            print(f"\n{claim.text}\n  {claim.why}")
            for number in claim.cited:
                print(f"  {number} {claim.source.lines[number - 1].text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
