"""How a workspace recalls, by itself or as a model plans it, and has one answer from that; and
verbs that take a record of options."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from time import monotonic_ns
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, TypeVar, cast

from memwiki.config import Config
from memwiki.errors import MissingExtraError
from memwiki.sync.reading import rebuilding
from memwiki.workspace.facets import Facets

if TYPE_CHECKING:
    from memwiki.answers.curation import AskAnswer
    from memwiki.answers.recall import PromptBlock, Recall
    from memwiki.models.opening import ModelRun
    from memwiki.options import Options, RecallOptions
    from memwiki.recall.cache import RecallCache


class Configured(Protocol):
    """Anything with settings."""

    config: Config


Space = TypeVar("Space", bound=Configured)
Answer = TypeVar("Answer")
P = ParamSpec("P")


def with_options(
    what: str, record: Callable[[], Callable[P, Options]]
) -> Callable[
    [Callable[[Space, str, Options], Answer]], Callable[Concatenate[Space, str, P], Answer]
]:
    """Give a verb that asks `what` and takes a record the fields of it as keywords, each in its
    range; UsageError for a value out of it. `record` imports the class when it is first needed."""

    def decorate(
        ask: Callable[[Space, str, Options], Answer],
    ) -> Callable[Concatenate[Space, str, P], Answer]:
        def asked(space: Space, text: str = "", /, **given: object) -> Answer:
            from memwiki.options import check_options

            text = cast(str, given.pop(what, text))
            make: Callable[..., Options] = record()
            return ask(space, text, check_options(make(**given), space.config.recall))

        asked.__name__, asked.__doc__ = ask.__name__, ask.__doc__
        return cast("Callable[Concatenate[Space, str, P], Answer]", asked)

    return decorate


class Recalling(Facets):
    """What the verbs of recall are made of; without the extra as if no model were set."""

    _answers: RecallCache | None

    @abstractmethod
    def note_recall(self, question: str, answer: Recall | PromptBlock) -> bool:
        """Count the hits of an answer as recalled."""

    def _recalls(self) -> RecallCache:
        from memwiki.recall.cache import RecallCache

        self._answers = self._answers or RecallCache()
        return self._answers

    def _find(self, question: str, options: RecallOptions, run: ModelRun | None = None) -> Recall:
        began = monotonic_ns()
        with self.live.one_sweep(options.progress):
            shown = self if options.private else self.public()
            if options.plans:
                from memwiki.recall.plans import recall_as_planned

                answer = recall_as_planned(question, options, shown._recalled)
            elif options.plan:
                answer = shown._planned(question, options, run or self.models.run())
            else:
                answer = shown._recalled(question, options)
        answer = answer._replace(ms=round((monotonic_ns() - began) / 1e6, 3))
        if options.record:
            self.note_recall(question, answer)
        return answer

    @rebuilding
    def _recalled(self, question: str, options: RecallOptions) -> Recall:
        from memwiki.recall.recall import recall

        return recall(self.live, question, options, self._recalls())

    def _planned(self, question: str, options: RecallOptions, run: ModelRun) -> Recall:
        began = run.timing.monotonic()  # loading the library counts, too
        try:
            from memwiki.curation.ask import Planner, recall_planned
        except MissingExtraError as error:
            from memwiki.answers.recall import PlanUse

            use = PlanUse(used=False, model="", rounds=(), reason=error.with_hint)
            return self._recalled(question, options)._replace(plan=use)
        planner = Planner(self.live.public(), run, question, began)
        return recall_planned(planner, question, options, self._recalled)

    def _answer_of(self, question: str, options: RecallOptions) -> AskAnswer:
        run = self.models.run()
        found = self._find(question, options, run)
        try:
            from memwiki.curation.ask import answer
        except MissingExtraError as error:
            from memwiki.answers.curation import AskAnswer

            return AskAnswer((), (), found, hint=error.with_hint)
        return answer(self.public().live, run, found)
