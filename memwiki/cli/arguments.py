"""What people type -> what the workspace is asked: paths as they are seen from the current folder,
names as they are, ranges of lines.

The rule is git's: a path is meant from the current folder (with -C from that one), `/x` from the
root of the workspace, and a page that is not found so is looked for from the root. What has neither
`/` nor
`.md` is a name, wherever one stands.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NoReturn, TypeVar

from memwiki.errors import NotFoundError, OutsideError, UnsafePathError, UsageError
from memwiki.names import PAGE_SUFFIXES, is_page_name, without_brackets
from memwiki.records import NamedTuple
from memwiki.text import pattern

T = TypeVar("T")
# `a.md:12`, `a.md:12:5: what is said of it`, `a.md:12-20`; `Tea: 12` is a title.
_LOCATION = pattern(
    r"(.+?\.(?:md|markdown)):([1-9][0-9]{0,8})(?:-([1-9][0-9]{0,8}))?(?::.*)?",
    re.DOTALL | re.IGNORECASE,
)
_OWN_STARTS = ("/", "./", "../")  # what begins so is meant from one place only


class PathContext(NamedTuple):
    """Where arguments are read: the root of the workspace and the current folder, both without
    links."""

    root: str
    folder: str
    hides: Callable[[str], bool]  # what is as if it were not there

    def page(self, written: str) -> str:
        """A page that is there, by any of its names; a heading may follow after `#`."""
        path, sign, heading = written.partition("#")
        if not (_is_path(path) or _is_path(written)):
            return written
        if whole := self._page_at(written):
            return whole
        found = (
            self._page_at(path)
            or (path.startswith(_OWN_STARTS) and self._path_inside(path))
            or path
        )
        return f"{found}{sign}{heading}"

    def location(self, written: str) -> tuple[str, int, tuple[int, int] | None]:
        """A page, and the line or the lines of it that were named after a colon, as memwiki and
        compilers print them."""
        found = _LOCATION.fullmatch(written)
        if found is None:
            return self.page(written), 0, None
        if whole := self._page_at(written):
            return whole, 0, None
        name, first, last = self.page(found[1]), int(found[2]), int(found[3] or 0)
        return (name, 0, (first, last)) if last else (name, first, None)

    def file(self, written: str) -> str:
        """A page by any of its names, another file, or a folder, whose path ends in `/`."""
        if written.endswith("/"):
            return f"{self.path(written).rstrip('/')}/"
        if _is_path(written):
            return self.page(written)
        path = self._path_inside(written)
        return path if path and self._is(os.path.isfile, path) else written

    def moving(self, written: str) -> list[str]:
        """What may be meant that is to be moved: a page or file, else a folder here of that
        name."""
        return [self.file(written), *filter(None, [self.folder_called(written)])]

    def folder_called(self, name: str) -> str:
        """The path of a folder here that has this name, "" when there is none."""
        path = self._path_inside(name) if name and not _is_path(name) else None
        return f"{path}/" if path and self._is(os.path.isdir, path) else ""

    def path(self, written: str) -> str:
        """A file or folder, "." for the whole workspace; one that is nowhere is meant from here."""
        path = self._path_inside(written)
        if path is not None and self._is(os.path.lexists, path):
            return path
        is_at_root = written and not written.startswith(_OWN_STARTS)
        if is_at_root and self._is(os.path.lexists, written):
            return written
        return path or _refuse(written)

    def paths(self, written: Sequence[str]) -> list[str]:
        """Files and folders; none when one of them is the whole workspace."""
        found = [self.path(each) for each in written]
        return [] if os.curdir in found else found

    def once(self, written: str) -> list[str]:
        """What a page may mean that is there or was once, in order."""
        name = self.page(written)
        if not _is_path(written) or self._is(os.path.isfile, name):
            return [name]
        return list(dict.fromkeys(filter(None, (self._path_inside(written), name))))

    def new_page(self, written: str) -> str:
        """The path of a page that is to be made, or its title."""
        written = without_brackets(written)
        is_whole = is_page_name(written.strip())
        if not (is_whole or self._is_in_a_folder(written)):
            return written
        path = self._path_inside(written.strip()) or _refuse(written)
        return path if is_whole else f"{path}.md"

    def destination(self, written: str, *, of_page: bool) -> str:
        """Where something goes that is moved: a path, or the name that it gets in its own
        folder."""
        written = without_brackets(written)
        is_path = _is_path(written) or (not of_page and "." in written)
        if not (is_path or self.folder_called(written)):
            return written
        path = self._path_inside(written) or _refuse(written)
        if written.endswith("/") or self._is(os.path.isdir, path):
            return f"{path}/"
        return path if "/" in path else f"./{path}"

    def is_page(self, path: str) -> bool:
        """Whether what a path or name means is not another file than a page."""
        return is_page_name(path) or not self._is(os.path.isfile, path)

    def _is_in_a_folder(self, written: str) -> bool:
        """Whether a name begins with a folder that is there: `AC/DC` is a title otherwise."""
        first, slash, _ = written.partition("/")
        if first in ("", ".", "..") or not slash:
            return bool(slash)
        paths = _below(self.root, os.path.join(self.folder, first)), first
        return any(self._is(os.path.isdir, path) for path in paths if path)

    def _page_at(self, written: str) -> str:
        """The file that a path leads to from here; its suffix may be left out."""
        path = self._path_inside(written)
        tries = [f"{path}{suffix}" for suffix in ("", *PAGE_SUFFIXES)] if path else []
        return next((each for each in tries if self._is(os.path.isfile, each)), "")

    def _is(self, is_there: Callable[[str], bool], path: str) -> bool:
        """Whether there is such a file or folder, and it may be known."""
        return not self.hides(path) and is_there(self._location(path))

    def _location(self, path: str) -> str:
        return os.path.join(self.root, path)

    def _path_inside(self, written: str) -> str | None:
        """The path in the workspace, "." for its root; None when it leads out of it."""
        try:
            found = _below(self.root, _real(os.path.join(self.folder, written)))
            if found is None and (written.startswith("/") or not _is_in(self.root, self.folder)):
                found = _below(self.root, _real(self._location(written.lstrip("/"))))
        except ValueError:  # no file can have this name; the workspace says why
            return written
        return found


def here(
    root: object, directory: str | None, hides: Callable[[str], bool] = lambda _path: False
) -> PathContext:
    """Where arguments are read: in the current folder, or in the one given with -C.

    To who stands outside of the workspace that the environment names, all paths are from its root.
    """
    folder = real_folder(directory) or os.path.realpath(os.curdir)
    return PathContext(os.path.realpath(str(root)), folder, hides)


def real_folder(directory: str | None) -> str | None:
    """The folder given with -C as it is for who goes there: links in it are followed."""
    try:
        return None if directory is None else os.path.realpath(directory)
    except ValueError:  # no folder can have this name; opening it says so
        return directory


def machine_path(directory: str | None, written: str) -> str:
    """A file of the machine, not of the workspace, as it is seen from the current folder or -C."""
    return os.path.join(directory or "", written)


def first_found(names: Sequence[str], ask: Callable[[str], T]) -> T:
    """The answer for the first name that there is one for; the last failure if there is none."""
    for name in names[:-1]:
        with suppress(NotFoundError):
            return ask(name)
    return ask(names[-1])


def require_no_way_out(directory: str | None, written: str) -> None:
    """Refuse a folder that a link takes out of the current one: who types it does not see where it
    is."""
    if os.path.isabs(written):
        return
    with suppress(ValueError):
        base = os.path.realpath(directory or os.curdir)
        real, plain = (
            as_(os.path.join(base, written)) for as_ in (os.path.realpath, os.path.normpath)
        )
        if _is_in(base, plain) and not _is_in(base, real):
            raise UnsafePathError.at(
                written,
                f"is a symlink, or is below one, and leads to {real}",
                "if that is meant, give {} itself",
                real,
            )


def lines_of(text: str) -> tuple[int, int]:
    """First and last line of a range such as `10-20`, or of one line."""
    match = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last:
        raise UsageError(f"--lines: {text} is not a range of lines", "for example --lines 10-20")
    return first, last


def _is_path(written: str) -> bool:
    is_folder = written in (os.curdir, os.pardir)
    return "/" in written or is_folder or is_page_name(written)


def _real(location: str) -> str:
    """The path without `..` and without links in its folders; a link at its end stays one."""
    folder, name = os.path.split(location.rstrip("/") or "/")
    if name in ("", os.curdir, os.pardir):
        return os.path.realpath(location)
    return os.path.join(os.path.realpath(folder), name)


def _below(root: str, location: str) -> str | None:
    return os.path.relpath(location, root).replace(os.sep, "/") if _is_in(root, location) else None


def _is_in(root: str, location: str) -> bool:
    return location == root or location.startswith(root.rstrip(os.sep) + os.sep)


def _refuse(written: str) -> NoReturn:
    raise OutsideError(written)


class Options(NamedTuple):
    """What holds for any command; `directory` is what stands for the current folder."""

    directory: str | None = None
    is_exact: bool = False  # the workspace is that folder, or the current one, and none above
    is_json: bool = False
    is_synced: bool = True
    is_quiet: bool = False
    namespace: str | None = None  # None where the setting counts
    workspace: str = ""  # its name in the user's settings; a folder that is given goes before it
    actor: str = ""  # who changes something
    shared: str = ""  # a workspace of the shared index, which is read instead


_HOSTED = (["hook"], ["mcp"])  # commands that programs of agents start
_MAKING = (["init"],)  # whose folder need not be there yet
_NAMED = {
    **dict.fromkeys(("-w", "--workspace"), "workspace"),
    **dict.fromkeys(("-n", "--namespace"), "namespace"),
    "--actor": "actor",
    "--shared": "shared",
}


def split(arguments: Sequence[str]) -> tuple[Options, list[str]]:
    """Separate these options from the rest; nothing after `--` is touched."""
    options, rest = Options(), []
    waiting = iter(arguments)
    for argument in waiting:
        match argument:
            case "--":
                rest += [argument, *waiting]
            case "--here":
                options = options._replace(is_exact=True)
            case "--json":
                options = options._replace(is_json=True)
            case "--no-sync":
                options = options._replace(is_synced=False)
            case "-q" | "--quiet":
                options = options._replace(is_quiet=True)
            case "-C" | "--directory":
                options = options._replace(directory=_value(argument, waiting))
            case _ if argument in _NAMED:
                options = _with(options, _NAMED[argument], _name(argument, waiting))
            case _:
                rest.append(argument)
    return _located(options, rest), rest


def _located(options: Options, rest: Sequence[str]) -> Options:
    """With a relative folder where it is: an agent works in any folder of its project."""
    named, is_hosted = options.directory, rest[:1] in _HOSTED
    is_as_given = options.is_exact or rest[:1] in _MAKING
    if named is None or is_as_given or os.path.isabs(named):
        return options
    if not is_hosted and os.path.isdir(named):
        return options
    from memwiki.config import environment, folder_meant

    with suppress(OSError, ValueError):  # opening it says what is wrong
        named = folder_meant(named, environment(), is_hosted=is_hosted)
    return options._replace(directory=named)


def _with(options: Options, field: str, value: str) -> Options:
    given: dict[str, Any] = {field: value}
    return options._replace(**given)


def _name(option: str, waiting: Iterator[str]) -> str:
    value = next(waiting, None)
    if value is None or (not value and _NAMED[option] in ("workspace", "shared")):
        raise UsageError(f"{option}: a name is missing", f"memwiki {option} NAME COMMAND")
    return value


def _value(option: str, waiting: Iterator[str]) -> str:
    value = next(waiting, "")
    if not value:
        raise UsageError(f"{option}: a folder is missing", f"memwiki {option} DIR COMMAND")
    return value
