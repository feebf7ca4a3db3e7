"""A page drawn on a terminal."""

from __future__ import annotations

import re

from memwiki.answers.browsing import PageView
from memwiki.answers.history import PageAt
from memwiki.present import Look, clean

_FRONT_MATTER = re.compile(r"\A\s*---\n.*?\n(?:---|\.\.\.)\n", re.DOTALL)


def show_markdown(view: PageView | PageAt, look: Look, *, note: str = "") -> None:
    """Draw the text of a page, with where it stands above it."""
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(width=look.width, no_color=not look.has_colour, highlight=False)
    place = f"{view.path}:{view.line_start}-{view.line_end}{note}"
    console.print(clean(place), style="dim", markup=False)
    console.print(Markdown(_FRONT_MATTER.sub("", clean(view.text)), hyperlinks=False))
