"""Whatever pages and files are called elsewhere, they get paths that every system takes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from imported import EMPTY_FOLDER

from memwiki.adapters.importers.new_pages import distinct, safe_path
from memwiki.files.ignore import is_leftover, why_not_folder
from memwiki.files.paths import colliding, contain, why_unsafe

PARTS = st.one_of(
    st.text(max_size=6),
    st.text("aA.%2fFeE5c \u202e\u200b\ud800\uff0f\u2100\x00é/\\:~", max_size=8),
    st.sampled_from(
        ["..", ".", "con", "LPT1.md", "node_modules", ".git", "a.md", "A.md", "a", "A"]
    ),
    st.integers(100, 9000).map(lambda count: "文" * count),
)


@given(st.lists(st.lists(PARTS, min_size=1, max_size=15), max_size=6))
def test_any_names_make_paths_that_are_safe_and_distinct(names):
    wanted = [(str(i), f"{safe_path(parts)}.md") for i, parts in enumerate(names)]
    paths = list(dict(distinct(wanted)).values())
    assert len(paths) == len(names)
    folders = {path[:at] for path in paths for at, sign in enumerate(path) if sign == "/"}
    assert colliding([*paths, *folders]) == ()
    for path in paths:
        assert why_unsafe(path) == ""
        assert contain(EMPTY_FOLDER, path) == path
        assert not any(map(why_not_folder, path.split("/")))
        assert not is_leftover(path.rpartition("/")[2])


def test_plain_names_are_paths_as_they_are():
    for path in ["a b/ç (1)/日记 & x", "Node.js/v1.2", "100% sure", "a, b; c=d+e!~'[x]"]:
        assert safe_path(path.split("/")) == path
