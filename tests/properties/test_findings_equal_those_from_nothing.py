"""A check after any edits finds what a check of the same files from nothing finds."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import closing
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from memwiki.workspace import Workspace

PATHS = ("a.md", "A.md", "b.md", "old b.md", "sub/a.md", "sub/c.md", "memory.md", "picture.png")
TEXT = " ".join(f"word{i}" for i in range(200))
BODIES = (
    "# A\n\n[[b]] [[wanted]] #x\n",
    "# B\n\n[[B#A]] [[a#^here]] [[wanted]] #X\n",
    "[a](A.md) [c](sub/C.md) ![p](Picture.png) [gone](b/gone.md) [near](old%20bb.md)\n",
    "---\naliases: [b, twin]\ntags: [xs]\nstale_after: 2020-01-01\n---\n# A\n\nText. ^here\n",
    "---\naliases: twin\nsuperseded_by: '[[b]]'\n---\n[[old-b]] [[a]]\n",
    "---\nupdated: 2020-01-01\nsources: [a.md, sub/c.md, gone.pdf]\n---\n%% [[a]] %%\n",
    "---\ndate: 2021-01-01\nsupersedes: [[a]]\n---\n" + TEXT,
    TEXT + " more",
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
        self.checks = 0
        self.ws = self.open("live")

    def open(self, cache: str) -> Workspace:
        return Workspace(self.root, environ={"MEMWIKI_CACHE_DIR": str(self.base / cache)})

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
    def check(self) -> None:
        self.checks += 1
        with closing(self.open(f"anew{self.checks}")) as anew:
            assert self.ws.check().problems == anew.check().problems


TestFindingsEqualThoseFromNothing = FindingsMachine.TestCase
TestFindingsEqualThoseFromNothing.settings = settings(
    max_examples=max(settings().max_examples // 3, 5), stateful_step_count=20
)
