"""The tools of the profile graph-memory, under the names that such memories have."""

from __future__ import annotations

from memwiki.entry_fields import field_of
from memwiki.tools.schema import count, limit, properties_of, record, texts
from memwiki.tools.table import AGAIN, READS, REPLACES, WRITES, Tool

GRAPH_MEMORY = (
    Tool(
        "create_memory",
        "Create a memory",
        "Remember who did or is what: subject, topic, object.",
        record(
            {
                **properties_of([field_of("subject")]),
                "memory_type": "event, fact, relation, opinion ...",
                **properties_of(map(field_of, ("topic", "object", "attributes", "importance"))),
            },
            "subject",
            "memory_type",
            "topic",
        ),
        WRITES,
        "memories.create_memory",
    ),
    Tool(
        "link_memories",
        "Link memories",
        "Relate two memories, each found by a description.",
        record(
            {
                "source": "description",
                "target": "description",
                "relation_type": "because, causes, supports ...",
            },
            "source",
            "target",
            "relation_type",
        ),
        AGAIN,
        "memories.link_memories",
    ),
    Tool(
        "search_memories",
        "Search memories",
        "Memories for a question, and what is around them.",
        record(
            {
                "query": "question",
                "max_results": limit(10, 50),
                "expand_depth": count(1, "links to follow", least=0, most=3),
                "time_range": "since/until",
                "memory_types": texts("only these types"),
            },
            "query",
        ),
        READS,
        "memories.search_memories",
    ),
    Tool(
        "update_memory_importance",
        "Set importance",
        "Say how important a memory is.",
        record(
            {"memory_id": "id or key", **properties_of([field_of("importance")])},
            "memory_id",
            "importance",
        ),
        REPLACES,
        "memories.update_importance",
    ),
    Tool(
        "memory_search",
        "Find memories",
        "Memories for a question.",
        record({"query": "question", "limit": limit(5, 50)}, "query"),
        READS,
        "memories.memory_search",
    ),
    Tool(
        "memory_update",
        "Change a memory",
        "Give a memory other words.",
        record(
            {
                "memory_id": "id or key",
                "content": "the new words",
                "instruction": "what to change; needs a model",
            },
            "memory_id",
        ),
        REPLACES,
        "memories.memory_update",
    ),
)
