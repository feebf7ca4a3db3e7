"""What is no page although it lies in the folder: hidden folders, leftovers, what the person
excludes."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memwiki.errors import NotFoundError, UnreadableError
from memwiki.files.read import read
from memwiki.names import GIT_IGNORE_FILE, IGNORE_FILE

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

# The hidden files that belong to a workspace; any other one may hold keys and passwords.
DOT_FILES = frozenset({GIT_IGNORE_FILE, ".gitattributes", IGNORE_FILE})
_MOST_BYTES = 64 * 1024
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
      | \((?:case|unicode)\ conflict[^()]*\)              # Dropbox
      | \(SFConflict\ [^()]*\)                            # Seafile
      | _conflict-\d{8}-\d{6}                             # ownCloud"""
CONFLICT_HINT = "onflict"  # stands in every name that _CONFLICT finds
_MOST_CHARACTERS = 4_096  # no path is longer
_STAR, _ANY, _FIRST = "[^/]*", "(?:/.+)?", "^(?:.+/)?"
_END = re.compile(r"(?:\(\?:\(\?P<ps_d>/\)\|\$\)|\(\?P<ps_d>/\)|/)\Z")
# What the library writes itself holds a slash, which no name in a pattern can.
_ATOM = re.compile(r"\[\^/\][*+]?|\\.|(\[\^?\]?[^\]]*+\])|.", re.DOTALL)


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
        self._rules, self._spec = _compile(rules)
        # Below an excluded folder a `!pattern` may take something back in.
        self.can_prune = not any(rule.pattern.startswith("!") for rule in self._rules)

    def __bool__(self) -> bool:
        return self._spec is not None

    def why(self, path: str) -> str:
        """Name the line that excludes a path (a folder ends in `/`); "" when none does."""
        if self._spec is None:
            return ""
        found = self._spec.check_file(path)
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
        data, _ = read(root, name, _MOST_BYTES + 1)
    except NotFoundError:
        return []
    if len(data) > _MOST_BYTES:
        raise UnreadableError(
            f"{name}: is over {_MOST_BYTES // 1024} KB, too large for a list of patterns",
            hint="exclude folders instead of single files",
            path=name,
        )
    lines = data.decode("utf-8-sig", "replace").split("\n")
    return [
        IgnoreRule(name, number, line.rstrip("\r"))
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.startswith("#")
    ]


def _compile(rules: Iterable[IgnoreRule]) -> tuple[tuple[IgnoreRule, ...], GitIgnoreSpec | None]:
    rules = tuple(rules)
    if not rules:
        return (), None
    from pathspec import GitIgnoreSpec

    usable = [(rule, pattern) for rule in rules if (pattern := pattern_of(rule.pattern))]
    if not usable:
        return (), None
    return tuple(rule for rule, _ in usable), GitIgnoreSpec([pattern for _, pattern in usable])


def pattern_of(text: str) -> GitIgnoreSpecPattern | None:
    """One line of an ignore file; None when git would pass over it."""
    if len(text) > _MOST_CHARACTERS:
        return None
    try:
        regex, include = _kind().pattern_to_regex(text)
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
