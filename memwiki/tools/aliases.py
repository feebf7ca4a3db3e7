"""Words that models send in place of an argument's name, or of one of its values."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from memwiki.text import pattern

MAX_NAME = 40
_PLAIN = pattern(r"[A-Za-z][A-Za-z _-]*")
_SEPARATORS = pattern(r"[ _-]+")
_PAGE = "path id page title file file_path file_name page_name page_path key memory_id entry"
_LIMIT = "max_results top_k k n count num_results max max_items size"

# By the argument that is wanted. A tool's own words go first, and an argument of the tool is never
# another's alias.
_OF_ALL = {
    "question": "query q text prompt input search search_query message content",
    "query": "question q text search search_query keywords keyword term terms input content",
    "name": _PAGE,
    "text": "content body markdown new_text memory value statement",
    "limit": _LIMIT,
    "max_results": f"limit {_LIMIT}",
    "offset": "skip",
    "budget": "max_tokens tokens token_budget token_limit",
    "tag": "tags",
    "type": "types kind memory_type",
    "tags": "tag labels keywords",
    "since": "after from start start_date from_date",
    "until": "before to end end_date to_date",
    "session": "session_id conversation conversation_id",
    "section": "heading header",
    "lines": "line line_range range view_range",
    "etag": "digest expect if_match",
    "dry_run": "dry preview",
    "depth": "hops max_depth",
    "expand_depth": "depth hops max_depth",
    "fields": "front_matter properties metadata frontmatter_fields",
    "description": "summary",
    "importance": "priority",
    "memories": "text content entries entry items facts fact observations memory",
    "source": "url",
    "memory_id": "id memory key name",
    "memory_types": "types type memory_type",
    "memory_type": "type kind",
    "relation": "relation_type type",
    "relation_type": "relation as type",
    "time_range": "range period",
    "plan": "plans",
    "semantic_query": "query q text question search words",
    "subject_includes": "subjects subject names entities",
    "relation_filters": "relations relation",
    "reply": "answer",
}
_OF_TOOL: Mapping[str, Mapping[str, str]] = {
    "browse": {"path": "folder directory dir name", "what": "kind list show"},
    "status": {"path": "name page file file_path", "what": "kind show action"},
    "write": {
        "text": "content body markdown new_text new new_str new_string replacement value",
        "old": "find old_str old_string old_text search",
        "action": "command operation mode op",
    },
    "move": {
        "name": f"from source old old_name old_path {_PAGE}",
        "to": "new_name new_path new destination dest target",
    },
    "update": {"id": "name key memory_id memory entry entry_id", "supersede": "superseded"},
    "add": {"text": "content memory fact sentence statement value"},
    "undo": {"steps": "n count"},
    "links": {
        "name": f"from source {_PAGE}",
        "relation": "type relation_type",
        "to": "target destination",
    },
    "relate": {
        "a": "source from",
        "b": "target to",
        "as": "relation relation_type type",
        "weight": "strength",
    },
    "tag": {"action": "command operation op", "old": "from old_tag", "new": "to into new_tag"},
    "history": {"at": "rev revision commit date version"},
    "session": {
        "action": "command operation op",
        "id": "session session_id conversation_id name",
        "text": "content message body",
    },
    "entities": {"action": "command operation op", "a": "name from source", "b": "to into target"},
    "link_memories": {"source": "a from", "target": "b to"},
    "memory_update": {"content": "text"},
}
_VALUES = {
    "direction": {
        "in": "backlinks backlink incoming inbound inlinks inward",
        "out": "outgoing outbound outlinks forward outward",
        "both": "all any",
        "unresolved": "broken missing wanted",
    },
    "what": {
        "pages": "page files notes",
        "memories": "memory entries",
        "tags": "tag",
        "log": "journal",
        "check": "problems",
        "overview": "summary",
    },
    "action": {
        "create": "new",
        "append": "add",
        "replace_text": "str_replace edit replace update modify",
        "set_fields": "set",
        "start": "begin",
        "show": "list",
        "remove": "delete",
    },
}
# What other tools do.
OF_OTHER_TOOLS = {
    **dict.fromkeys(("write delete", "write remove"), "forget name=PAGE removes a page"),
    **dict.fromkeys(("write move", "write rename"), "move name=PAGE to=NEW renames a page"),
    **dict.fromkeys(("write read", "write view"), "read name=PAGE shows a page"),
}
_FLAGS = {"direction": {"in": "backlinks incoming", "out": "outgoing outlinks"}}
PLURALS = frozenset({"tags", "types"})  # where one text is wanted, a list of one is understood


def argument(tool: str, sent: object, known: Mapping[str, object]) -> str:
    """The argument that a name stands for, "" where there is none."""
    if not isinstance(sent, str) or len(sent) > MAX_NAME or not _PLAIN.fullmatch(sent):
        return ""
    return aliases(tool, tuple(known)).get(plain(sent), "")


@cache
def aliases(tool: str, known: tuple[str, ...]) -> Mapping[str, str]:
    """The argument for each name that is understood, among them its own in another spelling."""
    own = _OF_TOOL.get(tool, {})
    found = {plain(name): name for name in known}
    for table in (own, {name: words for name, words in _OF_ALL.items() if name not in own}):
        for name in filter(table.__contains__, known):
            for word in table[name].split():
                found.setdefault(plain(word), name)
    return found


def flag_argument(sent: object, known: Mapping[str, object]) -> tuple[str, str]:
    """The argument and the value that a flag which is true stands for: backlinks, direction in."""
    for name in filter(_FLAGS.__contains__, known):
        if value := _word_for(_FLAGS[name], sent):
            return name, value
    return "", ""


def choice(name: str, sent: str, choices: tuple[str, ...]) -> str:
    """The choice that a word stands for, else the word itself."""
    if len(sent) > MAX_NAME:
        return sent
    folded = _SEPARATORS.sub("_", sent.strip().lower())
    meant = folded if folded in choices else _word_for(_VALUES.get(name, {}), folded)
    return meant if meant in choices else sent


def place(sent: str) -> str:
    """A path from the root of the workspace, "" for the root itself."""
    return "" if sent in ("/", ".") else sent.removeprefix("./")


def plain(name: str) -> str:
    """A name without case and separators: dryRun, dry-run and dry_run are one."""
    return _SEPARATORS.sub("", name.lower())


def _word_for(words: Mapping[str, str], sent: object) -> str:
    return next((name for name, known in words.items() if sent in known.split()), "")
