"""A page drawn on a terminal."""

from __future__ import annotations

import re

from memwiki.answers.history import PageAt
from memwiki.answers.pages import PageView
from memwiki.cli import output
from memwiki.present import Look, clean

_FRONT_MATTER = re.compile(r"\A\s*---\n.*?\n(?:---|\.\.\.)\n", re.DOTALL)


def show_markdown(view: PageView | PageAt, look: Look, *, note: str = "") -> None:
    """Draw the text of a page, with where it stands above it."""
    from rich.console import Console
    from rich.markdown import Markdown

    # Without colours it is no terminal to rich: it would write bold all the same, and take a dumb
    # terminal for one of 80 columns.
    console = Console(width=look.width, force_terminal=look.has_colour, highlight=False)
    place = f"{view.path}:{view.line_start}-{view.line_end}{note}"
    with console.capture() as drawn:
        console.print(clean(place), style="dim", markup=False, soft_wrap=True)
        console.print(Markdown(_FRONT_MATTER.sub("", clean(view.text)), hyperlinks=False))
    output.show(re.sub(r"(?<! ) +$", "", drawn.get().rstrip("\n"), flags=re.MULTILINE))
