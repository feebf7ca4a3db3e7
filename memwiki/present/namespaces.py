"""Namespaces, as text."""

from __future__ import annotations

from memwiki.answers.namespaces import NamespaceList, NamespaceRow, Purged
from memwiki.numbers import counted
from memwiki.present.screen import Look, as_path, clean
from memwiki.present.text import table, text_of


@text_of.register(NamespaceList)
def _(answer: NamespaceList, look: Look) -> str:
    return table(map(_cells, answer.namespaces), look, whole=[0])


def _cells(row: NamespaceRow) -> tuple[str, ...]:
    return row.name, *_counts(row), row.changed


def _counts(held: NamespaceRow | Purged) -> tuple[str, ...]:
    pages, entries = counted(held.pages, "page"), counted(held.entries, "entry", "entries")
    return pages, entries, f"{held.bytes:,} bytes"


@text_of.register(Purged)
def _(answer: Purged, look: Look) -> str:
    what = f"{as_path(answer.edited.title)} ({', '.join(_counts(answer))})"
    if not answer.edited.dry_run:
        return look.strong(what)
    return "\n".join([f"dry run: {what}", clean(answer.edited.diff)]).rstrip("\n")
