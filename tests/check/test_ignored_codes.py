"""The setting check.ignore: codes that a check leaves out."""

from __future__ import annotations

import pytest

from memwiki.errors import ConfigError


def vault(put, ws):
    put("a.md", "# A\n\nSee [x](gone.md).\n")
    put("b.md", "\ufeff# B\n\nText enough for a page that is more than a stub, as it says here.\n")
    return ws


def codes(report):
    return {each.code for each in report.problems}


def test_an_ignored_code_counts_nowhere_but_as_ignored(put, ws):
    space = vault(put, ws)
    before = space.check.run()
    assert {"link-broken", "bom"} <= codes(before)
    space.settings.set("check.ignore", "link-broken, bom")
    after = space.check.run()
    assert codes(after) == codes(before) - {"link-broken", "bom"}
    assert after.ignored == 2
    assert len(after.problems) == len(before.problems) - 2 == sum(after.counts)
    assert not space.check.fix(after, dry_run=True).paths


def test_a_code_that_is_asked_for_is_not_ignored(put, ws):
    space = vault(put, ws)
    space.settings.set("check.ignore", "link-broken")
    report = space.check.run(only=["link-broken"])
    assert (codes(report), report.ignored) == ({"link-broken"}, 0)


def test_a_code_that_there_is_not_is_refused_when_set_and_when_written_by_hand(put, ws):
    space = vault(put, ws)
    with pytest.raises(ConfigError, match="broken-link: no such code") as refused:
        space.settings.set("check.ignore", "bom,broken-link")
    assert refused.value.hint == "did you mean link-broken?"
    put("memwiki.toml", '[check]\nignore = ["broken-link"]\n')
    space.reload()
    with pytest.raises(ConfigError, match=r"check\.ignore: broken-link"):
        space.check.run()
    assert space.search("text").total == 1  # all else works
