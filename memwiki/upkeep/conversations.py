"""The conversations of a workspace: how old each is and of what value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from memwiki.dates import date_in, iso_date
from memwiki.errors import MemwikiError
from memwiki.facts.category import CONVERSATION
from memwiki.facts.usage import age_days, days_since, mean_score
from memwiki.facts.value import value_of
from memwiki.files.read import read
from memwiki.files.usage_lines import PAGE, Subject, Sum
from memwiki.markdown.describe import inner_path, is_in
from memwiki.markdown.fields import first_text
from memwiki.markdown.frontmatter import load
from memwiki.markdown.text import decode
from memwiki.names import stem_of
from memwiki.sync.reading import Reading
from memwiki.upkeep.retention import rule_of
from memwiki.upkeep.work import Conversation

_MESSAGE = re.compile(rb"^### (\d{4}-\d\d-\d\d)", re.MULTILINE)
_HEAD = 65_536  # bytes, more than front matter has
_DATES = ("ended", "updated", "started", "created")


def conversations(view: Reading, used: Callable[[Subject], Sum]) -> Iterator[Conversation]:
    """The files below the folder of sessions; none where all are kept anyway."""
    context = view.context
    folder = context.layers.sessions
    is_asked = bool(folder) and rule_of(CONVERSATION, context.config).is_on
    for path in view.lookup.all_paths() if is_asked else ():
        if not (view.scope.sees(path) and is_in(inner_path(path, context.layers), folder)):
            continue
        try:
            data = read(context.root, path, context.max_bytes)[0]
        except MemwikiError:
            continue
        yield _conversation(path, day_of_session(path, data), view, used(Subject(PAGE, path)))


def _conversation(path: str, day: str, view: Reading, held: Sum) -> Conversation:
    now, weights = view.context.clock(), view.context.config.memory.value_weights
    days = days_since(held, day, "", now)
    value = value_of(held.recalls, mean_score(held), days, weights)
    return Conversation(path, age_days(day, "", now), round(value, 4))


def day_of_session(path: str, data: bytes) -> str:
    """The last day that a conversation says of itself, "" when it says none."""
    head = decode(path, data[:_HEAD]).text.replace("\r\n", "\n").split("\n")
    fields = load(path, head).front_matter.fields
    said = [iso_date(first_text(fields.get(name, "")))[:10] for name in _DATES]
    said += [iso_date(day.decode()) for day in _MESSAGE.findall(data)[-1:]]
    return max([*said, date_in(stem_of(path))])
