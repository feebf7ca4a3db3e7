"""The tools, by profile, and what a model is told of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from memwiki.doors.tools.schema import count, flag, number, pairs, record, rows, text, texts
from memwiki.doors.tools.table import Answer, Call, Hints, Tool
from memwiki.errors import UnknownToolError

_READS = Hints(is_read_only=True, is_idempotent=True)
_WRITES, _AGAIN = Hints(), Hints(is_idempotent=True)
_REMOVES = Hints(is_destructive=True)
_MOST = 1_000_000
_DRY_RUN = flag()
_TAGS = texts()
_IMPORTANCE = number("0 to 1")
_DAY = text("day, or age such as 2w")


def _in(module: str, function: str) -> Callable[[Call], Answer]:
    """The function that answers, whose module is loaded when it is first called."""

    def run(call: Call) -> Answer:
        answer: Answer = getattr(import_module(f"memwiki.doors.tools.{module}"), function)(call)
        return answer

    return run


def _limit(usual: int, most: int = 200) -> dict[str, Any]:
    return count(usual, most=most)


def _budget(usual: int) -> dict[str, Any]:
    return count(usual, "tokens", least=200, most=_MOST)


_OFFSET = count(0, least=0, most=1_000_000_000)

_RECALL = Tool(
    "recall",
    "What the memory knows for a question, best first: memories, pages, conversations, each with"
    " date and place. Ask this first.",
    record(
        {
            "question": text(),
            "limit": _limit(8, 50),
            "budget": _budget(2000),
            "mode": text(choices=("auto", "fast", "deep"), default="auto"),
            "type": text(),
            "tag": text(),
            "since": _DAY,
            "until": text("day"),
            "session": text("prefer this conversation"),
        },
        "question",
    ),
    _READS,
    _in("reading", "recall"),
)
_READ = Tool(
    "read",
    "A page, a section or lines of it, with its etag; or one memory.",
    record(
        {
            "name": text("path, title, alias, id or key"),
            "section": text("heading"),
            "lines": text("10-40"),
            "offset": _OFFSET,
            "budget": _budget(4000),
        },
        "name",
    ),
    _READS,
    _in("reading", "read"),
)
_ADD = Tool(
    "add",
    "Remember: one self-contained sentence a memory. Answers what was known already, is near or in"
    " conflict.",
    record(
        {
            "memories": rows(
                {
                    "text": text(),
                    "type": text("fact, preference, event, decision, skill ..."),
                    "tags": _TAGS,
                    "key": text("an existing one is replaced, such as user/color"),
                    "importance": _IMPORTANCE,
                    "subject": text(),
                    "topic": text(),
                    "object": text(),
                },
                "text",
                most=50,
            ),
            "source": text("where it is from"),
            "session": text(),
        },
        "memories",
    ),
    _WRITES,
    _in("memories", "add"),
)
_UPDATE = Tool(
    "update",
    "Correct a memory; with supersede the old one is struck out and text holds from now on.",
    record(
        {
            "id": text("id or key"),
            "text": text(),
            "tags": texts("instead of the old ones"),
            "importance": _IMPORTANCE,
            "supersede": flag(),
        },
        "id",
    ),
    _AGAIN,
    _in("memories", "update"),
)
_FORGET = Tool(
    "forget",
    "Remove a memory, or put a page into the archive. undo brings it back.",
    record({"name": text("id, key or page"), "etag": text()}, "name"),
    _REMOVES,
    _in("memories", "forget"),
)
_SMALL = (_RECALL, _READ, _ADD, _UPDATE, _FORGET)
_DEFAULT = (
    Tool(
        "search",
        'Full text search, with "phrases", -not, OR, tag:x, type:x, path:x.',
        record({"query": text(), "limit": _limit(10, 50), "offset": _OFFSET}, "query"),
        _READS,
        _in("reading", "search"),
    ),
    Tool(
        "browse",
        "What there is. Without arguments the way in: folders, recent pages, hubs, tags.",
        record(
            {
                "path": text("folder"),
                "type": text(),
                "tag": text(),
                "what": text(choices=("pages", "memories", "tags", "recent"), default="pages"),
                "since": _DAY,
                "limit": _limit(30),
                "offset": _OFFSET,
            }
        ),
        _READS,
        _in("browsing", "browse"),
    ),
    Tool(
        "links",
        "Links of a page, what is around it (depth), or the way to another one (to).",
        record(
            {
                "name": text(),
                "direction": text(choices=("both", "in", "out", "unresolved"), default="both"),
                "depth": count(1, most=3),
                "to": text(),
                "relation": text("type of link"),
                "limit": _limit(40),
            },
            "name",
        ),
        _READS,
        _in("listing", "links"),
    ),
    Tool(
        "write",
        "Make or change a page. replace_section needs the etag that read gave; replace_text puts"
        " text in place of old, which must be there once.",
        record(
            {
                "action": text(
                    choices=("create", "append", "replace_section", "replace_text", "set_fields")
                ),
                "name": text("page; for create a path or title"),
                "text": text("markdown"),
                "old": text(),
                "section": text("heading"),
                "fields": pairs("front matter; empty removes"),
                "type": text(),
                "tags": _TAGS,
                "description": text(),
                "etag": text(),
                "dry_run": _DRY_RUN,
            },
            "action",
            "name",
        ),
        _REMOVES,
        _in("writing", "write"),
    ),
    Tool(
        "move",
        "Move or rename a page; links to it are kept true.",
        record(
            {"name": text(), "to": text("path or title"), "etag": text(), "dry_run": _DRY_RUN},
            "name",
            "to",
        ),
        _WRITES,
        _in("writing", "move"),
    ),
    Tool(
        "undo",
        "Take back your last changes.",
        record({"steps": count(1, most=50), "dry_run": _DRY_RUN}),
        _REMOVES,
        _in("writing", "undo"),
    ),
    Tool(
        "status",
        "Counts and freshness, problems of pages (check), or the journal (log).",
        record(
            {
                "what": text(choices=("overview", "check", "log"), default="overview"),
                "path": text(),
                "since": _DAY,
                "limit": _limit(20),
            }
        ),
        _READS,
        _in("listing", "status"),
    ),
)
_FULL = (
    Tool(
        "relate",
        "Note how one memory stands to another: because, causes, supports, refines ...",
        record(
            {
                "a": text("id or key"),
                "b": text("id or key"),
                "as": text("relation"),
                "weight": number(),
                "by_description": flag("a and b are described in words"),
                "remove": flag(),
            },
            "a",
            "b",
            "as",
        ),
        _AGAIN,
        _in("memories", "relate"),
    ),
    Tool(
        "tag",
        "Add or remove tags of a page, or rename or merge a tag on all pages (old, new).",
        record(
            {
                "action": text(choices=("add", "remove", "rename", "merge")),
                "name": text("page"),
                "tags": _TAGS,
                "old": text(),
                "new": text(),
                "dry_run": _DRY_RUN,
            },
            "action",
        ),
        _WRITES,
        _in("writing", "tag"),
    ),
    Tool(
        "history",
        "Commits of a page, or with at the page as it was then.",
        record({"name": text(), "at": text("revision or date"), "limit": _limit(20)}, "name"),
        _READS,
        _in("listing", "history"),
    ),
    Tool(
        "session",
        "Begin a conversation, add a message, show the last ones, or end it with a summary.",
        record(
            {
                "action": text(choices=("start", "add", "show", "end")),
                "id": text(),
                "role": text("user, assistant, tool"),
                "text": text(),
                "summary": text(),
                "limit": _limit(20),
            },
            "action",
        ),
        _WRITES,
        _in("writing", "session"),
    ),
    Tool(
        "entities",
        "What memories are about, pairs that may be one, or merge a into b.",
        record(
            {
                "action": text(choices=("list", "candidates", "merge")),
                "a": text("name, or how it begins"),
                "b": text(),
                "limit": _limit(30),
            },
            "action",
        ),
        _WRITES,
        _in("memories", "entities"),
    ),
    Tool(
        "upkeep",
        "Merge doubles, promote and retire memories, repair pages; first look with dry_run.",
        record({"dry_run": flag(default=True)}),
        _REMOVES,
        _in("writing", "upkeep"),
    ),
)
_GRAPH = (
    Tool(
        "create_memory",
        "Remember who did or is what: subject, topic, object.",
        record(
            {
                "subject": text(),
                "memory_type": text("event, fact, relation, opinion ..."),
                "topic": text(),
                "object": text(),
                "attributes": pairs(),
                "importance": _IMPORTANCE,
            },
            "subject",
            "memory_type",
            "topic",
        ),
        _WRITES,
        _in("memories", "create_memory"),
    ),
    Tool(
        "link_memories",
        "Relate two memories, each found by a description.",
        record(
            {
                "source": text("description"),
                "target": text("description"),
                "relation_type": text("because, causes, supports ..."),
            },
            "source",
            "target",
            "relation_type",
        ),
        _AGAIN,
        _in("memories", "link_memories"),
    ),
    Tool(
        "search_memories",
        "Memories for a question, and what is around them.",
        record(
            {
                "query": text(),
                "max_results": _limit(10, 50),
                "expand_depth": count(1, least=0, most=3),
                "time_range": text("since/until"),
                "memory_types": texts(),
            },
            "query",
        ),
        _READS,
        _in("memories", "search_memories"),
    ),
    Tool(
        "update_memory_importance",
        "Say how important a memory is.",
        record({"memory_id": text(), "importance": _IMPORTANCE}, "memory_id", "importance"),
        _AGAIN,
        _in("memories", "update_importance"),
    ),
    Tool(
        "memory_search",
        "Memories for a question.",
        record({"query": text(), "limit": _limit(5, 50)}, "query"),
        _READS,
        _in("memories", "memory_search"),
    ),
    Tool(
        "memory_update",
        "Give a memory other words.",
        record({"memory_id": text(), "content": text(), "instruction": text()}, "memory_id"),
        _AGAIN,
        _in("memories", "memory_update"),
    ),
)
PROFILES: Mapping[str, tuple[Tool, ...]] = {
    "small": _SMALL,
    "default": (*_SMALL, *_DEFAULT),
    "full": (*_SMALL, *_DEFAULT, *_FULL),
    "graph-memory": _GRAPH,
}
FORMATS = ("mcp", "anthropic", "openai")


@cache
def tools(profile: str, *, is_read_only: bool = False) -> Mapping[str, Tool]:
    """The tools of a profile by name; of a read-only door those that change nothing."""
    if profile not in PROFILES:
        raise UnknownToolError(
            f"profile {profile[:40]}: there is none of this name",
            hint=f"one of {', '.join(PROFILES)}",
        )
    found = PROFILES[profile]
    return {each.name: each for each in found if each.hints.is_read_only or not is_read_only}


def definitions(profile: str, format: str = "mcp", *, is_read_only: bool = False) -> list[Any]:  # noqa: A002 - as the command line says it
    """The tools of a profile as an API takes them: mcp, anthropic or openai."""
    return [_SHAPES[format](each) for each in tools(profile, is_read_only=is_read_only).values()]


def _as_mcp(tool: Tool) -> dict[str, Any]:
    hints = {
        "readOnlyHint": tool.hints.is_read_only,
        "idempotentHint": tool.hints.is_idempotent,
        "destructiveHint": tool.hints.is_destructive,
        "openWorldHint": False,
    }
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.schema,
        "annotations": hints,
    }


def _as_anthropic(tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.schema}


def _as_openai(tool: Tool) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": tool.schema}
    return {"type": "function", "function": function}


_SHAPES: Mapping[str, Callable[[Tool], dict[str, Any]]] = {
    "mcp": _as_mcp,
    "anthropic": _as_anthropic,
    "openai": _as_openai,
}
