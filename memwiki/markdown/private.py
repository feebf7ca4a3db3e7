"""Pages without what is private: what is left has the same lines, the private ones empty."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, starmap

from memwiki.markdown.border import contain_errors, line_count
from memwiki.markdown.dialects import BULLET, as_outline, fields_of, read_properties
from memwiki.markdown.fields import is_private
from memwiki.markdown.frontmatter import find_block
from memwiki.markdown.outline import Outline, PageKind, outline_of
from memwiki.markdown.private_blocks import (
    KEY,
    Lines,
    is_written,
    notes_of,
    parsed_blocks,
    scanned_blocks,
)
from memwiki.markdown.source import UTF16_CODECS, Source, decode
from memwiki.markdown.syntax import opens_code, written_end
from memwiki.markdown.titles import title_line
from memwiki.markdown.units import entry_at, lines_of_entry
from memwiki.nouns import FieldValue, FrontMatterStatus, Layers
from memwiki.records import NamedTuple
from memwiki.text import merge_spans, pattern, span_at

_MAX_ROUNDS = 8
_WORD = b"private"
# What begins with a word, in lower case, is searched for several times as fast.
_MARK = pattern(rb"private[ \t\r\0]*::")
_HEAD = pattern(rb"(?:\xef\xbb\xbf)?\s*(?:---|\+\+\+)")
_BLOCK = pattern(
    rb"---[^\n]*\n(.*?)(?:\n(?:---|\.\.\.)[ \t\r]*(?:\n|\Z)|\Z)"
    rb"|\+\+\+[^\n]*\n(.*?)(?:\n\+\+\+[ \t\r]*(?:\n|\Z)|\Z)",
    re.DOTALL,
)
# In TOML in any table: sites of Zola have fields of their own in `[extra]`.
_FIELD = pattern(
    r"(?:[\"']?private[\"']?[ \t]*:(?!:)|[ \t]*[\"']?private[\"']?[ \t]*=)[ \t]*(.*)", re.IGNORECASE
)
_TOML_FIELD = pattern(r"\bprivate[\"']?[ \t]*+=[ \t]*+[\"']?([^\s,}\"'#]*+)", re.IGNORECASE)
_SAID = pattern(r"\bprivate[\"']?\s*+:\s*+[\"']?([^\s,}\"'#]*+)", re.IGNORECASE)
_SAID_IN_JSON = pattern(r"\"private\"\s*+:\s*+\"?([^\s,}\"]*+)", re.IGNORECASE)
_JSON = pattern(rb"(?:\xef\xbb\xbf)?\s*\{")
_HEAD_LINE = pattern(rb"private(?<=^private)[ \t]*:", re.MULTILINE)
_NAMED = pattern(r"\bprivate\b[\"']?\s*[:=]", re.IGNORECASE)
_REMARK = pattern(r"(?:^|[ \t])#.*")


def public_bytes(path: str, data: bytes, layers: Layers) -> bytes | None:
    """The bytes of a page as those see it who may not see what is private: private lines are as
    many empty lines; None where the whole page is private or it cannot be told."""
    return _read_shown(path, data, layers).data


def hidden_lines(path: str, data: bytes, layers: Layers) -> tuple[range, ...]:
    """The lines, from 1, that `public_bytes` empties; of a page that is private, all."""
    seen = _read_shown(path, data, layers)
    if seen.data is None:
        return (range(1, max(line_count(decode("", data).text), 1) + 1),)
    return tuple(range(first + 1, end + 1) for first, end in seen.hidden)


def hidden_in(page: Outline) -> frozenset[int]:
    """The lines of a page, from 1, that are private, looked for once."""
    if page.hidden is None:
        found = hidden_lines(page.path, page.data, page.layers)
        page.hidden = frozenset(line for lines in found for line in lines)
    return page.hidden


def idle_marks(path: str, data: bytes, layers: Layers) -> tuple[int, ...]:
    """The lines, from 1, with a mark that hides nothing, as in code or the front matter."""
    if not _MARK.search(data.lower()):
        return ()
    hidden = [(lines.start, lines.stop) for lines in hidden_lines(path, data, layers)]
    lines = Source(path, decode(path, data).text).lines
    marked = (i for i, line in enumerate(lines, 1) if KEY.search(line) and is_written(line, line))
    return tuple(i for i in marked if not span_at(hidden, i))


class _Seen(NamedTuple):
    """What those see who may not see what is private."""

    data: bytes | None
    hidden: Sequence[Lines] = ()


def _read_shown(path: str, data: bytes, layers: Layers) -> _Seen:
    if not _may_hide(data):
        return _Seen(data)
    return contain_errors(lambda: _settled(path, data, layers), lambda _: _Seen(None))


def may_hide(text: str) -> bool:
    """Whether a line may say that something is private, as `_may_hide` tells it of bytes."""
    return "\\" in text or "private" in text.lower()


def _may_hide(data: bytes) -> bool:
    """Whether something may be private: a quick look that is never wrong about a no."""
    if data.startswith(tuple(UTF16_CODECS)):
        return _WORD in data.replace(b"\0", b"").lower()
    lower = data.lower()
    is_named = _WORD in lower
    if not (is_named or b"\\" in data):
        return False
    head = _HEAD.match(data)
    front = _BLOCK.match(data, head.end() - 3) if head else None
    block = (front[1] or front[2] or b"") if front else b""
    if _WORD in block.lower() or b"\\" in block:
        return True
    return is_named and bool(_JSON.match(data) or _HEAD_LINE.search(lower) or _MARK.search(lower))


def _settled(path: str, data: bytes, layers: Layers) -> _Seen:
    """Hide until nothing is left to hide: what is hidden may change how the rest reads."""
    hidden, left = list[Lines](), data
    for _ in range(_MAX_ROUNDS):
        found = _private_lines(path, left, layers)
        if found is None:
            return _Seen(None)
        if not found:
            return _Seen(left, hidden)
        if data[:2] in UTF16_CODECS:
            return _Seen(None)
        hidden = merge_spans([*hidden, *found])
        left = _emptied(data, hidden)
    return _Seen(None)


def _private_lines(path: str, data: bytes, layers: Layers) -> list[Lines] | None:
    """The lines that are private as the page reads now; None for all of it."""
    decoded = decode(path, data)
    page = Outline(layers, path, decoded.text, decoded.mark)
    marked = [i for i in range(page.start, len(page.lines)) if KEY.search(page.lines[i])]
    if is_private(page.fields.values) or _is_head_private(page) or _is_block_private(page):
        return None
    if _is_other_head_private(page):
        return None
    is_unsure = decoded.is_binary or page.front.status is FrontMatterStatus.BROKEN
    if not marked:
        return []
    return None if is_unsure else _private_blocks(page, marked)


def _is_head_private(page: Outline) -> bool:
    """Whether the head says so where it is not read: twice, in a conflict, never closed."""
    is_unclosed = any(each.code == "front-matter-unclosed" for each in page.loaded.problems)
    is_unread = is_unclosed or not page.start
    head = _unread_head(page.lines) if is_unread else page.lines[: page.start]
    if is_unclosed and _is_toml_private(page.lines):
        return True
    found = [match for line in head if (match := _FIELD.match(line))]
    names = {key.strip().lower() for key in page.front.fields}
    is_read = not is_unread and len(found) < 2 and "private" in names  # lists and maps, too
    values = (_REMARK.sub("", match[1]).strip().strip("\"'") for match in found)
    if not is_read and any(is_private({"private": value}) for value in values):
        return True
    if page.front.is_toml and any(map(_is_said_within, page.front.fields.values())):
        return True
    is_lost = page.front.status in (FrontMatterStatus.BROKEN, FrontMatterStatus.SALVAGED)
    return is_lost and _NAMED.search("\n".join(head)) is not None


def _is_other_head_private(page: Outline) -> bool:
    """Whether a map that YAML merges in says so, a head in JSON as Hugo has it, or one of the lines
    that give a page its title as in MultiMarkdown."""
    lines = page.lines
    first = next((i for i in range(page.start, len(lines)) if lines[i].strip()), len(lines))
    end = next((i for i in range(first, len(lines)) if not lines[i].strip()), len(lines))
    said = list[str]()
    if any("<<" in line for line in lines[: page.start]):
        said = _SAID.findall("\n".join(lines[: page.start]))
    elif first < end and not page.start and lines[first].lstrip().startswith("{"):
        closed = (i + 1 for i in range(first, len(lines)) if lines[i].startswith("}"))
        said = _SAID_IN_JSON.findall("\n".join(lines[first : next(closed, end)]))
    elif first < end and title_line(lines, first):
        said = [found[1] for line in lines[first:end] if (found := _FIELD.match(line))]
    return any(is_private({"private": value}) for value in said)


def _is_toml_private(lines: Sequence[str]) -> bool:
    """Whether a line of TOML says so, wherever its end was meant to be: tables stand apart."""
    start = next((line for line in lines if line.strip()), "")
    found = map(_TOML_FIELD.search, lines if start.startswith("+++") else ())
    return any(is_private({"private": match[1]}) for match in found if match)


def _is_said_within(value: FieldValue) -> bool:
    """Whether a table of TOML says so, however it is written: `extra.private`, `{private = …}`."""
    if not isinstance(value, Mapping):
        return False
    return is_private(value) or any(map(_is_said_within, value.values()))


def _unread_head(lines: list[str]) -> list[str]:
    """The lines up to the first empty one below a `---` or `+++` on the first line; all of them
    where no line closes it."""
    start = next((i for i, line in enumerate(lines) if line.strip()), 0)
    if not lines or not lines[start].startswith(("---", "+++")):
        return []
    is_open = lines[start].strip() in ("---", "+++") and find_block(lines)[0] is None
    below = () if is_open else range(start + 1, len(lines))
    return lines[start : next((i for i in below if not lines[i].strip()), len(lines))]


def _is_block_private(page: Outline) -> bool:
    """Whether the first block of an outline is nothing but properties, which are the page's."""
    if not page.is_logseq:
        return False
    lines = page.lines
    start = next((i for i in range(page.start, len(lines)) if lines[i].strip()), len(lines))
    if start == len(lines):
        return False
    bullet = BULLET.match(lines[start])
    first = (bullet[1] or "") if bullet else lines[start]
    properties = read_properties([first, *lines[start + 1 :]])
    below = lines[start + len(properties) : start + len(properties) + 1]
    is_all = not any(line.strip() and not BULLET.match(line) for line in below)
    return (is_all or not bullet) and is_private(fields_of(properties, ""))


def _private_blocks(page: Outline, marked: list[int]) -> list[Lines]:
    lines = page.lines
    blocks = merge_spans(_trimmed(lines, *each) for each in _marked_lines(page, marked))
    notes = notes_of(lines, page.start) if blocks else []
    around = (note for note in notes if _is_touched(note, blocks))
    return merge_spans([*blocks, *(_trimmed(lines, *note) for note in around)])


def _is_touched(note: Lines, blocks: list[Lines]) -> bool:
    at = bisect_left(blocks, (note[1],)) - 1  # the last that begins before its end
    return at >= 0 and blocks[at][1] > note[0]


def _marked_lines(page: Outline, marked: list[int]) -> Iterator[Lines]:
    yield from _private_entries(page, marked)
    yield from _tagged_code(page, marked)
    if page.is_scanned:
        yield from scanned_blocks(page, marked)
        return
    ends = {section.line_start - 1: section.line_end for section in page.sections}
    lines = as_outline(page.lines) if page.is_logseq else page.lines
    yield from parsed_blocks(
        lines, page.start, marked, section_ends=ends, is_outline=page.is_logseq
    )


def _tagged_code(page: Outline, marked: Iterable[int]) -> Iterator[Lines]:
    """Code between tags of a site with a mark in it, which is text to those who know no tags."""
    for line in marked if "%" in page.text or "{{<" in page.text else ():
        code = span_at(page.structure.code, line)
        if code and opens_code(page.lines[code[0]].lstrip(" \t")):
            yield code


def _private_entries(page: Outline, marked: Iterable[int]) -> Iterator[Lines]:
    if page.kind is not PageKind.COLLECTING:
        return
    done = 0
    for line in marked:
        lines = lines_of_entry(page, line + 1) if line >= done else None
        if not lines:
            continue
        done = lines[1]
        entry = entry_at(page, line + 1)
        if entry and is_private(entry.fields):
            yield entry.line_start - 1, entry.line_end


def _trimmed(lines: list[str], first: int, end: int) -> Lines:
    return first, written_end(lines, first + 1, min(end, len(lines)))


def _emptied(data: bytes, hidden: Iterable[Lines]) -> bytes:
    lines = data.split(b"\n")
    bom = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
    for number in chain.from_iterable(starmap(range, hidden)):
        mark = bom if number == 0 else b""
        lines[number] = mark + (b"\r" if lines[number].endswith(b"\r") else b"")
    return b"\n".join(lines)


def private_places(path: str, data: bytes, layers: Layers) -> list[tuple[str, ...]]:
    """For each private part the kind of its page and the headings above it, from the top."""
    page = outline_of(path, data, layers)
    return [
        (page.kind, *(s.title for s in page.sections if s.line_start < lines.start <= s.line_end))
        for lines in hidden_lines(path, data, layers)
    ]
