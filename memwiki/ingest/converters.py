"""Documents as markdown, by the libraries of the extra `ingest`, which raise what they meet; and
what the process does that converts one document: `ingest/apart.py` starts it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from io import BytesIO
from posixpath import dirname, join, normpath
from urllib.parse import unquote
from warnings import catch_warnings, simplefilter
from zipfile import ZipFile

import mammoth
from bs4 import BeautifulSoup, Tag, XMLParsedAsHTMLWarning
from markdownify import MarkdownConverter
from pypdfium2 import PdfDocument, PdfiumError

from memwiki.errors import TooLargeError, UnreadableError
from memwiki.ingest.apart import MAX_MEMORY, SMALLER, require_page_size
from memwiki.records import NamedTuple
from memwiki.text import pattern

_AROUND = (
    "head title script style noscript template nav header footer aside form button svg iframe img"
).split()
_ENCRYPTED = "META-INF/encryption.xml"
_MAX_PAGES = 5_000  # of a PDF
_UNTITLED = "untitled"  # which programs write where nobody gave a title


# Words that would be a link, a tag, the id or a field of a memory, or front matter.
_READ_AS_MORE = pattern(
    r"\[(?=\[)|(?<=\[)\[|<(?=[A-Za-z/!?])|(?<![\w&\\])#(?=\w)|(?<!\S)\^(?=[\w-]+\s*\Z)|:(?=:(?:\s|\Z))|(?<!\S)-(?=--+\s*\Z)"
)


class _Words(MarkdownConverter):
    """HTML as markdown in which words stay words."""

    def __init__(self) -> None:
        super().__init__(heading_style="ATX", bullets="-")

    def escape(self, text: str, parent_tags: set[str]) -> str:
        """The words with what would make them more behind a backslash."""
        plain = _READ_AS_MORE.sub(r"\\\g<0>", str(super().escape(text, parent_tags)))  # type: ignore[misc]
        return plain.replace("\\::", ":\\:")

    def convert_td(self, element: Tag, text: str, parent_tags: set[str]) -> str:
        """A cell, which ends with the next bar."""
        return str(super().convert_td(element, text.replace("|", r"\|"), parent_tags))  # type: ignore[misc]

    convert_th = convert_td

    def convert_hr(self, _element: Tag, _text: str, parent_tags: set[str]) -> str:  # noqa: ARG002
        """A rule that begins no front matter."""
        return "\n\n***\n\n"


class ConvertedText(NamedTuple):
    """The text of a document as markdown, and the title that it gives itself."""

    text: str
    title: str = ""


def html_text(_said: str, data: bytes | str) -> ConvertedText:
    """The main part of a page of the web."""
    page = _soup(data)
    title = page.title.get_text(" ", strip=True) if page.title else ""
    main = page.find("main") or page.find("article") or page.body or page
    for each in main.find_all(_AROUND):
        if each.name != "header" or not each.find("h1"):
            each.decompose()
    return ConvertedText(str(_Words().convert_soup(main)), title)


def pdf_text(said: str, data: bytes) -> ConvertedText:
    """The text of a PDF, page by page."""
    try:
        document = PdfDocument(data)
    except PdfiumError as error:
        if "password" not in str(error):
            raise
        raise UnreadableError(
            f"{said}: is encrypted", "qpdf --decrypt writes one without a password"
        ) from error
    with closing(document):
        if len(document) > _MAX_PAGES:
            raise TooLargeError(f"{said}: has {len(document)} pages, over {_MAX_PAGES}", "split it")
        title = document.get_metadata_dict().get("Title", "")
        own = "" if title.casefold() == _UNTITLED else title
        return ConvertedText("\n\n".join(_pages(document)), own)


def _pages(document: PdfDocument) -> Iterator[str]:
    """The pages that have text, each below its number."""
    for number, page in enumerate(document, 1):
        if text := page.get_textpage().get_text_bounded().strip():
            yield f"## Page {number}\n\n{text}"


def docx_text(said: str, data: bytes) -> ConvertedText:
    """The text of a Word document, with its headings, lists and tables."""
    return html_text(said, mammoth.convert_to_html(BytesIO(data)).value)


def epub_text(said: str, data: bytes) -> ConvertedText:
    """The text of a book, chapter by chapter in its order."""
    with ZipFile(BytesIO(data)) as archive:
        root = _parsed(archive, "META-INF/container.xml").find("rootfile")
        if root is None:
            raise UnreadableError(f"{said}: names no content", "fetch it again")
        path = str(root["full-path"])
        book = _parsed(archive, path)
        if _ENCRYPTED in archive.namelist() and _is_locked(archive):
            raise UnreadableError(f"{said}: is encrypted", "give a copy without protection")
        files = {str(each["id"]): str(each["href"]) for each in book.find_all("item")}
        order = [files[str(each["idref"])] for each in book.find_all("itemref")]
        title = book.find("dc:title")
        places = (normpath(join(dirname(path), unquote(each))) for each in order)
        chapters = (html_text(said, archive.read(each)).text.strip() for each in places)
        text = "\n\n".join(filter(None, chapters))
    return ConvertedText(text, title.get_text(" ", strip=True) if title else "")


def _is_locked(archive: ZipFile) -> bool:
    """Whether more is encrypted than fonts, which are so in many books."""
    names = _parsed(archive, _ENCRYPTED).find_all(["enc:cipherreference", "cipherreference"])
    return any(str(each.get("uri")).endswith("html") for each in names)


def _parsed(archive: ZipFile, name: str) -> BeautifulSoup:
    return _soup(archive.read(name))


def _soup(data: bytes | str) -> BeautifulSoup:
    with catch_warnings():  # what is XML is read all the same
        simplefilter("ignore", XMLParsedAsHTMLWarning)
        return BeautifulSoup(data, "html.parser")


def answer(task: Mapping[str, str]) -> None:
    """Convert the rest of the input, and say as JSON what became of it: text and title, or the
    code, the message and the hint of an error."""
    memory = int(task["max_memory"])
    seconds = int(task["max_seconds"])
    with suppress(ImportError, ValueError, OSError):  # where no such bound can be set
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        # Its parent ends it before; but if that is killed itself, nobody does.
        resource.setrlimit(resource.RLIMIT_CPU, (2 * seconds, 2 * seconds))
    try:
        data = sys.stdin.buffer.read()
        found = convert_document(task["kind"], task["said"], data, int(task["max_bytes"]))
        said = {"text": found.text, "title": found.title}
    except (UnreadableError, TooLargeError) as error:
        said = {"code": error.code, "message": error.message, "hint": error.hint}
    sys.stdout.write(json.dumps(said))


def convert_document(kind: str, said: str, data: bytes, max_bytes: int) -> ConvertedText:
    """The text of a document, or one of both errors for whatever is odd about it."""
    try:
        read = {"HTML": html_text, "PDF": pdf_text, "DOCX": docx_text, "EPUB": epub_text}[kind]
        found = read(said, data)
        require_page_size(said, len(found.text.encode("utf-8", "replace")), max_bytes)
    except (UnreadableError, TooLargeError):
        raise
    except RecursionError as error:
        raise UnreadableError(f"{said}: is nested too deeply", "save it as text") from error
    except MemoryError as error:
        error.__traceback__ = None  # it holds what fills the memory
        memory = f"{MAX_MEMORY >> 30} GB of memory"
        raise UnreadableError(f"{said}: takes over {memory} to read", SMALLER) from error
    except Exception as error:
        raise UnreadableError(
            f"{said}: is damaged ({type(error).__name__})", "fetch it again, or save it as text"
        ) from error
    return found
