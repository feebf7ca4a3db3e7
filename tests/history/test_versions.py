"""What git knows about a page: its commits, and what it was at one of them."""

import os
import time

import pytest

from memwiki.errors import GitError, NotFoundError
from memwiki.history.versions import moment_of, read_log
from memwiki.workspace import Workspace

NOON = 1_767_268_800 * 10**9  # 2026-01-01T12:00:00Z
LONG = "".join(f"line {number}\n" for number in range(20))


@pytest.fixture(autouse=True)
def in_utc(own_configuration):
    time.tzset()
    yield
    os.environ.pop("TZ", None)
    time.tzset()


# --- history -------------------------------------------------------------------------------------


def test_history_lists_commits_newest_first_with_their_counts(ws, put, repository):
    """--- wiki/a.md ---
    # A
    """
    first = repository.commit("begin")
    put("wiki/a.md", "# A\n\nmore\n")
    put("b.md", "# B\n")
    second = repository.commit("more of A")
    put("b.md", "# B\n\nelse\n")
    repository.commit("only B")
    answer = ws.pages.history("A")
    assert answer.path == "wiki/a.md"
    assert [(v.rev, v.subject, v.added, v.removed) for v in answer.versions] == [
        (second, "more of A", 2, 0),
        (first, "begin", 1, 0),
    ]
    assert answer.versions[0].author == "Ann"
    assert answer.versions[0].date == "2026-01-02T12:00:00+00:00"
    assert answer.complete


def test_an_entry_with_an_id_has_the_versions_of_its_words(ws, put, repository):
    for text in ("hot", "warm"):
        put("memory.md", f"# Memory\n\n- Tea is {text}. ^m-aaaaaa\n- It rains.\n")
        repository.commit(text)
    found = ws.entries.history("m-aaaaaa")
    assert (len(found.versions), found.notes) == (2, ())
    found = ws.entries.history("memory.md:4")
    assert found.versions == ()
    assert "an entry without an id has no versions" in found.notes[0]


def test_history_follows_renames_and_says_the_name_of_the_time(ws, put, repository):
    put("old name.md", LONG)
    repository.commit("begin")
    (ws.root / "wiki").mkdir()
    (ws.root / "old name.md").rename(ws.root / "wiki" / "新名.md")
    repository.commit("move")
    versions = ws.pages.history("新名").versions
    assert [(v.subject, v.path) for v in versions] == [
        ("move", "wiki/新名.md"),
        ("begin", "old name.md"),
    ]


@pytest.mark.parametrize("name", ['a "q" b.md', ":(top)a.md", "*.md", "-p.md", "a\tb.md", "[x].md"])
def test_any_file_name_is_only_a_name(ws, put, repository, name):
    put("other.md", "# other\n")
    repository.commit("other")
    put(name, LONG)
    repository.commit("this")
    assert [v.path for v in ws.pages.history(name).versions] == [name]
    assert ws.pages.show(name, at="HEAD").text == LONG


def test_a_limit_says_when_there_are_older_ones(ws, put, repository):
    for number in range(4):
        put("a.md", f"{number}\n")
        repository.commit(f"number {number}")
    assert not ws.pages.history("a", limit=2).complete
    assert [v.subject for v in ws.pages.history("a", limit=2).versions] == ["number 3", "number 2"]
    assert ws.pages.history("a", limit=4).complete


def test_a_page_that_is_gone_is_found_by_its_path(ws, put, repository):
    put("wiki/deep/gone.md", "# Gone\n")
    begin = repository.commit("begin")
    (ws.root / "wiki/deep/gone.md").unlink()
    (ws.root / "wiki/deep").rmdir()
    repository.commit("away")
    assert [v.subject for v in ws.pages.history("wiki/deep/gone.md").versions] == ["away", "begin"]
    assert ws.pages.show("wiki/deep/gone.md", at=begin).text == "# Gone\n"
    with pytest.raises(NotFoundError, match="no page has this name"):
        ws.pages.history("wiki/deep/never.md")


def test_hostile_words_in_a_commit_stay_words(ws, put, repository):
    put("a.md", "# A\n")
    repository.commit("1\t2\t\x1b[2Jx\x1f\x1e")
    (version,) = ws.pages.history("a").versions
    assert version.subject.startswith("1\t2\t")
    assert (version.path, version.added) == ("a.md", 1)


def test_a_subject_of_a_megabyte_is_cut(ws, put, repository):
    put("a.md", "# A\n")
    repository("add", "-A")
    (ws.root.parent / "message").write_text("x" * 1_000_000)
    repository("commit", "-q", "-F", str(ws.root.parent / "message"))
    (version,) = ws.pages.history("a").versions
    assert len(version.subject) <= 500


def test_bytes_that_are_no_text_have_no_line_counts(ws, put, repository):
    put("a.md", b"# A\n\0\0\0\n")
    repository.commit("begin")
    (version,) = ws.pages.history("a").versions
    assert (version.added, version.removed) == (None, None)


def test_log_output_that_is_cut_off_is_no_crash():
    whole = b"h\x00d\x00a\x00s\x00\x00\n1\t0\ta.md\x00"
    assert [v.path for v in read_log(whole)] == ["a.md"]
    for end in range(len(whole) - 8):
        assert list(read_log(whole[:end])) == []


# --- show ----------------------------------------------------------------------------------------


@pytest.fixture
def three(ws, put, repository):
    """One page: `one` on the 1st of January, `two` on the 2nd, and renamed on the 3rd, each at
    noon."""
    put("a.md", LONG + "one\n")
    revs = [repository.commit("one")]
    put("a.md", LONG + "two\n")
    revs.append(repository.commit("two"))
    (ws.root / "a.md").rename(ws.root / "b.md")
    revs.append(repository.commit("three"))
    put("b.md", "not committed\n")
    return revs


def test_show_gives_the_page_as_it_was(ws, three):
    for at, last, path in (
        ("HEAD", "two", "b.md"),
        ("HEAD~1", "two", "a.md"),
        ("main~2", "one", "a.md"),
        ("2026-01-01", "one", "a.md"),
        ("2026-01-01 12:00", "one", "a.md"),
        ("2026-01-01T23:59:59Z", "one", "a.md"),
        ("2026-01-02T13:00:00+01:00", "two", "a.md"),
        ("2026-01-02T12:59:00+01:00", "one", "a.md"),
        ("2026-01", "two", "b.md"),
        ("0d", "two", "b.md"),
    ):
        found = ws.pages.show("b", at=at)
        assert found.text == f"{LONG}{last}\n", at
        assert (found.path, found.title) == (path, path[0].upper()), at
        assert ws.pages.bytes_at("b", at) == found.text.encode(), at
    for length in (7, 10, 40):  # of its hash
        assert ws.pages.show("b", at=three[0][:length]).rev == three[0]


def test_an_empty_page_is_a_page(ws, put, repository):
    put("a.md")
    repository.commit("begin")
    put("a.md", "more\n")
    assert ws.pages.show("a", at="HEAD").text == ""


def test_show_gives_a_section_or_lines(ws, put, repository):
    put("a.md", "# A\n\n## Links\n\nhere\n\n## Else\n")
    repository.commit("begin")
    put("a.md", "gone\n")
    assert ws.pages.show("a", at="HEAD", section="Links").text == "## Links\n\nhere\n"
    assert ws.pages.show("a", at="HEAD", lines=(5, 5)).line_start == 5


def test_the_bytes_are_as_they_were_committed(ws, put, repository):
    data = b"\xef\xbb\xbf# A\r\nb\xff\r\nno end"
    repository("config", "core.autocrlf", "false")
    put("a.md", data)
    repository.commit("begin")
    put("a.md", "else\n")
    assert ws.pages.bytes_at("a", "HEAD") == data


def test_what_is_neither_a_revision_nor_a_date_nor_yet_committed_is_refused(ws, three):
    odd = ("--all", "-n1", "--output=x", "", "nowhere", "HEAD..HEAD", "HEAD:a.md", "a\nb")
    for at in (*odd, "9999-99-99"):
        with pytest.raises((NotFoundError, GitError)):
            ws.pages.show("b", at=at)
    assert not (ws.root / "x").exists()
    with pytest.raises(NotFoundError, match="before the first commit"):
        ws.pages.show("b", at="2025-12-31")


def test_a_shallow_clone_says_that_it_has_no_older_commits(three, tmp_path, repository):
    place = tmp_path / "clone"
    repository("clone", "-q", "--depth", "1", f"file://{repository.root}", str(place))
    with Workspace.open(place, find=False) as clone:
        with pytest.raises(NotFoundError, match="before the commits that this shallow") as caught:
            clone.pages.show("b", at="2026-01-01")
        assert caught.value.hint == "git fetch --unshallow"
        found = clone.pages.history("b")
        cut = repository("rev-parse", "--short=10", "HEAD")
        assert len(found.versions) == 1
        assert found.notes == (
            f"{cut} is the first commit that this shallow clone has; git fetch --unshallow",
        )
        assert clone.pages.history("b", limit=1).notes == found.notes
        repository("-C", str(place), "fetch", "-q", "--unshallow")
        assert clone.pages.history("b").notes == ()
        assert clone.pages.show("b", at="2026-01-01").text


def test_a_page_that_was_not_there_yet_is_said_to_be_missing(ws, put, three):
    put("new.md", "new\n")
    with pytest.raises(NotFoundError, match=r"new\.md: no such page at HEAD"):
        ws.pages.show("new", at="HEAD")


def test_a_symlink_in_a_commit_is_not_a_page(ws, put, repository):
    (ws.root / "a.md").symlink_to("/etc/passwd")
    repository.commit("link")
    (ws.root / "a.md").unlink()
    put("a.md", "# A\n")
    with pytest.raises(NotFoundError, match="no such page at HEAD"):
        ws.pages.show("a", at="HEAD")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2026-01-01", 1_767_311_999),
        ("2025", 1_767_225_599),
        ("1d", 1_767_225_599),
        ("1970-01-01T00:00:00+14:00", 0),
        ("1767268800", 1_767_268_800),
        ("tomorrow", 1_767_398_399),
        ("2025/12/31", 1_767_225_599),
        ("the day after", None),
        ("99999d", 0),
        ("9999999y", None),
    ],
)
def test_dates_are_read_as_people_write_them(text, seconds):
    assert moment_of(text, NOON) == seconds


# --- where there is nothing to know --------------------------------------------------------------


def test_without_a_repository_the_error_says_how_to_get_one(ws, put, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(ws.root.parent))
    put("a.md")
    with pytest.raises(GitError, match="is not in a git repository") as raised:
        ws.pages.history("a")
    assert raised.value.hint.startswith("git init ")


def test_without_git_the_error_says_so(opened, put, cache):
    put("a.md")
    space = opened(environ={"PATH": "/nowhere", "MEMWIKI_CACHE_DIR": str(cache)})
    with pytest.raises(GitError, match="git: is not installed"):
        space.pages.history("a")


def test_before_the_first_commit_the_workspace_is_named_and_not_a_folder_of_it(
    ws, put, repository, root
):
    put("wiki/a.md")
    with pytest.raises(GitError) as raised:
        ws.pages.show("wiki/a.md", at="2w")
    assert str(raised.value).startswith(f"{root}: has no commit yet")


def test_before_the_first_commit_the_error_says_what_to_do(ws, put, repository):
    put("a.md")
    with pytest.raises(NotFoundError, match="no commit of the current branch has it") as raised:
        ws.pages.history("a")
    assert raised.value.hint == "git add a.md && git commit"
    with pytest.raises(GitError, match="has no commit yet"):
        ws.pages.show("a", at="2026-01-01")


def test_a_damaged_repository_is_an_error_of_git(ws, put, three):
    (ws.root / ".git" / "HEAD").write_text("nonsense\n")
    with pytest.raises(GitError):
        ws.pages.history("b")


# --- where repositories are ----------------------------------------------------------------------


def test_a_workspace_may_be_a_subfolder_of_a_repository(ws, put, repository_at):
    outer = repository_at(ws.root.parent)
    put("wiki/a.md", LONG)
    outer.commit("begin")
    (ws.root / "wiki/a.md").rename(ws.root / "b.md")
    last = outer.commit("move")
    assert [v.path for v in ws.pages.history("b").versions] == ["b.md", "wiki/a.md"]
    assert ws.pages.show("b", at="HEAD~1").path == "wiki/a.md"
    (ws.root / "b.md").rename(ws.root.parent / "out.md")
    outer.commit("out")
    (ws.root.parent / "out.md").rename(ws.root / "in.md")
    outer.commit("in")
    names = [v.path for v in ws.pages.history("in").versions]
    assert names == ["in.md", "../out.md", "b.md", "wiki/a.md"]
    with pytest.raises(NotFoundError):
        ws.pages.show("in", at="HEAD~1")  # what lies outside of the workspace stays there
    assert ws.pages.show("in", at=last).path == "b.md"


def test_a_workspace_may_be_a_worktree(ws, put, repository, opened):
    put("a.md", "# A\n")
    repository.commit("begin")
    place = ws.root.parent / "tree"
    repository("worktree", "add", "-q", str(place), "-b", "side")
    (place / ".memwiki").mkdir(exist_ok=True)
    other = type(ws).open(place, find=False)
    assert [v.subject for v in other.pages.history("a").versions] == ["begin"]
    assert other.pages.show("a", at="main").text == "# A\n"
    other.close()


def test_a_page_may_lie_in_a_submodule(ws, put, repository, repository_at, tmp_path):
    library = repository_at(tmp_path / "library")
    (tmp_path / "library" / "p.md").write_text("# P\n")
    library.commit("in the library")
    put("a.md", "# A\n")
    repository("submodule", "--quiet", "add", str(tmp_path / "library"), "lib")
    repository.commit("begin")
    assert [v.subject for v in ws.pages.history("lib/p.md").versions] == ["in the library"]
    assert ws.pages.show("P", at="HEAD").path == "lib/p.md"


def test_a_hook_leaves_its_variables_behind(ws, put, repository, repository_at, opened, tmp_path):
    put("a.md", "# A\n")
    repository.commit("right")
    other = repository_at(tmp_path / "other")
    (tmp_path / "other" / "a.md").write_text("# wrong\n")
    other.commit("wrong")
    leaking = {"GIT_DIR": f"{tmp_path}/other/.git", "GIT_WORK_TREE": f"{tmp_path}/other"}
    space = opened(environ={**os.environ, **leaking})
    assert [v.subject for v in space.pages.history("a").versions] == ["right"]
