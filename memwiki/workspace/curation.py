"""`Workspace.curation`: jobs of a model, or of whoever answers for one; all end in proposals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memwiki.index.projection import Progress
from memwiki.sync.live import LiveIndex
from memwiki.sync.reading import rebuilding

if TYPE_CHECKING:
    from memwiki.answers.curation import Brief, ExtractPreview, ExtractReport
    from memwiki.answers.proposals import ProposalView
    from memwiki.curation.extraction import Extraction
    from memwiki.models.opening import ModelRun


class CurationFacet:
    """What models propose of sessions, pages and texts; nothing of it is true before `review`."""

    def __init__(self, live: LiveIndex, environ: Mapping[str, str]) -> None:
        self.live = live
        self._environ = environ

    @rebuilding
    def extract(
        self,
        source: str = "",
        *,
        text: str = "",
        goal: str = "",
        result: str = "",
        accept: bool = False,
        progress: Progress | None = None,
    ) -> ExtractReport:
        """Ask the model for the lasting facts of a session or page, or of a `text`, portion by
        portion; with `accept` all that is supported and not flagged is accepted.

        `goal` and `result` are of the task that is spoken of. What was answered before is not
        asked again. Raises ModelError where no model is set or may be asked; what fails later is
        in the report.
        """
        from memwiki.curation.running import extracted

        run = self._run()
        extraction = self._extraction(source, text, goal, result, run.models.chat.context_tokens)
        return extracted(self.live, extraction, run, is_accepting=accept, progress=progress)

    @rebuilding
    def extract_preview(
        self, source: str = "", *, text: str = "", goal: str = "", result: str = ""
    ) -> ExtractPreview:
        """What `extract` would send, to the byte; nothing is sent."""
        from memwiki.curation.running import preview

        run = self._run()
        context = run.models.chat.context_tokens
        return preview(self._extraction(source, text, goal, result, context), run)

    @rebuilding
    def extract_brief(
        self, source: str = "", *, text: str = "", goal: str = "", result: str = ""
    ) -> Brief:
        """The job as one text for any model; `reply` takes the answer.

        Raises NotFoundError where all of the source was extracted.
        """
        from memwiki.answers.curation import Brief
        from memwiki.curation.extraction import BY_HAND_TOKENS

        extraction = self._extraction(source, text, goal, result, BY_HAND_TOKENS)
        asked, brief = extraction.brief()
        return Brief(asked.id, asked.job, brief, len(extraction.waiting))

    @rebuilding
    def reply(self, id: str, text: str, *, model: str = "") -> ProposalView:
        """Take what somebody else's model answered to a brief, judged as any other reply.

        Raises UsageError for a brief that was answered, ModelReplyError for what is no such reply.
        """
        from memwiki.curation.extraction import answer_by_hand
        from memwiki.proposals.review import found, shown

        answered = answer_by_hand(self.live.public(), found(self.live, id), text, model)
        return shown(self.live, answered.id)

    def _run(self) -> ModelRun:
        from memwiki.config.models import load_user_models
        from memwiki.models.opening import model_run

        context = self.live.context
        models = load_user_models(self._environ)
        narrowed = context.config.models
        return model_run(context.root, models, narrowed, self._environ, context.clock)

    def _extraction(
        self, source: str, text: str, goal: str, result: str, context_tokens: int
    ) -> Extraction:
        from memwiki.curation.extraction import Extraction, task_of
        from memwiki.proposals.numbering import source_named, source_of_text

        public = self.live.public()
        read = source_named(public, source) if source else source_of_text(text)
        return Extraction(public, read, context_tokens, task_of(goal, result))
