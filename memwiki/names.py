"""Names and paths as text: which are the same, their parts, and what can be a name at all."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import count
from posixpath import basename, normpath
from types import MappingProxyType
from typing import Literal, TypeVar

from memwiki.errors import UsageError
from memwiki.text import MARKS, pattern, simplified

T = TypeVar("T")

CONFIG_FILE = "memwiki.toml"
IGNORE_FILE, GIT_IGNORE_FILE = ".memwikiignore", ".gitignore"
SCHEMA_FILES = (  # what agents' programs read by themselves at every start, as they spell it
    "AGENTS.md",
    "AGENTS.override.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "GEMINI.md",
)
# What they do as told by. Skills are looked for in hidden folders, and are pages in others.
INSTRUCTION_FILES = frozenset(name.lower() for name in (*SCHEMA_FILES, "SKILL.md"))
GITHUB_SIDEBAR = "_Sidebar.md"  # of a wiki; a page that tells what keeps its folder
LOGSEQ_CONFIG, DENDRON_CONFIG = "logseq/config.edn", "dendron.yml"  # say what ours do not
MKDOCS_CONFIGS = ("mkdocs.yml", "mkdocs.yaml")
SITE = "@site"  # before a path from the folder with the settings of Docusaurus
DOCUSAURUS_CONFIGS = tuple(f"docusaurus.config.{suffix}" for suffix in ("js", "ts", "mjs", "cjs"))
VITEPRESS_FOLDERS = (".vitepress", ".vuepress")  # in that of the site
VITEPRESS_CONFIGS = tuple(
    f"{folder}/config.{suffix}"
    for folder in VITEPRESS_FOLDERS
    for suffix in ("ts", "mts", "js", "mjs")
)
QUARTZ_CONFIGS = ("quartz.config.ts", "quartz.config.yaml")
SITE_CONFIGS = (*MKDOCS_CONFIGS, *DOCUSAURUS_CONFIGS, *QUARTZ_CONFIGS, *VITEPRESS_CONFIGS)
STATE_FOLDER = ".memwiki"
PAGE_SUFFIXES = (".md", ".markdown")
_SUFFIX_LENGTH = max(map(len, PAGE_SUFFIXES))
COMPANION_SUFFIXES = (".canvas", ".base")  # files that link to pages, and move along with them
# What makes text run the other way, as it stands between the brackets of a pattern.
BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
FOLDER_PAGES = frozenset({"index", "readme", "_index"})  # folded; a folder's own page
SURROGATE = "[\ud800-\udfff]"  # half a character, which no file can hold
JOINERS = "\u200c\u200d"  # invisible; Persian, Indic scripts and families of emoji need them

_MAX_SHOWN = 40
# Longer than any run of marks that people write; normalising a run takes its length squared.
_RUN = 500
_NO_MARK = "\x00-\x7f\u3001-\u3029\u3030-\u3098\u309b-\u9fff\uac00-\ud7a3"
_MARKS = f"(?<![^{_NO_MARK}])[^{_NO_MARK}]{{{_RUN}}}"  # compiled for the first long text
# Latin, Greek and Cyrillic with accents lie below U+0590 and from U+1E00 to U+1FFF.
_ACCENTED = pattern("[\x80-\u058f\u1e00-\u1fff]+")
# The same with Hebrew and Arabic. Letters with strokes and ligatures are none that Unicode takes
# apart, Arabic has letters and digits that are written in several ways, and a long line that means
# nothing.
# Sources: Latin-ASCII of https://cldr.unicode.org; Larkey et al., "Light Stemming for Arabic
# Information Retrieval", 2007
_POINTED = pattern("[\x80-\u06ff\u1e00-\u1fff]+")
_TYPED = {"\u0640": ""} | dict(
    zip(
        "ÆæŒœØøŁłĐđÐðĦħŦŧıةىیک٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹",
        [*"AE ae OE oe O o L l D d D d H h T t i ه ي ي ك".split(), *"01234567890123456789"],
        strict=True,
    )
)
_NON_MARKED = pattern(rf"[^\w{MARKS}]+")
_APART = str.maketrans({code: " " for code in range(128) if not chr(code).isalnum()})  # words
_UNLINKABLE = pattern(r"[\[\]#^|]")
_LINKED = pattern(r"\A\s*\[\[([^\[\]]+)\]\]\s*\Z")
_NUMBERED = pattern(r"(?!\d+[-_.]\d)\d+\s*[-_.]+\s*(?=[^-_.\s])")  # no date or version


def fold(name: str) -> str:
    """The form in which two names are the same name: NFC and casefold."""
    if name.isascii():
        return name.lower()
    return normalised("NFC", normalised("NFC", name).casefold())


def normalised(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """A Unicode form of a text, in time linear in its length whatever marks are in it."""
    others = len(text.encode("utf-8", "surrogatepass")) - len(text)  # at least as many as marks
    if others < _RUN or not re.search(_MARKS, text):
        return unicodedata.normalize(form, text)
    parts = (text[at : at + _RUN] for at in range(0, len(text), _RUN))
    return "".join(unicodedata.normalize(form, part) for part in parts)


def slug(name: str) -> str:
    """The folded name with every run of other characters as one `-`; letters of all scripts stay
    with their signs."""
    return _join_words(name, "-")


def bare_letters(name: str) -> str:
    """The name without accents, in simplified Chinese."""
    if name.isascii():
        return name
    return as_typed(normalised("NFC", simplified(name)))


def without_accents(text: str) -> str:
    """The text without the accents of Latin, Greek and Cyrillic letters; those of other scripts are
    part of the word."""
    return _ACCENTED.sub(lambda match: match[0].translate(_BARE), text)


def as_typed(text: str) -> str:
    """The same without points in Hebrew and Arabic, in the letters that most keyboards have."""
    return _POINTED.sub(lambda match: match[0].translate(_AS_TYPED), text)


class _Letters(dict[int, str]):
    """What each character is without its accents, worked out when it is met first."""

    def __init__(self, others: Mapping[str, str] = MappingProxyType({})) -> None:
        super().__init__()
        self._others = others

    def __missing__(self, code: int) -> str:
        decomposed = unicodedata.normalize("NFD", self._others.get(chr(code), chr(code)))
        self[code] = "".join(each for each in decomposed if not unicodedata.combining(each))
        return self[code]


_BARE, _AS_TYPED = _Letters(), _Letters(_TYPED)


def search_form(name: str) -> str:
    """The form in which a name is looked for, whatever its script and accents."""
    return fold(bare_letters(name))


def bare_line(line: str) -> str:
    """A line in lower case without accents."""
    if line.isascii():
        return line.lower()
    apart = normalised("NFKD", line.casefold())
    bare = "".join(each for each in apart if not unicodedata.combining(each))
    return normalised("NFKC", bare).casefold()


def letters(name: str) -> str:
    """The folded name without blanks and punctuation."""
    return _join_words(name, "")


def _join_words(name: str, between: str) -> str:
    folded = fold(name)
    if name.isascii():
        return between.join(folded.translate(_APART).split())
    return _NON_MARKED.sub(between, folded.replace("_", " ")).strip(between)


def is_encodable(text: str) -> bool:
    """Whether a text is valid Unicode; others could be neither stored nor printed."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def require_str(what: str, *values: object) -> None:
    """Refuse None and numbers, as programs hand over what they have not looked at."""
    for value in values:
        if not isinstance(value, str):
            raise UsageError(f"{what}: {value!r} is not text", "give a str")


def require_text(what: str, *texts: str) -> None:
    """Refuse what is no text at all, and half of a character, as an argument in another encoding
    becomes."""
    require_str(what, *texts)
    for text in texts:
        if not is_encodable(text):
            raise UsageError(
                f"{what}: {text[:_MAX_SHOWN]!r} is not valid Unicode", "give it as UTF-8"
            )


def texts(given: Iterable[str]) -> tuple[str, ...]:
    """Texts as programs hand them over: one alone is one text, and no list of its letters."""
    return (given,) * bool(given) if isinstance(given, str) else tuple(given)


def require_file_name(what: str, name: str) -> None:
    """Refuse what no file can be called."""
    require_text(what, name)
    if "\0" in name:
        raise UsageError(f"{what}: {name!r} is no name of a file", "give another name")


# --- paths, relative to the workspace ---


def is_page_name(path: str) -> bool:
    """Whether a file of this name is a page, hidden files and leftovers aside."""
    return path.lower().endswith(PAGE_SUFFIXES)


def is_companion_name(path: str) -> bool:
    """Whether a file of this name is no page, and yet holds links to pages."""
    return path.lower().endswith(COMPANION_SUFFIXES) or basename(path) in MKDOCS_CONFIGS


def without_suffix(path: str) -> str:
    """The path without `.md` or `.markdown`; other dots belong to the name."""
    end = path[-_SUFFIX_LENGTH:].lower()
    if not end.endswith(PAGE_SUFFIXES):
        return path
    return path[: -len(next(filter(end.endswith, PAGE_SUFFIXES)))]


def first_free(stem: str, suffix: str, is_taken: Callable[[str], bool]) -> str:
    """The name, or where that is taken the first with a number: `a.md`, `a-2.md`, `a-3.md`."""
    names = (f"{stem}{'' if n == 1 else f'-{n}'}{suffix}" for n in count(1))
    return next(name for name in names if not is_taken(name))


def parts_of(run: str, lengths: Iterable[int]) -> Iterator[str]:
    """All parts of a run of characters that have these lengths."""
    for length in lengths:
        yield from (run[at : at + length] for at in range(len(run) - length + 1))


def stem_of(path: str) -> str:
    """The name of a page's file without folder and suffix."""
    return without_suffix(path).rpartition("/")[2]


def without_number(name: str) -> str:
    """A name without the number that sorts it: `01-intro`."""
    number = _NUMBERED.match(name) if name[:1].isdigit() else None
    return name[number.end() :] if number else name


def without_numbers(path: str) -> str:
    """A path without the numbers that sort its files and folders: `01-app/02-guides`."""
    return "/".join(map(without_number, path.split("/")))


def unlinkable(name: str) -> str:
    """The first sign of a name that no link to it can hold, "" where there is none."""
    found = _UNLINKABLE.search(name)
    return found[0] if found else ""


def without_brackets(name: str) -> str:
    """A name that is given as a link to it, `[[Green tea]]`, without the brackets."""
    return _LINKED.sub(r"\1", name)


def is_in_folder(path: str, folder: str) -> bool:
    """Whether a path lies in a folder, as both are spelled; in one without a name nothing does."""
    return bool(folder) and path.startswith(f"{folder}/")


def is_within(path: str, part: str) -> bool:
    """Whether a path is a part of the workspace or lies below it; "" is all of it."""
    return not part or path == part or path.startswith(f"{part}/")


def path_in(folder: str, written: str) -> str:
    """The path that a relative one means in a folder, with `..` in front where it leads out."""
    return normpath(f"{folder}/{written}".lstrip("/"))


def leads_out(path: str) -> bool:
    """Whether such a path lies outside of the workspace."""
    return path == ".." or path.startswith("../")
