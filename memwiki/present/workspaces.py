"""The workspaces that have a name, as text."""

from __future__ import annotations

from memwiki.answers.workspaces import NamedWorkspace, WorkspaceList
from memwiki.present.screen import Look
from memwiki.present.text import table, text_of


@text_of.register(NamedWorkspace)
def _(answer: NamedWorkspace, look: Look) -> str:
    return table([_cells(answer)], look, whole=[0, 1], paths=[1])


@text_of.register(WorkspaceList)
def _(answer: WorkspaceList, look: Look) -> str:
    return table(map(_cells, answer.workspaces), look, whole=[0, 1], paths=[1])


def _cells(each: NamedWorkspace) -> tuple[str, str, str]:
    return each.name, each.folder, "" if each.is_there else "(no workspace)"
