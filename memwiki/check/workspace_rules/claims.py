"""Whether the lines of a source still say what pages claim of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from memwiki.check.facts import Facts
from memwiki.check.overview import WorkspaceOverview
from memwiki.check.rule import Family, Finding, Findings, family_rules
from memwiki.markdown.describe import MAX_TITLE, shorten
from memwiki.nouns import Severity

if TYPE_CHECKING:
    from memwiki.proposals.numbering import NumberedSource


class _CitedSource:
    """A source, what the page about it says of it, and its text, which is read where it matters."""

    def __init__(self, overview: WorkspaceOverview, path: str, told: Mapping[str, str]) -> None:
        self._overview, self._path = overview, path
        self._later = told.get("later", "")
        facts = overview.facts[path]
        digest, _ = overview.around.first_seen.get(path, ("", ""))
        was_seen = bool(digest) and digest != overview.cards[path].digest
        self._has_changed = was_seen or told.get("sha256", facts.sha256) != facts.sha256

    def findings(self, text: str, cited: Sequence[int]) -> Iterator[tuple[str, str]]:
        """What is wrong with a claim: the code, and what is said of it."""
        said = shorten(text, MAX_TITLE)
        if max(cited) > self._overview.facts[self._path].lines:
            yield "claim-unsupported", f"{self._path} has no such line: {said}"
        elif self._has_changed and self._why_not(text, cited):
            yield "claim-unsupported", f"{self._path} changed, and does not say this now: {said}"
        elif self._later and not self._is_in_later(cited):
            yield "claim-outdated", f"{self._later}, a later version, says it otherwise: {said}"

    def _why_not(self, text: str, cited: Sequence[int]) -> str:
        """Why the lines do not support a claim; lines of a file become those of a source."""
        from memwiki.proposals.evidence import judge_support  # of few sources anything changes

        numbers = [n for n, each in enumerate(self._text.lines, 1) if each.line in cited]
        return judge_support(text, "", numbers, self._text).why

    def _is_in_later(self, cited: Sequence[int]) -> bool:
        texts = {each.text for each in self._text.lines if each.line in cited}
        return texts <= {each.text for each in self._later_text.lines}

    @cached_property
    def _text(self) -> NumberedSource:
        return self._read(self._path)

    @cached_property
    def _later_text(self) -> NumberedSource:
        return self._read(self._later)

    def _read(self, path: str) -> NumberedSource:
        from memwiki.proposals.numbering import source_of_text

        return source_of_text(self._overview.around.read(path).decode("utf-8", "replace"))


def claims(overview: WorkspaceOverview) -> Findings:
    """Claims of which the lines are gone or changed, or are others in a later version."""
    citing = [(path, facts) for path, facts in overview.facts.items() if facts.claims]
    if not citing:
        return
    told = dict(_told(overview.facts))
    sources: dict[str, _CitedSource] = {}
    for path, facts in citing:
        for text, line, written, cited in facts.claims if path not in overview.retired else ():
            target = f"{written}.md"
            if target not in overview.facts or not cited:
                continue  # a link that leads nowhere is found as such
            if target not in sources:
                sources[target] = _CitedSource(overview, target, told.get(target, {}))
            for code, message in sources[target].findings(text, cited):
                yield Finding(code, line, message, path)


def _told(pages: Mapping[str, Facts]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """What the pages about sources say of each version: which is later, and what the last was."""
    for facts in pages.values():
        if not (facts.sha256 and facts.sources):
            continue
        *earlier, last = (f"{written.strip('[]')}.md" for written, _, _ in facts.sources)
        yield last, {"sha256": facts.sha256}
        if last in pages:
            yield from ((path, {"later": last}) for path in earlier)


RULES = family_rules(
    Family.FRESHNESS,
    (
        "claim-unsupported",
        Severity.WARNING,
        "The lines of a source that a claim cites are gone, or do not say it any more. Restore the "
        "source, or correct the claim.",
        claims,
    ),
    (
        "claim-outdated",
        Severity.INFO,
        "A later version of the source has other lines than those that a claim cites. Check that "
        "it still holds.",
        claims,
    ),
)
