"""Golden examples: for each code a file that shows when it is found and when not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

GOLDEN = Path(__file__).parent / "golden"
_CASE = re.compile(r"^=== (found|quiet)(?: (.*))?$", re.MULTILINE)
_FILE = re.compile(r"^--- (\S.*?)((?: (?:escaped|x\d+))*) ---$", re.MULTILINE)


class Example(NamedTuple):
    """Some files, and where the code of the example is found in them (`path:line`)."""

    code: str
    files: dict[str, bytes]
    places: tuple[str, ...]

    def write(self, root: Path) -> None:
        for path, data in self.files.items():
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)


def examples() -> Iterator[Example]:
    """All examples of all codes.

    A file is headed by `--- path ---`; `escaped` reads Python's escapes in it (`\\u200b`, `\\xff`
    for a byte, `\\` at the end of the last line for no line end), `x400` repeats it so many times.
    """
    for golden in sorted(GOLDEN.glob("*.md")):
        parts = _CASE.split(golden.read_text("utf-8"))[1:]
        for kind, places, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
            assert bool(places) == (kind == "found"), golden.name
            yield Example(golden.stem, dict(_files(body)), tuple((places or "").split()))


def _files(body: str) -> Iterator[tuple[str, bytes]]:
    parts = _FILE.split(body)[1:]
    for path, marks, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        data = (text.strip("\n") + "\n").encode()
        if "escaped" in marks:
            data = re.sub(rb"\\(x..|u....|U........|[nrt\\]|\n)", _unescaped, data)
        times = re.search(r"x(\d+)", marks)
        yield path, data * int(times[1] if times else 1)


def _unescaped(match: re.Match[bytes]) -> bytes:
    mark = match[1]
    if mark[:1] in b"uU":
        return chr(int(mark[1:], 16)).encode("utf-8", "surrogatepass")
    if mark[:1] == b"x":
        return bytes([int(mark[1:], 16)])
    return {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"\\": b"\\", b"\n": b""}[mark]
