"""The memory tool of Anthropic's API (`memory_20250818`), over a folder of a workspace: from a
command of an agent to the text that answers it, byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from posixpath import normpath
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from memwiki import MemwikiError
from memwiki.adapter_api import (
    AlreadyExistsError,
    ConflictError,
    FolderList,
    MemoryToolError,
    NotFoundError,
    OutsideError,
    ToolReply,
    TwinError,
    door_settings,
)

if TYPE_CHECKING:
    from memwiki import Workspace
    from memwiki.adapter_api import FolderFacet, TextFile

ToolCommand: TypeAlias = Mapping[str, object]  # as an agent gives it
__all__ = [
    "MAX_LINE_BYTES",
    "MemoryTool",
    "MemoryToolError",
    "UnknownCommandError",
    "replies",
    "reply_line",
]

MAX_LINE_BYTES = 4_000_000  # a text of 256 KB, however it is escaped
ROOT = "/memories"
MAX_LINES = 999_999
_WIDTH = 6
_AROUND = 2  # lines before and behind a change that are shown
_UNITS = "BKMG"


class UnknownCommandError(MemoryToolError, NotImplementedError):
    """A command that the memory tool does not have."""


class MemoryTool:
    """The memory tool over one folder of a workspace; "." is the whole of it.

    It answers as the filesystem backend of the SDK does, and may be shared by threads. What is
    private is neither shown nor changed without `private`.
    """

    def __init__(
        self, workspace: Workspace, folder: str = "memories", *, private: bool = False
    ) -> None:
        self._workspace = workspace
        self._path = folder
        self._has_private = private
        self._settings = door_settings(workspace.config)
        self._folder.kind("")  # a folder that leads out is refused at once
        self._commands = {
            "view": self._view,
            "create": self._create,
            "str_replace": self._replace,
            "insert": self._insert,
            "delete": self._delete,
            "rename": self._rename,
        }

    def handle(self, command: ToolCommand) -> str:
        """Do one command; what cannot be done is a MemoryToolError with the text for the agent.

        A command of another name is one, too, and a NotImplementedError.
        """
        name = command.get("command")
        do = self._commands.get(name) if isinstance(name, str) else None
        if do is None:
            raise UnknownCommandError(f"Unknown command: {name}")
        if self._settings.is_read_only and name != "view":
            raise MemoryToolError("This memory is read-only: doors.read_only is set. View it only.")
        return do(command)

    @property
    def _folder(self) -> FolderFacet:
        return self._workspace.folder(self._path, private=self._has_private)

    def _view(self, command: ToolCommand) -> str:
        path = path_in(command, "path")
        lines = range_in(command)
        kind = self._kind(path)
        if kind == "folder":
            with _in_words(path):
                return folder_text(path.given, self._folder.list(path.path))
        if not kind:
            raise _no_such(path)
        if kind == "other":
            raise MemoryToolError(f"Unsupported file type for {path.given}")
        return _numbered_file(path, self._read(path).text.split("\n"), lines)

    def _create(self, command: ToolCommand) -> str:
        path = path_in(command, "path")
        text = self._content(command, "file_text")
        exists = f"File {path.given} already exists"
        if not path.path:
            raise MemoryToolError(exists)
        with _in_words(path, exists=exists, changed=exists):
            self._folder.create(path.path, text)
        return f"File created successfully at: {path.given}"

    def _replace(self, command: ToolCommand) -> str:
        path = path_in(command, "path")
        old, new = text_in(command, "old_str"), self._content(command, "new_str")
        file = self._file(path)
        _require_once(file.text, old, path)
        at = file.text.find(old)
        text = file.text[:at] + new + file.text[at + len(old) :]
        if self._write(path, text, file):
            text = self._read(path).text  # with what another has changed meanwhile
            at = max(text.find(new), 0)
        return edited_text(text, at)

    def _insert(self, command: ToolCommand) -> str:
        path = path_in(command, "path")
        line, text = number_in(command, "insert_line"), self._content(command, "insert_text")
        file = self._file(path)
        most = len(file.lines)
        if not 0 <= line <= most:
            raise MemoryToolError(
                f"Invalid `insert_line` parameter: {line}. "
                f"It should be within the range [0, {most}]."
            )
        with _in_words(path, gone=_no_such_file(path)):
            self._folder.insert(path.path, line, text, base=file)
        return f"The file {path.given} has been edited."

    def _delete(self, command: ToolCommand) -> str:
        path = path_in(command, "path")
        if not path.path:
            raise MemoryToolError(f"Cannot delete the {ROOT} directory itself")
        gone = f"The path {path.given} does not exist"
        if self._kind(path) in ("", "other"):
            raise MemoryToolError(gone)
        with _in_words(path, gone=gone):
            self._folder.delete(path.path)
        return f"Successfully deleted {path.given}"

    def _rename(self, command: ToolCommand) -> str:
        old, new = path_in(command, "old_path"), path_in(command, "new_path")
        if not old.path:
            raise MemoryToolError(f"Cannot rename the {ROOT} directory itself")
        self._kind(old)
        exists = f"The destination {new.given} already exists"
        if self._kind(new):
            raise MemoryToolError(exists)
        gone = f"The path {old.given} does not exist"
        with _in_words(old, new, exists=exists, gone=gone):
            self._folder.rename(old.path, new.path)
        return f"Successfully renamed {old.given} to {new.given}"

    # --- what the commands share ---

    def _content(self, command: ToolCommand, name: str) -> str:
        return content_in(command, name, self._settings.max_text_kb * 1024)

    def _kind(self, path: ToolPath) -> str:
        if not path.path:
            return "folder"
        with _in_words(path):
            return self._folder.kind(path.path)

    def _file(self, path: ToolPath) -> TextFile:
        """A file that is to be changed."""
        kind = self._kind(path)
        if not kind:
            raise _no_such(path)
        if kind != "file":
            raise MemoryToolError(f"The path {path.given} is not a file.")
        return self._read(path)

    def _read(self, path: ToolPath) -> TextFile:
        with _in_words(path, gone=_no_such_file(path)):
            return self._folder.read(path.path)

    def _write(self, path: ToolPath, text: str, file: TextFile) -> bool:
        """Write a file; whether another had changed it meanwhile, and both changes are in it."""
        with _in_words(path, gone=_no_such_file(path)):
            return bool(self._folder.write(path.path, text, base=file).merged)


def _numbered_file(path: ToolPath, lines: list[str], asked: tuple[int, int] | None) -> str:
    if len(lines) > MAX_LINES:
        raise MemoryToolError(f"File {path.given} exceeds maximum line limit of 999,999 lines.")
    first, last = asked or (1, -1)
    stop = len(lines) if last == -1 else last
    return file_text(path.given, lines[first - 1 : stop], first)


def _require_once(text: str, old: str, path: ToolPath) -> None:
    count = text.count(old)
    if not count:
        raise MemoryToolError(
            f"No replacement was performed, old_str `{old}` did not appear verbatim in "
            f"{path.given}."
        )
    if count > 1:
        lines = ", ".join(map(str, lines_with(text, old)))
        raise MemoryToolError(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: "
            f"{lines}. Please ensure it is unique"
        )


def _no_such(path: ToolPath) -> MemoryToolError:
    return MemoryToolError(f"The path {path.given} does not exist. Please provide a valid path.")


def _no_such_file(path: ToolPath) -> str:
    said = "no longer exists (may have been deleted or renamed concurrently)."
    return f"The file {path.given} {said}"


@contextmanager
def _in_words(
    *paths: ToolPath, exists: str = "", gone: str = "", changed: str = ""
) -> Iterator[None]:
    """Say what went wrong as an agent is told: as the SDK does where it says something."""
    try:
        yield
    except MemwikiError as error:
        said = _words(error, paths, exists=exists, gone=gone, changed=changed)
        raise MemoryToolError(said) from error


def _words(
    error: MemwikiError, paths: tuple[ToolPath, ...], *, exists: str, gone: str, changed: str
) -> str:
    path = next((each for each in paths if _prefix(error, each)), paths[0])
    if isinstance(error, OutsideError) and "leads out" in error.reason:
        return escapes(path.given)
    if isinstance(error, AlreadyExistsError) and not isinstance(error, TwinError) and exists:
        return exists
    if isinstance(error, NotFoundError) and gone:
        return gone
    if isinstance(error, ConflictError):
        said = "was changed by another at the same place meanwhile. Nothing was written. View it"
        return changed or f"The file {path.given} {said} again and repeat the change."
    hint = "" if isinstance(error, OutsideError) else f"; {error.hint}"
    prefix = _prefix(error, path)  # the path, which the agent calls by another name
    said = f"{path.given}: {error.message.removeprefix(prefix)}" if prefix else error.message
    return f"{said}{hint}."


def _prefix(error: MemwikiError, path: ToolPath) -> str:
    """How a message begins that is about a path; "" for one that is not."""
    prefixes = (f"{path.path}: ", f"{path.path!r}: ")
    return next((each for each in prefixes if error.message.startswith(each)), "")


def replies(tool: MemoryTool, lines: Iterable[bytes]) -> Iterator[ToolReply]:
    """A reply to each line that is not blank."""
    for line in lines:
        if line.strip():
            yield _reply(tool, line)


def reply_line(reply: ToolReply) -> str:
    """A reply as one line of JSON in ASCII, which nothing cuts."""
    said = {"text": reply.text} if reply.ok else {"error": reply.error}
    return json.dumps({"ok": reply.ok, **said})


def _reply(tool: MemoryTool, line: bytes) -> ToolReply:
    try:
        return ToolReply(ok=True, text=tool.handle(_command(line)))
    except MemoryToolError as error:
        return ToolReply(ok=False, error=error.message)


def _command(line: bytes) -> ToolCommand:
    if len(line) > MAX_LINE_BYTES:
        raise MemoryToolError(f"The line has more than {MAX_LINE_BYTES} bytes.")
    try:
        command = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise MemoryToolError("The line is not JSON in UTF-8.") from error
    if not isinstance(command, dict):
        raise MemoryToolError("The line is not a JSON object.")
    return command


class ToolPath(NamedTuple):
    """A path as it was given, and as it is called in the folder; "" is the folder itself."""

    given: str
    path: str


def path_in(command: ToolCommand, name: str) -> ToolPath:
    """A path below /memories."""
    given = text_in(command, name)
    below = given.removeprefix(ROOT)
    if below == given or not (below.startswith("/") or not below):
        raise MemoryToolError(f"Path must start with {ROOT}, got: {given}")
    whole = normpath(f"{ROOT}/{below.lstrip('/')}")
    if whole != ROOT and not whole.startswith(f"{ROOT}/"):
        raise MemoryToolError(escapes(given))
    return ToolPath(given, whole[len(ROOT) + 1 :])


def escapes(given: str) -> str:
    """What is said of a path that leads out."""
    return f"Path {given} would escape {ROOT} directory"


def text_in(command: ToolCommand, name: str) -> str:
    """A text that has to be there."""
    value = _value_in(command, name)
    if not isinstance(value, str):
        raise MemoryToolError(f"Invalid `{name}` parameter: it should be text.")
    return value


def _value_in(command: ToolCommand, name: str) -> object:
    value = command.get(name)
    if value is None:
        raise MemoryToolError(f"Missing parameter: `{name}`.")
    return value


def content_in(command: ToolCommand, name: str, most_bytes: int) -> str:
    """A text that is to be written."""
    text = text_in(command, name)
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > most_bytes:
        raise MemoryToolError(
            f"Invalid `{name}` parameter: it has {size} bytes, more than {most_bytes}. "
            "Write it in parts."
        )
    return text


def number_in(command: ToolCommand, name: str) -> int:
    """A whole number that has to be there."""
    value = _value_in(command, name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise MemoryToolError(f"Invalid `{name}` parameter: it should be a whole number.")
    return value


def range_in(command: ToolCommand) -> tuple[int, int] | None:
    """The lines that are asked for, as (first, last); None for all, -1 is the end."""
    value = command.get("view_range")
    if not (isinstance(value, list | tuple) and len(value) == 2):
        return None
    first, last = value
    if not (type(first) is int and type(last) is int):
        raise MemoryToolError("Invalid `view_range` parameter: it should be two whole numbers.")
    return max(first, 1), last


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
    return head + "\n".join(number_lines(lines, first))


def number_lines(lines: Sequence[str], first: int) -> Iterator[str]:
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
    return "\n".join([head, *number_lines(shown, first + 1)])


def lines_with(text: str, part: str) -> Iterator[int]:
    """The line of each place where a part begins, also where it overlaps itself."""
    line, done, at = 1, 0, text.find(part)
    while at != -1:
        line += text.count("\n", done, at)
        done = at
        yield line
        at = text.find(part, at + 1)
