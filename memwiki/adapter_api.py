"""The building blocks that adapters may use beside the public names of memwiki, each from its room.

A name is imported on first use: a hook that needs one loads no room for the others.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from memwiki.answers.entries import Entity, Graph, MessageView, Observed, Relation
    from memwiki.answers.pages import FolderList, TextFile
    from memwiki.answers.recall import PromptBlock
    from memwiki.answers.workspaces import AgentFile, AgentPart, ImportReport, ToolReply
    from memwiki.carry.source import (
        ReadBudget,
        ZipSource,
        refusal_of,
        require_few,
    )
    from memwiki.change.outside import OutsideEdit, missing_folders
    from memwiki.config.others import LOGSEQ_BACKUPS, GraphSettings, graph_settings
    from memwiki.dates import ISO as ISO_DAY
    from memwiki.dates import date_in, iso_date
    from memwiki.digest import digest_of, text_hash
    from memwiki.entry_fields import ORIGINS as ENTRY_ORIGINS
    from memwiki.entry_fields import canonical
    from memwiki.errors import (
        AlreadyExistsError,
        ConflictError,
        LockedError,
        MemoryToolError,
        MissingExtraError,
        NotEditableError,
        NotFoundError,
        OutsideError,
        TwinError,
        UnreadableError,
        UsageError,
        shell_word,
    )
    from memwiki.fence import one_line
    from memwiki.files.ignore import is_leftover, why_not_folder
    from memwiki.files.records import ANY_SERVER, InstallRecord
    from memwiki.index.names import NameKind
    from memwiki.index.resolve import Resolver
    from memwiki.markdown.dialects import (
        BULLET,
        HEADING,
        UUID,
        has_children,
        page_names,
        read_properties,
    )
    from memwiki.markdown.dialects import ID as BLOCK_ID
    from memwiki.markdown.dialects import value_of as property_value
    from memwiki.markdown.edit.fields import Wanted, set_field
    from memwiki.markdown.edit.links import LinkSite, Syntax, renamed, sites_of
    from memwiki.markdown.edit.yaml import scalar_text as yaml_scalar
    from memwiki.markdown.fields import first_text, read_fields, strings
    from memwiki.markdown.frontmatter import find_block
    from memwiki.markdown.frontmatter import load as load_front_matter
    from memwiki.markdown.links import RELATION_WORD, is_external, is_no_name
    from memwiki.markdown.messages import fitting_word
    from memwiki.markdown.outline import Outline, outline_of
    from memwiki.markdown.source import Patch, exact_text, read_source
    from memwiki.markdown.source import Source as SourceText
    from memwiki.memory.draft import checked_key, draft_of, field_value, given_names, request_of
    from memwiki.memory.entity_graph import folder_of as entity_folder
    from memwiki.memory.entity_pages import EntityPages
    from memwiki.memory.graph_edits import why_no_entity
    from memwiki.memory.graph_edits import with_graph as pages_with_graph
    from memwiki.names import (
        BIDI,
        CONFIG_FILE,
        DENDRON_CONFIG,
        LOGSEQ_CONFIG,
        SITE_CONFIGS,
        SURROGATE,
        fold,
        is_page_name,
        path_in,
        slug,
        stem_of,
        without_suffix,
    )
    from memwiki.nouns import PATH_KINDS, FieldValue, FrontMatterStatus, Json, Layers, LinkKind
    from memwiki.numbers import counted
    from memwiki.pages.tags import as_tag
    from memwiki.secrets import without_secrets
    from memwiki.sessions.page import fitting_id
    from memwiki.setup.agents import HookState
    from memwiki.text import tokens
    from memwiki.times.day_names import read_day, written_day
    from memwiki.tools.table import ToolAnswer, door_settings
    from memwiki.workspace.folder import FolderFacet

# By module: the names, `name=its name there` where that would say too little here.
_HOMES = {
    "answers.workspaces": "AgentFile AgentPart ImportReport ToolReply",
    "answers.pages": "FolderList TextFile",
    "answers.entries": "Entity Graph MessageView Observed Relation",
    "answers.recall": "PromptBlock",
    "carry.source": "ReadBudget ZipSource refusal_of require_few",
    "change.outside": "OutsideEdit missing_folders",
    "config.others": "GraphSettings LOGSEQ_BACKUPS graph_settings",
    "dates": "ISO_DAY=ISO date_in iso_date",
    "digest": "digest_of text_hash",
    "tools.table": "ToolAnswer door_settings",
    "entry_fields": "ENTRY_ORIGINS=ORIGINS canonical",
    "errors": (
        "AlreadyExistsError ConflictError LockedError MemoryToolError MissingExtraError "
        "NotEditableError NotFoundError OutsideError TwinError UnreadableError UsageError "
        "shell_word"
    ),
    "fence": "one_line",
    "files.ignore": "is_leftover why_not_folder",
    "files.records": "ANY_SERVER InstallRecord",
    "index.names": "NameKind",
    "index.resolve": "Resolver",
    "markdown.dialects": (
        "BLOCK_ID=ID BULLET HEADING UUID has_children page_names property_value=value_of "
        "read_properties"
    ),
    "markdown.edit.fields": "Wanted set_field",
    "markdown.edit.links": "LinkSite Syntax renamed sites_of",
    "markdown.messages": "fitting_word",
    "markdown.edit.yaml": "yaml_scalar=scalar_text",
    "markdown.fields": "first_text read_fields strings",
    "markdown.frontmatter": "find_block load_front_matter=load",
    "markdown.links": "RELATION_WORD is_external is_no_name",
    "markdown.outline": "Outline outline_of",
    "markdown.source": "Patch SourceText=Source exact_text read_source",
    "memory.draft": "checked_key draft_of field_value given_names request_of",
    "memory.entity_graph": "entity_folder=folder_of",
    "memory.entity_pages": "EntityPages",
    "memory.graph_edits": "pages_with_graph=with_graph why_no_entity",
    "pages.tags": "as_tag",
    "nouns": "FieldValue FrontMatterStatus Json Layers LinkKind PATH_KINDS",
    "names": (
        "BIDI CONFIG_FILE DENDRON_CONFIG LOGSEQ_CONFIG SITE_CONFIGS SURROGATE fold is_page_name "
        "path_in slug stem_of without_suffix"
    ),
    "numbers": "counted",
    "secrets": "without_secrets",
    "sessions.page": "fitting_id",
    "times.day_names": "read_day written_day",
    "text": "tokens",
    "setup.agents": "HookState",
    "workspace.folder": "FolderFacet",
}
_ROWS = {
    name: (home, own or name)
    for home, names in _HOMES.items()
    for name, _, own in (each.partition("=") for each in names.split())
}


def __getattr__(name: str) -> object:
    """A building block, from where it is at home."""
    if name not in _ROWS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home, own = _ROWS[name]
    value: object = getattr(import_module(f"memwiki.{home}"), own)
    globals()[name] = value
    return value
