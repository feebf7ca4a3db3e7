"""What retires is in the archive with all that it says, and comes back; nothing else changes."""

from datetime import datetime

from hypothesis import given
from hypothesis import strategies as st

from memwiki.config import Config, MemoryConfig, RetentionConfig
from memwiki.errors import NotEditableError
from memwiki.files.usage_log import Sum
from memwiki.markdown.entries import TASK_LINE
from memwiki.markdown.outline import outline_of
from memwiki.markdown.structure import open_block
from memwiki.markdown.units import entries_of, is_item
from memwiki.memory.page_edits import PageEdits
from memwiki.memory.patches import remove_entries
from memwiki.memory.view import LocatedEntry, Views
from memwiki.nouns import Layers
from memwiki.upkeep.archive import dedent_lines, restore_entry
from memwiki.upkeep.put_away import (
    Origin,
    mark_lines,
    origin_of,
    origin_text,
    own_text,
    statements,
    unmark_entry,
)
from memwiki.upkeep.retire import retire_entries
from memwiki.upkeep.work import CollectionMember, UpkeepWork
from tests.properties.test_entries_survive import pages as odd_pages

LAYERS = Layers(
    memory="memory.md",
    learnings="learnings.md",
    daily="daily",
    sessions="sessions",
    archive="archive",
)
NOW = int(datetime(2026, 3, 4, 5, 6).timestamp() * 1e9)
IDS = tuple(f"m-yyyy{n:02}" for n in range(90))
EVERY_DAY = RetentionConfig("ttl", ttl_days=1)
PATH, ARCHIVED = "daily/2026-01-01.md", "archive/memory/2026-03.md"


def config(most=500, **retention):
    return Config(layers=LAYERS, memory=MemoryConfig(max_entries_a_page=most), retention=retention)


def run(files, settings, conversations=()):
    """One run; the files after it, and what it did."""
    views = Views(settings, NOW, lambda _: Sum())
    paths = [path for path in files if not path.startswith(("archive/", "sessions/"))]
    pages = PageEdits(files.get, settings.layers, "2026-03-04", 1_000_000)
    done = retire_entries(UpkeepWork(settings, NOW, paths, views, IDS, conversations), pages)
    return applied(files, pages), done


def applied(files, pages):
    after = {**files, **{edit.path: edit.data for edit in pages.edits()}}
    return {path: data for path, data in after.items() if data is not None}


def entries(path, files):
    return entries_of(outline_of(path, files[path], LAYERS)).entries if path in files else ()


def test_an_entry_retires_with_its_lines_its_id_and_where_it_was():
    lines = "# D\n\n## Facts\n- a #x\n  - b\n- [ ] task\n- c ^m-aaaaaa\n"
    files, done = run({PATH: lines.encode()}, config(daily=EVERY_DAY))
    assert files[PATH] == b"# D\n\n## Facts\n- [ ] task\n- c ^m-aaaaaa\n"
    assert files[ARCHIVED].decode() == (
        "---\ntitle: 2026-03\ntype: memory\ncreated: 2026-03-04\n---\n# 2026-03\n\n## Facts\n"
        "- a #x [from:: daily/2026-01-01.md > D > Facts] ^m-yyyy00\n  - b\n"
    )
    (step,) = done.steps
    assert (step.verb, step.id, step.to) == ("retired", "m-yyyy00", ARCHIVED)
    assert step.reason == "62 days old"
    assert done.collections == (("daily", 2, 1),)


def test_a_full_page_of_the_archive_is_followed_by_another_one():
    text = "".join(f"- entry {n}\n" for n in range(70))
    files, _ = run({PATH: text.encode()}, config(most=3, daily=EVERY_DAY))
    held = [len(entries(f"archive/memory/2026-03{end}.md", files)) for end in ("", "-2", "-3")]
    assert held == [3, 3, 1]


def test_a_heading_with_prose_stays_and_is_told_of():
    files = {PATH: b"# D\n\n## [2026-01-01] lesson | x\n\nprose\n"}
    after, done = run(files, config(daily=EVERY_DAY))
    assert after == files
    assert done.notes == ("daily: 1 entry that is a heading with text below do not retire",)


def test_a_conversation_moves_as_it_is_and_never_over_another_one():
    files = {"sessions/a.md": b"\xff\r\n", "archive/sessions/a.md": b"old"}
    held = [CollectionMember("sessions/a.md", age_days=9.0)]
    after, done = run(files, config(conversation=EVERY_DAY), held)
    assert after == {"archive/sessions/a-2.md": b"\xff\r\n", "archive/sessions/a.md": b"old"}
    assert done.collections == (("conversation", 1, 1),)


def test_ids_are_drawn_once_for_all_collections():
    files = {PATH: b"- a\n", "notes.md": b"---\ntype: daily\n---\n- b ^m-aaaaaa\n- c\n"}
    settings = config(daily=EVERY_DAY, notes=RetentionConfig("capacity", max_items=0))
    files["notes.md"] = files["notes.md"].replace(b"- c", b"- c [created:: 2026-01-01]")
    after, _ = run(files, settings)
    ids = [each.id for each in entries(ARCHIVED, after)]
    assert len(set(ids)) == len(ids) == 2


def test_without_an_archive_nothing_retires():
    settings = config(daily=EVERY_DAY)._replace(layers=LAYERS._replace(archive=""))
    after, done = run({PATH: b"- a\n"}, settings)
    assert after == {PATH: b"- a\n"}
    assert done.notes == ("nothing can retire: memwiki config set layers.archive archive",)


@given(odd_pages())
def test_whatever_a_page_looks_like_its_entries_are_either_there_or_in_the_archive(data):
    files, settings = {PATH: data}, config(daily=EVERY_DAY)
    try:
        before = entries(PATH, files)
    except Exception as error:
        assert run(files, settings)[0] == files, error
        return
    done = None
    while done is None or done.steps:
        files, done = run(files, settings)
        archived = [e for path in files if path != PATH for e in entries(path, files)]
        assert_same(before, data, entries(PATH, files), files[PATH], archived)
        assert tasks(data) == tasks(files[PATH])
    assert_restored(before, data, files)


def assert_same(before, data, now, left, archived=()):
    """The items say the same; prose beside the last one of a section may have become an entry."""
    items, whole = parted(before, data)
    items_now, whole_now = parted(now, left)
    assert items_now + statements(each._replace(id="") for each in archived) == items
    assert not whole - whole_now


def parted(found, data):
    """What items say, and what headings with prose say."""
    page = outline_of(PATH, data, LAYERS)
    items = [each for each in found if is_item(page, each)]
    rest = [each for each in found if each not in items]
    return (
        statements(each._replace(id="") for each in items),
        statements(each._replace(id="") for each in rest),
    )


def tasks(data):
    lines = data.decode("utf-8-sig").replace("\r\n", "\n").split("\n")
    return [line for line in lines if TASK_LINE.match(line)]


def assert_restored(before, data, files):
    page = outline_of(PATH, data, LAYERS)
    texts = {own_text(page, each) for each in before if is_item(page, each)}
    while found := [(path, e) for path in files if path != PATH for e in entries(path, files)]:
        path, entry = found[0]
        known = LocatedEntry(path, "memory", entry)
        archived = outline_of(path, files[path], LAYERS)
        pages = PageEdits(files.get, LAYERS, "2026-03-04", 1_000_000)
        try:
            restore_entry(known, unmark_entry(archived, entry).origin, {}, pages)
        except NotEditableError:
            # As with every other verb: what is added would become part of what is not closed.
            assert open_block(pages.page(PATH).lines)
            return
        files = applied(files, pages)
        now = next(e for e in entries(PATH, files) if e.id == entry.id)
        text = own_text(outline_of(PATH, files[PATH], LAYERS), now)
        for drawn in (f" ^{now.id}", f"\n  ^{now.id}", f"\n   ^{now.id}", f"\n    ^{now.id}"):
            if text not in texts and entry.id in IDS:
                text = text.replace(drawn, "")
        assert text in texts or dedent_lines(text) in map(dedent_lines, texts)
    sections = outline_of(PATH, data, LAYERS).sections
    # Of two headings of one name the first may take what was below the second.
    if len({each.trail for each in sections}) == len(sections):
        assert_same(before, data, entries(PATH, files), files[PATH])


@given(st.lists(st.text(max_size=12), min_size=1, max_size=4))
def test_an_origin_comes_back_from_a_field_whatever_it_is_called(parts):
    path, *trail = (" ".join(part.split()) or "x" for part in parts)
    origin = Origin(path, tuple(trail))
    value = origin_text(origin)
    assert origin_of(value) == origin
    page = outline_of("memory.md", b"- a `b` ^m-aaaaaa\n", LAYERS)
    (entry,) = entries_of(page).entries
    if not any(map(is_lone, path + "".join(trail))):
        text = mark_lines(page, entry, origin, "")
        after = outline_of("memory.md", text.encode(), LAYERS)
        assert unmark_entry(after, entries_of(after).entries[0]) == ("- a `b` ^m-aaaaaa", origin)


def is_lone(sign):
    return "\ud800" <= sign <= "\udfff"


@given(odd_pages(), st.randoms())
def test_many_entries_go_at_once_and_the_rest_reads_as_before(data, random):
    try:
        page = outline_of(PATH, data, LAYERS)
    except Exception:
        return
    items = [each for each in entries_of(page).entries if is_item(page, each)]
    after = remove_entries(page, [each for each in items if random.random() < 0.6])
    left = [each for each in entries_of(page).entries if each not in after.gone]
    now = [each for each in entries_of(after.page).entries if is_item(after.page, each)]
    expected = [statements([each]) for each in left if is_item(page, each)]
    assert [statements([each]) for each in now] == expected
