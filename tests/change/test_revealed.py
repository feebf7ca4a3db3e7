"""Plans made from what is shown of a page keep its private lines, or are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memwiki.change.apply import apply
from memwiki.change.plan import Edit, Plan
from memwiki.digest import digest_of
from memwiki.errors import ConflictError, PrivateError
from memwiki.files.read import current_bytes, exists
from memwiki.markdown.private import public_bytes
from memwiki.nouns import Layers
from memwiki.sync.context import public_root

LAYERS = Layers()
PAGE = b"# Facts\n\n- Tea is green.\n- The code is 4711. [private:: true]\n- Rice is white.\n"
ENDS = b"# Facts\n\n- Tea is green.\n- The code is 4711. [private:: true]\n"


@pytest.fixture
def shown(root):
    return public_root(root, LAYERS)


def write(shown, root, change, page=PAGE, path="a.md"):
    (root / path).write_bytes(page)
    before = current_bytes(shown, path)
    assert b"4711" not in before
    edit = Edit(path, digest_of(before), change(before), base=before)
    apply(shown, Plan((edit,), "changed a page", "update"))
    return (root / path).read_bytes()


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("page", [PAGE, ENDS, ENDS.removesuffix(b"\n")], ids=["in", "end", "cut"])
def test_what_is_changed_beside_private_lines_leaves_them(shown, root, page, end, mark):
    page = mark + page.replace(b"\n", end)
    made = write(shown, root, lambda seen: seen.replace(b"green", b"black"), page)
    assert made == page.replace(b"green", b"black")


def test_lines_added_next_to_private_ones_are_shown(shown, root):
    for page in (PAGE, ENDS, ENDS.removesuffix(b"\n")):
        made = write(
            shown, root, lambda seen: seen.replace(b"green.\n", b"green.\n- Milk is white.\n"), page
        )
        assert made == page.replace(b"green.\n", b"green.\n- Milk is white.\n")
        assert b"Milk" in current_bytes(shown, "a.md")
        made = write(shown, root, lambda seen: seen + b"- Last of all.\n", page)
        assert b"4711" in made and b"Last of all" in current_bytes(shown, "a.md")


@pytest.mark.parametrize(
    "change",
    [
        lambda seen: b"```\n" + seen,  # which would turn them into code
        lambda seen: seen.replace(b"# Facts", b"# Other"),  # they would be read below another
        lambda seen: seen + b"- Of mine. [private:: true]\n",
        lambda seen: b"---\nprivate: true\n---\n" + seen,
        lambda _: b"# Facts\n",
    ],
    ids=["code", "heading", "new line", "whole page", "all gone"],
)
def test_what_would_change_how_private_lines_are_read_is_refused(shown, root, change):
    with pytest.raises(PrivateError):
        write(shown, root, change)
    assert (root / "a.md").read_bytes() == PAGE


def test_a_file_that_is_not_seen_is_neither_written_nor_removed(shown, root):
    diary = b"---\nprivate: true\n---\nxylophone\n"
    (root / "diary.md").write_bytes(diary)
    (root / "a.md").write_bytes(PAGE)
    for edit in (
        Edit("diary.md", "", b"x\n"),
        Edit("diary.md/below.md", "", b"x\n"),
        Edit("diary.md", digest_of(diary), None, base=diary),
        Edit("a.md", digest_of(current_bytes(shown, "a.md")), None),
    ):
        with pytest.raises(PrivateError):
            apply(shown, Plan((edit,)))
    assert (root / "diary.md").read_bytes() == diary
    assert (root / "a.md").read_bytes() == PAGE


def test_a_page_moves_with_its_private_lines(shown, root):
    (root / "a.md").write_bytes(PAGE)
    seen = current_bytes(shown, "a.md")
    edits = (
        Edit("b.md", "", seen.replace(b"green", b"black"), was="a.md"),
        Edit("a.md", digest_of(seen), None, base=seen),
    )
    apply(shown, Plan(edits, "moved a page", "move"))
    assert not exists(root, "a.md")
    assert (root / "b.md").read_bytes() == PAGE.replace(b"green", b"black")


def test_what_others_changed_meanwhile_is_merged_or_met(shown, root):
    (root / "a.md").write_bytes(PAGE)
    seen = current_bytes(shown, "a.md")
    edit = Edit("a.md", digest_of(seen), seen.replace(b"green", b"black"), base=seen)
    other = PAGE.replace(b"4711", b"0815").replace(b"white", b"brown")
    (root / "a.md").write_bytes(other)
    apply(shown, Plan((edit,)))
    assert (root / "a.md").read_bytes() == other.replace(b"green", b"black")
    (root / "a.md").write_bytes(PAGE.replace(b"green", b"red"))
    with pytest.raises(ConflictError):
        apply(shown, Plan((edit,)))


def test_what_is_below_such_a_root_is_an_ordinary_path(shown, root):
    assert type(shown / "a.md") is type(root)
    assert shown / "a.md" == root / "a.md"


_LINES = st.sampled_from(
    [b"", b"- a", b"- b", b"  - c", b"# H", b"## I", b"text", b"> q", b"```", b"| x | y |", b"1. n"]
)
_PRIVATE = st.sampled_from(
    [b"- s0 [private:: true]", b"s1 [private:: true]", b"  - s2 [private:: true]"]
)


@given(
    lines=st.lists(st.one_of(_LINES, _PRIVATE), min_size=1, max_size=12),
    changes=st.lists(
        st.tuples(st.integers(0, 12), st.integers(0, 3), st.lists(_LINES, max_size=3)), max_size=3
    ),
)
def test_any_change_keeps_every_private_line_or_is_refused(lines, changes, tmp_path_factory):
    root = tmp_path_factory.mktemp("any")
    shown = public_root(root, LAYERS)
    page = b"\n".join(lines)
    (root / "a.md").write_bytes(page)
    seen = current_bytes(shown, "a.md")
    new = seen.split(b"\n")
    for at, gone, added in changes:
        new[at : at + gone] = added
    data = b"\n".join(new)
    secret = private_of(page, seen)
    try:
        apply(shown, Plan((Edit("a.md", digest_of(seen), data, base=seen),)))
    except PrivateError:
        assert (root / "a.md").read_bytes() == page
        return
    made = (root / "a.md").read_bytes()
    assert public_bytes("a.md", made, LAYERS) == data
    assert private_of(made, data) == secret


def private_of(full, shown):
    pairs = zip(full.split(b"\n"), shown.split(b"\n"), strict=True)
    return [line for line, seen in pairs if line != seen]
