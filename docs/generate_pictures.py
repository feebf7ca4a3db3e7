"""Takes the pictures of docs/pictures/: pages of a made-up vault in the browser, light and dark.

Needs Chromium and the extras `browser` and `web`, and Pillow, which makes the files small.
"""

from __future__ import annotations

import random
import sys
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

sys.path.insert(0, str(Path(__file__).parents[1]))
from memwiki.workspace import Workspace
from tests.browser.chromium import CHROMIUM, QUIET, sync_api
from tests.browser.serving import Served, opened_tab
from tests.browser.vault import write_vault

PICTURES = Path(__file__).parent / "pictures"
COLOURS = 96
TODAY = datetime.now(UTC).date()
BIRDS = {
    "Open water": "Grebe, Coot, Teal, Shoveler, Gadwall, Pochard, Mute swan, Goldeneye",
    "Reed bed": "Bittern, Reed warbler, Water rail, Bearded tit, Marsh harrier, Snipe",
    "Forest": "Jay, Nuthatch, Tawny owl, Treecreeper, Goshawk, Black woodpecker, Firecrest",
    "Coast": "Oystercatcher, Turnstone, Dunlin, Avocet, Common tern, Curlew, Knot",
}
SHOTS = {  # file: address, what has to be there, scheme
    "page.png": ("/p/wiki/heron.md", "#local-graph svg, .local-graph svg", "light"),
    "graph.png": ("/graph", "#graph[data-state=ready]", "light"),
    "review-dark.png": ("/review/{proposal}", ".operations .is-at", "dark"),
    "trend-dark.png": ("/trend", ".chart", "dark"),
}


def write_more(root: Path) -> None:
    """Birds by where they live, and days on which some were seen."""
    chance, every = random.Random(5), []  # noqa: S311 - a vault that is made up
    for home, names in BIRDS.items():
        birds = names.split(", ")
        every += birds
        put(root / f"places/{home}.md", f"# {home}\n\n" + "".join(f"- [[{b}]]\n" for b in birds))
        for bird, other in zip(birds, [*birds[1:], "Heron"], strict=True):
            made = TODAY - timedelta(days=int(180 * chance.random() ** 1.6))
            text = f"Lives at the [[{home}]], often beside the [[{other}]].\n"
            head = (
                f"---\ntype: bird\ncreated: {made}\ntags: [{home.lower().replace(' ', '-')}]\n---"
            )
            put(root / f"birds/{bird}.md", f"{head}\n# {bird}\n\n{text}")
    lines = []
    for week in range(26):
        for day in chance.sample(range(7), chance.randint(0, 3)):
            when = TODAY - timedelta(days=7 * week + day)
            seen = chance.sample(every, 2)
            put(root / f"daily/{when}.md", f"# {when}\n\n- Saw [[{seen[0]}]] and [[{seen[1]}]].\n")
            lines.append(f"- {seen[0]} came {chance.randint(2, 40)} strong. [created:: {when}]\n")
    with (root / "memory.md").open("a", encoding="utf-8") as memory:
        memory.write("\n## Counts\n\n" + "".join(lines))


def put(place: Path, text: str) -> None:
    """Write a page."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


def propose(root: Path) -> str:
    """A proposal that waits; its id."""
    texts = {"A heron nests at the lake.": 2, "The lake is the home of the stork.": 2}
    with Workspace.open(root, find=False) as workspace:
        workspace.sync()
        operations = [
            {"do": "add_entry", "text": text, "type": "fact", "lines": [line]}
            for text, line in texts.items()
        ]
        return workspace.proposals.propose(operations, source="places/lake.md").id


def small(png: bytes) -> bytes:
    """The same picture with few colours, of which these pages have few."""
    out = BytesIO()
    Image.open(BytesIO(png)).convert("RGB").quantize(COLOURS).save(out, "PNG", optimize=True)
    return out.getvalue()


def main() -> None:
    """Take all of them."""
    PICTURES.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        root = Path(folder) / "heron"
        write_vault(root)
        write_more(root)
        proposal = propose(root)
        with Served(root) as served, sync_api.sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET])
            for name, (address, there, scheme) in SHOTS.items():
                size = {"width": 1160, "height": 760}
                with opened_tab(browser, served, viewport=size, color_scheme=scheme) as tab:
                    tab.go(address.format(proposal=proposal))
                    tab.wait(there)
                    tab.page.wait_for_timeout(1_500)
                    (PICTURES / name).write_bytes(small(tab.page.screenshot()))
            browser.close()


if __name__ == "__main__":
    main()
