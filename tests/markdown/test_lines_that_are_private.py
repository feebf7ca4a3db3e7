"""What a mark of privacy hides: each line that says `secret`, and none that says `public`."""

import pytest

from memwiki.markdown.private import hidden_lines, public_bytes
from memwiki.nouns import LOGSEQ, Dialect, Layers
from tests.effort import for_each

MARK = "[private:: true]"
LAYERS = Layers(daily="daily", sessions="sessions")
LOGSEQ_LAYERS = LAYERS._replace(dialect=Dialect(name=LOGSEQ))


def shown(text, path="wiki/page.md", layers=LAYERS):
    """What is left of a page, after checks of what holds for every one."""
    data = text.encode()
    seen = public_bytes(path, data, layers)
    hidden = hidden_lines(path, data, layers)
    if seen is None:
        assert hidden == (range(1, len(text.split("\n")) + (not text.endswith("\n"))),)
        return None
    numbers = {line for run in hidden for line in run}
    pairs = list(zip(data.split(b"\n"), seen.split(b"\n"), strict=True))
    for number, (old, new) in enumerate(pairs, 1):
        bare = b"\r" if old.endswith(b"\r") else b""
        assert new.removeprefix(b"\xef\xbb\xbf") == bare if number in numbers else new == old
    assert public_bytes(path, seen, layers) is seen
    return seen.decode()


def is_exact(text, path="wiki/page.md", layers=LAYERS):
    """Whether all that says `secret` is gone, and all that says `public` is left."""
    left = shown(text, path, layers)
    assert left is not None
    return "secret" not in left and left.count("public") == text.count("public")


PAGES = {
    "an item with what is below it": f"""
- public
- secret {MARK}
  goes on: secret
lazily: secret
  - secret

  a second paragraph: secret

      secret code
- public
""",
    "a nested item alone": f"""
- public
  - secret {MARK}
    - secret
  - public
- public
""",
    "a numbered item and a task": f"""
1. public
2. secret {MARK}
   1. secret
3. public

- [ ] secret {MARK}
- [x] public
""",
    "a continuation of an item": f"""
- secret

  secret {MARK}
  - secret
- public
""",
    "a field below an item": """
- public
- secret
  - secret
  - private:: true
- public
""",
    "a field whose value is below it": """
- secret
  - private::
    - true
- public
""",
    "a paragraph with all its lines": f"""
public

secret
{MARK} secret
secret

public
""",
    "a heading with its section": f"""
# public
public
## secret {MARK}
secret
### secret
- secret

secret
## public
""",
    "an underlined heading": f"""
public

secret
secret {MARK}
---
secret

# public
""",
    "a quote": f"""
public

> secret
> > secret
>
> secret {MARK}
lazily: secret

> public
""",
    "a callout": f"""
> [!note] secret {MARK}
> secret

public
""",
    "an item in a quote": f"""
> - public
> - secret {MARK}
>   secret
> - public
""",
    "a table": f"""
public

| secret | secret |
|---|---|
| secret | secret {MARK} |
| secret |

public
""",
    "a cell that a table drops": f"""
| secret |
|---|
| secret | {MARK} |

public
""",
    "a footnote with its paragraphs": f"""
public[^1]

[^1]: secret {MARK}

    secret

    secret

public
""",
    "a mark in a paragraph of a footnote": f"""
public

[^1]: secret

    secret {MARK}

public
""",
    "a definition": f"""
public

Secret term: secret
: secret {MARK}

  secret

public
""",
    "a link's definition": f"""
public

[secret]: https://example.org "{MARK}"

public
""",
    "a block of HTML": f"""
<div>
secret {MARK}
</div>

public
""",
    "a comment of Obsidian": f"""
public

secret %%{MARK}%%

public
""",
    "round brackets, other words and other letters": """
- secret (private:: true)
- secret [Private:: yes]
- secret [private :: because]
- secret [private:: [[Somebody]]]
- secret [private:: true
- public
""",
    "Chinese": f"""
- 公开 public
- 秘密 secret {MARK}
  秘密 secret

秘密 secret {MARK}。

公开 public
""",
    "tabs": f"""
- public
\t- secret {MARK}
\t\t- secret
\t- public
""",
    "what follows a fence that a hidden item opened": f"""
- public
- secret {MARK}
  ```
  secret
- public
""",
}


@for_each("text", PAGES.values())
@for_each("end", ["\n", "\r\n"])
def test_a_mark_hides_its_block_with_all_below_it(text, end):
    assert is_exact(text.replace("\n", end))


@for_each("text", PAGES.values())
def test_a_byte_order_mark_and_a_missing_last_line_end_stay(text):
    left = shown("\ufeff" + text.strip("\n"))
    assert left.startswith("\ufeff")
    assert "secret" not in left


NO_MARKS = [
    "- public [private:: false]\n",
    "- public [private:: No]\n",
    "- public [private:: 0] [private:: ]\n",
    "- public\n  - private:: no\n",
    "public `[private:: true]`\n",
    "public ``[private:: true] ` x``\n",
    "public `a\n[private:: true]`\n",
    "```\n[private:: true] public\n```\n",
    "~~~\n[private:: true] public\n",
    "> ```\n> [private:: true] public\n> ```\n",
    "public\n\n    [private:: true] public\n",
    "<!-- [private:: true] --> public\n",
    "<!--\n[private:: true]\n--> public\n",
    "public <!-- [private:: true] -->\n",
    "public $[private::true]$\n",
    "$$\n[private:: true] public\n$$\n",
    "[public](page[private::true])\n",
    "[public](<a [private:: true]>)\n",
    "[public](private::true)\n",
    "---\ntitle: public [private:: true]\n---\npublic\n",
    "---\nprivate: false\n---\npublic\n",
    "---\ntitle: never closed\n\nprivate: false\n\npublic\n",
    "---\n\npublic\n\n---\n\nprivate: a word about it\n",
    "-----\npublic\n\nprivate: a word about it\n",
    "class A { private: int public; };\n",
]


@for_each("text", NO_MARKS)
def test_where_it_can_hide_nothing_it_is_no_mark(text):
    data = text.encode()
    assert public_bytes("wiki/page.md", data, LAYERS) is data
    assert hidden_lines("wiki/page.md", data, LAYERS) == ()


@for_each(
    "text",
    [
        "foo ` bar\n\nbaz [private:: true] ` secret\n",
        "> foo ` bar\n> baz ` [private:: true] ` secret\n",
        "` a\n2. b ` [private:: true] ` secret\n",
        "```\nx\n```\ntext [private:: true] ``` secret\n",
        "| `a | [private:: true]` secret |\n|---|---|\n| secret | secret |\n",
        "secret <!--> [private:: true] -->\n",
        "<!-- secret [private:: true]\n",
    ],
)
def test_what_looks_like_code_and_is_none_hides_nothing_of_a_mark(text):
    left = shown(text)
    assert left is None or "secret" not in left


WHOLE = [
    "---\nprivate: true\n---\nsecret\n",
    "---\nPrivate: yes\n---\nsecret\n",
    "\ufeff---\nprivate: 1\n---\nsecret\n",
    "---\r\nprivate: because\r\n---\r\nsecret\r\n",
    "---\nprivate: [true]\n---\nsecret\n",
    "---\nprivate: {to: me}\n---\nsecret\n",
    '---\n"pri\\u0076ate": true\n---\nsecret\n',
    "---\nprivate: true\nprivate: false\n---\nsecret\n",
    "---\n<<<<<<< a\nx: y\n=======\nprivate: true\n>>>>>>> b\n---\nsecret\n",
    "---\nprivate: true\n- : {[\n---\nsecret\n",
    "---\n{private: true, : [\n---\nsecret\n",
    "---\nprivate: true\ntitle: never closed\n\nsecret\n",
    "---\ntitle: never closed\n\nprivate: true\n\nsecret\n",
    "---\n\nprivate: true\ntitle: never closed\n\nsecret\n",
    "---\r\n# remark\r\nprivate: true\r\n\r\nsecret\r\n",
    "---\n{{x\n---\n- secret [private:: true]\n",
]


@for_each("text", WHOLE)
def test_a_page_that_says_so_or_is_not_understood_is_private_as_a_whole(text):
    assert shown(text) is None


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_of_a_page_in_utf_16_nothing_is_shown_where_something_is_private(codec):
    def encoded(text):
        return f"\ufeff{text}".encode(codec)

    assert public_bytes("a.md", encoded("- a [private:: true]\n- b\n"), LAYERS) is None
    public = encoded("a private matter\n")
    assert public_bytes("a.md", public, LAYERS) is public


COLLECTING = {
    "an entry with its lines": f"""
# Memory

- public
- secret {MARK} ^m-aaaaaa
  - data::
    - secret
- public
""",
    "an entry by a field of a nested item": """
- public
- secret
  - data::
    - secret
  - private:: yes
- public
""",
    "a task": f"""
- public
- [ ] secret {MARK}
  secret
- public
""",
    "a paragraph": f"""
public

secret
secret {MARK}

- public
""",
    "a section that is an entry": f"""
## public

public

## secret

secret

secret {MARK}

## public
""",
    "a heading above entries": f"""
## secret {MARK}
- secret
### secret
- secret
## public
- public
""",
    "a quote and a table": f"""
> secret {MARK}
> secret

| secret |
|---|
| {MARK} |

- public
""",
    "what is code in a line beside it": f"""
- secret `code` {MARK}
  `more`
- public `{MARK}`
  `more` public
- public

```
{MARK} public
```
""",
}


@for_each("text", COLLECTING.values())
@for_each("path", ["memory.md", "daily/2026-01-01.md"])
def test_pages_that_collect_entries_are_read_as_they_are(text, path):
    assert is_exact(text, path)


SESSION = f"""---
type: session
---
### 2026-11-21T10:00:00Z user ^s-0001
public

### 2026-11-21T10:00:01Z user {MARK} ^s-0002
secret

```
secret
\\# secret

### 2026-11-21T10:00:02Z assistant ^s-0003
public

- secret {MARK}
  secret
- public

```
public {MARK}
```

### 2026-11-21T10:00:03Z user `[private:: true]` ^s-0004
secret
"""


def test_a_message_is_hidden_with_its_text():
    assert is_exact(SESSION, "sessions/a.md")


LOGSEQ_PAGES = {
    "a block by its property": """
- public
  - secret
    private:: true
    - secret
  - public
- public
""",
    "a block with what is deeper by two": f"""
- public
\t- secret {MARK}
\t\t\t- secret
\t\t\t  secret
\t- public
""",
    "a heading with its block": f"""
- # public
- ## secret {MARK}
  - secret
- ## public
""",
    "a heading at the margin with items below": f"""
# secret {MARK}
\t- secret
# public
""",
}


@for_each("text", LOGSEQ_PAGES.values())
def test_blocks_of_an_outline_are_hidden_with_their_children(text):
    assert is_exact(text, layers=LOGSEQ_LAYERS)


@for_each(
    "text",
    [
        "title:: a\nprivate:: true\n\n- secret\n",
        "- title:: a\n  private:: true\n- secret\n",
        "- private:: yes\n- secret\n",
        "\nprivate:: true\n\n- secret\n",
    ],
)
def test_properties_of_an_outline_make_all_of_it_private(text):
    assert shown(text, layers=LOGSEQ_LAYERS) is None


@for_each(
    "head",
    [
        "---\nbase: &base\n  private: true\n<<: *base\n---",
        "---\nbase: &base {x: 1, private: true}\nmore:\n  - &m {private: no}\n<<: [*base, *m]\n---",
        '{"title": "T", "private": true}\n',
        '{\n  "title": "T",\n\n  "private" : "yes"\n}\n',
        '\ufeff{\n"private": true }\n',
        "Title: T\nPrivate: yes\n",
        "Author: A\nprivate: true\ntitle: T\n",
    ],
)
def test_a_page_is_private_by_any_head_that_says_so(head):
    assert shown(f"{head}\n# secret\n\ntext\n") is None


@for_each(
    "head",
    [
        "---\nbase: &base\n  private: false\n<<: *base\n---",
        '{"title": "private: x", "private": false}\n',
        "Title: Private: a life\nPrivate: no\n",
        "Private: only this line, which gives no title\n",
        "{ x }\n\nThat is private: yes.\n",
    ],
)
def test_a_head_that_says_no_hides_nothing(head):
    assert "public" in (shown(f"{head}\n# public\n\ntext\n") or "")
