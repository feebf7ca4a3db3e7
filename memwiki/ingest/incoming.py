"""A source as it comes: what it is by its bytes, and the text of it that can be cited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from importlib.util import find_spec
from io import BytesIO
from posixpath import basename, splitext
from zipfile import BadZipFile, ZipFile

from memwiki.codes import is_chinese_in, is_western
from memwiki.errors import MissingExtraError, TooLargeError, UnreadableError, UsageError
from memwiki.fence import visible
from memwiki.ingest.apart import convert_apart, require_page_size
from memwiki.markdown.outline import Outline, outline_of
from memwiki.markdown.source import UTF16_CODECS
from memwiki.markdown.titles import title_of
from memwiki.names import require_text
from memwiki.nouns import Layers
from memwiki.proposals.numbering import require_written
from memwiki.proposals.wording import plain_title
from memwiki.records import NamedTuple
from memwiki.sync.workers import python_command
from memwiki.text import pattern

STDIN = "-"
_MAX_UNPACKED = 200_000_000  # bytes, of a docx or epub
_SNIFFED = 1024
_HTML = pattern(rb"\A\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)\b", 0x12)
_BLANK_LINES = pattern(r"\n{3,}")
_CONTROL = pattern(r"[\x00-\x08\x0b-\x1f\x7f\ufffe\uffff]")
_LETTER = pattern(r"[^\W_]")
_MAX_ACCENTED = 0.3  # of the bytes of a text in Latin letters
_MIN_BYTES = 1.2  # beyond ASCII a character of it: an accent before a letter has one
_AS_UTF8 = "save it as UTF-8, and give that"
_OTHER_MARKS = (b"{\\rtf", b"%!PS", b"\xff\xfe\0\0")  # RTF, PostScript, UTF-32
_SHIFT = b"\x1b$"  # to the characters of ISO 2022
_PDF, _PDF_END = b"%PDF-", b"startxref"


class SourceKind(StrEnum):
    """What a source is, as an error names it."""

    TEXT = "text"
    HTML = "HTML"
    PDF = "a PDF"
    DOCX = "a Word document"
    EPUB = "an EPUB"
    OTHER = "neither text nor HTML, PDF, docx or epub"


_SUFFIXES: Mapping[SourceKind, Sequence[str]] = {  # the first is that of a file that is kept
    SourceKind.TEXT: (".txt", ".md", ".markdown", ".text"),  # in no Unicode; any other is a page
    SourceKind.HTML: (".html", ".htm", ".xhtml"),
    SourceKind.PDF: (".pdf",),
    SourceKind.DOCX: (".docx",),
    SourceKind.EPUB: (".epub",),
}
_BY_SUFFIX = {suffix: kind for kind, suffixes in _SUFFIXES.items() for suffix in suffixes}


class IncomingSource(NamedTuple):
    """A source that is to be kept."""

    name: str  # of its file as it can be shown, "" where it was piped in
    stem: str  # of the file that it is kept in
    suffix: str
    data: bytes  # as it came
    text: bytes  # the page whose lines are cited
    title: str

    @property
    def is_text(self) -> bool:
        """Whether its bytes are that page."""
        return self.text is self.data


def incoming(
    data: bytes, name: str, title: str, *, max_bytes: int, max_page_bytes: int, layers: Layers
) -> IncomingSource:
    """A source by its bytes and the name of its file, `-` for none.

    Raises UsageError for an empty or too long one, and for one that is not what its name says;
    UnreadableError for what has no text, NotEditableError for what memwiki or a model made,
    MissingExtraError where no converter is installed.
    """
    require_text("ingest", title)
    said = "standard input" if name == STDIN else name
    _require_size(said, data, max_bytes)
    file = "" if name == STDIN else basename(name.replace("\\", "/"))
    kind = _kind(said, data, splitext(file)[1].lower())
    text, own_title = _as_page(said, kind, data, max_page_bytes)
    require_page_size(said, len(text), max_page_bytes)
    if not _LETTER.search(text.decode()):
        raise UsageError(f"{said}: is empty", "give a file with a text")
    stem, page = splitext(file)[0], outline_of(f"{said}.md", text, layers)
    require_written(page, said)
    found = title or own_title or _title_in(page) or (title_of(stem) if stem else "")
    if not (plain := plain_title(found)):
        raise UsageError(f"{said}: has no title", "give it one with --title")
    suffix = ".md" if text is data else _SUFFIXES[kind][0]
    return IncomingSource(visible(file), stem or plain, suffix, data, text, plain)


def _require_size(said: str, data: bytes, max_bytes: int) -> None:
    if not data.strip():
        raise UsageError(f"{said}: is empty", "give a file with a text")
    if len(data) > max_bytes:
        raise TooLargeError(
            f"{said}: is longer than {max_bytes} bytes", "split it, or raise ingest.max_bytes"
        )


def _title_in(page: Outline) -> str:
    title = page.front.fields.get("title")
    return title if isinstance(title, str) and title else page.heading


# --- what it is ---


def _kind(said: str, data: bytes, suffix: str) -> SourceKind:
    """What it is by its bytes; an error where that is nothing to read, or its name says other."""
    named, found = _BY_SUFFIX.get(suffix), _kind_of(said, data)
    if named is SourceKind.HTML and found is SourceKind.TEXT:
        return named  # a part of a page
    if found is SourceKind.OTHER:
        raise UnreadableError(f"{said}: is {found}", "save it as text, and give that")
    if named and named is not found:
        raise UsageError(
            f"{said}: is {found} by its content, and called {suffix}",
            f"give it the ending {_SUFFIXES[found][0]}, or fetch it again",
        )
    return found


def _kind_of(said: str, data: bytes) -> SourceKind:
    if _is_pdf(data):
        return SourceKind.PDF
    if data.startswith(_OTHER_MARKS):
        return SourceKind.OTHER
    if data.startswith(b"PK\x03\x04"):
        return _kind_of_archive(said, data)
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        raise UnreadableError(
            f"{said}: is an encrypted or old Office document", "save it as docx without a password"
        )
    if _HTML.match(data[:_SNIFFED]):
        return SourceKind.HTML
    is_binary = b"\0" in data and data[:2] not in UTF16_CODECS
    return SourceKind.OTHER if is_binary else SourceKind.TEXT


def _is_pdf(data: bytes) -> bool:
    """Whether it is one, after what mailers and servers put before it; a text may speak of it."""
    is_whole = _PDF in data[:_SNIFFED] and _PDF_END in data[-_SNIFFED:]
    return is_whole or data.startswith(_PDF)


def _kind_of_archive(said: str, data: bytes) -> SourceKind:
    try:
        with ZipFile(BytesIO(data)) as archive:
            names = set(archive.namelist())
            size = sum(each.file_size for each in archive.infolist())
            is_locked = any(each.flag_bits & 1 for each in archive.infolist())
    except (BadZipFile, NotImplementedError, ValueError) as error:
        raise UnreadableError(f"{said}: is damaged ({error})", "fetch it again") from error
    if size > _MAX_UNPACKED:
        raise TooLargeError(f"{said}: unpacks to {size} bytes, over {_MAX_UNPACKED}", "split it")
    if is_locked:
        raise UnreadableError(f"{said}: is encrypted", "give a copy without a password")
    if "word/document.xml" in names:
        return SourceKind.DOCX
    return SourceKind.EPUB if "META-INF/container.xml" in names else SourceKind.OTHER


# --- its text ---


def _as_page(said: str, kind: SourceKind, data: bytes, max_bytes: int) -> tuple[bytes, str]:
    """The page whose lines are cited, and the title that the document gives itself."""
    if kind is SourceKind.TEXT:
        return _text_page(said, data), ""
    text, own_title = _convert(said, kind, data, max_bytes)
    text = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    text = "\n".join(line.rstrip() for line in text.split("\n"))
    text = _BLANK_LINES.sub("\n\n", text).strip()
    if not text:
        hint = "give it one by OCR, for example ocrmypdf" if kind is SourceKind.PDF else ""
        raise UnreadableError(f"{said}: has no text in it", hint or "save it as text")
    title = plain_title(own_title)
    head = "" if text.startswith("# ") or not title else f"# {title}\n\n"
    return f"{head}{text}\n".encode("utf-8", "replace"), title


def _text_page(said: str, data: bytes) -> bytes:
    """The same bytes, where they are text as pages are; else what they say in their own code."""
    if data[:2] in UTF16_CODECS:
        return data.decode("utf-16", "replace").encode()
    if _SHIFT in data:
        raise _unknown(said)
    try:
        data.decode()
    except UnicodeDecodeError:
        return _decoded(said, data).encode()
    return data


def _decoded(said: str, data: bytes) -> str:
    """A text in a code that is none of Unicode, by the strictest one in which it makes sense."""
    beyond = len(data.translate(None, bytes(range(128))))
    for codec in ("gb2312", "big5", "gb18030"):
        with suppress(UnicodeDecodeError):
            text = data.decode(codec)
            wide = sum(each > "\x7f" for each in text)
            if beyond >= _MIN_BYTES * wide and is_chinese_in(data, text):
                return text
    if beyond <= _MAX_ACCENTED * len(data):
        with suppress(UnicodeDecodeError):
            text = data.decode("cp1252")
            if is_western(text):
                return text
    raise _unknown(said)


def _unknown(said: str) -> UnreadableError:
    return UnreadableError(f"{said}: is text in a code that is not known", _AS_UTF8)


def _convert(said: str, kind: SourceKind, data: bytes, max_bytes: int) -> tuple[str, str]:
    """The text of a document, and its title."""
    if find_spec("markdownify") is None:
        raise MissingExtraError("ingest", "markdownify")
    if python := python_command():
        return convert_apart(python, kind.name, said, data, max_bytes)
    from memwiki.ingest.converters import convert_document

    return convert_document(kind.name, said, data, max_bytes)
