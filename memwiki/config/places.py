"""Where a workspace is and where its derived stores may live."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from memwiki.config.schema import CONFIG_FILE
from memwiki.errors import ConfigError

STATE_FOLDER = ".memwiki"


def find_workspace(start: Path, environ: Mapping[str, str]) -> Path | None:
    """Find the workspace from a folder upwards, else the one the environment names."""
    here = start.absolute()
    for folder in (here, *here.parents):
        # os.path says no where pathlib would raise: a folder above may be closed to us.
        if os.path.isfile(folder / CONFIG_FILE) or os.path.isdir(folder / STATE_FOLDER):  # noqa: PTH112, PTH113
            return folder
    named = environ.get("MEMWIKI_WORKSPACE", "")
    if not named:
        return None
    place = Path(named).expanduser().absolute()
    if not os.path.isdir(place):  # noqa: PTH112 - as above
        raise ConfigError(
            f"MEMWIKI_WORKSPACE: {named} is not a folder",
            hint="set it to the folder of a workspace, or unset it",
            path="MEMWIKI_WORKSPACE",
        )
    return place


def cache_root(environ: Mapping[str, str]) -> Path | None:
    """Give the first place for derived stores that is ours alone and can be written."""
    return next(filter(_is_ours, _cache_candidates(environ)), None)


def _cache_candidates(environ: Mapping[str, str]) -> Iterator[Path]:
    if named := environ.get("MEMWIKI_CACHE_DIR"):
        yield Path(named).expanduser().resolve()
    yield (_user_cache(environ) / "memwiki").resolve()
    temporary = next(filter(None, map(environ.get, ("TMPDIR", "TEMP", "TMP"))), "/tmp")  # noqa: S108 - its owner and mode are checked
    user = os.getuid() if hasattr(os, "getuid") else environ.get("USERNAME", "user")
    # Its last part is not resolved: in a folder that all may write to, a link there is a trap.
    yield Path(temporary).resolve() / f"memwiki-{user}"


def _user_cache(environ: Mapping[str, str]) -> Path:
    named, home = environ.get("XDG_CACHE_HOME", ""), environ.get("HOME", "")
    if sys.platform.startswith("linux") and named.startswith("/"):
        return Path(named)
    if sys.platform.startswith("linux") and home:
        return Path(home, ".cache")
    import platformdirs  # 30 ms, and on Linux the two variables above settle it

    return platformdirs.user_cache_path()


def _is_ours(place: Path) -> bool:
    """Whether a folder, made if need be, belongs to us, is closed to others and can be written."""
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = place.lstat()
        if hasattr(os, "geteuid") and (found.st_uid != os.geteuid() or found.st_mode & 0o022):
            return False
        # Only trying tells: sandboxes and read-only mounts do not show in the mode.
        probe = place / f".probe-{os.getpid()}"
        probe.touch(mode=0o600)
        probe.unlink()
    except OSError:
        return False
    return not place.is_symlink()
