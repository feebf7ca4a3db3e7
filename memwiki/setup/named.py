"""What is written into settings: one line of memwiki.toml; into the user's own the names of
workspaces, and where they may be sent."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from memwiki.answers.workspaces import NamedWorkspace, WorkspaceList
from memwiki.change.apply import apply
from memwiki.change.outside import OutsideEdit, apply_outside, bytes_at
from memwiki.change.plan import Edit, Plan
from memwiki.config import environment, is_workspace, located
from memwiki.config.edit import set_value
from memwiki.config.locations import user_file, user_file_name
from memwiki.config.models import load_user_models, with_allowed
from memwiki.config.user import (
    named_folder,
    with_workspace,
    without_workspace,
    workspaces_in,
)
from memwiki.digest import digest_of
from memwiki.errors import ConfigError, NotFoundError, UsageError
from memwiki.names import CONFIG_FILE, require_text
from memwiki.nouns import Environ
from memwiki.text import pattern


def workspaces() -> WorkspaceList:
    """All names, sorted."""
    known, file = _known_folders(), user_file_name(environment())
    return WorkspaceList(tuple(_named_workspace(name, known) for name in sorted(known)), file)


def folder_of(name: str) -> Path:
    """The root of the workspace of a name; NotFoundError where there is no such name or folder."""
    folder = named_folder(name, _known_folders())
    if not folder.is_dir():
        raise NotFoundError(
            f"workspace {name}: {folder} is not there",
            "memwiki workspaces remove {}, then add it anew",
            name,
        )
    return folder


def add(name: str, directory: str | Path | None = None) -> NamedWorkspace:
    """Give the workspace around a folder a name."""
    environ = environment()
    # The one here, not the one that the environment names.
    root = located(directory or Path.cwd(), environ, is_found=True).resolve()
    change_user_file(environ, lambda text, source: with_workspace(text, name, str(root), source))
    return NamedWorkspace(name, str(root))


def remove(name: str) -> NamedWorkspace:
    """Forget a name; no file of the workspace is touched."""
    known = _known_folders()
    change_user_file(environment(), lambda text, source: without_workspace(text, name, source))
    left = _known_folders()
    return next(_named_workspace(each, known) for each in known if each not in left)


def _known_folders() -> dict[str, str]:
    """The folders by their names."""
    file = user_file(environment())
    return workspaces_in(_decoded(bytes_at(file), file), str(file)) if file else {}


def _named_workspace(name: str, known: Mapping[str, str]) -> NamedWorkspace:
    try:
        folder = named_folder(name, known)
    except ConfigError:  # of one name; the others are to be seen
        return NamedWorkspace(name, known[name], is_there=False)
    return NamedWorkspace(name, str(folder), is_workspace(folder))


def change_user_file(environ: Environ, change: Callable[[str, str], str]) -> None:
    """Change the text of the user's own settings, whose file is given as the second argument."""
    file = user_file(environ)
    if file is None:
        name = user_file_name(environ)
        raise ConfigError.at(name, "this user has no home folder", "set MEMWIKI_CONFIG_DIR")
    before = bytes_at(file)
    mark = BOM_UTF8 if (before or b"").startswith(BOM_UTF8) else b""
    after = mark + change(_decoded(before, file), str(file)).encode()
    apply_outside([OutsideEdit(file, before, after)], [file])


def _decoded(data: bytes | None, file: Path) -> str:
    try:
        return (data or b"").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError.at(file, "is not UTF-8", "make it a text file in UTF-8") from error


# --- the hosts that a workspace may be sent to ---

_HOST = pattern(r"[a-z0-9_](?:[a-z0-9_.:-]{0,251}[a-z0-9_])?")


def allow(root: Path, host: str, environ: Environ, *, is_removed: bool = False) -> tuple[str, ...]:
    """Let a workspace be sent to a host, or no more; give the hosts it may be sent to."""
    from memwiki.models.outgoing import allowed_hosts, folder_key

    name = _host_of(host)
    known = allowed_hosts(load_user_models(environ), root)
    hosts = [each for each in known if each != name] + ([] if is_removed else [name])
    change_user_file(
        environ, lambda text, source: with_allowed(text, folder_key(root), hosts, source)
    )
    return allowed_hosts(load_user_models(environ), root)


def _host_of(given: str) -> str:
    """A host, also from an address."""
    from memwiki.models.outgoing import is_this_machine

    try:
        name = ((urlsplit(given).hostname if "//" in given else given) or "").lower()
    except ValueError:
        name = ""
    if not _HOST.fullmatch(name):
        hint = "memwiki models allow openrouter.ai"
        raise UsageError("models allow: give the host of the model's server", hint)
    if is_this_machine(name):
        what = "is this machine, which needs no consent"
        raise UsageError(f"models allow: {name} {what}", "memwiki models")
    return name


def set_setting(root: Path, key: str, value: str) -> None:
    """Set one line of memwiki.toml; every other byte stays."""
    require_text("config set", key, value)
    if key == "check.ignore":
        from memwiki.check.run import ignored_codes

        ignored_codes([each.strip() for each in value.split(",") if each.strip()])
    path = root / CONFIG_FILE
    old = path.read_bytes() if path.exists() else b""
    new = set_value(old.decode("utf-8"), key, value).encode()
    expect = digest_of(old) if path.exists() else ""
    apply(root, Plan((Edit(CONFIG_FILE, expect, new, f"set {key}"),), f"set {key}"))
