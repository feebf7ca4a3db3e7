"""What a person gets who installs memwiki: the wheel in a clean environment."""

import json
import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

import memwiki
from memwiki.digest import digest_of, md5

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
TEMPLATE = {
    path.relative_to(ROOT / "workspace-template").as_posix()
    for path in (ROOT / "workspace-template").rglob("*")
    if path.is_file()
}


def run(*command, **options):
    return subprocess.run(
        list(map(str, command)), check=True, capture_output=True, text=True, **options
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built from the sources as they are."""
    folder = tmp_path_factory.mktemp("dist")
    # The builder is in the environment of the tests already: no download, no isolation.
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    (path,) = folder.glob("*.whl")
    return path


@pytest.fixture
def installed(wheel, tmp_path_factory):
    """The bin folder of an environment that holds nothing but memwiki and what it needs."""
    folder = tmp_path_factory.mktemp("clean") / "venv"
    venv.create(folder, with_pip=False)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    pip = (sys.executable, "-m", "pip", "--python", scripts / "python")
    run(*pip, "install", "-q", "--disable-pip-version-check", wheel)
    return scripts


@pytest.fixture
def outside(tmp_path, monkeypatch):
    """A folder far from the sources, which must not be what is tested."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    monkeypatch.setenv("MEMWIKI_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_version_is_the_same_everywhere():
    assert PROJECT["version"] == memwiki.__version__


def test_the_public_names_are_those_and_load_when_asked_for():
    assert set(memwiki.__all__) <= set(dir(memwiki))
    assert all(getattr(memwiki, name) for name in memwiki.__all__)
    assert memwiki.Hit.__module__ == "memwiki.nouns"
    assert issubclass(memwiki.MemwikiError, Exception)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        memwiki.nothing


def test_the_wheel_holds_the_template_the_licence_and_no_tests(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"memwiki/_template/{name}" for name in TEMPLATE} <= names
    assert any(name.endswith("LICENSE") for name in names)
    assert "memwiki/py.typed" in names
    assert not {name for name in names if name.startswith(("tests", "docs", "benchmarks"))}


def test_the_command_runs_where_only_memwiki_is_installed(installed, outside):
    """One test, so that one worker alone makes the environment."""
    assert run(installed / "memwiki", "--version").stdout == f"memwiki {memwiki.__version__}\n"
    require_the_template(installed, outside)
    found = run(installed / "memwiki", "-C", "notes", "search", "Start here", "--json").stdout
    answer = json.loads(found)
    assert answer["hits"][0]["path"] == "wiki/start-here.md"
    assert answer["fresh"] is True
    require_no_extras(installed)


def require_the_template(installed, outside):
    report = json.loads(run(installed / "memwiki", "init", "notes", "--json").stdout)
    english = {name for name in TEMPLATE if not name.startswith("zh/")}
    assert set(report["created"]) == english
    run(installed / "memwiki", "init", "chinese", "--lang", "zh")
    for name in english:
        written = ROOT / "workspace-template" / name
        translated = ROOT / "workspace-template" / "zh" / name
        assert (outside / "notes" / name).read_bytes() == written.read_bytes()
        own = translated if translated.exists() else written
        assert (outside / "chinese" / name).read_bytes() == own.read_bytes()


def require_no_extras(installed):
    listing = "from importlib.metadata import distributions as d; print(*(e.name for e in d()))"
    names = {name.lower() for name in run(installed / "python", "-c", listing).stdout.split()}
    assert "memwiki" in names
    assert not names & {
        "pytest",
        "hypothesis",
        "ruff",
        "mypy",
        "coverage",
        "build",
        "networkx",
        "pydantic",
    }
    assert len(names - {"pip", "setuptools", "memwiki"}) <= 16


def test_a_python_without_the_accelerators_names_bytes_alike():
    code = (
        "import sys; sys.modules.update(_md5=None)\n"
        "from memwiki.digest import digest_of, md5\n"
        "print('hashlib' in sys.modules, digest_of(b'tea'), md5(b'tea').hexdigest())"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["True", digest_of(b"tea"), md5(b"tea").hexdigest()]
