"""Histories of LangChain and of the OpenAI Agents SDK are sessions, and come back equal."""

from __future__ import annotations

import asyncio
import warnings
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memwiki.adapters.frameworks.bridge import split_block, with_block
from memwiki.adapters.frameworks.langchain_memory import chat_history
from memwiki.adapters.frameworks.openai_agents_memory import session
from memwiki.workspace import Workspace

TEXTS = st.text() | st.sampled_from(["", "```json exact\n{}\n```", "x\n\n", "### user", "\ud800"])
EXTRA = st.dictionaries(TEXTS, st.none() | st.booleans() | st.integers() | TEXTS, max_size=2)
SHARED = settings(max_examples=6, suppress_health_check=list(HealthCheck))
NUMBERS = count()


@given(TEXTS, EXTRA | st.lists(st.integers(), max_size=2))
def test_a_text_and_what_stands_behind_it_come_apart_again(text, rest):
    got = split_block(with_block(text, rest))
    assert got[0] == text
    assert got[1] == rest or not (got[1] or rest)


def messages_of_langchain():
    from langchain_core import messages as m

    calls = st.lists(
        st.builds(lambda a: {"name": "f", "args": a, "id": "c", "type": "tool_call"}, EXTRA),
        max_size=2,
    )
    parts = TEXTS | st.lists(st.builds(lambda t: {"type": "text", "text": t}, TEXTS), max_size=2)
    names = st.none() | st.just("Anna")
    return st.lists(
        st.builds(m.HumanMessage, content=parts, additional_kwargs=EXTRA, name=names)
        | st.builds(m.AIMessage, content=parts, tool_calls=calls, id=names)
        | st.builds(m.ToolMessage, content=TEXTS, tool_call_id=TEXTS, artifact=EXTRA)
        | st.builds(m.SystemMessage, content=parts)
        | st.builds(m.ChatMessage, content=TEXTS, role=TEXTS)
        | st.builds(m.AIMessageChunk, content=TEXTS),
        max_size=3,
    )


@pytest.fixture
def new(tmp_path):
    with Workspace.init(tmp_path / "new") as opened:
        yield opened


def test_messages_of_langchain_come_back_equal(new):
    pytest.importorskip("langchain_core", reason="pip install 'memwiki[langchain]'")

    @SHARED
    @given(messages_of_langchain())
    def holds(messages):
        history = history_of(new, f"chat{next(NUMBERS)}")
        history.add_messages(messages)
        assert history.messages == messages

    holds()


def history_of(ws, name):
    with warnings.catch_warnings(action="ignore"):  # the framework calls its own base old
        return chat_history(ws, name)


def test_a_cleared_history_is_in_the_archive_and_what_people_write_is_in_it(new):
    pytest.importorskip("langchain_core", reason="pip install 'memwiki[langchain]'")
    history = history_of(new, "chat")
    history.clear()
    history.add_user_message("Where do herons nest?")
    new.session("chat").add_message("assistant", "In trees.")
    assert [(each.type, each.content) for each in history.messages] == [
        ("human", "Where do herons nest?"),
        ("ai", "In trees."),
    ]
    history.clear()
    assert history.messages == []
    assert "herons nest" in (new.root / "archive/sessions/chat.md").read_text()
    history.add_user_message("Again.")
    assert [each.content for each in history.messages] == ["Again."]


def items_of_openai():
    text = st.builds(lambda t: {"type": "output_text", "text": t, "annotations": []}, TEXTS)
    return st.lists(
        st.fixed_dictionaries({"role": st.sampled_from(["user", "developer"]), "content": TEXTS})
        | st.fixed_dictionaries(
            {"type": st.just("message"), "role": st.just("assistant"), "id": TEXTS}
            | {"content": st.lists(text, max_size=2)}
        )
        | st.fixed_dictionaries(
            {"type": st.just("function_call"), "name": TEXTS, "arguments": TEXTS, "call_id": TEXTS}
        )
        | st.fixed_dictionaries(
            {"type": st.just("function_call_output"), "call_id": TEXTS, "output": TEXTS}
        )
        | st.fixed_dictionaries({"type": st.just("reasoning"), "summary": st.just([])}),
        min_size=1,
        max_size=3,
    )


@SHARED
@given(items=items_of_openai())
def test_items_of_openai_come_back_equal_and_are_taken_off_again(new, items):
    pytest.importorskip("agents.memory", reason="pip install 'memwiki[openai-agents]'")
    asyncio.run(added_and_taken_off(session(new, f"items{next(NUMBERS)}"), items))


async def added_and_taken_off(made, items):
    await made.add_items(items)
    assert await made.get_items() == items
    assert await made.get_items(limit=1) == items[-1:]
    while items:
        assert await made.pop_item() == items[-1]
        items = items[:-1]
        assert await made.get_items() == items
    assert await made.pop_item() is None


def test_a_session_is_one_of_the_sdk_and_is_cleared_into_the_archive(new):
    memory = pytest.importorskip("agents.memory", reason="pip install 'memwiki[openai-agents]'")
    made = session(new, "talk")
    assert isinstance(made, memory.Session)
    asyncio.run(made.add_items([{"role": "user", "content": "Hello."}]))
    asyncio.run(made.clear_session())
    assert asyncio.run(made.get_items()) == []
    assert "Hello." in (new.root / "archive/sessions/talk.md").read_text()


def test_what_stands_below_the_last_message_stays_when_it_is_taken_off(new):
    pytest.importorskip("agents.memory", reason="pip install 'memwiki[openai-agents]'")
    made = session(new, "talk")
    asyncio.run(made.add_items([{"role": "user", "content": each} for each in ("One.", "Two.")]))
    new.session("talk").end("It was short.\n\nIt was good.")
    page = new.root / "sessions/talk.md"
    below = page.read_text().partition("Two.\n")[2]
    assert "It was good." in below
    asyncio.run(made.pop_item())
    assert page.read_text().endswith(f"One.\n{below}")
    assert asyncio.run(made.get_items()) == [{"role": "user", "content": "One."}]
    new.undo()
    assert [each["content"] for each in asyncio.run(made.get_items())] == ["One.", "Two."]


@pytest.mark.parametrize("is_dict", [False, True])
def test_settings_of_a_session_say_how_many_items_are_given(new, is_dict):
    memory = pytest.importorskip("agents.memory", reason="pip install 'memwiki[openai-agents]'")
    given_ = {"limit": 2} if is_dict else memory.SessionSettings(limit=2)
    made = session(new, f"limited{is_dict}", session_settings=given_)
    items = [{"role": "user", "content": f"text {number}"} for number in range(4)]
    asyncio.run(made.add_items(items))
    assert made.session_settings == memory.SessionSettings(limit=2)
    assert asyncio.run(made.get_items()) == items[-2:]
    assert asyncio.run(made.get_items(limit=3)) == items[-3:]
    assert session(new, "plain").session_settings == memory.SessionSettings()
