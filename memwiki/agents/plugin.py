"""memwiki as a plugin that several programs take: a folder of files."""

from __future__ import annotations

import json

from memwiki.agents.hosts import HOSTS, RECORDING
from memwiki.agents.jsonc import Json
from memwiki.agents.launch import SERVER, Launch
from memwiki.agents.texts import DESCRIPTION, skill

_LINE = DESCRIPTION.partition(". ")[0] + "."


def plugin_files(guide: str, version: str, launch: Launch) -> dict[str, str]:
    """The files of the plugin by path, with the text of the template's AGENTS.md as the skill."""
    about: dict[str, Json] = {"name": SERVER, "description": _LINE, "version": version}
    market: dict[str, Json] = {
        "name": SERVER,
        "owner": {"name": SERVER},
        "plugins": [{"name": SERVER, "source": "./", "description": _LINE}],
    }
    codex: dict[str, Json] = {
        **about,
        "skills": "./skills/",
        "mcpServers": "./.mcp.json",
        "hooks": "./hooks/hooks.json",
    }
    files = {
        ".claude-plugin/plugin.json": about,
        ".claude-plugin/marketplace.json": market,
        ".codex-plugin/plugin.json": codex,
        ".mcp.json": {"mcpServers": {SERVER: launch.server}},
        "hooks/hooks.json": {"hooks": _hooks(launch)},
    }
    texts = {path: json.dumps(value, indent=2) + "\n" for path, value in files.items()}
    return texts | {f"skills/{SERVER}/SKILL.md": skill(guide, launch.folder)}


def _hooks(launch: Launch) -> dict[str, Json]:
    host = HOSTS["claude-code"]
    found: dict[str, Json] = {}
    for each in host.events:
        if each.moment not in RECORDING:
            command = launch.hook(each.moment, host.name)
            hook: Json = {"type": "command", "command": command, "timeout": each.timeout}
            found[each.event] = [{"hooks": [hook]}]
    return found
