"""What somebody means who types a command that there is not."""

from __future__ import annotations

from collections.abc import Collection

# What the verbs of other programs are called here.
_MEANT = {
    "move": "rename mv ren",
    "search": "find grep rg ag ack query ask lookup fts f s",
    "list": "ls ll dir pages notes files ls-files",
    "get": "cat less more print view read page display head tail type bat",
    "delete": "rm del remove rmdir erase trash",
    "delete NAME or memwiki entry delete ID": "forget unlearn unremember",
    "check": "lint validate verify audit problems test",
    "check --fix": "fix repair",
    "open": "edit vi vim nvim nano emacs code e",
    "new": "create touch mk make note page-new zettel capture",
    "add": "remember memorize memorise store fact save",
    "today": "daily journal diary",
    "init": "setup adopt clone start",
    "sync": "index update refresh build scan rebuild-index pull",
    "reindex": "rebuild",
    "status": "st info stats stat state why",
    "undo": "revert rollback restore reset",
    "links": "backlinks refs references outgoing incoming inbound outbound follow linked",
    "links --unresolved": "broken dangling dead unresolved wanted missing",
    "search is:orphan": "orphan orphans isolated unlinked lonely",
    "list --sort updated --limit 10": "recent latest changed",
    "tags": "tag-list labels categories topics keywords",
    "history": "blame versions revisions commits changes",
    "show": "diff at past",
    "graph": "map neighbours neighbors around path tree",
    "catalog": "toc contents home summary",
    "config": "settings set-config options preferences",
    "doctor": "health diagnose fsck",
    "export": "backup dump archive-all zip",
    "import": "load ingest",
    "mcp": "serve server",
    "upkeep archive": "archived retired",
    "agent tools": "tool functions",
    "upkeep": "gc clean cleanup tidy maintain compact",
    "session": "chat conversation sessions",
    "entry": "entries memory memories",
    "--help": "help commands man usage-help h ?",
    "--version": "version ver v",
}
_VERBS = {word: meant for meant, words in _MEANT.items() for word in words.split()}
# A typing error may lead to these: nothing is lost where something else was meant.
_READING = (
    "status doctor check search recall context get list browse links tags history show graph "
    "usage completion outline sync watch"
).split()
_LEAST = 3  # characters of the beginning of a command
_MOST = 20  # characters of what anybody types as one


def meant(name: str, commands: Collection[str]) -> str:
    """The command line that somebody means, "" when nothing comes near.

    Words that mean something come first. A command that writes is the answer to its own letters in
    another order or to its beginning, never to what only looks like it.
    """
    word = name.casefold()
    if len(word) > _MOST:
        return ""
    if word in commands:
        return word
    if known := _VERBS.get(word, ""):
        return known
    for each in commands:
        is_begun = len(word) >= _LEAST and each.startswith(word)
        if is_begun or sorted(each) == sorted(word):
            return each
    from difflib import get_close_matches

    close = get_close_matches(word, [each for each in _READING if each in commands], n=1)
    return close[0] if close else ""
