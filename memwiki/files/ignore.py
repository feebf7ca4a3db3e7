"""What is no page although it lies in the folder: hidden folders, leftovers, what the person
excludes; why a path is none, and what lies there."""

from __future__ import annotations

import os
import re
import stat
import warnings
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cache
from pathlib import Path
from posixpath import normpath
from typing import TYPE_CHECKING

from memwiki.errors import MemwikiError, NotFoundError, UnreadableError
from memwiki.files.read import read, resolve_link
from memwiki.names import GIT_IGNORE_FILE, IGNORE_FILE, is_encodable, is_page_name, normalised
from memwiki.records import NamedTuple
from memwiki.text import pattern

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

# The hidden files that belong to a workspace; any other one may hold keys and passwords.
DOT_FILES = frozenset({GIT_IGNORE_FILE, ".gitattributes", IGNORE_FILE})
_MAX_BYTES = 64 * 1024
TEMPORARY_PREFIX = ".memwiki-"  # files/write.py names its temporary files so
ODD_FIRST = ".#~"  # a page whose name starts with none of these is no leftover

# Both are compiled when they are first used: most folders hold no name to try them on.
_LEFTOVER = r"""(?xis)
        \.\#.* | \#.*\# | \._.* | ~\$.* | .*~ | 4913      # Emacs, macOS, Office, backups, Vim
      | .*\.(?:sw[nop]|tmp|temp|kate-swp|crdownload|part|partial) | \..*\.sw[a-p]
      | \.memwiki-.* | \.goutputstream-.* | .*___jb_(?:tmp|old)___ | \.~lock\..*\#
      | \.nfs[0-9a-f]+ | \.fuse_hidden.* | ~syncthing~.* | \.syncthing\..*
      | \.ds_store | thumbs\.db | desktop\.ini"""
_CONFLICT = r"""(?xi)
        \.sync-conflict-\d{8}-\d{6}                       # Syncthing
      | \([^()]*\bconflicted\ copy\b[^()]*\)              # Dropbox, Nextcloud, Obsidian Sync
      | \((?:in\ konflikt\ stehende\ kopie|copie\ en\ conflit|copia\ en\ conflicto)\b[^()]*\)
      | \((?:case|unicode)\ conflict[^()]*\)              # Dropbox
      | \(SFConflict\ [^()]*\)                            # Seafile
      | _conflict-\d{8}-\d{6}                             # ownCloud"""
CONFLICT_HINT = "onfli"  # stands in every name that _CONFLICT finds
_MAX_CHARACTERS = 4_096  # no path is longer
_STAR, _ANY, _FIRST = "[^/]*", "(?:/.+)?", "^(?:.+/)?"
_END = pattern(r"(?:\(\?:\(\?P<ps_d>/\)\|\$\)|\(\?P<ps_d>/\)|/)\Z")
# What the library writes itself holds a slash, which no name in a pattern can.
_ATOM = pattern(r"\[\^/\][*+]?|\\.|(\[\^?\]?[^\]]*+\])|.", re.DOTALL)


def why_not_name(name: str) -> str:
    """Say why a file of this name is a leftover; "" when it is none."""
    if is_leftover(name):
        return "it is a temporary, swap or backup file"
    if is_conflict_copy(name):
        return "it is a copy that a sync service set aside"
    return ""


def is_leftover(name: str) -> bool:
    """Whether an editor, a file manager or memwiki itself left this file behind."""
    return re.fullmatch(_LEFTOVER, name) is not None


def is_conflict_copy(name: str) -> bool:
    """Whether a sync service made this copy because two sides had changed."""
    return CONFLICT_HINT in name and re.search(_CONFLICT, name) is not None


def why_not_folder(name: str) -> str:
    """Say why nothing below a folder of this name is a page; "" when it may hold pages."""
    if name.startswith("."):
        return "its folder starts with a dot"
    if name == "node_modules":
        return "its folder is node_modules"
    return ""


class IgnoreRule(NamedTuple):
    """One line of an ignore file."""

    source: str
    line: int
    pattern: str

    def __str__(self) -> str:
        return f"{self.source} line {self.line}: {self.pattern}"


class Ignore:
    """The patterns of the ignore files, in gitignore syntax; the last that matches decides."""

    def __init__(self, rules: Iterable[IgnoreRule] = ()) -> None:
        self._rules = tuple(rules)
        self._spec: GitIgnoreSpec | None = None
        if self._rules:
            from pathspec import GitIgnoreSpec

            usable = [(rule, part) for rule in self._rules if (part := pattern_of(rule.pattern))]
            self._rules = tuple(rule for rule, _ in usable)
            self._spec = GitIgnoreSpec([part for _, part in usable]) if usable else None
        # Below an excluded folder a `!pattern` may take something back in.
        self.can_prune = not any(rule.pattern.startswith("!") for rule in self._rules)

    def __bool__(self) -> bool:
        return self._spec is not None

    def why(self, path: str) -> str:
        """Name the line that excludes a path (a folder ends in `/`); "" when none does."""
        if self._spec is None:
            return ""
        found = self._spec.check_file(normalised("NFC", path))
        return str(self._rules[found.index]) if found.include and found.index is not None else ""


def load_ignore(
    root: Path | str, rules: Sequence[IgnoreRule] = (), *, gitignore: bool = False
) -> Ignore:
    """Read `.memwikiignore` and, where the settings say so, the root's `.gitignore`; `rules` of the
    settings come before both."""
    names = (GIT_IGNORE_FILE, IGNORE_FILE) if gitignore else (IGNORE_FILE,)
    return Ignore([*rules, *(rule for name in names for rule in _rules_in(root, name))])


def _rules_in(root: Path | str, name: str) -> list[IgnoreRule]:
    # Any other error goes through: without the rules what the person excluded would be indexed.
    try:
        data = read(root, name, _MAX_BYTES + 1)
    except NotFoundError:
        return []
    if len(data) > _MAX_BYTES:
        raise UnreadableError.at(
            name,
            f"is over {_MAX_BYTES // 1024} KB, too large for a list of patterns",
            "exclude folders instead of single files",
        )
    lines = data.decode("utf-8-sig", "replace").split("\n")
    return [
        IgnoreRule(name, number, line.rstrip("\r"))
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.startswith("#")
    ]


def pattern_of(text: str) -> GitIgnoreSpecPattern | None:
    """One line of an ignore file, for paths in NFC, since macOS has names decomposed that a person
    types composed; None when git would pass over it."""
    if len(text) > _MAX_CHARACTERS:
        return None
    try:
        regex, include = _kind().pattern_to_regex(normalised("NFC", text))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # `[[a]` may mean something else one day
            return _kind()(re.compile(_linear(regex)), include) if regex else None
    except (ValueError, re.error):
        return None


@cache
def _kind() -> type[GitIgnoreSpecPattern]:
    """What the library makes of a line; its module has had other names."""
    from pathspec import GitIgnoreSpec

    return type(GitIgnoreSpec.from_lines(["a"]).patterns[0])


def _linear(regex: str) -> str:
    """The same regular expression with wildcards that keep what they took."""
    end = _END.search(regex)
    stop = end.start() if end else len(regex)
    first, *further = map(_in_names, regex[:stop].split(_ANY))
    if further and first.startswith(_FIRST):
        first = f"^(?>(?:.+?/)??{first.removeprefix(_FIRST)}(?=/))"
    inner = [f"(?>(?:/.+?)??{part}(?=/))" for part in further[:-1]]
    last = [f"{_ANY}{part}" for part in further[-1:]]
    return "".join([first, *inner, *last, regex[stop:]])


def _in_names(part: str) -> str:
    """The names between two `**`, in each of which the last `*` alone gives back."""
    head = _FIRST if part.startswith(_FIRST) else ""
    names: list[list[str]] = [[""]]
    for atom in _ATOM.finditer(part.removeprefix(_FIRST)):
        if atom[0] == "/":
            names += [["/"], [""]]
        elif atom[0] == _STAR:
            names[-1].append("")
        else:  # a set of characters holds no slash, as in git
            names[-1][-1] += f"(?!/){atom[0]}" if atom[1] else atom[0]
    return head + "".join(map(_name, names))


def _name(pieces: Sequence[str]) -> str:
    """A name of pieces with a `*` between each two."""
    first, *further = pieces
    inner = [f"(?>{_STAR}?{piece})" for piece in further[:-1] if piece]
    return "".join([first, *inner, *(f"{_STAR}{piece}" for piece in further[-1:])])


def why_ignored(root: Path | str, path: str, *, ignore: Ignore | None = None) -> str:
    """Say why the file at a workspace-relative path is not a page; "" when it is one."""
    rules = load_ignore(root) if ignore is None else ignore
    return why_not_path(path, rules) or _why_not_file(Path(root), path, rules)


def why_not_path(path: str, rules: Ignore) -> str:
    """Judge a path by its names alone."""
    *folders, name = path.split("/")
    for depth, folder in enumerate(folders, 1):
        excluded = rules.why("/".join(folders[:depth]) + "/") if rules.can_prune else ""
        if reason := why_not_folder(folder) or excluded:
            return reason
    if not is_encodable(path):
        return "its name is not valid UTF-8"
    return why_not_name(name) or rules.why(path)


def _why_not_file(root: Path, path: str, rules: Ignore) -> str:
    """Judge what lies at a path."""
    location = root / path
    for folder in reversed(Path(path).parents[:-1]):
        if (root / folder).is_symlink():
            return f"its folder {folder.as_posix()} is a symlink"
    try:
        mode = location.lstat().st_mode
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    if stat.S_ISLNK(mode) and (reason := why_not_link(root, path, rules)):
        return reason
    if stat.S_ISDIR(mode):
        return "it is a folder"
    if not stat.S_ISLNK(mode) and not stat.S_ISREG(mode):
        return "it is not a regular file"
    return "" if is_page_name(path) else "it is not a markdown file (.md, .markdown)"


def link_target(root: Path | str, link: str) -> str:
    """Give the workspace-relative path a symlink leads to; "" when it leads out or nowhere."""
    try:
        return resolve_link(root, link).relative_to(Path(root).resolve()).as_posix()
    except (MemwikiError, OSError):
        return ""


def why_not_link(root: Path | str, link: str, rules: Ignore) -> str:
    """Say why a symlink is not taken in: what it leads to is outside, hidden or found by itself."""
    target = link_target(root, link)
    if not target:
        return "it is a symlink that leads out of the workspace"
    if reason := why_not_path(target, rules):
        return f"it is a symlink to {target}, and {reason}"
    try:
        mode = Path(root, target).stat().st_mode
    except OSError:
        return "it is a broken symlink"
    if not stat.S_ISREG(mode):
        return f"it is a symlink to {target}, which is a folder"
    return f"it is the same file as {target}" if is_page_name(target) else ""


class PathState(Enum):
    """What a walk of the whole workspace would find at a path."""

    PAGE = "page"
    GONE = "gone"  # no page there, and that is certain
    UNCLEAR = "unclear"  # only a walk can tell


def probe(root: Path, path: str, ignore: Ignore) -> PathState:
    """Look at one path; whatever is not plainly a page, or plainly gone, is unclear.

    Folders, symlinks, other devices and what cannot be read concern more than one path, or may be
    back in a moment.
    """
    if not is_page_name(path) or normpath(path) != path:
        return PathState.UNCLEAR
    if why_not_path(path, ignore):
        return PathState.GONE
    try:
        return _look(root, path)
    except (OSError, ValueError):
        return PathState.UNCLEAR


def is_case_blind(root: Path) -> bool:
    """Whether the file system takes `a.md` and `A.md` for one, so that a path alone proves
    nothing."""
    return any(os.path.lexists(root / name) for name in (".MEMWIKI", "MEMWIKI.TOML"))


def device_of(root: Path) -> int:
    """The device a workspace lies on, 0 when it cannot be seen."""
    try:
        return root.stat().st_dev
    except OSError:
        return 0


def _look(root: Path, path: str) -> PathState:
    if not _is_plain_folder(root, path):
        return PathState.UNCLEAR
    try:
        mode = os.lstat(root / path).st_mode
    except FileNotFoundError:
        # Only if the folder is still there: a disk that goes away takes no page out of the index.
        return PathState.GONE if _is_plain_folder(root, path) else PathState.UNCLEAR
    return PathState.PAGE if stat.S_ISREG(mode) else PathState.UNCLEAR


def _is_plain_folder(root: Path, path: str) -> bool:
    """Whether all folders down to a file are real ones that can be listed, on one device."""
    location, device = os.fspath(root), device_of(root)
    for name in path.split("/")[:-1]:
        location = f"{location}/{name}"
        found = os.lstat(location)
        if not stat.S_ISDIR(found.st_mode) or found.st_dev != device:
            return False
    return os.access(location, os.R_OK | os.X_OK)
