"""The asynchronous workspace has every method of the plain one, with its words and arguments."""

from __future__ import annotations

import ast
import importlib.util
import inspect
from importlib import import_module
from pathlib import Path

import pytest

from memwiki import AsyncWorkspace, Workspace
from memwiki.aio.face import Face, WorkspaceFace
from memwiki.options import RecallOptions, SearchOptions
from memwiki.workspace.current_settings import CurrentSettings
from memwiki.workspace.facets import Facets

ROOT = Path(__file__).parents[2]
# Of a thread, a value, or with a way of its own: `read` for one sweep, `close` for leaving.
PLAIN_ONLY = {
    "ends_soon",
    "is_synced",
    "namespace",
    "actor",
    "config",
    "live",
    "one_sweep",
    "leave",
    "has_current_settings",
    "follow",
}
BY_HAND = {"watch", "close"}
RECORDS = {"search": SearchOptions, "recall": RecallOptions}
AREAS = sorted(path.stem for path in (ROOT / "memwiki/workspace").glob("*.py"))


@pytest.fixture(scope="module")
def generator():
    spec = importlib.util.spec_from_file_location("generate_aio", ROOT / "docs/generate_aio.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def public(kind: type) -> dict[str, object]:
    return {name: what for name, what in vars(kind).items() if not name.startswith("_")}


def facets() -> list[tuple[type, type]]:
    """Each facet with its mirror."""
    found = []
    for area in AREAS:
        plain = import_module(f"memwiki.workspace.{area}")
        for name, each in vars(plain).items():
            if name.endswith("Facet") and each.__module__ == plain.__name__:
                mirror = import_module(f"memwiki.aio.{area}")
                found.append((each, getattr(mirror, f"Async{name}")))
    return found


FACETS = facets()


def test_the_generated_modules_are_up_to_date(generator):
    for name, text in generator.pages().items():
        there = (ROOT / "memwiki/aio" / name).read_text("utf-8")
        assert shape(there) == shape(text), "python docs/generate_aio.py"
        assert "docs/generate_aio.py" in there


def shape(text: str) -> list[str]:
    """What a module does, however it is laid out; imports in any order."""
    tree = ast.parse(text)
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            names += [f"{node.module}.{each.name}" for each in node.names]
    kinds = [each for each in tree.body if isinstance(each, ast.ClassDef)]
    return [*sorted(names), ast.get_docstring(tree), *map(ast.dump, kinds)]


def test_every_facet_is_mirrored():
    asked = {arguments(each).return_annotation for each in public(Facets).values()}
    given = {each for each in asked if each.endswith("Facet")}
    assert given and given == {plain.__name__ for plain, _ in FACETS}
    assert all(issubclass(mirror, Face) for _, mirror in FACETS)


@pytest.mark.parametrize(("plain", "mirror"), FACETS, ids=lambda kind: kind.__name__)
def test_a_facet_has_the_same_methods_arguments_and_words(plain, mirror):
    assert inspect.getdoc(mirror) == inspect.getdoc(plain)
    assert list(public(mirror)) == list(public(plain))
    for name, method in public(plain).items():
        same = getattr(mirror, name)
        assert inspect.iscoroutinefunction(same)
        assert inspect.signature(same) == inspect.signature(method), name
        assert inspect.getdoc(same) == inspect.getdoc(method), name


def test_the_workspace_has_the_same_methods_arguments_and_words():
    known = {**public(Facets), **public(CurrentSettings), **public(Workspace)}
    there = {**public(WorkspaceFace), **public(AsyncWorkspace)}
    assert set(known) - set(there) == PLAIN_ONLY
    assert set(there) - set(known) == {"root", "read", "write"}
    for name in BY_HAND:
        assert [*arguments(there[name]).parameters] == [*arguments(known[name]).parameters]
    for name in set(known) - PLAIN_ONLY - BY_HAND:
        assert inspect.getdoc(there[name]) == inspect.getdoc(known[name]), name
        assert type(there[name]) is type(known[name]), name
        plain, same = arguments(known[name]), arguments(there[name])
        if name in RECORDS:
            assert [*same.parameters][2:] == [*RECORDS[name]._fields]
            defaults = {each: same.parameters[each].default for each in RECORDS[name]._fields}
            assert defaults == RECORDS[name]._field_defaults
        else:
            assert [*same.parameters.values()] == [*plain.parameters.values()], name
            assert same.return_annotation.removeprefix("Async") == plain.return_annotation, name


def arguments(method: object) -> inspect.Signature:
    plain = getattr(method, "fget", getattr(method, "__func__", method))
    return inspect.signature(plain)


def test_what_can_be_tried_with_dry_run_is_a_write(generator):
    """And what is called a read is there."""
    kinds = {plain.__name__.removesuffix("Facet").lower(): plain for plain, _ in FACETS}
    kinds["workspace"] = Workspace
    for table in (generator.READS, generator.LONG):
        for area, names in table.items():
            for name in names.split():
                method = public(kinds[area])[name]
                if (area, name) == ("models", "check"):  # which would send, and writes no file
                    continue
                assert "dry_run" not in inspect.signature(method).parameters, (area, name)
