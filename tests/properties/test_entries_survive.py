"""Verbs on entries change what they are asked to change, whatever page and text they meet, and
nothing else: or they say why not, and nothing is changed."""

from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from memwiki.errors import MemwikiError, UsageError
from memwiki.facts.identity import identity
from memwiki.facts.value import status_of
from memwiki.markdown.outline import Outlines, outline_of
from memwiki.markdown.units import entries_of, entry_at, is_item, whole_section_at
from memwiki.memory.addresses import PageEntries, current_entry, with_id
from memwiki.memory.draft import AddOptions, draft_of, request_of, words_of_text
from memwiki.memory.insertion import Insertion, InsertionSettings, JudgedDraft
from memwiki.memory.placement import EntryPage
from memwiki.memory.plans import (
    EntryChange,
    PageBytes,
    delete_plan,
    move_plan,
    relate_plan,
    supersede_plan,
    unrelate_plan,
    update_plan,
)
from memwiki.memory.view import LocatedEntry
from memwiki.nouns import Layers
from memwiki.workspace import Workspace

LAYERS = Layers(memory="memory.md", learnings="learnings.md", daily="daily")
NOW, DAY = datetime(2026, 3, 4, 5, 6), "2026-03-04"
CLOCK_NS = int(NOW.timestamp() * 1e9)
IDS = tuple(f"m-zzzz{n:02}" for n in range(40))
LIMIT = 1_000_000
PATHS = ["memory.md", "learnings.md", "daily/2026-03-04.md"]
# Lines that make one another mean something else.
LINES = [
    "",
    "",
    "",
    "text",
    "# Memory",
    "# A",
    "## Facts",
    "## Preferences",
    "### Skills",
    "## 偏好",
    "## [2026-09-01] lesson | What came of it",
    "### LRN-20260901-001",
    "## Heading of prose\n\nProse of it.",
    "Under",
    "-----",
    "===",
    "- one",
    "- one",
    "- One. #drink",
    "- two #a [importance:: 0.8] ^m-aaaaaa",
    "- other words ^m-aaaaaa",
    "- three [key:: user/color] ^m-bbbbbb",
    "* star ^m-cccccc",
    "+ plus [because:: m-aaaaaa 0.5, m-cccccc]",
    "1. numbered ^m-dddddd",
    "- [fact] typed",
    "- [preference] 喜欢喝茶 #茶 ^m-eeeeee",
    "- ~~gone~~ [superseded_by:: m-aaaaaa] [valid_to:: 2026-01-01] ^m-ffffff",
    "- ~~[fact] gone too~~ #a",
    "- ~~half~~ struck",
    "- [ ] task",
    "- [x] done",
    "- several\n  lines of it\n  and more ^m-gggggg",
    "- nested ^m-hhhhhh\n  - key:: value\n  - plain\n    - deeper",
    "- data [importance:: 0.3]\n  - data::\n    - a: 1\n    - b: [1, 2]",
    "- para\n\n  of its own ^m-iiiiii",
    "- lazy\nlines",
    "- ```\n  # a ^m-jjjjjj\n  ```",
    "- code `[x:: y] ^m-aaaaaa`",
    "- [x](y) and [[memory#^m-aaaaaa]]",
    "- field [a b:: c] [A:: 1] [a:: 2] ^m-kkkkkk",
    "- twice ^m-llllll ^m-mmmmmm",
    "- id in the middle ^m-nnnnnn of it",
    "- ^m-oooooo",
    "-",
    "- ",
    "-\ttab ^m-pppppp",
    "  - indented ^m-qqqqqq",
    "   - three blanks",
    "- ends in a backslash\\",
    "- | a | b |",
    "- > quoted",
    "- # heading ^m-rrrrrr",
    "- <div>",
    "- x  ",
    "- cafe\u0301 ﬁne ^m-ssssss",
    "- [link]: dest",
    "- a\u00a0b\u2028c",
    "- 1. inner",
    "- - inner",
    "- ---",
    "- trailing #tag ^m-tttttt  ",
    "[fact]: http://x",
    "    code",
    "| a | b |",
    "|---|---|",
    "> quote",
    "<!-- note -->",
    "***",
    "---",
    "\f",
    "```\n- code ^m-aaaaaa\n```",
    "$$\nmath\n$$",
]
OPENERS = ["```", "~~~", "<!--", "<pre>", "<div>", "- ```", "$$"]
HEADS = ["", "", "---\ntitle: T\n---\n", "---\ntype: memory\n---\n\n", "---\ntitle: T\n", "\n\n"]
HEADS += ["+++\ntype = 'memory'\n+++\n", "+++\ntitle = 'T'\n"]
SOME = st.sampled_from(LINES * 6 + OPENERS)
# Texts that read as something else wherever they stand.
PARTS = [
    "Prefers tea.",
    "one",
    "One",
    "two #a",
    "喜欢喝茶",
    "#tag",
    "#drink",
    "[fact] ",
    "[k:: v]",
    "[key:: user/color]",
    "^m-aaaaaa",
    "~~",
    "~~gone~~",
    "`code`",
    "`",
    "```",
    "~~~",
    "<!--",
    "-->",
    "<div>",
    "# h",
    "- item",
    "  - sub:: x",
    "  - list",
    "1. a",
    "| a | b |",
    "|---|---|",
    "> q",
    "---",
    "===",
    "\\",
    "$$",
    "[[memory#^m-aaaaaa]]",
    "[a](b)",
    "[ ] task",
    "[fact]: http://x",
    "cafe\u0301",
    "\u2028",
    "\u00a0",
    "\r",
    "\0",
    "\x1b[1m",
    "\ud800",
    "\t",
    "    code",
    "*",
    "::",
    "[x::",
    "]",
    "",
]
JOINTS = st.sampled_from([" ", " ", "\n", "\n", "", "\n\n", "\n  "])
WORDS = st.lists(st.tuples(st.sampled_from(PARTS), JOINTS), min_size=1, max_size=5)
TEXTS = WORDS.map(lambda parts: "".join(a + b for a, b in parts)) | st.text(max_size=30)
NAMES = st.sampled_from(["a", "importance", "Ä ö", "because", "created", "a:", "", "key", "data"])
VALUES = st.sampled_from(
    ["1", "x y", "", "[[A]]", "]", "[", "`", "`a", "a, b", "中", "~~", "\n", " x "]
)
TAGS = st.lists(st.sampled_from(["a", "tea", "茶", "Two", "drink", "a/b"]), max_size=3, unique=True)


@st.composite
def pages(draw):
    """The bytes of a page: any lines, any line ends, with or without a BOM and a last line end."""
    body = "\n".join(draw(st.lists(SOME, max_size=12)))
    text = draw(st.sampled_from(HEADS)) + body + draw(st.sampled_from(["", "\n", "\n\n\n"]))
    ends = draw(st.sampled_from(["\n", "\n", "\r\n", "mixed"]))
    if ends == "mixed":
        parts = text.split("\n")
        picks = [draw(st.sampled_from(["\n", "\r\n"])) for _ in parts[1:]]
        text = "".join(a + b for a, b in zip(parts, [*picks, ""], strict=True))
    else:
        text = text.replace("\n", ends)
    return draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"])) + text.encode()


class Said(NamedTuple):
    """What one entry says, wherever it stands."""

    type: str
    text: str
    section: str
    id: str
    fields: dict[str, str]
    tags: tuple[str, ...]
    is_superseded: bool


def entries(path, data):
    return entries_of(outline_of(path, data, LAYERS)).entries


def said(found):
    return [Said(e.type, e.text, e.section, e.id, e.fields, e.tags, e.is_superseded) for e in found]


def others(found, entry):
    """What all entries but one say."""
    return said(each for each in found if each != entry)


def done(make):
    """What is made, or None when it was refused with a next step."""
    try:
        return make()
    except MemwikiError as error:
        assert error.hint or error.candidates
        return None


def assert_gone(path, found, entry, after):
    """All entries but one are left; prose beside the last item of a section may become one."""
    before, now = others(found, entry), entries(path, after)
    if said(now) == before:
        return
    page = outline_of(path, after, LAYERS)
    # It may say what another entry says, so that only its place tells which one is new.
    may_be_new = (at for at in range(len(now)) if said(now[:at] + now[at + 1 :]) == before)
    assert any(is_prose_beside(page, now[at], entry) for at in may_be_new)


def is_prose_beside(page, new, entry):
    section = whole_section_at(page, new.line_start)
    is_last = section and section.line_end == len(page.lines)  # blank lines at the end went, too
    return (
        section
        and section.line_start < entry.line_start
        and (is_last or entry.line_start <= section.line_end + 1)
    )


def bytes_after(plan, path, data):
    return next((edit.data for edit in plan.edits if edit.path == path), data)


def assert_put_in(old, new):
    """All bytes of the old page are in the new one, which only has more at one place."""
    start = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)))
    end = len(old) - start
    assert not end or new.endswith(old[-end:])


def assert_only_these_lines(path, old, new, entry):
    """All bytes before the entry and after it are as they were."""
    page = outline_of(path, old, LAYERS)
    before = (page.mark + page.text[: page.starts[entry.line_start - 1]]).encode()
    after = page.text[page.end_of(entry.line_end - 1) :].encode()
    assert new.startswith(before.rstrip(b"\r\n"))
    assert new.endswith(after.lstrip(b"\r\n"))
    assert len(new) >= len(before.rstrip(b"\r\n")) + len(after.lstrip(b"\r\n"))


def added(path, data, requests, options=AddOptions()):
    drafts = [draft_of(each, NOW, str, is_dated=True) for each in requests]
    target = EntryPage(path, is_by_day=path.startswith("daily/"))
    setting = InsertionSettings(options, LAYERS, DAY, LIMIT, 8, IDS, Outlines(LAYERS))
    judged = [JudgedDraft(draft, target) for draft in drafts]
    return drafts, Insertion(judged, setting, lambda _: data).plan()


@st.composite
def requests(draw):
    names = draw(st.dictionaries(NAMES, VALUES, max_size=2))
    return request_of(
        {
            "text": draw(TEXTS),
            "type": draw(st.sampled_from(["", "", "fact", "preference", "skill", "我的", "own"])),
            "tags": draw(TAGS),
            "key": draw(st.sampled_from(["", "", "user/color", "k"])),
            "importance": draw(st.sampled_from([None, 0.5])),
            "subject": draw(st.sampled_from(["", "", "Anna", "[["])),
            "attributes": names,
            "data": draw(
                st.sampled_from([None, None, {"a": [1, "x"]}, "[", ["^m-aaaaaa", "`"], {"": {}}])
            ),
        }
    )


@given(st.sampled_from(PATHS), pages() | st.none(), requests())
def test_what_is_added_reads_as_it_was_given_and_nothing_else_changes(path, data, asked):
    made = done(lambda: added(path, data, [asked]))
    if made is None:
        return
    (draft,), plan = made
    (written,) = plan.written
    after = bytes_after(plan.plan, path, data)
    if written.what == "repeated":
        assert after == data
        entry = entry_at(outline_of(path, data, LAYERS), written.line) if written.line else None
        assert entry is None or not entry.is_superseded
        return
    entry = with_id(outline_of(path, after, LAYERS), written.id)
    assert entry is not None
    if written.what == "replaced":
        before = [e for e in entries(path, data) if e.line_start == entry.line_start]
        assert others(entries(path, data), before[0]) == others(entries(path, after), entry)
        assert_only_these_lines(path, data, after, before[0])
        return
    assert entry.text == draft.text
    assert entry.tags == draft.tags
    assert not entry.is_superseded
    if draft.type:
        assert entry.type == draft.type
    assert {k: v for k, v in entry.fields.items() if k in draft.fields} == draft.fields
    assert set(entry.fields) - set(draft.fields) <= {"data"} | {
        line.split("::")[0].removeprefix("- ") for line in draft.below.split("\n")
    }
    if data is not None:
        assert_put_in(data, after)
        assert others(entries(path, after), entry) == said(entries(path, data))


CHANGES = st.fixed_dictionaries(
    {
        "text": TEXTS | st.none(),
        "fields": st.dictionaries(NAMES, VALUES, max_size=2),
        "tags": TAGS | st.none(),
    }
)


def one_of(draw, path, data):
    """A page of a workspace, and one of its entries."""
    found = entries(path, data)
    assume(found)
    entry = draw.draw(st.sampled_from(found))
    page = outline_of(path, data, LAYERS)
    read = {path: data}.__getitem__
    # As the verbs name it: an id that several bear is refused before a plan is made.
    assume(not entry.id or [e.id for e in found].count(entry.id) == 1)
    return LocatedEntry(path, page.type, entry), PageBytes(read, LAYERS, DAY, LIMIT), found


@given(st.data(), st.sampled_from(PATHS), pages(), CHANGES)
def test_an_update_changes_the_lines_of_its_entry_only(draw, path, data, asked):
    known, pages_, found = one_of(draw, path, data)

    def plan():
        text = None if asked["text"] is None else words_of_text(asked["text"], CLOCK_NS)
        return update_plan(known, EntryChange(text, asked["fields"], asked["tags"]), pages_)

    made = done(plan)
    if made is None or not made.edits:
        return
    after = bytes_after(made, path, data)
    now = entry_at(outline_of(path, after, LAYERS), known.entry.line_start)
    assert now is not None
    assert now.id == known.entry.id
    assert now.type == known.entry.type
    assert now.is_superseded == known.entry.is_superseded
    if asked["tags"] is not None:
        assert set(now.tags) == set(asked["tags"])
    for name, value in asked["fields"].items():
        key = name.casefold().replace(" ", "_").strip()
        assert now.fields.get(key, "") == value.strip() or key == "updated"
    kept = {k: v for k, v in known.entry.fields.items() if k != "updated"}
    changed = {name.casefold().replace(" ", "_") for name in asked["fields"]}
    assert all(now.fields.get(k) == v for k, v in kept.items() if k not in changed)
    assert others(found, known.entry) == others(entries(path, after), now)
    assert_only_these_lines(path, data, after, known.entry)


@given(st.data(), st.sampled_from(PATHS), pages(), TEXTS)
def test_superseding_keeps_the_old_words_and_adds_the_new_ones(draw, path, data, text):
    known, pages_, found = one_of(draw, path, data)
    plan = done(lambda: supersede_plan(known, words_of_text(text, CLOCK_NS), IDS, pages_))
    if plan is None:
        return
    after = bytes_after(plan, path, data)
    page = outline_of(path, after, LAYERS)
    _, old_id, _, new_id, *_ = plan.title.split()
    old, new = with_id(page, old_id), with_id(page, new_id)
    assert old and new
    assert old.is_superseded
    assert not new.is_superseded
    assert (old.text, old.fields["superseded_by"], new.fields["supersedes"]) == (
        known.entry.text,
        new_id,
        old_id,
    )
    assert new.type == known.entry.type or text.lstrip().startswith(("[", "- [", "* ["))
    rest = [each for each in entries(path, after) if each not in (old, new)]
    assert others(found, known.entry) == said(rest)
    if is_item(outline_of(path, data, LAYERS), known.entry):
        assert_only_these_lines(path, data, after, known.entry)


@given(st.data(), st.sampled_from(PATHS), pages())
def test_a_deletion_takes_its_entry_only(draw, path, data):
    known, pages_, found = one_of(draw, path, data)
    made = done(lambda: delete_plan(known, pages_, is_final=False))
    if made is None:
        return
    after = bytes_after(made, path, data)
    assert_gone(path, found, known.entry, after)
    assert_only_these_lines(path, data, after, known.entry)


TWINS = ["## H\n\nProse of it.", "### H\n\nProse of it.", "#### H\n\nProse of it.", "# H\n\nProse."]
AROUND = [
    "## [2026-09-01] lesson | W\ntext",
    "- one",
    "- one\n\n",
    "# Memory",
    "",
    "text",
    "## Facts",
]


@given(
    st.data(),
    st.sampled_from(PATHS),
    st.lists(st.sampled_from(TWINS + AROUND), min_size=2, max_size=6).map("\n".join),
)
def test_no_deletion_of_a_heading_makes_one_entry_of_two(draw, path, text):
    test_a_deletion_takes_its_entry_only.hypothesis.inner_test(draw, path, text.encode())


def test_a_heading_that_holds_others_apart_is_not_deleted():
    path = PATHS[0]
    data = (
        b"## [2026-09-01] lesson | W\ntext\n- one\n\n### Gone\n\nWords.\n"  # would take in the item
    )
    (gone,) = (each for each in entries(path, data) if "Gone" in each.text)
    page = outline_of(path, data, LAYERS)
    read = PageBytes({path: data}.__getitem__, LAYERS, DAY, LIMIT)
    with pytest.raises(UsageError, match="other entries would be read otherwise"):
        delete_plan(LocatedEntry(path, page.type, gone), read, is_final=False)


def test_prose_above_a_deleted_heading_may_become_an_entry():
    path, data = PATHS[0], b"## P\n\nProse.\n\n### Gone\n\nWords.\n"
    (gone,) = entries(path, data)
    read = PageBytes({path: data}.__getitem__, LAYERS, DAY, LIMIT)
    made = delete_plan(LocatedEntry(path, "", gone), read, is_final=False)
    assert bytes_after(made, path, data).rstrip() == b"## P\n\nProse."


@given(st.data(), st.sampled_from(PATHS), pages(), pages() | st.none())
def test_a_move_brings_the_bytes_of_its_entry_and_leaves_all_others(draw, path, data, there):
    known, _, found = one_of(draw, path, data)
    to = "wiki/kept.md"
    if there is not None:
        there = b"---\ntype: memory\n---\n" + there.removeprefix(b"\xef\xbb\xbf")
    files = {path: data} | ({to: there} if there is not None else {})
    pages_ = PageBytes(files.__getitem__, LAYERS, DAY, LIMIT)
    made = done(lambda: move_plan(known, EntryPage(to), there, (), pages_))
    if made is None:
        return
    here, after = bytes_after(made, path, data), bytes_after(made, to, there)
    assert_gone(path, found, known.entry, here)
    assert_only_these_lines(path, data, here, known.entry)
    before = said(entries(to, there)) if there is not None else []
    now = said(entries(to, after))
    left = list(now)
    for each in before:
        assert each in left
        left.remove(each)
    (moved,) = left
    assert moved._replace(section="") == said([known.entry])[0]._replace(section="")
    if there is not None:
        assert_put_in(there, after)


@given(st.data(), st.sampled_from(PATHS), pages(), st.sampled_from([None, 0.5]))
def test_relating_and_back_changes_the_two_entries_only(draw, path, data, weight):
    one, pages_, found = one_of(draw, path, data)
    other = one._replace(entry=draw.draw(st.sampled_from(found)))
    assume(other.entry != one.entry)
    assume([e.id for e in found].count(other.entry.id) == 1 or not other.entry.id)
    made = done(lambda: relate_plan(one, other, "supports", weight, IDS, pages_))
    if made is None or not made.edits:
        return
    after = bytes_after(made, path, data)
    page = outline_of(path, after, LAYERS)
    now = entries(path, after)
    assert len(now) == len(found)
    ends = {found.index(one.entry), found.index(other.entry)}
    rest = [i for i in range(len(found)) if i not in ends]
    assert said(found[i] for i in rest) == said(now[i] for i in rest)
    first, second = now[found.index(one.entry)], now[found.index(other.entry)]
    assert second.id
    assert first.fields["supports"].split(", ")[-1].split(" ")[0] == second.id
    assert (first.text, second.text) == (one.entry.text, other.entry.text)
    again_ = PageBytes({path: after}.__getitem__, LAYERS, DAY, LIMIT)
    here, there = (LocatedEntry(path, page.type, each) for each in (first, second))
    back = done(lambda: unrelate_plan(here, there, "supports", again_))
    assert back is not None
    undone = entries(path, bytes_after(back, path, after))[found.index(one.entry)]
    assert undone.fields.get("supports", "") == one.entry.fields.get("supports", "")


@given(st.sampled_from(PATHS), pages(), TEXTS, st.sampled_from([1, 100]))
def test_what_is_known_equals_a_scan_of_all_entries(path, data, text, wanted):
    page = outline_of(path, data, LAYERS)
    holding = [
        each
        for each in entries_of(page).entries
        if status_of(each.fields, is_struck=each.is_superseded) != "superseded"
    ]
    known = PageEntries(page, wanted)
    for words in (text, *(each.text for each in entries_of(page).entries)):
        bare = identity(words)
        same = [e for e in holding if identity(e.text) == bare]
        assert known.same(words) == (same[0] if same else None)
    for key in ("user/color", "k"):
        keyed = [each for each in holding if each.fields.get("key") == key]
        assert list(known.with_key(key)) == keyed


@given(st.sampled_from(PATHS), pages())
def test_finding_an_entry_again_equals_a_scan_of_all_entries(path, data):
    page = outline_of(path, data, LAYERS)
    found = entries_of(page).entries
    for entry in found:
        assert entry_at(page, entry.line_start) == entry
        assert current_entry(page, entry) == entry
        moved = entry._replace(line_start=len(page.lines) + 1, line_end=len(page.lines) + 1)
        twins = [each for each in found if entry.id and each.id == entry.id]
        if len(twins) != 1:
            twins = [
                e for e in found if (e.text, e.id, e.fields) == (entry.text, entry.id, entry.fields)
            ]
        meant = done(lambda: current_entry(page, moved))
        assert meant == (twins[0] if len(twins) == 1 else None)
        assert not entry.id or with_id(page, entry.id) == next(
            each for each in found if each.id == entry.id
        )


# --- a workspace: any sequence of verbs, and the way back ----------------------------------------


def files_of(root):
    return {path.name: path.read_bytes() for path in root.rglob("*.md")}


def name_of(draw, space):
    """The address of an entry that is there, or one that nothing has."""
    found = [e.id or f"{e.path}:{e.line_start}" for e in space.entries.list()]
    return draw.draw(st.sampled_from([*found, "m-nobody", "user/color", "memory.md:3"]))


VERBS = {
    "add": lambda draw, ws: ws.entries.add(
        draw.draw(TEXTS),
        type=draw.draw(st.sampled_from(["", "fact", "lesson"])),
        tags=draw.draw(TAGS),
        key=draw.draw(st.sampled_from(["", "user/color"])),
        to=draw.draw(st.sampled_from(["", "learnings", "daily", "wiki/kept.md"])),
        on_near=draw.draw(st.sampled_from(["report", "replace", "merge", "keep"])),
    ),
    "update": lambda draw, ws: ws.entries.update(
        name_of(draw, ws),
        draw.draw(TEXTS),
        fields=draw.draw(st.dictionaries(NAMES, VALUES, max_size=1)),
    ),
    "supersede": lambda draw, ws: ws.entries.supersede(name_of(draw, ws), draw.draw(TEXTS)),
    "delete": lambda draw, ws: ws.entries.delete(name_of(draw, ws)),
    "move": lambda draw, ws: ws.entries.move(
        name_of(draw, ws), draw.draw(st.sampled_from(["memory", "learnings", "daily", "wiki/x.md"]))
    ),
    "relate": lambda draw, ws: ws.entries.relate(
        name_of(draw, ws),
        name_of(draw, ws),
        draw.draw(st.sampled_from(["因为", "supports", '"a b"'])),
    ),
    "unrelate": lambda draw, ws: ws.entries.unrelate(name_of(draw, ws), name_of(draw, ws)),
    "set_tags": lambda draw, ws: ws.entries.set_tags(name_of(draw, ws), draw.draw(TAGS)),
}


@given(st.data(), pages(), st.lists(st.sampled_from(sorted(VERBS)), min_size=1, max_size=6))
def test_any_verbs_taken_back_leave_the_bytes_of_the_start(draw, page, verbs):
    with TemporaryDirectory() as base:
        root = Path(base, "ws")
        (root / ".memwiki").mkdir(parents=True)
        (root / "memwiki.toml").write_text("[catalog]\nenabled = false\n")
        (root / "memory.md").write_bytes(page)
        before = files_of(root)
        environ = {"MEMWIKI_CACHE_DIR": str(Path(base, "cache"))}
        with Workspace.open(root, find=False, environ=environ) as space:
            steps = [before]
            for verb in verbs:
                try:
                    VERBS[verb](draw, space)
                except MemwikiError as error:
                    assert error.hint or error.candidates
                    assert files_of(root) == steps[-1]
                if files_of(root) != steps[-1]:
                    steps.append(files_of(root))
            while len(steps) > 1:
                steps.pop()
                space.undo()
                assert files_of(root) == steps[-1]
    assert steps == [before]
