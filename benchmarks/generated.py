"""Calls of every door without end: arguments from the schemas of tools and the words of commands.

`Words` are what is asked for: names, paths and queries that lead to what a vault has, and to what
it must not show. Each vault brings its own.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memwiki.tools import PROFILES
from memwiki.tools.table import Tool

DAYS = ("2026-11-01", "2w", "10y", "2026", "yesterday", "never")
TEXTS = (
    *("The office is in Bonn.", "The office is in Kiel.", "Rent is due in June.", "Plain."),
    *("The merger costs a lot.", "See [[Merger]].", "Beans.", "- a thing", "# Title\n\nx"),
)
REPLIES = tuple(
    f'{{"sentences": [{{"text": "{text}", "lines": {lines}}}]}}'
    for text in ("The office is in Kiel.", "Rent is due in May.", "The merger costs a lot.")
    for lines in ([1], [1, 2, 3], [4, 5, 6, 7], [*range(1, 20)])
)
RELATIONS = ("because", "related", "supports", "links", "causes")
_FIXED: Mapping[str, tuple[Sequence[str], ...]] = {
    "since": (DAYS,),
    "until": (DAYS,),
    "time_range": (("2026-01-01/2027-01-01", "2026-11-01"),),
    "at": (("HEAD", "2026-11-01", "0000000"),),
    "lines": (("1-3", "5", "5-5", "2-9999", "x", "1", "2", "9"),),
    **dict.fromkeys(("accept", "reject"), (("1", "2", "3", "x"),)),
    "section": (("Price", "Facts", "Beds", "Nothing"),),
    "relation": (RELATIONS,),
    "relation_type": (RELATIONS,),
    "relation_filters": (RELATIONS,),
    "reply": (REPLIES,),
    "as": (RELATIONS,),
    "role": (("user", "assistant"),),
    "text": (TEXTS,),
    "content": (TEXTS,),
    "etag": (("", "0123456789abcdef"),),
}
# Reading commands of the command line; words in capitals are drawn.
COMMANDS = (
    *("get NAME", "get NAME --section Price", "outline NAME", "list", "list --path PATH"),
    *("list --tag TAG", "list --type TYPE", "list --sort links", "list --orphans", "browse"),
    *("browse PATH", "browse PATH --what memories", "browse --what tags", "browse --tag TAG"),
    *("browse PATH --what recent", "browse --type TYPE", "links NAME", "links NAME --unlinked"),
    *("links --unresolved", "links NAME --unresolved", "links NAME --out", "links NAME --in"),
    *("tags", "tags TAG", "graph NAME", "graph NAME --depth 3", "graph NAME --to NAME", "graph"),
    *("search QUERY", "search QUERY --limit 50", "recall QUERY --limit 50", "context"),
    *("recall QUERY --mode deep --limit 50", "check", "check PATH", "check --only links"),
    *("entry get NAME", "entry get PATH", "entry list", "entry list --tag TAG"),
    *("entry similar NAME", "entry list --path PATH", "entity list", "entity list NAME"),
    *("entity candidates", "session list", "session show NAME", "session show PATH"),
    *(
        "upkeep archive list",
        "tag suggest NAME",
        "upkeep consolidate --dry-run",
        "upkeep --dry-run",
    ),
    *("upkeep retain --dry-run", "history NAME", "show NAME --at HEAD", "export - --path PATH"),
    *("move NAME wiki/other.md --dry-run", "move wiki/rent.md PATH --dry-run", "log show"),
    *("delete NAME --dry-run", "new PATH --dry-run", "append NAME x --dry-run", "outline PATH"),
    *("tag add NAME x --dry-run", "set NAME a=b --dry-run", "link wiki/rent.md NAME --dry-run"),
    *("status PATH", "status", "entry history NAME", "entry delete NAME --dry-run", "get PATH"),
    *("entry move m-h00001 PATH --dry-run", "add TEXT --page PATH --dry-run", "links PATH"),
    *("replace NAME --section Beds x --dry-run", "entity merge NAME NAME --dry-run", "graph PATH"),
    *("tag rename TAG other --dry-run", "tag merge TAG TAG --dry-run", "add TEXT --dry-run"),
    *("entry relate NAME because NAME --dry-run", "session add NAME user x --dry-run"),
    *("suggest NAME", "suggest PATH", "links NAME --like", "review", "review NAME", "review --all"),
    *("review NAME --accept all --dry-run", "review NAME --accept 2 --dry-run", "models"),
    *("review NAME --edit 1 --text x", "extract NAME --dry-run", "models embed --dry-run"),
)


class Words(NamedTuple):
    """What is asked for in one vault."""

    names: Sequence[str]
    paths: Sequence[str]
    tags: Sequence[str]
    types: Sequence[str]
    queries: Sequence[str]
    sessions: Sequence[str]


class Generator:
    """Draws calls."""

    def __init__(self, dice: random.Random, words: Words) -> None:
        self.dice, self.words = dice, words
        self.of_property: dict[str, tuple[Sequence[str], ...]] = {
            "path": (words.paths,),
            "query": (words.queries, words.names, words.paths),
            **dict.fromkeys(("question", "semantic_query"), (words.queries, words.names)),
            **dict.fromkeys(("tag", "tags"), (words.tags,)),
            **dict.fromkeys(("type", "types", "memory_types", "memory_type"), (words.types,)),
            "session": (words.sessions, words.paths),
            **_FIXED,
        }
        self._of_command = {
            "NAME": (*words.names, *words.paths),
            "PATH": words.paths,
            "TAG": words.tags,
            "TYPE": words.types,
            "QUERY": (*words.queries, *words.names),
            "TEXT": TEXTS,
        }

    def value(self, schema: Mapping[str, Any], name: str) -> Any:
        """A value that fits a property of a schema, likely one that leads to something."""
        kind, dice = schema["type"], self.dice
        if "enum" in schema:
            return dice.choice(schema["enum"])
        if kind == "boolean":
            return dice.random() < 0.5
        if kind in ("integer", "number"):
            return self._number(schema)
        if kind == "array":
            least, most = schema.get("minItems", 0), min(schema.get("maxItems", 3), 3)
            return [self.value(schema["items"], name) for _ in range(dice.randint(least, most))]
        if kind == "object":
            return self.arguments(schema) if "properties" in schema else {"status": "open"}
        words = self.words
        return self.one(*self.of_property.get(name, (words.names, words.names, words.paths)))

    def _number(self, schema: Mapping[str, Any]) -> float | int:
        least, most = schema["minimum"], schema.get("maximum", 1000)
        if schema["type"] == "number":
            return round(self.dice.uniform(least, most), 2)
        # Where few are shown, which they are depends on their order, and so on scores.
        usual = schema.get("default", least)
        return usual if least <= 1 < most else self.dice.choice((usual, most))

    def arguments(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments that fit the schema of a tool: what is needed, and some of the rest."""
        needed = schema.get("required", ())
        known = schema["properties"]
        chosen = [name for name in known if name in needed or self.dice.random() < 0.4]
        return {name: self.value(known[name], name) for name in chosen}

    def tool_call(self, tools: Sequence[tuple[str, Tool]]) -> tuple[str, str, dict[str, Any]]:
        """A call of one of these tools: profile, name, arguments."""
        profile, tool = self.dice.choice(tools)
        return profile, tool.name, self.arguments(tool.schema)

    def command(self, commands: Sequence[str] = COMMANDS) -> list[str]:
        """A command, as words."""
        words = self.dice.choice(commands).split(" ")
        return [self.one(self._of_command.get(word, (word,))) for word in words]

    def one(self, *pools: Sequence[str]) -> str:
        """One of one of these."""
        return self.dice.choice(self.dice.choice(pools))


def tools_of(
    profiles: Sequence[str] = tuple(PROFILES), *, is_writing: bool = False
) -> list[tuple[str, Tool]]:
    """The tools of profiles, those that change nothing or those that do."""
    every = [(profile, tool) for profile in profiles for tool in PROFILES[profile]]
    return [each for each in every if each[1].hints.is_read_only is not is_writing]
