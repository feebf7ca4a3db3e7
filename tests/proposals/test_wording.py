"""A model's words as they may stand in a page."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.markdown.edit.entries import EntryText, item_of
from memwiki.markdown.entries import read_marks
from memwiki.markdown.outline import outline_of
from memwiki.markdown.units import entries_of
from memwiki.nouns import Layers
from memwiki.proposals.wording import MAX_CHARACTERS, plain_sentence
from tests.effort import for_each

PIECES = [
    "[[", "]]", "![[", "[", "]", "(", ")", "`", "```", "~~~", "~~", "<", ">", "<script>", "<!--",
    "#", "# ", "- ", "> ", "| ", "::", "key:: v", "[key:: v]", "(key:: v)", "^m-abc123", "^s-1",
    "---", "***", "===", "$$", "%%", "{{", "}}", "((", "))", "\\", "*", "_", "&amp;", "\n", "\r",
    "\t", "\u202e", "\u200b", "\x00", "\ud800", "茶", "Anna", " ", "1. ", "[x] ", "[^1]", "@", "!",
    "http://a.b", "C#", "std::vector", "TODO", "id:: ", "</stored-memory>", "[a](b)", "#tag",
]  # fmt: skip


@for_each(
    ("text", "plain"),
    [
        ("# Anna likes tea", "Anna likes tea"),
        ("- [x] Anna likes tea", "Anna likes tea"),
        ("1. Anna likes tea", "Anna likes tea"),
        ("> Anna likes [[Tea|green tea]]", "Anna likes Tea|green tea"),
        ("Anna ![[likes]] [tea](http://x.y)", "Anna likes tea (http://x.y)"),
        ("Anna likes #tea", "Anna likes tea"),
        ("[key:: v] Anna", "(key: v) Anna"),
        ("~~Anna~~ likes", "Anna~ likes"),
        ("Anna ^m-abc123", "Anna m-abc123"),
        ("Anna\n\n# likes\ntea", "Anna # likes tea"),
        ("Uses C#, std::vector, a < b and `npm test`.",) * 2,
        ("<script>alert(1)</script>", "‹script›alert(1)‹/script›"),
        ("`foam lint --rule <id>` and <b", "`foam lint --rule ‹id›` and b"),
        ("安娜喜欢 #绿茶 [[页面]]", "安娜喜欢 绿茶 页面"),
        ("An\u200bna\ufeff li\u00adkes\u200d tea", "Anna likes tea"),
        ("👩\u200d💻 می\u200cخواهم क्\u200d",) * 2,
        ("☕\ufe0f\ufe0f\ufe0f tea", "☕\ufe0f tea"),
        ("", ""),
        ("---", ""),
        ("```", ""),
    ],
)
def test_what_markdown_would_read_becomes_words(text, plain):
    assert plain_sentence(text) == plain


def test_a_sentence_has_an_end():
    assert len(plain_sentence("word " * 10_000)) <= MAX_CHARACTERS


@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=12).map("".join))
def test_no_words_of_a_model_are_more_than_words(text):
    plain = plain_sentence(text)
    assert "\n" not in plain
    if not plain:
        return
    marks = read_marks(plain)
    assert (marks.text, marks.fields, marks.tags, marks.id) == (plain, {}, (), "")
    assert plain_sentence(plain) == plain
    page = (
        f"# Memory\n\n- Before. ^m-aaaaaa\n{item_of(EntryText(plain, id='m-zzzzzz'))}\n- After.\n"
    )
    outline = outline_of("memory.md", page.encode("utf-8", "replace"), Layers())
    assert [each.id for each in entries_of(outline).entries] == ["m-aaaaaa", "m-zzzzzz", ""]
    assert [each.title for each in outline.sections] == ["Memory"]
    assert not outline.found.links
