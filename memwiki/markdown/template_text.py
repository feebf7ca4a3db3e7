"""What earlier templates wrote, by digest: nobody's memory while it is unchanged."""

from __future__ import annotations

from memwiki.digest import text_hash
from memwiki.markdown.entries import FIELD, ID, TYPE
from memwiki.text import pattern

_BYTES = 8
# The examples in memory.md and learnings.md, until 2026-11: what they say, without their marks.
_LINES = frozenset(
    """
    fd9cc57528078639
    5057fd7603f17b99
    0c454bf64bd28464
    6667da057197d1a9
    f3e9deb1747dc9fd
    164541c4402cdf32
    40b1a7dda925c136
    00d46895c68680a9
    9f91eabfcac28265
    e0ca762c38c942ae
    64222f6eed93142d
    684f713b8f29e47f
    """.split()
)
# Pages that explained themselves, until 2026-11. The files of entries without any are here too.
_PAGES = {
    "learnings.md": (
        "761295a86db4a5f80223816b71c521dd",
        "7348ae0f0b1e666de8e7aac8ea787772",
        "d03b1ce4f8673580190abd9916e7732b",
    ),
    "memory.md": (
        "6f3d36b5b9b70ed2c652a2247884b45d",
        "030181313309b12fe8877cb96a8e7f05",
        "1b86d00255c9e1e8976cb1a9be591ff9",
    ),
    "wiki/concepts/entry.md": (
        "d9a23e1af8ca1f96fd7c39b2bbccd372",
        "a8649996acd732c849743aab7fb38337",
    ),
    "wiki/concepts/links.md": (
        "6e636246134c9423f2fc1aa443ac37a3",
        "560a8a4b3540a28cf963adfd7247174a",
        "2cf49c9a4ff936d4af11ef0cc31cc4d5",
    ),
    "wiki/concepts/page.md": ("3332554b9438aa58400a79afddf8ad72",),
    "wiki/concepts/search.md": ("2a9bab50f0f4dbac04b3b7e47d032c9b",),
    "wiki/concepts/sync.md": (
        "5c78fd3fbd45deedcdc5b83a0d3222a5",
        "ea6e602cb2442d006a14e22abf594c77",
    ),
    "wiki/concepts/tags.md": (
        "175fd7db206953e17303025b0855e411",
        "843ca600af3d4d1cd98fc899692678cc",
    ),
    "wiki/concepts/workspace.md": (
        "c6bf5a1f1397b78d4f355b0fa3db67e8",
        "d5b0ee8a9847caccf143fefa3d25256a",
    ),
    "wiki/questions/how-does-an-agent-remember.md": (
        "307dcee96935418919b7e1f39c018796",
        "402fe29be1a979b082afbacd0e80a9bb",
        "7088e7013daf2227cb540f4ea45ed0f2",
        "633ad0181c03da6d09d24fd1b880919b",
    ),
    "wiki/start-here.md": (
        "c7dc81f78857704676b46a5c635b08de",
        "7a62e9f4ac78d8a480338bae9e8cd5e2",
        "44686e32ffd50c28179b2418eebd0ff4",
        "92b070774d0abd17c58acb95e73feeab",
    ),
}
# A word of each of the examples: to find that a long page has none takes a look, not thousands.
_WORDS = (
    *("neither;", "Answers", "year", "twice", "writing:", "template"),
    *("decided,", "derived", "question", "examples;"),
)
_MARK = pattern(r"\A[ \t]*[-*+][ \t]+|~~")


def may_be_template_text(text: str) -> bool:
    """Whether a text has a word of the examples; cheap, however long it is."""
    return any(word in text for word in _WORDS)


def is_template_text(text: str) -> bool:
    """Whether a memory, or what stands above them, is an example of a template, word for word."""
    if not may_be_template_text(text):
        return False
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    return len(lines) == 1 and _digest(lines[0]) in _LINES


def is_template_page(path: str, digest: str) -> bool:
    """Whether a page is as a template wrote it, and nobody has put anything into it."""
    return digest in _PAGES.get(path, ())


def template_paths() -> tuple[str, ...]:
    """Where templates wrote such pages."""
    return tuple(_PAGES)


def _digest(line: str) -> str:
    plain = ID.sub("", FIELD.sub("", _MARK.sub("", line.rstrip())))
    return text_hash(" ".join(TYPE.sub("", plain.strip(), count=1).split()), _BYTES).hex()
