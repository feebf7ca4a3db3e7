"""memwiki as a plugin that several programs take: a folder of files."""

from __future__ import annotations

import json

from memwiki.agents.hosts import HOSTS, RECORDING
from memwiki.agents.jsonc import Json
from memwiki.agents.launch import SERVER, Launch
from memwiki.agents.plugin_texts import ICON, LICENSE, README
from memwiki.agents.texts import DESCRIPTION, skill

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


def plugin_files(guide: str, version: str, launch: Launch) -> dict[str, str]:
    """The files of the plugin by path, with the text of the template's AGENTS.md as the skill.

    Codex passes over a plugin at the root of a marketplace, and would take `hooks/hooks.json` of
    Claude Code for its own: it gets a folder, and a file of hooks, that it is told of.
    """
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
    found: dict[str, Json] = {}
    for each in host.events:
        if each.moment not in RECORDING:
            command = launch.hook(each.moment, host.name)
            hook: Json = {"type": "command", "command": command, "timeout": each.timeout}
            found[each.event] = [{"hooks": [hook]}]
    return found
