"""What a door allows: the settings of the workspace, which only narrow, and those of the user."""

from __future__ import annotations

from typing import NamedTuple

from memwiki.config import Config, DoorsConfig

SMALL = "small"


class DoorFlags(NamedTuple):
    """What the user asks for when a door is opened; None where nothing is said."""

    is_read_only: bool | None = None
    profile: str | None = None
    max_tokens: int | None = None
    writes_per_minute: int | None = None
    max_text_kb: int | None = None
    is_staged: bool | None = None
    write: tuple[str, ...] = ()
    has_private: bool = False
    may_accept: bool = False


_NOTHING_SAID = DoorFlags()


class DoorSettings(NamedTuple):
    """What holds for all calls of one connection; `write` lists globs, all of which must match."""

    is_read_only: bool = False
    profile: str = "default"
    max_tokens: int = 8_000
    writes_per_minute: int = 120
    max_text_kb: int = 256
    is_staged: bool = False
    write: tuple[tuple[str, ...], ...] = ()
    named: tuple[str, ...] = ()  # globs of the user, which may name what is protected, too
    has_private: bool = False
    may_accept: bool = False  # proposals, where nothing of them is flagged


def door_settings(config: Config, flags: DoorFlags = _NOTHING_SAID) -> DoorSettings:
    """What a door allows: flags before the environment, and memwiki.toml where it narrows."""
    doors, usual = config.doors, DoorsConfig()

    def is_of_file(name: str) -> bool:
        return config.origins.get(f"doors.{name}") == "file"

    def least(name: str, flag: int | None) -> int:
        value, default = getattr(doors, name), getattr(usual, name)
        given = min(value, default) if is_of_file(name) else value
        return given if flag is None else flag

    is_widened = is_of_file("profile") and doors.profile != SMALL
    own = flags.write or (() if is_of_file("write") else doors.write)
    files = doors.write if is_of_file("write") else ()
    return DoorSettings(
        is_read_only=doors.read_only if flags.is_read_only is None else flags.is_read_only,
        profile=flags.profile or (usual.profile if is_widened else doors.profile),
        max_tokens=least("max_tokens", flags.max_tokens),
        writes_per_minute=least("writes_per_minute", flags.writes_per_minute),
        max_text_kb=least("max_text_kb", flags.max_text_kb),
        is_staged=doors.staged if flags.is_staged is None else flags.is_staged,
        write=tuple(filter(None, (own, files))),
        named=own,
        has_private=flags.has_private,
        may_accept=flags.may_accept,
    )
