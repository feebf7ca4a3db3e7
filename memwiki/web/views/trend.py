"""How the memory grew, as charts: of the rows that a terminal shows."""

from __future__ import annotations

from starlette.responses import Response

from memwiki.present import as_rows
from memwiki.present.rows import BarChart, Words
from memwiki.web.pages import page
from memwiki.web.site import WebCall

_UNITS = ("week", "month", "year")
_LEADING = {  # to what a bar is about; a type may be several words
    "Pages by type": '/search?q=type:"{}"',
    "Memories by type": "/memories?type={}",
    "Pages by tag": "/search?q=tag:{}",
}


def trend(call: WebCall) -> Response:
    """What was made and recalled in each week, month or year; types and tags."""
    wanted = call.query.get("by", "")
    found = call.workspace.index.trend(wanted if wanted in _UNITS else "")
    rows = list(as_rows(found))
    return page(
        "trend.html",
        call,
        title="Trend",
        units=_UNITS,
        found=found,
        charts=[row for row in rows if isinstance(row, BarChart)],
        notes=[row.text for row in rows if isinstance(row, Words)],
        leading=_LEADING,
    )
