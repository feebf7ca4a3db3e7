"""The tools, by profile, and what a model is told of each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from memwiki.entry_fields import FieldUse, field_of, tool_fields
from memwiki.errors import UnknownToolError
from memwiki.options import MAX_ROUNDS, SEARCH_MODES, RecallOptions, SearchOptions
from memwiki.tools.graph_memory import GRAPH_MEMORY
from memwiki.tools.schema import (
    Properties,
    count,
    flag,
    limit,
    number,
    options,
    pairs,
    properties_of,
    record,
    rows,
    text,
    texts,
)
from memwiki.tools.table import READS, REMOVES, REPLACES, WRITES, Tool

_MAX_LIMIT = 1_000_000
_DRY_RUN = flag("only show the change")
_TAGS = texts("without #")
_DAY = text("day, 2w, today")
_TYPE, _TAG = text("only this type"), text("only this tag")
_ETAG = text("as read; refused if changed")


_MAX_OFFSET = 1_000_000_000
_OFFSET = count(0, "skip so many", least=0, most=_MAX_OFFSET)

# What agents propose, in their words, and what that is in ours.
PROPOSED = ("add", "supersede", "retire", "summarise", "skill", "page", "claim", "contradiction")

_RECALLED: Properties = {"question": "as it was asked", **options(RecallOptions, "min_score")}
_PLAN = rows(
    {
        "semantic_query": "words of the answer",
        "subject_includes": texts("names"),
        "memory_types": texts("only these"),
        "expand_depth": count(0, "links to follow", least=0, most=3),
        "relation_filters": texts("because, supports ..."),
        "search_mode": text("how", choices=tuple(SEARCH_MODES)),
    },
    "semantic_query",
    most=MAX_ROUNDS,
    about="what else to look for",
)
_RECALL = Tool(
    "recall",
    "Recall memories",
    "What the memory knows for a question, best first: memories, pages, conversations, each with"
    " date and place. Ask this first.",
    record(_RECALLED, "question"),
    READS,
    "reading.recall",
)
_READ = Tool(
    "read",
    "Read a page or memory",
    "A page, a section or lines of it, with its etag; or one memory.",
    record(
        {
            "name": "path, title, alias, id or key",
            "section": "heading",
            "lines": "such as 10-40",
            "offset": count(0, "characters to skip", least=0, most=_MAX_OFFSET),
            "budget": count(4000, "tokens", least=200, most=_MAX_LIMIT),
        },
        "name",
    ),
    READS,
    "reading.read",
)
_ADD = Tool(
    "add",
    "Add memories",
    "Remember: one self-contained sentence a memory. Answers what was known already, is near or in"
    " conflict.",
    record(
        {
            "memories": rows(
                {
                    "text": "one sentence",
                    **properties_of(tool_fields(FieldUse.ADD)),
                },
                "text",
                most=50,
                about="what to remember",
            ),
            **properties_of(tool_fields(FieldUse.SHARED)),
        },
        "memories",
    ),
    WRITES,
    "memories.add",
)
_UPDATE = Tool(
    "update",
    "Update a memory",
    "Correct a memory; with supersede the old one is struck out and text holds from now on.",
    record(
        {
            "id": "id or key",
            "text": "the new words",
            "tags": texts("new ones"),
            **properties_of(tool_fields(FieldUse.UPDATE)),
            "supersede": flag("strike the old one out"),
        },
        "id",
    ),
    REPLACES,
    "memories.update",
)
_FORGET = Tool(
    "forget",
    "Forget a memory or page",
    "Remove a memory, or put a page into the archive. undo brings it back.",
    record({"name": "id, key or page", "etag": _ETAG}, "name"),
    REMOVES,
    "memories.forget",
)
_PLANNED = _RECALL._replace(schema=record({**_RECALLED, "plan": _PLAN}, "question"))
_SMALL = (_READ, _ADD, _UPDATE, _FORGET)
_DEFAULT = (
    Tool(
        "search",
        "Search pages",
        'Full text search, with "phrases", -not, OR, tag:x, type:x, path:x.',
        record({"query": "words to find", **options(SearchOptions), "offset": _OFFSET}, "query"),
        READS,
        "reading.search",
    ),
    Tool(
        "browse",
        "Browse the workspace",
        "What there is. Without arguments the way in: folders, recent pages, hubs, tags.",
        record(
            {
                "path": "folder",
                "type": _TYPE,
                "tag": _TAG,
                "what": text(
                    "what to list", choices=("pages", "memories", "tags", "recent"), default="pages"
                ),
                "since": _DAY,
                "limit": limit(30),
                "offset": _OFFSET,
            }
        ),
        READS,
        "reading.browse",
    ),
    Tool(
        "links",
        "Show links",
        "Links of a page, what is around it (depth), or the way to another one (to).",
        record(
            {
                "name": "page",
                "direction": text(
                    "in: links to the page",
                    choices=("both", "in", "out", "unresolved"),
                    default="both",
                ),
                "depth": count(1, "links away", most=3),
                "to": "another page",
                "relation": "type of link",
                "limit": limit(40),
            },
            "name",
        ),
        READS,
        "reading.links",
    ),
    Tool(
        "write",
        "Write a page",
        "Make or change a page. replace_section needs the etag that read gave; replace_text puts"
        " text in place of old, which must be there once.",
        record(
            {
                "action": text(
                    "what to do",
                    choices=("create", "append", "replace_section", "replace_text", "set_fields"),
                ),
                "name": "page; for create a path or title",
                "text": "markdown",
                "old": "for replace_text",
                "section": "heading",
                "fields": pairs("front matter; empty removes"),
                "type": "type of the page",
                "tags": _TAGS,
                "description": "one line on the page",
                "etag": _ETAG,
                "dry_run": _DRY_RUN,
            },
            "action",
            "name",
        ),
        REMOVES,
        "writing.write",
    ),
    Tool(
        "move",
        "Move a page",
        "Move or rename a page; links to it are kept true.",
        record(
            {"name": "page", "to": "path or title", "etag": _ETAG, "dry_run": _DRY_RUN},
            "name",
            "to",
        ),
        REMOVES,
        "writing.move",
    ),
    Tool(
        "propose",
        "Propose memories",
        "A person reviews; source alone gives lines.",
        record(
            {
                "source": "session, page, job",
                "job": "ingest, skill, verify; doubles, conflicts, entities, weak, relations,"
                " compress, summaries",
                "reply": "to it",
                "operations": rows(
                    {
                        "do": text("what", choices=PROPOSED),
                        "text": "sentence; name of skill",
                        "page": "title if new; name",
                        "against": "other",
                        "lines": texts("numbers"),
                        "entry": "id",
                        "steps": texts("of skill, summary"),
                        **properties_of(map(field_of, ("tags", "importance"))),
                    },
                    "do",
                    most=30,
                    about="changes",
                ),
            },
        ),
        WRITES,
        "proposals.propose",
    ),
    Tool(
        "undo",
        "Undo changes",
        "Take back your last changes.",
        record({"steps": count(1, "how many changes", most=50), "dry_run": _DRY_RUN}),
        REMOVES,
        "writing.undo",
    ),
    Tool(
        "status",
        "Show status",
        "Counts and freshness, problems of pages (check), or the journal (log).",
        record(
            {
                "what": text(
                    "what to show", choices=("overview", "check", "log"), default="overview"
                ),
                "path": "file or folder",
                "since": _DAY,
                "limit": limit(20),
            }
        ),
        READS,
        "reading.status",
    ),
)
_FULL = (
    Tool(
        "ask",
        "Answer with citations",
        "Numbered passages for a question, and how to answer from them; the reply comes back with"
        " what its lines say, and what they do not.",
        record(
            {
                "question": "as it was asked",
                "plan": _PLAN,
                "limit": limit(8, 50),
                "reply": "to the passages",
                "etag": "of the passages",
            },
            "question",
        ),
        READS,
        "proposals.ask",
    ),
    Tool(
        "relate",
        "Relate memories",
        "Note how one memory stands to another: because, causes, supports, refines ...",
        record(
            {
                "a": "id or key",
                "b": "id or key",
                "as": "relation",
                "weight": number("how strong, 0 to 1"),
                "by_description": flag("a and b are described in words"),
                "remove": flag("take the relation back"),
            },
            "a",
            "b",
            "as",
        ),
        REPLACES,
        "memories.relate",
    ),
    Tool(
        "tag",
        "Change tags",
        "Add or remove tags of a page, or rename or merge a tag on all pages (old, new).",
        record(
            {
                "action": text("what to do", choices=("add", "remove", "rename", "merge")),
                "name": "page",
                "tags": _TAGS,
                "old": "tag to rename or merge",
                "new": "its new name",
                "dry_run": _DRY_RUN,
            },
            "action",
        ),
        REMOVES,
        "writing.tag",
    ),
    Tool(
        "history",
        "Show history",
        "Commits of a page, or with at the page as it was then.",
        record({"name": "page", "at": "revision or date", "limit": limit(20)}, "name"),
        READS,
        "reading.history",
    ),
    Tool(
        "session",
        "Keep a session",
        "Begin a conversation, add a message, show the last ones, or end it with a summary.",
        record(
            {
                "action": text("what to do", choices=("start", "add", "show", "end")),
                "id": "of the conversation",
                "role": "user, assistant, tool",
                "text": "the message",
                "summary": "for end",
                "limit": limit(20),
            },
            "action",
        ),
        WRITES,
        "writing.session",
    ),
    Tool(
        "entities",
        "Manage entities",
        "What memories are about, pairs that may be one, or merge a into b.",
        record(
            {
                "action": text("what to do", choices=("list", "candidates", "merge")),
                "a": "name, or how it begins",
                "b": "name that stays",
                "limit": limit(30),
            },
            "action",
        ),
        REMOVES,
        "memories.entities",
    ),
    Tool(
        "review",
        "Show proposals",
        "Proposals that wait for the person, or one with its operations; accept and reject only"
        " where the person lets you.",
        record(
            {
                "id": "of one",
                "accept": texts("numbers"),
                "reject": texts("numbers"),
                "limit": limit(20),
            }
        ),
        WRITES,
        "proposals.review",
    ),
    Tool(
        "upkeep",
        "Tidy up memories",
        "Merge doubles, promote and retire memories, repair pages; first look with dry_run.",
        record({"dry_run": flag("show the steps, take none", default=True)}),
        REMOVES,
        "writing.upkeep",
    ),
)
PROFILES: Mapping[str, tuple[Tool, ...]] = {
    "small": (_RECALL, *_SMALL),
    "default": (_RECALL, *_SMALL, *_DEFAULT),
    "full": (_PLANNED, *_SMALL, *_DEFAULT, *_FULL),
    "graph-memory": GRAPH_MEMORY,
}


@cache
def tools(profile: str, *, is_read_only: bool = False) -> Mapping[str, Tool]:
    """The tools of a profile by name; of a read-only door those that change nothing."""
    if profile not in PROFILES:
        raise UnknownToolError(
            f"profile {profile[:40]}: there is none of this name", f"one of {', '.join(PROFILES)}"
        )
    found = PROFILES[profile]
    return {each.name: each for each in found if each.hints.is_read_only or not is_read_only}
