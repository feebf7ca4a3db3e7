"""conversations.json of a ChatGPT export: a tree of messages, of which one branch is current."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memwiki.sessions.imports.conversation import (
    Conversation,
    Said,
    Value,
    moment,
    record,
    rows,
    sound,
    word,
)
from memwiki.sessions.paths import fitting_id

# Neither said nor shown: what the program keeps for itself.
_INNER = frozenset(
    {"thoughts", "reasoning_recap", "model_editable_context", "user_editable_context"}
)


def is_chatgpt(value: Mapping[str, Value]) -> bool:
    """Whether this is a conversation of such an export."""
    return isinstance(value.get("mapping"), dict)


def read_chatgpt(value: Mapping[str, Value]) -> Conversation:
    """The branch of a conversation that its current node ends."""
    nodes = record(value.get("mapping"))
    id_ = word(value.get("conversation_id")) or word(value.get("id")) or next(iter(nodes), "")
    said = tuple(filter(None, (_said(node, nodes) for node in _branch(value, nodes))))
    started = moment(value.get("create_time"))
    return Conversation(
        fitting_id("chatgpt", id_), said, word(value.get("title")), started, "chatgpt"
    )


def _branch(value: Mapping[str, Value], nodes: Mapping[str, Value]) -> list[str]:
    """The nodes from the root to the current one, each once though parents may form a ring."""
    node = value.get("current_node")
    if not isinstance(node, str) or node not in nodes:
        node = _last_leaf(nodes)
    path: dict[str, None] = {}
    while isinstance(node, str) and node in nodes and node not in path:
        path[node] = None
        node = record(nodes[node]).get("parent")
    return list(reversed(path))


def _last_leaf(nodes: Mapping[str, Value]) -> str:
    leaves = [name for name, node in nodes.items() if not rows(record(node).get("children"))]
    return next(reversed(leaves), "")


def _said(node: str, nodes: Mapping[str, Value]) -> Said | None:
    message = record(record(nodes[node]).get("message"))
    author, content = record(message.get("author")), record(message.get("content"))
    is_hidden = record(message.get("metadata")).get("is_visually_hidden_from_conversation")
    if is_hidden is True or word(content.get("content_type")) in _INNER:
        return None
    text = "\n\n".join(filter(None, _parts(content)))
    time = moment(message.get("create_time"))
    key = word(message.get("id")) or node
    return Said(key, word(author.get("role")) or "user", text, time, word(author.get("name")))


def _parts(content: Mapping[str, Value]) -> Iterator[str]:
    yield sound(content.get("text")) or sound(content.get("result"))
    for part in rows(content.get("parts")):
        if isinstance(part, str):
            yield sound(part)
        else:
            kind = word(record(part).get("content_type"))
            said = sound(record(part).get("text"))
            yield said or (f"[{kind.partition('_asset')[0]}]" if kind else "")
