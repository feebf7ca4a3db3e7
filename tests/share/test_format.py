"""Another format of the tables is fed beside the one that readers are in the middle of."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("psycopg")

import psycopg

from memwiki.cli.main import main
from memwiki.errors import SharedIndexError
from memwiki.index.storage_postgres import SCHEMA
from memwiki.workspace import shared

NEW = "memwiki_99"
# memwiki as it will be: the same, but for the name of its tables.
RUN = f"""
import sys
from importlib.util import find_spec, module_from_spec
name = "memwiki.index.storage_postgres"
spec = find_spec(name)
text = open(spec.origin, encoding="utf-8").read().replace('"{SCHEMA}"', '"{NEW}"')
module = sys.modules[name] = module_from_spec(spec)
exec(compile(text, spec.origin, "exec"), module.__dict__)
from memwiki.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def by_the_next_version(*given: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", RUN, *given], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def schemas(address: str) -> set[str]:
    with psycopg.connect(address) as db:
        found = db.execute("select nspname from pg_namespace where nspname like 'memwiki%'")
        return {name.partition("_keyword")[0].partition("_vectors")[0] for (name,) in found}


@pytest.fixture
def by_this_version(put, ws, root, address) -> None:
    """Fed by this version."""
    put("heron.md", "A heron.\n")
    ws.share.feed("ws", texts=True)


def drop(address: str) -> None:
    with psycopg.connect(address, autocommit=True) as db:
        for schema in (SCHEMA, f"{SCHEMA}_keyword", f"{SCHEMA}_vectors"):
            db.execute(f"drop schema {schema} cascade")


@pytest.mark.usefixtures("by_this_version")
def test_readers_of_each_version_go_on_beside_each_other(put, root, address, tmp_path):
    with shared.open_shared("ws", tmp_path) as reader:
        assert [hit.path for hit in reader.search("heron").hits] == ["heron.md"]
        put("stork.md", "A stork knows the heron.\n")
        by_the_next_version("-C", str(root), "share", "feed", "ws", "--texts")
        assert schemas(address) == {SCHEMA, NEW}
        found = reader.search("heron")
        assert [hit.path for hit in found.hits] == ["heron.md"]
        assert (found.fresh, found.reason) == (False, "nobody feeds the shared index now")
        said = by_the_next_version("-C", str(tmp_path), "--shared", "ws", "search", "stork")
        assert "stork.md" in said


@pytest.mark.usefixtures("by_this_version")
def test_where_the_tables_of_a_version_are_dropped_its_readers_say_so(address, tmp_path):
    with shared.open_shared("ws", tmp_path) as reader:
        reader.search("heron")
        drop(address)
        with pytest.raises(SharedIndexError, match="there is none of this version") as error:
            reader.search("heron")
        assert error.value.hint == "memwiki share feed"


@pytest.mark.usefixtures("by_this_version")
def test_who_has_the_files_goes_on_with_these(address, root, put, capsys):
    put("stork.md", "A stork knows the heron.\n")
    with shared.open_shared("ws", root) as reader:
        assert len(reader.search("heron").hits) == 1
        drop(address)
        found = reader.search("heron")
        assert len(found.hits) == 2
        assert (
            "there is none of this version; the answer comes from the index of ws" in found.reason
        )
    assert main(["-C", str(root), "--shared", "ws", "search", "stork"]) == 0
    assert "stork.md" in capsys.readouterr().out
