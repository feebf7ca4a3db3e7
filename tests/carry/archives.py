"""Archives as nobody's tool makes them: names, flags and sizes as they are wanted."""

from __future__ import annotations

import stat
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

LINK = stat.S_IFLNK | 0o777
FIFO = stat.S_IFIFO | 0o600


class Raw(NamedTuple):
    """One member, as it is said to be."""

    name: str
    data: bytes = b"# Page\n"
    mode: int = stat.S_IFREG | 0o644
    flags: int = 0x800  # names are UTF-8
    code: str = "utf-8"  # that they are in
    packed: bytes | None = None  # deflated; else the data is stored
    size: int | None = None  # what the header says


def raw_zip(location: Path, members: Sequence[Raw]) -> Path:
    """Write an archive of these members, whatever they are."""
    body, directory = b"", b""
    for each in members:
        packed = each.data if each.packed is None else each.packed
        size = len(each.data) if each.size is None else each.size
        crc, name = zlib.crc32(each.data), each.name.encode(each.code)
        method = 0 if each.packed is None else 8
        common = (each.flags, method, 0, 33, crc, 0xFFFFFFFF, 0xFFFFFFFF, len(name))
        extra = struct.pack("<HHQQ", 1, 16, size, len(packed))
        directory += struct.pack(
            "<IHHHHHHIIIHHHHHII",
            *(0x02014B50, 0x32D, 45, *common, len(extra), 0, 0, 0, each.mode << 16, len(body)),
        )
        directory += name + extra
        body += struct.pack("<IHHHHHIIIHH", 0x04034B50, 45, *common, len(extra)) + name + extra
        body += packed
    count = len(members)
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count, count, len(directory), len(body), 0)
    location.write_bytes(body + directory + end)
    return location


def deflated_zeros(megabytes: int) -> bytes:
    """Very many zeros, a thousandth of that on the disk, made without ever holding them."""
    packing = zlib.compressobj(9, wbits=-15)
    packing.compress(b"\0" * 1_000_000)
    packing.flush(zlib.Z_FULL_FLUSH)
    block = packing.compress(b"\0" * 1_000_000) + packing.flush(zlib.Z_FULL_FLUSH)
    return block * megabytes + packing.flush()
