"""Which pages a verb sees, names and changes: those of the workspace, of one namespace, or all."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from posixpath import normpath

from memwiki.errors import NotEditableError, OutsideError
from memwiki.names import is_in_folder, is_within, leads_out
from memwiki.nouns import Layers
from memwiki.records import NamedTuple

EVERY = "*"  # the workspace and all of its namespaces
_OF_THE_WORKSPACE = ("namespaces", "log", "dialect", "nested")  # what a namespace has no copy of


class Scope(NamedTuple):
    """What `-n` asks for; without it, all but the namespaces. Everything that reads goes by it."""

    layers: Layers
    name: str = ""  # of a namespace as its folder is spelled, EVERY or ""
    hidden: tuple[str, ...] = ()  # folders that are shown only where they are asked for by name

    @property
    def base(self) -> str:
        """The folder of the namespace; "" for none and for all of them."""
        is_one = self.name and self.name != EVERY
        return f"{self.layers.namespaces}/{self.name}" if is_one else ""

    def sees(self, path: str) -> bool:
        """Whether a page is among those that are listed, found and compared."""
        if self.name and (base := self.base) and not path.startswith(f"{base}/"):
            return False
        return not f"{path}/".startswith(_starts(self.hidden))

    def owns(self, path: str) -> bool:
        """Whether a page belongs to what was asked for, put away or not."""
        if self.name == EVERY:
            return True
        return base_of(path, self.layers) == self.base and not self._is_loose(path)

    def is_asked_for(self, path: str) -> bool:
        """Whether a page may be listed where what is put away is asked for."""
        return not self.base or self.owns(path)

    def reaches(self, path: str) -> bool:
        """Whether a name may mean a page: its own ones, and those outside of all namespaces."""
        return self.owns(path) or not _is_in_some(path, self.layers)

    def hides(self, path: str) -> bool:
        """Whether what is at a path is as if it were not there: it lies in another namespace."""
        return bool(self.base) and not self.reaches(f"{normpath(path.lstrip('/'))}/")

    def is_outside(self, path: str) -> bool:
        """Whether a page was found that does not belong to the namespace."""
        return bool(self.base) and not is_within(_living(path, self.layers), self.base)

    def meets(self, path: str, start: str) -> bool:
        """Whether a page is met on the way along links from another one."""
        if self.is_outside(start) or not self.base:
            return self.reaches(path) or base_of(path, self.layers) == base_of(start, self.layers)
        return self.owns(path)

    def own_path(self, path: str) -> str:
        """A path from outside as it is meant in the namespace: below it, unless it names the
        namespaces. It may lead out; whoever reads goes by `asked_path`, who writes by
        `require_own`."""
        if not self.base:
            return path
        name = path.lstrip("/")
        is_whole = is_within(name, self.layers.namespaces)
        return _plain(name if is_whole else f"{self.base}/{name}")

    def asked_path(self, path: str) -> str:
        """The same of what is read: OutsideError for what lies outside of the namespace, whether or
        not it is there."""
        own = self.own_path(path)
        self.require_inside(own, path)
        return own

    def require_inside(self, path: str, given: str = "") -> None:
        """Refuse to look at what belongs to somebody else."""
        if self.is_outside(path.rstrip("/")):
            raise OutsideError(given or path, f"is outside of namespace {self.name}")

    def require_own(self, path: str) -> None:
        """Refuse to change what belongs to somebody else."""
        if self.is_outside(path):
            raise NotEditableError.at(
                path,
                f"is outside of namespace {self.name}",
                "leave out -n {}, or give -n '', to change it",
                self.name,
            )

    def _is_loose(self, path: str) -> bool:
        """Whether a page lies beside the namespaces, in none of them."""
        return not self.base and _is_in_some(path, self.layers)


@cache
def _starts(folders: tuple[str, ...]) -> tuple[str, ...]:
    """What paths in these folders begin with: each page of a listing asks."""
    return tuple(f"{folder}/" for folder in folders)


def scope_of(layers: Layers, name: str = "", names: Iterable[str] = ()) -> Scope:
    """What a namespace, all of `names` (EVERY) or none of them sees."""
    if not name:
        return Scope(layers, hidden=_non_empty(layers.archive, layers.namespaces))
    own = (name,) if name != EVERY else names
    archives = (layers_below(layers, f"{layers.namespaces}/{each}").archive for each in own)
    every = (layers.archive,) if name == EVERY else ()
    return Scope(layers, name, _non_empty(*every, *archives))


def _plain(path: str) -> str:
    """A path without `.` and `..`; one that leads out of the workspace stays as it is."""
    plain = normpath(path)
    return path if leads_out(plain) else plain + "/" * path.endswith("/")


def _non_empty(*folders: str) -> tuple[str, ...]:
    return tuple(filter(None, folders))


def base_of(path: str, layers: Layers) -> str:
    """The folder of the namespace that a path lies in, or lay in before it was archived; "" for
    none."""
    living = _living(path, layers)
    if not is_in_folder(living, layers.namespaces):
        return ""
    name, slash, _ = living[len(layers.namespaces) + 1 :].partition("/")
    return f"{layers.namespaces}/{name}" if slash and name else ""


def _is_in_some(path: str, layers: Layers) -> bool:
    """Whether a path lies in a namespace or beside them, or did so before it was archived."""
    return any(is_in_folder(path, folder) for folder in namespace_folders(layers))


def namespace_folders(layers: Layers) -> tuple[str, ...]:
    """Where the pages of namespaces lie, living ones and archived ones."""
    if not layers.namespaces:
        return ()
    return layers.namespaces, *_non_empty(
        layers.archive and f"{layers.archive}/{layers.namespaces}"
    )


def _living(path: str, layers: Layers) -> str:
    """A path without the archive in front, which keeps the paths of what is put away."""
    return path[len(layers.archive) + 1 :] if is_in_folder(path, layers.archive) else path


def layers_at(path: str, layers: Layers) -> Layers:
    """The layers as they are for one page, with the form of the program nearest above it."""
    for daily, dialect in layers.nested:
        if is_within(path, dialect.folder):
            is_so = dialect.folder == layers.dialect.folder
            return layers if is_so else layers._replace(daily=daily, dialect=dialect)
    return layers


def programs_above(folder: str, layers: Layers) -> tuple[str, ...]:
    """The folders of the programs that keep a folder, the nearest first."""
    folders = (each.dialect.folder for each in layers.nested)
    return tuple(each for each in folders if each and is_within(folder, each))


def layers_below(layers: Layers, base: str) -> Layers:
    """The layers as they lie in a namespace, which is laid out like the workspace itself."""
    if not base:
        return layers
    below = {
        name: f"{base}/{folder}"
        for name, folder in layers._asdict().items()
        if folder and name not in _OF_THE_WORKSPACE
    }
    return Layers(**{**layers._asdict(), **below})
