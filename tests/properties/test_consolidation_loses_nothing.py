"""Whatever pages a consolidation meets: it ends, loses no words, leaves all else alone, and is
undone to the byte."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st
from properties.test_entries_survive import LINES, OPENERS

from memwiki.facts.identity import identity, without_last_tags
from memwiki.judgement.similarity import jaccard, words_of
from memwiki.markdown.outline import outline_of
from memwiki.markdown.units import entries_of
from memwiki.nouns import Layers
from memwiki.workspace import Workspace

LAYERS = Layers(memory="memory.md", learnings="learnings.md", daily="daily", inbox="inbox")
SETTINGS = '[layers]\nmemory = "memory.md"\nlearnings = "learnings.md"\ndaily = "daily"\n'
SETTINGS += 'inbox = "inbox"\nwiki = "wiki"\narchive = "archive"\n'
PATHS = ["memory.md", "inbox/2026-09-01.md", "inbox/2026-09-02.md", "daily/2026-09-01.md"]
TEXTS = [
    "Never deploy on Fridays.",
    "never deploy on fridays",
    "It is important to always lock the door of the old house at night before leaving. #home",
    "It is important to always lock the door of the old house at night before you leave.",
    "The user likes green tea.",
    "The user does not like green tea.",
    "Ada must review each release, a rule. #work",
    "必须每周五提交项目进展报告",
    "必须每周五提交项目进展报告。 #工作",
    "用户喜欢喝绿茶",
    "用户不喜欢喝绿茶",
    "Service 3 must always be restarted.",
    "Service 4 must always be restarted.",
]
FIELDS = [
    "",
    "",
    "[status:: staged]",
    "[status:: staged]",
    "[importance:: 0.9]",
    "[status:: staged] [importance:: 0.9] [created:: 2026-08-01T10:00:00]",
    "[status:: staged] [created:: 2026-08-01T10:30:00] [confidence:: 0.4]",
    "[key:: user/tea]",
    "[private:: true]",
    "[origin:: web] [status:: staged]",
    "[because:: m-zz1]",
    "[entities:: Ada Lovelace]",
    "[subject:: user] [topic:: tea] [object:: green]",
]
BELOW = ["", "", "", "\n  - time:: 2026\n  - plain", "\n  and on", "\n\n  para", "  "]


@st.composite
def items(draw):
    """A list item; ids are few, so that some stand twice."""
    parts = [draw(st.sampled_from(["- ", "- ", "* ", "1. ", "- [fact] ", "- [skill] "]))]
    parts += [draw(st.sampled_from(TEXTS))]
    if marks := draw(st.sampled_from(FIELDS)):
        parts += [" ", marks]
    if draw(st.booleans()):
        parts += [f" ^m-zz{draw(st.integers(1, 8))}"]
    return "".join(parts) + draw(st.sampled_from(BELOW))


@st.composite
def pages(draw):
    """The bytes of a page with odd lines between its entries."""
    odd = st.sampled_from(LINES + OPENERS)
    lines = draw(st.lists(st.one_of(items(), items(), items(), odd), max_size=9))
    text = "\n".join(lines) + draw(st.sampled_from(["", "\n", "\n\n"]))
    text = text.replace("\n", draw(st.sampled_from(["\n", "\n", "\r\n"])))
    return draw(st.sampled_from([b"", b"", b"\xef\xbb\xbf"])) + text.encode()


def files(root):
    found = {}
    for path in sorted(root.rglob("*.md")):
        found[path.relative_to(root).as_posix()] = path.read_bytes()
    return found


def entries(held):
    for path, data in held.items():
        for entry in entries_of(outline_of(path, data, LAYERS)).entries:
            yield path, entry


def untagged_words(text):
    return words_of(without_last_tags(text)[0])


def assert_no_words_are_lost(before, after):
    left = [entry.text for _, entry in entries(after)]
    known, sets = set(map(identity, left)), list(map(untagged_words, left))
    for _, entry in entries(before):
        words = untagged_words(entry.text)
        assert identity(entry.text) in known or any(jaccard(words, s) >= 0.8 for s in sets)


def assert_other_lines_stay(before, after, report):
    """What no step names is there as it was, in its order."""
    at = {(step.path, step.line) for step in report.steps}
    named = {step.to for step in report.steps}
    for path, data in before.items():
        lines = outline_of(path, data, LAYERS).lines
        touched = set()
        for _, entry in entries({path: data}):
            places = {f"{path}:{entry.line_start}", entry.id}
            if (path, entry.line_start) in at or (named & places):
                touched.update(range(entry.line_start - 1, entry.line_end))
        rest = [line for number, line in enumerate(lines) if number not in touched and line]
        now = iter(outline_of(path, after[path], LAYERS).lines)
        assert all(line in now for line in rest), path


def assert_no_id_is_doubled(before, after):
    old, new = ([entry.id for _, entry in entries(held) if entry.id] for held in (before, after))
    assert all(new.count(id_) <= max(1, old.count(id_)) for id_ in new)


def assert_days_keep_their_lines(before, after):
    for path in before:
        if path.startswith("daily/"):
            old, new = (
                [e.text for _, e in entries({path: held[path]})] for held in (before, after)
            )
            assert old == new


@settings(max_examples=5)  # each writes a workspace
@given(st.fixed_dictionaries(dict.fromkeys(PATHS, pages())), st.booleans())
def test_a_consolidation_ends_loses_nothing_and_is_undone(made, has_memory):
    with TemporaryDirectory() as folder:
        root = Path(folder)
        (root / ".memwiki").mkdir()
        (root / "memwiki.toml").write_text(SETTINGS)
        for path, data in made.items():
            if has_memory or path != "memory.md":
                (root / path).parent.mkdir(exist_ok=True)
                (root / path).write_bytes(data)
        before = files(root)
        with Workspace.open(root, find=False) as space:
            report = space.upkeep.consolidate()
            after = files(root)
            assert_no_words_are_lost(before, after)
            if not report.edited.notes:
                assert_other_lines_stay(before, after, report)
            assert_no_id_is_doubled(before, after)
            assert_days_keep_their_lines(before, after)
            if report.edited.paths:
                space.undo()
                assert files(root) == before
            assert_it_ends(space, root)


def assert_it_ends(space, root):
    """The next run does nothing, unless the one before had to leave something."""
    for _ in range(6):
        report, before = space.upkeep.consolidate(), files(root)
        again = space.upkeep.consolidate()
        if not report.edited.notes:
            assert (list(again), files(root)) == ([], before)
        if files(root) == before:
            return
    raise AssertionError("no end")
