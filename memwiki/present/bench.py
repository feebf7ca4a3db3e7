"""How well recall answers known questions, as text."""

from __future__ import annotations

from memwiki.answers.bench import Miss, RecallBench
from memwiki.numbers import counted
from memwiki.present.screen import Look, as_path, line
from memwiki.present.text import text_of


@text_of.register(RecallBench)
def _(answer: RecallBench, look: Look) -> str:
    figures = (
        f"{counted(answer.questions, 'question')}: hit@1 {answer.hit_at_1:.3f}, "
        f"hit@5 {answer.hit_at_5:.3f}, MRR@{answer.limit} {answer.mrr:.3f}, "
        f"{len(answer.misses)} missed"
    )
    return "\n".join([figures, *(_missed(each, look) for each in answer.misses)])


def _missed(miss: Miss, look: Look) -> str:
    instead = [f"    {as_path(each.path)}  {each.score:.3f}" for each in miss.instead]
    pages = ", ".join(map(line, miss.pages))
    head = f"missed: {line(miss.question)}  (wanted {pages}; {as_path(miss.place)})"
    return "\n".join([head, *(instead or [look.faint("    nothing came")])])
