"""Writes the pages of docs/ that follow from the code: cli.md, errors.md, config.md, checks.md,
tools.md."""

from __future__ import annotations

import re
import sys
import typing
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from importlib import import_module
from itertools import chain, pairwise, takewhile
from pathlib import Path

import typer

from memwiki import errors
from memwiki.answers.index import Overview
from memwiki.check.rule import Family
from memwiki.check.rules import RULES
from memwiki.cli.dispatch import load
from memwiki.cli.registry import GROUPS, overview
from memwiki.cli.typer_app import command_of
from memwiki.config.models import USER
from memwiki.config.schema import SCHEMA, VARIABLES, Schema
from memwiki.config.values import as_toml
from memwiki.models import faults  # noqa: F401 - its errors are in errors.md
from memwiki.present.plain import RENAMED
from memwiki.tools import PROFILES, Tool
from memwiki.tools.schema import describe_property

DOCS = Path(__file__).parent
_IS_HELP = re.compile(r" +--help +Show this message and exit\.")
_TITLE = re.compile(r" *(Arguments|Options|Commands|Examples):")
_IS_GAP = re.compile(r" {2,}")
_IS_BARE = re.compile(r"  (\[required\])?$")  # the usage says as much
_MANY = 5  # blocks; an option that as many have is told once
_SHOWN = 5  # examples of a command; its help has them all
_ALIKE = 3  # options; as many that an earlier command has are named as those of it
_MADE = "<!-- Generated from the code: python docs/generate.py -->"
_WIDTH = 100
# What each command answers with --json, as `area.Class` in answers/.
ANSWERS = {
    "init": "workspaces.InitReport",
    "sync": "index.Changes",
    "watch": "index.WatchEvent index.WatcherProcess",
    "reindex": "index.Changes",
    "status": "index.Status index.PathStatus entries.Metrics entries.Trend",
    "doctor": "index.Health",
    "check": "check.CheckReport",
    "catalog": "pages.CatalogReport",
    "config show": "workspaces.SettingList",
    "config set": "workspaces.Setting",
    "workspaces list": "workspaces.WorkspaceList",
    "workspaces add": "workspaces.NamedWorkspace",
    "workspaces remove": "workspaces.NamedWorkspace",
    "cache list": "workspaces.CacheList",
    "cache prune": "workspaces.CacheList",
    "agent install": "workspaces.AgentReport",
    "agent uninstall": "workspaces.AgentReport",
    "agent status": "workspaces.AgentStatus",
    "agent plugin": "workspaces.AgentReport",
    "agent tools": "workspaces.ToolDefinitions",
    "agent memory-tool": "workspaces.ToolReply",
    "mcp": "workspaces.ToolDefinitions",
    "web": "workspaces.WebAddress",
    "hook": "workspaces.HookReply",
    "share feed": "workspaces.FeedReport",
    "share status": "workspaces.ShareStatus",
    "share drop": "workspaces.Dropped",
    "share sql": "workspaces.ShareScript",
    "export": "workspaces.ExportReport",
    "import": "workspaces.ImportReport",
    "search": "recall.SearchAnswer",
    "suggest": "pages.SuggestionList",
    "recall": "recall.Recall recall.PromptBlock curation.JobPreview",
    "ask": "curation.AskAnswer curation.JobPreview curation.Brief",
    "context": "recall.PromptBlock",
    "get": "pages.PageView",
    "outline": "pages.PageOutline",
    "list": "pages.PageList",
    "browse": "pages.Browse",
    "links": "graph.LinkList graph.MentionList graph.LikeList",
    "tags": "graph.TagList",
    "undo": "pages.Edited",
    "log show": "pages.LogList",
    "log add": "pages.LogEntry",
    "history": "pages.History",
    "show": "pages.PageAt",
    "graph": "graph.GraphAnswer",
    "new": "pages.Edited",
    "today": "pages.Edited",
    "open": "index.Changes",
    "add": "curation.AddReport",
    "entry get": "entries.EntryView",
    "entry list": "entries.EntryList",
    "entry update": "pages.Edited",
    "entry supersede": "pages.Edited",
    "entry delete": "pages.Edited",
    "entry move": "pages.Edited",
    "entry similar": "entries.SimilarEntries",
    "entry history": "entries.EntryHistory",
    "entry relate": "pages.Edited",
    "entry unrelate": "pages.Edited",
    "bench recall": "bench.RecallBench",
    "bench vault": "bench.VaultBench",
    "bench extract": "bench.ExtractBench",
    "usage": "entries.UsageList entries.TrailList",
    "session start": "entries.SessionView",
    "session add": "entries.AddedMessage",
    "session show": "entries.SessionView",
    "session list": "entries.SessionList",
    "session end": "pages.Edited",
    "session compact": "pages.Edited",
    "session purge": "pages.Edited",
    "session import": "entries.SessionImport",
    "upkeep": "entries.UpkeepReport curation.ProposalList",
    "upkeep consolidate": "entries.UpkeepReport entries.CompressionGroups",
    "upkeep retain": "entries.UpkeepReport",
    "upkeep snapshot": "entries.UpkeepReport",
    "upkeep archive": "entries.ArchiveList",
    "upkeep archive list": "entries.ArchiveList",
    "upkeep archive restore": "entries.UpkeepReport",
    "upkeep archive purge": "entries.UpkeepReport",
    "review": "curation.ProposalList curation.ProposalView curation.Reviewed",
    "extract": "curation.JobReport curation.JobPreview curation.Brief",
    "ingest": "curation.IngestReport curation.KeptSource curation.JobPreview curation.Brief",
    "curate": "curation.CurateReport curation.JobPreview curation.Brief",
    "append": "pages.Edited",
    "replace": "pages.Edited",
    "tag add": "pages.Edited",
    "tag remove": "pages.Edited",
    "tag rename": "pages.Edited",
    "tag merge": "pages.Edited",
    "tag suggest": "graph.TagSuggestions",
    "entity list": "entries.EntityList",
    "entity candidates": "entries.EntityCandidates",
    "entity merge": "pages.Edited",
    "namespace list": "workspaces.NamespaceList",
    "namespace purge": "workspaces.Purged",
    "link": "pages.Edited",
    "unlink": "pages.Edited",
    "set": "pages.Edited",
    "models show": "curation.ModelsReport",
    "models check": "curation.ModelCheck",
    "models allow": "curation.AllowedHosts",
    "models embed": "index.Embedded",
    "models spent": "curation.SpentList",
    "models forget": "curation.ForgottenReplies",
    "completion": "workspaces.CompletionScript",
    "move": "pages.Edited",
    "delete": "pages.Edited",
}
# Whose fields a template of a command, or of one with an option, may name.
TEMPLATES = {
    "check": "Problem",
    "search": "Hit",
    "suggest": "pages.Suggestion",
    "recall": "Hit",
    "outline": "pages.SectionSize",
    "list": "pages.PageRow",
    "links": "LinkRow",
    "links --unlinked": "graph.Mention",
    "tags": "TagCount",
    "graph": "graph.GraphNode",
}
_SETTINGS = """\
Settings are in `memwiki.toml` at the root of a workspace. Every key has a default, so the file
may be empty. `memwiki config show` lists them with where each value comes from, `memwiki config
set KEY VALUE` changes one line and leaves the rest of the file alone. The variable of a key
overrides the file: `MEMWIKI_FILES_MAX_BYTES` is `files.max_bytes`. What Obsidian, Logseq or Dendron
say of a folder that they keep, too, is below the file, and is shown with its file as origin.

A list is written `["one", "two"]` in the file; in a variable and after `config set` its parts are
separated by commas, and an empty text is the empty list. An empty variable leaves every other
setting as it is. `config set` changes a list that is written on one line."""
_LAYERS = """\
A workspace that `memwiki init` made names its layers in its `memwiki.toml`; the defaults above
are those of an adopted folder, where a folder called `archive` is a folder like any other."""
_MODELS = """\
## Models

[Models](models.md) are set in your own `config.toml` alone, in your configuration folder
(`memwiki models` names it): a workspace may come from anybody, and its `memwiki.toml` can only
narrow (`models.enabled`, `models.withhold`, `models.support`). `[models.allow]` names the hosts
that each workspace may be sent to; `memwiki models allow HOST` writes it. In a table `[models]`
the names `embedding_provider` (none, local, openai, openrouter, custom:URL), `embedding_model`,
`embedding_dims`, `embedding_cache_max` and `defer_embedding` of other memories are read as those of
`[models.embed]`, which `memwiki models` tells."""
_HOW_TO_CHECK = """\
`memwiki check` reads every page once and reports its problems: `path:line: severity: message
[code]`, after a count of each code, errors first. Errors and warnings make it exit with 3, with
`--strict` infos do too. Infos are listed with `--info`, or when nothing else is left, and
`--severity error` lists less; that is for the screen only: JSON, exit codes, `--fix` and baselines
have all problems. `--only CODE` asks for single codes. What can be fixed without a decision of
yours is marked *fix*. How to fix, to leave codes out and to keep known problems out of the report:
[getting started](getting-started.md#check)."""

_TOOLS = """\
What an agent is offered. `memwiki agent tools --profile P --format mcp|anthropic|openai` prints the
definitions; `memwiki.tools.call(ws, name, arguments, settings=...)` runs a tool in any
program of your own. Profiles, each with so many tools: PROFILES.

**Answers.** First a line `memwiki: fresh · 5 of 41 · next offset 5`, or `not fresh: <reason>, <n>
pending`. Then the material: whatever is stored stands between `<stored-memory>` marks, whose first
one says path, lines, date and origin. An answer keeps to its budget (2,000 tokens of `recall`,
4,000 otherwise, never more than `doors.max_tokens`); when it is cut, its last line says how much
is left and how to read on. Writing tools answer with what is on disk afterwards. An `etag` is the
first 16 digits of a page's digest; a change that names one is refused when the page is another
now, with the new etag and the section as it is.

**Errors** are answers, too: `error <code>: <subject>: <what>`, `next: <hint>`, and `candidates:`
where there are some, both within the marks where they may name what is stored. The codes are those
of [errors](errors.md). Arguments are checked all at once; unknown ones are refused.

**Arguments** are read as they were meant, and the end of the first line says how, as in `memwiki:
fresh · 2 of 2 · read "query" as question`. A list, object, number or flag may come as text: as
JSON, for lists of texts also as `a, b`, for flags as `true`, `1`, `yes` or their opposites. A
number where text is wanted is that text; one text or object where a list is wanted is a list of
it; `null`, and an empty text where no text is wanted, are not given. `limit`, `budget`, `offset`
and `depth` are taken into their range. Neighbouring words stand for an argument that is absent:
`query` for `question`, `path` or `id` for `name`, `content` for `text`, `old_str` for `old`; so
does its name in another spelling (`dryRun`), and `backlinks` for the direction `in`. `add` takes
the fields of a single memory without a list. Whatever else does not fit is refused: nothing is
guessed, cut or scaled. Below, the parts of a list that two tools take are told with the first.

**Private** is, without `--private`, as if it were not there; a change that would reach it is
refused (`private`): [what is promised](security.md#what-is-private).

**Settings** are those of `[doors]` in [settings](config.md). What agents may change, and what they
are not shown: [security](security.md#tools-of-agents)."""
_ANSWERS = {
    "recall": "memories as for a prompt, each with date, id and `path#L3-L9`; what was left out",
    "ask": "numbered passages and the form of a reply; with `reply` its sentences, each with the "
    "lines that say it, and those that are left out, with the reason",
    "read": "the etag, title, type and tags, then the text; or the memory",
    "add": "each memory with its id and place, and those that are repeated, near, in conflict or "
    "superseded",
    "update": "the memory as it is now; with supersede the new one and the old one, struck out",
    "forget": "what went, and the links that are broken now",
    "search": "each hit with path, lines, date and score, its heading and an excerpt",
    "browse": "without arguments folders, where to start, recent pages, hubs, wanted pages, tags; "
    "else lines of what was asked for",
    "links": "`source -relation-> target (line, status)`; deeper, nodes by distance; with `to` the "
    "way",
    "write": "path, new etag, and the lines around what was written; with dry_run the diff",
    "move": "the files that changed",
    "undo": "what was taken back",
    "status": "counts and what upkeep is due; problems as `path:line: message [code]`; the journal",
    "relate": "the relation, or candidates",
    "tag": "the files that changed",
    "history": "commits; with `at` the page as it was",
    "session": "the id, or the messages",
    "entities": "names with counts, pairs, or what was merged",
    "upkeep": "each step with its reason",
    "propose": "the proposal, or the numbered lines of the source",
    "review": "the proposals that wait, one of them, or what was decided",
    "create_memory": "as `add`, staged",
    "link_memories": "as `relate`",
    "search_memories": "as `search`",
    "update_memory_importance": "as `update`",
    "memory_search": "as `search`",
    "memory_update": "as `update`; an instruction alone is `needs_model`",
}

_VARIABLES = {
    **VARIABLES,
    "MEMWIKI_DEBUG": "any value: an unexpected error shows its traceback, and a page that cannot "
    "be parsed is one",
    "VISUAL, EDITOR": "the editor that `open` and `today` start; the first that is set",
    "NO_COLOR": "any value: no colours on a terminal",
}

_HOW_TO_READ = """\
The options of the overview may stand before or after the command, and every command has `--help`.
Below, each command has what it does, its arguments and options, and some examples behind `$`. What
many commands take is described here; such options are named in the first line of a command."""
_OUTPUT = """\
Data goes to stdout, notes and errors to stderr. In a pipe, lists are separated by tabs and `get`
gives the bytes of the file. With `--json` every command prints one object on one line. Its keys are
behind its name, those of an object that several commands have [at the end](#objects); they stay as
they are. How other programs take the rows of a list, by `--format TEMPLATE` or `--jsonl`: [other
programs](editors.md#templates)."""


def pages() -> dict[str, str]:
    """The text of each generated page by its file name."""
    return {
        "cli.md": _cli(),
        "tools.md": _tools(),
        "errors.md": _errors(),
        "config.md": _config(),
        "checks.md": _checks(),
    }


# --- cli.md --------------------------------------------------------------------------------------


def _tools() -> str:
    counts = ", ".join(f"`{name}` {len(tools)}" for name, tools in PROFILES.items())
    parts = ["# Tools", "", _MADE, "", _TOOLS.replace("PROFILES", counts)]
    for title, profile in _NEW_TOOLS.items():
        parts += ["", f"## {title}"]
        known = {tool.name: tool for tool in PROFILES.get(_BELOW.get(profile, ""), ())}
        for tool in PROFILES[profile]:
            below = known.get(tool.name)
            parts += [] if tool == below else _more(tool, below) if below else _tool(tool)
    return "\n".join(_told_once(parts)) + "\n"


_NEW_TOOLS = {
    "In every profile but graph-memory": "small",
    "In default and full": "default",
    "In full": "full",
    "In graph-memory": "graph-memory",
}
_BELOW = {"default": "small", "full": "default"}


def _tool(tool: Tool) -> list[str]:
    hints = {
        "read-only": tool.hints.is_read_only,
        "idempotent": tool.hints.is_idempotent and not tool.hints.is_read_only,
        "destructive": tool.hints.is_destructive,
    }
    said = [name for name, holds in hints.items() if holds]
    end = f" *({', '.join(said)})*" if said else ""
    about = f"{tool.description}{end} Answers {_ANSWERS[tool.name]}."
    return ["", f"### {tool.name}", about, *_arguments(tool.schema)]


def _more(tool: Tool, below: Tool) -> list[str]:
    """What a tool takes that the one of its name in the smaller profile does not."""
    properties = tool.schema["properties"].items()
    more = {name: each for name, each in properties if name not in below.schema["properties"]}
    return ["", f"### {tool.name}, also with", *_arguments({"properties": more})]


def _arguments(schema: typing.Mapping[str, typing.Any], prefix: str = "") -> list[str]:
    needed, rows = schema.get("required", ()), list[str]()
    for name, each in schema["properties"].items():
        kind = describe_property(each).replace("one of ", "")
        usual = f", default {str(each['default']).lower()}" if "default" in each else ""
        must = "" if name in needed else "?"
        about = f": {each['description']}" if "description" in each else ""
        rows.append(f"- `{prefix}{name}{must}` ({kind}{usual}){about}")
        inner = each.get("items", {})
        rows += _arguments(inner, f"{name}[].") if "properties" in inner else []
    return rows


def _told_once(lines: list[str]) -> list[str]:
    """Without the parts of an argument that an earlier tool has, too."""
    told, found = set[str](), list[str]()
    for line in lines:
        if "[]." not in line or line not in told:
            found.append(line)
        told.add(line)
    return found


def _cli() -> str:
    blocks = {name: list(_blocks(name)) for name in " ".join(GROUPS.values()).split()}
    rows = Counter(row for each in chain.from_iterable(blocks.values()) for row in each.rows)
    common = {row for row, times in rows.items() if times >= _MANY}
    told = {_IS_GAP.split(row)[0]: row for row in sorted(common, key=lambda row: rows[row])}
    first = overview().partition(f"\n\n{next(iter(GROUPS))}:")[0]
    parts = [
        "# The command line",
        _MADE,
        _fenced(first),
        "`memwiki` without a command shows the workspace and the next steps. JSON: `Overview`",
        "\n".join(
            f"- {group}: {', '.join(f'[{name}](#{name})' for name in names.split())}"
            for group, names in GROUPS.items()
        ),
        _HOW_TO_READ,
        _table(
            ("of many commands", "what it is"),
            [
                (f"`{name}`".replace("|", r"\|"), _IS_GAP.split(row)[1])
                for name, row in sorted(told.items())
            ],
        ),
        "## Output and exit codes",
        _OUTPUT,
        _table(
            ("exit code", "meaning"),
            [
                ("0", "done, also when nothing was found"),
                ("1", "an error, or a `sync` that kept vanished pages"),
                ("2", "the call is malformed"),
                ("3", "`check` or `doctor` found a problem"),
                ("130", "interrupted"),
            ],
        ),
        "A failure with `--json` is one object on stdout; [errors](errors.md) lists the codes:",
        _fenced(
            '{"error": {"code": "not_found", "message": "...", "hint": "...", "recoverable": true,'
            '\n           "path": "", "line": 0, "candidates": []}}',
            "json",
        ),
    ]
    several, objects = _kinds()
    earlier = dict[str, set[str]]()
    for name, each in blocks.items():
        texts = []
        for block in each:
            texts.append(block.text(common, earlier))
            earlier[block.name] = set(block.rows)
        about = _fenced("\n".join(texts))
        parts.append(f"## {name}\n{about}\n{'. '.join(_answers_of(name, several, objects))}")
    told_last = [f"- **{kind.__name__}**: {_keys(kind, objects)}" for kind in several]
    return "\n\n".join([*parts, "## Objects", "\n".join(told_last)]) + "\n"


class Block(typing.NamedTuple):
    """What the help of one command says."""

    usage: str
    about: list[str]
    rows: dict[str, list[str]]  # the lines of each argument and option by its text
    examples: list[str]

    @property
    def name(self) -> str:
        """The words of the command behind `memwiki`."""
        words = self.usage.removeprefix("memwiki ").split()
        return " ".join(takewhile(lambda word: word[0].islower(), words))

    def text(self, common: set[str], earlier: Mapping[str, set[str]]) -> str:
        """The help without headings, and without what many commands or an earlier one have."""
        told = [row for row in self.rows if row not in common and not _IS_BARE.search(row)]
        alike = {name: [row for row in told if row in rows] for name, rows in earlier.items()}
        name, same = max(alike.items(), key=lambda each: len(each[1]), default=("", []))
        same = same if len(same) >= _ALIKE else []
        rows = [f"  {line}" for row in told if row not in same for line in self.rows[row]]
        rows += [f"    as of {name}: {' '.join(row.split()[0] for row in same)}"] if same else []
        shared = [f" [{row.split()[0]}]" for row in self.rows if row in common and row[0] == "-"]
        has_own = any(row.startswith("-") for row in told)
        usage = self.usage if has_own else self.usage.replace(" [OPTIONS]", "")
        examples = [line for line in self.examples if _shows(line, self.name)][:_SHOWN]
        return "\n".join([usage + "".join(shared), *self.about, *rows, *examples])


def _parts(name: str) -> list[str]:
    """The commands below a group, `a b` below `a`."""
    return [each.removeprefix(f"{name} ") for each in ANSWERS if each.startswith(f"{name} ")]


def _blocks(name: str) -> Iterator[Block]:
    """The help of a command, and of each that is below it."""
    parts = [_block([name, *part.split()]) for part in _parts(name)]
    below = {line.partition("   #")[0] for part in parts for line in part.examples}
    own = _block([name])
    if not parts or own.rows or name in ANSWERS:
        yield own._replace(examples=[each for each in own.examples if each not in below])
    yield from parts


def _block(path: list[str]) -> Block:
    usage, *lines = _help(path).splitlines()
    parts: dict[str, list[str]] = {"": []}
    for line in lines:
        if heading := _TITLE.fullmatch(line):
            parts[heading[1]] = []
        elif line or len(parts) == 1:
            next(reversed(parts.values())).append(line)
    return Block(
        usage.removeprefix("Usage: "),
        [line for line in parts[""] if line],
        dict(_rows([*parts.get("Arguments", ()), *parts.get("Options", ())])),
        [f"  $ {line.strip()}" for line in parts.get("Examples", ())],
    )


def _shows(example: str, name: str) -> bool:
    """Whether an example shows more than the name of the command and flags."""
    known = {"memwiki", *name.split()}
    return any(word not in known and word[:2] != "--" for word in example.split()[1:])


def _rows(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """The lines of each argument and option, by its name and its text in one line."""
    starts = [at for at, line in enumerate(lines) if line[2:3].strip()]
    for first, end in pairwise([*starts, len(lines)]):
        row = lines[first:end]
        name, *text = _IS_GAP.split("  ".join(line.strip() for line in row))
        yield f"{name}  {' '.join(text)}", row


def _answers_of(name: str, several: list[type], told: set[type]) -> Iterator[str]:
    """What the JSON of a command is, and of each that is below it, and whose fields a template
    may name."""

    named_already = set(several)

    def called(kind: type) -> str:
        keys = "" if kind in named_already else f" ({_keys(kind, told)})"
        named_already.add(kind)
        return f"`{kind.__name__}`{keys}"

    below = dict[str, list[str]]()
    for part in _parts(name):
        for kind in ANSWERS[f"{name} {part}"].split():
            below.setdefault(kind, []).append(part)
    own = [called(_answer(kind)) for kind in ANSWERS.get(name, "").split()]
    named = [f"{called(_answer(kind))} of {', '.join(of)}" for kind, of in below.items()]
    yield f"JSON: {', '.join(own) if not named else '; '.join([*own, *named])}"
    for words, row in TEMPLATES.items():
        command, _, option = words.partition(" ")
        if command == name:
            of = f" with `{option}`" if option else ""
            yield f"Fields of a template{of}: those of `{_answer(row).__name__}`"


def _answer(name: str) -> type:
    """The class that a row of the table names."""
    area, _, kind = name.rpartition(".")
    home = f"memwiki.answers.{area}" if area else "memwiki.nouns"
    found: type = getattr(import_module(home), kind)
    return found


def _help(path: list[str]) -> str:
    command = command_of(load(path[0]))
    context = command.make_context("memwiki", [], resilient_parsing=True, terminal_width=_WIDTH)
    for name in path:
        command = command.get_command(context, name)  # type: ignore[attr-defined]
        context = typer.Context(command, parent=context, info_name=name, terminal_width=_WIDTH)
    lines = command.get_help(context).replace("Usage: memwiki [OPTIONS] ", "Usage: memwiki ")
    return "\n".join(line.rstrip() for line in lines.splitlines() if not _IS_HELP.fullmatch(line))


def _kinds() -> tuple[list[type], set[type]]:
    """The objects that several commands or objects have, and all that have a name here; an object
    that only one key has is told with that key, an answer of one command with that command."""
    by_command = dict[str, set[type]]()
    for words, kinds in ANSWERS.items():
        by_command.setdefault(words.split()[0], set()).update(map(_answer, kinds.split()))
    answers = by_command.values()
    templates = set(map(_answer, TEMPLATES.values()))
    commands = Counter(chain.from_iterable(answers))
    told = {Overview, *templates, *commands}
    inside, waiting = Counter[type](), list(told)
    while waiting:
        found = [inner for _, each in _typed(waiting.pop()) if (inner := _inner(each))]
        waiting += [each for each in found if not inside[each] and each not in told]
        inside.update(found)
    told |= {kind for kind, times in inside.items() if times > 1}
    alone = {kind for kind, times in commands.items() if times == 1} - templates - set(inside)
    return sorted(told - alone, key=lambda kind: kind.__name__), told


def _keys(kind: type, told: set[type]) -> str:
    inside = ((key, _inner(each)) for key, each in _typed(kind))
    return ", ".join(
        f"`{key}`" + (f" ({each.__name__ if each in told else _keys(each, told)})" if each else "")
        for key, each in inside
    )


def _inner(kind: object) -> type | None:
    """The object that a key has, or a list of; none where it is a plain value."""
    found = (each for each in (kind, *typing.get_args(kind)) if _is_record(each))
    return next((each for each in found if isinstance(each, type)), None)


def _typed(answer: type) -> list[tuple[str, object]]:
    renamed = RENAMED.get(answer.__name__, {})
    return [(renamed.get(key, key), kind) for key, kind in typing.get_type_hints(answer).items()]


def _is_record(kind: object) -> bool:
    return hasattr(kind, "_fields") or is_dataclass(kind)


# --- errors.md -----------------------------------------------------------------------------------


def _errors() -> str:
    known = sorted(_below(errors.MemwikiError), key=lambda kind: kind.code)
    rows = [
        (f"`{kind.code}`", _line(kind.__doc__), "2" if issubclass(kind, errors.UsageError) else "1")
        for kind in known
    ]
    rows.append(("`unexpected`", "A bug in memwiki; `recoverable` is false.", "1"))
    return (
        "\n\n".join(
            [
                "# Errors",
                _MADE,
                "Every error says `subject: what is wrong`, then the next step. With `--json` it "
                "is an object whose\n"
                "`code` is one of these; in Python it is a `MemwikiError` with the same "
                "attributes. What is wrong\n"
                "*in a page* is never an error but a problem that `sync` counts and `status PATH` "
                "lists.",
                _table(("code", "meaning", "exit code"), rows),
            ]
        )
        + "\n"
    )


def _line(text: str | None) -> str:
    return " ".join((text or "").split())


def _below(kind: type[errors.MemwikiError]) -> Iterator[type[errors.MemwikiError]]:
    for each in kind.__subclasses__():
        if each.code != kind.code:  # else it is the same to whoever meets it
            yield each
        yield from _below(each)


# --- config.md -----------------------------------------------------------------------------------


def _config() -> str:
    return (
        "\n\n".join(
            [
                "# Settings",
                _MADE,
                _SETTINGS,
                _settings(SCHEMA),
                _LAYERS,
                _MODELS,
                _settings(USER),
                "Other variables:",
                _table(
                    ("variable", "meaning"),
                    [(f"`{name}`", text) for name, text in _VARIABLES.items()],
                ),
            ]
        )
        + "\n"
    )


def _settings(schema: Schema) -> str:
    keys = dict[tuple[str, str], list[str]]()
    for key, each in schema.keys().items():
        keys.setdefault((f"`{as_toml(each.default)}`", each.help), []).append(f"`{key}`")
    rows = [(", ".join(names), default, text) for (default, text), names in keys.items()]
    return _table(("key", "default", "what it does"), rows)


# --- checks.md -----------------------------------------------------------------------------------


def _checks() -> str:
    parts = [
        "# Checks",
        _MADE,
        _HOW_TO_CHECK,
    ]
    for family in Family:
        rows = [
            (f"`{rule.code}`", rule.severity, f"{rule.says}{' *fix*' if rule.fix else ''}")
            for rule in RULES.values()
            if rule.family is family
        ]
        if rows:
            parts += [f"## {family.capitalize()}", _table(("code", "severity", "meaning"), rows)]
    return "\n\n".join(parts) + "\n"


def _fenced(text: str, language: str = "text") -> str:
    return f"```{language}\n{text}\n```"


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


if __name__ == "__main__":
    for file_name, page in pages().items():
        (DOCS / file_name).write_text(page, "utf-8")
    sys.exit()
