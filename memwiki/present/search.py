"""What a search found, as rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from memwiki.answers.search import SearchAnswer
from memwiki.nouns import Hit
from memwiki.present.rows import PassageForm, Place, Rows, StoredPassage, rows_of
from memwiki.present.terminal import name

if TYPE_CHECKING:
    from memwiki.answers.recall import Recall


@rows_of.register
def _(answer: SearchAnswer) -> Rows:
    return hit_rows(answer.hits, answer.words, is_part=answer.fallback)


def hit_rows(hits: Iterable[Hit], words: tuple[str, ...] = (), *, is_part: bool = False) -> Rows:
    """Each hit: where it is, what is there, and why it was found if that was asked."""
    for hit in hits:
        reasons = [f"{hit.score:.3f}: {'; '.join(hit.reasons)}"] if hit.reasons else []
        scores = ", ".join(f"{name} {s:.3f}" for name, s in hit.scores.items())
        yield StoredPassage(
            hit.kind,
            Place(hit.path, hit.line_start, hit.line_end),
            hit.excerpt,
            heading(hit),
            {"date": hit.updated[:10], "id": hit.id, "score": f"{hit.score:.2f}"},
            notes=(*reasons, *filter(None, [scores])),
            form=PassageForm.EXCERPT,
            words=words,
            is_part=is_part,
        )


def heading(hit: Hit) -> str:
    """Title and section."""
    return " > ".join(filter(None, map(name, (hit.title, below_title(hit)))))


def below_title(hit: Hit) -> str:
    """The section within its page; most pages repeat their title as the first heading."""
    return "" if hit.section == hit.title else hit.section.removeprefix(f"{hit.title} > ")


def remarks(answer: SearchAnswer | Recall) -> Iterator[str]:
    """How well the hits answer what was asked."""
    if not answer.hits:
        yield "Nothing found."
    elif answer.fallback:
        yield "No whole word matched; these hits contain it as part of a word."
    elif not getattr(answer, "has_relevant", True):
        yield "Nothing fits the question well."
