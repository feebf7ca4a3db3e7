"""A line that is read without typer means what typer reads in it; all others are left to typer."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memwiki.cli import typer_app
from memwiki.cli.app import App, Argument, Verb, with_arguments
from memwiki.cli.dispatch import load, plain_call
from memwiki.cli.registry import COMMANDS
from memwiki.errors import UsageError
from tests.effort import for_each


def _recording(verb: Verb, path: tuple[str, ...], seen: list) -> Verb:
    """The same command, which only tells what it was handed."""

    def run(door, **given):
        seen.append((path, given))

    return verb._replace(run=with_arguments(run, verb.arguments))


def _mirror(app: App, path: tuple[str, ...], seen: list) -> App:
    made = App(app.about, *app.lines, no_args_is_help=app.no_args_is_help)
    made.usual = app.usual and _recording(app.usual, (*path, "*"), seen)
    made.verbs = {name: _recording(v, (*path, name), seen) for name, v in app.verbs.items()}
    made.groups = {name: _mirror(g, (*path, name), seen) for name, g in app.groups.items()}
    return made


def _paths(app: App, path: tuple[str, ...] = ()):
    for name, verb in app.verbs.items():
        yield (*path, name), verb
    for name, group in app.groups.items():
        if group.usual:
            yield (*path, name), group.usual
        yield from _paths(group, (*path, name))


SEEN: list = []
MODULES = {row.module: name for name, row in COMMANDS.items()}
APPS = [_mirror(load(name), (), SEEN) for name in MODULES.values()]
LINES = [(app, path, verb) for app in APPS for path, verb in _paths(app)]


def _read(read) -> list:
    SEEN.clear()
    try:
        read()
    except UsageError:
        return ["refused"]
    return [*SEEN]


def _typer(app: App, words: list[str]) -> list:
    return _read(lambda: typer_app.run(app, words, None))


def _option_words(option: Argument):
    if option.kind is bool:
        return st.sampled_from([[option.option], [f"{option.option}=yes"]])
    kinds = [str(each) for each in option.kind] if hasattr(option.kind, "__members__") else []
    texts = [
        "a",
        "",
        "-",
        "--",
        "-3",
        "0",
        "7",
        "012",
        "1_0",
        "٣",
        "¹",
        "9" * 5_000,
        ".5",
        "1e3",
        "a=b",
        "茶",
        *kinds,
    ]
    values = st.sampled_from([*texts, *kinds, option.option])
    return st.one_of(
        values.map(lambda value: [option.option, value]),
        values.map(lambda value: [f"{option.option}={value}"]),
        st.just([option.option]),
    )


@st.composite
def lines(draw):
    app, path, verb = draw(st.sampled_from(LINES))
    options = [each for each in verb.arguments if each.option]
    parts = [_option_words(each) for each in options]
    parts += [st.sampled_from([["tea"], ["a b"], ["-"], ["--"], ["-x"], ["--nothing"], ["3"]])]
    parts += [st.just(["tea"])] * len(parts)
    chosen = draw(st.lists(st.one_of(parts), max_size=5))
    return app, [*path, *(word for each in chosen for word in each)]


@given(lines())
def test_what_is_read_plainly_is_what_typer_reads(line):
    app, words = line
    command = plain_call(app, words)
    if command is not None:
        told = _read(lambda: command(None))
        assert repr(told) == repr(_typer(app, words))  # a text is no choice, and 1 is no 1.0


@for_each(
    "words",
    [
        "search green tea --limit 5 --format {path}",
        "search --limit=5 -- -green",
        "recall who? --mode deep --min-score 0.3",
        "add Likes_tea. --tag a --tag b --type fact --importance 0.5",
        "entry list --type fact",
        "log",
        "upkeep --dry-run",
        "upkeep archive list tea",
        "sync",
        "append a.md - --section Log",
        "undo 2",
    ],
)
def test_lines_as_they_are_usually_written_are_plain(words):
    app = next(app for app, path, _ in LINES if path[0] == words.split()[0])
    command = plain_call(app, words.split())
    assert command is not None
    told = _read(lambda: command(None))
    assert told == _typer(app, words.split()) != ["refused"]


@for_each(
    "words",
    [
        "search",
        "search tea --limit ten",
        "search tea --limit 0",
        "search tea --limit ¹",
        f"search tea --limit {'9' * 5_000}",
        "search tea --limit",
        "append a.md x --section",
        "search tea --lim 3",
        "search tea --help",
        "search tea -green",
        "search tea --jsonl=yes",
        "recall who? --mode deeper",
        "recall who? --mode deep --mode fast",
        "tag rename a",
        "tag rename a b c",
        "bench",
        "entry nothing",
    ],
)
def test_whatever_is_odd_is_left_to_typer(words):
    app = next(app for app, path, _ in LINES if path[0] == words.split()[0])
    assert plain_call(app, words.split()) is None
