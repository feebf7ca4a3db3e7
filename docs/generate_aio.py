"""Writes the modules of memwiki/aio/ that mirror those of memwiki/workspace/, a method each."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import fill, indent
from typing import NamedTuple

PACKAGE = Path(__file__).parents[1] / "memwiki"
AIO = PACKAGE / "aio"
_MADE = "Generated from memwiki/workspace/{}.py: python docs/generate_aio.py"
# What changes no file of the workspace. All else is a write: it completes when it is cancelled.
READS = {
    "agents": "conversation status",
    "catalog": "check",
    "curation": "seconds_until_run",
    "entries": "near_type get list core similar history find_tags entity_count_by_tag suggest_tags "
    "entities entity_candidates usage trails",
    "folder": "list kind path_here read merged why_read_only",
    "graph": "links backlinks unlinked unresolved tags around path ranked map",
    "index": "is_built sweep_for is_writing status metrics trend overview why",
    "journal": "list",
    "knowledge": "read_graph search_nodes open_nodes",
    "models": "show spent run",
    "namespaces": "list require_own",
    "pages": "get drawing outline list bytes complete history show bytes_at digests today_path "
    "hides own_path",
    "session": "get history window",
    "sessions": "get list",
    "settings": "list",
    "upkeep": "compressible archived state seconds_until_run",
    "workspace": "private_pages take_warnings search suggest browse recall ask prompt inject",
}
# Of these such as read for so long that others are not to wait behind them.
LONG = {
    "carry": "export",
    "check": "run",
    "curation": "bench",
    "index": "doctor",
    "models": "check",
    "workspace": "ask bench bench_vault",
}
# Of `Workspace` what is one of a thread, a value, or written by hand in aio/face.py.
OWN = "is_synced namespace actor one_sweep close leave watch follow live config".split()
_ABOUT = """\
A `Workspace` whose calls are awaited; each is done in a thread beside the event loop.

Names, arguments and answers are those of `Workspace`. Of calls that are cancelled one that has
not begun never begins, one that reads ends at its next step, and one that writes completes.
Functions that are handed over are called in the thread of the call.
"""
_OPTIONS = {"search": "SearchOptions", "recall": "RecallOptions"}
_FACE = ast.parse("from memwiki.aio.face import Face").body
_STEPS = ast.parse("from memwiki.aio.workers import Steps").body


class Module(NamedTuple):
    """A module of the package: its tree, and where each name in it is from."""

    tree: ast.Module
    imports: dict[str, ast.stmt]


@cache
def module(name: str) -> Module:
    """One module by its path below the package."""
    tree = ast.parse((PACKAGE / f"{name}.py").read_text("utf-8"))
    found: dict[str, ast.stmt] = {}
    checked = (each.body for each in tree.body if isinstance(each, ast.If))
    for node in (*tree.body, *(each for body in checked for each in body)):
        if isinstance(node, ast.ImportFrom | ast.Import):
            for alias in node.names:
                one = type(node)(**{**vars(node), "names": [alias]})
                found[alias.asname or alias.name] = one
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node
    return Module(tree, found)


def pages() -> dict[str, str]:
    """Each generated module by its name, not yet formatted."""
    areas = sorted(path.stem for path in (PACKAGE / "workspace").glob("*.py"))
    mirrored = {area: list(_facets(area)) for area in areas}
    found = {f"{area}.py": _module(area, classes) for area, classes in mirrored.items() if classes}
    return {**found, "workspace.py": _workspace()}


def _facets(area: str) -> Iterator[ast.ClassDef]:
    for node in module(f"workspace/{area}").tree.body:
        if isinstance(node, ast.ClassDef) and node.name.endswith("Facet"):
            yield node


def _module(area: str, classes: list[ast.ClassDef]) -> str:
    source = module(f"workspace/{area}")
    made = list(map(_mirror, classes))
    needs = _needs(made, source)
    needs.used.extend(_imports(f"memwiki.workspace.{area}", [each.name for each in classes]))
    return _text(area, source.tree, needs, made)


def _mirror(kind: ast.ClassDef) -> ast.ClassDef:
    name = kind.name.removesuffix("Facet").lower()
    body: list[ast.stmt] = [_docstring(kind)]
    body += [_method(name, each) for each in _public(kind)]
    base = ast.parse(f"Face[{kind.name}]", mode="eval").body
    return _class(f"Async{kind.name}", base, body)


# --- the workspace itself ---


def _workspace() -> str:
    source, facets = module("workspace/workspace"), module("workspace/facets")
    kind = next(each for each in source.tree.body if isinstance(each, ast.ClassDef))
    areas = next(each for each in facets.tree.body if isinstance(each, ast.ClassDef))
    body: list[ast.stmt] = [ast.Expr(ast.Constant(indent(_ABOUT, "    ").lstrip() + "    "))]
    body += [_of_workspace(each) for each in _public(kind) if each.name not in OWN]
    body += [_facet(each) for each in _public(areas) if _returned(each).endswith("Facet")]
    made = _class("AsyncWorkspace", ast.Name("WorkspaceFace"), body)
    options = module("options").imports
    known = {**facets.imports, **source.imports, **options}
    known |= {name: _imports("memwiki.options", [name])[0] for name in _defined("options")}
    needs = _needs([made], Module(source.tree, known))
    needs.used.extend(ast.parse("from memwiki.aio.face import WorkspaceFace").body)
    needs.used.extend(_imports("memwiki.workspace", ["Workspace"]))
    for each in _public(areas):
        if (name := _returned(each)).endswith("Facet"):
            needs.checked.extend(_imports(f"memwiki.aio.{_home(name)}", [f"Async{name}"]))
    return _text("workspace", source.tree, needs, [made])


def _of_workspace(method: ast.FunctionDef) -> ast.stmt:
    if any(isinstance(each, ast.Name) and each.id == "classmethod" for each in _decorators(method)):
        return _opening(method)
    if _returned(method) == "Workspace":
        call = f"return self._view(lambda it: it.{method.name}({_passed(method.args)}))"
        return _function(ast.FunctionDef, method, "AsyncWorkspace", call)
    if record := _OPTIONS.get(method.name):
        method = ast.FunctionDef(**{**vars(method), "args": _options(method.args, record)})
    return _method("workspace", method)


def _opening(method: ast.FunctionDef) -> ast.stmt:
    call = f"Workspace.{method.name}({_passed(method.args)})"
    made = _function(
        ast.AsyncFunctionDef, method, "AsyncWorkspace", f"return await cls._made(lambda: {call})"
    )
    made.decorator_list = [ast.Name("classmethod")]
    return made


def _facet(method: ast.FunctionDef) -> ast.stmt:
    """A facet: a property, or a method with the name of what it is about."""
    kind, call = _returned(method), f"it.{method.name}"
    is_property = bool(_decorators(method))
    call = f"self._find().{method.name}"
    call += "" if is_property else f"({_passed(method.args)})"
    made = _function(
        ast.FunctionDef,
        method,
        f"Async{kind}",
        f"from memwiki.aio.{_home(kind)} import Async{kind}\n"
        f"return Async{kind}(self._workers, lambda: {call})",
    )
    made.decorator_list = [ast.Name("property")] if is_property else []
    return made


def _options(plain: ast.arguments, record: str) -> ast.arguments:
    """The fields of a record of options as keywords, in the place of the record."""
    kind = next(
        each
        for each in module("options").tree.body
        if isinstance(each, ast.ClassDef) and each.name == record
    )
    rows = [each for each in kind.body if isinstance(each, ast.AnnAssign)]
    names = [ast.arg(ast.unparse(row.target), _unannotated(row.annotation)) for row in rows]
    given = {"args": plain.args[:2], "kwonlyargs": names, "kw_defaults": [r.value for r in rows]}
    return ast.arguments(**{**vars(plain), **given})


def _unannotated(kind: ast.expr) -> ast.expr:
    """The type that is in `Annotated`."""
    is_row = isinstance(kind, ast.Subscript) and ast.unparse(kind.value) == "Annotated"
    return kind.slice.elts[0] if is_row else kind


# --- a method ---


def _method(area: str, method: ast.FunctionDef) -> ast.stmt:
    is_long = method.name in LONG.get(area, "").split()
    if not is_long and method.name not in READS.get(area, "").split():
        call = f"it.{method.name}({_passed(method.args)})"
        body = f"return await self._write(lambda it: {call})"
        return _function(ast.AsyncFunctionDef, method, "", body)
    has_steps = any(each.arg == "progress" for each in method.args.kwonlyargs)
    passed = _passed(method.args)
    steps = "steps = Steps(progress)\n" if has_steps else ""
    passed = passed.replace("progress=progress", "progress=steps.note")
    more = ", steps" * has_steps + ", is_long=True" * is_long
    body = f"{steps}return await self._read(lambda it: it.{method.name}({passed}){more})"
    return _function(ast.AsyncFunctionDef, method, "", body)


def _function(
    kind: type[ast.FunctionDef] | type[ast.AsyncFunctionDef],
    method: ast.FunctionDef,
    returns: str,
    body: str,
) -> ast.FunctionDef | ast.AsyncFunctionDef:
    given = {
        "returns": ast.Name(returns) if returns else method.returns,
        "body": [_docstring(method), *ast.parse(body).body],
        "decorator_list": [],
    }
    return kind(**{**vars(method), **given})


def _passed(given: ast.arguments) -> str:
    """The arguments of a method as they are handed on."""
    parts = [each.arg for each in (*given.posonlyargs, *given.args)[1:]]
    parts += [f"*{given.vararg.arg}"] if given.vararg else []
    parts += [f"{each.arg}={each.arg}" for each in given.kwonlyargs]
    parts += [f"**{given.kwarg.arg}"] if given.kwarg else []
    return ", ".join(parts)


def _public(kind: ast.ClassDef) -> list[ast.FunctionDef]:
    found = (each for each in kind.body if isinstance(each, ast.FunctionDef))
    return [each for each in found if not each.name.startswith("_")]


def _decorators(method: ast.FunctionDef) -> list[ast.expr]:
    kept = ("property", "classmethod")
    return [each for each in method.decorator_list if ast.unparse(each) in kept]


def _returned(method: ast.FunctionDef) -> str:
    return ast.unparse(method.returns) if method.returns else ""


def _docstring(node: ast.FunctionDef | ast.ClassDef) -> ast.stmt:
    return node.body[0]


def _class(name: str, base: ast.expr, body: list[ast.stmt]) -> ast.ClassDef:
    return ast.ClassDef(
        name=name, bases=[base], keywords=[], body=body, decorator_list=[], type_params=[]
    )


def _home(facet: str) -> str:
    """The module of a facet."""
    found = module("workspace/facets").imports[facet]
    return str(found.module).rpartition(".")[2]


def _defined(name: str) -> list[str]:
    """The classes and assigned names of a module."""
    found = module(name)
    kinds = [each.name for each in found.tree.body if isinstance(each, ast.ClassDef)]
    names = [name for name, node in found.imports.items() if isinstance(node, ast.Assign)]
    return [*kinds, *names]


# --- imports, and the text ---


class Needs(NamedTuple):
    """What a module imports: when it runs, and for type checkers alone."""

    used: list[ast.stmt]
    checked: list[ast.stmt]


def _needs(made: list[ast.ClassDef], source: Module) -> Needs:
    defaults, kinds = set[str](), set[str]()
    for each in (each for kind in made for each in kind.body[1:]):
        given: ast.arguments = each.args
        defaults |= _names([*given.defaults, *filter(None, given.kw_defaults)])
        every = [*given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
        kinds |= _names([*(a.annotation for a in every), each.returns])
    used = [source.imports[name] for name in sorted(defaults & {*source.imports})]
    checked = [source.imports[name] for name in sorted((kinds - defaults) & {*source.imports})]
    used += _FACE * any(isinstance(kind.bases[0], ast.Subscript) for kind in made)
    used += _STEPS * any("Steps(" in ast.unparse(kind) for kind in made)
    return Needs(used, checked)


def _names(nodes: list[ast.expr | None]) -> set[str]:
    every = (each for node in nodes if node for each in ast.walk(node))
    return {each.id for each in every if isinstance(each, ast.Name)}


def _imports(home: str, names: list[str]) -> list[ast.stmt]:
    return ast.parse(f"from {home} import {', '.join(names)}").body


def _text(area: str, source: ast.Module, needs: Needs, made: list[ast.ClassDef]) -> str:
    said = (ast.get_docstring(source) or "").replace("`Workspace", "`AsyncWorkspace")
    said = fill(said, 96)
    checked = sorted(needs.checked, key=lambda node: isinstance(node, ast.Assign))
    parts = [
        f'"""{said}"""',
        f"# {_MADE.format(area)}",
        "from __future__ import annotations",
        "from typing import TYPE_CHECKING",
        *map(ast.unparse, needs.used),
        "if TYPE_CHECKING:",
        *(f"    {ast.unparse(each)}" for each in checked),
        *(ast.unparse(ast.fix_missing_locations(each)) for each in made),
    ]
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    texts = pages()
    for file_name, text in texts.items():
        (AIO / file_name).write_text(text, "utf-8")
    written = [str(AIO / name) for name in texts]
    for made_tidy in (["check", "--select", "I,F401", "--fix"], ["format"]):
        subprocess.run(["ruff", *made_tidy, "--quiet", *written], check=True)
    sys.exit()
