"""A check after any edits finds what a check of the same files from nothing finds."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from memwiki.answers.check import CheckReport
from memwiki.check import review as reviewing
from memwiki.clock import now_ns
from memwiki.nouns import Problem
from memwiki.workspace import Workspace

PATHS = (
    "a.md",
    "A.md",
    "b.md",
    "old b.md",
    "sub/a.md",
    "sub/c.md",
    "memory.md",
    "picture.png",
    ".hidden/y.txt",
    ".hidden/x.txt",
    "log.md",
    "raw/r.md",
    "empty/.keep",
    "drafts/d.md",
)
TEXT = " ".join(f"word{i}" for i in range(200))
BODIES = (
    "# A\n\n[[b]] [[wanted]] #x\n",
    "# A\n\n[[b]] [[wanted]] #x\n\nOnly the text differs.\n",
    "# B\n\n[[B#A]] [[a#^here]] [[wanted]] #X\n",
    "[a](A.md) [c](sub/C.md) ![p](Picture.png) [gone](b/gone.md) [near](old%20bb.md)\n",
    "---\naliases: [b, twin]\ntags: [xs]\nstale_after: 2020-01-01\n---\n# A\n\nText. ^here\n",
    "---\naliases: twin\nsuperseded_by: '[[b]]'\n---\n[[old-b]] [[a]]\n",
    "---\nupdated: 2020-01-01\nsources: [a.md, sub/c.md, gone.pdf]\n---\n%% [[a]] %%\n",
    "---\ndate: 2021-01-01\nsupersedes: [[a]]\n---\n" + TEXT,
    TEXT + " more",
    "[h](.hidden/x.txt) [e](empty) [i](drafts/d.md)\n",
    "- The office is in Bonn. [key:: office] ^m-off001\n- Ada likes the green tea of the house.\n",
    "- Ada likes green tea of the house.\n- The office is in Kiel. [key:: office]\n",
    "- Ada likes the green tea of the house.\n- Ada never likes the green tea of the house.\n",
    "",
)
paths, bodies = st.sampled_from(PATHS), st.sampled_from(BODIES)


class FindingsMachine(RuleBasedStateMachine):
    """Files are written, moved and deleted between checks."""

    def __init__(self) -> None:
        super().__init__()
        self.base = Path(tempfile.mkdtemp(prefix="memwiki-findings-"))
        self.root = self.base / "ws"
        (self.root / ".memwiki").mkdir(parents=True)
        (self.root / ".memwikiignore").write_text("drafts/\n")
        (self.root / "memwiki.toml").write_text(
            '[layers]\nraw = "raw"\nlog = "log.md"\nmemory = "memory.md"\nlearnings = "sub/b.md"\n'
        )
        self.days = 0
        self.checks = 0
        self.ws = self.open("live")

    def open(self, cache: str) -> Workspace:
        # Five seconds ahead, so that signatures are proof and findings are kept.
        return Workspace(
            self.root,
            environ={"MEMWIKI_CACHE_DIR": str(self.base / cache)},
            clock=lambda: now_ns() + (self.days * 86_400 + 5) * 10**9,
        )

    def teardown(self) -> None:
        self.ws.close()
        shutil.rmtree(self.base)

    @rule(path=paths, body=bodies)
    def write(self, path: str, body: str) -> None:
        place = self.root / path
        place.parent.mkdir(exist_ok=True)
        place.write_text(body)

    @rule(path=paths)
    def delete(self, path: str) -> None:
        (self.root / path).unlink(missing_ok=True)

    @rule(old=paths, new=paths)
    def move(self, old: str, new: str) -> None:
        if (self.root / old).exists():
            (self.root / new).parent.mkdir(exist_ok=True)
            (self.root / old).rename(self.root / new)

    @rule()
    def wait_a_day(self) -> None:
        self.days += 1

    @rule(codes=st.sets(st.sampled_from(("link-broken", "orphan", "stale"))))
    def check(self, codes: set[str]) -> None:
        self.checks += 1
        with closing(self.open(f"anew{self.checks}")) as anew:
            expected = anew.check.run()
            expected = replace(expected, problems=tuple(filter(is_known, expected.problems)))
            self.compare(expected)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(reviewing, "_overview", lambda *_: pytest.fail("not kept"))
                self.compare(expected)
                narrow = tuple(each for each in expected.problems if each.code in codes)
                if codes:
                    assert self.ws.check.run(only=sorted(codes)).problems == narrow

    @rule(code=st.sampled_from(("link-broken", "orphan", "stale")))
    def check_one(self, code: str) -> None:
        """Keeps nothing, and may be the first to see a source."""
        self.ws.check.run(only=[code])

    def compare(self, expected: CheckReport) -> None:
        found = self.ws.check.run()
        assert tuple(filter(is_known, found.problems)) == expected.problems
        assert found.pages == expected.pages


def is_known(problem: Problem) -> bool:
    """Whether a check from nothing can find it: it has never seen a source before."""
    return problem.code != "raw-modified"


TestFindingsEqualThoseFromNothing = FindingsMachine.TestCase
TestFindingsEqualThoseFromNothing.settings = settings(
    max_examples=max(settings().max_examples // 3, 5), stateful_step_count=20
)
