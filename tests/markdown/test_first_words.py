"""What a page without a description is described by: its first words that say what it is about."""

from hypothesis import given
from hypothesis import strategies as st

from memwiki.markdown.describe import first_paragraph
from memwiki.markdown.structure import structure_of
from tests.effort import for_each

PROSE = "The heron stands in shallow water."
NO_PROSE = {
    "inline fields": "up:: [[Birds]]\nstatus:: seedling",
    "a bold field": "**up**:: [[Birds]]",
    "a field in brackets": "[up:: [[Birds]]] (rating:: 5)",
    "source and licence": "Source: [Wikipedia](https://example.org) License: CC-BY",
    "a licence": "This page is licensed under CC BY-SA 4.0.",
    "a copyright": "© 2024 Anna Bell",
    "labels below each other": "Plugin ID: `tabout`\nMaker: [[phibr0]]\nMobile: No",
    "a Chinese label": "来源：[维基百科](https://example.org)",
    "a Japanese label": "著者：山田",
    "links only": "[[Birds]] | [Nests](nests.md) | <https://example.org>",
    "one link": "[Read the whole story of herons](herons.md)",
    "the way back": "← Back to [[Home]]",
    "a way in Chinese": "上一篇：[[苍鹭]] 下一篇：[[白鹭]] 返回[[目录]]",
    "a way in Japanese": "[前へ](a.md) | [目次](b.md) | [次へ](c.md)",
    "breadcrumbs": "Home > Animals > Birds",
    "linked breadcrumbs": "[[Home]] » [[Animals]] » Birds",
    "badges": "[![Build](https://a/b.svg)](https://a) [![Docs](c.svg)](d)",
    "an image": "![[heron.png|300]]",
    "html": "<p align='center'><img src='a.png'></p>",
    "html in a line": "&nbsp; <br/>",
    "a table without bars at its ends": "Name | Size\n--- | ---\nGrey | 90 cm",
    "a table": "| Name | Size |\n| --- | --- |\n| Grey | 90 cm |",
    "a template": "{{< toc >}}\n{% include nav.html %}\n{{date}}",
    "tags": "#birds #water/fresh",
    "a date": "2024-05-01",
    "a dated line": "*Last updated on May 3, 2024.*",
    "a Chinese date": "更新于 2024年5月1日",
    "who wrote it": "By Anna Bell",
    "a version": "Version 0.2",
    "the head of a list": "**Main features** ⚙:",
    "the head of a Chinese list": "主要特性：",
    "the head of a list in bold": "**Methods:**",
    "a heading in bold": "**Quick links**",
    "what a plugin shows": "**Kind:** `= this.kind` | **Size:** `INPUT[text:size]`",
    "the notice of a drawing": "==⚠  Switch to EXCALIDRAW VIEW in the MORE OPTIONS menu. ⚠==",
    "code of a template": "<%*\nconst nest = await tp.system.prompt('Nest')\n-%>",
    "a link with attributes": "[:icon-code:][_herons]{: .source-link }",
    "an item over lines": "- where herons nest (one of\nreed / tree)",
    "an item with its rest indented": "1. where herons nest (one of\n   reed / tree)",
    "a quotation over lines": "> Grey, and tall,\nand patient.",
    "a block id": "^button-1",
    "a comment over lines": "%% draft\nnot yet said %%",
    "a formula": "$$\nE = mc^2\n$$",
    "an admonition": "!!! note\n::: tip",
    "a diagram of Azure": "::: mermaid\ngraph LR\nA --> B\n:::",
    "a snippet and a tab of PyMdown": '--8<-- "abbr.md"\n\n=== "pip"',
    "a notice of docsify": "!> **Take care** of it",
    "a block of PyMdown": "/// note | For birds\n///",
    "a table of contents": "[TOC]\n**Table of contents**",
    "what MyST calls a place": "(heron-nests)=",
    "a comment of MyST": "% not yet said\n% at all",
    "attributes of kramdown": "{: .no_toc }\n{:toc}",
    "a title in a line": "Title: Heron nests",
    "an empty item": "-",
    "an emoji": "🪶🪶",
    "code of a page": "import Nest from './nest'",
    "styles of a page": "import './nest.css'",
    "code of a page over lines": "import React, {\n  useState,\n} from 'react'",
}


def described(text: str) -> str:
    lines = text.split("\n")
    return first_paragraph(lines, 0, structure_of(lines, 0))


@for_each("text", NO_PROSE.values())
def test_what_is_no_prose_does_not_describe_a_page(text):
    assert described(f"# Heron\n\n{text}\n") == ""
    assert described(f"{text}\n\n{PROSE}\n") == PROSE


@for_each(
    "text",
    [
        PROSE,
        "苍鹭站在浅水里：一动不动。",
        "Note: herons are shy.",
        "Good news: the [heron](heron.md) is back.",
        "Herons differ from storks in the following:",
        "Herons, egrets and bitterns > all of them > eat fish.",
        "`std::vector` is a list of values.",
        "See [the notes](a.md) for how herons nest.",
        "On May 3, 2024 the first heron came.",
        "By far the largest of all herons.",
        "Copyrights and licences of photos are a matter for lawyers.",
        "2024 was a good year for herons.",
        "Import data from a file or a sheet.",
        "**Do not feed.**",
        "`= 5` is no sum.",
    ],
)
def test_prose_that_looks_a_little_like_it_does(text):
    assert described(text) != ""


@for_each(
    ("text", "words"),
    [
        (f"up:: [[Birds]]\n{PROSE}", PROSE),
        (f"Source: [[a]]\nLicense: MIT\n{PROSE}\nIt waits.", f"{PROSE} It waits."),
        (f"{PROSE}\nrating:: 5\nmore", PROSE),
        (f"{PROSE} ^block-1", PROSE),
        (f"{PROSE}\n{{: .lead }}\n", PROSE),
        (f"{PROSE} [rating:: 5]", PROSE),
        (f"---\n{PROSE}", PROSE),
        (f"**Summary**: {PROSE}\n\n**Sources**: a.md", PROSE),
        (f"**Summary:** {PROSE}\nIt waits.\n**Sources**: a.md\n**Tags**: b", f"{PROSE} It waits."),
        (f"TL;DR: {PROSE}", PROSE),
        (f"* * *\n{PROSE}", PROSE),
        (f">\n{PROSE}", PROSE),
        (f"Look at\n[the pond](pond.md)\nand wait.\n\n{PROSE}", "Look at the pond and wait."),
    ],
)
def test_around_the_prose_of_a_paragraph_the_rest_is_left_out(text, words):
    assert described(text) == words


pieces = st.sampled_from(
    [
        *(
            "a:: ",
            "b: ",
            "\n",
            "\n\n",
            "[[",
            "]]",
            "[",
            "](",
            ")",
            "![",
            "#",
            "2024-05",
            " > ",
            " | ",
        ),
        *(
            "{{",
            "}}",
            "%%",
            "$$",
            "<b",
            ">",
            "中：",
            "By ",
            "☃",
            "\ud800",
            "\u0301",
            "- ",
            "*",
            " ^x",
        ),
    ]
)


@given(st.lists(pieces, max_size=60).map("".join))
def test_any_text_has_words_or_none(text):
    words = described(text)
    assert "\n" not in words
    assert len(words) <= 300
    assert words == "" or any(character.isalpha() for character in words)
