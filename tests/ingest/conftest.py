"""A small wiki, and a source that adds to it."""

from __future__ import annotations

import json

import pytest

from tests.proposals.conftest import SETTINGS

PAGES = (
    SETTINGS
    + """
--- wiki/boiler.md ---
---
title: Gas boiler
type: concept
description: Burns gas for heat.
tags: [heating]
---
# Gas boiler

A gas boiler burns gas, and heats a house cheaper than a heat pump does.

## Costs

A gas boiler costs 3000 euros.

Back to [[wiki/school]].
--- wiki/school.md ---
---
title: School
type: concept
description: Where Anna teaches.
---
# School

The school has a [[wiki/boiler]].
"""
)
SOURCE = """# Heat pumps in old houses

A heat pump moves heat from outside into a house.
In a field study of 2024, 40 old houses were measured.
The pumps gave three times the heat that they took in current.

A gas boiler cost 4000 euros in 2024.
A heat pump heats a house cheaper than a gas boiler does.
"""
STUDY = {"lines": [3], "text": "A field study of 2024 measured 40 old houses."}
MOVES = {"lines": [2], "text": "A heat pump moves heat from outside into a house."}
COSTS = {"lines": [5], "text": "A gas boiler cost 4000 euros in 2024."}
CHEAPER = {"lines": [6], "text": "A heat pump heats a house cheaper than a gas boiler does."}
LIE = {"lines": [3], "text": "Siemens measured 97 new houses in 1999."}


@pytest.fixture
def space(opened, write_blocks):
    write_blocks(PAGES)
    return opened()


@pytest.fixture
def kept(space):
    return space.curation.keep(SOURCE.encode(), "heat pumps.md", resource="https://example.org/hp")


@pytest.fixture
def asked(space):
    """Hand a source over; the numbers of the pages that its brief shows, and who takes the
    reply."""

    def ask(kept):
        brief = space.curation.ingest_brief(kept.text)
        listed = brief.text.partition("Pages that are there:\n")[2].partition("\n</list-")[0]
        rows = dict(line.split(" ", 1) for line in listed.split("\n"))
        numbers = {row.split(" | ")[0]: int(number) for number, row in rows.items()}

        def reply(*claims, **more):
            said = json.dumps({"claims": list(claims), **more})
            return space.curation.reply(brief.id, said, model="claude")

        return brief, numbers, reply

    return ask
