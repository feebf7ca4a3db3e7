"""memwiki as a plugin that several programs take: a folder of files."""

from __future__ import annotations

import json

from memwiki.adapter_api import Json
from memwiki.adapters.hosts.programs import (
    DESCRIPTION,
    HOSTS,
    RECORDING,
    SERVER,
    Launch,
    hook_member,
    skill,
)

README = """\
# memwiki

Long-term memory in a folder of markdown, shared by people and agents. The plugin brings a
server of tools (recall, search, read, add, update, forget, write, links and others), hooks that
show what is remembered at the start of a conversation and at each prompt, and a skill that says
when to look and what to keep.

## Before it works

1. Install the program: `pip install 'memwiki[mcp]'`. `memwiki` has to be on the PATH.
2. Make the folder of your project, or one above it, a workspace: `memwiki init --adopt .`
3. Build the index once: `memwiki sync`.

## Use

Ask as usual: "what did we decide about the cache?", "remember that Anna prefers tea". `memwiki
agent status` shows whether the hooks run, and where they had no answer in time; `memwiki undo`
takes the last change back.

## Privacy

Everything stays in files on this machine. No hook or tool uses the network or asks a model, and
nothing of a conversation is recorded unless you ask for it with `memwiki agent install
--capture`.
"""
ICON = """\
<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512">
  <rect width="512" height="512" rx="96" fill="#1f4e5f"/>
  <path d="M112 376V136l144 136 144-136v240" fill="none" stroke="#fff" stroke-width="48"
    stroke-linecap="round" stroke-linejoin="round"/>
</svg>
"""
LICENSE = """\
MIT License

Copyright (c) 2026 The memwiki contributors

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
"""


_LINE = DESCRIPTION.partition(". ")[0] + "."
_AUTHORS, _ICON = "The memwiki contributors", "assets/icon.svg"
_AUTHOR: Json = {"name": _AUTHORS}
_CODEX_FOLDER = f"plugins/{SERVER}"
# Claude Code's own check knows no field for a picture; a directory takes the file.
_CODEX: dict[str, Json] = {
    "skills": "./skills/",
    "mcpServers": "./.mcp.json",
    "hooks": "./hooks/codex.json",
    "interface": {
        "displayName": SERVER,
        "shortDescription": _LINE,
        "developerName": _AUTHORS,
        "category": "Productivity",
        "composerIcon": f"./{_ICON}",
        "logo": f"./{_ICON}",
    },
}
_MARKET: dict[str, Json] = {
    "name": SERVER,
    "owner": _AUTHOR,
    "metadata": {"description": _LINE},
    "plugins": [
        {
            "name": SERVER,
            "source": "./",
            "description": _LINE,
            "author": _AUTHOR,
            "category": "productivity",
        }
    ],
}
_CODEX_MARKET: dict[str, Json] = {
    "name": SERVER,
    "interface": {"displayName": SERVER},
    "plugins": [
        {
            "name": SERVER,
            "source": {"source": "local", "path": f"./{_CODEX_FOLDER}"},
            "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
            "category": "Productivity",
        }
    ],
}


def plugin_files(guide: str, version: str) -> dict[str, str]:
    """The files of the plugin by path, with the text of the template's AGENTS.md as the skill.

    Codex passes over a plugin at the root of a marketplace, and would take `hooks/hooks.json` of
    Claude Code for its own: it gets a folder, and a file of hooks, that it is told of.
    """
    launch = Launch(("memwiki",), ".")
    about: dict[str, Json] = {
        "name": SERVER,
        "description": _LINE,
        "version": version,
        "author": _AUTHOR,
        "license": "MIT",
        "keywords": ["memory", "markdown", "wiki", "search"],
    }
    of_codex = {
        ".codex-plugin/plugin.json": _as_text({**about, **_CODEX}),
        ".mcp.json": _as_text({"mcpServers": {SERVER: launch.server}}),
        "hooks/codex.json": _as_text({"hooks": _hooks(launch, "codex")}),
        f"skills/{SERVER}/SKILL.md": skill(guide, launch.folder),
        "README.md": README,
        "LICENSE": LICENSE,
        _ICON: ICON,
    }
    return {
        ".claude-plugin/plugin.json": _as_text(about),
        ".claude-plugin/marketplace.json": _as_text(_MARKET),
        "hooks/hooks.json": _as_text({"hooks": _hooks(launch, "claude-code")}),
        ".agents/plugins/marketplace.json": _as_text(_CODEX_MARKET),
        **of_codex,
        **{f"{_CODEX_FOLDER}/{path}": each for path, each in of_codex.items()},
    }


def _as_text(value: Json) -> str:
    return json.dumps(value, indent=2) + "\n"


def _hooks(launch: Launch, name: str) -> dict[str, Json]:
    host = HOSTS[name]
    return {
        each.event: [hook_member(host, launch, each, is_recording=False).value]
        for each in host.events
        if each.moment not in RECORDING
    }
