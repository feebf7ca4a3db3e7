"""`memwiki init`, `workspaces`, `completion`, `config` and `namespace`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from shlex import quote
from typing import Annotated

from memwiki.answers.workspaces import CompletionScript, InitReport
from memwiki.cli.app import App, DryRun
from memwiki.cli.arguments import machine_path, require_no_way_out
from memwiki.cli.door import Door
from memwiki.errors import UsageError

app = App()
workspaces = app.group(
    "workspaces", "workspaces add work ~/work/notes", "-w work search tea", "workspaces"
)


@app.verb(
    "init notes",
    "init notes --git --bare",
    "init memory --preset agent   # what is old retires by itself",
    "init notes --lang zh   # template and headings in Chinese",
    "init ~/vault --adopt   # changes no file of it",
)
def init(
    door: Door,
    directory: Annotated[str, "", "[DIR]"] = "",
    *,
    adopt: Annotated[bool, "Use an existing folder of markdown as it is."] = False,
    git: Annotated[bool, "Make it a git repository too."] = False,
    bare: Annotated[bool, "Leave out the pages that explain a memory."] = False,
    force: Annotated[bool, "Add to a folder with files; none is overwritten."] = False,
    preset: Annotated[str, "Who keeps the memories here.", "personal|agent"] = "",
    lang: Annotated[str, "Language of the template; else that of the locale.", "en|zh"] = "",
) -> None:
    """Make a folder a workspace, from the template or as it is, and index it."""
    from memwiki.config import environment
    from memwiki.setup import init as setup

    target = Path(door.options.directory or ".") / directory
    given: dict[str, bool | str] = {
        "--git": git,
        "--bare": bare,
        "--preset": preset,
        "--force": force,
        "--lang": lang,
    }
    _require_sense(given, adopt)
    require_no_way_out(door.options.directory, directory)
    report = (
        setup.adopt(target, environment())
        if adopt
        else setup.init(
            target,
            environment(),
            git=git,
            bare=bare,
            preset=preset,
            force=force,
            language=lang,
        )
    )
    if door.options.is_synced:
        report = _indexed(door, report)
    door.report(report)
    for note in report.notes:
        door.talk(note)
    if report.pages is None:
        door.talk(f"Next: memwiki -C {quote(str(target))} sync")


def _require_sense(given: Mapping[str, bool | str], adopt: bool) -> None:
    other = next((name for name, value in given.items() if value), "")
    if adopt and other:
        raise UsageError(f"init: --adopt and {other} exclude each other", "memwiki init --help")


def _indexed(door: Door, report: InitReport) -> InitReport:
    from memwiki.cli.home import index_new
    from memwiki.config import environment

    try:
        with door.progress("Indexing") as progress:
            return index_new(report, environment(), progress)
    except KeyboardInterrupt:
        door.report(report)  # it is one all the same
        raise


@workspaces.verb("workspaces list --json", is_usual=True)
def list_(door: Door) -> None:
    """List the names and the folders that they mean."""
    from memwiki.setup import named

    answer = named.workspaces()
    door.show(answer)
    if not answer.workspaces:
        door.talk("No workspace has a name yet: memwiki workspaces add NAME DIR")


@workspaces.verb("workspaces add work", "workspaces add home ~/notes")
def add(
    door: Door,
    name: Annotated[str, "A name of your own.", "WORKSPACE"],
    directory: Annotated[
        str | None, "A folder of the workspace (default: the current one).", "[DIR]"
    ] = None,
) -> None:
    """Give the workspace around a folder a name."""
    from memwiki.setup import named

    seen = door.options.directory
    folder = seen if directory is None else machine_path(seen, directory)
    door.report(named.add(name, folder))


@workspaces.verb("workspaces remove work")
def remove(door: Door, name: Annotated[str, "", "WORKSPACE"]) -> None:
    """Forget a name; the workspace itself stays as it is."""
    from memwiki.setup import named

    answer = named.remove(name)
    door.report(answer)
    door.talk(f"{answer.name} is no name any more; every file there stays.")


_BASH = r"""# memwiki completion for bash: eval "$(memwiki completion bash)" in ~/.bashrc
_memwiki() {
    local IFS=$'\n'
    COMPREPLY=($(
        memwiki --complete bash "${COMP_LINE:0:COMP_POINT}" "$COMP_WORDBREAKS" 2>/dev/null
    ))
    [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == */ ]] && compopt -o nospace
    return 0
}
complete -o default -F _memwiki memwiki"""

_ZSH = r"""#compdef memwiki
# memwiki completion for zsh: source <(memwiki completion zsh) in ~/.zshrc, after compinit
_memwiki() {
    local line value note
    local -a plain folders shown
    while IFS= read -r line; do
        [[ -n $line ]] || continue
        value=${line%%$'\t'*} note=${line#*$'\t'}
        if [[ $value == */ ]]; then
            folders+=("$value")
        else
            plain+=("$value") shown+=("$value${note:+  -- $note}")
        fi
    done < <(memwiki --complete words "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
    (( $#plain + $#folders )) || { _files; return }
    (( $#folders )) && compadd -U -S '' -a folders
    (( $#plain )) && compadd -U -l -d shown -a plain
    return 0
}
(( $+functions[compdef] )) && compdef _memwiki memwiki"""

_FISH = r"""# memwiki completion for fish:
#   memwiki completion fish > ~/.config/fish/completions/memwiki.fish
function __memwiki_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct | string unescape)
    memwiki --complete words $words[2..-1] "$typed" 2>/dev/null
end
complete -c memwiki -a '(__memwiki_complete)'"""


class Shell(StrEnum):
    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


_SCRIPTS = {Shell.BASH: _BASH, Shell.ZSH: _ZSH, Shell.FISH: _FISH}


@app.verb(
    'completion bash   # in ~/.bashrc: eval "$(memwiki completion bash)"',
    "completion zsh    # in ~/.zshrc, after compinit: source <(memwiki completion zsh)",
    "completion fish > ~/.config/fish/completions/memwiki.fish",
)
def completion(
    door: Door,
    shell: Annotated[Shell, "", "bash|zsh|fish"],
) -> None:
    """Print the script that lets a shell complete commands and names."""
    door.show(CompletionScript(shell.value, _SCRIPTS[shell]))


config = app.group("config", "config show", "config set catalog.enabled false")
namespace = app.group("namespace", "namespace list", "namespace purge work --dry-run")


@config.verb("config show", "config show recall doors.max_tokens --json", is_usual=True)
def show(
    door: Door,
    keys: Annotated[list[str] | None, "Only these settings, or tables of them.", "[KEY]..."] = None,
) -> None:
    """Show each setting, its value and where that comes from."""
    workspace = door.open()
    door.show(workspace.settings.list(keys or ()))
    for note in workspace.config.foreign_notes:
        door.talk(note)


@config.verb("config set layers.archive archive")
def set_(
    door: Door,
    key: Annotated[str, "", "KEY"],
    value: Annotated[str, "", "VALUE"],
) -> None:
    """Write a setting into memwiki.toml."""
    door.report(door.open().settings.set(key, value))


@namespace.verb("namespace list", "namespace list --json")
def _list(door: Door) -> None:
    """List the namespaces with their pages, entries, bytes and newest change."""
    answer = door.open().namespaces.list()
    door.show_rows(answer, "namespaces")


@namespace.verb("namespace purge work --dry-run", "namespace purge work --hard")
def purge(
    door: Door,
    name: Annotated[str, "The name of its folder.", "NAMESPACE"],
    *,
    hard: Annotated[bool, "Delete it and its usage, without archive and undo."] = False,
    dry_run: DryRun = False,
) -> None:
    """Move all files of a namespace into the archive, as one change."""
    answer = door.open().namespaces.purge(name, hard=hard, dry_run=dry_run)
    if dry_run:
        door.show(answer)
    else:
        door.report(answer)
    door.say(answer.edited.notes)
