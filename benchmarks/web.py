"""What the page of `memwiki web` costs, on copies of folders: python benchmarks/web.py VAULT...

With `--together SECONDS` two tabs, an editor and `append` write one page so long, and each line
that was saved has to be there, whole and once; with `--hostile COUNT` so many pages of hostile
pieces are drawn, and another parser looks for what is off the list. With `--links COUNT` so many
pages of each vault are drawn instead, and what they link to is compared with what the index says.

Times are CPU of the server in milliseconds, of all its threads, but for what a person waits for in
a browser, which is by the clock. Needs Chromium for that part, which is left out without it.

The bounds are of a machine on which `python -c pass` takes 12 ms. It is run before and after, and
each time is compared as it would be there.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from html import unescape
from pathlib import Path
from urllib.parse import quote

from measure import PASS, cpu_s, in_turn

sys.path.insert(0, str(Path(__file__).parents[1]))
from memwiki.workspace import Workspace
from tests.browser.chromium import CHROMIUM, Chromium, sync_api
from tests.browser.serving import Served, opened_tab
from tests.browser.together import LOG, written_together

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # compiling all modules is no part of a start
PAGES, TYPED, EDITS = 150, 150, 40
TABS = 8  # the first of them begins a second thread that reads, which takes 3 MB once
_OUTSIDE = re.compile(r"[\w.+-]+:|//|#|/search\?q=")  # tags and notes, and what no page holds
_SHOWN = "text => document.getElementById('main').innerText.includes(text)"
BOUNDS = {
    "start to first byte, CPU ms": 700,
    "page, first byte p95, CPU ms": 25,
    "suggest p95, CPU ms": 15,
    "page cold with assets, kB": 60,
    "page warm without text, kB": 12,
    "memory, MB": 90,
    "memory of one more tab, MB": 2,
    "edit outside seen in the tab p95, ms": 500,
    "graph ready, browser and server CPU s": 4.1,
}
OF_TIME = "ms", "CPU s"  # how the names of times end
PASS_MS = 12  # of the machine that the bounds are of
LARGE = 20_000  # pages, from which on other bounds hold
BOUNDS_OF_LARGE = BOUNDS | {"suggest p95, CPU ms": 60, "graph ready, browser and server CPU s": 15}


def cpu_ms(pid: int) -> float:
    """What all threads of a process have used; those that ended are in the sum of the process."""
    spent = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        spent += int((task / "schedstat").read_text().split()[0])
    return spent / 1e6


def pass_ms() -> float:
    """What the least that Python does takes here."""
    return cpu_s(in_turn({"pass": PASS}, os.environ, 9)["pass"]) * 1000


def memory_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def p95(numbers: Sequence[float]) -> float:
    return statistics.quantiles(numbers, n=20)[-1] if len(numbers) > 1 else numbers[0]


class Asker:
    """A client that has the key, over one connection."""

    def __init__(self, served: Served) -> None:
        host = served.base.removeprefix("http://")
        self.origin = {"origin": served.base, "sec-fetch-site": "same-origin"}
        self.connection = http.client.HTTPConnection(host)
        self.cookie = ""
        key = served.entrance.partition("#key=")[2]
        headers = self.origin | {"content-type": "application/json"}
        self.connection.request("POST", "/session", json.dumps({"key": key}), headers)
        answer = self.connection.getresponse()
        self.cookie = answer.headers["set-cookie"].partition(";")[0]
        answer.read()

    def get(self, address: str, pid: int) -> tuple[float, float]:
        """CPU of the server when it began, and when the first bytes of the text were there."""
        headers = self.origin | {"cookie": self.cookie, "accept-encoding": "gzip"}
        began = cpu_ms(pid)
        self.connection.request("GET", address, headers=headers)
        answer = self.connection.getresponse()
        answer.read(1)
        first = cpu_ms(pid)
        answer.read()
        assert answer.status in (200, 302), (address, answer.status)
        return first - began, cpu_ms(pid) - began


def asked_ms(served: Served, asker: Asker, addresses: list[str]) -> list[tuple[float, float]]:
    """Until the first byte, and until the last one."""
    return [asker.get(address, served.process.pid) for address in addresses]


def measured(root: Path, cache: Path) -> dict[str, float]:
    with Workspace.open(
        root, find=False, environ=os.environ | {"MEMWIKI_CACHE_DIR": str(cache)}
    ) as w:
        w.sync()
        paths = sorted(w.pages.digests())
    chance = random.Random(1)
    found: dict[str, float] = {"pages": len(paths)}
    with Served(root, cache=cache) as served:
        # Who waits for the first byte is to see it before the server goes on with the rest.
        os.setpriority(os.PRIO_PROCESS, served.process.pid, 10)
        asker = Asker(served)
        asked_ms(served, asker, ["/p/" + quote(paths[0])])
        found["start to first byte, CPU ms"] = cpu_ms(served.process.pid)
        time.sleep(4)  # until the watcher has walked
        asker = Asker(served)
        pages = ["/p/" + quote(path) for path in chance.choices(paths, k=PAGES)]
        asked_ms(served, asker, pages[:10])
        first, whole = zip(*asked_ms(served, asker, pages[10:]), strict=True)
        found["page, first byte p95, CPU ms"] = p95(first)
        found["page, last byte p95, CPU ms"] = p95(whole)
        stems = [Path(path).stem for path in chance.choices(paths, k=TYPED)]
        typed = [f"/api/suggest?q={quote(stem[: chance.randint(2, 6)])}" for stem in stems]
        asked_ms(served, asker, typed[:5])
        found["suggest p95, CPU ms"] = p95([last for _, last in asked_ms(served, asker, typed[5:])])
        found["memory, MB"] = memory_mb(served.process.pid)
        if CHROMIUM:
            found |= in_browser(served, root, paths)
    return found


def in_browser(served: Served, root: Path, paths: list[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    with (
        sync_api.sync_playwright() as playwright,
        Chromium(playwright) as browser,
        opened_tab(browser, served) as tab,
    ):
        found |= sizes(tab, paths)
        found["edit outside seen in the tab p95, ms"] = p95(seen_ms(tab, root))
        before = memory_mb(served.process.pid)
        with ExitStack() as tabs:
            for _ in range(TABS):
                tabs.enter_context(opened_tab(browser, served))
            found["memory of one more tab, MB"] = (memory_mb(served.process.pid) - before) / TABS
        found |= graph(tab, served)
    return found


def sizes(tab, paths: list[str]) -> dict[str, float]:
    """Bytes as they come over the wire."""
    session, sent = tab.page.context.new_cdp_session(tab.page), []
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda each: sent.append(each["encodedDataLength"]))
    session.send("Network.clearBrowserCache")
    small = min(paths[:200], key=lambda path: (tab.served.root / path).stat().st_size)
    tab.go(f"/p/{small}")
    tab.page.wait_for_timeout(500)
    cold = sum(sent)
    sent.clear()
    tab.go(f"/p/{small}")
    tab.page.wait_for_timeout(500)
    session.detach()
    return {
        "page cold with assets, kB": cold / 1000,
        "page warm without text, kB": sum(sent) / 1000,
    }


def seen_ms(tab, root: Path) -> list[float]:
    place, found = root / "zz-followed.md", []
    place.write_text("# Followed\n\nnumber none\n")
    tab.page.wait_for_timeout(2_000)
    tab.go("/p/zz-followed.md")
    for number in range(EDITS):
        began = time.monotonic()
        place.write_text(f"# Followed\n\nnumber {number}!\n")
        # Every frame; waiting for a selector looks ever less often, up to half a second.
        tab.page.wait_for_function(_SHOWN, arg=f"number {number}!")
        found.append((time.monotonic() - began) * 1000)
        tab.page.wait_for_timeout(random.Random(number).randint(50, 700))
    return found


def graph(tab, served: Served) -> dict[str, float]:
    """CPU until the picture stands, of the browser's page and of the server."""
    if tab.page.request.get(served.address("/graph")).status != 200:
        return {}
    session = tab.page.context.new_cdp_session(tab.page)
    session.send("Performance.enable")
    before = cpu_ms(served.process.pid)
    tab.go("/graph")
    tab.wait('[data-state="ready"]', state="attached", timeout=60_000)
    metrics = session.send("Performance.getMetrics")["metrics"]
    browser = next(each["value"] for each in metrics if each["name"] == "TaskDuration")
    server = (cpu_ms(served.process.pid) - before) / 1000
    return {"graph ready, browser and server CPU s": browser + server}


def show(name: str, found: dict[str, float], pass_ms: float) -> None:
    """What was measured, and what it would be where the bounds are from."""
    pages = found.pop("pages")
    bounds = BOUNDS_OF_LARGE if pages > LARGE else BOUNDS
    print(f"\n{name}: {pages:,.0f} pages; python -c pass takes {pass_ms:.1f} ms")
    for what, value in found.items():
        there = value * PASS_MS / pass_ms if what.endswith(OF_TIME) else value
        bound = bounds.get(what, 0)
        against = f"bound {bound:6}  {'OVER' if there > bound else ''}" if bound else ""
        print(f"  {what:42} {value:9.1f} {there:9.1f}  {against}")


def together(seconds: float) -> int:
    """Lines that were lost."""
    with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="memwiki-web.") as folder:
        root = Path(folder) / "log"
        (root / ".memwiki").mkdir(parents=True)
        (root / "log.md").write_text(LOG)
        with (
            sync_api.sync_playwright() as playwright,
            Chromium(playwright) as browser,
            Served(root) as served,
            opened_tab(browser, served) as one,
            opened_tab(browser, served) as two,
        ):
            saved, missing = written_together(served, [one, two], seconds=seconds)
    print(f"{len(saved)} lines saved in {seconds:.0f} s, {len(missing)} lost", *sorted(missing))
    return len(missing)


def hostile(count: int) -> int:
    """Pages that held something off the list."""
    from tests.web.test_hostile_pages import mixtures, off_the_list

    with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="memwiki-web.") as folder:
        root = Path(folder)
        (root / ".memwiki").mkdir()
        (root / "page.md").write_text("# Page\n")
        (root / "water.md").write_text("# Water\n")
        with Workspace.open(root, find=False) as workspace:
            bad = [text for text in mixtures(workspace, count) if off_the_list(text)]
    print(f"{count} hostile pages, {len(bad)} with something off the list", *bad[:3], sep="\n")
    return len(bad)


def links(root: Path, count: int) -> None:
    """How many links of the index are not drawn, and how many are drawn that it does not know."""
    from memwiki.web.markdown import anchor_of, draw

    with Workspace.open(root, find=False) as workspace, workspace.one_sweep():
        paths = sorted(workspace.pages.digests())
        total, missing, unknown = 0, list[str](), list[str]()
        for path in paths[:: max(1, len(paths) // count)]:
            page = workspace.pages.drawing(path)
            text = page.text
            spans = (s for s in page.links if text.count("\n", 0, s.start) + 1 >= page.body_line)
            indexed = {anchor_of(span).href for span in spans} - {""}
            html = str(draw(page, lambda *_: None))
            drawn = {unescape(each) for each in re.findall('(?:href|src)="([^"]*)"', html)}
            indexed = {each for each in indexed if not _OUTSIDE.match(each)}
            drawn = {each for each in drawn if not _OUTSIDE.match(each)}
            total += len(indexed)
            missing += [f"{path}: {each}" for each in sorted(indexed - drawn)]
            unknown += [f"{path}: {each}" for each in sorted(drawn - indexed)]
    print(f"{root.name}: {total} links, {len(missing)} not drawn, {len(unknown)} unknown")
    print(*missing[:5], *unknown[:5], sep="\n")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("vaults", nargs="*", metavar="VAULT")
    options.add_argument("--together", type=float, default=0, metavar="SECONDS")
    options.add_argument("--hostile", type=int, default=0, metavar="COUNT")
    options.add_argument("--links", type=int, default=0, metavar="COUNT")
    asked = options.parse_args()
    for name in asked.vaults:
        with tempfile.TemporaryDirectory(dir="/dev/shm", prefix="memwiki-web.") as folder:
            root = Path(folder) / Path(name).name
            shutil.copytree(name, root, symlinks=True)
            (root / ".memwiki").mkdir(exist_ok=True)
            if asked.links:
                links(root, asked.links)
                continue
            before = pass_ms()
            found = measured(root, Path(folder) / "cache")
            show(name, found, (before + pass_ms()) / 2)
    lost = together(asked.together) if asked.together else 0
    bad = hostile(asked.hostile) if asked.hostile else 0
    sys.exit(1 if lost or bad else 0)


if __name__ == "__main__":
    main()
