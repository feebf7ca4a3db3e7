"""Formulas and code between tags mean nothing, and the indented bodies of admonitions, details and
tabs are markdown."""

import pytest

from memwiki.markdown.private import public_bytes
from memwiki.markdown.scanner import scan
from memwiki.markdown.structure import parsed_structure
from memwiki.nouns import Layers
from tests.effort import for_each


def _headings(page):
    return [section.title for section in page.sections]


def _links(page):
    return [(link.written, link.line) for link in page.links]


@pytest.mark.parametrize(
    "text",
    [
        "$$\na\n=\nb\n$$\n",
        "$$\na\n-\nb\n$$\n",
        "$$\n# a\n[[b]] #c [d](e.md)\n$$\n",
        "$$ a\n= b $$\n",
        "$$\na\n\n# b\n\n[[c]] #d\n$$\n",
        "- a\n\n  $$\n  x\n  =\n  [[y]]\n  $$\n",
        "- $$\n  x\n  ==\n  y\n  $$\n",
        "text\n$$\nx\n=\n$$\n",
        "> q\n\n$$\n```\n$$\n",
    ],
)
def test_a_formula_yields_no_heading_link_or_tag(read, text):
    page = read(text + "\n# After\n")
    assert (_headings(page), _links(page), page.tags) == (["After"], [], ())


@pytest.mark.parametrize(
    "text",
    [
        "$$ is slang\n\n[[b]] #c\n\nand $$ too",
        "costs $5, [[b]] #c costs $6",
        "$$\n[[b]] #c\nnever closed",
        "$$$ [[b]] #c",
        "between $5 and $10: [[b]] #c, or $7",
        "slang $$ here\n- [[b]] #c\n- and $$ there",
        "slang $$ here\n# [[b]] #c\nand $$ there",
    ],
)
def test_dollars_that_are_money_hide_nothing(read, text):
    page = read(text)
    assert ([link.written for link in page.links], page.tags) == (["b"], ("c",))


CODE = "# a\n[[b]] #c [d](e.md)\n\n    x\n```\n"


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("{{< highlight go >}}", "{{< /highlight >}}"),
        ('{{< highlight go "linenos=table" >}}', "{{</ highlight >}}"),
        ("{{% highlight go %}}", "{{% /highlight %}}"),
        ("{{<code-toggle file=hugo>}}", "{{</code-toggle>}}"),
        ("{{< mermaid >}}graph TD", "end {{< /mermaid >}}"),
        ("{% highlight ruby linenos %}", "{% endhighlight %}"),
        ("{%- highlight ruby -%}", "{%- endhighlight -%}"),
        ("{% codeblock lang:js %}", "{% endcodeblock %}"),
        ("  {% highlight c %}", "  {% endhighlight %}"),
        ("text\n{% highlight c %}", "{% endhighlight %}\ntext"),
        ("- a\n\n  {{< highlight go >}}", "  {{< /highlight >}}"),
    ],
)
def test_code_between_tags_yields_no_heading_link_or_tag(read, opening, closing):
    indent = "  " if opening.startswith("- ") else ""
    code = "".join(f"{indent}{line}\n" for line in CODE.split("\n")[:-1])
    page = read(f"{opening}\n{code}{closing}\n\n# After\n[[f]] #g\n")
    assert [section.title for section in page.sections] == ["After"]
    assert ([link.written for link in page.links], page.tags) == (["f"], ("g",))


@pytest.mark.parametrize(
    "text",
    [
        "{{< highlight go >}}\n[[b]] #c\nnever closed",
        "{{< code-toggle file=hugo />}}\n[[b]] #c\n\n{{< code-toggle >}}\n#x\n{{< /code-toggle >}}",
        "{{< code file=a >}}\n[[b]] #c\n\n{{< code file=b >}}\n#x\n{{< /code >}}",
        "{{< note >}}\n[[b]] #c\n{{< /note >}}",
        "{% raw %}\n[[b]] #c\n{% endraw %}",
        "{% highlights %}\n[[b]] #c\n{% endhighlights %}",
        "{% highlight c %}\n[[b]] #c\n{{< /highlight",
        "a {% highlight c %}\n[[b]] #c\n{% endhighlight %}",
        "{{% details %}}\n[[b]] #c\n{{% /details %}}",
    ],
)
def test_tags_around_text_and_those_without_an_end_hide_nothing(read, text):
    page = read(text)
    assert ([link.written for link in page.links], page.tags) == (["b"], ("c",))


@for_each("path", ["wiki/a.md", "memory.md", "sessions/a.md"])
@for_each(
    "code",
    [
        "a\n\nsecret [private:: true]\n",
        "# secret [private:: true]\nsecret\n",
        "- secret [private:: true]\n\nsecret\n",
        "```\nsecret [private:: true]\n```\nsecret\n",
    ],
)
def test_a_mark_of_privacy_between_tags_hides_all_between_them(path, code):
    data = f"x\n\n{{% highlight c %}}\n{code}{{% endhighlight %}}\n\npublic\n".encode()
    seen = public_bytes(path, data, Layers(sessions="sessions"))
    assert seen is None or (b"secret" not in seen and b"public" in seen)


@pytest.mark.parametrize(
    "marker",
    [
        "!!! note",
        '!!! note "A title"',
        '!!! note inline end "A title"',
        "???+ tip",
        '??? "Only a title"',
        '=== "C++"',
        '===+ "C"',
    ],
)
@pytest.mark.parametrize("gap", ["", "\n"])
def test_the_indented_body_below_a_marker_is_markdown(read, marker, gap):
    page = read(f"para\n{marker}\n{gap}    [a](b.md) [[c]] #d\n\n    [e](f.md)\n\nend\n")
    line = 3 + len(gap)
    assert _links(page) == [("b.md", line), ("c", line), ("f.md", line + 2)]
    assert page.tags == ("d",)


def test_bodies_lie_in_one_another_and_hold_code(read):
    page = read(
        '=== "A"\n\n    !!! note\n\n        [[b]]\n\n            [[code]]\n\n        ```\n'
        "        [[no]]\n        ```\n\n    - item\n\n        ??? tip\n            [[c]]\n\n"
        "    [[code\n\n[[d]]\n",
    )
    assert _links(page) == [("b", 5), ("c", 16), ("d", 20)]


def test_a_heading_in_a_body_begins_no_section_and_its_items_are_no_entries(read):
    page = read("# A\n\n!!! note\n\n    # B\n\n    - one\n\n- two\n", "memory.md")
    assert _headings(page) == ["A"]
    assert [entry.text for entry in page.entries] == ["two"]


@pytest.mark.parametrize(
    "text",
    [
        "!!! note\n\nno body\n\n    [[code]]",
        "!!!\n\n    [[code]]",
        "=== no title\n\n    [[code]]",
        "text !!! note\n\n    [[code]]",
        "```\n!!! note\n\n    [[code]]\n```",
    ],
)
def test_without_marker_and_body_indented_lines_stay_code(read, text):
    assert _links(read(text)) == []


def test_such_pages_need_no_full_parser_and_it_sees_the_same():
    text = '!!! note "t"\n    a\n    ===\n\n        code\n\n- a\n- b\n\n$$\nx\n=\n$$\n\n# End\n'
    lines = text.split("\n")
    found = scan(lines)
    assert found.is_certain
    assert found == parsed_structure(lines, 0)
    assert found.items == ((6, 7), (7, 8))
