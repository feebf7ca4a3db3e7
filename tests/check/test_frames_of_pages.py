"""Rules that look at no text run again when something they look at changed, and only then."""

from contextlib import closing
from functools import partial

import pytest

from memwiki.check import review as reviewing
from memwiki.check.rules import FRAME_RULES
from memwiki.workspace import Workspace

PAGE = "# A page\n\n[[b]] [gone](gone.md) [[b#Part]] [x](hidden/x) #tag\n\nText. ^here\n"


@pytest.fixture
def runs(monkeypatch):
    """How often the rules about frames ran."""
    seen, real = [], reviewing._found

    def counting(rules, *arguments):
        if FRAME_RULES[0] in rules:
            seen.append(1)
        return real(rules, *arguments)

    monkeypatch.setattr(reviewing, "_found", counting)
    return seen


def recheck(opened, later):
    return opened(clock=later).check.run()


@pytest.fixture
def checked(put, opened, later, runs):
    put("a.md", PAGE)
    put("b.md", "# B\n\nText of b.\n")
    opened(clock=later).check.run()
    assert len(runs) == 1
    return partial(recheck, opened, later)


def test_another_text_asks_them_nothing(checked, put, runs):
    for text in ("Other text. ^here", "Nothing like it before. ^here"):
        put("a.md", PAGE.replace("Text. ^here", text))
        assert {"link-broken", "heading-missing"} <= {each.code for each in checked()}
    assert len(runs) == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "a.md").write_text(PAGE.replace("gone.md", "b.md")),
        lambda root: (root / "a.md").write_text("\n" + PAGE),  # every line is another
        lambda root: (root / "a.md").write_text(PAGE.replace("#tag", "#Tag")),
        lambda root: (root / "a.md").write_text(f"---\naliases: b\n---\n{PAGE}"),
        lambda root: (root / "b.md").write_text("# B\n\n## Part\n"),
        lambda root: (root / "b.md").write_text("# Another title\n\nText of b.\n"),
        lambda root: (root / "b.md").write_text("# B\n\n<a id='part'></a> Text of b.\n"),
        lambda root: (root / "b.md").unlink(),
        lambda root: (root / "gone.md").write_text("Here.\n"),
        lambda root: (root / "gone.png").write_bytes(b""),
        lambda root: (root / "what?.png").write_bytes(b""),
        lambda root: (root / "B.md").write_text("# B\n\nText of b.\n"),
        lambda root: (root / "a.md").rename(root / "c.md"),
        lambda root: (root / "hidden").mkdir() or (root / "hidden" / "x").mkdir(),
    ],
)
def test_whatever_they_look_at_has_them_run_again(checked, root, runs, change, tmp_path):
    change(root)
    found = checked()
    assert len(runs) == 2
    with closing(Workspace(root, environ={"MEMWIKI_CACHE_DIR": str(tmp_path / "new")})) as anew:
        assert found.problems == anew.check.run().problems


def test_a_check_of_some_codes_takes_what_is_kept_and_keeps_nothing(
    put, checked, opened, later, runs
):
    put("a.md", PAGE + "More.\n")
    assert {each.code for each in opened(clock=later).check.run(only=["link-broken"])} == {
        "link-broken"
    }
    assert len(runs) == 1
    put("a.md", PAGE + "[[c]]\n")
    opened(clock=later).check.run(only=["link-broken"])
    assert {"link-wanted", "link-broken"} <= {each.code for each in checked()}
    assert len(runs) == 3
