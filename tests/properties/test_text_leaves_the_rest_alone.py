"""Text that is added or replaced is there afterwards, and nothing else of the page changed."""

from hypothesis import assume, example, given
from hypothesis import strategies as st

from memwiki.errors import MemwikiError
from memwiki.markdown.outline import PageKind, outline_of
from memwiki.markdown.parse import parse
from memwiki.nouns import Layers
from memwiki.pages.edit import append_text, replace_section, replace_text

LAYERS = Layers(sessions="sessions", daily="daily")
LIMIT = 1_000_000
# Lines that make one another mean something else.
LINES = [
    "",
    "",
    "",
    "text",
    "# A",
    "## B",
    "## C",
    "### B",
    "- item",
    "  more",
    "* [x](y)",
    "1. one",
    "    code",
    "| a | b |",
    "|---|---|",
    "> quote",
    "Under",
    "-----",
    "===",
    "<div>",
    "</div>",
    "<!-- note -->",
    "[a]: b",
    "---",
    "title: x",
    "\ttab",
    "中文 text",
    "#tag",
    "- a\n\n  b",
    "\u00a0",
    "x  ",
    "- ^m-abc123",
    "\f",
    "```\ncode\n```",
    "- ~~~\n  # a\n  ~~~",
    "{% highlight c %}\n# a\n{% endhighlight %}",
    "- a\n  {{< code >}}\n  [[b]]\n  {{< /code >}}",
    "{{< code >}}",
    "(a)=",
    "Title: x",
]
OPENERS = ["```", "~~~", "<!--", "<pre>"]
HEADS = [
    "",
    "---\ntitle: T\n---\n",
    "---\ntitle: T\n...\n\n",
    "---\ntitle: T\n",
    "\n\n---\na: b\n---\n",
    "+++\ntitle = 'T'\n[taxonomies]\ntags = ['x']\n+++\n",
    "+++\ntitle = 'T'\n",
]
SOME = st.sampled_from(LINES * 6 + OPENERS)
TEXTS = st.lists(SOME, min_size=1, max_size=6).map("\n".join)


@st.composite
def pages(draw, with_section=False):
    """The bytes of a page: any lines, any line ends, with or without a BOM and a last line end."""
    body = draw(st.lists(SOME, max_size=14))
    if with_section:
        body.insert(draw(st.integers(0, len(body))), "## C")
        body.insert(0, draw(st.sampled_from(["", "text\n"])))
    text = (
        draw(st.sampled_from(HEADS)) + "\n".join(body) + draw(st.sampled_from(["", "\n", "\n\n\n"]))
    )
    ends = draw(st.sampled_from(["\n", "\r\n", "mixed"]))
    if ends == "mixed":
        parts = text.split("\n")
        picks = draw(st.lists(st.booleans(), min_size=len(parts), max_size=len(parts)))
        text = (
            "".join(
                part + ("\r\n" if is_crlf else "\n")
                for part, is_crlf in zip(parts[:-1], picks, strict=False)
            )
            + parts[-1]
        )
    else:
        text = text.replace("\n", ends)
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode()


SECTIONS = pages(with_section=True)


def section_of(draw, page):
    """One of the sections that can be named."""
    titles = [section.title for section in page.sections]
    named = [s for s in page.sections if s.title and titles.count(s.title) == 1]
    assume(named)
    return draw.draw(st.sampled_from(named))


def done(make, data, text, name):
    """The page with a plan made, or None when it was refused with a next step."""
    try:
        plan = made(make, "a.md", data, text, name)
    except MemwikiError as error:
        assert error.hint
        return None
    return changed(plan, data)


def made(make, path, data, text, name):
    return make(outline_of(path, data, LAYERS), text, section=name, max_bytes=LIMIT)


def of(path, data):
    return parse(path, data, LAYERS)


def changed(plan, data):
    return plan.edits[0].data if plan.edits else data


def common_ends(old, new):
    """How many bytes two texts share at the start, and how many at the end of the rest."""
    start = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
    rest = list(zip(reversed(old[start:]), reversed(new[start:])))
    end = next((i for i, (a, b) in enumerate(rest) if a != b), len(rest))
    return start, end


def outside(page, start, stop):
    """Title, level and text of what stands outside of some lines (1-based, inclusive)."""
    return [(s.title, s.level) for s in page.sections if not start <= s.line_start <= stop]


def holds_text(lines, text, data):
    """Whether written lines stand in others; a page of entries may indent them into the item."""
    is_of_entries = outline_of("a.md", data, LAYERS).kind is PageKind.COLLECTING
    own = str.strip if is_of_entries else str.rstrip
    return holds(*([own(line) for line in each if line.strip()] for each in (text, lines)))


def holds(inner, outer):
    """Whether lines stand in others one after the other."""
    return any(outer[i : i + len(inner)] == inner for i in range(len(outer) - len(inner) + 1))


@given(pages(), TEXTS, st.sampled_from(["a.md", "memory.md", "sessions/s.md"]))
@example(b"- a\n## B\n---\n", "- b", "a.md")
@example(b"\xef\xbb\xbf", "text", "a.md")
@example(b"---\ntitle: x", "---", "a.md")
def test_appending_to_a_page_only_adds(data, text, path):
    try:
        new = changed(made(append_text, path, data, text, ""), data)
    except MemwikiError:
        return
    start, end = common_ends(data, new)
    assert start + end == len(data), "every byte of the page is still there, in one or two pieces"
    before, after = of(path, data), of(path, new)
    added = after.line_count - before.line_count
    assert after.front_matter == before.front_matter or not data.strip(b"\xef\xbb\xbf \t\r\n")
    assert [s.title for s in after.sections][: len(before.sections)] == [
        s.title for s in before.sections
    ]
    assert new.endswith(b"\n") == data.endswith(b"\n") or not data.removeprefix(b"\xef\xbb\xbf")
    assert added >= 1 or not data.endswith(b"\n")
    if path == "a.md":
        assert holds_text(after.text.split("\n"), text.split("\n"), data)
    if b"\n" in data and b"\r\n" not in data:
        assert b"\r" not in new
    if data.count(b"\n") == data.count(b"\r\n") > 0:
        assert new.count(b"\n") == new.count(b"\r\n")


@given(SECTIONS, TEXTS, st.data())
def test_appending_to_a_section_is_found_in_it_and_changes_no_other(data, text, draw):
    before = of("a.md", data)
    section = section_of(draw, before)
    new = done(append_text, data, text, section.title)
    if new is None:
        return
    start, end = common_ends(data, new)
    assert start + end == len(data)
    after = of("a.md", new)
    grown = after.line_count - before.line_count
    inside = [
        s for s in after.sections if section.line_start < s.line_start <= section.line_end + grown
    ]
    kept = [
        (s.title, s.level, s.line_start)
        for s in before.sections
        if s.line_start <= section.line_end
    ]
    kept += [
        (s.title, s.level, s.line_start + grown)
        for s in before.sections
        if s.line_start > section.line_end
    ]
    assert set(kept) <= {(s.title, s.level, s.line_start) for s in after.sections}
    if all(s.level > section.level for s in inside):
        mine = next(s for s in after.sections if s.line_start == section.line_start)
        lines = after.text.split("\n")[mine.line_start - 1 : mine.line_end]
        assert holds_text(lines, text.split("\n"), data)


@given(SECTIONS, st.booleans(), st.data())
def test_appending_twice_keeps_the_order(data, is_whole, draw):
    before = of("a.md", data)
    name = "" if is_whole else section_of(draw, before).title
    once = done(append_text, data, "- first one", name)
    if once is None:
        return
    twice = done(append_text, once, "- second one", name)
    lines = twice.replace(b"\r", b"").split(b"\n")
    at = lines.index(b"- first one")
    assert lines[at + 1] == b"- second one"


@given(SECTIONS, TEXTS, st.data())
def test_replacing_a_section_changes_its_lines_alone(data, text, draw):
    before = of("a.md", data)
    section = section_of(draw, before)
    new = done(replace_section, data, text, section.title)
    if new is None:
        return
    lines = data.split(b"\n")
    head = b"\n".join(lines[: section.line_start - 1])
    tail = b"\n".join(lines[section.line_end :])
    assert new.startswith(head)
    assert new.endswith(tail)
    after = of("a.md", new)
    grown = after.line_count - before.line_count
    assert outside(before, section.line_start, section.line_end) == outside(
        after, section.line_start, section.line_end + grown
    )
    assert after.front_matter == before.front_matter
    assert holds_text(after.text.split("\n"), text.split("\n"), data)


@given(SECTIONS, st.data())
def test_replacing_a_section_by_itself_changes_nothing(data, draw):
    before = of("a.md", data)
    section = section_of(draw, before)
    text = "\n".join(before.text.split("\n")[section.line_start - 1 : section.line_end])
    new = done(replace_section, data, text, section.title)
    assert new is None or new.replace(b"\r\n", b"\n") == data.replace(b"\r\n", b"\n")


@given(pages(), TEXTS, st.sampled_from(["a.md", "memory.md"]))
@example(b"---\ntitle: T\n---", "text", "a.md")
@example(b"---\n\n---\n\n\n", "---\na\n---", "a.md")
@example(b"text", "---", "a.md")
def test_replacing_the_text_of_a_page_keeps_all_above_it(data, text, path):
    before = outline_of(path, data, LAYERS)
    try:
        new = changed(made(replace_text, path, data, text, ""), data)
    except MemwikiError as error:
        assert error.hint
        return
    head = b"".join(line + b"\n" for line in data.split(b"\n")[: before.start])
    assert new.startswith(head.removesuffix(b"\n") if before.start else data[:0])
    after = outline_of(path, new, LAYERS)
    assert (after.start, after.front, after.mark) == (before.start, before.front, before.mark)
    body = "\n".join(after.lines[after.start :])
    wanted = text.replace("\r\n", "\n").split("\n")
    assert [line for line in body.split("\n") if line.strip()] == [
        line for line in wanted if line.strip()
    ]
    assert changed(made(replace_text, path, new, text, ""), new) == new


@given(pages(), TEXTS)
def test_nothing_but_our_own_errors_is_raised(data, text):
    for name in ("", "A", "B", "Nowhere"):
        try:
            made(append_text, "a.md", data, text, name)
            made(replace_text, "a.md", data, text, name)
        except MemwikiError as error:
            assert error.hint


def test_a_line_end_of_another_kind_stays_where_it_is():
    page = outline_of("a.md", b"---\ntitle: T\n---\r\n", LAYERS)
    (edit,) = replace_text(page, "new", section="", max_bytes=LIMIT).edits
    assert edit.data.startswith(b"---\ntitle: T\n---\r\n")
    assert b"new" in edit.data
