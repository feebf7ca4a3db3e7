"""What a tab is told that comes, goes, or was drawn before anybody followed."""

from __future__ import annotations

import asyncio
import json
from contextlib import nullcontext

import pytest

pytest.importorskip("starlette")

from memwiki.answers.index import Followed, FollowedState, WatcherState
from memwiki.web.site import Events

FRESH = FollowedState(WatcherState.WATCHING, fresh=True)


class Followable:
    """A workspace whose changes a test tells."""

    times = 0

    def follow(self, tell, *, only_looking):
        self.tell, self.times = tell, self.times + 1
        return nullcontext()


async def started():
    space, events = Followable(), Events(is_read_only=False)
    events.start()
    for _ in range(2):  # two pages
        events.follow(space)
    await asyncio.sleep(0)
    await events._starting
    return events, space


async def told(space, *changed):
    space.tell(Followed(FRESH, changed))
    await asyncio.sleep(0)


async def first_of(events, since):
    """The changes that a tab is told first; None where it is told of its state alone."""
    stream = events.stream(since)
    await anext(stream)
    text = await anext(stream)
    await stream.aclose()
    lines = text.splitlines()
    if "event: changed" not in lines:
        return None
    return json.loads(lines[lines.index("event: changed") + 1].removeprefix("data: "))


MANY = {"paths": [], "many": True}


def test_it_is_followed_once_and_not_after_the_end():
    async def run():
        events, space = await started()
        assert space.times == 1
        await events.close()
        late, space = Events(is_read_only=False), Followable()
        late.start()
        await late.close()
        late.follow(space)
        await asyncio.sleep(0)
        assert not space.times

    asyncio.run(run())


def test_a_page_drawn_before_anybody_followed_is_looked_at_again():
    async def run():
        events, space = await started()
        mark = events.mark
        await told(space)  # the first look of who follows: it cannot know what was before
        assert await first_of(events, mark) == MANY
        assert await first_of(events, events.mark) is None
        await events.close()

    asyncio.run(run())


def test_what_changes_between_a_page_and_its_events_is_told():
    async def run():
        events, space = await started()
        await told(space)
        mark = events.mark
        await told(space, "wiki/tea.md")
        assert await first_of(events, mark) == MANY
        mark = events.mark
        await told(space)  # a state that is no change
        assert events.mark == mark
        await events.close()

    asyncio.run(run())


def test_a_page_of_a_server_that_ended_is_looked_at_again():
    async def run():
        (before, _), (now, space) = await started(), await started()
        await told(space)
        assert await first_of(now, before.mark) == MANY
        assert await first_of(now, "") == MANY
        for each in (before, now):
            await each.close()

    asyncio.run(run())


def test_an_open_tab_is_told_the_names():
    async def run():
        events, space = await started()
        await told(space)
        stream = events.stream(events.mark)
        await anext(stream), await anext(stream)  # the time to wait before it asks again, the state
        waiting = asyncio.create_task(anext(stream))
        await asyncio.sleep(0)
        await told(space, "wiki/tea.md")
        assert '{"paths": ["wiki/tea.md"], "many": false}' in await waiting
        await stream.aclose()
        await events.close()

    asyncio.run(run())


def test_nobody_watches_before_the_first_page_is_made(visit, put):
    put("tea.md", "# Tea\n")
    with visit() as visitor:
        events = visitor.site.events
        assert visitor.get("/static/0/app.css").status_code == 200
        assert events._starting is None
        visitor.get("/p/tea.md")
        assert events._starting
