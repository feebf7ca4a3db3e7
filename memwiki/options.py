"""What may be asked of search and recall beside the question: one row an option, read by the
workspace, the command line and the tools of agents."""

# No annotations from the future here: the rows are read from the annotations.
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, TypeVar

from memwiki.errors import UsageError
from memwiki.names import texts
from memwiki.numbers import count_of, share_of
from memwiki.records import NamedTuple

Progress = Callable[[int, int], None]


class RecallMode(StrEnum):
    AUTO = "auto"
    FAST = "fast"
    DEEP = "deep"


class Strategy(StrEnum):
    HYBRID = "hybrid"
    TEXT = "text"
    OVERLAP = "overlap"
    GRAPH = "graph"
    TEMPORAL = "temporal"
    REFERENCE = "reference"
    PAGES = "pages"
    MEMORIES = "memories"
    PROFILE = "profile"


class RecallSource(StrEnum):
    """Where an answer may be from: pages, memories, conversations, or whatever is linked."""

    ALL = "all"
    PAGES = "pages"
    ENTRIES = "entries"
    SESSIONS = "sessions"
    GRAPH = "graph"


class VectorsMode(StrEnum):
    """Whether meaning counts beside words: not, where vectors are, or alone."""

    OFF = "off"
    AUTO = "auto"
    ONLY = "only"


class FusionMethod(StrEnum):
    """How meaning is joined to words: as a small bonus, by ranks, or by weighted scores."""

    BONUS = "bonus"
    RRF = "rrf"
    WEIGHTED = "weighted"


# What other programs call both in one word.
SEARCH_MODES = {
    "bm25": (VectorsMode.OFF, FusionMethod.BONUS),
    "embedding": (VectorsMode.ONLY, FusionMethod.BONUS),
    "hybrid": (VectorsMode.AUTO, FusionMethod.RRF),
}


MAX_ROUNDS = 3  # of plans for one question


class SearchPlan(NamedTuple):
    """What to look for beside a question, and how; the names are those of a model's plan."""

    semantic_query: str
    subject_includes: Sequence[str] = ()
    memory_types: Sequence[str] = ()
    expand_depth: int = 0  # links to follow
    relation_filters: Sequence[str] = ()
    search_mode: str = "hybrid"


class OptionKind(StrEnum):
    COUNT = "count"  # a whole number from `least` on
    TOKENS = "tokens"  # the same; a door may have a bound of its own
    SHARE = "share"  # a number from 0 to 1
    CHOICE = "choice"  # one of `choices`
    TEXT = "text"
    TEXTS = "texts"  # may be repeated; a tool of an agent takes one
    FLAG = "flag"


class ToolArgument(NamedTuple):
    """How agents' tools take an option: what a model is told of it, and bounds of its own."""

    about: str
    default: int | str | None = None
    least: int = 1
    most: int = 0  # 0 for no bound


class Option(NamedTuple):
    """An option; the command line takes it if it has a `help`, a tool if it has a `tool`."""

    kind: OptionKind
    help: str = ""
    metavar: str | None = None
    least: int = 1
    choices: type[StrEnum] = StrEnum
    setting: str = ""  # of [recall], which counts where nothing is given
    tool: ToolArgument | None = None

    def checked(self, name: str, given: Any, settings: object) -> Any:  # noqa: ANN401 - by kind
        """The value that is meant; UsageError for one out of its range."""
        if self.kind is OptionKind.CHOICE:
            return self._word(name, given or getattr(settings, self.setting, given))
        if given is None:
            return getattr(settings, self.setting, None)
        if self.kind in (OptionKind.COUNT, OptionKind.TOKENS):
            return count_of(name, given, least=self.least)
        if self.kind is OptionKind.SHARE:
            return share_of(name, given)
        return texts(given) if self.kind is OptionKind.TEXTS else given

    def _word(self, name: str, given: str) -> StrEnum:
        try:
            return self.choices(given)
        except ValueError:
            known = ", ".join(self.choices)
            raise UsageError(f"{name}: {given} is none", f"one of {known}") from None


_DAY = "day, 2w, today"


class SearchOptions(NamedTuple):
    """How a query is answered."""

    limit: Annotated[
        int | None,
        Option(
            OptionKind.COUNT,
            "Show at most N hits (default: recall.max_results).",
            "N",
            setting="max_results",
            tool=ToolArgument("how many", 10, most=50),
        ),
    ] = None
    explain: Annotated[bool, Option(OptionKind.FLAG, "Say why each hit was found.")] = False
    # Instead of the method of tuples, which no record needs.
    count: Annotated[bool, Option(OptionKind.FLAG, "Count all hits, not only the first 1,000.")] = (
        False  # type: ignore[assignment]
    )
    progress: Progress | None = None  # told how many files of how many were read


class RecallOptions(NamedTuple):
    """How a question is answered, and what may answer it."""

    limit: Annotated[
        int | None,
        Option(
            OptionKind.COUNT,
            "At most N hits (default: recall.max_results).",
            "N",
            setting="max_results",
            tool=ToolArgument("how many", 8, most=50),
        ),
    ] = None
    budget: Annotated[
        int | None,
        Option(
            OptionKind.TOKENS,
            "At most so many tokens.",
            "TOKENS",
            least=0,
            tool=ToolArgument("tokens", 2000, least=200, most=1_000_000),
        ),
    ] = None
    mode: Annotated[
        RecallMode | str,
        Option(
            OptionKind.CHOICE,
            "Whether the graph is asked, too.",
            choices=RecallMode,
            setting="mode",
            tool=ToolArgument("deep follows links", "auto"),
        ),
    ] = ""
    strategy: Annotated[
        Strategy | str, Option(OptionKind.CHOICE, "What counts.", choices=Strategy)
    ] = Strategy.HYBRID
    channel: Annotated[
        RecallSource | str, Option(OptionKind.CHOICE, "What may answer.", choices=RecallSource)
    ] = RecallSource.ALL
    types: Annotated[
        Sequence[str],
        Option(OptionKind.TEXTS, "May be repeated.", "TYPE", tool=ToolArgument("only this type")),
    ] = ()
    tags: Annotated[
        Sequence[str],
        Option(OptionKind.TEXTS, "May be repeated.", "TAG", tool=ToolArgument("only this tag")),
    ] = ()
    since: Annotated[
        str,
        Option(OptionKind.TEXT, "Written on this day or later.", "DAY", tool=ToolArgument(_DAY)),
    ] = ""
    until: Annotated[
        str,
        Option(
            OptionKind.TEXT,
            "Written on this day or before.",
            "DAY",
            tool=ToolArgument("day, the last one"),
        ),
    ] = ""
    subject: Annotated[str, Option(OptionKind.TEXT, "Entries about this subject.", "S")] = ""
    relation: Annotated[str, Option(OptionKind.TEXT, "Follow only links of this type.", "WORD")] = (
        ""
    )
    depth: Annotated[
        int | None,
        Option(
            OptionKind.COUNT,
            "Steps in the graph (default: recall.depth).",
            "N",
            least=0,
            setting="depth",
        ),
    ] = None
    min_score: Annotated[
        float | None,
        Option(
            OptionKind.SHARE,
            "Least score, 0 to 1 (default: recall.min_score).",
            "X",
            setting="min_score",
            tool=ToolArgument("0 to 1"),
        ),
    ] = None
    session: Annotated[
        str,
        Option(
            OptionKind.TEXT,
            "Prefer this session and memories; leave other sessions out.",
            "ID",
            tool=ToolArgument("prefer this conversation"),
        ),
    ] = ""
    vectors: Annotated[
        VectorsMode | str,
        Option(
            OptionKind.CHOICE,
            "Whether meaning counts beside words (default: recall.vectors).",
            choices=VectorsMode,
            setting="vectors",
        ),
    ] = ""
    fusion: Annotated[
        FusionMethod | str,
        Option(
            OptionKind.CHOICE,
            "How meaning is joined to words (default: recall.fusion).",
            choices=FusionMethod,
            setting="fusion",
        ),
    ] = ""
    early_return: Annotated[
        float | None,
        Option(
            OptionKind.SHARE,
            "Score of words from which meaning is not asked, 0 for never.",
            "X",
            setting="early_return",
        ),
    ] = None
    search_mode: Annotated[
        str,
        Option(OptionKind.TEXT, f"{', '.join(SEARCH_MODES)}, as others call it.", "MODE"),
    ] = ""
    plan: Annotated[
        bool, Option(OptionKind.FLAG, "Let the model that is set plan what to look for.")
    ] = False
    plans: Sequence[SearchPlan] = ()  # of whoever asks: no model is asked for one
    private: Annotated[bool, Option(OptionKind.FLAG, "With what is private.")] = False
    explain: Annotated[bool, Option(OptionKind.FLAG, "With all scores and why.")] = False
    record: bool = True  # whether what is given counts as use
    progress: Progress | None = None  # told how many files of how many were read


Options = TypeVar("Options", SearchOptions, RecallOptions)


def rows(record: type) -> Mapping[str, Option]:
    """The options of a record by name, in their order."""
    found = {
        name: getattr(kind, "__metadata__", ()) for name, kind in record.__annotations__.items()
    }
    return {name: known[0] for name, known in found.items() if known}


def check_options(options: Options, settings: object) -> Options:
    """A record with each value in its range, and what was not given as the settings say it;
    UsageError for the first that is none."""
    known = rows(type(options))
    return options._replace(
        **{name: row.checked(name, getattr(options, name), settings) for name, row in known.items()}
    )


def with_search_mode(options: RecallOptions) -> RecallOptions:
    """The same with what a `search_mode` stands for; UsageError for one that there is not."""
    if not options.search_mode:
        return options
    if options.search_mode not in SEARCH_MODES:
        known = ", ".join(SEARCH_MODES)
        raise UsageError(f"search_mode: {options.search_mode} is none", f"one of {known}")
    vectors, fusion = SEARCH_MODES[options.search_mode]
    return options._replace(vectors=vectors, fusion=fusion, search_mode="")


def argument_of(name: str, row: Option) -> str:
    """What an option is called where it is given once: `types` is one `type`."""
    return name.removesuffix("s") if row.kind is OptionKind.TEXTS else name


def texts_of(options: object) -> list[str]:
    """All texts of a record."""
    found = list[str]()
    for name, row in rows(type(options)).items():
        if row.kind in (OptionKind.TEXT, OptionKind.TEXTS):
            value = getattr(options, name)
            found += value if row.kind is OptionKind.TEXTS else [value]
    return found
