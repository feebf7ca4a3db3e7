"""A move keeps every link true: what led to a page leads to it still, written as it was written."""

import os
import posixpath
import sys
from collections import Counter
from pathlib import Path

import pytest

import memwiki
from memwiki.errors import (
    AlreadyExistsError,
    AmbiguousError,
    ConflictError,
    MemwikiError,
    NotEditableError,
    NotFoundError,
    UnsafePathError,
    UsageError,
)
from tests.effort import for_each


def text(root, path):
    return (root / path).read_bytes().decode()


# --- how a link is written afterwards ------------------------------------------------------------


def test_a_link_keeps_its_style(ws, put, root):
    links = [
        ("[[old]]", "[[old]]", "[[new]]", "[[new]]"),
        ("[[old.md]]", "[[old.md]]", "[[new.md]]", "[[new.md]]"),
        ("[[old#H|text]]", "[[old#H|text]]", "[[new#H|text]]", "[[new#H|text]]"),
        ("![[old#^b]]", "![[old#^b]]", "![[new#^b]]", "![[new#^b]]"),
        ("[[wiki/a/old]]", "[[wiki/b/old]]", "[[wiki/a/new]]", "[[wiki/b/new]]"),
        ("[[/wiki/a/old]]", "[[/wiki/b/old]]", "[[/wiki/a/new]]", "[[/wiki/b/new]]"),
        ("[[a/old]]", "[[b/old]]", "[[a/new]]", "[[b/new]]"),
        ("[[./a/old]]", "[[./b/old]]", "[[./a/new]]", "[[./b/new]]"),
        ("[[The title]]", "[[The title]]", "[[The title]]", "[[The title]]"),
        ("[[the-title#H]]", "[[the-title#H]]", "[[the-title#H]]", "[[the-title#H]]"),
        ("[[other name]]", "[[other name]]", "[[other name]]", "[[other name]]"),
        ("[t]([[old]])", "[t]([[old]])", "[t]([[new]])", "[t]([[new]])"),
        ("[t](a/old.md)", "[t](b/old.md)", "[t](a/new.md)", "[t](b/new.md)"),
        ("[t](./a/old.md#h)", "[t](./b/old.md#h)", "[t](./a/new.md#h)", "[t](./b/new.md#h)"),
        (
            "[t](../wiki/a/old.md)",
            "[t](../wiki/b/old.md)",
            "[t](../wiki/a/new.md)",
            "[t](../wiki/b/new.md)",
        ),
        (
            "[t](/wiki/a/old.md 'T')",
            "[t](/wiki/b/old.md 'T')",
            "[t](/wiki/a/new.md 'T')",
            "[t](/wiki/b/new.md 'T')",
        ),
        ("[t](wiki/a/old)", "[t](wiki/b/old)", "[t](wiki/a/new)", "[t](wiki/b/new)"),
        ("[t](<a/old.md>)", "[t](<b/old.md>)", "[t](<a/new.md>)", "[t](<b/new.md>)"),
        (
            "[t][r]\n\n[r]: a/old.md",
            "[t][r]\n\n[r]: b/old.md",
            "[t][r]\n\n[r]: a/new.md",
            "[t][r]\n\n[r]: b/new.md",
        ),
        ("[[Label|a/old#H]]", "[[Label|b/old#H]]", "[[Label|a/new#H]]", "[[Label|b/new#H]]"),
        (
            "| [[Label\\|old.md]] |",
            "| [[Label\\|old.md]] |",
            "| [[Label\\|new.md]] |",
            "| [[Label\\|new.md]] |",
        ),
        ("[[old|a/old]]", "[[old|a/old]]", "[[new|a/old]]", "[[new|a/old]]"),
        ("- uses [[old]]", "- uses [[old]]", "- uses [[new]]", "- uses [[new]]"),
        (
            "[t](a/old.html#h)",
            "[t](b/old.html#h)",
            "[t](a/new.html#h)",
            "[t](b/new.html#h)",
        ),
        (
            "[t](/wiki/a/old.htm)",
            "[t](/wiki/b/old.htm)",
            "[t](/wiki/a/new.htm)",
            "[t](/wiki/b/new.htm)",
        ),
        ("[t](../a/old/)", "[t](../b/old/)", "[t](../a/new/)", "[t](../b/new/)"),
        ("`[[old]]` <!-- [[old]] --> $[[old]]$", *["`[[old]]` <!-- [[old]] --> $[[old]]$"] * 3),
    ]
    put("wiki/a/old.md", "---\ntitle: The title\naliases: [other name]\n---\ntext ^b\n")
    for number, (link, *_) in enumerate(links):
        put(f"wiki/page {number}.md", f"{link}\n")
    for way, new in enumerate(("wiki/b/", "wiki/a/new", "wiki/b/new.md"), 1):
        ws.pages.move("wiki/a/old.md", new)
        for number, each in enumerate(links):
            assert text(root, f"wiki/page {number}.md") == f"{each[way]}\n", (each[0], new)
        ws.pages.move("The title", "wiki/a/old.md")
        for number, (link, *_) in enumerate(links):
            assert text(root, f"wiki/page {number}.md") == f"{link}\n", (link, new)


def test_an_address_leads_where_it_led_when_its_page_moves(ws, root):
    """
    --- docs/a.md ---
    [b](b.html#x) [c](../sub/c/) [n](sub/index.html)
    --- docs/b.md ---
    b
    --- docs/sub/c.md ---
    c
    --- docs/sub/README.md ---
    n
    """
    before = text(root, "docs/a.md")
    ws.pages.move("docs/a.md", "docs/new/z.md")
    assert text(root, "docs/new/z.md") == (
        "[b](../b.html#x) [c](../../sub/c/) [n](../sub/index.html)\n"
    )
    assert len(ws.graph.links("docs/new/z.md", direction="out").links) == 3
    ws.pages.move("docs/sub/README.md", "docs/sub/start.md")
    assert text(root, "docs/new/z.md").endswith("[n](../sub/start.html)\n")
    ws.pages.move("docs/sub/start.md", "docs/sub/README.md")
    ws.pages.move("docs/new/z.md", "docs/a.md")
    assert text(root, "docs/a.md") == before


def test_what_a_page_says_of_folders_stays_when_it_gets_another_name_in_its_own(ws, root):
    """
    --- guide/README.md ---
    guide
    --- guide/app/README.md ---
    app
    --- guide/app/p.md ---
    [a](../) [b](..) [c](./) [d](../index.html) [e](.) [f](../README.html)
    """
    before = text(root, "guide/app/p.md")
    ws.pages.move("guide/app/p.md", "guide/app/q.md")
    assert text(root, "guide/app/q.md") == before


def test_the_address_of_a_folder_stays_one(ws, root):
    """
    --- docs/guide/a.md ---
    [p](../../api/)
    --- docs/api/README.md ---
    p
    """
    ws.pages.move("docs/api/README.md", "docs/more/README.md")
    assert text(root, "docs/guide/a.md") == "[p](../../more/)\n"
    ws.undo()
    assert text(root, "docs/guide/a.md") == "[p](../../api/)\n"


def test_a_path_from_the_root_of_a_site_stays_one(ws, root):
    """
    --- notes.md ---
    [l](/functions/lang/) [l](/functions/lang.html#h) [p](/pipes/) [m](/pipes/_index.md)
    --- content/en/functions/lang.md ---
    [p](/pipes/)
    --- content/en/pipes/_index.md ---
    p
    """
    before = text(root, "notes.md")
    ws.pages.move("content/en/functions/lang.md", "content/en/more/language.md")
    ws.pages.move("content/en/pipes/", "content/en/more/pipes/")
    assert text(root, "notes.md") == (
        "[l](/more/language/) [l](/more/language.html#h) [p](/more/pipes/) "
        "[m](/more/pipes/_index.md)\n"
    )
    ws.pages.move("content/en/more/language.md", "content/en/functions/lang.md")
    ws.pages.move("content/en/more/pipes/", "content/en/pipes/")
    assert text(root, "notes.md") == before
    ws.pages.move("content/en/functions/lang.md", "other/lang.md")
    assert text(root, "notes.md").startswith("[l](/other/lang/) [l](/other/lang.html#h) ")


def test_a_name_in_the_place_of_a_label_follows_and_the_label_stays(ws, root):
    """
    --- notes/lang.python.md ---
    text
    --- page.md ---
    ---
    related: ["[[Python|lang.python]]"]
    ---
    [[Python|lang.python#Use]] [[Python|lang.python]], [[Python|the language]]
    """
    before = text(root, "page.md")
    ws.pages.move("lang.python", "snakes")
    assert text(root, "page.md") == (
        '---\nrelated: ["[[Python|notes/snakes]]"]\n---\n'
        "[[Python|notes/snakes#Use]] [[Python|notes/snakes]], [[Python|the language]]\n"
    )
    assert len(ws.graph.links("snakes", direction="in").links) == 3
    ws.undo()
    assert text(root, "page.md") == before


def test_links_on_the_page_lead_where_they_led(ws, root):
    """
    --- wiki/a.md ---
    [self](a.md#h) [[a#H]] [[#H]] [b](b.md) [up](../top.md) ![](img/i.png) [b](/wiki/b.md) [[b]] [[wiki/b]]
    [code](../src/x.py) [yet to come](later.md) [dir](img/) [word](word) [x](https://x.org/b.md)

    [r]: b.md
    --- wiki/b.md ---
    b
    --- top.md ---
    top
    --- wiki/img/i.png ---
    x
    """
    before = text(root, "wiki/a.md")
    ws.pages.move("a", "notes/deep/z")
    assert text(root, "notes/deep/z.md") == (
        "[self](z.md#h) [[z#H]] [[#H]] [b](../../wiki/b.md) [up](../../top.md) "
        "![](../../wiki/img/i.png)"
        " [b](/wiki/b.md) [[b]] [[wiki/b]]\n"
        "[code](../../src/x.py) [yet to come](../../wiki/later.md) [dir](../../wiki/img/) "
        "[word](word)"
        " [x](https://x.org/b.md)\n\n[r]: ../../wiki/b.md\n"
    )
    ws.pages.move("notes/deep/z.md", "wiki/a.md")
    assert text(root, "wiki/a.md") == before


def test_a_name_that_two_pages_have_afterwards_is_written_with_as_much_path_as_it_needs(ws, root):
    """
    --- a/one.md ---
    one
    --- b/two.md ---
    two
    --- c/page.md ---
    [[one]] [[two]]
    """
    ws.pages.move("one", "d/two.md")
    assert text(root, "c/page.md") == "[[d/two]] [[two]]\n"
    assert [row.target for row in ws.graph.links("c/page.md", direction="out").links] == [
        "d/two.md",
        "b/two.md",
    ]


def test_links_that_a_new_name_would_steal_are_written_so_that_it_does_not(ws, root):
    """
    --- a/one.md ---
    one
    --- x/two.md ---
    two
    --- a/page.md ---
    [[two]] [[Two]]
    --- q.md ---
    ---
    title: three
    ---
    --- r.md ---
    [[three]]
    """
    edited = ws.pages.move("one", "a/two.md")
    assert text(root, "a/page.md") == "[[x/two]] [[x/Two]]\n"
    assert edited.notes == ()
    ws.pages.move("a/two.md", "three")
    assert text(root, "r.md") == "[[q]]\n"


def test_a_link_that_cannot_be_kept_true_refuses_the_move(ws, root):
    """
    --- a/one.md ---
    one
    --- x[y]/two.md ---
    two
    --- a/page.md ---
    [[two]]
    """
    with pytest.raises(
        AmbiguousError, match=r"a/page\.md:1: the link 'two' would mean a/two\.md"
    ) as caught:
        ws.pages.move("one", "two")
    assert caught.value.candidates == ("x[y]/two.md", "a/two.md")
    assert text(root, "a/page.md") == "[[two]]\n"
    assert (root / "a/one.md").exists()


def test_a_page_without_a_title_is_called_as_its_file(ws, root):
    """
    --- Green Tea.md ---
    drink
    --- page.md ---
    [[green-tea]] [[Green Tea]]
    """
    ws.pages.move("Green Tea", "Matcha Tea")
    assert text(root, "page.md") == "[[Matcha Tea]] [[Matcha Tea]]\n"


def test_a_heading_that_counts_because_of_the_file_name_is_no_title_under_another(ws, root):
    """
    --- green-tea.md ---
    A notice.

    # Green tea history
    --- page.md ---
    [[green-tea]] [[Green tea history]]
    """
    assert ws.pages.get("green-tea").title == "Green tea history"
    ws.pages.move("green-tea", "x")
    assert text(root, "page.md") == "[[x]] [[x]]\n"
    assert ws.pages.get("x").title == "X"
    assert ws.index.doctor(verify=True).equal
    ws.pages.move("x", "green-tea")
    assert ws.pages.get("green-tea").title == "Green tea history"
    assert ws.index.doctor(verify=True).equal


def test_a_link_by_file_name_in_another_case_does_not_come_to_hang_on_a_title(ws, root):
    """
    --- wiki/links.md ---
    # Links
    text
    --- page.md ---
    [[Links]] [[LINKS#Links|x]] [[Wiki/Links]] [t](Wiki/Links.md) ![[Links.md]] [[a]](wiki/Links.md)
    """
    before = text(root, "page.md")
    ws.pages.move("wiki/links.md", "notes/")
    assert text(root, "page.md") == (
        "[[Links]] [[LINKS#Links|x]] [[notes/Links]] [t](notes/Links.md) ![[Links.md]]"
        " [[a]](notes/Links.md)\n"
    )
    ws.undo()
    ws.pages.move("wiki/links.md", "joints")
    assert text(root, "page.md") == (
        "[[joints]] [[joints#Links|x]] [[Wiki/joints]] [t](Wiki/joints.md) ![[joints.md]]"
        " [[a]](wiki/joints.md)\n"
    )
    assert [row.by for row in ws.graph.links("page", direction="out").links] == [
        "file name",
        "file name",
        "path",
        "relative path",
        "file name",
        "relative path",
    ]
    ws.undo()
    assert text(root, "page.md") == before


def test_a_title_that_holds_a_link_may_change_with_it(ws, root):
    """
    --- old.md ---
    x
    --- about.md ---
    # About [[old]]
    --- page.md ---
    [[old]] [[about-old]]
    --- other.md ---
    [[about-old]]
    """
    ws.pages.move("old", "fresh")
    assert text(root, "about.md") == "# About [[fresh]]\n"
    assert text(root, "page.md") == "[[fresh]] [[about]]\n"
    assert text(root, "other.md") == "[[about]]\n"


# --- where it goes -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("new", "path"),
    [
        ("b", "wiki/b.md"),
        ("b.md", "b.md"),
        ("My page", "wiki/My page.md"),
        ("v1.2", "wiki/v1.2.md"),
        ("notes/", "notes/a.md"),
        ("notes/deep/b", "notes/deep/b.md"),
        ("/b.md", "b.md"),
        ("there", "there/a.md"),
        ("x/b.markdown", "x/b.markdown"),
    ],
)
def test_a_new_place_is_a_path_a_folder_or_a_name(ws, root, put, new, path):
    put("wiki/a.md", "a\n")
    put("there/x.md")
    edited = ws.pages.move("a", new)
    assert edited.title == f"moved wiki/a.md -> {path}"
    assert text(root, path) == "a\n"
    assert not (root / "wiki/a.md").exists()


def test_a_move_that_cannot_be_is_refused_and_nothing_is_changed(ws, root, put):
    for path in ("a.md", "b.md", "x/twin.md", "y/twin.md", "dir/p.md"):
        put(path, f"{path}\n")
    (root / "empty").mkdir()
    before = sorted(root.rglob("*.md"))
    for old, new, error in [
        ("a", "b.md", AlreadyExistsError),
        ("a", "../out.md", UnsafePathError),
        ("a", ".hidden/a.md", UnsafePathError),
        ("a", " ", UsageError),
        ("nobody", "c", NotFoundError),
        ("nowhere/", "c/", NotFoundError),
        ("empty", "c/", NotFoundError),
        ("dir/", "dir/in/", UsageError),
        ("twin", "c", AmbiguousError),
    ]:
        with pytest.raises(error):
            ws.pages.move(old, new)
        assert sorted(root.rglob("*.md")) == before, (old, new, error)
        assert text(root, "b.md") == "b.md\n", (old, new, error)


def test_a_move_to_its_own_place_is_an_error_and_changes_nothing(ws, put, root):
    put("a.md", "[[a]]\n")
    put("w/b.md", "[[a]]\n")
    for old, new in [("a", "a.md"), ("a.md", "a"), ("w/", "w/"), ("w/b", "w/"), ("w/b.md", "w/b")]:
        with pytest.raises(UsageError, match="has this name already; nothing was moved"):
            ws.pages.move(old, new)
        assert text(root, "a.md") == "[[a]]\n", (old, new)


@pytest.mark.parametrize(("old", "new"), [("tea", "Tea"), ("cafe\u0301", "caf\u00e9")])
def test_a_name_may_change_in_case_or_unicode_form_only(ws, root, put, old, new):
    put(f"w/{old}.md", f"[t]({old}.md)\n")
    put("page.md", f"[[{old}]] [[{old.upper()}]] [t](w/{old}.md)\n")
    ws.pages.move(f"w/{old}.md", new)
    assert os.listdir(root / "w") == [f"{new}.md"]
    assert text(root, f"w/{new}.md") == f"[t]({new}.md)\n"
    assert text(root, "page.md") == f"[[{new}]] [[{old.upper()}]] [t](w/{new}.md)\n"
    ws.undo()
    assert os.listdir(root / "w") == [f"{old}.md"]


def test_a_folder_moves_with_its_pages_and_attachments(ws, root):
    """
    --- wiki/old/a.md ---
    [b](sub/b.md) ![](i.png) [c](../c.md) [[wiki/old/sub/b]]
    --- wiki/old/sub/b.md ---
    [a](../a.md)
    --- wiki/old/i.png ---
    x
    --- wiki/c.md ---
    [a](old/a.md) ![[i.png]] ![](old/i.png) [[old/a]] [d](old/)
    --- wiki/old/README.md ---
    in
    """
    before = {
        path: text(root, path) for path in ("wiki/c.md", "wiki/old/a.md", "wiki/old/sub/b.md")
    }
    edited = ws.pages.move("wiki/old", "new/place/")
    assert edited.title == "moved wiki/old/ -> new/place/"
    assert text(root, "new/place/a.md") == (
        "[b](sub/b.md) ![](i.png) [c](../../wiki/c.md) [[new/place/sub/b]]\n"
    )
    assert text(root, "new/place/sub/b.md") == "[a](../a.md)\n"
    assert text(root, "wiki/c.md") == (
        "[a](../new/place/a.md) ![[i.png]] ![](../new/place/i.png) [[place/a]] [d](../new/place/)\n"
    )
    assert not (root / "wiki/old").exists()
    ws.pages.move("new/place/", "wiki/old")
    assert {path: text(root, path) for path in before} == before


def test_a_file_that_is_no_page_moves_too(ws, root):
    """
    --- i.png ---
    x
    --- wiki/a.md ---
    ![](../i.png) ![[i.png|300]] [i](/i.png)
    """
    ws.pages.move("i.png", "assets/j.png")
    assert text(root, "wiki/a.md") == "![](../assets/j.png) ![[j.png|300]] [i](/assets/j.png)\n"


def test_links_in_html_lead_where_they_led_and_undo_gives_every_byte_back(ws, root):
    """
    --- wiki/a.md ---
    <p align=center>
      <IMG alt='img/i.png' SRC="../img/my%20i.png"></p>

    See <a
      href='b.md?q=1&r=2#part'>b.md</a>, <a href=b.md>b</a>, `<a href="b.md">` and
    <a href="https://x.org/b.md">x</a>, <a href="/wiki/b.md">y</a>.
    --- wiki/b.md ---
    # Part
    --- img/my i.png ---
    x
    """
    before = text(root, "wiki/a.md")
    assert [link.target for link in ws.graph.links("wiki/a.md")] == [
        *("img/my i.png", "wiki/b.md", "wiki/b.md", "wiki/b.md")
    ]
    assert [page.path for page in ws.graph.backlinks("wiki/b.md")] == ["wiki/a.md"]
    ws.pages.move("img/my i.png", "img/R&D.png")
    ws.pages.move("wiki/b.md", "notes/c.md")
    after = before.replace("my%20i.png", "R&D.png").replace("/wiki/b.md", "/notes/c.md")
    after = after.replace("='b.md?", "='../notes/c.md?").replace("=b.md>", "=../notes/c.md>")
    assert text(root, "wiki/a.md") == after
    ws.pages.move("wiki/a.md", "a.md")
    assert text(root, "a.md") == after.replace('"../', '"').replace("=../", "=").replace(
        "='../", "='"
    )
    for _ in range(3):
        ws.undo()
    assert text(root, "wiki/a.md") == before


def test_the_addresses_of_hugo_and_zola_follow_wherever_they_stand(ws, root):
    """
    --- content/docs/a.md ---
    [t]({{< ref "b.md" >}}) <a href="{{< relref "b.md#h" >}}">b</a> {{% ref path="/docs/b.md" %}}
    <a href='{{< ref "b" >}}'>b</a> [u] [v] [w](@/docs/b.md#h) `{{< ref "b.md" >}}`
    {{</* ref "b.md" */>}} {{< figure ref "b.md" >}}

    [u]: {{< ref "b.md" >}}
    [v]: @/docs/b.md "b.md"
    --- content/docs/b.md ---
    # h
    """
    before = text(root, "content/docs/a.md")
    assert [link.target for link in ws.graph.links("content/docs/a.md")] == [
        "content/docs/b.md"
    ] * 7
    ws.pages.move("content/docs/b.md", "content/docs/sub/c.md")
    after = text(root, "content/docs/a.md")
    assert after.splitlines() == [
        '[t]({{< ref "sub/c.md" >}}) <a href="{{< relref "sub/c.md#h" >}}">b</a>'
        ' {{% ref path="/docs/sub/c.md" %}}',
        '<a href=\'{{< ref "sub/c" >}}\'>b</a> [u] [v] [w](@/docs/sub/c.md#h) `{{< ref "b.md" >}}`',
        '{{</* ref "b.md" */>}} {{< figure ref "b.md" >}}',
        "",
        '[u]: {{< ref "sub/c.md" >}}',
        '[v]: @/docs/sub/c.md "b.md"',
    ]
    ws.undo()
    assert text(root, "content/docs/a.md") == before


def test_the_page_of_the_root_of_a_site_is_that_of_no_section(ws, root):
    """
    --- site/content/_index.md ---
    home
    --- site/content/blog/_index.md ---
    blog
    --- site/content/blog/a.md ---
    [h](@/_index.md) [b](@/blog/_index.md) [i]({{< ref "/_index" >}})
    --- other/_index.md ---
    other
    --- other/a.md ---
    [n](_index.md)
    --- notes.md ---
    [n](/_index.md)
    """
    links = ws.graph.links("site/content/blog/a.md", direction="out").links
    home, blog = "site/content/_index.md", "site/content/blog/_index.md"
    assert [link.target for link in links] == [home, blog, home]
    assert [link.target for link in ws.graph.links("notes.md", direction="out").links] == [""]
    before = text(root, "site/content/blog/a.md")
    ws.pages.move(home, "site/content/start.md")
    assert text(root, "site/content/blog/a.md") == (
        '[h](@/start.md) [b](@/blog/_index.md) [i]({{< ref "/start" >}})\n'
    )
    ws.pages.move("site/content/start.md", home)
    assert text(root, "site/content/blog/a.md") == before


def test_a_symlink_is_not_made_a_file(ws, root, put):
    put("a.md", "a\n")
    (root / "link.md").symlink_to("a.md")
    with pytest.raises(UsageError, match="symlink"):
        ws.pages.move("link.md", "b.md")
    assert (root / "link.md").is_symlink()


# --- alias, bytes, modes -------------------------------------------------------------------------


def test_the_old_name_can_be_kept_as_an_alias(ws, root):
    """
    --- old.md ---
    ---
    aliases: [first]  # names
    ---
    [[old]]
    --- page.md ---
    [[old]]
    """
    ws.pages.move("old", "new", keep_alias=True)
    assert text(root, "new.md") == "---\naliases: [first, old]  # names\n---\n[[new]]\n"
    assert text(root, "page.md") == "[[new]]\n"
    assert ws.pages.get("old").path == "new.md"


def test_every_other_byte_stays(ws, root, put):
    data = b"\xef\xbb\xbf---\r\nx:  'y' # z\r\n---\r\n\r\n[a](a.md)\t \r\n[[a]]\nno end [a](a.md)"
    put("a.md", "a\n")
    put("page.md", data)
    ws.pages.move("a", "b")
    assert (root / "page.md").read_bytes() == data.replace(b"a.md", b"b.md").replace(
        b"[[a]]", b"[[b]]"
    )


@pytest.mark.parametrize(
    ("data", "why"),
    [("[[a]]\n".encode("utf-16"), "UTF-16"), (b"\xff [[a]]\n", "UTF-8")],
)
def test_a_page_that_cannot_be_written_back_is_left_and_named(ws, root, put, data, why):
    put("a.md", "a\n")
    put("odd.md", data)
    (note,) = ws.pages.move("a", "b").notes
    assert note.startswith("odd.md:1: a is a broken link now; not rewritten (is")
    assert why in note
    assert (root / "odd.md").read_bytes() == data
    ws.pages.move("odd.md", "x/odd.md")
    assert (root / "x/odd.md").read_bytes() == data
    with pytest.raises(NotEditableError):
        ws.pages.move("odd", "odder", keep_alias=True)


def test_the_mode_of_a_file_moves_with_it(ws, root, put):
    put("a.md", "a\n")
    (root / "a.md").chmod(0o600)
    ws.pages.move("a", "x/b")
    assert (root / "x/b.md").stat().st_mode & 0o777 == 0o600
    ws.undo()
    assert (root / "a.md").stat().st_mode & 0o777 == 0o600


def test_a_dry_run_shows_a_rename_and_what_changes_in_it(ws, root, put):
    put("a.md", "one\n[[a]]\n")
    edited = ws.pages.move("a", "b", dry_run=True)
    assert edited.diff == (
        "rename from a.md\nrename to b.md\n--- a/a.md\n+++ b/b.md\n@@ -1,2 +1,2 @@\n "
        "one\n-[[a]]\n+[[b]]\n"
    )
    assert (root / "a.md").exists()


def test_a_move_is_undone_to_the_byte(ws, root):
    """
    --- a.md ---
    [b](b.md)
    --- b.md ---
    [[a]] [a](a.md)
    """
    ws.pages.move("a", "x/y/c", keep_alias=True)
    ws.undo()
    assert text(root, "a.md") == "[b](b.md)\n"
    assert text(root, "b.md") == "[[a]] [a](a.md)\n"
    assert not (root / "x/y/c.md").exists()


def test_sources_stay_as_they_came(ws, root, put, opened):
    put("memwiki.toml", '[layers]\nraw = "raw"\n')
    put("a.md", "a\n")
    put("raw/s.md", "[[a]] [a](../a.md)\n")
    (first, *others) = opened().pages.move("a", "b").notes
    assert first == "2 links no longer reach their page"
    assert (
        others[0] == "raw/s.md:1: a is a broken link now; not rewritten (sources are never changed)"
    )
    assert text(root, "raw/s.md") == "[[a]] [a](../a.md)\n"


def test_generated_catalogs_are_not_edited(ws, root):
    """
    --- a.md ---
    a
    --- index.md ---
    <!-- memwiki:catalog:begin -->
    - [a](a.md)
    <!-- memwiki:catalog:end -->
    """
    before = text(root, "index.md")
    assert "index.md" not in ws.pages.move("a", "b").paths
    assert text(root, "index.md") == before


@pytest.mark.parametrize("new", ["B.md", "DIR/a.md", "dir/C.md", "e\u0301.md"])
def test_a_name_that_some_disks_take_for_another_files_is_refused(ws, put, new):
    for path in ("a.md", "b.md", "dir/c.md", "\u00e9.md"):
        put(path, "# X\n")
    with pytest.raises(AlreadyExistsError):
        ws.pages.move("a.md", new)
    assert {page.path for page in ws.pages.list().pages} == {
        "a.md",
        "b.md",
        "dir/c.md",
        "\u00e9.md",
    }


# --- the walk of a move --------------------------------------------------------------------------


def test_a_move_is_one_call_into_its_room_and_calls_nobody_back(ws):
    """
    --- wiki/tea.md ---
    Of the [kettle](kettle.md).
    --- wiki/kettle.md ---
    For [[wiki/tea]].
    """
    rooms, crossings = Path(memwiki.__file__).parent, Counter()

    def room(frame):
        file = Path(frame.f_code.co_filename)
        return file.relative_to(rooms).parts[0] if file.is_relative_to(rooms) else ""

    def profile(frame, event, _):
        caller = frame.f_back
        while event == "call" and caller and not room(caller):
            caller = caller.f_back
        if event == "call" and caller:
            crossings[room(caller), room(frame)] += 1

    ws.sync()
    ws.pages.move("tea", "notes/", dry_run=True)  # what is imported late is there
    sys.setprofile(profile)
    ws.pages.move("tea", "notes/", dry_run=True)
    sys.setprofile(None)
    assert crossings["workspace", "commit"] == crossings["commit", "pages"] == 1
    assert crossings["pages", "index"] > 0
    assert not crossings["pages", "commit"] + crossings["index", "pages"]


def test_what_an_entry_says_it_is_about_follows_a_renamed_page(root, ws, put):
    put("wiki/entities/Old Name.md", "A person.\n")
    put(
        "memory.md",
        "- a [subject:: Old Name] [entities:: Tea, Old Name] `[subject:: Old Name]`\n"
        "  - topic:: [[Old Name]]\n",
    )
    before = text(root, "memory.md")
    ws.pages.move("Old Name", "New Name")
    assert text(root, "memory.md") == (
        "- a [subject:: New Name] [entities:: Tea, New Name] `[subject:: Old Name]`\n"
        "  - topic:: [[New Name]]\n"
    )
    ws.pages.move("New Name", "Old Name")
    assert text(root, "memory.md") == before


def test_entries_that_move_to_where_nothing_is_collected_are_no_broken_links(ws, put):
    put("memwiki.toml", '[layers]\ninbox = "inbox"\n')
    ws.reload()
    put("wiki/Anna.md", "A person.\n")
    put("inbox/a.md", "- a [subject:: Anna] [topic:: [[Anna]]]\n")
    assert ws.pages.move("inbox/a.md", "wiki/a.md").notes == ()


def test_a_relation_between_entries_is_left_as_it_is_when_their_pages_move(root, ws, put):
    before = "- a [because:: m-bbbbbb, ^m-cccccc 0.5] [so:: m-nobody] ^m-aaaaaa\n"
    put("a.md", before)
    put("^m-cccccc.md", "- b ^m-bbbbbb\n- c ^m-cccccc\n")
    put("sub/copy.md", "- b ^m-bbbbbb\n")
    assert ws.pages.move("^m-cccccc", "sub/c.md").notes == ()
    assert ws.pages.move("a", "sub/a.md").notes == ()
    assert text(root, "sub/a.md") == before


@pytest.mark.parametrize("name", ["{root}/../elsewhere", "../elsewhere", "wiki/../../elsewhere"])
def test_nobody_learns_whether_a_file_elsewhere_is_there(ws, root, name):
    asked = [f"{name.format(root=root)}/{file}" for file in ("secret.md", "folder", "nothing.md")]
    (root.parent / "elsewhere/folder").mkdir(parents=True)
    (root.parent / "elsewhere/secret.md").write_text("# Secret\n")
    told = []
    for each in asked:
        for verb in (lambda each: ws.pages.move(each, "Other"), ws.pages.delete):
            with pytest.raises(MemwikiError) as refused:
                verb(each)
            told.append((type(refused.value), str(refused.value).replace(each, "NAME")))
    assert told[:2] == told[2:4] == told[4:]


def test_an_undo_that_misses_the_moved_file_names_its_place(ws, root):
    """
    --- a.md ---
    text
    """
    ws.pages.move("a", "b")
    (root / "b.md").rename(root / "c.md")
    with pytest.raises(
        ConflictError, match=r"^b\.md \(not there any more\): changed since"
    ) as caught:
        ws.undo()
    assert caught.value.path == "b.md"
    assert [each.name for each in root.glob("*.md")] == ["c.md"]


# --- names that no link can hold ---


@pytest.fixture
def one_page(tmp_path):
    memwiki.Workspace.init(tmp_path / "w").close()
    ws = memwiki.Workspace.open(tmp_path / "w")
    ws.pages.new("Budget")
    yield ws
    ws.close()


def test_a_new_name_may_be_given_as_a_link(one_page):
    moved = one_page.pages.move("Budget", "[[Finance/Budget 2026]]")
    assert "Finance/Budget 2026.md" in moved.paths
    assert one_page.pages.new("[[Neue Seite]]").paths == ("wiki/concepts/neue-seite.md",)
    assert one_page.pages.get("Neue Seite").title == "Neue Seite"


@pytest.mark.parametrize("name", ["a[b]", "a#b", "wiki/a^b.md", "a|b/c", "[[a|b]]"])
def test_no_page_gets_a_name_that_no_link_can_hold(one_page, name):
    with pytest.raises(UnsafePathError, match="no link can hold"):
        one_page.pages.move("Budget", name)


@pytest.mark.parametrize("name", ["wiki/a[b].md", "wiki/a#b/c.md"])
def test_no_page_is_made_under_a_name_that_no_link_can_hold(one_page, name):
    with pytest.raises(UnsafePathError, match="no link can hold"):
        one_page.pages.new(name)
    with pytest.raises(UnsafePathError, match="no link can hold"):
        one_page.entries.add("Tea is hot.", to=name)


def test_what_has_such_a_name_already_is_moved_with_it_and_away_from_it(one_page):
    (one_page.root / "c#").mkdir()
    (one_page.root / "c#" / "a[1].md").write_text("# A\n")
    one_page.pages.move("c#/a[1].md", "wiki/")
    assert (one_page.root / "wiki" / "a[1].md").is_file()
    one_page.pages.move("wiki/a[1].md", "c#/b")
    assert (one_page.root / "c#" / "b.md").is_file()


def test_a_page_whose_name_begins_with_a_dot_moves_under_its_name(put, ws, root):
    put(".h.md", "z\n")
    put("d/n.md", "see [[.h]]\n")
    ws.pages.move(".h.md", "d/")
    ws.pages.move("d", "e")
    assert (root / "e/.h.md").read_bytes() == b"z\n"
    ws.pages.move("e/n", "e/.n")
    ws.pages.new("e/.k.md")
    assert sorted(each.name for each in (root / "e").iterdir()) == [".h.md", ".k.md", ".n.md"]
    with pytest.raises(UnsafePathError, match="hidden"):
        ws.pages.new(".e/n.md")


def test_a_ref_of_hugo_keeps_its_blanks_where_a_markdown_link_has_none(put, ws, root):
    put("my page.md", "# P\n\n## H\n")
    put(
        "a.md",
        '# A\n\n[t]({{< ref "my page.md#h" >}}) {{% relref "my page" %}} [u](my%20page.md)\n',
    )
    ws.pages.move("my page.md", "her page.md")
    assert (root / "a.md").read_text().splitlines()[2] == (
        '[t]({{< ref "her page.md#h" >}}) {{% relref "her page" %}} [u](her%20page.md)'
    )


def test_a_percent_and_a_question_mark_of_a_name_are_encoded_in_an_address(ws, put, root):
    put("100% sure.md", "# x\n")
    put("what?.md", "# y\n")
    put(
        "A.md",
        "[s](100%25%20sure.md) <a href='100%25%20sure.md'>s</a> [w](what?.md) [a](gone.md)\n",
    )
    ws.pages.move("100% sure", "99% sure")
    ws.pages.move("what?", "why?")
    assert text(root, "A.md") == (
        "[s](99%25%20sure.md) <a href='99%25%20sure.md'>s</a> [w](why%3F.md) [a](gone.md)\n"
    )
    put("A.md", "[w](why?.md) [q](why%3F.md?raw=1#top)\n")
    ws.pages.move("A.md", "sub/A.md")
    assert text(root, "sub/A.md") == "[w](../why%3F.md) [q](../why%3F.md?raw=1#top)\n"


def test_entities_in_the_target_of_a_link_are_read_and_written_anew(ws, put, root):
    put("A & B.md", "# z\n")
    put("d & e/f.md", "# f\n")
    put(
        "L.md",
        "[a](A%20&amp;%20B.md) [n](<A &#38; B.md#z>) [r] [d](d%20&amp;%20e/f.md)\n\n"
        "[r]: A%20&#x26;%20B.md\n\n[x](https://x.example/?a=1&copy=2&amp;b)\n",
    )
    broken = [each for each in ws.check.run().problems if each.code == "link-broken"]
    assert broken == []
    ws.pages.move("A & B", "A & C")
    ws.pages.move("d & e/f.md", "d & e/g.md")
    assert text(root, "L.md") == (
        "[a](A%20&%20C.md) [n](<A & C.md#z>) [r] [d](d%20&amp;%20e/g.md)\n\n"
        "[r]: A%20&%20C.md\n\n[x](https://x.example/?a=1&copy=2&amp;b)\n"
    )
    ws.pages.move("A & C", "R&amp;D")
    assert "[a](R%26amp;D.md) [n](<R%26amp;D.md#z>)" in text(root, "L.md")


def test_lists_of_sites_that_name_what_moved_are_told(opened, put):
    put("guide/setup.md", "# Setup\n")
    put("docs/guide/x.md", "# X\n")
    put("_toc.yml", "format: jb-book\nroot: intro\nchapters:\n- file: guide/setup\n")
    put("sidebars.js", "module.exports = {\n  docs: ['guide/x', 'intro'],\n}\n")
    pages = opened().pages
    assert pages.move("guide/setup.md", "guide/install.md").notes == (
        "_toc.yml:4: still names guide/setup; not changed",
    )
    assert pages.move("docs/guide/x.md", "docs/guide/y.md").notes == (
        "sidebars.js:2: still names guide/x; not changed",
    )


def test_links_to_a_page_with_a_hash_in_its_name_name_no_heading_when_it_loses_it(ws, root):
    """
    --- a#b.md ---
    # Hash
    --- p.md ---
    ---
    see: "[[a#b]]"
    ---
    [[a#b]] [[a#b|x]] [q](a%23b.md) [r](a%23b.md#hash) [w](a#b.md) [[a#other]] [[A#B]]
    """
    before = (root / "p.md").read_bytes()
    ws.pages.move("a#b.md", "c.md")
    after = b'---\nsee: "[[c]]"\n---\n[[c]] [[c|x]] [q](c.md) [r](c.md#hash) [w](a#b.md)'
    assert (root / "p.md").read_bytes() == after + b" [[a#other]] [[c]]\n"
    ws.undo()
    assert (root / "p.md").read_bytes() == before


def test_a_move_tells_which_layer_the_settings_go_on_naming(one_page):
    notes = one_page.pages.move("memory.md", "notes/me.md").notes
    assert (
        "the settings still name memory.md: memwiki config set layers.memory notes/me.md" in notes
    )
    notes = one_page.pages.move("wiki/", "pages/").notes
    assert "the settings still name wiki: memwiki config set layers.wiki pages" in notes
    assert one_page.pages.move("learnings", "wiki/").notes  # of a layer that is a file, too
    assert not one_page.pages.move("Budget", "Cost").notes


@for_each(("mark", "what"), [("app/.git/HEAD", "git repository"), (".obsidian/app.json", "vault")])
def test_a_folder_is_not_torn_from_what_makes_a_repository_or_vault_of_it(ws, put, mark, what):
    put("proj/app/README.md", "# App\n")
    put(f"proj/{mark}", "x")
    above, name = posixpath.split(posixpath.dirname(f"proj/{mark}"))
    for is_dry in (True, False):
        with pytest.raises(UsageError) as refused:
            ws.pages.move("proj", "done", dry_run=is_dry)
        assert (
            refused.value.message == f"{above}/: is a {what} of its own, and {name} would not move"
        )
        assert "mv" in refused.value.hint


def test_a_repository_that_stays_whole_hinders_no_move(ws, put, root):
    put("proj/a.md", "# A\n")
    put("proj/node_modules/x/.git/HEAD", "x")
    put("other/.git/HEAD", "x")
    ws.pages.move("proj", "done")
    assert (root / "proj/node_modules/x/.git/HEAD").exists()


def test_what_of_a_folder_does_not_move_is_told(ws, put, root):
    put("proj/a.md", "# A\n")
    put("proj/.venv/pyvenv.cfg", "x")
    (root / "proj/nothing").mkdir()
    (root / "proj/b.md").symlink_to("a.md")
    for is_dry in (True, False):
        notes = ws.pages.move("proj", "done", dry_run=is_dry).notes
        assert notes == (
            "left where they are, as they are outside the workspace: proj/.venv, proj/b.md",
        )
    assert (root / "done/a.md").exists()


def test_who_does_not_see_private_pages_is_not_told_that_they_stay(ws, put):
    put("proj/a.md", "# A\n")
    put("proj/b.md", "---\nprivate: true\n---\n# B\n")
    assert ws.public().pages.move("proj", "done").notes == ()
