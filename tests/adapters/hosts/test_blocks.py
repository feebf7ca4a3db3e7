"""Our lines come into a text file and go again; every other byte stays."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.adapters.hosts.editing import HASH, HTML, has_block, with_block, without_block

TEXTS = st.lists(st.sampled_from(["a", "# b", "", "日本", "  ", "[t]"]), max_size=5).flatmap(
    lambda lines: st.sampled_from(["\n", "\r\n"]).flatmap(
        lambda end: st.sampled_from([end.join(lines), end.join([*lines, ""])])
    )
)
MARKS = st.sampled_from([HASH, HTML])


@given(TEXTS, MARKS)
def test_lines_come_in_and_go_again_byte_for_byte(text, marks):
    new = with_block(text, marks, "one\ntwo")
    assert has_block(new, marks) and not has_block(text, marks)
    assert with_block(new, marks, "one\ntwo") == new
    assert with_block(with_block(new, marks, "three"), marks, "one\ntwo") == new
    assert without_block(new, marks) == text


@given(TEXTS.filter(bool), TEXTS, MARKS)
def test_what_others_write_before_and_behind_stays(text, other, marks):
    new = with_block(text, marks, "ours")
    end = "" if not new or new.endswith("\n") else "\n"
    around = f"{other}\n{new}{end}{other}"
    newline = "\r\n" if "\r\n" in text else "\n"
    ending = "" if text.endswith("\n") else newline  # a line that got an end keeps it
    assert without_block(around, marks) == f"{other}\n{text}{ending}{other}"


@given(MARKS)
def test_any_number_of_marks_is_read_once(marks):
    text = f"{marks.begin}\n" * 100_000
    assert not has_block(text, marks)
    assert without_block(f"{text}{marks.end}\n", marks) == text[: -len(marks.begin) - 1]
