"""What a page holds does nothing in the browser: no dialog, no request, no script."""

from __future__ import annotations

XSS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<img src=https://evil.example/a.png>",
    "![a](https://evil.example/b.png)",
    "![[https://evil.example/c.png]]",
    "<svg onload=alert(1)><a xlink:href=javascript:alert(1)><text y=20>x</text></a></svg>",
    "[a](javascript:alert(1))",
    "[a](&#106;avascript:alert(1))",
    "[b](JaVaScRiPt:alert(1))",
    "[c](data:text/html,<script>alert(1)</script>)",
    "<a href='vbscript:msgbox(1)'>d</a>",
    "<iframe src=https://evil.example></iframe>",
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
    "<object data=https://evil.example/o></object><embed src=https://evil.example/e>",
    "<link rel=stylesheet href=https://evil.example/s.css><style>@import 'https://evil.example/t'</style>",
    "<meta http-equiv=refresh content='0;url=https://evil.example'>",
    "<base href=https://evil.example/>",
    "<form action=https://evil.example><button autofocus onfocus=alert(1)>go</button></form>",
    "<details open ontoggle=alert(1)>x</details>",
    "<video poster=https://evil.example/p><source onerror=alert(1)></video>",
    "<audio src=https://evil.example/a.mp3 autoplay></audio>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table>",
    "<p style='background:url(https://evil.example/u)'>x</p>",
    "<x onpointerenter=alert(1) tabindex=1 autofocus onfocus=alert(1)>y</x>",
    "$\\href{javascript:alert(1)}{x}$ $\\text{<img src=x onerror=alert(1)>}$",
    '```"><img src=x onerror=alert(1)>\ncode\n```',
    '> [!"><img src=x onerror=alert(1)>] title',
    "[[x|<img src=x onerror=alert(1)>]] #<img/src=x/onerror=alert(1)>",
    "`<img src=x onerror=alert(1)>` ~~<b onmouseover=alert(1)>z</b>~~",
]


POST = """(address) => fetch(address, {
  method: "POST", headers: {"content-type": "application/json"}, body: "{}"
}).then((answer) => answer.status)"""


def test_no_page_runs_a_script_or_asks_anybody(root, serve, open_tab):
    body = "\n\n".join(XSS)
    (root / "xss.md").write_text(
        f"---\ntitle: '<img src=x onerror=alert(1)>'\n---\n# H\n\n{body}\n"
    )
    (root / "b.md").write_text(f"# <img src=x onerror=alert(2)>\n\n[[xss]] {XSS[1]} heron\n")
    tab = open_tab(serve())
    for address in (
        "/p/xss.md",
        "/p/b.md",
        "/",
        "/search?q=heron",
        "/tags",
        "/check",
        "/edit/xss.md",
    ):
        tab.go(address)
        tab.page.wait_for_timeout(150)
    tab.go("/p/b.md")
    tab.page.focus(".prose a[data-page]")
    tab.page.keyboard.press("p")
    tab.wait(".peek")
    tab.go("/search?q=<img+src=x+onerror=alert(3)>")
    assert (
        tab.page.evaluate(
            "() => document.querySelectorAll('main script, main iframe, main object').length"
        )
        == 0
    )
    tab.require_clean()


def test_no_request_leaves_the_machine(vault_tab):
    for address in ("/", "/p/wiki/heron.md", "/edit/wiki/heron.md", "/recall?q=heron", "/check"):
        vault_tab.go(address)
    assert vault_tab.asked
    assert vault_tab.strangers() == []


def test_without_the_key_nothing_is_told(browser, served_vault):
    with browser.new_context() as context:
        page = context.new_page()
        answer = page.goto(served_vault.address("/p/wiki/heron.md"))
        assert answer.status == 401
        assert "shallow" not in page.content()


def test_the_address_with_the_key_opens_the_tab_that_asked_for_it(browser, served_vault):
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(served_vault.address("/"))
        page.goto(served_vault.entrance)  # the same page but for the fragment: nothing is loaded
        page.wait_for_selector("#state[data-kind]", state="attached")
        assert "key" not in page.url
        page.goto(served_vault.entrance)
        page.wait_for_function("() => !location.hash")
        page.wait_for_selector("#state[data-kind]", state="attached")


def test_read_only_changes_no_byte(root, write_blocks, serve, open_tab):
    write_blocks(
        "--- memwiki.toml ---\n[catalog]\nenabled = true\n"
        "--- wiki/tea.md ---\n# Tea\n\n- [ ] boil\n"
    )

    def files():
        return {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}

    before = files()
    tab = open_tab(serve("--read-only"))
    for address in ("/", "/p/wiki/tea.md", "/recall?q=tea", "/today", "/check", "/log"):
        tab.go(address)
    assert tab.page.locator("a[href^='/edit/']").count() == 0
    tab.go("/edit/wiki/tea.md")
    assert "read-only" in tab.text("#writing .notice")
    tab.page.focus(".cm-content")
    tab.page.keyboard.type("x")
    tab.page.keyboard.press("Control+s")
    for address in ("/api/write", "/api/undo", "/api/entry", "/api/task"):
        assert tab.page.evaluate(POST, address) == 405
    assert files() == before
