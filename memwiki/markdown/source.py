"""The text of a file as it is, beside the lines as they are read: same lines, same columns."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from typing import Generic, NoReturn, TypeAlias, TypeVar

from memwiki.errors import NotEditableError
from memwiki.nouns import Problem, Severity
from memwiki.records import NamedTuple
from memwiki.text import line_starts, pattern

_BOM = "\ufeff"
_CONTROLS = bytes(set(range(32)) - {9, 10, 12, 13} | {127})
_ODD = _CONTROLS + b"\r"
UTF16_CODECS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_UTF8_BOM = b"\xef\xbb\xbf"
_LINE_END = pattern(r"\r\n|\r|\n")
# A head, where each line end is one.
_HEAD = pattern(r"\s*+(?:---|\+\+\+)[ \t]*\n(?:.*\n)*?(?:---|\+\+\+|\.\.\.)[ \t]*(?:\n|\Z)")
Sign: TypeAlias = Callable[[str], object]  # tells whether lines have something
S = TypeVar("S")
T = TypeVar("T")


class lazy(Generic[S, T]):  # noqa: N801 - a decorator, as `property` is
    """As functools.cached_property, without the lock of Python 3.11, which made a parse 2 %
    slower."""

    def __init__(self, make: Callable[[S], T]) -> None:
        self._make, self._name = make, make.__name__
        self.__doc__ = make.__doc__

    def __get__(self, of: S, _: type | None = None) -> T:
        """The value; from then on the one in the object's own dictionary is found first."""
        value = self._make(of)
        setattr(of, self._name, value)
        return value


class Patch(NamedTuple):
    """Other text for a half-open range of offsets; its line feeds become the line ends used
    there."""

    start: int
    end: int
    text: str


class Source:
    """The exact text of a file, and where each of its lines begins; nothing of it changes.

    `text` has its line ends as found and no BOM, which is in `mark`, else "".
    """

    def __init__(self, path: str, text: str, mark: str = "") -> None:
        self.path, self.text, self.mark = path, text, mark
        self.lacking: set[Sign] = set()

    def lacks(self, sign: Sign, text: str) -> bool:
        """Whether a text, for one sign always the whole or always the masked one, lacks a sign that
        lies on one line; what an edit leaves of a long page is not looked through again."""
        if sign not in self.lacking and not sign(text):
            self.lacking.add(sign)
        return sign in self.lacking

    @lazy
    def data(self) -> bytes:
        """The bytes of the file."""
        return (self.mark + self.text).encode()

    @lazy
    def lines(self) -> list[str]:
        """The lines without their ends; a lone carriage return is a space, as it ends no line
        here."""
        text = self.text.replace("\0", " ")
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", " ")
        lines = text.split("\n")
        if not lines[-1]:
            lines.pop()
        return lines

    @lazy
    def starts(self) -> list[int]:
        """The offset of each line in the text, and its length at the end."""
        # The lines that are read are as long as these, but for carriage returns.
        lines = self.text.split("\n")[: len(self.lines)] if "\r" in self.text else self.lines
        starts = line_starts(lines)
        starts[-1] = len(self.text)  # which may have no line end
        return starts

    def offset(self, line: int, column: int) -> int:
        """The offset of a place; both count from 0."""
        return self.starts[line] + column

    def end_of(self, line: int) -> int:
        """The offset at which the text of a line ends and its line end begins."""
        return self.starts[line] + len(self.lines[line])

    def line_at(self, offset: int) -> int:
        """The line, from 0, on which an offset lies."""
        return max(bisect_right(self.starts, offset, 0, len(self.lines)) - 1, 0)

    def line_end_at(self, offset: int) -> str:
        """The line end used just before an offset, else the first of the file."""
        before = self.text.rfind("\n", 0, offset)
        at = before if before >= 0 else self.text.find("\n")
        return "\r\n" if at > 0 and self.text[at - 1] == "\r" else "\n"

    def patched(self, patches: Iterable[Patch]) -> Source:
        """The file with some ranges replaced; at one place in the order given."""
        parts, done = [], 0
        for patch in sorted(patches, key=lambda patch: (patch.start, patch.end)):
            text = patch.text
            if "\n" in text:
                text = text.replace("\n", self.line_end_at(patch.start))
            parts += [self.text[done : patch.start], text]
            done = patch.end
        return Source(self.path, "".join([*parts, self.text[done:]]), self.mark)


def read_source(path: str, data: bytes) -> Source:
    """The text of a file; NotEditableError when its bytes would not come back as they are."""
    return Source(path, *exact_text(path, data))


def exact_text(path: str, data: bytes) -> tuple[str, str]:
    """The text of a file and its BOM; NotEditableError when its bytes would not come back."""
    if data.startswith(tuple(UTF16_CODECS)):
        _refuse(path, "is UTF-16, which is only read")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        _refuse(path, f"is not valid UTF-8 (line {line}) and can only be read", line)
    mark, text = _BOM * text.startswith(_BOM), text.removeprefix(_BOM)
    if "\r" in text and _has_lone_returns(text):
        _refuse(path, "has lines that end in a carriage return alone, and can only be read")
    return text, mark


def _has_lone_returns(text: str) -> bool:
    """Whether they end all lines, or some of its head, which would be taken for none."""
    ends = _LINE_END.findall(text)
    if "\r" not in ends:
        return False
    head = _HEAD.match("\n".join(_LINE_END.split(text)))
    is_cut = head is not None and "\r" in ends[: head[0].count("\n")]
    return is_cut or (len(ends) > 1 and {*ends} == {"\r"})


def _refuse(path: str, what: str, line: int = 0) -> NoReturn:
    raise NotEditableError(
        f"{path}: {what}",
        "save it as UTF-8 with line ends LF in an editor, then repeat this",
        path=path,
        line=line,
    )


def has_odd_signs(text: str) -> bool:
    """Whether a text has control characters or carriage returns: bytes that have none, and are no
    more than it, are read as it."""
    data = text.encode("utf-8", "surrogatepass")
    return len(data.translate(None, _ODD)) < len(data)


class Decoded(NamedTuple):
    """The text of a file without its BOM, and what was wrong with its bytes."""

    text: str
    problems: tuple[Problem, ...] = ()
    is_binary: bool = False
    mark: str = ""  # the BOM of UTF-8


_ONE_LINE = "its lines end in carriage returns alone: it is read as one line, and not edited"


def decode(path: str, data: bytes) -> Decoded:
    """Read bytes as people meant them: UTF-8, or UTF-16 when a BOM says so."""
    encoding = UTF16_CODECS.get(data[:2])
    if encoding:
        return _decode_lossy(path, data[2:], encoding)
    if (len(data) - len(data.translate(None, _CONTROLS))) * 10 > len(data):
        message = "more than 10 % control characters: not indexed as text"
        problem = Problem(path, 1, "page-binary", Severity.WARNING, message)
        return Decoded("", (problem,), is_binary=True)
    if data.startswith(_UTF8_BOM):
        return _decode_lossy(path, data[3:], "utf-8")._replace(mark="\ufeff")
    return _decode_lossy(path, data, "utf-8")


def _decode_lossy(path: str, data: bytes, encoding: str) -> Decoded:
    problems = []
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        text = data.decode(encoding, errors="replace")
        line = data.count(b"\n", 0, error.start) + 1
        message = f"not valid {encoding}: unreadable bytes are shown as U+FFFD; save it as UTF-8"
        problems.append(Problem(path, line, "utf8-invalid", Severity.WARNING, message))
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        message = "NUL characters are read as spaces"
        problems.append(Problem(path, line, "nul-character", Severity.WARNING, message))
        text = text.replace("\0", " ")
    if "\n" not in text and "\r" in text:
        problems.append(Problem(path, 1, "returns-alone", Severity.WARNING, _ONE_LINE))
    return Decoded(text, tuple(problems))
