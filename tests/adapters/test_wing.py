"""The wing of adapters: found by one table, and gone without a trace."""

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from memwiki import adapter_api
from memwiki.importing import ADAPTERS, adapter, importer_kinds
from tests.source import PACKAGE, nodes_with

ROOT = Path(__file__).parents[2]
WING = PACKAGE / "adapters"
FOLDERS = sorted(path.name for path in WING.iterdir() if (path / "__init__.py").exists())
# Libraries of others are imported once, by what imports everything; then a process of its own for
# each copy, which knows that copy alone, does what every user does.
WITHOUT = """
import os
import sys
from importlib import import_module
from pathlib import Path

NOT_IMPORTED = {  # programs, and the old names of what is in the wing
    "memwiki.__main__", "memwiki.sync.worker", "memwiki.integrations"
}


def import_all(copy):
    sys.path.insert(0, str(copy))
    for path in sorted(Path(copy, "memwiki").rglob("*.py")):
        name = ".".join(path.relative_to(copy).with_suffix("").parts).removesuffix(".__init__")
        if name not in NOT_IMPORTED:
            import_module(name)
    assert Path(sys.modules["memwiki"].__file__).is_relative_to(copy)


def use(copy, gone, root):
    import_all(copy)
    import memwiki
    from memwiki.cli.main import main
    from memwiki.importing import ADAPTERS, adapter
    for name in ADAPTERS:
        is_gone = ADAPTERS[name].startswith(f"memwiki.adapters.{gone}")
        try:
            adapter(name)
        except memwiki.MemwikiError as error:
            assert is_gone and error.message == f"{name}: this memwiki comes without it", name
        else:
            assert not is_gone, name
    ws = memwiki.Workspace.init(root)
    ws.entries.add("Anna prefers green tea.")
    assert [hit.excerpt for hit in ws.search("green tea")]
    assert list(ws.recall("what does Anna drink?"))
    ws.carry.export(Path(root).with_suffix(".zip"))
    assert ws.carry.import_(Path(root).with_suffix(".zip")).unchanged
    sys.exit(main(["--help"]))


whole, copies, *folders = sys.argv[1:]
import_all(Path(whole))
sys.path.remove(whole)
for name in [each for each in sys.modules if each.partition(".")[0] == "memwiki"]:
    del sys.modules[name]
for folder in folders:
    child = os.fork()
    if not child:
        use(Path(copies, folder), folder, Path(copies, f"notes-{folder}"))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code:
        sys.exit(f"without {folder}: {code}")
"""


def without(folder, tmp_path):
    """Make a copy of the package in which a folder of the wing is not."""
    copy = tmp_path / folder / "memwiki"
    # With what is compiled, since compiling it anew takes as long as the rest; not what is being.
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("*.pyc.*"))
    shutil.copytree(ROOT / "workspace-template", copy / "_template")
    shutil.rmtree(copy / "adapters" / folder)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_each_folder_can_go_without_a_trace(tmp_path):
    for folder in FOLDERS:
        without(folder, tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, ROOT, tmp_path, *FOLDERS],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Usage: memwiki") == len(FOLDERS), done.stdout


def test_every_adapter_of_the_table_is_there_and_every_importer_bears_its_kind():
    for name in ADAPTERS:
        assert adapter(name).__name__ == ADAPTERS[name]
    for kind in importer_kinds():
        assert kind == adapter(f"importers/{kind}").KIND


def test_nobody_outside_of_the_wing_imports_from_it():
    importers = {
        path
        for path, node in nodes_with("adapters")
        if any(name.startswith("memwiki.adapters") for name in names_imported(node))
    }
    assert importers
    assert [path for path in importers if not path.is_relative_to(WING)] == []


def names_imported(node):
    if isinstance(node, ast.ImportFrom):
        return {node.module or "", *(f"{node.module}.{each.name}" for each in node.names)}
    return {each.name for each in node.names} if isinstance(node, ast.Import) else set()


def test_the_contract_of_the_wing_forbids_every_room():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (wing,) = (each for each in contracts if each.get("source_modules") == ["memwiki.adapters"])
    rooms = {f"memwiki.{path.stem}" for path in PACKAGE.iterdir() if path.suffix in ("", ".py")}
    allowed = {"adapters", "integrations", "importing", "adapter_api", "__init__", "__main__"}
    rooms -= {f"memwiki.{name}" for name in (*allowed, "__pycache__")}
    assert set(wing["forbidden_modules"]) == rooms


def test_the_building_blocks_are_those_that_type_checkers_see():
    tree = ast.parse(Path(adapter_api.__file__).read_text("utf-8"))
    (block,) = (each for each in tree.body if isinstance(each, ast.If))
    seen = {
        each.asname or each.name: f"{node.module}:{each.name}"
        for node in block.body
        for each in node.names
    }
    rows = {name: f"memwiki.{home}:{own}" for name, (home, own) in adapter_api._ROWS.items()}
    assert rows == seen
    for name, home in rows.items():
        module, _, own = home.partition(":")
        assert getattr(adapter_api, name) is getattr(sys.modules[module], own)


def test_a_building_block_that_nobody_uses_is_not_offered():
    used = {
        each.name
        for _, node in nodes_with("adapter_api", folder=WING)
        if isinstance(node, ast.ImportFrom) and node.module == "memwiki.adapter_api"
        for each in node.names
    }
    assert used == set(adapter_api._ROWS)
