"""How well recall answers, as rows."""

from __future__ import annotations

from memwiki.answers.bench import (
    ExtractBench,
    ExtractRate,
    KindRate,
    RecallBench,
    SettingTrial,
    VaultBench,
)
from memwiki.numbers import counted
from memwiki.present.rows import AsideCell, CellTable, Line, PathCell, Rows, rows_of

_COUNTS = ("talks", "expected", "proposed", "found", "doubles", "junk", "aside")


@rows_of.register
def _(answer: RecallBench) -> Rows:
    figures = (
        f"{counted(answer.questions, 'question')}: hit@1 {answer.hit_at_1:.3f}, "
        f"hit@5 {answer.hit_at_5:.3f}, MRR@{answer.limit} {answer.mrr:.3f}, "
        f"{len(answer.misses)} missed"
    )
    yield Line((figures,))
    for miss in answer.misses:
        wanted = f"(wanted {', '.join(miss.pages)};"
        yield Line((f"missed: {miss.question}", (wanted, PathCell(f"{miss.place})"))))
        for each in miss.instead:
            yield Line((PathCell(each.path), f"{each.score:.3f}"), depth=2)
        if not miss.instead:
            yield Line((AsideCell("nothing came"),), depth=2)


@rows_of.register
def _(answer: VaultBench) -> Rows:
    heads = ("asked by", "questions", "hit@1", "hit@5", f"MRR@{answer.limit}")
    rates = ((k.kind, str(k.questions), *_shares(k)) for k in answer.kinds)
    yield CellTable([heads, *rates], whole=(0,))
    if answer.trial:
        yield from _trial_rows(answer.trial)
    for hard in answer.hard:
        rank = f"came {hard.rank}." if hard.rank else "did not come"
        yield Line((f"hard to find by its {hard.kind}:", PathCell(hard.path), f"{rank}"))
        yield Line((f"asked: {hard.question}",), depth=2)
        for why in hard.why:
            yield Line((AsideCell(why),), depth=2)
        for each in hard.instead:
            yield Line((PathCell(each.path), f"{each.score:.3f}"), depth=2)


def _trial_rows(trial: SettingTrial) -> Rows:
    at_1, at_5, mrr = _shares(trial)
    yield Line((f"with {trial.setting}: hit@1 {at_1}, hit@5 {at_5}, MRR {mrr}",))
    is_sure = trial.low > 0 or trial.high < 0
    verdict = ("better" if trial.low > 0 else "worse") if is_sure else "no sure difference"
    bounds = f"{trial.difference:+.3f} [{trial.low:+.3f} {trial.high:+.3f}]"
    yield Line((f"MRR {bounds}: {verdict}; {trial.better} better, {trial.worse} worse",))


def _shares(rate: KindRate | SettingTrial) -> tuple[str, str, str]:
    return f"{rate.hit_at_1:.3f}", f"{rate.hit_at_5:.3f}", f"{rate.mrr:.3f}"


@rows_of.register
def _(answer: ExtractBench) -> Rows:
    heads = ("talks in", *_COUNTS, "precision", "recall")
    yield CellTable([heads, *map(_extract_cells, answer.rates)], whole=(0,))
    for missed in answer.missed:
        yield Line(("missed:", " + ".join(missed.words), AsideCell(missed.place)))
    for junk in answer.junk:
        yield Line(("not expected:", junk.text, AsideCell(junk.place)))
    if answer.invalid:
        yield Line((f"{counted(answer.invalid, 'talk')} answered, but not as asked",))
    tokens = f"{answer.tokens_in:,} tokens sent, {answer.tokens_out:,} answered"
    yield Line((AsideCell(f"{answer.model}: {counted(answer.calls, 'request')}, {tokens}"),))


def _extract_cells(rate: ExtractRate) -> tuple[str, ...]:
    shares = ("-" if each is None else f"{each:.3f}" for each in (rate.precision, rate.recall))
    return (rate.language, *(str(getattr(rate, each)) for each in _COUNTS), *shares)
