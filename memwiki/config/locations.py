"""Where a workspace is and where its derived stores may live."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from itertools import filterfalse
from pathlib import Path

from memwiki.errors import (
    ConfigError,
    NotFoundError,
    NoWorkspaceError,
    UnreadableError,
    WriteError,
    current_folder_gone,
)
from memwiki.names import CONFIG_FILE, STATE_FOLDER
from memwiki.nouns import Environ

# In which programs of coding agents tell what they start where their project is.
PROJECT_VARIABLES = ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR", "GEMINI_CWD")

_USER_FILE = "config.toml"


def located(directory: str | Path | None, environ: Environ, *, is_found: bool) -> Path:
    """The root of the workspace around a folder, or exactly that folder.

    The environment may name one for the current folder, but not for a folder that is named.
    """
    start = _start(directory)
    if not is_found:
        return start
    if directory is not None:
        return _around(start, environ)
    root = find_workspace(start, environ)
    if root is None:
        raise _no_workspace(start)
    return root


def require_workspace(directory: str | None) -> None:
    """Refuse a folder that has neither settings nor been adopted."""
    folder = _start(directory)
    if not is_workspace(folder):
        raise NoWorkspaceError(f"{folder}: not a workspace", _way_to_one(folder))


def _around(start: Path, environ: Environ) -> Path:
    found, stray = workspaces_from(start, environ)
    if not found:
        raise _no_workspace(start, stray)
    return found[0]


def _no_workspace(start: Path, stray: Sequence[Path] = ()) -> NoWorkspaceError:
    what, hint = "no workspace here or above", _way_to_one(start)
    if stray:
        what += f", but for {stray[0]}, your home folder, or another person's"
        from shlex import quote

        hint += f"; memwiki --here -C {quote(str(stray[0]))} uses that one"
    return NoWorkspaceError(f"{start}: {what}", hint)


def _start(directory: str | Path | None) -> Path:
    try:
        start = Path(directory or ".").absolute()
    except FileNotFoundError as error:
        raise current_folder_gone() from error
    try:
        is_there = start.is_dir()
    except (OSError, ValueError):  # a name that no folder can have
        is_there = False
    if os.path.isfile(start):
        raise NotFoundError(f"{directory}: is a file", "give the path of a folder")
    if not is_there:
        raise NotFoundError(f"{directory}: no such folder", "give -C an existing folder")
    if not os.access(start, os.R_OK | os.X_OK):
        raise UnreadableError.at(start, "cannot be read", "check who may read the folder")
    return start


def _way_to_one(folder: Path) -> str:
    from shlex import quote  # not where nothing is wrong

    return f"memwiki init --adopt {quote(str(folder))} makes this folder one"


_PLACES = ("HOME", "TMPDIR", "TEMP", "TMP", "USERNAME", "PATH", *PROJECT_VARIABLES)


def is_about_settings(variable: str) -> bool:
    """Whether a variable says where something is, or is a setting."""
    return variable.startswith(("MEMWIKI_", "XDG_", "GIT_")) or variable in _PLACES


def is_workspace(folder: Path) -> bool:
    """Whether a folder is one: it has settings, or it was adopted."""
    # os.path says no where pathlib would raise: a folder above may be closed to us.
    return os.path.isfile(folder / CONFIG_FILE) or os.path.isdir(folder / STATE_FOLDER)


def find_workspace(start: Path, environ: Environ) -> Path | None:
    """Find the workspace from a folder upwards, else the one the environment names."""
    here = start.absolute()
    around = filter(is_workspace, (here, *here.parents))
    found = next((folder for folder in around if not _is_planted(folder)), None)
    return _named_workspace(environ) if found is None else found


def workspaces_from(start: Path, environ: Environ) -> tuple[list[Path], list[Path]]:
    """The workspaces from a folder that was named upwards, and those above it that are hardly
    meant: the home folder, or another person's, without settings, and any that is planted."""
    found = [folder for folder in (start, *start.parents) if is_workspace(folder)]
    stray = [
        folder
        for folder in found
        if _is_planted(folder) or (folder != start and _is_stray(folder, environ))
    ]
    return [folder for folder in found if folder not in stray], stray


def folder_meant(named: str, environ: Environ, *, is_hosted: bool = False) -> str:
    """A relative folder as it is from here, from the nearest folder above that has a workspace so,
    or from the project that an agent's program names; for its own calls (`is_hosted`) from there
    first, since they start in any folder."""
    projects = [environ[name] for name in PROJECT_VARIABLES if environ.get(name)]
    here = os.getcwd()
    above = map(str, filterfalse(_is_open_to_all, Path(here).parents))
    bases = [*projects, here, *above] if is_hosted else [here, *above, *projects]
    for base in bases:
        folder = os.path.join(base, named)
        if base == here and os.path.isdir(folder):
            return named
        if base != here and _is_in_workspace(folder):
            return folder
    return named


def _is_in_workspace(folder: str) -> bool:
    found = Path(folder)
    return os.path.isdir(folder) and any(map(is_workspace, (found, *found.parents)))


def _is_open_to_all(folder: Path) -> bool:
    """Whether anybody may put a folder there, which then is not the one that is meant."""
    if not hasattr(os, "geteuid"):
        return False  # Windows gives every folder the mode of an open one
    try:
        return bool(folder.stat().st_mode & stat.S_IWOTH)
    except OSError:
        return True


def _is_planted(folder: Path) -> bool:
    """Whether anybody may write to a folder, such as /tmp, and somebody else made it a workspace:
    what is added there would be his to read."""
    if not hasattr(os, "geteuid"):
        return False
    try:
        found = folder.stat()
        if not found.st_mode & stat.S_IWOTH:
            return False
        trusted = (os.geteuid(), found.st_uid)
        marks = (folder / CONFIG_FILE, folder / STATE_FOLDER)
        return any(_owner(mark) not in trusted for mark in marks if os.path.lexists(mark))
    except OSError:
        return True


def _owner(mark: Path) -> int:
    return mark.lstat().st_uid


def _is_stray(folder: Path, environ: Environ) -> bool:
    if os.path.isfile(folder / CONFIG_FILE):
        return False
    is_home = os.path.realpath(home_of(environ)) == os.path.realpath(folder)
    return is_home or (hasattr(os, "geteuid") and folder.stat().st_uid != os.geteuid())


def home_of(environ: Environ) -> str:
    """The home folder of the user; "~" for who has none."""
    return environ.get("HOME", "") or os.path.expanduser("~")


def _named_workspace(environ: Environ) -> Path | None:
    named = environ.get("MEMWIKI_WORKSPACE", "")
    if not named:
        return None
    location = _expanded("MEMWIKI_WORKSPACE", named).absolute()
    if not os.path.isdir(location):
        raise ConfigError(
            f"MEMWIKI_WORKSPACE: {named} is not a folder",
            "set it to the folder of a workspace, or unset it",
            path="MEMWIKI_WORKSPACE",
        )
    return location


def _expanded(variable: str, named: str) -> Path:
    """The folder that a variable names; `~nobody` is none."""
    try:
        return Path(named).expanduser()
    except RuntimeError as error:
        raise ConfigError.at(
            variable, f"{named} is not a folder", "no such user; write the full path"
        ) from error


def cache_root(environ: Environ, root: Path | None = None) -> Path | None:
    """Give the first place for derived stores that is ours alone and can be written; none that is
    in a workspace, or in the `root` that is to be one."""
    return next(filter(_is_ours, _places_outside(environ, root)), None)


def key_folders(environ: Environ, root: Path | None = None) -> Iterator[Path]:
    """Where the key of this user may be, the first one first: a folder that takes no file now may
    have one, and another takes its part as long as it has none."""
    return filter(_is_closed, _places_outside(environ, root))


def passed_over(environ: Environ, chosen: Path | None, root: Path) -> str:
    """What to tell a person whose cache folder is not the one in use; "" when all is well."""
    first, named = next(_cache_candidates(environ)), environ.get("MEMWIKI_CACHE_DIR", "")
    if chosen == first:
        return ""
    around = _workspace_around(first, environ, root)
    if not around and not (named and chosen):
        return ""
    why = f"inside the workspace {around}" if around else "not writable, or open to others"
    what = f"MEMWIKI_CACHE_DIR: {named}" if named else first
    old = next(first.glob("*/origin.json"), None) if around else None
    return (
        f"{what} cannot be used ({why})"
        + (f"; the index is in {chosen}" if chosen else "")
        + (f"; delete the old one, {old.parent}" if old else "")
    )


def _places_outside(environ: Environ, root: Path | None) -> Iterator[Path]:
    places = _cache_candidates(environ)
    return (each for each in places if not _workspace_around(each, environ, root))


def _workspace_around(location: Path, environ: Environ, root: Path | None) -> Path | None:
    """The workspace that a place is in: what is derived would be exported and committed with it.

    Whose workspace has the home folder in it may have no other place than one in it; there a
    hidden folder is none of the workspace, as nothing in it is ever walked.
    """
    home, real = home_of(environ), root and Path(os.path.realpath(root))
    for folder in (location, *location.parents):
        if folder != real and (not is_workspace(folder) or _is_planted(folder)):
            continue
        has_home = os.path.isabs(home) and Path(os.path.realpath(home)).is_relative_to(folder)
        below = location.relative_to(folder).parts
        if not (has_home and any(name.startswith(".") for name in below)):
            return folder
    return None


def _cache_candidates(environ: Environ) -> Iterator[Path]:
    if named := environ.get("MEMWIKI_CACHE_DIR"):
        yield _expanded("MEMWIKI_CACHE_DIR", named).resolve()
    if users := _users_folder(environ, "cache", ".cache"):
        yield users.resolve()
    if os.path.isabs(home := home_of(environ)):
        yield Path(home, ".cache", "memwiki").resolve()
    temporary = next(filter(None, map(environ.get, ("TMPDIR", "TEMP", "TMP"))), "/tmp")  # noqa: S108 - its owner and mode are checked
    user = os.getuid() if hasattr(os, "getuid") else environ.get("USERNAME", "user")
    # Its last part is not resolved: in a folder that all may write to, a link there is a trap.
    yield Path(temporary).resolve() / f"memwiki-{user}"


def _users_folder(environ: Environ, kind: str, usual: str) -> Path | None:
    """Our folder among those of the user of a kind (cache, config, state): on Linux where a
    variable says, else in the `usual` one below the home folder. Where neither settles it,
    platformdirs does, which takes 30 ms to load. None where the user has no home folder."""
    named, home = environ.get(f"XDG_{kind.upper()}_HOME", ""), environ.get("HOME", "")
    if sys.platform.startswith("linux") and named.startswith("/"):
        return Path(named, "memwiki")
    if sys.platform.startswith("linux") and home:
        return Path(home, usual, "memwiki")
    import platformdirs

    try:
        folder: Path = getattr(platformdirs, f"user_{kind}_path")()
    except RuntimeError:
        return None
    return folder / "memwiki" if folder.is_absolute() else None


def _is_closed(location: Path) -> bool:
    """Whether a folder belongs to us and is closed to others, or is not there yet."""
    try:
        found = location.lstat()
    except OSError as error:
        return isinstance(error, FileNotFoundError)
    return _is_own(found) and stat.S_ISDIR(found.st_mode)


def _is_own(found: os.stat_result) -> bool:
    """Whether a file belongs to us and nobody else can write to it."""
    is_posix = hasattr(os, "geteuid")
    return not is_posix or (found.st_uid == os.geteuid() and not found.st_mode & 0o022)


def _is_ours(location: Path) -> bool:
    """Whether a folder, made if need be, belongs to us, is closed to others and can be written."""
    try:
        location.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_own(location.lstat()):
            return False
        # Only trying tells: sandboxes and read-only mounts do not show in the mode.
        probe = location / f".probe-{os.getpid()}"
        probe.touch(mode=0o600)
        probe.unlink(missing_ok=True)  # another thread may try at the same moment
    except OSError:
        return False
    return not location.is_symlink()


def user_state(environ: Environ) -> Path:
    """Where is kept what outlives every cache: what models were asked; who has no home folder has
    it in the cache."""
    if named := environ.get("MEMWIKI_STATE_DIR"):
        return _expanded("MEMWIKI_STATE_DIR", named).absolute()
    folder = _users_folder(environ, "state", ".local/state") or cache_root(environ)
    if folder is None:
        raise WriteError.no_cache()
    return folder


def user_file(environ: Environ) -> Path | None:
    """Where the user's own settings are, or would be; None for who has no home folder."""
    named = environ.get("MEMWIKI_CONFIG_DIR", "")
    folder = Path(named).absolute() if named else _users_folder(environ, "config", ".config")
    return folder / _USER_FILE if folder else None


def user_file_name(environ: Environ) -> str:
    """How the user's own settings are called."""
    return str(user_file(environ) or f"$MEMWIKI_CONFIG_DIR/{_USER_FILE}")


def names_embedder(environ: Environ) -> bool:
    """Whether the user's own settings may name a model that embeds: a look, before they are
    read."""
    if any(name.startswith("MEMWIKI_MODELS_EMBED") for name in environ):
        return True
    file = user_file(environ)
    try:
        return file is not None and b"embed" in file.read_bytes()
    except OSError:  # none, or `load_user_models` says what is wrong
        return False
