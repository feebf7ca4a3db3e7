"""Lines that are no message: mended where a character is half there, else answered."""

from __future__ import annotations

import json
from collections.abc import AsyncIterable, Awaitable, Callable

import mcp_types as types
from mcp.shared.message import SessionMessage

_PARSE_ERROR, _INVALID_REQUEST = -32700, -32600


def sound(text: str) -> str:
    """With halves of characters replaced, which JSON of the wire cannot hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


async def relay(
    read: AsyncIterable[SessionMessage | Exception],
    pass_on: Callable[[SessionMessage], Awaitable[None]],
    write: Callable[[SessionMessage], Awaitable[None]],
) -> None:
    """Pass on what comes in. The library drops what it cannot read, and whoever asked waits."""
    async for item in read:
        found = mended(item) if isinstance(item, Exception) else item
        if isinstance(found, types.JSONRPCError):
            await write(SessionMessage(found))
        else:
            await pass_on(found)


def mended(error: Exception) -> SessionMessage | types.JSONRPCError:
    """The message that a line means, or what is said of it."""
    try:  # Python reads halves of characters, of which hosts write what a model cut off
        text = sound(json.dumps(json.loads(_line_of(error)), ensure_ascii=False))
    except (ValueError, RecursionError):
        return _said(_PARSE_ERROR, "Not JSON that can be read")
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(text, by_name=False))
    except ValueError:
        return _said(_INVALID_REQUEST, "Not a request or notification")


def _said(code: int, what: str) -> types.JSONRPCError:
    error = types.ErrorData(code=code, message=what)
    return types.JSONRPCError(jsonrpc="2.0", id=None, error=error)


def _line_of(error: Exception) -> str:
    """The line that could not be read, which the error of its library has kept."""
    errors: list[dict[str, object]] = getattr(error, "errors", list)()
    line = errors[0]["input"] if errors else ""
    return line if isinstance(line, str) else json.dumps(line)
