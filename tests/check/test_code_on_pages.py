"""What check says of blocks of code."""

import pytest

TAB = """<Tab label="b">
  Text of a tab.

    ```ts file="a.ts"
    a();
    ```

    More.

    ```ts
    b();
    ```

"""


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("```\na\n```py\nb\n```\n\ntext\n", [1]),
        ("```\na\n", [1]),
        ("- a\n\n    ```py\n    a\n    ```\n", []),
        ("- a\n\n    ```\n    a\n    ```py\n    b\n    ```\n", [3]),
        ('``` title="Tabs"\n=== "C"\n\n    ``` c\n    a\n    ```\n```\n', []),
        ("```\n=== C\n\n\t```c\n\ta\n\t```\n```\n", []),
        (TAB + "</Tab>\n", []),
    ],
)
def test_a_fence_is_unclosed_where_another_begins_at_its_margin(ws, put, text, lines):
    put("a.md", text)
    found = ws.check.run(only=["fence-unclosed"]).problems
    assert [each.line for each in found] == lines
