"""One file of a program as it becomes: our part put in, or taken out; pure."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from memwiki.adapter_api import Json
from memwiki.adapters.hosts.json_edit import (
    KeyPath,
    NotJsonError,
    drop_empty,
    parse,
    put,
    take_out,
)
from memwiki.adapters.hosts.programs import (
    SERVER,
    SettingsMember,
    Wish,
    WishForm,
    is_our_command,
    is_our_server,
)

_MAX_BYTES = 5_000_000
_MARK = "\ufeff"
Owns = Callable[[Json], bool]  # whether a server of a program's list was put there by us


class Marks(NamedTuple):
    """The lines around what is ours."""

    begin: str
    end: str


HASH = Marks("# memwiki: begin", "# memwiki: end")
HTML = Marks("<!-- memwiki: begin -->", "<!-- memwiki: end -->")


def with_block(text: str, marks: Marks, lines: str) -> str:
    """The text with our lines, in their old place or behind a blank line at the end.

    A text that ends without a line break still does.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    block = newline.join([marks.begin, *lines.splitlines(), marks.end])
    if found := _block(text, marks):
        return text[: found.start] + block + text[found.stop :]
    if not text:
        return block + newline
    return f"{text}{newline}{block}{newline}" if text.endswith("\n") else f"{text}{newline}{block}"


def without_block(text: str, marks: Marks) -> str:
    """The text as it was before our lines came in."""
    found = _block(text, marks)
    if not found:
        return text
    rest = text[found.line_end :]
    before, is_last = text[: found.lead], found.stop == len(text)
    if found.lead < found.start and (is_last or not before or before.endswith("\n")):
        return before + rest
    return text[: found.start] + rest


def has_block(text: str, marks: Marks) -> bool:
    """Whether our lines are there."""
    return _block(text, marks) is not None


class _Block(NamedTuple):
    lead: int  # where the line break before it begins
    start: int
    stop: int
    line_end: int  # behind the line break that follows


def _block(text: str, marks: Marks) -> _Block | None:
    """The first block, looked for in one walk: a file may hold any number of marks. One without
    its other half is passed over."""
    begin, end = re.escape(marks.begin), re.escape(marks.end)
    line = re.compile(
        rf"(?P<lead>\r?\n)?^(?:(?P<begin>{begin}[ \t]*)(?=\r?\n)|(?P<end>{end}[ \t]*)(?:\r?\n|\Z))",
        re.MULTILINE,
    )
    first: re.Match[str] | None = None
    for found in line.finditer(text):
        if found["begin"]:
            first = found
        elif first:
            return _Block(first.start(), first.start("begin"), found.end("end"), found.end())
    return None


class EditedFile(NamedTuple):
    """The bytes that a file gets, None to delete it, and what was made in it beside our part."""

    data: bytes | None
    made: tuple[KeyPath, ...] = ()


class RefusedError(ValueError):
    """A file cannot be edited surely; says why."""


def put_in(
    wish: Wish,
    before: bytes | None,
    made: Sequence[KeyPath] = (),
    owns: Owns = is_our_server,
) -> EditedFile:
    """With what is wished for, and without those containers that were made for what is not any
    more. Raises RefusedError."""
    if wish.form is WishForm.WHOLE:
        return EditedFile(wish.text.encode())
    text = _text_of(before)
    if wish.form is WishForm.JSON:
        return _json_with(wish, text, made, owns)
    marks = HASH if wish.form is WishForm.TOML else HTML
    new = with_block(text or "", marks, wish.text)
    if wish.form is WishForm.TOML:
        left = _toml_without(text or "")
        _require_added(_toml(left), _toml(new), _toml(wish.text))
    return EditedFile(new.encode())


def taken_out(
    wish: Wish,
    before: bytes,
    made: Sequence[KeyPath],
    owns: Owns = is_our_server,
    *,
    is_new: bool,
) -> EditedFile:
    """Without anything of ours; a file that was new goes when nothing else is in it. Raises
    RefusedError."""
    text = _text_of(before) or ""
    if wish.form is WishForm.JSON:
        left, is_empty = _json_without(wish, text, made, owns)
    else:
        left = _toml_without(text) if wish.form is WishForm.TOML else without_block(text, HTML)
        is_empty = not left.strip()
    return EditedFile(None if is_new and is_empty else left.encode())


def is_in(wish: Wish, before: bytes | None) -> bool:
    """Whether something of ours is in a file."""
    if before is None:
        return False
    if wish.form is WishForm.WHOLE:
        return True
    text = before.decode("utf-8", "replace")
    if wish.form is WishForm.TEXT:
        return has_block(text, HTML)
    if wish.form is WishForm.TOML:
        return has_block(text, HASH) and f"[mcp_servers.{SERVER}]" in text
    try:
        return _json_without(wish, text, ())[0] != text
    except RefusedError:
        return SERVER in text  # somebody broke it, maybe around our part


def snippet(wish: Wish) -> str:
    """What a person may paste."""
    if wish.form is not WishForm.JSON:
        return wish.text
    text = json.dumps(wish.start)
    for member in wish.members:
        text = put(text, member.path, member.value, is_element=member.is_element).text
    return json.dumps(json.loads(text), indent=2, ensure_ascii=False)


def _text_of(data: bytes | None) -> str | None:
    if data is None:
        return None
    if len(data) > _MAX_BYTES:
        raise RefusedError("too large to be edited")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise RefusedError("not UTF-8") from None


# --- JSON ---


def server_in(wish: Wish, before: bytes | None) -> Json:
    """The server of our name in a file, None where there is none."""
    if wish.purpose != "server" or wish.form is not WishForm.JSON or before is None:
        return None
    try:
        value = parse(before.decode().removeprefix(_MARK)).value
    except (UnicodeDecodeError, NotJsonError):
        return None
    return _value_at(value, wish.members[0].path)


def _json_with(wish: Wish, before: str | None, known: Sequence[KeyPath], owns: Owns) -> EditedFile:
    is_new = before is None
    text = json.dumps(wish.start, indent=2) + "\n" if before is None else before
    mark, text = _MARK * text.startswith(_MARK), text.removeprefix(_MARK)
    try:
        old = parse(text).value
        text = _without_other_events(text, wish, known)
        kept = parse(text).value
        made = dict.fromkeys(path for path in known if _value_at(kept, path) is not None)
        for member in wish.members:
            text, new = _with_member(text, member, owns)
            made |= dict.fromkeys(new)
        new_value = parse(text).value
        _require_added(_without_ours(old, wish, known), _without_ours(new_value, wish, known), {})
    except NotJsonError as error:
        raise RefusedError(f"not JSON: {error}") from None
    except LookupError as error:
        raise RefusedError(str(error.args[0])) from None
    if is_new:
        text = json.dumps(json.loads(text), indent=2, ensure_ascii=False) + "\n"
    return EditedFile((mark + text).encode(), tuple(made))


def _without_other_events(text: str, wish: Wish, made: Sequence[KeyPath]) -> str:
    """Without our hooks of events that are not wished for any more, and the lists made for them."""
    wanted = {member.path for member in wish.members}
    events = _events(text) if wish.purpose == "hooks" else []
    others = [path for path in events if path not in wanted]
    for path in others:
        text = _without_hooks(text, path)
    return drop_empty(text, [path for path in others if path in made])


def _events(text: str) -> list[KeyPath]:
    """The paths of the events that a file has hooks of."""
    hooks = _value_at(parse(text).value, ("hooks",))
    return [("hooks", event) for event in hooks] if isinstance(hooks, dict) else []


def _with_member(text: str, member: SettingsMember, owns: Owns) -> tuple[str, tuple[KeyPath, ...]]:
    existing = _value_at(parse(text).value, member.path)
    if not member.is_element:
        if existing is not None and existing != member.value and not owns(existing):
            raise RefusedError(f"{'.'.join(member.path)} is there and not ours")
        return put(text, member.path, member.value)
    if isinstance(existing, list) and member.value in existing:
        return text, ()
    return put(_without_hooks(text, member.path), member.path, member.value, is_element=True)


def _json_without(
    wish: Wish, text: str, made: Sequence[KeyPath], owns: Owns = is_our_server
) -> tuple[str, bool]:
    mark, text = _MARK * text.startswith(_MARK), text.removeprefix(_MARK)
    try:
        if wish.purpose == "server":
            text = take_out(text, ("mcpServers",), lambda key, each: key == SERVER and owns(each))
        else:
            for path in _events(text):
                text = _without_hooks(text, path)
        text = drop_empty(text, made)
        is_empty = parse(text).value in ({}, dict(wish.start))
    except NotJsonError as error:
        raise RefusedError(f"not JSON: {error}") from None
    return mark + text, is_empty


def _without_hooks(text: str, path: KeyPath) -> str:
    """Without our hooks of an event; a group that others added theirs to keeps those."""
    text = take_out(text, path, _is_ours_alone)
    groups = _value_at(parse(text).value, path)
    for number, group in enumerate(groups if isinstance(groups, list) else ()):
        if isinstance(group, Mapping) and any(map(is_our_command, _hooks_in(group))):
            inner = (*path, str(number), "hooks")
            text = take_out(text, inner, lambda _, hook: is_our_command(hook))
    return text


def _is_ours_alone(_key: str, group: Json) -> bool:
    hooks = _hooks_in(group)
    return is_our_command(group) or (bool(hooks) and all(map(is_our_command, hooks)))


def _hooks_in(group: Json) -> list[Json]:
    hooks = group.get("hooks") if isinstance(group, Mapping) else None
    return hooks if isinstance(hooks, list) else []


def _value_at(value: Json, path: KeyPath) -> Json:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _without_ours(value: Json, wish: Wish, known: Sequence[KeyPath]) -> Json:
    """A value as others see it: without our members, and what is empty but for them."""
    text = json.dumps(value)
    paths = [member.path for member in wish.members]
    made = {*known, *(path[:end] for path in paths for end in range(1, len(path) + 1))}
    return parse(_json_without(wish, text, sorted(made))[0]).value


def _require_added(old: object, new: object, ours: object) -> None:
    """That a file says what it said, and ours: else something in it was not understood."""
    if new != _join(old, ours):
        raise RefusedError("our part would change what else it says")


def _join(old: object, ours: object) -> object:
    if not (isinstance(old, dict) and isinstance(ours, dict)):
        return ours
    return {**old, **{key: _join(old.get(key, {}), each) for key, each in ours.items()}}


# --- TOML ---


def _toml_without(text: str) -> str:
    """Without our lines. Raises RefusedError when more than our table would go with them."""
    left = without_block(text, HASH)
    if left == text:
        return text
    servers = _toml(text).get("mcp_servers")
    ours = servers.get(SERVER) if isinstance(servers, dict) else None
    if ours is None or _join(_toml(left), {"mcp_servers": {SERVER: ours}}) != _toml(text):
        raise RefusedError("what is between our marks is not ours alone")
    return left


def _toml(text: str) -> Mapping[str, object]:
    try:
        return tomllib.loads(text.removeprefix(_MARK))
    except RecursionError:
        raise RefusedError("not TOML that can be read: too deep") from None
    except ValueError as error:  # also a number of too many digits
        raise RefusedError(f"not TOML: {error}") from None
