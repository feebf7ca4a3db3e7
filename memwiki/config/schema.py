"""Which settings there are, with their defaults and what they are for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType, NoneType
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

from memwiki.config import tables
from memwiki.config.tables import (
    About,
    CurationConfig,
    ExtractConfig,
    IndexConfig,
    IngestConfig,
    PagesConfig,
    RecallConfig,
    Texts,
    VectorsConfig,
)
from memwiki.nouns import Layers
from memwiki.records import NamedTuple
from memwiki.scope import layers_at

SHARED_VARIABLE = "MEMWIKI_INDEX_SHARED"
VARIABLES = {
    "MEMWIKI_WORKSPACE": "the workspace where none is found from the current folder upwards",
    "MEMWIKI_CONFIG_DIR": "where config.toml with your named workspaces and models is, instead "
    "of the user's configuration folder",
    "MEMWIKI_STATE_DIR": "where the ledger of what models were asked is, instead of the user's "
    "state folder",
    SHARED_VARIABLE: "the address of the server with the shared index, which goes before `shared` "
    "under [index] in config.toml",
    "MEMWIKI_CACHE_DIR": "where the derived index lives, instead of the user's cache folder",
}  # each setting has one, too: MEMWIKI_<TABLE>_<KEY>

AGENT = "agent"
PRESETS = ("personal", AGENT)
# From [pages] and what other programs say.
_PUT_TOGETHER = ("layers.dialect", "layers.nested")
PROFILES = ("small", "default", "full", "graph-memory")

# None, "" and () are empty.
Value: TypeAlias = bool | int | float | str | Texts | tuple[float, ...] | None


class FilesConfig(NamedTuple):
    """[files]"""

    gitignore: bool = False
    max_bytes: int = 10_000_000
    ignore: Texts = ()


class CatalogConfig(NamedTuple):
    """[catalog]"""

    enabled: bool = False


class CheckConfig(NamedTuple):
    """[check]"""

    ignore: Texts = ()


class MemoryConfig(NamedTuple):
    """[memory]; its words are added to the built-in ones."""

    boost_words: Texts = ()
    negation_words: Texts = ()
    preference_words: Texts = ()
    change_words: Texts = ()
    entity_attributes: Texts = ()
    conflict_threshold: float = 0.6
    conflict_mode: str = "combined"
    near_threshold: float = 0.9
    same_threshold: float = 0.95
    max_tags: int = 8
    value_weights: tuple[float, ...] = (0.3, 0.5, 0.2)
    namespace: str = ""
    preset: str = "personal"
    decay: str = "half_life"
    half_life_days: float = 7
    decay_rates: Texts = ()
    max_entries_a_page: int = 500
    hygiene_enabled: bool | None = None
    conversation_retention_days: float = 30
    daily_retention_days: float = 30
    min_retention_floor: int = 0
    daily_retention_floor: int = 0
    conversation_retention_floor: int = 0
    snapshot_enabled: bool | None = None
    auto_hydrate: bool = True
    auto_recall: bool = True
    auto_save: bool = True

    @property
    def has_hygiene(self) -> bool:
        """Whether days and conversations retire when they are old."""
        return self._by_preset(self.hygiene_enabled)

    @property
    def has_snapshot(self) -> bool:
        """Whether upkeep writes the snapshot."""
        return self._by_preset(self.snapshot_enabled)

    @property
    def is_for_agents(self) -> bool:
        """Whether memories are kept by themselves."""
        return self.preset == AGENT

    def _by_preset(self, given: bool | None) -> bool:
        return self.is_for_agents if given is None else given


class ConsolidationConfig(NamedTuple):
    """[consolidation]"""

    interval_hours: float = 6
    batch_size: int = 100
    promote_at: float = 0.8
    discover_relations: bool = True
    detect_conflicts: bool = True


class RetentionConfig(NamedTuple):
    """[retention.<collection>]"""

    policy: str = "none"
    ttl_days: float | None = None
    max_items: int | None = None
    then: str = "recall"
    check_interval: int = 100
    floor: int | None = None


SLIDING = "sliding_window"


class SessionConfig(NamedTuple):
    """[session]"""

    strategy: str = "full"
    max_turns: int = 50
    max_messages: int | None = None
    context_window: int = 128_000
    reserved_tokens: int = 8_000
    keep_recent: int = 5

    @property
    def is_sliding(self) -> bool:
        """Whether the oldest messages leave a session."""
        return self.strategy == SLIDING

    @property
    def budget_tokens(self) -> int:
        """What a session may take of a model's context."""
        return max(self.context_window - self.reserved_tokens, 0)


class EntitiesConfig(NamedTuple):
    """[entities]"""

    same: float = 0.95
    near: float = 0.85
    context_match: bool = True
    batch_size: int = 50


REVIEW = "review"


class DoorsConfig(NamedTuple):
    """[doors]: what agents and other programs may do; a workspace's own file only narrows it."""

    read_only: bool = False
    profile: str = "default"
    max_tokens: int = 8000
    writes_per_minute: int = 120
    max_text_kb: int = 256
    staged: bool = False
    supersede: str = "auto"
    write: Texts = ()


class ModelsConfig(NamedTuple):
    """[models]: what a workspace's own file may say of models, which only narrows."""

    enabled: bool = True
    withhold: Texts = ()
    support: float = 0.4
    verify: bool = False


class Config(NamedTuple):
    """All settings of one workspace; `origins` says which do not have their default, `notes` what
    has no effect any more, `foreign_notes` what of another program's settings is passed over;
    `nested` has the forms of the folders that programs keep within the workspace."""

    files: FilesConfig = FilesConfig()
    layers: Layers = Layers()
    pages: PagesConfig = PagesConfig()
    catalog: CatalogConfig = CatalogConfig()
    check: CheckConfig = CheckConfig()
    recall: RecallConfig = RecallConfig()
    vectors: VectorsConfig = VectorsConfig()
    indexing: IndexConfig = IndexConfig()
    memory: MemoryConfig = MemoryConfig()
    entities: EntitiesConfig = EntitiesConfig()
    consolidation: ConsolidationConfig = ConsolidationConfig()
    session: SessionConfig = SessionConfig()
    doors: DoorsConfig = DoorsConfig()
    models: ModelsConfig = ModelsConfig()
    extract: ExtractConfig = ExtractConfig()
    ingest: IngestConfig = IngestConfig()
    curation: CurationConfig = CurationConfig()
    retention: Mapping[str, RetentionConfig] = MappingProxyType({})
    cache_dir: str = ""
    workspace: str = ""
    origins: Mapping[str, str] = MappingProxyType({})
    notes: Texts = ()
    foreign_notes: Texts = ()
    folders: Texts = ()  # that were looked at for settings of other programs
    nested: Mapping[str, PagesConfig] = MappingProxyType({})

    def pages_at(self, path: str) -> PagesConfig:
        """The form of pages at a path, whose program may be another than that of the workspace."""
        return self.nested.get(layers_at(path, self.layers).dialect.folder, self.pages)

    @property
    def is_retaining(self) -> bool:
        """Whether anything retires by itself."""
        policies = (each.policy for each in self.retention.values())
        return self.memory.has_hygiene or any(policy != "none" for policy in policies)


class Key(NamedTuple):
    """One setting as declared; `collection` is what a user named in `[table.collection]`."""

    table: str
    name: str
    kind: type
    default: Value
    about: About
    collection: str = ""

    def __str__(self) -> str:
        return f"{self.home}.{self.name}"

    @property
    def home(self) -> str:
        """The table that holds it."""
        return f"{self.table}.{self.collection}" if self.collection else self.table

    @property
    def variable(self) -> str:
        """The environment variable that overrides it."""
        return variable_of(str(self))

    @property
    def is_emptied(self) -> bool:
        """Whether an empty variable empties it; a layer that is set to nothing stays as it is."""
        return self.default is None or self.kind is tuple

    @property
    def help(self) -> str:
        """What it is for, with its values where these are few."""
        allowed = self.about.allowed
        return f"{self.about.help} ({allowed})" if allowed else self.about.help


class Schema(NamedTuple):
    """All settings: tables of fixed keys, and tables that hold one such table a collection."""

    tables: Mapping[str, Any]
    collections: Mapping[str, Any]
    about: Mapping[str, About]  # by dotted name, with `*` for a collection
    gone: Mapping[str, str] = MappingProxyType({})
    users_own: Texts = ()  # tables that are never read from this file

    def keys(self) -> dict[str, Key]:
        """Every setting of a table of fixed keys by its dotted name."""
        found = (key for table in self.tables for key in self.keys_in(table))
        return {str(key): key for key in found}

    def keys_in(self, table: str, collection: str = "") -> Iterator[Key]:
        """The settings of one table."""
        kind = self.tables.get(table) or self.collections[table]
        kinds = _kinds(kind)
        prefix = f"{table}.*" if table in self.collections else table
        for name, default in kind._field_defaults.items():
            if f"{table}.{name}" in _PUT_TOGETHER:
                continue
            about = self.about[f"{prefix}.{name}"]
            yield Key(table, name, kinds[name], default, about, collection)

    def find(self, name: str) -> Key | None:
        """The setting of a dotted name, `retention.daily.ttl_days` too."""
        table, _, rest = name.partition(".")
        collection, _, own = rest.rpartition(".")
        is_one = is_collection_name(collection) if table in self.collections else not collection
        if not is_one or table not in {*self.tables, *self.collections}:
            return None
        return next((key for key in self.keys_in(table, collection) if key.name == own), None)

    def of_variable(self, variable: str) -> Key | None:
        """The setting that an environment variable overrides; it names collections in lower
        case."""
        for table in self.collections:
            start = f"MEMWIKI_{table}_".upper()
            keys = self.keys_in(table, "*") if variable.startswith(start) else ()
            for key in sorted(keys, key=lambda key: -len(key.name)):
                end = f"_{key.name}".upper()
                collection = variable.removeprefix(start).removesuffix(end).lower()
                if collection and variable == f"{start}{collection.upper()}{end}":
                    return key._replace(collection=collection)
        return next((key for key in self.keys().values() if key.variable == variable), None)

    def why_gone(self, name: str) -> str:
        """What to tell about a setting of an earlier version; "" for any other name."""
        now = self.gone.get(name, "")
        return f"{name} has no effect any more: {now}" if now else ""

    def near(self, name: str) -> list[str]:
        """The names among which one that is not known is looked for."""
        table, _, rest = name.partition(".")
        collection = rest.rpartition(".")[0]
        if table in self.collections and is_collection_name(collection):
            return [str(key) for key in self.keys_in(table, collection)]
        return [*self.keys()]


def is_collection_name(text: str) -> bool:
    """Whether a collection may be called so."""
    return bool(text.strip()) and text.isprintable()


@cache
def _kinds(table: type) -> dict[str, type]:
    """The types of the values of a table that are not empty: `int` of `int | None`."""
    return {name: _kind(annotation) for name, annotation in get_type_hints(table).items()}


def _kind(annotation: Any) -> type:  # noqa: ANN401 - whatever stands in an annotation
    if get_origin(annotation) is tuple:
        return tuple
    kind: type = next((part for part in get_args(annotation) if part is not NoneType), annotation)
    return kind


def variable_of(name: str) -> str:
    """The environment variable of a dotted name."""
    return f"MEMWIKI_{name.replace('.', '_')}".upper()


def attribute(table: str) -> str:
    """The attribute of Config that holds a table: `index` is a method of every tuple."""
    return "indexing" if table == "index" else table


_ABOUT = {
    "files.gitignore": About("also leave out what the root's .gitignore names"),
    "files.max_bytes": About("of a larger file only the title and the head are indexed", 1),
    "files.ignore": About("patterns of what is left out, as in .memwikiignore, which comes after"),
    "catalog.enabled": About("keep index.md up to date when pages change"),
    "check.ignore": About("codes of problems that check leaves out, unless --only asks for them"),
    **tables.ABOUT,
    "layers.memory": About("memory file"),
    "layers.learnings": About("learnings file"),
    "layers.daily": About("folder of daily notes"),
    "layers.sessions": About("folder of conversations"),
    "layers.wiki": About("folder of pages"),
    "layers.raw": About("folder of sources, which are never changed and rank lower"),
    "layers.inbox": About("inbox, for what is not reviewed yet"),
    "layers.archive": About("archive, found only by its path"),
    "layers.namespaces": About("folder of workspaces inside this one, out of default search"),
    "layers.log": About("journal file"),
    "memory.boost_words": About("more words that make a new entry important"),
    "memory.negation_words": About("more words that deny, such as not"),
    "memory.preference_words": About("more words that state a preference, such as prefers"),
    "memory.change_words": About("more words that say that something changed, such as now"),
    "memory.entity_attributes": About("attributes of entries whose values are entities"),
    "memory.conflict_threshold": About("score above which two entries may contradict", most=1),
    "memory.conflict_mode": About(
        "how the similarity of two such entries is measured", choices=("combined", "jaccard")
    ),
    "memory.near_threshold": About("similarity from which two entries are near", most=1),
    "memory.same_threshold": About("similarity from which two entries say the same", most=1),
    "memory.max_tags": About("most tags that are proposed for an entry"),
    "memory.value_weights": About(
        "what recalls, their mean score and the last one add to the value of an entry", numbers=3
    ),
    "memory.namespace": About("namespace that is meant where -n names none"),
    "entities.same": About("similarity above which two names are one entity", most=1),
    "entities.near": About("similarity from which two names may be one entity", most=1),
    "entities.context_match": About("near names also need matching neighbours to be one"),
    "entities.batch_size": About("most entries whose entities one consolidation links", 1),
    "memory.preset": About(
        "who keeps the memories: people, or agents that also let them retire", choices=PRESETS
    ),
    "memory.decay": About(
        "how age lowers a memory outside of core", choices=("half_life", "by_type")
    ),
    "memory.half_life_days": About("days after which half of a memory is left", 0.01),
    "memory.decay_rates": About(
        "share a day by type, such as `event 0.05`, for decay by_type", is_named=True
    ),
    "memory.max_entries_a_page": About("entries after which overflow begins a new page", 1),
    "memory.hygiene_enabled": About(
        "days and conversations retire after their days; empty: only with the preset agent"
    ),
    "memory.conversation_retention_days": About("age at which a conversation retires"),
    "memory.daily_retention_days": About("age at which an entry of a day retires"),
    "memory.min_retention_floor": About("entries that every collection keeps at least"),
    "memory.daily_retention_floor": About("entries of days that are kept at least"),
    "memory.conversation_retention_floor": About("conversations that are kept at least"),
    "memory.snapshot_enabled": About(
        "upkeep writes MEMORY_SNAPSHOT.md; empty: only with the preset agent"
    ),
    "memory.auto_hydrate": About("init takes in a lone MEMORY_SNAPSHOT.md"),
    "memory.auto_recall": About("hooks of agents' programs bring memories into a conversation"),
    "memory.auto_save": About("hooks that were installed with --capture record conversations"),
    "consolidation.interval_hours": About("hours between two runs of watch --upkeep", 0.01),
    "consolidation.batch_size": About("most entries that one run looks at", 1),
    "consolidation.promote_at": About("importance from which an entry becomes core", most=1),
    "consolidation.discover_relations": About("relate entries that name the same"),
    "consolidation.detect_conflicts": About("supersede what a newer entry contradicts"),
    "session.strategy": About(
        "what a session keeps: all, or a window that slides", choices=("full", SLIDING)
    ),
    "session.max_turns": About("turns that a sliding window holds at most", 1),
    "session.max_messages": About("messages that a sliding window holds at most", 1),
    "session.context_window": About("tokens that the model can take in", 1),
    "session.reserved_tokens": About("tokens of these that are kept for other things"),
    "session.keep_recent": About("newest tool results that are never compacted"),
    "doors.read_only": About("agents may change nothing"),
    "doors.profile": About(
        "which tools agents are offered; in memwiki.toml only small counts", choices=PROFILES
    ),
    "doors.max_tokens": About("most tokens of one answer of a tool", 500),
    "doors.writes_per_minute": About("most changes that one connection makes in a minute"),
    "doors.max_text_kb": About("most kilobytes of one text that an agent writes", 1),
    "doors.staged": About("memories that agents add wait in the inbox"),
    "doors.supersede": About(
        "what becomes of a memory that one of an agent plainly ends: struck out, or that is put up"
        " for review",
        choices=("auto", REVIEW),
    ),
    "doors.write": About("patterns of the files that agents may change, such as wiki/**"),
    "models.enabled": About("a model may be asked about this workspace, if the user has set one"),
    "models.withhold": About("patterns of the files that no model is sent, such as clients/**"),
    "models.support": About(
        "share of the words of a claim that its source has to have", 0.4, most=1
    ),
    "models.verify": About("proposals on pages, not on memories alone, are read a second time"),
    "retention.*.policy": About(
        "what retires", choices=("none", "ttl", "capacity", "recall", "hybrid")
    ),
    "retention.*.ttl_days": About("age from which it retires, for ttl and hybrid"),
    "retention.*.max_items": About("entries that stay, for capacity, recall and hybrid"),
    "retention.*.then": About("what follows ttl in hybrid", choices=("capacity", "recall")),
    "retention.*.check_interval": About("writes after which it is looked at", 1),
    "retention.*.floor": About("entries that are kept at least"),
}
# What earlier versions were set by, each with what holds now.
_GONE = {"layers.staging": "staged entries are in the folder that layers.inbox names"}
SCHEMA = Schema(
    tables={
        "files": FilesConfig,
        "layers": Layers,
        "pages": PagesConfig,
        "catalog": CatalogConfig,
        "check": CheckConfig,
        "recall": RecallConfig,
        "vectors": VectorsConfig,
        "index": IndexConfig,
        "memory": MemoryConfig,
        "entities": EntitiesConfig,
        "consolidation": ConsolidationConfig,
        "session": SessionConfig,
        "doors": DoorsConfig,
        "models": ModelsConfig,
        "extract": ExtractConfig,
        "ingest": IngestConfig,
        "curation": CurationConfig,
    },
    collections={"retention": RetentionConfig},
    about=_ABOUT,
    gone=_GONE,
    users_own=(
        "models.chat",
        "models.embed",
        "models.budget",
        "models.allow",
        "index.shared",
        "web",
    ),
)
