"""Whatever a page is made of, a mark hides its block and nothing else, by markdown-it's tree."""

from hypothesis import example, given
from hypothesis import strategies as st
from private_oracle import hidden_by_marks

from memwiki.markdown.fields import is_private
from memwiki.markdown.outline import Outline
from memwiki.markdown.parse import parse
from memwiki.markdown.private import hidden_lines, public_bytes
from memwiki.nouns import LOGSEQ, Dialect, Layers

LAYERS = Layers(daily="daily", sessions="sessions")
MARK = "[private:: true]"
PREFIXES = ["", "- ", "  ", "    ", "> ", "1. ", "\t", "  - ", "    - ", "> - ", "- > ", "2) "]
# What is W stands for a word that no other line has.
BODIES = [
    *("W", "", "# W", "## W", "W 猫", "| W | W |", "|--|--|", "---", "===", "***"),
    *("```", "~~~", "`W", "W` W", "`` W", "<div>", "</div>", "<!--", "-->", "W <!-- W", "<b>"),
    *(f"W {MARK}", MARK, f"# W {MARK}", f"| W {MARK} | W |", f"W | {MARK}", f"- W {MARK}"),
    *(f"`{MARK}` W", f"<!-- {MARK} --> W", f"W {MARK} `W", "- data::", "  - key: W"),
]
LINES = st.lists(
    st.tuples(st.sampled_from(PREFIXES), st.sampled_from(BODIES), st.sampled_from(["\n", "\r\n"])),
    min_size=1,
    max_size=14,
)


def written(lines, *, is_ended):
    """A page of these lines, each with a word of its own."""
    texts = [
        prefix + body.replace("W", f"word{number}x") + end
        for number, (prefix, body, end) in enumerate(lines)
    ]
    text = "".join(texts)
    return text if is_ended else text.rstrip("\r\n")


def seen_of(path, text, layers=LAYERS):
    """What is left of a page, after checks of what holds for all."""
    data = text.encode()
    seen = public_bytes(path, data, layers)
    if seen is None:
        return None
    for old, new in zip(data.split(b"\n"), seen.split(b"\n"), strict=True):
        assert new == old or new.strip(b"\xef\xbb\xbf") == b"\r" * old.endswith(b"\r")
    assert public_bytes(path, seen, layers) is seen
    return seen.decode()


@given(LINES, st.booleans(), st.sampled_from(["", "\ufeff"]))
@example([("- ", "```", "\n"), ("", f"W {MARK}", "\n"), ("", "```", "\n")], True, "")
@example([("", "> W `", "\n"), ("> ", f"W ` {MARK} ` W", "\n")], True, "")
@example([("", f"W {MARK}", "\n"), ("", f"# W {MARK}", "\n"), ("", "W", "\n")], False, "")
def test_a_page_is_left_without_the_blocks_that_carry_a_mark(lines, is_ended, bom):
    text = written(lines, is_ended=is_ended)
    hidden = hidden_by_marks(text.replace("\r\n", "\n"))
    seen = seen_of("wiki/a.md", bom + text)
    assert seen is not None
    for number, line in enumerate(text.split("\n")):
        for word in (word for word in line.split() if word.startswith("word")):
            assert (word in seen) == (number not in hidden), word


@given(LINES, st.sampled_from(["memory.md", "daily/2026-01-01.md", "sessions/a.md"]))
@example([("- ", f"W {MARK}", "\n"), ("- - ", "<b>", "\n")], "memory.md")
@example([("> ", "# W", "\n"), ("  ", f"W {MARK}", "\n"), ("", f"# {MARK}", "\n")], "memory.md")
def test_pages_of_entries_and_sessions_hide_at_least_as_much(lines, path):
    """They hide whole items at the margin, where others hide the innermost."""
    text = written(lines, is_ended=True).replace("\r\n", "\n")
    seen = seen_of(path, text)
    assert seen is not None
    if Outline(LAYERS, path, text).structure.is_certain:
        left = seen.split("\n")
        assert not [left[number] for number in hidden_by_marks(text) if left[number]]
    page = parse(path, seen.encode(), LAYERS)
    assert not [each for each in (*page.entries, *page.messages) if is_private(each.fields)]


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from(["", MARK, "private:: yes"]))))
def test_blocks_of_an_outline_go_with_their_children(blocks):
    layers = LAYERS._replace(dialect=Dialect(name=LOGSEQ))
    lines, hidden, depth, level = ["- public"], [False], 0, None
    for wanted, mark in blocks:
        depth = min(wanted, depth + 1)
        if level is None or depth <= level:
            level = depth if mark else None
        indent = "\t" * depth
        is_below = mark.startswith("private")
        texts = ["- x", f"  {mark}"] if is_below else [f"- x {mark}".rstrip()]
        lines += [indent + text for text in texts]
        hidden += [level is not None] * len(texts)
    seen = seen_of("pages/a.md", "\n".join(lines), layers)
    assert seen.split("\n") == [
        "" if is_hidden else line for line, is_hidden in zip(lines, hidden, strict=True)
    ]


@given(st.text(alphabet="ab [](){}`$<>!-#|:\n\r\t\0\ufeffprivate猫"), st.booleans())
def test_any_text_is_read_without_an_error(text, is_marked):
    for path in ("wiki/a.md", "memory.md", "sessions/a.md"):
        data = (text + MARK * is_marked).encode()
        seen = public_bytes(path, data, LAYERS)
        assert bool(hidden_lines(path, data, LAYERS)) == (seen is not data)
