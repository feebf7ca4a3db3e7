"""Every parser of memwiki by a name: a function of one text, and what means something to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from typing import NamedTuple

from memwiki import dates
from memwiki.catalog import block
from memwiki.catalog.listing import PageFacts, listing_of
from memwiki.change import journal
from memwiki.check import link_targets
from memwiki.check.facts import facts_of
from memwiki.check.rule import CheckedPage, found
from memwiki.check.rules import PAGE_RULES
from memwiki.check.run import read_baseline
from memwiki.config.edit import set_value
from memwiki.config.load import check_settings
from memwiki.config.others import READERS
from memwiki.errors import MemwikiError
from memwiki.facts.identity import normal_form
from memwiki.files.ignore import Ignore, IgnoreRule, is_conflict_copy, is_leftover
from memwiki.index.cards import rows as card_rows
from memwiki.index.keyword import tokens
from memwiki.index.projection import Put
from memwiki.judgement.conflicts import judge_conflict
from memwiki.judgement.entities import JudgedEntity, entity_pairs
from memwiki.judgement.similarity import Fact, judge_readings, read
from memwiki.markdown import frontmatter, syntax
from memwiki.markdown.describe import first_paragraph
from memwiki.markdown.dialects import addresses
from memwiki.markdown.edit.companions import read_nav
from memwiki.markdown.edit.fields import set_field
from memwiki.markdown.edit.links import field_places, renamed, sites_of
from memwiki.markdown.edit.relations import relation_spans
from memwiki.markdown.edit.sections import splice_at_end, splice_instead
from memwiki.markdown.edit.tags import changed_tags, removed_inline, renamed_inline
from memwiki.markdown.fields import field_links, read_fields
from memwiki.markdown.links import find_links
from memwiki.markdown.mask import Masked, mask_inline, without_fences
from memwiki.markdown.outline import Outline
from memwiki.markdown.parse import parse
from memwiki.markdown.private import public_bytes
from memwiki.markdown.scanner import Structure
from memwiki.markdown.source import decode, exact_text
from memwiki.markdown.syntax import plain
from memwiki.markdown.tags import find_tags
from memwiki.names import slug
from memwiki.nouns import Dialect, Layers
from memwiki.pages.edit import clean_text
from memwiki.pages.page import file_name
from memwiki.present import terminal
from memwiki.proposals.evidence import judge_support
from memwiki.proposals.flags import flags_of
from memwiki.proposals.numbering import NumberedSource, SourceLine
from memwiki.recall.filters import path_matcher
from memwiki.recall.hits import Excerpts
from memwiki.recall.parse import parse_query
from memwiki.recall.phrases import words_of
from memwiki.secrets import secrets_in

_SITE_FILES = ("mkdocs.yml", "docusaurus.config.js", "quartz.config.ts")
LAYERS = Layers(daily="daily", sessions="sessions", log="log.md", raw="raw")
_CLOCK = date(2026, 9, 1)
_BLANKS = (" ", "\t", "\n", "\n\n", "\r", "\r\n", "\u00a0", "\u3000", "\0", "\ufeff")
_WORDS = ("a", "A1", "é", "猫", "🌲", "1", "_", "-", "2026-09-01")
_INLINE = (
    *("[", "]", "[[", "]]", "[a](", "[a]", "](", "[a]:", "[a][b]", "![", "![[", "(", ")", "<", ">"),
    *("<a", "</a>", "<!--", "-->", "`", "``", "```", "\\", "\\(", "$", "$$", "*", "**", "_", "__"),
    *(
        "~~",
        "==",
        '"',
        "'",
        "#",
        "#a/",
        "^",
        "^m-1",
        "[a::",
        "::",
        "|",
        ":",
        "://",
        "{{",
        "{#a}",
        "%%",
    ),
)
_BLOCK = (
    *("- ", "* ", "1. ", "> ", "# ", "## ", "### ", "    ", "---\n", "```\n", "~~~\n", "- [ ] "),
    *("[a]: ", "| ", "<div>\n", "<<<<<<< ", "=======\n", "- a [[b]]", "a:: [[b]]", "&amp;"),
    *(
        "$$\n",
        "$$ a\n",
        "!!! a\n",
        '??? "a"\n',
        '=== "a"\n',
        '[a]: b "',
        "[a]: b (c\n",
        "#\n<!-- a -->\n",
        "\n    [[a]]\n",
        "{: #a }\n",
    ),
)
_YAML = (
    *(
        "a: ",
        "- ",
        "[",
        "]",
        "{",
        "}",
        "{a: ",
        "? ",
        ": ",
        ",",
        "&a ",
        "*a",
        "<<: *a",
        "!!str ",
        "|\n",
    ),
    *(
        ">\n",
        "'",
        '"',
        "#",
        " #",
        "%",
        "@",
        "tags: ",
        "related: ",
        "relations: ",
        "[[a]]",
        "---\n",
        "...",
    ),
    *("\n", "\n  ", "a: b\n", "- a\n", " ", "\\", "''", "a", "é", "type: ", "target: "),
)
_TOML = (
    *(
        "[",
        "]",
        "[[",
        "a",
        "a.",
        "=",
        " = ",
        '"',
        '"""',
        "'",
        "'''",
        "#",
        "\n",
        " ",
        "{",
        "}",
        "{a=",
        ",",
    ),
    *(
        "1",
        "-",
        "1_",
        "0x",
        "1e",
        "1.",
        "\\",
        "\\u0041",
        "true",
        "files",
        "[files]\n",
        "max_bytes = ",
    ),
    *("2026-09-01", "\r\n", "\t", "[layers]\n", 'raw = "', "# raw = ", "é", ":"),
)
_QUERY = (
    *(
        "(",
        ")",
        " OR ",
        "a OR (",
        "-(",
        '"',
        "'",
        "“",
        "”",
        "「",
        "」",
        " ",
        "-",
        "*",
        ":",
        "：",
        "a",
        "tag:",
        "#",
        "path:",
        "since:",
        "type:",
    ),
    *(
        "猫",
        "é",
        "1.",
        "v1.",
        "A",
        "a_",
        "(",
        ")",
        "is:",
        "/",
        "\\",
        "?",
        "[",
        "]",
        "\n",
        "\0",
        "OR ",
    ),
)
_GLOBS = (
    *(
        "*",
        "**",
        "**/",
        "/",
        "?",
        "[",
        "]",
        "[!",
        "[a-z]",
        "!",
        "\\",
        "#",
        " ",
        "a",
        "*a",
        "a*",
        "/*",
        "\n",
    ),
    *(
        "/**",
        "[[:alpha:]]",
        "\\ ",
        "é",
        ".",
        "[]",
        "{a,b}",
        "**a",
        "a/",
        "(",
        ")",
        "+",
        "^",
        "$",
        "|",
    ),
)
_JOURNAL = (
    *(
        "## ",
        "# ",
        "#",
        " #",
        "## [2026-09-01] ",
        "2026-09-01",
        "[",
        "]",
        " ",
        "\t",
        "|",
        " | ",
        "—",
        "-",
    ),
    *("- ", "a", "\n", "--", ":", "## 2026-09-01 ", "- 2026-09-01 ", "* ", "\r", "\u3000", "猫"),
)
_JSON = (
    "{",
    "}",
    "[",
    "]",
    '"',
    '"a":',
    ":",
    ",",
    "1",
    "-1",
    "1e9",
    "\\",
    "\\u0041",
    "null",
    " ",
    "\n",
)
_MARKERS = (
    syntax.CATALOG_BEGIN,
    block.END,
    "\n",
    "```\n",
    "    ",
    "\ufeff",
    " ",
    "\t",
    "\r",
    "<<<<<<< ",
    "- a\n",
)
_JUDGED = (
    *(
        *_QUERY,
        *_WORDS,
        *_BLANKS,
        "n't",
        "'",
        "’",
        "“",
        "”",
        "`",
        "((",
        ":)",
        ",",
        "no, ",
        "?",
        "x²",
    ),
    *(
        "不",
        "不，",
        "喜欢",
        "的",
        "一",
        "三、",
        "。",
        "3.10",
        "C++",
        "aB",
        "not ",
        "over ",
        "\u0301",
    ),
    "favourite is ",
)


class Parser(NamedTuple):
    """A function of one text, what its texts are made of, and how long they may be made."""

    read: Callable[[str], object]
    starters: tuple[str, ...]
    size: int = 1_000_000


def _data(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _front(text: str) -> str:
    return f"---\n{text}\n---\n"


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", " ").split("\n")


def _refusing(read: Callable[[str], object]) -> Callable[[str], object]:
    """The same, content with an error of ours: what cannot be read is refused by one."""

    def reading(text: str) -> object:
        try:
            return read(text)
        except MemwikiError as error:
            return error

    return reading


def _links(text: str) -> object:
    masked = Masked.of(text)
    return find_tags(masked.text, find_links(masked).spans)


def _fields(text: str) -> object:
    lines = _lines(_front(text))
    front = frontmatter.load("a.md", lines).front_matter
    frontmatter.quote_values(lines)
    return read_fields("a.md", front, lines), field_links(front, lines)


def _field_places(text: str) -> object:
    return list(field_places(_outline(_front(text))))


def _rows(path: str, text: str) -> object:
    """All that the index makes of a page."""
    put = Put(parse(path, _data(text), LAYERS), (0, 0, 0, 0))
    terms = [tokens.count_terms(unit.text) for unit in put.page.units]
    return card_rows.rows_of(put), terms


def _check(text: str) -> object:
    data = _data(text)
    sheet = CheckedPage(parse("a.md", data, LAYERS), data, LAYERS)
    fixed = [rule.fix(sheet) for rule in PAGE_RULES if rule.fix]
    return found(PAGE_RULES, sheet), facts_of(sheet), fixed, link_targets.swapped(data, {"b": "c"})


def _private(text: str) -> object:
    data = f"{text}\n\n[private:: true]\n".encode("utf-8", "replace")
    return [public_bytes(path, data, LAYERS) for path in ("a.md", "memory.md", "sessions/a.md")]


def _outline(text: str) -> Outline:
    return Outline(LAYERS, "a.md", text)


def _sections(text: str) -> object:
    page = _outline(text)
    spliced = [splice_at_end(page, "- more")]
    for section in page.sections[:1]:
        spliced += [splice_at_end(page, "more", section), splice_instead(page, "x", section)]
    return spliced


def _renamed_links(text: str) -> object:
    return [renamed(site, "b", "c d") for site in sites_of(_outline(text))]


def _renamed_tags(text: str) -> object:
    page = _outline(text)
    return (
        _refusing(lambda _: renamed_inline(page, lambda tag: tag.replace("a", "b")))(text),
        _refusing(lambda _: removed_inline(page, lambda tag: "a" in tag))(text),
    )


def _head(text: str) -> Iterator[object]:
    page = _outline(_front(text))
    yield _refusing(lambda _: set_field(page, "status", "draft"))(text)
    yield _refusing(lambda _: set_field(page, "aliases", ["a"]))(text)
    yield _refusing(lambda _: changed_tags(page, lambda tag: tag.replace("a", "b")))(text)
    yield _refusing(lambda _: relation_spans(page, lambda _: True))(text)


def _listing(text: str) -> object:
    tags = text.split(",")
    return listing_of(PageFacts(f"{text[:200]}.md", text, text, text[:40], tags)).line("")


def _ignore(text: str) -> object:
    rules = [
        IgnoreRule("", number, line) for number, line in enumerate(text.split("\n"), 1) if line
    ]
    ignore = Ignore(rules)
    return [ignore.why(path) for path in ("a.md", "a/" * 60 + "a.md", "a" * 200 + ".md")]


def _glob(text: str) -> object:
    return [path_matcher(text)(path) for path in ("a.md", "a/" * 60 + "a.md", "a" * 200 + ".md")]


def _name(text: str) -> object:
    return is_leftover(text), is_conflict_copy(text), file_name(text), slug(text)


def _journal(text: str) -> object:
    lines = text.split("\n")
    entries = list(journal.read_entries(lines))
    return entries, list(journal.unread_lines(lines)), list(map(journal.entry_text, entries))


def _catalog(text: str) -> object:
    shape = block.shape_of(text)
    return block.is_bare(text), block.fill_block(text, ["- a"]) if shape.blocks else shape


def _settings(text: str) -> object:
    return check_settings(text), set_value(text, "files.max_bytes", "7")


def _site(text: str) -> object:
    """The settings of a site, the navigation of one, and what its pages are called."""
    said = [list(read(dict.fromkeys(_SITE_FILES, text))) for read in READERS.values()]
    nav = _refusing(lambda _: read_nav("mkdocs.yml", _data(text)))(text)
    front = {"slug": text, "id": text, "permalink": text}
    called = [list(addresses(f"a/{text}.md", front, Dialect(name))) for name in READERS]
    return said, nav, called


def _evidence(text: str) -> object:
    lines = [SourceLine(text, "Anna"), SourceLine("Anna likes tea", "Anna")]
    known = NumberedSource(lines, "2026-09-01")
    return (
        judge_support(f"Anna has not 77 {text}", "Anna", [2], known),
        judge_support("Anna has not 77 in May", "Anna", [1], known),
    )


def _screen(text: str) -> object:
    return (
        terminal.line(text),
        terminal.fold(terminal.clean(text), 80),
        terminal.cut_to_width(text, 80),
    )


_SECRETS = (
    *("secret", "password: ", "token=a", "api_key:  ", "://a:", "://" + "a" * 60, "Bearer ", "a"),
    *("password='", "--token ", "authorization: basic A", '"', "secret.", "令牌：", "x@"),
)
_STATED = (
    *(
        "two ",
        "hundred",
        " and ",
        "thousand ",
        "14 ",
        "1,000",
        "9 pm ",
        "yesterday ",
        "May ",
        "n't ",
    ),
    *("Ab ", "三", "万", "王", "叫", "《", "》", "没", "不", "是不是", "， ", ". "),
)
_TOLD = (
    *(
        "ignore ",
        "rules ",
        "do not ",
        "tell ",
        "user ",
        "if ",
        ", run ",
        "agent ",
        " must ",
        "[inst",
    ),
    *("请", "忽略", "指令", "不要", "告诉", "a.com", "@a.", "://", "1.", "| sh", "--aa", "`", "$ "),
)
_PAGE = (*_INLINE, *_BLOCK, "\n", " ", "a", "猫")
# What generators of sites and programs of agents make of a link and of a text.
_GENERATED = (
    *("{doc}`", "{doc}`a <", "({% link ", " %})", '({{< ref "', '" >}})', "(@/", "@a", "@a.md"),
    *("{: .a", "{:", "}", "%%", "%% ", "a:: ", "grid[", "    ", "---\r", "\r"),
)

_SITE = (
    *(
        "docs_dir: ",
        "docs_dir: a",
        "                ",
        "nav:\n",
        "- ",
        "a.md",
        "'",
        '"',
        "!ENV ",
        "[",
        "#",
        "\n",
        "  ",
        ": ",
        "//",
        "/*",
    ),
    *(
        "docs: {",
        "path: ",
        "}",
        "\\",
        "a/",
        "01-",
        "1.2-",
        "index",
        ".",
        "slug: ",
        "id: /",
        "%",
        " & ",
    ),
)

PARSERS = {
    "page": Parser(lambda text: _rows("a.md", text), _PAGE),
    "entries": Parser(lambda text: _rows("memory.md", text), _PAGE),
    "heading": Parser(lambda text: _rows("memory.md", f"# a\n\n- a\n\n## {text}"), _PAGE),
    "messages": Parser(
        lambda text: _rows("sessions/a.md", f"### user ^s-1\n{text}"),
        (*_PAGE, "### user", " ^s-1", "2026-09-01T10:00:00Z "),
    ),
    "private": Parser(_private, (*_PAGE, "[private:: true]", "`[private:: true]`", "private::")),
    "front matter": Parser(_fields, _YAML),
    "front matter links": Parser(_field_places, _YAML, 60_000),
    "front matter edits": Parser(lambda text: list(_head(text)), _YAML, 30_000),
    "links of generators": Parser(
        lambda text: _rows("CLAUDE.md", text),
        (*_GENERATED, *_BLANKS, "a", "[", "](", ")", "`", "<"),
    ),
    "line ends": Parser(
        _refusing(lambda text: exact_text("a.md", _data(text))),
        (*_BLANKS, *_GENERATED, "---\n", "+++", "...\n", "a: b"),
    ),
    "links": Parser(_links, (*_INLINE, *_BLANKS, "a", "[a]: ", "<b>", '"b"', "(b)", "> ", "- a ")),
    "mask": Parser(
        lambda text: (mask_inline(text), without_fences(text)),
        (
            *(
                "`",
                "``",
                "```",
                "````",
                "~~~",
                "$",
                "$$",
                "<!--",
                "-->",
                "\\",
                "\\`",
                "\n",
                "\n\n",
                " ",
                "a",
            ),
            *("# ", "- ", "> ", "| ", "\t", "1. ", "```\n", "~~~~\n", " ```", "\n```", "\n   "),
        ),
    ),
    "plain": Parser(plain, (*_INLINE, " ", "a", "\n", "<a ", "***", "[[a|", "&")),
    "description": Parser(
        lambda text: first_paragraph(_lines(text), 0, Structure((), (), ())),
        (*_INLINE, *_BLOCK, "a", "a: ", "a:: ", "By ", "2024-", " > ", "%%", "$$", "\uff1a", "://"),
    ),
    "tags": Parser(find_tags, (*_INLINE, *_WORDS, "/", "#a", " #", "\n", "<a b='")),
    "dates": Parser(
        lambda text: (dates.iso_date(text), dates.in_words(text)),
        (*_WORDS, "/", ".", ":", " ", ",", "T", "Z", "+", "12:00", "2026-09-01 12:00", "\n", "'"),
    ),
    "bytes": Parser(lambda text: decode("a.md", _data(text)), (*_BLANKS, *_WORDS, "\ud800")),
    "query": Parser(lambda text: parse_query(text, _CLOCK), _QUERY),
    "terms": Parser(
        lambda text: (tokens.count_terms(text), tokens.query_terms(text), words_of(text)),
        (*_QUERY, *_WORDS, "v", "1.1", "aB", "_a", "\u0301", "ﬁ", "x" * 70),
    ),
    "identity": Parser(normal_form, _JUDGED),
    "facts": Parser(
        lambda text: (
            judge_readings(read(Fact(text)), read(Fact(f"{text} a")), near=0.9, same=0.95),
            judge_conflict(Fact(text), Fact(f"not {text}")),
        ),
        _JUDGED,
    ),
    "entities": Parser(
        lambda text: list(
            entity_pairs([JudgedEntity(text), JudgedEntity(f"{text}b"), JudgedEntity(f"{text}c")])
        ),
        (*_JUDGED, "公司", " inc", "VII"),
    ),
    "evidence": Parser(_evidence, (*_JUDGED, *_STATED)),
    "flags": Parser(lambda text: flags_of(text, ()), (*_JUDGED, *_TOLD)),
    "excerpt": Parser(
        lambda text: Excerpts(["a", "猫"]).excerpt(text.split("\n"), 1),
        (*_QUERY, *_WORDS, *_GENERATED, "[a]: b\n", "(a)=\n", "ß"),
    ),
    "site": Parser(_site, _SITE, 60_000),
    "glob": Parser(_glob, _GLOBS, 400),
    "ignore": Parser(_ignore, _GLOBS, 4_000),
    "names": Parser(
        _name, (*_GLOBS, *_WORDS, "~", "conflicted copy", "(", ".sync-conflict-", "_conflict-")
    ),
    "journal": Parser(_journal, _JOURNAL),
    "catalog": Parser(_catalog, _MARKERS),
    "listing": Parser(_listing, (*_INLINE, *_WORDS, ",", " ")),
    "settings": Parser(_refusing(_settings), _TOML),
    "baseline": Parser(_refusing(lambda text: read_baseline("a", _data(text))), _JSON),
    "check": Parser(_check, (*_PAGE, "sk-", "AKIA", "-----BEGIN ", "{#", "id=", "%%", "\u200b")),
    "secrets": Parser(lambda text: list(secrets_in(text)), _SECRETS),
    "added text": Parser(_refusing(clean_text), _PAGE),
    "sections": Parser(_sections, _PAGE),
    "moved links": Parser(_renamed_links, _PAGE),
    "renamed tags": Parser(_renamed_tags, (*_PAGE, "#a ", "#a #b ", "[a::b]")),
    "screen": Parser(
        _screen, (*_INLINE, *_WORDS, "\x1b[", "\x1b]", "\x1bP", "\x9b", ";", " ", "\x07", "。")
    ),
}
