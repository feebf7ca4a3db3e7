"""Two tabs, an editor and a command that write one page at once, each in its own part of it."""

from __future__ import annotations

import random
import threading
import time
from collections import Counter

LOG = "# Log\n\n## Tabs\n\n## Editor\n\n## Commands\n\nend\n"


def written_together(served, tabs, *, seconds, seed=7):
    """The lines that were saved in that time, and those of them that do not stand there at the end,
    or twice."""
    place, saved, chance = served.root / "log.md", set(), random.Random(seed)
    for tab in tabs:
        edit(tab, "log.md")
    is_over = threading.Event()

    def command():
        number = 0
        while not is_over.is_set():
            served.run("append", "log.md", f"- command {number}", "--section", "Commands")
            saved.add(f"- command {number}")
            number += 1

    writer = threading.Thread(target=command)
    writer.start()
    number, until = 0, time.monotonic() + seconds
    while time.monotonic() < until:
        for name, tab in zip("ab", tabs, strict=True):
            saved.add(write_line(tab, f"tab {name} {number}", down=chance.choice((3, 4))))
        if chance.random() < 0.5:
            saved.add(write_outside(place, f"editor {number}"))
        number += 1
    is_over.set()
    writer.join()
    for tab in tabs:
        settle(tab)
    return saved, missing(saved, place.read_text("utf-8").split("\n"))


def missing(saved, lines):
    """Those of the saved lines that do not stand there whole, exactly once."""
    found = Counter(lines)
    return {each for each in saved if found[each] != 1}


def edit(tab, path):
    tab.go(f"/edit/{path}")
    tab.page.focus(".cm-content")


def write_outside(place, line):
    """As an editor that knows no lock, and looks whether the file is still the one that it read."""
    for _ in range(100):
        text = place.read_text("utf-8")
        other = place.with_name(".log.md.swp")
        other.write_text(text.replace("## Editor\n", f"## Editor\n{line}\n"), "utf-8")
        if place.read_text("utf-8") == text:
            other.replace(place)
            return line
    raise AssertionError("the file never rests")


def write_line(tab, line, *, down):
    """Write a line below a heading, and save."""
    if tab.page.is_visible("#compare h2"):
        tab.page.get_by_role("button", name="Save this").click()
        tab.wait("#source .cm-content")
    tab.page.focus("#source .cm-content")
    tab.page.keyboard.press("Control+Home")
    for _ in range(down):
        tab.page.keyboard.press("ArrowDown")
    tab.page.keyboard.press("Home")
    tab.page.keyboard.type(f"{line}\n")
    tab.page.keyboard.press("Control+s")
    return line


def settle(tab):
    """Save what is left, comparing where the same lines changed."""
    for _ in range(40):
        tab.page.wait_for_timeout(150)
        if tab.page.is_visible("#compare h2"):
            tab.page.get_by_role("button", name="Save this").click()
        elif tab.text("#saved") == "not saved":
            tab.page.keyboard.press("Control+s")
        elif tab.text("#saved").startswith(("saved", "changed")) or not tab.text("#saved"):
            return
