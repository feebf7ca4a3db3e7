"""A small workspace that is as new for each try of a verb."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from memwiki.change.plan import Edit, Plan
from memwiki.commit.carry_out import carry_out
from memwiki.digest import digest_of
from memwiki.workspace import Workspace

Verb = Callable[[Workspace], object]

ELSEWHERE = {
    "memory.md": "# Memory\n\n- The colour is green.\n",
    "sea.md": "# Sea\n\nComes with [[Sleep]].\n",
    "sea.canvas": '{"nodes": []}\n',
    "log.md": "# Log\n\n## [2026-01-01] create | Sea\n",
}


class House:
    """A small workspace that is as new for each try, with one change on the stack."""

    def __init__(self, root: Path, write: Callable[[], object]) -> None:
        self.root, self._write = root, write
        places = {f"MEMWIKI_{of}_DIR": str(root.parent / of) for of in ("CACHE", "CONFIG", "STATE")}
        self._environ = {**os.environ, **places}  # the same in each test that has the house
        self._files: dict[Path, bytes] = {}  # what each try begins with

    def reset(self) -> dict[str, bytes]:
        if self._files:
            self._put_back()
        else:
            self._make()
        return self.pages()

    def _make(self) -> None:
        self._write()
        ws = self.open()
        ws.sync()
        old = (self.root / "memory.md").read_bytes()
        edit = Edit("memory.md", digest_of(old), old + b"- The sea is near.\n", "", old)
        carry_out(ws.live, Plan((edit,), "first", "update"))
        ws.close()
        self._files = self._all()

    def _put_back(self) -> None:
        found = self._all()
        for path in found.keys() - self._files.keys():
            path.unlink()
        for folder in sorted(filter(Path.is_dir, self.root.rglob("*")), reverse=True):
            if not any(folder.iterdir()):
                folder.rmdir()
        for path, data in self._files.items():
            if found.get(path) != data:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        ws = self.open()
        ws.sync()
        ws.close()

    def _all(self) -> dict[Path, bytes]:
        return {path: path.read_bytes() for path in self.root.rglob("*") if path.is_file()}

    def open(self) -> Workspace:
        return Workspace.open(self.root, find=False, environ=self._environ)

    def pages(self) -> dict[str, bytes]:
        """Every page; the journal and catalogs aside."""
        found = {path.relative_to(self.root).as_posix(): path for path in self.root.rglob("*.md")}
        aside = ("log.md", "index.md")
        return {name: path.read_bytes() for name, path in found.items() if not name.endswith(aside)}

    def run(self, verb: Verb) -> None:
        ws = self.open()
        try:
            verb(ws)
        finally:
            ws.close()

    def run_in_a_child(self, verb: Verb, strike: Callable[[], None]) -> int:
        """The exit code of a process that runs the verb."""
        child = os.fork()
        if not child:
            code = 1
            try:
                strike()
                self.run(verb)
                code = 0
            finally:
                os._exit(code)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
