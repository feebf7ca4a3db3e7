"""Templates of the user's own: what is filled in, what stays, and how new files are called."""

from __future__ import annotations

from datetime import datetime

import frontmatter
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memwiki.errors import ConfigError, NotFoundError, TwinError, UnsafePathError, UsageError
from memwiki.pages.own import Filling, fill_template
from memwiki.pages.page import titled_file_name
from memwiki.times.day_names import moment
from tests.effort import for_each

AT = datetime(2026, 3, 1, 15, 4, 5)
FILLING = Filling("Dune", AT, ("novel", "sf"))

# --- filling in ---


@for_each(
    ("template", "text"),
    [
        ("# {{title}}", "# Dune"),
        ("{{ Title }} {{DATE}} {{time}}", "Dune 2026-03-01 15:04"),
        ("{{date:dddd, MMMM Do YYYY}}", "Sunday, March 1st 2026"),
        ("{{time:hh:mm A}} {{date: YYYY-[W]WW }}", "03:04 PM 2026-W09"),
        ("{{tags}}", "#novel #sf"),
        ("[[{{title}} notes]]", "[[Dune notes]]"),
        ("{{cursor}} {{title:x}} {{}} {title} <% tp.date.now() %> {{title", None),
        ("---\ntags: [{{tags}}]\n---\n", "---\ntags: [novel, sf]\n---\n"),
        ("---\r\ntitle: {{title}}\r\n---\r\nx\r\n", "---\r\ntitle: Dune\r\n---\r\nx\r\n"),
    ],
)
def test_placeholders_are_filled_in_and_all_else_stays(template, text):
    assert fill_template(template, FILLING) == (template if text is None else text)


@for_each(
    ("pattern", "text"),
    [
        ("YYYY YY Q M MM MMM MMMM", "2026 26 1 3 03 Mar March"),
        ("D DD Do DDD DDDD d dd ddd dddd E", "1 01 1st 60 060 0 Su Sun Sunday 7"),
        ("GGGG-[W]WW W ww", "2026-W09 9 09"),
        ("H HH h hh m mm s ss SSS A a", "15 15 3 03 4 04 5 05 000 PM pm"),
        ("[at] HH[h] (YYYY)", "at 15h (2026)"),
        ("", ""),
    ],
)
def test_a_time_is_written_in_the_patterns_of_moment(pattern, text):
    assert moment(pattern, AT) == text


FRONT = """\
---
a: {{title}}
b: "x {{title}}"
c: 'x {{title}}'
d: on {{title}}
e:
  - {{title}}
---
# B
"""


@given(st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=30))
@example('Dune: a "novel" \\ part')
@example("it's #1: yes")
@example("2024")
@example("{{title}} {{date}}")
@example("- x")
def test_whatever_a_title_holds_the_front_matter_says_it_to_other_readers(title):
    title = " ".join(title.split())
    if not title or not title.isprintable():
        return
    found = frontmatter.loads(fill_template(FRONT, Filling(title, AT)))
    assert found["a"] == title
    assert (found["b"], found["c"], found["d"]) == (f"x {title}", f"x {title}", f"on {title}")
    assert found["e"] == [title]


@given(st.text(st.sampled_from("{}titledag: \n-'\"[]|#x"), max_size=60))
def test_any_text_is_a_template(text):
    assert fill_template(text, FILLING).count("\n") == text.count("\n")


# --- new and today ---

BOOK = "---\ntype: book\ntags: [{{tags}}]\n---\n# {{title}}\n\nRead on {{date}}. {{nope}}\n"


@pytest.fixture
def vault(ws, put):
    put("forms/Book.md", BOOK)
    put("forms/sub/Day.md", "Plan of {{title}}\n")
    ws.settings.set("pages.templates", "forms")
    return ws


@pytest.mark.parametrize("name", ["Book", "book", "Book.md", "forms/Book", "forms/Book.md"])
def test_a_new_page_is_the_template_filled_in(vault, name):
    path = vault.pages.new("Dune", template=name, tags=["sf"]).paths[0]
    text = vault.pages.bytes(path).decode()
    day = text.partition("Read on ")[2].partition(".")[0]
    assert text == BOOK.replace("{{title}}", "Dune").replace("{{tags}}", "sf").replace(
        "{{date}}", day
    )
    assert len(day) == 10
    assert vault.pages.get("Dune").type == "book"


def test_what_is_asked_for_and_not_in_the_template_is_added(vault):
    path = vault.pages.new("AC/DC", template="Day", tags=["band"], description="Loud.").paths[0]
    assert vault.pages.bytes(path).decode() == (
        "---\ntitle: AC/DC\ndescription: Loud.\ntags: [band]\n---\nPlan of AC/DC\n"
    )


def test_a_template_that_there_is_not_is_answered_with_those_that_there_are(vault):
    with pytest.raises(NotFoundError) as refused:
        vault.pages.new("X", template="bok")
    assert refused.value.hint == "did you mean Book?"
    with pytest.raises(NotFoundError) as refused:
        vault.pages.new("X", template="zzzz")
    assert "Book, sub/Day" in refused.value.hint
    with pytest.raises(UnsafePathError):
        vault.pages.new("X", template="../../etc/passwd")
    with pytest.raises(UsageError):
        vault.pages.new("X", template="Book", content="x")


def test_without_a_folder_of_templates_the_setting_is_named(ws):
    with pytest.raises(ConfigError) as refused:
        ws.pages.new("X", template="Book")
    assert "pages.templates" in refused.value.hint


def test_the_page_of_today_begins_with_its_template_once(vault):
    vault.settings.set("layers.daily", "daily")
    vault.settings.set("pages.daily_template", "forms/sub/Day")
    path = vault.pages.today("- Met Anna.").paths[0]
    day = path.removeprefix("daily/").removesuffix(".md")
    vault.pages.today("- Met Bob.")
    text = vault.pages.bytes(path).decode()
    assert text == f"Plan of {day}\n\n- Met Anna.\n- Met Bob.\n"


def test_a_daily_template_that_is_gone_is_said_and_the_day_begins_without_it(vault):
    vault.settings.set("layers.daily", "daily")
    vault.settings.set("pages.daily_template", "forms/Gone")
    path = vault.pages.today("- Met Anna.").paths[0]
    assert "Met Anna" in vault.pages.bytes(path).decode()
    assert any("forms/Gone is not there" in each for each in vault.take_warnings())


def test_check_says_nothing_of_links_and_fields_of_templates(vault, put):
    put("forms/x.md", "---\ntitle: {{title}}: x\ntags: [{{tags}}]\n---\n[[Nowhere]] [a](gone.md)\n")
    found = {each.code for each in vault.check.run() if each.path.startswith("forms/")}
    assert not found & {"link-broken", "link-wanted", "front-matter-repaired", "yaml-invalid"}
    put("y.md", "# Y\n\n[a](gone.md)\n")
    assert "link-broken" in {each.code for each in vault.check.run() if each.path == "y.md"}


# --- names of files ---


@for_each(
    ("title", "name"),
    [
        ("My Title", "My Title"),
        ("Re: plan?", "Re- plan"),
        ("AC/DC", "AC-DC"),
        ("a\\b|c*d", "a-b-c-d"),
        (".hidden", "hidden"),
        ("ends in a dot. ", "ends in a dot"),
        ("绿茶 是什么？", "绿茶 是什么？"),
        ("e\u0301", "é"),
        ("C# [x] ^y", "C- -x- -y"),
        ("CON", "con-page"),
        ("Index", "index-page"),
        ("???", "3f-3f-3f"),
        ("x" * 300, "x" * 200),
        ("茶" * 100, "茶" * 66),
    ],
)
def test_a_file_is_called_as_its_page_as_far_as_systems_and_links_can_hold_that(title, name):
    assert titled_file_name(title) == name


@given(st.text(max_size=80))
def test_any_title_gives_a_name_that_every_system_can_hold(title):
    name = titled_file_name(title)
    assert len(name.encode(errors="replace")) <= 200
    assert not set(name) & set('<>:"/\\|?*#^[]')
    assert name == name.strip(" .")


def test_new_pages_are_called_by_title_or_slug_and_twins_are_refused(ws):
    assert ws.pages.new("Green Tea").paths == ("green-tea.md",)
    ws.settings.set("pages.filename", "title")
    assert ws.pages.new("Black Tea").paths == ("Black Tea.md",)
    assert ws.pages.get("Black Tea").path == "Black Tea.md"
    with pytest.raises(TwinError):
        ws.pages.new("black tea")


def test_in_a_vault_of_obsidian_pages_are_called_by_title_unless_a_setting_says_otherwise(ws, put):
    put(".obsidian/app.json", "{}")
    ws.reload()
    assert ws.pages.new("Green Tea").paths == ("Green Tea.md",)
    ws.settings.set("pages.filename", "slug")
    assert ws.pages.new("Black Tea").paths == ("black-tea.md",)
