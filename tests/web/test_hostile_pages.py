"""Whatever a page holds, nothing off the list reaches a browser: checked by another parser."""

from __future__ import annotations

import random

import pytest

from memwiki.web.markdown import draw
from memwiki.web.markdown_clean import ATTRIBUTES, ELEMENTS, formula, sanitise
from tests.effort import tries

html5lib = pytest.importorskip("html5lib")

CORPUS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)><a xlink:href=javascript:alert(1)>x</a></svg>",
    "<math><mtext><table><mglyph><style><!--</style>"
    "<img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<math><mi><table><mglyph><svg><mtext><style><path id='</style><img onerror=alert(1) src>'>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href='java\nscript:alert(1)'>x</a>",
    "<a href=' data:text/html,<script>alert(1)</script>'>x</a>",
    "<a href='vbscript:x'>x</a>",
    "<a href='//evil.example'>x</a>",
    "<a href='/api/undo'>x</a>",
    "<a href='/static/../api'>x</a>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=x></object><embed src=x>",
    "<base href='https://evil.example/'>",
    "<meta http-equiv=refresh content='0;url=https://evil.example'>",
    "<link rel=stylesheet href=https://evil.example>",
    "<style>*{background:url(https://evil.example)}</style>",
    "<p style='position:fixed'>x</p>",
    "<p class='top suggestions'>x</p>",
    "<p id=q>x</p><a name=main>y</a>",
    "<input type=password name=key>",
    "<button formaction=//evil.example>x</button>",
    "<video src=https://evil.example/v poster=https://evil.example/p></video>",
    "<img src='https://evil.example/p.png' srcset='https://evil.example/2 2x'>",
    "<img src='/file/../api/undo'>",
    "<details open ontoggle=alert(1)>x</details>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<template><script>alert(1)</script></template>",
    "<annotation-xml encoding='text/html'><script>alert(1)</script></annotation-xml>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "![x](javascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x]: javascript:alert(1)\n\n[x]",
    "<javascript:alert(1)>",
    "[[x|<img src=x onerror=alert(1)>]]",
    "[[<script>alert(1)</script>]]",
    "![[<img src=x onerror=alert(1)>.png|1]]",
    '[x](water.md"onmouseover=alert(1) x=")',
    "[a](memwiki:0) [b](memwiki:99999999999) [c](memwiki-tag:<script>)",
    "> [!<img src=x onerror=alert(1)>] x",
    "> [!note]- <img src=x onerror=alert(1)>\n> y",
    '!!! note "<img src=x onerror=alert(1)>"\n    y',
    ":::note[<img src=x onerror=alert(1)>]\ny\n:::",
    "$\\text{<img src=x onerror=alert(1)>}$",
    "$\\href{javascript:alert(1)}{x}$ $\\unicode{x}$",
    "$$\\text{</math><script>alert(1)</script>}$$",
    "$</math><img src=x onerror=alert(1)>$",
    "```<script>\nx\n```",
    '```"onmouseover=alert(1)\nx\n```',
    "# <img src=x onerror=alert(1)> {#x onclick=alert(1)}",
    'x ^b"onmouseover=alert(1)',
    "- [ ] <img src=x onerror=alert(1)>",
    "#tag<script>alert(1)</script>",
    "[k:: <img src=x onerror=alert(1)>]",
    "==<img src=x onerror=alert(1)>==",
    "%%<script>%%alert(1)</script>",
    "{{embed [[<script>alert(1)</script>]]}}",
    "((<script>))",
    "a[^<script>]\n\n[^<script>]: <script>alert(1)</script>",
    "<!-- --!><img src=x onerror=alert(1)> -->",
    "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "<?php <img src=x onerror=alert(1)> ?>",
    "<p title='`<img src=x onerror=alert(1)>`'>",
]
PIECES = [
    *CORPUS,
    *"< > \" ' ` & / = \\ [ ] ( ) { } ! $ $$ | - * _ ~ # ^ % : \n \n\n \t".split(" "),
    *"<math> </math> <mtext> <svg> </svg> <style> </style> <table> <a <b> <p <!-- -->".split(" "),
    "href=", "src=", "onerror=", "javascript:", "&lt;", "&#x3c;", "\x00", "\u2028", "\ufeff",
]  # fmt: skip
_NAMESPACES = ("{http://www.w3.org/1999/xhtml}", "{http://www.w3.org/1998/Math/MathML}")


def off_the_list(html: str) -> list[str]:
    """Elements and attributes that a browser would find, and that we allow nobody."""
    found = []
    for element in html5lib.parseFragment(html).iter():
        if not isinstance(element.tag, str):
            found.append("a comment")
            continue
        name = element.tag
        for space in _NAMESPACES:
            name = name.removeprefix(space)
        if name not in ELEMENTS and name != "DOCUMENT_FRAGMENT":
            found.append(name)
        allowed = ATTRIBUTES.get(name, set()) | ATTRIBUTES["*"] | {"rel", "xmlns"}
        found += [f"{name} {key}" for key in element.attrib if key not in allowed]
        found += filter(None, (_why_bad(name, *pair) for pair in element.attrib.items()))
    return found


def _why_bad(name: str, key: str, value: str) -> str:
    begins = {
        "href": tuple("/p/ /file/ /edit/ /m/ /search? /new? # http:// https:// mailto:".split()),
        "src": ("/file/",),
        "id": ("h-", "b-", "fn"),
        "class": ("md-",),
    }.get(key)  # fmt: skip
    values = value.split() if key == "class" else [value.lower()]
    is_good = begins is None or all(each.startswith(begins) for each in values)
    return "" if is_good else f"{name} {key}={value}"


def mixtures(space, count, seed=28):
    """So many pages of pieces after one another, as they are drawn."""
    chance = random.Random(seed)
    for _ in range(count):
        text = "".join(chance.choices(PIECES, k=chance.randint(2, 12)))
        page = space.pages.drawing("page", text=f"# Page\n\n{text}\n")
        yield str(draw(page, lambda *_: None))


def test_nothing_of_a_hostile_page_runs(put, ws):
    put("water.md", "# Water\n")
    for number, text in enumerate(CORPUS):
        put(f"page-{number}.md", f"# Page\n\n{text}\n\nafter\n")
    for number, text in enumerate(CORPUS):
        html = str(draw(ws.pages.drawing(f"page-{number}.md"), lambda *_: None))
        assert off_the_list(html) == [], text


def test_any_mixture_of_hostile_pieces_stays_on_the_list(put, ws):
    """A twin of the corpus, by seed: pieces after one another, in every dialect's forms."""
    put("page.md", "# Page\n")
    for html in mixtures(ws, tries(150)):
        assert off_the_list(html) == [], html


def test_any_mixture_is_sanitised_by_itself():
    chance = random.Random(29)
    for _ in range(tries(400)):
        text = "".join(chance.choices(PIECES, k=chance.randint(1, 10)))
        assert off_the_list(str(sanitise(text))) == [], text


def test_any_formula_stays_on_the_list():
    chance = random.Random(30)
    pieces = [
        *PIECES,
        *(r"\frac \text \begin{matrix} \end{matrix} \left( ^ _ { } & \\ \href".split()),
    ]
    for _ in range(tries(150)):
        text = "".join(chance.choices(pieces, k=chance.randint(1, 8)))
        html = formula(text, {"display_mode": bool(chance.randint(0, 1))})
        assert off_the_list(str(sanitise(html))) == [], text


def test_the_oracle_sees_what_is_bad():
    assert off_the_list("<img src=x onerror=alert(1)>") != []
    assert off_the_list("<a href='javascript:alert(1)'>x</a>") != []
    assert off_the_list("<p class=top>x</p>") != []
