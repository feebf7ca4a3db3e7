"""Models, in the user's own settings (config.toml) alone: a workspace may come from anybody, and
names no server, model or key."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from memwiki.config.load import fill_tables, from_environment
from memwiki.config.locations import user_file_name
from memwiki.config.schema import Key, Schema, Value
from memwiki.config.tables import About, Texts
from memwiki.config.user import MODELS, checked_text, parse_settings, text_of_user_file
from memwiki.config.values import (
    as_table,
    line_of,
    refuse,
    refuse_name,
    valid_at,
    with_line,
)
from memwiki.nouns import Environ

Allowances: TypeAlias = dict[str, tuple[str, ...]]
TomlTable: TypeAlias = Mapping[str, object]
OPENAI, LOCAL = "openai", "local"
SESSION_END, AUTO_STORE, CURATE = "session_end", "auto_store", "curate"
TRIGGERS = (SESSION_END, AUTO_STORE, CURATE)
_ALLOW, _TRIGGERS = f"{MODELS}.allow", f"{MODELS}.triggers"
_OPENROUTER = "https://openrouter.ai/api/v1"
# Of the settings that other memories for agents have.
_ALIASES = {
    "embedding_provider": "models.embed.provider",
    "embedding_model": "models.embed.model",
    "embedding_dims": "models.embed.width",
    "embedding_cache_max": "models.embed.cache_max",
    "defer_embedding": "models.embed.defer",
}
_CUSTOM = "custom:"


class ChatConfig(NamedTuple):
    """[models.chat]"""

    base_url: str = ""
    file: str = ""
    model: str = ""
    key_env: str = ""
    format: str = "auto"
    context_tokens: int = 4096
    temperature: float = 0.2
    idle_seconds: float = 60
    total_seconds: float = 600
    http_hosts: Texts = ()
    price_in: float | None = None
    price_out: float | None = None

    @property
    def is_set(self) -> bool:
        """Whether there is a model to ask."""
        return bool(self.base_url or self.file)


class EmbedConfig(NamedTuple):
    """[models.embed]"""

    provider: str = ""
    base_url: str = ""
    model: str = ""
    key_env: str = ""
    width: int = 0
    batch: int = 64
    cache_max: int = 10_000
    defer: bool = True
    idle_seconds: float = 60
    total_seconds: float = 600
    http_hosts: Texts = ()
    price_in: float | None = None

    @property
    def is_set(self) -> bool:
        """Whether there is a model to ask."""
        return self.provider not in ("", "none")


# Where a model is asked, how long it may take, and what it costs.
ServerConfig: TypeAlias = ChatConfig | EmbedConfig


class BudgetConfig(NamedTuple):
    """[models.budget]"""

    calls_per_run: int = 50
    tokens_per_run: int = 200_000
    tokens_per_month: int = 5_000_000


class UserModels(NamedTuple):
    """What the user has set; `allow` names the hosts that each workspace may be sent to,
    `triggers` what may happen in it by itself."""

    chat: ChatConfig = ChatConfig()
    embed: EmbedConfig = EmbedConfig()
    budget: BudgetConfig = BudgetConfig()
    allow: Mapping[str, Texts] = MappingProxyType({})
    triggers: Mapping[str, Texts] = MappingProxyType({})
    origins: Mapping[str, str] = MappingProxyType({})
    notes: Texts = ()


_SECONDS = "seconds after which a server that {} is given up"
_SERVER = {
    "base_url": About("address of a server that speaks OpenAI's dialect, up to /v1; empty: none"),
    "model": About("name of the model, as its server has it"),
    "key_env": About("name of the variable that holds the key; no key is in a file"),
    "idle_seconds": About(_SECONDS.format("says nothing"), 0.01),
    "total_seconds": About(_SECONDS.format("has not ended"), 0.01),
    "http_hosts": About("hosts besides this machine that may be asked without TLS"),
    "price_in": About("price of a million tokens that are sent; empty: unknown"),
    "price_out": About("price of a million tokens that are answered; empty: unknown"),
}
USER = Schema(
    tables={
        "models.chat": ChatConfig,
        "models.embed": EmbedConfig,
        "models.budget": BudgetConfig,
    },
    collections={},
    about={
        **{
            f"models.{table}.{k}": about
            for table in ("chat", "embed")
            for k, about in _SERVER.items()
        },
        "models.chat.file": About("a GGUF file that memwiki serves itself, instead of base_url"),
        "models.chat.format": About(
            "how replies are held to their form; auto: by what the server takes",
            choices=("auto", "json_schema", "json_object", "text"),
        ),
        "models.chat.context_tokens": About("tokens that request and reply may have together", 256),
        "models.chat.temperature": About("how freely it answers, where a job does not say", most=2),
        "models.embed.provider": About(
            "what makes vectors: nothing, this machine, or the server at base_url",
            choices=("", "none", LOCAL, OPENAI),
        ),
        "models.embed.width": About("numbers of a vector; 0: as the model makes them"),
        "models.embed.batch": About("texts of one request", 1),
        "models.embed.cache_max": About("vectors kept whose texts are in no page any more"),
        "models.embed.defer": About("make vectors after a sync, not in it"),
        "models.budget.calls_per_run": About("most requests of one command"),
        "models.budget.tokens_per_run": About("most tokens of one command, sent and answered"),
        "models.budget.tokens_per_month": About("most tokens of a month, of all workspaces"),
    },
)


def load_user_models(environ: Environ) -> UserModels:
    """The models that the user has set, in config.toml or the environment."""
    return user_models(text_of_user_file(environ), user_file_name(environ), environ)


def user_models(text: str, source: str, environ: Environ) -> UserModels:
    """The models in the text of config.toml and the environment, each value checked."""
    given, notes = dict[Key, Value](), list[str]()
    tables = _tables_of(text, source)
    for name, value, note in _settings_in(tables, text, source):
        key = USER.keys().get(name)
        line = line_of(text, name)
        if key is None:
            refuse_name(name, USER.keys(), line, source)
        given[key] = valid_at(key, value, line, source)
        if note:
            notes.append(note)
    over = from_environment(environ, USER)
    found = fill_tables({**given, **over}, USER)
    origins = {str(key): source for key in given} | {str(key): key.variable for key in over}
    return UserModels(
        **{table.partition(".")[2]: record for table, record in found.items()},
        allow=_allowed_in(tables, text, source),
        triggers=_triggers_in(tables, text, source),
        origins=origins,
        notes=tuple(notes),
    )


def _tables_of(text: str, source: str) -> TomlTable:
    tables = parse_settings(text, source).get(MODELS, {})
    return as_table(tables, MODELS, f"write [{MODELS}.chat]", text, source)


def _settings_in(tables: TomlTable, text: str, source: str) -> Iterator[tuple[str, object, str]]:
    """The settings as written, by dotted names, with what is to be said of them."""
    for name, content in tables.items():
        table = f"{MODELS}.{name}"
        if name in _ALIASES:
            for key, value in _own_settings(_ALIASES[name], content):
                yield key, value, f"{table} is read as {key}"
        elif table in USER.tables and isinstance(content, dict):
            yield from ((f"{table}.{key}", value, "") for key, value in content.items())
        elif table not in (_ALLOW, _TRIGGERS):
            refuse_name(table, [*USER.tables, _ALLOW, _TRIGGERS], line_of(text, table), source)


def _own_settings(key: str, value: object) -> Iterator[tuple[str, object]]:
    """What a setting of other memories means here: some of their providers are addresses."""
    address = _OPENROUTER if value == "openrouter" else ""
    if key == "models.embed.provider" and isinstance(value, str) and value.startswith(_CUSTOM):
        address = value.removeprefix(_CUSTOM)
    yield key, OPENAI if address else value
    if address:
        yield "models.embed.base_url", address


def _allowed_in(tables: TomlTable, text: str, source: str) -> Allowances:
    """The hosts of each workspace."""
    what = "hosts", 'write ["host.example"]'
    found = _by_folder(tables, _ALLOW, what, text, source)
    return {folder: tuple(map(str.lower, hosts)) for folder, hosts in found.items()}


def _triggers_in(tables: TomlTable, text: str, source: str) -> Allowances:
    """What may happen by itself in each workspace."""
    what = "triggers", f'write ["{SESSION_END}"], "{AUTO_STORE}" or "{CURATE}" as well'
    return _by_folder(tables, _TRIGGERS, what, text, source, frozenset(TRIGGERS))


def _by_folder(
    tables: TomlTable,
    table: str,
    what: tuple[str, str],
    text: str,
    source: str,
    known: Collection[str] = (),
) -> Allowances:
    """The texts that a table lists of each workspace, one of those `known` each where there are
    any; ConfigError for another list, which says `what` is to be there and how it is written."""
    content = tables.get(table.rpartition(".")[2], {})
    given = as_table(content, table, f"write [{table}]", text, source)
    for folder, names in given.items():
        is_list = isinstance(names, list) and all(isinstance(each, str) for each in names)
        if not is_list or (known and not {*names} <= {*known}):
            where = line_of(text, f"{table}.{folder}")
            refuse(f"{folder} has no list of {what[0]}", what[1], where, source)
    return {folder: tuple(names) for folder, names in given.items()}


def with_allowed(text: str, folder: str, hosts: Sequence[str], source: str) -> str:
    """The text with the hosts that a workspace may be sent to; every other byte stays."""
    known = user_models(text, source, {}).allow
    wanted = {**known, folder: tuple(hosts)}
    if known.get(folder, ()) == wanted[folder]:
        return text
    after = with_line(text, _ALLOW, folder, wanted[folder])
    return checked_text(
        after, wanted, lambda text, source: user_models(text, source, {}).allow, _ALLOW, source
    )
