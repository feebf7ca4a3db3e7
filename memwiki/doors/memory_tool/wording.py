"""What the memory tool says: texts of the SDK's own backend, byte for byte; pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memwiki.answers.folder import FolderList

MOST_LINES = 999_999
_WIDTH = 6
_AROUND = 2  # lines before and behind a change that are shown
_UNITS = "BKMG"


def folder_text(path: str, found: FolderList) -> str:
    """A folder as it is shown."""
    head = (
        f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
    )
    rows = [f"{size_text(found.size_bytes)}\t{path}"]
    for item in found.items:
        slash = "/" * item.is_folder
        rows.append(f"{size_text(item.size_bytes)}\t{path}/{item.path}{slash}")
    return "\n".join([head, *rows])


def size_text(size: int) -> str:
    """A number of bytes as it is shown: 0B, 18B, 4K, 1.5K."""
    if not size:
        return "0B"
    power = min((size.bit_length() - 1) // 10, len(_UNITS) - 1)
    whole, rest = divmod(size, 1024**power)
    return f"{whole}{_UNITS[power]}" if not rest else f"{size / 1024**power:.1f}{_UNITS[power]}"


def file_text(path: str, lines: Sequence[str], first: int) -> str:
    """Lines of a file as they are shown, of which the first one has this number."""
    head = f"Here's the content of {path} with line numbers:\n"
    return head + "\n".join(numbered(lines, first))


def numbered(lines: Sequence[str], first: int) -> Iterator[str]:
    """Lines with their numbers."""
    for number, line in enumerate(lines, first):
        yield f"{number:>{_WIDTH}}\t{line}"


def edited_text(text: str, at: int) -> str:
    """What is said of a change, with the lines around the place where it begins."""
    lines, changed = text.split("\n"), text.count("\n", 0, at)
    first = max(0, changed - _AROUND)
    shown = lines[first : changed + _AROUND + 1]
    head = (
        "The memory file has been edited. "
        "Here is the snippet showing the change (with line numbers):"
    )
    return "\n".join([head, *numbered(shown, first + 1)])


def lines_with(text: str, part: str) -> Iterator[int]:
    """The line of each place where a part begins, also where it overlaps itself."""
    line, done, at = 1, 0, text.find(part)
    while at != -1:
        line += text.count("\n", done, at)
        done = at
        yield line
        at = text.find(part, at + 1)
