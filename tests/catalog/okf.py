"""Whether a folder conforms to the Open Knowledge Format 0.2: `python tests/catalog/okf.py
BUNDLE...`

Source: SPEC.md of the format, section 11 (conformance) with the sections 4, 8, 9 and 12 that it
refers to; https://github.com/GoogleCloudPlatform/knowledge-catalog/blob/main/okf/SPEC.md, version
0.2. Only what section 11 demands is looked at; the rest of that document is "soft guidance" in its
words. No link, type or further key is ever a reason to refuse a bundle.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

_DELIMITED = re.compile(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"#{1,6} \S")
_ITEM = re.compile(r"\s*[*+-] ")
_DAY = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])\Z")


class Deviation(NamedTuple):
    """What a file does not do, and the clause that asks for it."""

    path: str
    clause: str
    what: str


def deviations(bundle: Path) -> list[Deviation]:
    """Everything that section 11 would refuse; [] for a conformant bundle."""
    found = []
    for path in sorted(bundle.rglob("*.md")):
        name = path.relative_to(bundle).as_posix()
        if any(part.startswith(".") for part in path.relative_to(bundle).parts):
            continue
        text = path.read_text("utf-8").replace("\r\n", "\n")
        look = {"index.md": _index, "log.md": _log}.get(path.name, _concept)
        found += [Deviation(name, *each) for each in look(name, text)]
    return found


def _concept(name: str, text: str) -> Iterator[tuple[str, str]]:
    fields = _fields(text)
    if not isinstance(fields, dict):
        yield "11.1", "no parseable front matter"
    elif not isinstance(fields.get("type"), str) or not fields["type"].strip():
        yield "11.2", "no type"


def _index(name: str, text: str) -> Iterator[tuple[str, str]]:
    """Section 8; section 12 allows `okf_version`, in the root's alone."""
    fields = _fields(text)
    if fields is not None:
        is_root_version = (
            name == "index.md" and isinstance(fields, dict) and set(fields) == {"okf_version"}
        )
        if not is_root_version:
            yield "11.3/8", "a front matter in an index"
    lines = (
        _DELIMITED.sub("", text, count=1).split("\n")
        if text.startswith("---")
        else text.split("\n")
    )
    headings = [number for number, line in enumerate(lines) if _HEADING.match(line)]
    items = [number for number, line in enumerate(lines) if _ITEM.match(line)]
    if not headings:
        yield "11.3/8", "no section under a heading"
    elif items and items[0] < headings[0]:
        yield "11.3/8", "an entry above the first heading"


def _log(name: str, text: str) -> Iterator[tuple[str, str]]:
    """Section 9: entries grouped below headings that are ISO dates, the newest first."""
    headings = [line[3:].strip() for line in text.split("\n") if line.startswith("## ")]
    days = [heading for heading in headings if _DAY.match(heading)]
    if len(days) != len(headings):
        yield "11.3/9", "a date heading that is no YYYY-MM-DD"
    if days != sorted(days, reverse=True):
        yield "11.3/9", "not newest first"


def _fields(text: str) -> object:
    """The front matter, None without one, "" when it cannot be read."""
    found = _DELIMITED.match(text)
    if not found:
        return None
    try:
        return yaml.safe_load(found[1])
    except (yaml.YAMLError, ValueError):
        return ""


if __name__ == "__main__":
    missed = 0
    for argument in sys.argv[1:]:
        each = deviations(Path(argument))
        missed += len(each)
        print(f"{argument}: {len(each) or 'no'} deviations")
        for found in each[:20]:
            print(f"  {found.path}: {found.what} ({found.clause})")
    sys.exit(int(missed > 0))
