"""Random small documents out of every block and inline starter: does the scanner see what
markdown-it sees?

Each document is scanned, compared with markdown-it and parsed into a page. Prints how many were
tried and each that failed, made as small as it goes; exits 1 when one did. `--seconds` may be
hours.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from memwiki.markdown.parse import parse
from memwiki.markdown.scanner import Structure, scan
from memwiki.markdown.structure import parsed_structure, structure_of
from memwiki.nouns import Layers

_LAYERS = Layers(daily="daily", sessions="sessions", wiki="wiki", raw="raw")
_PATHS = ("wiki/a.md", "memory.md", "daily/2026-11-21.md", "sessions/a.md")
_STARTERS = """
# h|## h ##|###### h|####### no|#|#tag|# |-|-||Title|===|==|---|--|-|***|* * *|___|_ _ _|- - -|+++
```|```py|````|~~~|~~~ a`b|``` a`b|`code`|``
<script>|</script>|<script>x</script>|<pre>|</pre>|<pre></pre>|<style>|</STYLE>|<textarea>|</textarea>
<!--|-->|<!-- x -->|<!-->|<!--->|<?|?>|<?x?>|<!D|<!DOCTYPE html>|<!d>|<!1>|<![CDATA[|]]>|<![CDATA[x]]>
<div>|</div>|<div>x</div>|<div|<DIV class="a">|<br/>|<hr />|<h1>|<table>|</td>|<b>|</b>|<b> x|<b>a | b
<a href="x">|<a href='x' b=c d>|<a href=">|<x-y/>|</x >|<http://a.b>|<a@b.c>|<1>|< a>
- a|* a|+ a|-|*|+|- |-    a|-     a|- # h|- ```|- > q|- - a|- 1. a|-\ta|1. a|1) a|2. a|10) a|1.|1)|123456789. a
1234567890. a|12) [a]: x|- [ ] a|- [x] a|- <!-- x -->|1. <?x?>|- <pre></pre>|- <div>|- ---|- ===|- a | b
> q|>|>q|> > q|> - a|> # h|> ```|> <div>|>     c|> ===|> a | b|>\ta|>> - > a
    c|     c|\tc|  \tc|   a|  a| a|      a|        a|\t\ta|\t- a|  - a|    - a|      - a|   > a|   # h|    # h|   ```
[a]: b|[a]: b "t"|[a]: b "t|[a]:|[a]|[a]: <b c>|[a|[a]: b 't'|[^1]: note|"t"|[a]: b c|[[a]]|[a](b)|![a](b
| a | b |||-|-||---|---||:-:|-:|||--|--|--|||- |:-|-|a|b|-|--|a | b|a \\| b|| a ||||:-||-:|| a | b | c |:-|-||
text|more text|text  |text\\|x|*em*|**b|_a_|~~s~~|$m$|$$|&amp;|&#35; a|%%|==m==|#a/b|^id|^m-7k2f9a|@x|::|\\# a|\\- a
$$|$$ a|b $$|$$ a $$|=|x = y|  $$|- $$|!!! note|!!! note "t"|!!! a b "t"|??? note|???+ "t"|=== "t"|===! "t"|    !!! a
    === "t"|        # h|        - a|        $$|- !!! note|> !!! note|!!! |!!!|???|=== t|!!!note
{{x}}|{% x %}|{{< highlight go >}}|{{< /highlight >}}|{% highlight c %}|{% endhighlight %}|    {% highlight c %}|:::|+++|a = 'b'|[a.b]|(a)=|key: value|title: x|- a: b|?|!|"""
_TABLES = ("| a | b |", "|-|-|", "|---|---|", "a | b", "--|--", ":-|-:", "| a |", "|-|", "# |-|-|")
_ODD = (
    "\r",
    "\x0b",
    "\x0c",
    "\u2028",
    "\u0085",
    "\0",
    "\ufeff",
    "\u00a0",
    "\u3000",
    "\x1f",
    "\u200b",
)
_PREFIXES = (
    "",
    "",
    "",
    "",
    "> ",
    ">",
    "> > ",
    "- ",
    "  ",
    "   ",
    "    ",
    "1. ",
    "\t",
    " ",
    "-\t",
    "- > ",
    "> - ",
    "- - ",
    "10) ",
    "      ",
    "* 1. ",
)


def _starters() -> tuple[str, ...]:
    found = []
    for line in _STARTERS.strip("\n").split("\n"):
        # Pipes part the pieces, but for those of tables, which stand in a list of their own.
        found += [part.replace("\\t", "\t") for part in line.split("|")]
    return (*found, *_TABLES)


STARTERS = _starters()


def documents(chance: random.Random) -> Iterator[list[str]]:
    """Lines of documents, one after the other, for ever."""
    while True:
        yield _document(chance)


def _document(chance: random.Random) -> list[str]:
    lines: list[str] = []
    indent = ""
    for _ in range(chance.choice((1, 2, 2, 3, 3, 4, 5, 6, 8, 12))):
        roll = chance.random()
        if roll < 0.15:
            lines.append("" if chance.random() < 0.8 else chance.choice((" ", "\t", "    ", ">")))
            continue
        if roll < 0.45:
            indent = chance.choice(_PREFIXES)
        elif roll < 0.55:  # goes on inside of what the last prefix opened
            indent = " " * len(indent.expandtabs(4))
        lines.append(indent + _piece(chance))
    return lines


def _piece(chance: random.Random) -> str:
    text = chance.choice(STARTERS)
    roll = chance.random()
    if roll < 0.08:
        text = chance.choice(_PREFIXES) + text
    elif roll < 0.12:
        text += chance.choice((" ", "  ", "\t", " #", "\\", " x", " | y")) + chance.choice(STARTERS)
    elif roll < 0.15:
        place = chance.randint(0, len(text))
        text = text[:place] + chance.choice(_ODD) + text[place:]
    elif roll < 0.16:
        text = chance.choice(("- ", "> ", "1. ", "* - ")) * chance.randint(5, 25) + text
    return text


def seen(structure: Structure, lines: list[str]) -> tuple[object, ...]:
    """Headings, items, and the lines of code and HTML that hold text."""
    return (
        [(h.title.strip(), h.level, h.line, h.line_end) for h in structure.headings],
        {i for a, b in structure.code for i in range(a, b) if lines[i].strip(" \t")},
        {i for a, b in structure.html for i in range(a, b) if lines[i].strip(" \t")},
        structure.items,
    )


def difference(lines: list[str]) -> str:
    """What is wrong with the structure of these lines; "" when nothing is."""
    scanned = scan(lines)
    truth = seen(parsed_structure(lines, 0), lines)
    if scanned.is_certain and seen(scanned, lines) != truth:
        return f"scanned {seen(scanned, lines)}, markdown-it {truth}"
    if seen(structure_of(lines, 0), lines) != truth:
        return f"structure {seen(structure_of(lines, 0), lines)}, markdown-it {truth}"
    return ""


def failure(lines: list[str]) -> str:
    """What goes wrong with a document, whether in its structure or on the way to a page."""
    try:
        if wrong := difference(as_read(lines)):
            return wrong
        data = "\n".join(lines).encode("utf-8", "surrogatepass")
        for path in _PATHS:
            parse(path, data, _LAYERS)
    except Exception as error:  # noqa: BLE001 - whatever goes wrong is what is looked for
        return f"{type(error).__name__}: {error}"
    return ""


def as_read(lines: list[str]) -> list[str]:
    """The lines as a page has them: no line ends, no NUL."""
    return [line.replace("\r", " ").replace("\0", " ") for line in lines]


def smallest(lines: list[str], fails: Callable[[list[str]], str]) -> list[str]:
    """The lines, then the characters, without which it still fails."""
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for fewer in _fewer(lines):
            if fails(fewer):
                lines, is_smaller = fewer, True
                break
    return lines


def _fewer(lines: list[str]) -> Iterator[list[str]]:
    for i in range(len(lines)):
        yield [*lines[:i], *lines[i + 1 :]]
    for i, line in enumerate(lines):
        for k in range(len(line)):
            yield [*lines[:i], line[:k] + line[k + 1 :], *lines[i + 1 :]]


def run(seconds: float, limit: int, seed: int, most: int) -> dict[str, object]:
    """Try documents until the time or their number is used up, or enough have failed."""
    os.environ["MEMWIKI_DEBUG"] = "1"  # what a page contains is a failure here
    started, tried, certain = time.monotonic(), 0, 0
    failed: dict[str, str] = {}
    for lines in documents(random.Random(seed)):
        if tried >= limit or time.monotonic() - started > seconds or len(failed) >= most:
            break
        tried += 1
        with suppress(Exception):
            certain += scan(as_read(lines)).is_certain
        if failure(lines):
            small = smallest(lines, failure)
            failed.setdefault(json.dumps("\n".join(small)), failure(small))
    took = round(time.monotonic() - started, 1)
    return {
        "documents": tried,
        "certain": certain,
        "seconds": took,
        "seed": seed,
        "failures": failed,
    }


def pages_below(folder: Path) -> dict[str, object]:
    """The same comparison on every page of a folder."""
    tried, certain, failed = 0, 0, dict[str, str]()
    for place in sorted(folder.rglob("*.md")):
        if not place.is_file():
            continue
        text = place.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
        lines = as_read(text.replace("\r\n", "\n").split("\n"))
        tried += 1
        certain += scan(lines).is_certain
        if wrong := difference(lines):
            failed[str(place.relative_to(folder))] = wrong[:2000]
    return {"pages": tried, "certain": certain, "failures": failed}


def main() -> int:
    """Run and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folder", nargs="?", type=Path, help="compare the pages of this folder instead"
    )
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--documents", type=int, default=10**12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=20, help="failures after which it ends")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.folder:
        report = pages_below(given.folder)
    else:
        report = run(given.seconds, given.documents, given.seed, given.most)
    if given.json:
        print(json.dumps(report))
    else:
        figures = (f"{key} {value}" for key, value in report.items() if key != "failures")
        print(", ".join(figures))
        for example, why in report["failures"].items():
            print(f"{example}\n    {why}")
    return 1 if report["failures"] else 0


if __name__ == "__main__":
    raise SystemExit(main())
