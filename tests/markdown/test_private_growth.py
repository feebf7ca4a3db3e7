"""To find what is private takes steps linear in the page, whatever it is made of."""

import sys

from memwiki.markdown.private import public_bytes
from memwiki.nouns import LOGSEQ, Dialect, Layers
from tests.effort import IS_WIDE, for_each

MARK = "[private:: true]"
LAYERS = Layers(daily="daily", sessions="sessions")
UNITS = [
    f"{MARK}\n",
    f"`{MARK}`\n",
    f"{MARK}\n\n",
    f"- {MARK}\n",
    f"- `{MARK}`\n",
    f"- a\n  - {MARK}\n",
    f"> {MARK}\n",
    f"> `{MARK}`\n\n",
    f"# a {MARK}\n",
    f"# a `{MARK}`\n",
    f"### a {MARK}\n# b `{MARK}`\n",
    f"|{MARK}|a|\n|-|-|\n|`{MARK}`|\n",
    f"|`{MARK}`|a|\n",
    f"- ```\n{MARK}\n",
    f"<!-- {MARK}\n",
    f"a <!-- {MARK}\n\n",
    f"<div>{MARK}\n",
    f"[^a]: `{MARK}`\n\n    {MARK}\n\n",
    f": `{MARK}`\n",
    f"    `{MARK}`\n\n",
    f"[a]: b '{MARK}'\n",
    f"- ~~~\n{MARK}\n\n  {MARK}\n~~~\n",
    f"- \n\n      a\n - `{MARK}`\n",
    f"private:: `{MARK}`\n",
    f"- ## {MARK}\n\t- a\n",
    "- a [private:: \n",
    f"- x `a {MARK}\n  b`\n",
    f"{{% code %}}\n{MARK}\n",
    f"{{% code %}}\n# {MARK}\n{{% endcode %}}\n",
]
PLACES = [
    ("wiki/a.md", LAYERS),
    ("memory.md", LAYERS),
    ("sessions/a.md", LAYERS),
    ("pages/a.md", LAYERS._replace(dialect=Dialect(name=LOGSEQ))),
]


def steps_of(text, path, layers):
    """How many lines of Python run, and functions of C are called."""
    count = 0

    def seen(frame, event, argument):
        nonlocal count
        count += 1
        return seen

    public_bytes(path, f"{MARK}\n".encode(), layers)  # imports
    before = sys.gettrace()  # that of coverage
    sys.settrace(seen)
    try:
        public_bytes(path, text.encode(), layers)
    finally:
        sys.settrace(before)
    return count


# Each unit in two of the places in turn, but for wide runs.
CASES = [
    (unit, *place)
    for turn, unit in enumerate(UNITS)
    for place in (PLACES if IS_WIDE else PLACES[turn % 2 :: 2])
]


@for_each(("unit", "path", "layers"), CASES)
def test_ten_times_the_page_takes_ten_times_the_steps(unit, path, layers):
    few, many = (steps_of(unit * count, path, layers) for count in (20, 200))
    assert many <= 13 * few + 2_000


@for_each("starter", ["- ", "> ", "1. ", "- > ", "  - a\n  ", "#", "a `", "["])
def test_deep_nesting_is_private_or_has_no_mark_left(starter):
    for path, layers in PLACES:
        data = f"{starter * 2_000}{MARK} secret".encode()
        seen = public_bytes(path, data, layers)
        assert seen is None or b"secret" not in seen
