"""`memwiki completion`: the script that teaches a shell to ask us."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from memwiki.cli.app import App
from memwiki.cli.door import Door

app = App()

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
    from memwiki.answers.workspaces import CompletionScript

    door.show(CompletionScript(shell.value, _SCRIPTS[shell]))
