"""A new page goes where its type belongs, says what was asked for, and is never put over
another."""

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memwiki.errors import (
    AlreadyExistsError,
    MemwikiError,
    NotEditableError,
    UnsafePathError,
    UsageError,
)
from memwiki.files.paths import contain
from memwiki.markdown.fields import is_form
from memwiki.markdown.parse import parse
from memwiki.markdown.titles import title_of
from memwiki.names import without_brackets
from memwiki.nouns import FrontMatterStatus, Layers, LinkKind
from memwiki.pages.new import TEMPLATES, PageRequest, aim, page_bytes
from memwiki.pages.page import file_name
from memwiki.workspace import Workspace
from tests.effort import for_each

LAYERS = Layers(wiki="wiki", daily="daily", sessions="sessions", raw="raw", inbox="inbox")
ADOPTED = Layers()
DAY = "2026-11-21"


def aimed(name, type_="", layers=LAYERS, folder="", **folders):
    inside = {"": ["wiki", "raw"], "wiki": []} | {
        key.replace("root", ""): v for key, v in folders.items()
    }
    return aim(PageRequest(name, type_), layers, folder, lambda place: inside.get(place, []))


def made(name="T", **asked):
    target = aimed(name, asked.pop("type", ""))
    data = page_bytes(
        target,
        PageRequest(name, target.type if asked.pop("is_typed", True) else "", **asked),
        DAY,
        LAYERS,
        10_000,
    )
    return data.decode()


@for_each(
    ("name", "type_", "target"),
    [
        ("Green tea", "", ("wiki/concepts/green-tea.md", "Green tea", "concept")),
        ("Anna", "person", ("wiki/people/anna.md", "Anna", "person")),
        ("Anna", "Person", ("wiki/people/anna.md", "Anna", "Person")),
        ("Plan", "decision", ("wiki/decisions/plan.md", "Plan", "decision")),
        ("Sales", "Big Query Table", ("wiki/sales.md", "Sales", "Big Query Table")),
        ("Kick-off", "session", ("sessions/kick-off.md", "Kick-off", "session")),
        ("2026-11-20", "daily", ("daily/2026-11-20.md", "2026-11-20", "daily")),
        ("TCP/IP", "", ("wiki/concepts/tcp-ip.md", "TCP/IP", "concept")),
        ("wiki/notes/green-tea.md", "", ("wiki/notes/green-tea.md", "", "page")),
        ("wiki/questions/why", "", ("wiki/questions/why.md", "", "question")),
        ("Wiki/why", "", ("Wiki/why.md", "", "page")),
        ("raw/paper.md", "source", ("raw/paper.md", "", "source")),
        ("tea.markdown", "", ("tea.markdown", "", "page")),
        ("Node.js", "", ("wiki/concepts/node-js.md", "Node.js", "concept")),
        ("cafe\u0301.md", "", ("café.md", "", "page")),
    ],
)
def test_a_page_goes_to_its_path_or_where_its_type_belongs(name, type_, target):
    assert aimed(name, type_) == target


def test_a_path_below_the_wiki_is_one_before_the_folder_is_there_too():
    assert aimed("wiki/x", root=[]).path == aimed("wiki/x").path == "wiki/x.md"
    assert aimed("TCP/IP", root=[]).path == "wiki/concepts/tcp-ip.md"
    assert aimed("wiki", root=[]).path == "wiki/concepts/wiki.md"


def test_the_folder_of_a_type_is_the_one_that_is_there():
    assert aimed("A", "person", wiki=["Person", "x"]).path == "wiki/Person/a.md"
    assert aimed("A", "person", wiki=["concepts"]).path == "wiki/people/a.md"


@for_each(
    ("name", "type_", "folder", "target"),
    [
        ("Green tea", "", "", ("green-tea.md", "Green tea", "page")),
        ("Green tea", "person", "", ("green-tea.md", "Green tea", "person")),
        ("Green tea", "", "Drinks/Hot", ("Drinks/Hot/green-tea.md", "Green tea", "page")),
        ("Green tea", "", "Concepts", ("Concepts/green-tea.md", "Green tea", "concept")),
    ],
)
def test_in_an_adopted_vault_it_goes_where_the_person_is(name, type_, folder, target):
    assert aimed(name, type_, ADOPTED, folder) == target


@for_each(
    "path",
    [
        "a:b.md",
        "wiki/what?.md",
        "wiki/.md",
        "wiki/index.md",
        "LOG.md",
        "~$a.md",
        "wiki/a (conflicted copy).md",
    ],
)
def test_no_page_is_made_that_nobody_would_find_or_could_store(path):
    with pytest.raises(UnsafePathError) as raised:
        aimed(path)
    assert raised.value.hint


@for_each(
    ("title", "name"),
    [
        ("Green Tea!", "green-tea"),
        ("  ...hidden", "hidden"),
        ("C++ & C#", "c-c"),
        ("中文 标题：测试", "中文-标题-测试"),
        ("हिन्दी भाषा", "हिन्दी-भाषा"),
        ("e\u0301te\u0301", "été"),
        ("con", "con-page"),
        ("COM1", "com1-page"),
        ("Index", "index-page"),
        ("README", "readme-page"),
        ("🎉", "1f389"),
        ("❤️ love", "love"),
        ("a_b c", "a-b-c"),
        ("1917", "1917"),
        ("x" * 300, "x" * 80),
        ("word " * 60, "-".join(["word"] * 16)),
        ("中" * 300, "中" * 66),
    ],
)
def test_a_file_name_is_readable_and_fits_every_system(title, name):
    assert file_name(title) == name


@for_each(
    ("stem", "title"),
    [
        ("green-tea", "Green tea"),
        ("API-keys", "API-keys"),
        ("2026-11-21", "2026-11-21"),
        ("my_page", "My page"),
        ("Node.js", "Node.js"),
        ("中文", "中文"),
    ],
)
def test_a_page_named_by_its_path_has_a_title_people_would_write(stem, title):
    assert title_of(stem) == title


def test_a_page_begins_with_its_fields_and_the_headings_of_its_type():
    assert made("Tea", type="question", tags=("drink", "green-tea"), description="Why: tea?") == (
        '---\ntitle: Tea\ntype: question\ndescription: "Why: tea?"\ntags: [drink, green-tea]\n'
        "created: 2026-11-21\n---\n# Tea\n\n## Answer\n\n## Reasons\n\n## Still open\n"
    )
    assert made("wiki/green-tea.md").startswith("---\ntitle: Green tea\ntype: page\ncreated:")
    assert made("S", type="session") == (
        "---\ntitle: S\ntype: session\nstarted: 2026-11-21\n---\n# S\n"
    )


NASTY = [
    'a "quoted" one',
    "it's",
    "a: b",
    "# no",
    "x #y",
    "C#",
    "@at",
    "`code`",
    "yes",
    "null",
    "1917",
    "4.20",
    "2026-01-01",
    "12:30",
    "- x",
    "? x",
    "[a]",
    "{b}",
    "& c",
    "* d",
    "! e",
    "| f",
    "> g",
    "% h",
    "trail.",
    "中文：标题",
    "🎉 party",
    "a/b",
    "[[link]]",
    "a #tag b",
    "x" * 300,
    "~",
    "''",
    '"',
    "\\",
    "a,b",
    "<b>",
    "{{t}}",
    "$x$",
    "a^b",
    "foo::bar",
    "*em*",
    "_x_",
    "snake_case_name",
    "&amp;",
    "http://x.y",
    "==x==",
    "---",
    "...",
]


@given(
    st.one_of(st.sampled_from(NASTY), st.text(max_size=40)),
    st.sampled_from(["", *TEMPLATES, "session", "daily", "Big Table", "yes", "a: b"]),
    st.lists(
        st.from_regex(r"[a-z][a-z0-9]{2,6}(-[a-z]{2,4})?", fullmatch=True), max_size=3, unique=True
    ),
    st.one_of(st.just(""), st.sampled_from(NASTY), st.text(max_size=60)),
)
@example("[[link]]", "", [], "")
@example("a\u2028b", "", [], "")
@example("\ufeffx", "", [], "")
@example("a\u202eb", "", [], "")
def test_a_new_page_reads_back_as_it_was_asked_for(title, type_, tags, description):
    asked = PageRequest(title, type_, tuple(tags), description)
    try:
        target = aim(asked, LAYERS, "", lambda place: [])
        data = page_bytes(target, asked, DAY, LAYERS, 10_000)
    except MemwikiError as error:
        assert error.hint
        return
    page = parse(target.path, data, LAYERS)
    if target.title:
        # What is nothing but a form of a template is no title.
        assert page.title == without_brackets(title).strip() or is_form(title.strip())
        assert contain("/nowhere", target.path) == target.path
        assert unicodedata.normalize("NFC", target.path) == target.path
    assert page.type == (type_ or target.type)
    assert page.front_matter.status is FrontMatterStatus.OK
    in_text = [link for link in page.links if link.kind is not LinkKind.FRONT_MATTER]
    assert (page.tags, in_text, page.problems, page.entries) == (tuple(tags), [], (), ())
    assert page.fields.get("description", "") == description.strip()
    assert next(iter(page.front_matter.fields)) == "title"
    assert page.units


@given(st.text(min_size=1, max_size=300))
def test_any_title_gives_a_name_that_can_be_stored(title):
    name = file_name(title)
    if title.strip() and title.isprintable():
        assert contain("/nowhere", f"{name}.md") == f"{name}.md"
        assert len(f"{name}.md".encode()) <= 210


@for_each("title", ["a\nb", "a\x00", "a\u202eb", "a\x85b", "", "  "])
def test_a_title_is_one_plain_line(title):
    with pytest.raises(UsageError):
        aimed(title)


def test_a_body_that_is_handed_over_stays_as_it_is():
    body = "\ufeff# Mine\r\n\r\ntext\r\n"
    assert made("Tea", content=body) == (
        "\ufeff---\r\ntitle: Tea\r\ntype: concept\r\ncreated: 2026-11-21\r\n---\r\n# "
        "Mine\r\n\r\ntext\r\n"
    )
    assert "title: Mine\n" in made("wiki/x.md", content="\n# *Mine*\n\ntext\n")
    assert "title: X\n" in made("wiki/x.md", content="text\n\n# *Mine*\n")


WHOLE = "---\nname: x   # odd\nsummary: said\n---\n\nbody"


def test_a_whole_page_stays_as_it_is_but_for_fields_that_were_asked_for():
    assert made("wiki/x.md", content=WHOLE, is_typed=False) == WHOLE
    assert made("Tea", type="person", content=WHOLE, tags=("a",), description="other") == (
        "---\nname: x   # odd\nsummary: said\ntitle: Tea\ntype: person\ntags: [a]\n---\n\nbody"
    )


@for_each(
    ("content", "problem"),
    [
        ("", "is empty"),
        (" \n", "is empty"),
        ("\ufeff", "is empty"),
        ("a\x00b", "control character"),
        ("<!-- memwiki:catalog:begin -->\n", "generated catalog"),
        ("x" * 10_000, "would have 10051 bytes, more than the 10000"),
    ],
)
def test_text_that_is_no_page_is_refused(content, problem):
    with pytest.raises(UsageError, match=problem):
        made("T", content=content)


def test_a_page_whose_front_matter_is_broken_is_refused_when_fields_are_asked_for():
    with pytest.raises(NotEditableError):
        made("T", content="---\na: b\n")


def test_a_page_is_made_found_and_unmade(ws, root):
    """
    --- memwiki.toml ---
    [layers]
    wiki = "wiki"
    """
    edited = ws.pages.new("Green tea", tags=["drink"])
    assert (edited.op, edited.title, edited.paths) == (
        "create",
        "created wiki/concepts/green-tea.md",
        ("wiki/concepts/green-tea.md",),
    )
    assert ws.pages.get("green tea").tags == ("drink",)
    ws.undo(1)
    assert not (root / "wiki/concepts/green-tea.md").exists()
    shown = ws.pages.new("Green tea", dry_run=True)
    assert "+title: Green tea\n" in shown.diff
    assert not (root / "wiki/concepts/green-tea.md").exists()


def test_case_08_creating_a_twin_warns(ws):
    """
    --- drinks/green-tea.md ---
    --- hot.md ---
    ---
    aliases: [Green Tea]
    ---
    --- other.md ---
    # Green_tea
    --- drink-tea.md ---
    """
    assert ws.pages.new("Green Tea").notes == (
        "this name is also used by drinks/green-tea.md, hot.md, other.md",
    )
    assert ws.pages.new("sub/Drink_Tea.md").notes == ("this name is also used by drink-tea.md",)
    assert ws.pages.new("Something else").notes == ()


def test_case_08_names_that_collide_are_refused(ws, root):
    """
    --- .memwikiignore ---
    PICTURE.md
    --- wiki/tea.md ---
    # Tea
    --- café.md ---
    # Café
    --- PICTURE.md ---
    left out of the index, and there all the same
    """
    before = {path: path.read_bytes() for path in root.rglob("*.md")}
    for name, found in [
        ("wiki/tea.md", "wiki/tea.md"),
        ("wiki/Tea.md", "wiki/tea.md"),
        ("WIKI/other.md", "wiki/"),
        ("cafe\u0301.md", "café.md"),
        ("picture.md", "PICTURE.md"),
    ]:
        with pytest.raises(AlreadyExistsError) as raised:
            ws.pages.new(name)
        assert found in raised.value.message + raised.value.hint, (name, found)
        assert {path: path.read_bytes() for path in root.rglob("*.md")} == before, (name, found)


def test_case_27_no_page_is_made_outside(ws, root):
    """
    --- a.md ---
    """
    for name in ["../out.md", "/etc/out.md", "wiki/../../out.md", ".memwiki/x.md", "con.md"]:
        with pytest.raises(UnsafePathError):
            ws.pages.new(name)
        assert sorted(path.name for path in root.rglob("*.md")) == ["a.md"], name


def test_a_tag_in_use_is_used_and_a_near_one_named(ws):
    """
    --- a.md ---
    ---
    tags: [Design, green-tea]
    ---
    """
    edited = ws.pages.new("B", tags=["design", "green-teas"])
    assert ws.pages.get("B").tags == ("Design", "green-teas")
    assert edited.notes == ("#green-teas is new; #green-tea is on 1 page",)


def test_a_page_that_appears_meanwhile_is_not_overwritten(ws, root, monkeypatch):
    """
    --- a.md ---
    """
    from memwiki.commit import carry_out

    real = carry_out.apply

    def late(*arguments, **named):
        monkeypatch.setattr(carry_out, "apply", real)
        (root / "b.md").write_text("mine\n")
        return real(*arguments, **named)

    monkeypatch.setattr(carry_out, "apply", late)
    with pytest.raises(AlreadyExistsError):
        ws.pages.new("b.md")
    assert (root / "b.md").read_text() == "mine\n"


def test_a_fresh_workspace_stays_without_warnings_after_a_page_of_each_type(tmp_path):
    Workspace.init(tmp_path / "ws")
    space = Workspace.open(tmp_path / "ws")
    for type_ in (*TEMPLATES, "session", "daily", "index", "log", "Anything"):
        space.pages.new(f"A {type_}", type=type_, description="An example.", tags=["memwiki"])
    assert [each for each in space.check.run().problems if each.severity != "info"] == []
    space.close()


def test_a_title_whose_file_is_another_page_is_refused_with_a_path_of_its_own(tmp_path):
    Workspace.init(tmp_path / "w").close()
    with Workspace.open(tmp_path / "w") as ws:
        ws.pages.new("C++")
        with pytest.raises(AlreadyExistsError, match="is the page 'C\\+\\+' already") as raised:
            ws.pages.new("C#")
        assert raised.value.hint == (
            "memwiki new wiki/concepts/c-2.md, then memwiki set wiki/concepts/c-2.md title=TITLE"
        )
        with pytest.raises(AlreadyExistsError, match="already exists"):
            ws.pages.new("c++")
