"""Folders of markdown that no public vault is large enough for, made the same at every run."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

_BESIDE = 11  # pages of a folder besides its README
_WORDS = (
    "amber basin cedar delta ember fjord grove haven inlet jetty knoll ledge marsh north ochre"
    " pier quartz ridge shoal tarn upland vale willow yard"
).split()


def make_linked(root: Path, pages: int = 48_000, links: int = 755_000) -> None:
    """A tree of folders, each with a README.md that its pages link to, and so many links in all."""
    chance = random.Random(48)
    folders = [f"{_name(i // 400)}/{_name(i // 20)}/{_name(i)}" for i in range(pages // 12)]
    each = links / pages
    for number, folder in enumerate(folders):
        place = root / folder
        place.mkdir(parents=True, exist_ok=True)
        for page in range(_BESIDE + 1):
            count = int(each * (number * 12 + page + 1)) - int(each * (number * 12 + page))
            title, name = _page(folder, page)
            lines = [f"# {title}", "", *_links(chance, folders, number, count)]
            (place / name).write_text("\n\n".join(lines) + "\n", encoding="utf-8")


def _name(number: int) -> str:
    return f"{_WORDS[number % len(_WORDS)]}-{number}"


def _page(folder: str, page: int) -> tuple[str, str]:
    name = folder.rpartition("/")[2]
    return (
        (f"About {name}", "README.md")
        if page == 0
        else (f"{name} part {page}", f"{page}-{name}.md")
    )


def _links(chance: random.Random, folders: list[str], here: int, count: int) -> Iterator[str]:
    """Sentences with a link each, of the kinds that there are: most lead near, some to no page."""
    for number in range(count):
        words = " ".join(chance.choices(_WORDS, k=6))
        there = folders[chance.randrange(len(folders)) if number % 3 == 0 else here]
        page = chance.randrange(_BESIDE + 1)
        title, name = _page(there, page)
        kind = number % 7
        if number == 0:
            yield f"See the [overview](README.md) of {words}."
        elif kind == 1:
            yield f"The [[{title}]] has {words}."
        elif kind == 2 and page:
            yield f"The [[{name.removesuffix('.md')}|{words}]] follows."
        elif kind == 3:
            yield f"As [said](/{there}/{name}) of {words}."
        elif kind == 4:
            yield f"The [[{there}/{name.removesuffix('.md')}#Part]] is {words}."
        elif kind == 5 and not page:
            yield f"Nobody wrote of [[{chance.choice(_WORDS)} {here}]] and {words}."
        elif there == folders[here]:
            yield f"Beside it is [{words}]({name})."
        else:
            yield f"In [[{there}/{name.removesuffix('.md')}]] are {words}."
