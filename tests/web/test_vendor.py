"""The bundles of the page: what was committed is what the sources give."""

import gzip
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.effort import for_each

WEB = Path(__file__).parents[2] / "memwiki/web"
VENDOR, BUILT = WEB / "vendor", WEB / "static/vendor"
LIMITS = {  # bytes as sent, compressed
    "sigma.js": 30_000,
    "groups.js": 25_000,
    "force.js": 7_000,
    "edit.js": 150_000,
    "idiomorph.js": 4_500,
}


@pytest.fixture
def packages():
    """What the lock file names, installed."""
    if not shutil.which("node"):
        pytest.skip("there is no Node here")
    if not (VENDOR / "node_modules").is_dir():
        pytest.skip("run `npm ci --ignore-scripts` in memwiki/web/vendor first")


def test_the_types_of_our_scripts_fit(packages):
    done = subprocess.run(["npm", "run", "--silent", "types"], cwd=VENDOR, stdout=subprocess.PIPE)
    assert (done.returncode, done.stdout.decode()) == (0, "")


def test_a_build_gives_the_bytes_that_were_committed(packages, tmp_path):
    subprocess.run(["node", "build.mjs", tmp_path], cwd=VENDOR, check=True)
    built = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert built == {path.name: path.read_bytes() for path in BUILT.iterdir()}


def test_every_bundle_has_its_entry():
    entries = {f"{path.stem}.js" for path in (VENDOR / "entries").glob("*.ts")}
    assert {path.name for path in BUILT.glob("*.js")} == entries


def test_every_package_of_the_lock_file_is_free_and_names_no_registry():
    packages = json.loads((VENDOR / "package-lock.json").read_text("utf-8"))["packages"]
    others = {name: each for name, each in packages.items() if name}
    bundled = {each["license"] for name, each in others.items() if not name.endswith("typescript")}
    assert bundled <= {"ISC", "MIT", "0BSD", "BSD-3-Clause"}
    assert not [name for name, each in others.items() if "resolved" in each]
    assert not [name for name, each in others.items() if "integrity" not in each]


def test_the_licences_name_what_is_bundled():
    text = (BUILT / "LICENSES.txt").read_text("utf-8")
    for name in json.loads((VENDOR / "package.json").read_text("utf-8"))["devDependencies"]:
        assert f"\n{name} " in text or name in ("esbuild", "typescript")


@for_each("name", LIMITS)
def test_a_bundle_is_no_heavier_than_was_decided(name):
    assert len(gzip.compress((BUILT / name).read_bytes())) <= LIMITS[name]
