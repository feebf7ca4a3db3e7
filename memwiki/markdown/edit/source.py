"""The text of a file as it is, beside the lines as they are read: same lines, same columns."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from memwiki.errors import NotEditableError
from memwiki.markdown.text import UTF16_CODECS

_BOM = "\ufeff"


class Patch(NamedTuple):
    """Other text for a half-open range of offsets; its line feeds become the line ends used there."""

    start: int
    end: int
    text: str


class Source(NamedTuple):
    """A file that can be written back byte by byte: exact text, and where each of its lines begins."""

    path: str
    text: str  # without the BOM, line ends as found
    mark: str  # the BOM, or ""
    lines: list[str]  # as the parser reads them, without ends
    starts: list[int]  # the offset of each line in the text, and its length at the end

    def offset(self, line: int, column: int) -> int:
        """The offset of a place; both count from 0."""
        return self.starts[line] + column

    def end_of(self, line: int) -> int:
        """The offset at which the text of a line ends and its line end begins."""
        return self.starts[line] + len(self.lines[line])

    def line_at(self, offset: int) -> int:
        """The line, from 0, on which an offset lies."""
        return self.text.count("\n", 0, offset)

    def line_end_at(self, offset: int) -> str:
        """The line end used just before an offset, else the first of the file."""
        before = self.text.rfind("\n", 0, offset)
        at = before if before >= 0 else self.text.find("\n")
        return "\r\n" if at > 0 and self.text[at - 1] == "\r" else "\n"

    def patched(self, patches: Iterable[Patch]) -> bytes:
        """The bytes of the file with some ranges replaced; at one place in the order given."""
        parts, done = [self.mark], 0
        for patch in sorted(patches, key=lambda patch: (patch.start, patch.end)):
            text = patch.text
            if "\n" in text:
                text = text.replace("\n", self.line_end_at(patch.start))
            parts += [self.text[done : patch.start], text]
            done = patch.end
        return "".join([*parts, self.text[done:]]).encode()


def read_source(path: str, data: bytes) -> Source:
    """The text of a file; NotEditableError when its bytes would not come back as they are."""
    if data.startswith(tuple(UTF16_CODECS)):
        _refuse(path, "is UTF-16, which is only read")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        _refuse(path, f"is not valid UTF-8 (line {line}) and can only be read", line)
    mark = _BOM if text.startswith(_BOM) else ""
    return source_of(path, text.removeprefix(_BOM), mark)


def _refuse(path: str, what: str, line: int = 0) -> None:
    hint = "save it as UTF-8 in an editor, then repeat this"
    raise NotEditableError(f"{path}: {what}", hint=hint, path=path, line=line)


def source_of(path: str, text: str, mark: str = "") -> Source:
    """The lines of a text, each as long as it is in the text, less its line end."""
    pieces = text.split("\n")
    starts = list(accumulate((len(piece) + 1 for piece in pieces[:-1]), initial=0))
    lines = [_as_read(piece.removesuffix("\r")) for piece in pieces[:-1]]
    if pieces[-1]:
        lines.append(_as_read(pieces[-1]))
        starts.append(len(text))
    return Source(path, text, mark, lines, starts)


def _as_read(line: str) -> str:
    return line.replace("\r", " ").replace("\0", " ")
