"""What is a person's own and no workspace can say: names of workspaces and what the page in a
browser loads, from config.toml in the user's configuration folder, where models are set, too
(`config/models.py`); the editor, and the threads of libraries for numbers.

[workspaces]
work = "/home/anna/work/notes"

[web.assets]
mermaid = "/home/anna/lib/mermaid.min.js"
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from memwiki.config.locations import user_file, user_file_name
from memwiki.config.schema import SHARED_VARIABLE
from memwiki.config.values import (
    as_table,
    line_of,
    lines_of,
    names_of,
    refuse,
    refuse_name,
    with_line,
)
from memwiki.errors import AlreadyExistsError, ConfigError, NotFoundError, UsageError
from memwiki.names import fold
from memwiki.nouns import Environ
from memwiki.text import pattern

_TABLE = "workspaces"
MODELS = "models"
WEB = "web"
_INDEX, _SHARED = "index", "shared"
_NAME = pattern(r"[^\W_][\w.-]{0,63}")
_MAX_CHARACTERS = 64 * 1024


def workspaces_in(text: str, source: str) -> dict[str, str]:
    """The folder of each name; ConfigError where the text is none of ours."""
    content = parse_settings(text, source).get(_TABLE, {})
    named = as_table(content, _TABLE, f"write [{_TABLE}]", text, source)
    for name, folder in named.items():
        is_whole = isinstance(folder, str) and (
            folder.startswith(("/", "~")) or Path(folder).is_absolute()
        )
        if not is_whole:
            where = line_of(text, f"{_TABLE}.{name}")
            refuse(f"{name} is not the full path of a folder", "write it as text", where, source)
    return named


def parse_settings(text: str, source: str) -> dict[str, object]:
    """The tables of the user's own settings; ConfigError where the text is none of ours."""
    import tomllib

    if len(text) > _MAX_CHARACTERS:
        refuse("is too long", "keep nothing but settings in it", source=source)
    try:
        given = tomllib.loads(text.replace("\r\n", "\n"))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        refuse(f"is not TOML: {error}", "correct it, or delete it", source=source)
    for table in given:
        if table not in (_TABLE, MODELS, _INDEX, WEB):
            hint = f"only [{_TABLE}], [{MODELS}], [{_INDEX}] and [{WEB}] are read there"
            refuse(f"there is no table {table}", hint, line_of(text, table), source)
    return given


def shared_address(environ: Environ) -> str:
    """The address of the server with the shared index, which no workspace can choose; ConfigError
    where none is set.

    [index]
    shared = "postgresql://memory.example.org/notes"
    """
    if given := environ.get(SHARED_VARIABLE, ""):
        return given
    text, source = text_of_user_file(environ), user_file_name(environ)
    table = parse_settings(text, source).get(_INDEX, {})
    found = table.get(_SHARED) if isinstance(table, dict) else None
    if isinstance(table, dict) and (unknown := [name for name in table if name != _SHARED]):
        refuse_name(f"{_INDEX}.{unknown[0]}", [f"{_INDEX}.{_SHARED}"], source=source)
    if not (isinstance(found, str) and found):
        what = f"{_INDEX}.{_SHARED} is not set, so that there is no shared index"
        refuse(what, f'write [{_INDEX}] and {_SHARED} = "postgresql://..."', source=source)
    return found


def text_of_user_file(environ: Environ) -> str:
    """The user's own settings as they are written; "" where there are none."""
    file = user_file(environ)
    try:
        return file.read_bytes().decode("utf-8-sig") if file and file.is_file() else ""
    except (OSError, UnicodeDecodeError) as error:
        refuse(f"cannot be read ({error})", "make it a readable text file in UTF-8", 0, str(file))


def named_folder(name: str, known: Mapping[str, str]) -> Path:
    """The folder of a name; NotFoundError with those that there are."""
    given = known.get(_spelling(name, known))
    if given is None:
        _refuse_unknown(name, known)
    try:
        return Path(given).expanduser()
    except RuntimeError as error:  # `~nobody`
        raise ConfigError(
            f"workspace {name}: {given} is no folder",
            "memwiki workspaces remove {}",
            name,
        ) from error


def _spelling(name: str, known: Mapping[str, str]) -> str:
    """A name as it stands in the file."""
    return name if name in known else {fold(each): each for each in known}.get(fold(name), "")


def _refuse_unknown(name: str, known: Mapping[str, str]) -> NoReturn:
    if "/" in name or "\\" in name:
        refusal = f"workspace {name}: no name, but a folder"
        raise NotFoundError(refusal, "memwiki -C {} ...", name)
    names = {fold(each): each for each in known}
    near = get_close_matches(fold(name), names, n=1, cutoff=0.5)
    hint = f"did you mean {names[near[0]]}?" if near else f"memwiki workspaces add {name} DIR"
    listed = f" (known: {', '.join(sorted(known))})" if known else ""
    raise NotFoundError(f"workspace {name}: there is none of this name{listed}", hint)


# --- changes to the text ---


def with_workspace(text: str, name: str, folder: str, source: str) -> str:
    """The text with one more name; AlreadyExistsError when it means another folder."""
    if not _NAME.fullmatch(name):
        raise UsageError(f"workspaces: {name!r} cannot be a name", "use letters, digits, - _ and .")
    known = workspaces_in(text, source)
    if existing := known.get(_spelling(name, known)):
        if existing == folder:
            return text
        raise AlreadyExistsError(
            f"workspace {name}: is {existing}", "memwiki workspaces remove {}", name
        )
    after = with_line(text, _TABLE, name, folder)
    return checked_text(after, {**known, name: folder}, workspaces_in, _TABLE, source)


def without_workspace(text: str, name: str, source: str) -> str:
    """The text without a name; NotFoundError with those that there are."""
    known = workspaces_in(text, source)
    spelled = _spelling(name, known)
    if not spelled:
        _refuse_unknown(name, known)
    lines = lines_of(text)
    own = f"{_TABLE}.{spelled}"
    kept = [line for line, named in zip(lines, names_of(lines), strict=True) if named != own]
    left = {k: v for k, v in known.items() if k != spelled}
    return checked_text("".join(kept), left, workspaces_in, _TABLE, source)


def checked_text(
    text: str, wanted: object, read: Callable[[str, str], object], table: str, source: str
) -> str:
    """The text, when it says what is wanted: every other byte of the file is as it was."""
    found: object = {}
    with suppress(ConfigError):
        found = read(text, source)
    if found != wanted:
        what = f"[{table}] is written in a form that memwiki does not change"
        refuse(what, "edit the file by hand", source=source)
    return text


def editor(environ: Environ) -> tuple[str, ...]:
    """The person's editor with its arguments, of VISUAL or else EDITOR."""
    import shlex

    name = next((each for each in ("VISUAL", "EDITOR") if environ.get(each, "").strip()), "")
    try:
        words = tuple(shlex.split(environ[name], posix=os.name != "nt")) if name else ()
    except ValueError as error:
        raise ConfigError.at(name, f"cannot be read ({error})", "close its quotes") from error
    if not words:
        raise ConfigError(
            "no editor is set",
            "set EDITOR, for example to nano, vi or 'code --wait'",
            path="EDITOR",
        )
    return words


# With as many as there are cores the same vectors cost 3 to 11 times the CPU (2026-11-25).
_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


@contextmanager
def one_thread() -> Iterator[None]:
    """What is loaded within takes one thread, unless the person said otherwise; programs that are
    started later hear nothing of it."""
    unsaid = [name for name in _VARIABLES if name not in os.environ]
    os.environ.update(dict.fromkeys(unsaid, "1"))
    try:
        yield
    finally:
        for name in unsaid:
            os.environ.pop(name, None)


_MERMAID = f"{WEB}.assets.mermaid"


def mermaid_script(environ: Environ) -> Path | None:
    """The script that draws diagrams of mermaid; None where none is named. ConfigError where it is
    no file that is there."""
    text, source = text_of_user_file(environ), user_file_name(environ)
    given = dict(_settings(parse_settings(text, source).get(WEB, {}), WEB))
    for name in given.keys() - {_MERMAID}:
        refuse_name(name, [_MERMAID], line_of(text, name), source)
    if _MERMAID not in given:
        return None
    path = _file(str(given[_MERMAID]))
    if path is None:
        what = f"{_MERMAID} is not the full path of a file"
        hint = "npm pack mermaid has it as package/dist/mermaid.min.js"
        refuse(what, hint, line_of(text, _MERMAID), source)
    return path


def _file(given: str) -> Path | None:
    """A file by its full path; None where there is none that may be looked at."""
    with suppress(OSError, RuntimeError):  # `~nobody`
        path = Path(given).expanduser()
        return path if path.is_absolute() and path.is_file() else None
    return None


def _settings(value: object, name: str) -> Iterator[tuple[str, object]]:
    """What is written, by dotted names."""
    if not isinstance(value, dict):
        yield name, value
        return
    for key, each in value.items():
        yield from _settings(each, f"{name}.{key}")
