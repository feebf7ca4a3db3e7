"""Links in the text of a page, found by one linear scan over masked text; and as Dendron writes
them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias
from urllib.parse import unquote

from memwiki.markdown.mask import Masked
from memwiki.markdown.syntax import CARD_LINK, DOC_ROLE, ESCAPED
from memwiki.names import fold
from memwiki.nouns import Link, LinkKind, Span
from memwiki.records import NamedTuple
from memwiki.text import holds, merge_spans, pattern

# Each alternative begins with one character, so that these are searched for and not each place
# tried.
_INNER = r"\[\[([^\[\]\n]+)\]\]"
# Nearly all links: nothing in them has to be looked at twice, and their label is no longer than one
# may be. To read the brackets one by one takes twice as long (2026-11-30).
_WHOLE = r"\[([^\[\]\n\\]{0,900}+)\]\(([^\s()\[\]<>{\\@][^\s()\[\]<>{\\]*+)\)"
_TOKEN = pattern(rf"\\[\[\]!\\]|!{_INNER}|!\[|{_INNER}|{_WHOLE}|\[|\]")
_TARGET = 4  # its last group where it is a whole link
_PLAIN = r"[^\s()\\]++|\\."
_NESTED = rf"\((?:{_PLAIN}|\((?:{_PLAIN})*+\))*+\)"
_TITLE = r"\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\([^()]*+\)"
# `[label]([[page]])` is a wikilink with words before it, in Roam and Logseq.
_DESTINATION = rf"<([^<>\n]*+)>|((?!\[\[)(?:{_PLAIN}|{_NESTED})*+)"
_TAIL = pattern(rf"\([ \t]*+\n?+[ \t]*+(?:{_DESTINATION})(?:\s++(?:{_TITLE}))?+\s*+\)", re.DOTALL)
# Behind a wikilink the year of what it cites, `[[Smith]](2019)`; in Obsidian and Logseq any word.
_YEAR = pattern(r"\(\d[^\s().#:%<>/]{0,20}\)")
_NO_PATH = pattern(r"\([^\s().#:%<>/]{1,40}\)|\[")
# What a generator of sites makes an address of: of a path from its root, as Jekyll's
# `{% link _posts/a.md %}`, or of one as in any link: `{{< ref "a.md" >}}` of Hugo.
_LIQUID_PATH = r"[^\s{}%]++(?:[ \t]++(?!-?%\})[^\s{}%]++)*+"
_MADE = pattern(
    r"\([ \t]*+(?:\{\{[ \t]*+site\.(?:base)?url[ \t]*+\}\})*+(?:"
    rf"\{{%-?[ \t]*+(?:link|post_url)[ \t]++({_LIQUID_PATH})[ \t]*+-?%\}}"
    r"|\{\{[<%][ \t]*+(?:rel)?ref[ \t]++(?:path=)?[\"`]([^\"`\n]++)[\"`][^{}\n]*+\}\}"
    r")(?:#[^\s()]*+)?[ \t]*+\)"
)
_REFERENCE = pattern(r"\[([^\[\]\n]*)\]")
# A title may go on over lines, but over no empty one; one on the next line may be none, with text
# behind it. None holds the mark that begins it, so that no text is looked at for two titles.
_DEFINED_TITLE = "|".join(
    rf"{first}(?:[^{marks}\\\n]|\\.|\n(?![ \t>]*\n))*+{last}"
    for first, marks, last in (('"', '"', '"'), ("'", "'", "'"), (r"\(", "()", r"\)"))
)
_DEFINITION = pattern(
    r"^[ \t>]{0,8}\[([^\[\]\n^][^\[\]\n]*)\]:[ \t]*+\n?+[ \t]*+(?:<([^<>\n]+)>|([^\s<]\S*+))"
    rf"(?:[ \t]*+$|[ \t]++(?:{_DEFINED_TITLE})[ \t]*+$)",
    re.MULTILINE,
)
_PARAGRAPH = pattern(r"[ \t>]*+\w[^\n]*+\n\Z")
# Quotes are part of a name, but not around all of it, in a call or a sum: `[["a", "b"]]`,
# `[[deprecated("x")]]`, `[[" + a + "]]`, `[["..a.."]]`, `[[ -n "x" ]]`.
# People do name notes `A$AP`, `E=mc2`, `P = NP` and `~2020`: what code would say is more.
_UNLINKABLE = pattern(
    r"(?<!\w)\$(?!\d)|\{\$|\A=|[=!<>]=|=~|(?<!\w)~/|\{\{|<%|\A\w[\w+.-]*://|\A#?\".*\"\Z|\w\(\""
    r"|\" ?(?:\+|\.\.)|(?:\+|\.\.) ?\"|\A-\w [^\"]*\""
)
_SIGN = pattern(rf"{ESCAPED.pattern}|&(#\d{{1,7}};|#[xX][\da-fA-F]{{1,6}};|[A-Za-z]\w{{1,31}};)")
_SCHEME = pattern(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//|(?:mailto|tel|sms|xmpp|news|urn|file):")
_NO_LINK = pattern(r"\s*(?:data|javascript|vbscript):", re.IGNORECASE)
MAX_LABEL = 1000  # CommonMark's bound on labels
_MAX_SHARED = 4_000  # characters of the target of a definition: each link to it holds them
RELATION_WORD = r"([^\W\d][\w-]{0,99}|\"[^\"\n]{1,60}\")"
_WIKILINK = r"\[\[[^\[\]\n]+\]\]"
_RELATION = pattern(
    rf"^[ \t]*(?:[-*+][ \t]+{RELATION_WORD}[ \t]+{_WIKILINK}(?:,[ \t]*{_WIKILINK})*[ \t]*"
    r"(?:\([^\n]*\)[ \t]*)?(?:\^[\w-]+[ \t]*)?$"
    rf"|(?:[-*+][ \t]+)?{RELATION_WORD}::[ \t]*{_WIKILINK})",
    re.MULTILINE,
)
# As the tools that keep decision records write it, in text or as `**Superseded by:**`.
_SUCCESSION = pattern(
    r"[ \t>*_-]*+(?:status[:*_]*[ \t]+)?(?:(super[sc]eded?[ \t-]+by)|super[sc]edes)"
    r"[:：]?[*_]*[ \t]+\Z",
    re.IGNORECASE,
)
# Words of a list item that names a page and says nothing of how: a task, or where to look.
_NO_RELATIONS = frozenset(
    "todo doing done now later waiting wait canceled cancelled wip started the a an in on at of"
    " with and or for from to by not no see also via per call read ask"
    " 见 參見 参见 参考 參考 看 读 和".split()
)
_HTML = pattern(r"<(?ai:a|img|video|audio|source)\s")


class Definition(NamedTuple):
    """`[label]: target` and where the target stands."""

    target: str
    span: Span


class FoundLinks(NamedTuple):
    """Links in order of their line, and the spans they cover in the text, sorted.

    `targets` says for each link where its target stands, heading included; links by reference share
    the one of their definition. `unused` are definitions that no link refers to.
    """

    links: tuple[Link, ...] = ()
    spans: tuple[Span, ...] = ()
    targets: tuple[Span, ...] = ()
    unused: tuple[Definition, ...] = ()

    @property
    def pairs(self) -> list[tuple[Link, Span]]:
        """Each link with where its target stands."""
        return list(zip(self.links, self.targets, strict=True))

    def with_pairs(self, pairs: Sequence[tuple[Link, Span]]) -> FoundLinks:
        """The same text with other links; what they cover stays."""
        links, targets = zip(*pairs, strict=True) if pairs else ((), ())
        return self._replace(links=links, targets=targets)


def find_links(masked: Masked, *, is_wiki_first: bool = False) -> FoundLinks:
    """Every link of masked text; `is_wiki_first` as Obsidian and Logseq read it, to which a word
    in parentheses behind a wikilink is text."""
    # Fields of entries have brackets, too; a link has two, a target or a definition.
    if not holds(masked.text, "](", "[[", "]:"):
        return FoundLinks()
    scanner = _LinkScanner(masked, _NO_PATH if is_wiki_first else _YEAR)
    found = sorted(scanner.run(), key=lambda item: item[0])
    _, targets, links = zip(*found, strict=True) if found else ((), (), ())
    spans = tuple(merge_spans(scanner.spans))
    return FoundLinks(links, spans, targets, scanner.unused(targets))


def may_hold_html_links(text: str) -> bool:
    """Whether a text has a tag that may be a link."""
    return "<" in text and _HTML.search(text) is not None


def wikilink(inner: str, line: int, kind: LinkKind, relation: str = "") -> Link | None:
    """The link `[[inner]]` means, None when it is a template or a shell test."""
    target, _, label = inner.replace("\\|", "|").partition("|")
    name, heading, block = split_anchor(target.strip())
    if is_no_name(name) or not (name or heading or block):
        return None
    return Link(name, label.strip(), line, kind, heading, block, relation)


def target_span(inner: str, start: int) -> Span:
    """Where the target of `[[inner]]` stands, when `inner` begins at `start`: up to its label."""
    target, bar, _ = inner.partition("|")
    return start, start + len(target) - (bool(bar) and target.endswith("\\"))


def split_anchor(target: str) -> tuple[str, str, str]:
    """Name, heading path and block id of `name#H1#H2` or `name#^block`."""
    name, _, anchor = target.partition("#")
    if anchor.startswith("^"):
        return name.strip(), "", anchor[1:].strip()
    return name.strip(), anchor.strip(), ""


def is_no_name(text: str) -> bool:
    """Whether a text is a template, an expression or an address rather than a name."""
    return _UNLINKABLE.search(text) is not None


def unescape(text: str) -> str:
    """The text without the backslashes that escape punctuation, and with what entities mean, as
    CommonMark reads the target of a link."""
    return _SIGN.sub(_as_read, text) if "\\" in text or "&" in text else text


def _as_read(found: re.Match[str]) -> str:
    if found[1]:
        return found[1]
    from html import entities, unescape  # few links have some

    name = found[2]
    return unescape(f"&{name}") if name[0] == "#" else entities.html5.get(name, f"&{name}")


def is_external(target: str) -> bool:
    """Whether a target names something outside the workspace."""
    return (":" in target or target.startswith("//")) and bool(_SCHEME.match(target))


def markdown_link(target: str, text: str, line: int, kind: LinkKind) -> Link | None:
    """The link `[text](target)` means, None for data and script URLs and empty targets."""
    target = unescape(target)
    if not target or (":" in target and _NO_LINK.match(target)):
        return None
    if is_external(target):
        return Link(target, text, line, kind)
    name, heading, block = split_anchor(target)
    name = name.partition("?")[0]
    if not (name or heading or block):
        return None
    if "%" in target:
        name, heading, block = unquote(name), unquote(heading), unquote(block)
    return Link(name, text, line, kind, heading, block)


class _LinkScanner:
    """Walks the brackets of a text once, keeping a stack of those that are open."""

    def __init__(self, masked: Masked, aside: re.Pattern[str]) -> None:
        """`aside` is what makes no link of the brackets before it."""
        self.text, self._starts = masked
        self._line, self._aside = masked.line, aside
        self._open: list[tuple[int, bool]] = []
        self._definitions = _definitions(self.text) if "]:" in self.text else {}
        self.spans: list[Span] = []  # that links cover
        self._at: Span = (0, 0)  # of the target of the link that was found last
        self._paragraph_end = 0  # of the brackets that are open
        self._related = 0, ""  # the last line with a wikilink, and the relation that it says
        self._may_succeed = "uperse" in self.text or "uperce" in self.text

    def run(self) -> Iterator[tuple[int, Span, Link]]:
        done, tokens = 0, _TOKEN.finditer(self.text)
        while match := next(tokens, None):
            start, mark = match.start(), match[0]
            if start < done or mark[0] == "\\":
                if match.lastindex == _TARGET:  # of which a part is read already
                    tokens = _TOKEN.finditer(self.text, max(done, start + 1))
                continue
            if start >= self._paragraph_end:  # brackets never span paragraphs
                self._open.clear()
                self._paragraph_end = self._end_of_paragraph(start)
            if match.lastindex:
                found, done = self._doubled(match)
            elif mark == "]":
                found, done = self._close(start)
            else:
                self._open.append((start, mark[0] == "!"))
                continue
            if done > self._paragraph_end:  # a title may have blank lines
                self._paragraph_end = self._end_of_paragraph(done)
            if found:
                if self._may_succeed and not found.relation:
                    found = found._replace(relation=self._succession(self.spans[-1][0]))
                yield self.spans[-1][0], self._at, found

    def unused(self, targets: Iterable[Span]) -> tuple[Definition, ...]:
        """The definitions behind none of these targets."""
        used = set(targets)
        return tuple(each for each in self._definitions.values() if each.span not in used)

    def _end_of_paragraph(self, at: int) -> int:
        end = self.text.find("\n", at)
        while end >= 0:
            after = self.text.find("\n", end + 1)
            if after >= 0 and not self.text[end + 1 : after].strip(" \t"):
                return end
            end = after
        return len(self.text)

    def _relation(self, line: int) -> str:
        """The relation that a line gives its wikilinks; it may have thousands."""
        if line != self._related[0]:
            found = _RELATION.match(self.text, self._starts[line - 1])
            is_relation = found and fold(found[1] or "") not in _NO_RELATIONS
            word = (found[1] or found[2]) if found and is_relation else ""
            self._related = line, word.strip('"')
        return self._related[1]

    def _succession(self, at: int) -> str:
        """What a line that begins with a word for it says of the page that a link names."""
        first = self._starts[self._line(at) - 1]
        found = _SUCCESSION.match(self.text, first, at) if at - first < MAX_LABEL else None
        return ("superseded_by" if found[1] else "supersedes") if found else ""

    def _doubled(self, match: re.Match[str]) -> tuple[Link | None, int]:
        """`[[x]]` is a wikilink, but before a target it is the text of a markdown link, as for
        CommonMark, and so is `[x](y)`; the offset is that up to which all is read."""
        start, end, is_embed = match.start(), match.end(), match[0][0] == "!"
        if target := match[_TARGET]:
            self.spans.append((start, end))
            self._at = match.span(_TARGET)
            line, label = self._line(start), match[_TARGET - 1].strip()
            return markdown_link(target, label, line, LinkKind.MARKDOWN), end
        has_target = not is_embed and self.text[end : end + 1] in ("(", "[")
        if has_target and not self._aside.match(self.text, end):
            found, stop = self._bracketed(start, end - 1, LinkKind.MARKDOWN)
            if stop:
                return found, stop
        inner, line = match[1] or match[2], self._line(start)
        if start > 1 and self.text.startswith("{{", start - 2):
            return None, 0  # `{{[[TODO]]}}`, `{{[[query]]: ...}}`: Roam has no page in mind
        self.spans.append((start, start + len(inner) + 4 + is_embed))
        self._at = target_span(inner, start + 2 + is_embed)
        kind = LinkKind.EMBED if is_embed else LinkKind.WIKILINK
        return wikilink(inner, line, kind, self._relation(line)), 0

    def _close(self, at: int) -> tuple[Link | None, int]:
        """The link that ends its text at this `]`, and the offset up to which all is read."""
        if not self._open:
            return None, 0
        start, is_image = self._open.pop()
        return self._bracketed(start, at, LinkKind.IMAGE if is_image else LinkKind.MARKDOWN)

    def _bracketed(self, start: int, at: int, kind: LinkKind) -> tuple[Link | None, int]:
        """The link whose text begins at `start` and ends at this `]`, and its end, 0 for none."""
        inner = start + 1 + (kind is LinkKind.IMAGE)
        if self.text.startswith("({", at + 1) and (made := _MADE.match(self.text, at + 1)):
            return self._make(made, start, kind), made.end()
        target, end = self._target(inner, at)
        if not target:
            return None, 0
        label = self.text[inner : min(at, start + MAX_LABEL)].strip()
        self.spans.append((start, end))
        if len(target) > _MAX_SHARED and not start < self._at[0] < end:
            return None, end
        return markdown_link(target, label, self._line(start), kind), end

    def _make(self, found: re.Match[str], start: int, kind: LinkKind) -> Link | None:
        """The link whose address is made of a page."""
        line = self._line(start)
        self.spans.append((start, found.end()))
        self._at = found.span(found.lastindex or 0)
        if found[2]:
            return markdown_link(found[2], "", line, kind)
        is_embed = kind is LinkKind.IMAGE
        return wikilink(found[1], line, LinkKind.EMBED if is_embed else LinkKind.WIKILINK)

    def _target(self, label_start: int, at: int) -> tuple[str, int]:
        if tail := _TAIL.match(self.text, at + 1):
            self._at = _below_root(self.text, tail.span(1 if tail[1] is not None else 2))
            return self.text[slice(*self._at)], tail.end()
        if not self._definitions:
            return "", 0
        end = at + 1
        label = self.text[label_start : min(at, label_start + MAX_LABEL)]
        if reference := _REFERENCE.match(self.text, at + 1):
            end = reference.end()
            label = reference[1] or label
        elif self.text[at + 1 : at + 2] == ":":
            return "", 0
        # No label of a definition holds brackets: the long texts around many links are not looked
        # up.
        definition = None if "[" in label else self._definitions.get(_label(label))
        if definition is None:
            return "", end
        self._at = definition.span
        return definition.target, end


def _below_root(text: str, target: Span) -> Span:
    """Where a target is a path from the root: behind the sign that Zola has before one."""
    start, end = target
    return start + text.startswith("@/", start), end


def _definitions(text: str) -> Mapping[str, Definition]:
    definitions: dict[str, Definition] = {}
    done = 0
    for match in _DEFINITION.finditer(text):
        above = text.rfind("\n", done, max(match.start() - 1, 0)) + 1
        if (above or not done) and _PARAGRAPH.match(text, above, match.start()):
            continue  # which a definition does not end
        done = match.end()
        span = _below_root(text, match.span(2 if match[2] else 3))
        definitions.setdefault(_label(match[1]), Definition(text[slice(*span)], span))
    return definitions


def _label(text: str) -> str:
    return fold(" ".join(text.split()))


# The address of a page anywhere, as in `<a href="{{< ref "a.md" >}}">`.
QUOTES_OF_REFS = frozenset('"`')
HUGO_REF_BEGIN = r"\{\{[<%][ \t]*+(?:rel)?ref[ \t]++(?:path=)?[\"`]"
HUGO_REF = pattern(rf"{HUGO_REF_BEGIN}([^\"`\n]++)[\"`]")
# The same of Jekyll, and of Hexo, where the words of the link follow.
LIQUID_REF = pattern(
    r"\{%-?[ \t]*+(?:(?:link[ \t]++(?=[^\s{}%]*\.\w{2,8}[ \t]*-?%)|post_url[ \t]++)"
    r"([^\s{}%'\"|:]++)[ \t]*+-?%\}"
    r"|post_(?:link|path)[ \t]++([^\s{}%'\".|:]++)[^{}\n]*+\})"
)
# What names a page outside of brackets, by what tells that there may be one.
PATHS = {"{doc}`": DOC_ROLE, ":link:": CARD_LINK, "{{": HUGO_REF, "{%": LIQUID_REF}
# `@docs/style.md` is a file that an agent's program reads.
IMPORT = pattern(r"(?<!\S)@([\w.-][\w./-]*\.(?:md|markdown))(?![^\s.,;:)])")


def with_paths(found: FoundLinks, masked: Masked, path: re.Pattern[str]) -> FoundLinks:
    """The links of a page with the paths of pages that a pattern finds where no link is yet."""
    pairs, taken = [*found.pairs], frozenset(found.targets)
    for match in path.finditer(masked.text):
        span, line = match.span(match.lastindex or 0), masked.line(match.start())
        name = masked.text[slice(*span)]
        if span in taken:
            continue
        if path is LIQUID_REF:
            link = wikilink(name, line, LinkKind.WIKILINK)
        else:
            link = markdown_link(name, "", line, LinkKind.MARKDOWN)
        if link:
            pairs.append((link, span))
    if len(pairs) == len(found.links):
        return found
    return found.with_pairs(sorted(pairs, key=lambda pair: pair[1]))


_KINDS = frozenset({LinkKind.WIKILINK, LinkKind.EMBED})


def with_code(found: FoundLinks, masked: Masked, lines: Sequence[str]) -> FoundLinks:
    """The links of a page with the code in the headings that wikilinks name, which `masked` has
    not."""
    pairs = found.pairs
    for at, (link, (start, end)) in enumerate(pairs):
        if link.kind in _KINDS and "#" in masked.text[start:end]:
            line, column = masked.place(start)
            target = lines[line][column : column + end - start]
            if "`" in target:
                pairs[at] = link._replace(heading=split_anchor(target)[1]), (start, end)
    return found.with_pairs(pairs) if pairs != found.pairs else found


_VAULT = pattern(r"dendron://([^/]*)/")
# Elsewhere an address in a wikilink is no name of a page.
_BARE = pattern(r"(!?)\[\[([ \t]*dendron://[^\[\]|\n]*)\]\]")
_SEVERAL = pattern(r"([^#\n*]+)\.[^#.\n*]*+\*")  # all notes below one, which is what is linked
_Pair: TypeAlias = tuple[Link, Span]


def with_targets_last(found: FoundLinks, masked: Masked, vaults: Collection[str]) -> FoundLinks:
    """The links of a page as Dendron and wikis of GitHub mean them; `vaults` are the names of this
    workspace, and links to other ones lead elsewhere."""
    bare = _bare(masked) if "[dendron://" in masked.text else ()
    meant = [_as_meant(link, span, masked.text, vaults) for link, span in (*found.pairs, *bare)]
    if bare:
        meant.sort(key=lambda pair: (pair[0].line, pair[1]))
    return found.with_pairs(meant)


def _bare(masked: Masked) -> Iterator[_Pair]:
    """The links without a label, whose target is no name to others."""
    for match in _BARE.finditer(masked.text):
        kind = LinkKind.EMBED if match[1] else LinkKind.WIKILINK
        yield Link("", "", masked.line(match.start()), kind), match.span(2)


def _as_meant(link: Link, span: Span, masked: str, vaults: Collection[str]) -> _Pair:
    if link.kind not in _KINDS or "=" in link.text:  # `[[logo.png|alt=Logo]]` in a wiki of GitHub
        return link, span
    start, end, label = *span, link.text
    if label:  # it holds no bracket: the link ends at the next ones
        bar = masked.index("|", end)
        label, start, end = masked[start:end].strip(), bar + 1, masked.index("]]", bar)
    target = masked[start:end]
    vault = _VAULT.match(target.lstrip())
    if vault and (vault[1] in vaults or not vaults):
        start += len(target) - len(target.lstrip()) + vault.end()
    if link.kind is LinkKind.EMBED and (several := _SEVERAL.match(masked, start, end)):
        end = several.end(1)
    name, heading, block = split_anchor(masked[start:end])
    return link._replace(written=name, text=label, heading=heading, block=block), (start, end)
