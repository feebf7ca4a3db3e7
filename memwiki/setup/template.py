"""The files that a new workspace begins with, in each language there are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from memwiki.digest import digest_of
from memwiki.errors import ArgumentError

_PACKAGE = Path(__file__).parent.parent
# The wheel carries the template inside the package; a checkout has it at its top level.
_TEMPLATES = (_PACKAGE / "_template", _PACKAGE.parent / "workspace-template")
ENGLISH, CHINESE = LANGUAGES = ("en", "zh")
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")  # the first that is set decides


def guide() -> str:
    """How to work in a memory, as the template's AGENTS.md says it."""
    return template()["AGENTS.md"].decode()


def language_of(given: str, environ: Mapping[str, str]) -> str:
    """The language of a template: the one that is given, else that of the locale."""
    if given and given not in LANGUAGES:
        raise ArgumentError(
            "lang",
            given,
            f"there is no template in this language, only in {', '.join(LANGUAGES)}",
            "for example {lang:zh}",
        )
    locale = next(filter(None, map(environ.get, _LOCALE)), "")
    is_chinese = re.match(r"zh(?![a-z])", locale, re.IGNORECASE) is not None
    return given or (CHINESE if is_chinese else ENGLISH)


def template(language: str = ENGLISH) -> dict[str, bytes]:
    """The files that a new workspace has, by their paths: those of the language in the place of
    the English ones."""
    source = next(folder for folder in _TEMPLATES if folder.is_dir())
    files = sorted(path for path in source.rglob("*") if path.is_file())
    found = {path.relative_to(source).as_posix(): path.read_bytes() for path in files}
    own = f"{CHINESE}/"
    english = {name: data for name, data in found.items() if not name.startswith(own)}
    if language == ENGLISH:
        return english
    return english | {name: found[own + name] for name in english if own + name in found}


def without_help(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """These files without the pages that explain them."""
    return {name: data for name, data in files.items() if not name.startswith("wiki/")}


def template_digests() -> dict[str, tuple[str, ...]]:
    """The digests that each file of a new workspace may have."""
    forms = [template(language) for language in LANGUAGES]
    return {name: tuple(digest_of(form[name]) for form in forms) for name in forms[0]}
