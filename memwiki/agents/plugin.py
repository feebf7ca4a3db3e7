"""memwiki as a plugin that several programs take: a folder of files."""

from __future__ import annotations

import json

from memwiki.agents.hosts import HOSTS, RECORDING
from memwiki.agents.jsonc import Json
from memwiki.agents.launch import SERVER, Launch
from memwiki.agents.plugin_texts import ICON, LICENSE, README
from memwiki.agents.texts import DESCRIPTION, skill

_LINE = DESCRIPTION.partition(". ")[0] + "."
_AUTHOR, _ICON = "The memwiki contributors", "assets/icon.svg"
_CODEX_FOLDER = f"plugins/{SERVER}"


def plugin_files(guide: str, version: str, launch: Launch) -> dict[str, str]:
    """The files of the plugin by path, with the text of the template's AGENTS.md as the skill.

    Codex passes over a plugin at the root of a marketplace, and would take `hooks/hooks.json` of
    Claude Code for its own: it gets a folder, and a file of hooks, that it is told of.
    """
    author: Json = {"name": _AUTHOR}
    about: dict[str, Json] = {
        "name": SERVER,
        "description": _LINE,
        "version": version,
        "author": author,
        "license": "MIT",
        "keywords": ["memory", "markdown", "wiki", "search"],
    }
    claude: dict[str, Json] = {
        "name": SERVER,
        "source": "./",
        "description": _LINE,
        "author": author,
        "category": "productivity",
    }
    # Claude Code's own check knows no field for a picture; a directory takes the file.
    picture = f"./{_ICON}"
    codex: dict[str, Json] = {
        **about,
        "skills": "./skills/",
        "mcpServers": "./.mcp.json",
        "hooks": "./hooks/codex.json",
        "interface": {
            "displayName": SERVER,
            "shortDescription": _LINE,
            "developerName": _AUTHOR,
            "category": "Productivity",
            "composerIcon": picture,
            "logo": picture,
        },
    }
    source: Json = {"source": "local", "path": f"./{_CODEX_FOLDER}"}
    policy: Json = {"installation": "AVAILABLE", "authentication": "ON_INSTALL"}
    listed: dict[str, Json] = {"name": SERVER, "source": source, "policy": policy}
    market: dict[str, Json] = {
        "name": SERVER,
        "owner": author,
        "metadata": {"description": _LINE},
        "plugins": [claude],
    }
    codex_market: dict[str, Json] = {
        "name": SERVER,
        "interface": {"displayName": SERVER},
        "plugins": [{**listed, "category": "Productivity"}],
    }
    text = skill(guide, launch.folder)
    of_codex = {
        ".codex-plugin/plugin.json": _as_text(codex),
        ".mcp.json": _as_text({"mcpServers": {SERVER: launch.server}}),
        "hooks/codex.json": _as_text({"hooks": _hooks(launch, "codex")}),
        f"skills/{SERVER}/SKILL.md": text,
        "README.md": README,
        "LICENSE": LICENSE,
        _ICON: ICON,
    }
    return {
        ".claude-plugin/plugin.json": _as_text(about),
        ".claude-plugin/marketplace.json": _as_text(market),
        "hooks/hooks.json": _as_text({"hooks": _hooks(launch, "claude-code")}),
        ".agents/plugins/marketplace.json": _as_text(codex_market),
        **of_codex,
        **{f"{_CODEX_FOLDER}/{path}": each for path, each in of_codex.items()},
    }


def _as_text(value: Json) -> str:
    return json.dumps(value, indent=2) + "\n"


def _hooks(launch: Launch, name: str) -> dict[str, Json]:
    host = HOSTS[name]
    found: dict[str, Json] = {}
    for each in host.events:
        if each.moment not in RECORDING:
            command = launch.hook(each.moment, host.name)
            hook: Json = {"type": "command", "command": command, "timeout": each.timeout}
            found[each.event] = [{"hooks": [hook]}]
    return found
